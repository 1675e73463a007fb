/*
 * Finding in strings, parting and joining them, and the numbers that they begin with.
 */

#include "scenario.h"
#include "value_words.h"

static void note_found(const char *string, const char *word, long start, long length,
                       unsigned long options)
{
    __typeof__(RLRangeMake(0, 0)) range = {-7, -7};
    bool is_found = RLStringFindWithOptions(text(string), text(word), RLRangeMake(start, length),
                                            (RLStringCompareFlags)options, &range);
    note("%d %ld %ld", is_found, range.location, range.length);
}

static void string_finds(void)
{
    const unsigned long folds = kRLCompareCaseInsensitive, backwards = kRLCompareBackwards,
                        anchored = kRLCompareAnchored;

    note_found("abcabc", "abc", 0, 6, 0);
    note_found("abcabc", "abc", 1, 5, 0);
    note_found("abcabc", "abc", 0, 6, backwards);
    note_found("abcabc", "abc", 0, 5, backwards);
    note_found("abcabc", "bc", 0, 6, anchored);
    note_found("abcabc", "bc", 1, 5, anchored);
    note_found("abcabc", "bc", 0, 6, anchored | backwards);
    note_found("abcabc", "BC", 0, 6, anchored | backwards | folds);
    note_found("abcabc", "BC", 0, 6, folds);
    note_found("abcabc", "BC", 0, 6, 0);
    note_found("aaa", "aa", 0, 3, 0);
    note_found("aaa", "aa", 0, 3, backwards);
    note_found("abc", "c", 0, 2, 0);
    note_found("abc", "c", 3, 0, 0);
    note_found("abc", "abcd", 0, 3, 0);
    note_found("abc", "", 0, 3, 0);
    note_found("", "", 0, 0, 0);
    note_found("", "a", 0, 0, backwards);
    note_found("a10", "A10", 0, 3, folds | kRLCompareNumerically);
}
SCENARIO(string_finds,
         .title = "A string is found in a range: forwards, backwards, at its ends, without case",
         .clauses = "object base",
         .expected = "1 0 3; 1 3 3; 1 3 3; 1 0 3; 0 -7 -7; 1 1 2; 1 4 2; 1 4 2; 1 1 2; 0 -7 -7; "
                     "1 0 2; 1 1 2; 0 -7 -7; 0 -7 -7; 0 -7 -7; 0 -7 -7; 0 -7 -7; 0 -7 -7; 1 0 3")

static void string_finds_letters(void)
{
    note_found("\xC3\x89t\xC3\xA9", "\xC3\xA9", 0, 3, 0);
    note_found("\xC3\x89t\xC3\xA9", "\xC3\xA9", 0, 3, kRLCompareCaseInsensitive);
    note_found("\xC3\xA9", "e\xCC\x81", 0, 1, 0);
    note_found("e\xCC\x81x", "\xC3\xA9", 0, 3, 0);
    note_found("e\xCC\x81x", "e", 0, 3, 0);
    note_found("x\xF0\x9F\x98\x80y", "y", 0, 4, 0);
    note_found("x\xF0\x9F\x98\x80y", "\xF0\x9F\x98\x80", 0, 4, 0);
    note_found("x\xF0\x9F\x98\x80y", "\xF0\x9F\x98\x80", 2, 2, 0);
    note_found("x\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80", 0, 3, kRLCompareBackwards);
}
SCENARIO(string_finds_letters,
         .title = "Composed and decomposed letters differ where a string is looked for",
         .clauses = "object base",
         .expected = "1 2 1; 1 0 1; 0 -7 -7; 0 -7 -7; 1 0 1; 1 3 1; 1 1 2; 0 -7 -7; 1 1 2")

static void note_range(const char *string, const char *word, unsigned long options)
{
    __typeof__(RLRangeMake(0, 0)) range =
        RLStringFind(text(string), text(word), (RLStringCompareFlags)options);
    note("%ld %ld", range.location, range.length);
    check(range.location >= 0 || range.location == kRLNotFound);
}

static void string_find(void)
{
    note_range("hello", "l", 0);
    note_range("hello", "l", kRLCompareBackwards);
    note_range("hello", "q", 0);
    note_range("hello", "", 0);
    note_range("hello", "hello", kRLCompareAnchored);
}
SCENARIO(string_find,
         .title = "A string is found in a whole string, or not at all",
         .clauses = "object base",
         .expected = "2 1; 3 1; -1 0; -1 0; 0 5")

