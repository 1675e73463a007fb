#!/bin/sh
# Renames what CoreFoundation and Foundation call run loops to what this package calls them.
#
# usage: CSupport/rename.sh c FOLDER...            C, C++ and Objective-C: CF to RL, and the includes
#        CSupport/rename.sh swift FOLDER...        Swift: CF to RL, types get Ref, and the imports
#        CSupport/rename.sh foundation FOLDER...   Swift: RunLoop to RLRunLoop and so on, and the imports
#
# Edits all sources below the folders in place. String literals stay as they are, except for the code that they
# interpolate and for lines of literals that go on over several. Docs/Porting.md says what else there is to do.

set -eu

usage() {
    sed -n 's/^# \{0,1\}//; 2,9p; 9q' "$0" >&2
    exit 2
}

if [ $# -lt 2 ]; then usage; fi
language=$1
shift

# Runs a sed script over the files below folders: edit REGEX SCRIPT FOLDER...
edit() {
    pattern=$1
    script=$2
    shift 2
    find "$@" -type f -regex "$pattern" -exec sed -E -i "$script" {} +
}

# --- Parts of the scripts ------------------------------------------------------------------------

# A name begins with CF where the next letter is a capital that a small one follows.
kinds='Allocator|Host|NotificationCenter|RunLoop|RunLoopObserver|RunLoopSource|RunLoopTimer|FileDescriptor|MachPort'
kinds=$kinds'|MessagePort|ReadStream|Socket|WriteStream|Boolean|Date|Error|Locale|Null|Number|TimeZone|URL'
kinds=$kinds'|(Mutable)?(Array|Data|Dictionary|Set|String)'
constants='s/\bkCF([A-Z])/kRL\1/g; s/\b(kRL\w+)CF([A-Z])/\1RL\2/g'

# A literal of Swift, with code of at most four levels of parentheses in it.
level='[^()]*'
for _ in 1 2 3; do level='([^()]|\('$level'\))*'; done
character='([^"\\]|\\[^(]|\\\('$level'\))'
# The same up to where a word may begin that is marked by \x01 already.
quiet='([^"\\\x01]|\\[^(])'

# An import line up to `import`: attributes are left out, what re-exports and the access level stay, as \1 and \5.
import='^(\s*(@_exported\s+)?)(@\w+(\([^)]*\))?\s+)*(((public|package|internal|fileprivate|private)\s+)?import\s+)'
declared='(class|struct|enum|protocol|typealias|func|var|let)\s+'

classes='RunLoop|Timer|Thread|Port|PortDelegate|PortMessage|MessagePort|SocketPort|Stream|StreamDelegate|InputStream'
classes=$classes'|OutputStream|StreamSocketSecurityLevel|StreamNetworkServiceTypeValue|Notification|NotificationCenter'
classes=$classes'|NotificationQueue|QualityOfService'

# --- The scripts ---------------------------------------------------------------------------------

# What stands in a literal is marked by \x01 meanwhile, a quoted quotation mark by \x02.
c='s@[<"](CoreFoundation|CFNetwork)/\w+\.h[>"]@<CRunLoop/CRunLoop.h>@
s/\x27(\\?)"\x27/\x02\1\x02/g
:a
s/^(([^"]|"([^"\\]|\\.)*")*"([^"\\]|\\.)*)CF/\1C\x01F/
ta
'$constants'
s/\bCF([A-Z][a-z]|STR\b|URL)/RL\1/g
s/\x01//g
s/\x02(\\?)\x02/\x27\1"\x27/g'

swift='s/'$import'('$declared')?(CoreFoundation|CFCompatibility)\b(\.\w+)?/\1\5CoreRunLoop/
s/'$import'(Foundation|XCTest)\b.*/&\n\1\5CoreRunLoop/
s/("[^"]*"|\b[A-Za-z_.]+) as CFString\b/RLStringCreate(\1)/g
:a
s/^(([^"]|"'$character'*")*"'$character'*)CF/\1C\x01F/
ta
'$constants'
s/\bCF('$kinds')\b/RL\1Ref/g
s/\bCF([A-Z][a-z]|URL)/RL\1/g
s/\x01//g'

foundation='s/'$import'(Foundation|XCTest)\b.*/&\n\1\5RunLoopKit/
:a
s/^(([^"]|"'$character'*")*"('$character'*'$quiet')?)\</\1\x01/
ta
s/(^|[^.[:alnum:]_\x01])(Foundation\.)?('$classes')\b/\1RL\3/g
s/\bNSMachPort\b/RLMachPort/g
s/\bCADisplayLink\b/RLDisplayLink/g
s/\bautoreleasepool\b/rlautoreleasepool/g
s/\bgetCFRunLoop\b/getRLRunLoop/g
s/'$import$declared'(Foundation\.)?RL\w+/\1\5RunLoopKit/
s/\x01//g'

case $language in
c) edit '.*\.\(c\|cc\|cpp\|cxx\|h\|hh\|hpp\|m\|mm\)' "$c" "$@" ;;
swift) edit '.*\.swift' "$swift" "$@" ;;
foundation) edit '.*\.swift' "$foundation" "$@" ;;
*) usage ;;
esac
