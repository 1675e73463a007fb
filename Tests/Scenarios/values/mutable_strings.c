/*
 * Mutable strings: RLStringCreateMutable and what changes them.
 */

#include "scenario.h"
#include "value_words.h"

/** A mutable string that lives until the scenario returns. */
static RLMutableStringRef draft(const char *characters)
{
    return (RLMutableStringRef)(uintptr_t)kept(
        RLStringCreateMutableCopy(NULL, 0, text(characters)));
}

/** Logs the code units of a string, those of ASCII as characters. */
static void note_units(RLStringRef string)
{
    char line[512];
    int used = snprintf(line, sizeof line, "%ld", RLStringGetLength(string));
    for (long i = 0; i < RLStringGetLength(string); i++) {
        unsigned unit = RLStringGetCharacterAtIndex(string, i);
        bool is_plain = unit > ' ' && unit < 0x7F;
        used += snprintf(line + used, sizeof line - (size_t)used, is_plain ? " %c" : " %04x", unit);
    }
    note("%s", line);
}

static void string_grows(void)
{
    RLMutableStringRef string = (RLMutableStringRef)(uintptr_t)kept(RLStringCreateMutable(NULL, 0));

    note_text(string);
    RLStringAppend(string, text("abc"));
    RLStringAppendCString(string, "def", kRLStringEncodingASCII);
    RLStringAppendCString(string, "\xFF", kRLStringEncodingUTF8);
    RLStringAppendFormat(string, NULL, text(" %d %@"), 5, text("five"));
    RLStringAppendCharacters(string, (const UniChar[]){'!', 0x20AC}, 2);
    RLStringAppendCharacters(string, NULL, 0);
    note_text(string);
    for (int i = 0; i < 1000; i++) {
        RLStringAppendCString(string, "0123456789", kRLStringEncodingUTF8);
    }
    note("%ld %c", RLStringGetLength(string), RLStringGetCharacterAtIndex(string, 10014));
}
SCENARIO(string_grows,
         .title = "A mutable string grows at its end by strings, bytes, formats and code units",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected = "\"\"; \"abcdef 5 five!€\"; 10015 9")

static void string_changes(void)
{
    RLMutableStringRef string = draft("aXc");

    RLStringInsert(string, 0, text("<"));
    RLStringInsert(string, 4, text(">"));
    note_text(string);
    RLStringReplace(string, RLRangeMake(2, 1), text("b-b"));
    note_text(string);
    RLStringReplace(string, RLRangeMake(7, 0), text("|"));
    note_text(string);
    RLStringDelete(string, RLRangeMake(0, 1));
    RLStringDelete(string, RLRangeMake(5, 2));
    RLStringDelete(string, RLRangeMake(5, 0));
    note_text(string);
    RLStringReplaceAll(string, text("all"));
    note_text(string);
    RLStringReplaceAll(string, text(""));
    note_text(string);
}
SCENARIO(string_changes,
         .title = "Ranges of a mutable string are inserted, replaced and deleted, also at its ends",
         .clauses = "object base",
         .expected = "\"<aXc>\"; \"<ab-bc>\"; \"<ab-bc>|\"; \"ab-bc\"; \"all\"; \"\"")

static void string_with_itself(void)
{
    RLMutableStringRef string = draft("ab\xC3\xA9");

    RLStringAppend(string, string);
    note_text(string);
    RLStringInsert(string, 1, string);
    note_text(string);
    RLStringReplaceAll(string, string);
    note("%ld", RLStringGetLength(string));
    RLStringReplace(string, RLRangeMake(1, 11), string);
    note("%ld", RLStringGetLength(string));
}
SCENARIO(string_with_itself,
         .title = "A mutable string may be put into itself",
         .clauses = "object base",
         .expected = "\"abéabé\"; \"aabéabébéabé\"; 12; 13")

static void string_beyond_maximum(void)
{
    RLMutableStringRef string = (RLMutableStringRef)(uintptr_t)kept(RLStringCreateMutable(NULL, 3));

    RLStringAppend(string, text("abc"));
    RLStringAppend(string, text("def"));
    note_text(string);
    note_text(kept(RLStringCreateMutableCopy(NULL, 2, text("abcdef"))));
}
SCENARIO(string_beyond_maximum,
         .title = "A string's maximal length is a hint",
         .clauses = "object base",
         .expected = "\"abcdef\"; \"abcdef\"")

