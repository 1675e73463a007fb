/*
 * Mutable strings that threads read and change at once, for the sanitizers. Ours only: clients of
 * the reference have to lock theirs.
 */

#include "scenario.h"
#include "value_words.h"

#include <CRunLoop/RLNotificationCenter.h>
#include <CRunLoop/RLStream.h>
#include <CRunLoop/RLURL.h>

enum { SHARING_ROUNDS = 1000, HEAD_UNITS = 8 };

#define HEAD RLSTR("01234567")

/** Cuts a string, or pads it: strings that take in each other would grow without end. */
static void limit(RLMutableStringRef string)
{
    RLStringPad(string, RLSTR("  "), 8 * HEAD_UNITS, 0);
}

/**
 * Changes the own string in every way, also by the other one. Between any two changes it begins
 * with the head and has an even length.
 */
static void change_by(RLMutableStringRef own, RLStringRef other)
{
    RLStringReplaceAll(own, HEAD);
    RLStringAppend(own, RLSTR("yz\xC3\xA9\xE2\x82\xAC"));
    RLStringFindAndReplace(own, RLSTR("yz"), other, RLRangeMake(0, HEAD_UNITS + 2), 0);
    limit(own);
    RLStringFindAndReplace(own, other, RLSTR("01234567ef"), RLRangeMake(0, HEAD_UNITS), 0);
    RLStringAppend(own, other);
    limit(own);
    RLStringAppendFormat(own, NULL, RLSTR("%@%02d"), other, 7);
    limit(own);
    RLStringInsert(own, HEAD_UNITS, other);
    limit(own);
    RLStringReplace(own, RLRangeMake(HEAD_UNITS, 2), other);
    limit(own);
    RLStringDelete(own, RLRangeMake(HEAD_UNITS, 2));
    RLStringLowercase(own, NULL);
    RLStringUppercase(own, NULL);
    RLStringCapitalize(own, NULL);
    RLStringPad(own, NULL, HEAD_UNITS + 2, 0);
    RLStringPad(own, other, 2 * HEAD_UNITS, 0);
    RLStringAppendCharacters(own, (const UniChar[]){0xD83D, 0xDE00}, 2);
    RLStringAppendCString(own, "  ", kRLStringEncodingASCII);
    RLStringTrimWhitespace(own);
    RLStringAppend(own, RLSTR("--"));
    RLStringTrim(own, RLSTR("--"));
}

static void read_units_of(RLStringRef string)
{
    UniChar units[HEAD_UNITS];
    RLStringInlineBuffer buffer;

    check(RLStringGetLength(string) % 2 == 0);
    check(RLStringGetCharacterAtIndex(string, 7) == '7');
    RLStringGetCharacters(string, RLRangeMake(0, HEAD_UNITS), units);
    check(units[0] == '0' && units[7] == '7');
    RLStringInitInlineBuffer(string, &buffer, RLRangeMake(0, HEAD_UNITS));
    check(RLStringGetCharacterFromInlineBuffer(&buffer, 5) == '5');
    check(!RLStringGetCharactersPtr(string));
    RLRelease(RLStringCreateWithSubstring(NULL, string, RLRangeMake(2, 4)));
}

static void read_bytes_of(RLStringRef string)
{
    char characters[4096] = "01234567";
    RLIndex used = 0;

    check(!RLStringGetCStringPtr(string, kRLStringEncodingUTF8));
    RLStringGetCString(string, characters, sizeof characters, kRLStringEncodingUTF8);
    RLStringGetFileSystemRepresentation(string, characters, sizeof characters);
    check(strncmp(characters, "01234567", 8) == 0);
    check(RLStringGetMaximumSizeOfFileSystemRepresentation(string) > HEAD_UNITS);
    RLStringGetBytes(string, RLRangeMake(0, HEAD_UNITS), kRLStringEncodingUTF16, 0, false,
                     (UInt8 *)characters, sizeof characters, &used);
    check(used == 2 * HEAD_UNITS);
    RLDataRef data =
        RLStringCreateExternalRepresentation(NULL, string, kRLStringEncodingUTF16BE, 0);
    check(RLDataGetLength(data) % 4 == 0);
    RLRelease(data);
    RLRelease(RLStringCreateExternalRepresentation(NULL, string, kRLStringEncodingUTF8, 0));
    check(RLStringGetIntValue(string) >= 1234567 && RLStringGetDoubleValue(string) >= 1234567);
    RLStringGetFastestEncoding(string);
    RLStringGetSmallestEncoding(string);
    check(RLStringConvertIANACharSetNameToEncoding(string) == kRLStringEncodingInvalidId);
}

