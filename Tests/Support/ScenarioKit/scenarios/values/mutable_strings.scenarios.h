/*
 * Mutable strings: RLStringCreateMutable and what changes them.
 */

#include "value_words.h"

/** A mutable string that lives until the scenario returns. */
static E(MutableStringRef) draft(const char *characters)
{
    return (E(MutableStringRef))(uintptr_t)kept(
        E(StringCreateMutableCopy)(NULL, 0, text(characters)));
}

/** Logs the code units of a string, those of ASCII as characters. */
static void note_units(E(StringRef) string)
{
    char line[512];
    int used = snprintf(line, sizeof line, "%ld", E(StringGetLength)(string));
    for (long i = 0; i < E(StringGetLength)(string); i++) {
        unsigned unit = E(StringGetCharacterAtIndex)(string, i);
        bool is_plain = unit > ' ' && unit < 0x7F;
        used += snprintf(line + used, sizeof line - (size_t)used, is_plain ? " %c" : " %04x", unit);
    }
    note("%s", line);
}

static void string_grows(void)
{
    E(MutableStringRef) string =
        (E(MutableStringRef))(uintptr_t)kept(E(StringCreateMutable)(NULL, 0));

    note_text(string);
    E(StringAppend)(string, text("abc"));
    E(StringAppendCString)(string, "def", K(StringEncodingASCII));
    E(StringAppendCString)(string, "\xFF", K(StringEncodingUTF8));
    E(StringAppendFormat)(string, NULL, text(" %d %@"), 5, text("five"));
    E(StringAppendCharacters)(string, (const UniChar[]){'!', 0x20AC}, 2);
    E(StringAppendCharacters)(string, NULL, 0);
    note_text(string);
    for (int i = 0; i < 1000; i++) {
        E(StringAppendCString)(string, "0123456789", K(StringEncodingUTF8));
    }
    note("%ld %c", E(StringGetLength)(string), E(StringGetCharacterAtIndex)(string, 10014));
}
SCENARIO(string_grows,
         .title = "A mutable string grows at its end by strings, bytes, formats and code units",
         .clauses = "object base",
         .says = "no string is made",
         .expected = "\"\"; \"abcdef 5 five!€\"; 10015 9")

static void string_changes(void)
{
    E(MutableStringRef) string = draft("aXc");

    E(StringInsert)(string, 0, text("<"));
    E(StringInsert)(string, 4, text(">"));
    note_text(string);
    E(StringReplace)(string, E(RangeMake)(2, 1), text("b-b"));
    note_text(string);
    E(StringReplace)(string, E(RangeMake)(7, 0), text("|"));
    note_text(string);
    E(StringDelete)(string, E(RangeMake)(0, 1));
    E(StringDelete)(string, E(RangeMake)(5, 2));
    E(StringDelete)(string, E(RangeMake)(5, 0));
    note_text(string);
    E(StringReplaceAll)(string, text("all"));
    note_text(string);
    E(StringReplaceAll)(string, text(""));
    note_text(string);
}
SCENARIO(string_changes,
         .title = "Ranges of a mutable string are inserted, replaced and deleted, also at its ends",
         .clauses = "object base",
         .expected = "\"<aXc>\"; \"<ab-bc>\"; \"<ab-bc>|\"; \"ab-bc\"; \"all\"; \"\"")

static void string_with_itself(void)
{
    E(MutableStringRef) string = draft("ab\xC3\xA9");

    E(StringAppend)(string, string);
    note_text(string);
    E(StringInsert)(string, 1, string);
    note_text(string);
    E(StringReplaceAll)(string, string);
    note("%ld", E(StringGetLength)(string));
    E(StringReplace)(string, E(RangeMake)(1, 11), string);
    note("%ld", E(StringGetLength)(string));
}
SCENARIO(string_with_itself,
         .title = "A mutable string may be put into itself",
         .clauses = "object base",
         .expected = "\"abéabé\"; \"aabéabébéabé\"; 12; 13")