static void string_of_halves(void)
{
    const UniChar high = 0xD83D, low = 0xDE00;
    RLMutableStringRef string = draft("");
    char buffer[16];

    RLStringAppendCharacters(string, &high, 1);
    note_units(string);
    note_answer("in UTF-8",
                RLStringGetCString(string, buffer, sizeof buffer, kRLStringEncodingUTF8));
    RLStringAppendCharacters(string, &low, 1);
    note_text(string);
    check(RLEqual(string, text("\xF0\x9F\x98\x80")));
    RLStringInsert(string, 1, text("-"));
    note_units(string);
    RLStringDelete(string, RLRangeMake(1, 1));
    note_text(string);
    RLStringDelete(string, RLRangeMake(0, 1));
    note_units(string);
    RLStringInsert(string, 0, kept(RLStringCreateWithCharacters(NULL, &high, 1)));
    note_text(string);
    RLStringReplace(string, RLRangeMake(1, 1), string);
    note_units(string);
    RLStringReplace(string, RLRangeMake(0, 2), text(""));
    note_units(string);
}
SCENARIO(string_of_halves,
         .title = "Pairs of surrogates part and join in a mutable string",
         .clauses = "object base",
         .expected = "1 d83d; in UTF-8: no; \"😀\"; 3 d83d - de00; \"😀\"; 1 de00; \"😀\"; "
                     "3 d83d d83d de00; 1 de00")

static void string_with_nul(void)
{
    RLMutableStringRef string = draft("a");
    char buffer[8] = "#######";

    RLStringAppendCharacters(string, (const UniChar[]){0, 'b', 0}, 3);
    note_units(string);
    note_answer("in UTF-8",
                RLStringGetCString(string, buffer, sizeof buffer, kRLStringEncodingUTF8));
    check(memcmp(buffer, "a\0b\0\0##", 7) == 0);
    check(!RLEqual(string, text("a")));
    note_units(kept(
        RLStringCreateWithBytes(NULL, (const UInt8 *)"a\0b", 3, kRLStringEncodingUTF8, false)));
    note_units(kept(RLStringCreateWithSubstring(NULL, string, RLRangeMake(1, 2))));
}
SCENARIO(string_with_nul,
         .title = "NUL is a character like others",
         .clauses = "object base",
         .expected = "4 a 0000 b 0000; in UTF-8: yes; 3 a 0000 b; 2 0000 b")

static void string_finds_and_replaces(void)
{
    static const struct {
        const char *text, *word, *replacement;
        long start, length;
        unsigned long options;
    } cases[] = {
        {"aXbXcX", "X", "--", 0, 6, 0},
        {"aXbXcX", "X", "", 1, 4, 0},
        {"aXbXcX", "x", "yy", 0, 6, kRLCompareCaseInsensitive},
        {"aXbXcX", "x", "yy", 0, 6, 0},
        {"aaaaa", "aa", "b", 0, 5, 0},
        {"aaaaa", "aa", "b", 0, 5, kRLCompareBackwards},
        {"ABABXAB", "AB", "q", 0, 7, kRLCompareAnchored},
        {"ABABXABAB", "AB", "q", 0, 9, kRLCompareAnchored | kRLCompareBackwards},
        {"abc", "", "q", 0, 3, 0},
        {"", "a", "q", 0, 0, 0},
        {"\xC3\x84x\xC3\xA4", "\xC3\xA4", "a\xCC\x88", 0, 3, kRLCompareCaseInsensitive},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RLMutableStringRef string = draft(cases[i].text);
        note("%ld", RLStringFindAndReplace(string, text(cases[i].word), text(cases[i].replacement),
                                           RLRangeMake(cases[i].start, cases[i].length),
                                           (RLStringCompareFlags)cases[i].options));
        note_text(string);
    }
}
SCENARIO(string_finds_and_replaces,
         .title = "All places of a string in another one are replaced",
         .clauses = "object base",
         .expected = "3; \"a--b--c--\"; 2; \"abcX\"; 3; \"ayybyycyy\"; 0; \"aXbXcX\"; 2; \"bba\"; 2; "
                     "\"abb\"; 2; \"qqXAB\"; 2; \"ABABXqq\"; 0; \"abc\"; 0; \"\"; 2; "
                     "\"a\xCC\x88xa\xCC\x88\"")

static void note_trimmed(const char *characters, const char *trimmed)
{
    RLMutableStringRef string = draft(characters);
    RLStringTrim(string, text(trimmed));
    note_text(string);
}

static void string_trims(void)
{
    RLMutableStringRef string = draft(" \t\r\n a b \xC2\xA0\xE2\x80\x83\xE3\x80\x80");

    RLStringTrimWhitespace(string);
    note_text(string);
    string = draft("  \n ");
    RLStringTrimWhitespace(string);
    note_text(string);
    note_trimmed("xyxyaxyxyx", "xy");
    note_trimmed("xyxyxy", "xy");
    note_trimmed("abc", "");
    note_trimmed("xax", "x");
    note_trimmed("x", "x");
}
SCENARIO(string_trims,
         .title = "White space, or another string, is trimmed from both ends",
         .clauses = "object base",
         .expected = "\"a b\"; \"\"; \"axyxyx\"; \"\"; \"abc\"; \"a\"; \"\"")