static void compare_with(RLStringRef string, RLStringRef other)
{
    RLStringRef copy = RLStringCreateCopy(NULL, string);
    RLStringRef changing = RLStringCreateMutableCopy(NULL, 0, string);

    check(RLStringGetLength(copy) % 2 == 0 && RLStringGetLength(changing) % 2 == 0);
    check(RLStringHasPrefix(string, HEAD) && RLStringHasPrefix(copy, HEAD));
    check(!RLStringHasSuffix(string, RLSTR("\n")));
    check(RLStringCompareWithOptions(string, HEAD, RLRangeMake(0, HEAD_UNITS), 0) == 0);
    RLStringCompare(string, other, kRLCompareCaseInsensitive);
    RLStringCompareWithOptions(other, string, RLRangeMake(0, HEAD_UNITS), 0);
    RLStringHasPrefix(other, string);
    RLStringHasSuffix(string, other);
    RLEqual(string, other);
    RLEqual(copy, string);
    RLHash(string);
    RLRelease(RLCopyDescription(string));
    RLRelease(changing);
    RLRelease(copy);
}

static void search_in(RLStringRef string, RLStringRef other)
{
    RLRange range = {0, HEAD_UNITS};
    const void *both[] = {string, other};
    RLArrayRef list = RLArrayCreate(NULL, both, 2, &kRLTypeArrayCallBacks);

    check(RLStringFind(string, HEAD, 0).location == 0);
    check(RLStringFindWithOptions(string, HEAD, range, kRLCompareBackwards, NULL));
    RLStringFind(HEAD, string, 0);
    RLStringFind(other, string, 0);
    RLRelease(RLStringCreateArrayWithFindResults(NULL, string, HEAD, range, 0));
    RLArrayRef parts = RLStringCreateArrayBySeparatingStrings(NULL, string, RLSTR("b"));
    RLStringRef whole = RLStringCreateByCombiningStrings(NULL, parts, RLSTR("b"));
    check(RLStringGetLength(whole) % 2 == 0);
    RLRelease(whole);
    RLRelease(parts);
    RLRelease(RLStringCreateByCombiningStrings(NULL, list, other));
    RLRelease(list);
}

static void observe_nothing(RLNotificationCenterRef center, void *observer, RLNotificationName name,
                            const void *object, RLDictionaryRef info)
{
}

/** Strings as keys, formats, paths and names. */
static void use_as_name(RLStringRef string)
{
    const void *key = string;
    RLNotificationCenterRef center = RLNotificationCenterGetLocalCenter();
    RLDictionaryRef table = RLDictionaryCreate(NULL, &key, &key, 1, &kRLTypeDictionaryKeyCallBacks,
                                               &kRLTypeDictionaryValueCallBacks);
    RLStringRef texts[] = {RLStringCreateWithFormat(NULL, NULL, RLSTR("%@ %@"), string, string),
                           RLStringCreateWithFormat(NULL, NULL, string), RLCopyDescription(table)};

    RLDictionaryGetValue(table, string);
    for (int i = 0; i < 3; i++) RLRelease(texts[i]);
    RLRelease(table);
    RLRelease(RLErrorCreate(NULL, string, 1, NULL));
    RLRelease(RLURLCreateWithFileSystemPath(NULL, string, kRLURLPOSIXPathStyle, false));
    RLReadStreamRef stream = RLReadStreamCreateWithPath(NULL, string);
    check(!RLReadStreamCopyProperty(stream, string));
    check(!RLReadStreamSetProperty(stream, string, NULL));
    RLRelease(stream);
    RLNotificationCenterAddObserver(center, &key, observe_nothing, string, NULL,
                                    RLNotificationSuspensionBehaviorDrop);
    RLNotificationCenterPostNotification(center, string, NULL, NULL, true);
    RLNotificationCenterRemoveEveryObserver(center, &key);
    check(RLRunLoopRunInMode(string, 0, false) == kRLRunLoopRunFinished);
}

static void share(RLMutableStringRef own, RLMutableStringRef other)
{
    for (int i = 0; i < SHARING_ROUNDS; i++) {
        change_by(own, other);
        read_units_of(other);
        read_bytes_of(other);
        compare_with(other, own);
        search_in(other, own);
        use_as_name(other);
    }
}

static void strings_are_shared(void)
{
    RLMutableStringRef first = RLStringCreateMutableCopy(NULL, 0, HEAD);
    RLMutableStringRef second = RLStringCreateMutableCopy(NULL, 0, HEAD);
    struct helper_thread *thread = start_thread(^{ share(second, first); });

    share(first, second);
    join_thread(thread);
    RLRelease(second);
    RLRelease(first);
    note("over");
}
SCENARIO(strings_are_shared,
         .title = "Threads read and change each other's mutable strings at once",
         .clauses = "extension",
         .rl_only = true,
         .expected = "over")