static void string_beyond_maximum(void)
{
    E(MutableStringRef) string =
        (E(MutableStringRef))(uintptr_t)kept(E(StringCreateMutable)(NULL, 3));

    E(StringAppend)(string, text("abc"));
    E(StringAppend)(string, text("def"));
    note_text(string);
    note_text(kept(E(StringCreateMutableCopy)(NULL, 2, text("abcdef"))));
}
SCENARIO(string_beyond_maximum,
         .title = "A string's maximal length is a hint",
         .clauses = "object base",
         .expected = "\"abcdef\"; \"abcdef\"")

static void string_of_halves(void)
{
    const UniChar high = 0xD83D, low = 0xDE00;
    E(MutableStringRef) string = draft("");
    char buffer[16];

    E(StringAppendCharacters)(string, &high, 1);
    note_units(string);
    tell("in UTF-8", E(StringGetCString)(string, buffer, sizeof buffer, K(StringEncodingUTF8)));
    E(StringAppendCharacters)(string, &low, 1);
    note_text(string);
    check(E(Equal)(string, text("\xF0\x9F\x98\x80")));
    E(StringInsert)(string, 1, text("-"));
    note_units(string);
    E(StringDelete)(string, E(RangeMake)(1, 1));
    note_text(string);
    E(StringDelete)(string, E(RangeMake)(0, 1));
    note_units(string);
    E(StringInsert)(string, 0, kept(E(StringCreateWithCharacters)(NULL, &high, 1)));
    note_text(string);
    E(StringReplace)(string, E(RangeMake)(1, 1), string);
    note_units(string);
    E(StringReplace)(string, E(RangeMake)(0, 2), text(""));
    note_units(string);
}
SCENARIO(string_of_halves,
         .title = "Pairs of surrogates part and join in a mutable string",
         .clauses = "object base",
         .expected = "1 d83d; in UTF-8: no; \"😀\"; 3 d83d - de00; \"😀\"; 1 de00; \"😀\"; "
                     "3 d83d d83d de00; 1 de00")

static void string_with_nul(void)
{
    E(MutableStringRef) string = draft("a");
    char buffer[8] = "#######";

    E(StringAppendCharacters)(string, (const UniChar[]){0, 'b', 0}, 3);
    note_units(string);
    tell("in UTF-8", E(StringGetCString)(string, buffer, sizeof buffer, K(StringEncodingUTF8)));
    check(memcmp(buffer, "a\0b\0\0##", 7) == 0);
    check(!E(Equal)(string, text("a")));
    note_units(kept(
        E(StringCreateWithBytes)(NULL, (const UInt8 *)"a\0b", 3, K(StringEncodingUTF8), false)));
    note_units(kept(E(StringCreateWithSubstring)(NULL, string, E(RangeMake)(1, 2))));
}
SCENARIO(string_with_nul,
         .title = "NUL is a character as others",
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
        {"aXbXcX", "x", "yy", 0, 6, K(CompareCaseInsensitive)},
        {"aXbXcX", "x", "yy", 0, 6, 0},
        {"aaaaa", "aa", "b", 0, 5, 0},
        {"aaaaa", "aa", "b", 0, 5, K(CompareBackwards)},
        {"ABABXAB", "AB", "q", 0, 7, K(CompareAnchored)},
        {"ABABXABAB", "AB", "q", 0, 9, K(CompareAnchored) | K(CompareBackwards)},
        {"abc", "", "q", 0, 3, 0},
        {"", "a", "q", 0, 0, 0},
        {"\xC3\x84x\xC3\xA4", "\xC3\xA4", "a\xCC\x88", 0, 3, K(CompareCaseInsensitive)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        E(MutableStringRef) string = draft(cases[i].text);
        note("%ld", E(StringFindAndReplace)(string, text(cases[i].word), text(cases[i].replacement),
                                            E(RangeMake)(cases[i].start, cases[i].length),
                                            (E(StringCompareFlags))cases[i].options));
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
    E(MutableStringRef) string = draft(characters);
    E(StringTrim)(string, text(trimmed));
    note_text(string);
}

static void string_trims(void)
{
    E(MutableStringRef) string = draft(" \t\r\n a b \xC2\xA0\xE2\x80\x83\xE3\x80\x80");

    E(StringTrimWhitespace)(string);
    note_text(string);
    string = draft("  \n ");
    E(StringTrimWhitespace)(string);
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
        E(MutableStringRef) string = E(StringCreateMutable)(NULL, 0);
        E(StringAppendCharacters)(string, (const UniChar[]){(UniChar)unit, 'x'}, 2);
        E(StringTrimWhitespace)(string);
        if (E(StringGetLength)(string) == 1) {
            count++;
            sum += unit;
        }
        E(Release)(string);
    }
    note("%ld %ld", count, sum);
}
SCENARIO(string_white_space,
         .title = "What counts as white space is the same in the whole basic plane",
         .clauses = "object base",
         .expected = "26 149789")