static void string_white_space(void)
{
    long count = 0, sum = 0;
    for (unsigned unit = 1; unit < 0x10000; unit++) {
        if (unit >= 0xD800 && unit < 0xE000) continue;
        RLMutableStringRef string = RLStringCreateMutable(NULL, 0);
        RLStringAppendCharacters(string, (const UniChar[]){(UniChar)unit, 'x'}, 2);
        RLStringTrimWhitespace(string);
        if (RLStringGetLength(string) == 1) {
            count++;
            sum += unit;
        }
        RLRelease(string);
    }
    note("%ld %ld", count, sum);
}
SCENARIO(string_white_space,
         .title = "What counts as white space is the same in the whole basic plane",
         .clauses = "object base",
         .expected = "26 149789")

static void string_pads(void)
{
    RLMutableStringRef string = draft("ab");

    RLStringPad(string, text("123"), 9, 1);
    note_text(string);
    RLStringPad(string, NULL, 4, 0);
    note_text(string);
    RLStringPad(string, text("xy"), 5, 0);
    note_text(string);
    RLStringPad(string, text("\xF0\x9F\x98\x80"), 9, 1);
    note_units(string);
    RLStringPad(string, text("z"), 0, 0);
    note_text(string);
}
SCENARIO(string_pads,
         .title = "A string is padded by another one over and over, or cut",
         .clauses = "object base",
         .expected = "\"ab2312312\"; \"ab23\"; \"ab23x\"; 9 a b 2 3 x de00 d83d de00 d83d; \"\"")

static void string_cases(void)
{
    RLMutableStringRef string = draft("ABCd \xC3\x84\xD0\x96 1st it's o'NEIL a-b");

    RLStringLowercase(string, NULL);
    note_text(string);
    RLStringUppercase(string, NULL);
    note_text(string);
    RLStringCapitalize(string, NULL);
    note_text(string);
}
SCENARIO(string_cases,
         .title = "Letters become small, capital, or capital where words begin",
         .clauses = "object base",
         .expected = "\"abcd äж 1st it's o'neil a-b\"; \"ABCD ÄЖ 1ST IT'S O'NEIL A-B\"; "
                     "\"Abcd Äж 1St It's O'neil A-B\"")

static void string_letters_one_by_one(void)
{
    RLMutableStringRef string = draft("stra\xC3\x9F"
                                      "e \xEF\xAC\x81x");
    __typeof__(RLRangeMake(0, 0)) range;

    range = RLStringFind(string, text("SS"), kRLCompareCaseInsensitive);
    note("%ld %ld", range.location, range.length);
    range = RLStringFind(string, text("FI"), kRLCompareCaseInsensitive);
    note("%ld %ld", range.location, range.length);
    note("%ld", (long)RLStringCompare(text("\xC3\x9F"), text("ss"), kRLCompareCaseInsensitive));
    RLStringUppercase(string, NULL);
    note_text(string);
}
SCENARIO(string_letters_one_by_one,
         .title = "Letters change case, and are looked for without it, one by one",
         .clauses = "object base",
         .deviation = "The object base: the reference takes some letters for several",
         .expected = "-1 0; -1 0; 1; \"STRA\xC3\x9F"
                     "E \xEF\xAC\x81X\"",
         .reference = "4 1; 7 1; 0; \"STRASSE FIX\"")

static void string_copies_differ(void)
{
    RLMutableStringRef string = draft("abc");
    RLStringRef copy = kept(RLStringCreateCopy(NULL, string));

    check(RLEqual(string, copy) && RLHash(string) == RLHash(copy));
    check(RLGetTypeID(string) == RLStringGetTypeID() && copy != string);
    RLStringAppend(string, text("d"));
    note_text(copy);
    check(!RLEqual(string, copy));
    check(RLStringCompare(copy, string, 0) == kRLCompareLessThan);
    RLStringDelete(string, RLRangeMake(3, 1));
    check(RLEqual(copy, string));
}
SCENARIO(string_copies_differ,
         .title = "A copy of a mutable string stays as it is; equal strings have equal hashes",
         .clauses = "object base",
         .expected = "\"abc\"")

static void string_names_mode(void)
{
    RLMutableStringRef name = draft("mode");
    RLRunLoopObserverRef observer = OBSERVER("observer", .activities = kRLRunLoopEntry);

    RLRunLoopAddObserver(this_loop(), observer, name);
    RLStringAppend(name, text(" of another name"));
    note_answer("mode", has_observer(observer, "mode"));
    note_answer("mode of another name", has_observer(observer, "mode of another name"));
}
SCENARIO(string_names_mode,
         .title = "A mode keeps its name when the string that named it changes",
         .clauses = "object base",
         .expected = "mode: yes; mode of another name: no")