static void note_places(const char *string, const char *word, unsigned long options)
{
    RLArrayRef places = kept(RLStringCreateArrayWithFindResults(
        NULL, text(string), text(word), RLRangeMake(0, RLStringGetLength(text(string))),
        (RLStringCompareFlags)options));
    char line[128] = "none";
    int used = 0;
    for (long i = 0; places && i < RLArrayGetCount(places); i++) {
        const __typeof__(RLRangeMake(0, 0)) *range = RLArrayGetValueAtIndex(places, i);
        used += snprintf(line + used, sizeof line - (size_t)used, "%s%ld,%ld", used ? " " : "",
                         range->location, range->length);
    }
    note("%s", line);
}

static void string_find_results(void)
{
    note_places("aXbxX", "X", kRLCompareCaseInsensitive);
    note_places("aXbxX", "X", kRLCompareCaseInsensitive | kRLCompareBackwards);
    note_places("aaa", "aa", 0);
    note_places("aaa", "q", 0);
}
SCENARIO(string_find_results,
         .title = "All places of a string are found, one behind the other",
         .clauses = "object base",
         .expected = "1,1 3,1 4,1; 4,1 3,1 1,1; 0,2; none")

static void note_parts(const char *string, const char *separator)
{
    RLArrayRef parts =
        kept(RLStringCreateArrayBySeparatingStrings(NULL, text(string), text(separator)));
    note("%ld", RLArrayGetCount(parts));
    for (long i = 0; i < RLArrayGetCount(parts); i++) note_text(RLArrayGetValueAtIndex(parts, i));
    note_text(kept(RLStringCreateByCombiningStrings(NULL, parts, text("+"))));
}

static void string_parted_and_joined(void)
{
    note_parts("a,b,,c,", ",");
    note_parts("", ",");
    note_parts("abc", "");
    note_parts("abc", "--");
    note_parts("---", "--");
    note_text(kept(RLStringCreateByCombiningStrings(
        NULL, kept(RLArrayCreate(NULL, NULL, 0, &kRLTypeArrayCallBacks)), text("+"))));
}
SCENARIO(string_parted_and_joined,
         .title = "A string is parted at separators, and parts are joined",
         .clauses = "object base",
         .expected = "5; \"a\"; \"b\"; \"\"; \"c\"; \"\"; \"a+b++c+\"; 1; \"\"; \"\"; 1; \"abc\"; "
                     "\"abc\"; 1; \"abc\"; \"abc\"; 2; \"\"; \"-\"; \"+-\"; \"\"")

static void note_order(const char *first, const char *second, long start, long length,
                       unsigned long options)
{
    note("%ld",
         (long)RLStringCompareWithOptions(text(first), text(second), RLRangeMake(start, length),
                                          (RLStringCompareFlags)options));
}

static void string_comparison_of_ranges(void)
{
    note_order("abcX", "bc", 1, 2, 0);
    note_order("abcX", "bc", 1, 3, 0);
    note_order("aBcX", "bC", 1, 2, kRLCompareCaseInsensitive);
    note_order("ab", "c", 2, 0, 0);
    note_order("ab", "", 2, 0, 0);
    note_order("a", "A", 0, 1, kRLCompareCaseInsensitive | kRLCompareForcedOrdering);
    note_order("A", "a", 0, 1, kRLCompareCaseInsensitive | kRLCompareForcedOrdering);
    note_order("a", "a", 0, 1, kRLCompareCaseInsensitive | kRLCompareForcedOrdering);
}
SCENARIO(string_comparison_of_ranges,
         .title = "A range of a string is compared; an order can be forced",
         .clauses = "object base",
         .expected = "0; 1; 0; -1; 0; 1; -1; 0")

static void string_reals(void)
{
    static const char *const texts[] = {"1.5",
                                        "  -2.5e3x",
                                        "abc",
                                        "",
                                        "1e400",
                                        "0x10",
                                        "inf",
                                        "nan",
                                        ".5",
                                        "5.",
                                        "1e",
                                        "+3",
                                        "- 3",
                                        "1,5",
                                        "-",
                                        "1e+",
                                        "1.5.5",
                                        "\xC2\xA0 4",
                                        "123456789012345678901234567890",
                                        "1e-400",
                                        "-1e400",
                                        "00012",
                                        "1 2",
                                        "+-3",
                                        "1E5",
                                        "1d5",
                                        ".",
                                        "-.5e-1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        note("%.17g", RLStringGetDoubleValue(text(texts[i])));
    }
}
SCENARIO(string_reals,
         .title = "A string is read as a real number as far as it is one",
         .clauses = "object base",
         .expected = "1.5; -2500; 0; 0; inf; 0; 0; 0; 0.5; 5; 1; 3; 0; 1; 0; 1; 1.5; 4; "
                     "1.2345678901234568e+29; 0; -inf; 12; 1; 0; 100000; 1; 0; "
                     "-0.050000000000000003")