static void string_pads(void)
{
    E(MutableStringRef) string = draft("ab");

    E(StringPad)(string, text("123"), 9, 1);
    note_text(string);
    E(StringPad)(string, NULL, 4, 0);
    note_text(string);
    E(StringPad)(string, text("xy"), 5, 0);
    note_text(string);
    E(StringPad)(string, text("\xF0\x9F\x98\x80"), 9, 1);
    note_units(string);
    E(StringPad)(string, text("z"), 0, 0);
    note_text(string);
}
SCENARIO(string_pads,
         .title = "A string is padded by another one over and over, or cut",
         .clauses = "object base",
         .expected = "\"ab2312312\"; \"ab23\"; \"ab23x\"; 9 a b 2 3 x de00 d83d de00 d83d; \"\"")

static void string_cases(void)
{
    E(MutableStringRef) string = draft("ABCd \xC3\x84\xD0\x96 1st it's o'NEIL a-b");

    E(StringLowercase)(string, NULL);
    note_text(string);
    E(StringUppercase)(string, NULL);
    note_text(string);
    E(StringCapitalize)(string, NULL);
    note_text(string);
}
SCENARIO(string_cases,
         .title = "Letters become small, capital, or capital where words begin",
         .clauses = "object base",
         .expected = "\"abcd äж 1st it's o'neil a-b\"; \"ABCD ÄЖ 1ST IT'S O'NEIL A-B\"; "
                     "\"Abcd Äж 1St It's O'neil A-B\"")

static void string_letters_one_by_one(void)
{
    E(MutableStringRef) string = draft("stra\xC3\x9F"
                                       "e \xEF\xAC\x81x");
    __typeof__(E(RangeMake)(0, 0)) range;

    range = E(StringFind)(string, text("SS"), K(CompareCaseInsensitive));
    note("%ld %ld", range.location, range.length);
    range = E(StringFind)(string, text("FI"), K(CompareCaseInsensitive));
    note("%ld %ld", range.location, range.length);
    note("%ld", (long)E(StringCompare)(text("\xC3\x9F"), text("ss"), K(CompareCaseInsensitive)));
    E(StringUppercase)(string, NULL);
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
    E(MutableStringRef) string = draft("abc");
    E(StringRef) copy = kept(E(StringCreateCopy)(NULL, string));

    check(E(Equal)(string, copy) && E(Hash)(string) == E(Hash)(copy));
    check(E(GetTypeID)(string) == E(StringGetTypeID)() && copy != string);
    E(StringAppend)(string, text("d"));
    note_text(copy);
    check(!E(Equal)(string, copy));
    check(E(StringCompare)(copy, string, 0) == K(CompareLessThan));
    E(StringDelete)(string, E(RangeMake)(3, 1));
    check(E(Equal)(copy, string));
}
SCENARIO(string_copies_differ,
         .title = "A copy of a mutable string stays as it is; equal strings have equal hashes",
         .clauses = "object base",
         .expected = "\"abc\"")

static void string_names_mode(void)
{
    E(MutableStringRef) name = draft("mode");
    observer_ref observer = OBSERVER("observer", .activities = K(RunLoopEntry));

    E(RunLoopAddObserver)(this_loop(), observer, name);
    E(StringAppend)(name, text(" of another name"));
    tell("mode", has_observer(observer, "mode"));
    tell("mode of another name", has_observer(observer, "mode of another name"));
}
SCENARIO(string_names_mode,
         .title = "A mode keeps its name when the string that named it changes",
         .clauses = "object base",
         .expected = "mode: yes; mode of another name: no")
