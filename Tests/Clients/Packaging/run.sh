#!/usr/bin/env bash
# Builds and installs libCRunLoop as a packager does, and clients against it as projects do: with CMake and
# with pkg-config, by each compiler that is here, shared and static.
#
# usage: Tests/Clients/Packaging/run.sh [swift|distribution|debian|tool]...
#
# `swift` takes the toolchain's clang, blocks runtime and libdispatch, `distribution` clang 14 and Debian's
# blocks runtime, without libdispatch; `debian` makes packages with these. `tool` makes a package of the tool
# that `.ci/run static` has linked. Without names it takes all but the last.

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain
unset C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH

top=$PWD/.build-packaging
expected=$'2 to go\n1 to go\n0 to go\nstopped'
passed=0

fail() {
    echo "packaging: $*" >&2
    exit 1
}

# Runs a command whose output nobody wants to see, unless it fails.
quietly() {
    "$@" >"$top/log" 2>&1 || { cat "$top/log"; fail "failed: $*"; }
}

# Runs a client that prints what each does: expect NAME PROGRAM [ARGUMENT].
expect() {
    local output
    output=$(timeout 120 "${@:2}" 2>&1) || fail "$1 failed: $output"
    [[ $output == "$expected" ]] || fail "$1 printed: $output"
    passed=$((passed + 1))
}

# The shared library exports what public headers declare, no more and no less; but for the names that
# backtraces show, and those that the linker adds.
check_symbols() {
    local library=$1
    nm -D --defined-only --extern-only "$library" | awk '{ print $3 }' |
        grep -vE '^(__RLRUNLOOP_IS_\w+|__bss_start|_edata|_end)$' | LC_ALL=C sort >"$top/exported"
    python3 - >"$top/declared" <<'PYTHON'
import glob
import re

names = set()
for header in glob.glob("CSupport/CRunLoop/include/CRunLoop/*.h"):
    with open(header) as file:
        text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
    for declaration in re.findall(r"^RL_EXPORT\b([^;{]*)", text, flags=re.M):
        # The name is before the parameters, or the last word of a constant's declaration.
        names.add(re.findall(r"\w+", re.split(r"\((?!\s*[*^])", declaration)[0])[-1])
print("\n".join(sorted(names)))
PYTHON
    LC_ALL=C sort -o "$top/declared" "$top/declared"
    diff "$top/declared" "$top/exported" >"$top/difference" ||
        { cat "$top/difference"; fail "headers declare '<', the library exports '>'"; }
    passed=$((passed + 1))
}

# Has dpkg do something, though other stages may install packages meanwhile: it does not wait for its lock.
use_dpkg() {
    for _ in {1..600}; do
        if dpkg "$@" >"$top/log" 2>&1; then return; fi
        grep -q lock "$top/log" || break
        sleep 1
    done
    cat "$top/log"
    fail "failed: dpkg $*"
}

# Nothing is wrong with the packages of a folder but the missing copyright.
judge_packages() {
    if command -v lintian >/dev/null; then
        quietly lintian --allow-root --suppress-tags no-copyright-file --fail-on error,warning "$1"/*.deb
    fi
}

# Sees that the library has the static probes, if they can be built here, and no others.
check_probes() {
    if ! echo '#include <sys/sdt.h>' | clang-14 -fsyntax-only -x c - 2>/dev/null; then
        echo "no header for static probes: CSupport/bootstrap.sh --ci"
        return
    fi
    readelf -n "$1" | sed -n '/Provider/ { N; s/.*: \(.*\)\n.*: \(.*\)/\1:\2/p }' | sort -u >"$top/probes"
    printf 'crunloop:%s\n' callout_begin callout_end run_begin run_end sleep wake_up >"$top/expected-probes"
    diff "$top/expected-probes" "$top/probes" || fail "expected the probes '<', the library has '>'"
    # perf finds no use for a probe if some of its places have a constant in place of a register.
    if readelf -n "$1" | grep 'Arguments:.*\$'; then fail "a probe has a constant argument"; fi
    quietly clang-14 -std=gnu17 -fblocks -ICSupport/CRunLoop -ICSupport/CRunLoop/include -Wall -Wextra -Werror \
        -DRL_HAS_PROBES=0 -c CSupport/CRunLoop/loop/pass_callout.c -o "$top/without.o"
    if readelf -n "$top/without.o" | grep stapsdt; then fail "probes are switched off, and one is there"; fi
    passed=$((passed + 1))
}

# install_engine NAME COMPILER
install_engine() {
    local name=$1 compiler=$2 folder=$top/$1
    quietly cmake -S CSupport -B "$folder/build" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_BUILD_TYPE=Release -DCRUNLOOP_WARNINGS_ARE_ERRORS=ON
    quietly cmake --build "$folder/build" --parallel "$(nproc)"
    rm -rf "$folder/prefix"
    quietly cmake --install "$folder/build" --prefix "$folder/prefix" --strip
    check_symbols "$folder/prefix/lib/libCRunLoop.so"
    check_probes "$folder/prefix/lib/libCRunLoop.so"
    readelf -d "$folder/prefix/lib/libCRunLoop.so" >"$top/dynamic"
    grep -q 'soname: \[libCRunLoop.so.0\]' "$top/dynamic" || fail "$name: no soname"
    if grep -q 'NEEDED.*libbsd' "$top/dynamic"; then fail "$name: nothing of libbsd is used"; fi
}

# A client of its own language mode for each compiler: try_compilers NAME FLAG...
try_compilers() {
    local name=$1 prefix=$top/$1/prefix compiler standard flags libraries
    local PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    export PKG_CONFIG_PATH
    read -ra flags <<<"$(pkg-config --cflags crunloop)"
    local linked=("-Wl,-rpath,$prefix/lib")
    read -ra libraries <<<"$(pkg-config --libs crunloop)"
    for compiler in gcc "$2" clang-14 g++ clang++-14; do
        command -v "$compiler" >/dev/null || continue
        case $compiler in
        *++*) standard=(-x c++ -std=c++11) ;;
        *) standard=(-std=c11) ;;
        esac
        quietly "$compiler" "${standard[@]}" -Wall -Wextra -Werror -pedantic "${flags[@]}" \
            Tests/Clients/Packaging/client/countdown.c "${libraries[@]}" "${linked[@]}" -o "$top/client"
        expect "$name, pkg-config, $compiler" "$top/client"
    done
    read -ra flags <<<"$(pkg-config --cflags crunloop-cf)"
    quietly gcc -std=c11 -Wall -Wextra -Werror "${flags[@]}" Tests/Clients/Packaging/client/countdown_cf.c \
        "${libraries[@]}" "${linked[@]}" -o "$top/client"
    expect "$name, pkg-config, CF's names" "$top/client"
    read -ra flags <<<"$(pkg-config --cflags crunloop-apple)"
    quietly gcc -std=c11 -Wall -Wextra -Werror "${flags[@]}" -include CoreServices/CoreServices.h \
        Tests/Clients/Packaging/client/countdown_cf.c "${libraries[@]}" "${linked[@]}" -o "$top/client"
    expect "$name, pkg-config, Apple's headers" "$top/client"

    # A thread that ends after the library was unloaded.
    quietly gcc -std=gnu11 -Wall -Wextra -Werror Tests/Clients/Packaging/client/unloaded.c -pthread -ldl -o "$top/client"
    expected=ended expect "$name, unloaded" "$top/client" "$prefix/lib/libCRunLoop.so"

    # The static library, with the libraries that pkg-config prints.
    read -ra libraries <<<"$(pkg-config --static --libs crunloop)"
    read -ra flags <<<"$(pkg-config --cflags crunloop)"
    quietly gcc -std=c11 "${flags[@]}" Tests/Clients/Packaging/client/countdown.c \
        "${libraries[@]/#-lCRunLoop/-l:libCRunLoop.a}" -Wl,-rpath,"$library_folder/linux" -o "$top/client"
    ldd "$top/client" >"$top/needed"
    if grep -q libCRunLoop "$top/needed"; then fail "$name: the static library was not linked"; fi
    expect "$name, pkg-config, static" "$top/client"
}

# The library with CF's own symbols: a binding that looks names up, files that declare CF's functions themselves, and
# pools of Objective-C++. Beside another library with these symbols it stops with a line.
try_symbols() {
    local name=$1 prefix=$top/$1/prefix symbols flags order status
    local PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    export PKG_CONFIG_PATH
    read -ra symbols <<<"$(pkg-config --cflags --libs crunloop-symbols)"
    symbols+=("-Wl,-rpath,$prefix/lib")
    nm -D --defined-only "$prefix/lib/libCRunLoopCF.so" | awk '{ print $3 }' | LC_ALL=C sort >"$top/exported"
    sed -nE 's/^ALIAS\((\w+),.*/\1/p' CSupport/CMake/symbols.h | LC_ALL=C sort | LC_ALL=C comm -23 - "$top/exported" >"$top/missing"
    if [[ -s $top/missing ]]; then fail "$name: libCRunLoopCF lacks $(tr '\n' ' ' <"$top/missing")"; fi

    expect "$name, CF's symbols, ctypes" python3 -B Tests/Clients/Packaging/client/symbols.py "$prefix/lib/libCRunLoopCF.so"
    for flags in -pie -no-pie; do
        quietly g++ -Wall -Wextra -Werror -f${flags#-} $flags Tests/Clients/Packaging/client/symbols.cc "${symbols[@]}" -o "$top/client"
        expect "$name, CF's symbols, $flags" "$top/client"
    done
    read -ra flags <<<"$(pkg-config --static --libs crunloop-symbols)"
    quietly g++ Tests/Clients/Packaging/client/symbols.cc "${flags[@]/#-lCRunLoopCF/-l:libCRunLoopCF.a}" \
        -Wl,-rpath,"$library_folder/linux" -o "$top/client"
    expect "$name, CF's symbols, static" "$top/client"
    if command -v clang++-14 >/dev/null; then
        read -ra flags <<<"$(pkg-config --cflags crunloop-cf)"
        quietly clang++-14 -x objective-c++ -fobjc-runtime=macosx-10.15 "${flags[@]}" Tests/Clients/Packaging/client/pool.mm \
            "${symbols[@]}" -o "$top/client"
        expect "$name, CF's symbols, Objective-C++" "$top/client"
    fi
    for order in "-lCRunLoopCF -lFoundation" "-lFoundation -lCRunLoopCF"; do
        # shellcheck disable=SC2086 # Two arguments.
        quietly g++ Tests/Clients/Packaging/client/symbols.cc -Wl,--no-as-needed "-L$prefix/lib" "-L$library_folder/linux" $order \
            -Wl,-rpath,"$prefix/lib:$library_folder/linux" -Wl,-rpath-link,"$library_folder/linux" -o "$top/client"
        status=0
        SWIFT_BACKTRACE=enable=no timeout 120 "$top/client" >"$top/log" 2>&1 || status=$?
        if ((status != 134)) || ! grep -q "libFoundation.so, which this process has loaded, defines the same CF symbols" "$top/log"; then
            cat "$top/log"
            fail "$name: $order ended with status $status"
        fi
        passed=$((passed + 1))
    done
}

# A project that finds the package by CMake, with gcc and g++: try_cmake NAME
try_cmake() {
    local name=$1 folder=$top/$1 client
    rm -rf "$folder/client"
    quietly cmake -S Tests/Clients/Packaging/client -B "$folder/client" -DCMAKE_C_COMPILER=gcc \
        -DCMAKE_CXX_COMPILER=g++ -DCMAKE_PREFIX_PATH="$folder/prefix"
    quietly cmake --build "$folder/client"
    for client in shared-c shared-cpp shared-cf shared-apple shared-symbols static-c static-cpp; do
        expect "$name, CMake, $client" "$folder/client/$client"
    done
}

# Debian's packages of the library, by the distribution's compiler; a program without Swift uses them, installed, or,
# without the right to install, unpacked.
try_debian() {
    local folder=$top/debian root="" flags libraries
    if ! command -v dpkg >/dev/null || ! command -v clang-14 >/dev/null; then return; fi
    rm -rf "$folder"
    quietly cmake -S CSupport -B "$folder" -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX=/usr
    quietly cmake --build "$folder" --parallel "$(nproc)"
    (cd "$folder" && quietly cpack -G DEB)
    judge_packages "$folder"
    if (($(id -u) == 0)); then
        trap 'dpkg --purge libcrunloop-dev libcrunloopcf0 libcrunloop0 >/dev/null 2>&1' EXIT
        use_dpkg --install "$folder"/*.deb
    else
        root=$folder/contents
        for package in "$folder"/*.deb; do dpkg-deb --extract "$package" "$root"; done
    fi
    local PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/pkgconfig
    export PKG_CONFIG_PATH
    check_probes "${PKG_CONFIG_PATH%/pkgconfig}/libCRunLoop.so"
    read -ra flags <<<"$(pkg-config --cflags crunloop-apple)"
    read -ra libraries <<<"$(pkg-config --libs crunloop-apple)"
    quietly gcc -Wall -Wextra -Werror "${flags[@]}" -include AssertMacros.h Tests/Clients/Packaging/client/countdown_cf.c \
        "${libraries[@]}" -Wl,-rpath,"${PKG_CONFIG_PATH%/pkgconfig}" -o "$top/client"
    ldd "$top/client" >"$top/needed"
    if grep -q swift "$top/needed"; then fail "debian: needs Swift"; fi
    expect "debian" "$top/client"
    if [[ -z $root ]]; then
        use_dpkg --purge libcrunloop-dev libcrunloopcf0 libcrunloop0
        trap - EXIT
        if [[ -e /usr/include/CRunLoop ]]; then fail "debian: purged, and something is left"; fi
    fi
    echo "debian: packages, and a program that uses them"
}

# A build with a toolchain's libraries makes no packages of the library, and prints the reason.
refuse_toolchain() {
    local folder=$top/toolchain-debian
    if ! command -v dpkg >/dev/null; then return; fi
    rm -rf "$folder"
    quietly cmake -S CSupport -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON
    if (cd "$folder" && cpack -G DEB) >"$top/log" 2>&1; then fail "debian: a package needs the toolchain"; fi
    grep -q 'a package would look for libraries' "$top/log" || fail "debian: no line of the toolchain"
    passed=$((passed + 1))
}

# Debian's package of the tool, in the same way: the samples run, and the manual page has each command.
try_tool() {
    local folder=$top/tool tool=$PWD/.build-static/runloop installed command
    [[ -x $tool ]] || fail "$tool is missing: .ci/run release static"
    installed=$tool
    rm -rf "$folder"
    mkdir -p "$folder"
    if command -v dpkg >/dev/null; then
        # The library is not built for this.
        quietly cmake -S CSupport -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_INSTALL_PREFIX=/usr \
            -DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON -DCRUNLOOP_TOOL="$tool"
        quietly cmake --build "$folder" --target CRunLoopTool
        (cd "$folder" && quietly cpack -G DEB -D CPACK_COMPONENTS_ALL=tool)
        judge_packages "$folder"
        # Also for the page, which an installation may leave out.
        dpkg-deb --extract "$folder"/runloop_*.deb "$folder/contents"
        installed=$folder/contents/usr/bin/runloop
        if (($(id -u) == 0)); then
            trap 'dpkg --purge runloop >/dev/null 2>&1' EXIT
            use_dpkg --install "$folder"/runloop_*.deb
            installed=/usr/bin/runloop
        fi
        if command -v man >/dev/null; then
            MANWIDTH=80 man --warnings -l "$folder/contents/usr/share/man/man1/runloop.1.gz" >"$folder/page" 2>"$top/log"
            if [[ -s $top/log ]]; then cat "$top/log"; fail "tool: its manual page has errors"; fi
            "$installed" help >"$folder/help"
            sed -n '/^SUBCOMMANDS/,$ s/^  \([a-z]\{1,\}\)  .*/\1/p' "$folder/help" >"$folder/commands"
            while read -r command; do
                grep -qE "^ +$command\$" "$folder/page" || fail "tool: its manual page does not have $command"
                passed=$((passed + 1))
            done <"$folder/commands"
        fi
    fi
    [[ $("$installed" --version) == 0.1.0 ]] || fail "tool: has another version"
    timeout 300 "$installed" list >"$folder/list" || fail "tool: lists no processes"
    timeout 900 "$installed" demo
    passed=$((passed + 3))
    if [[ $installed == /usr/bin/runloop ]]; then
        use_dpkg --purge runloop
        trap - EXIT
        if [[ -e $installed ]]; then fail "tool: purged, and something is left"; fi
    fi
    echo "tool: a package, and what is in it at work"
}

for tool in cmake pkg-config gcc g++ readelf; do
    command -v "$tool" >/dev/null || fail "$tool is missing: CSupport/bootstrap.sh --packaging"
done
mkdir -p "$top"
if (($# == 0)); then set -- swift distribution debian; fi
for name; do
    case $name in
    debian)
        refuse_toolchain
        try_debian
        continue
        ;;
    tool)
        # Beside the others.
        top=$PWD/.build-packaging-tool
        mkdir -p "$top"
        try_tool
        continue
        ;;
    swift) used=$compiler ;;
    distribution) used=clang-14 ;;
    *) fail "unknown: $name" ;;
    esac
    install_engine "$name" "$used"
    try_compilers "$name" "$used"
    try_symbols "$name"
    try_cmake "$name"
    echo "$name: the library and its clients"
done
echo "$passed passed, 0 failed"
