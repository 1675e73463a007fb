/*
 * Strings: RLString.
 */

#include "scenario.h"
#include "value_words.h"

#include <limits.h>

/* Logs the result of a format with arguments. */
#define NOTE_FORMAT(...)                                                                           \
    note_text(                                                                                     \
        kept(RLStringCreateWithFormat(NULL, NULL, text(FIRST(__VA_ARGS__, 0)) REST(__VA_ARGS__))))
#define FIRST(first, ...) first
#define REST(first, ...) __VA_OPT__(, ) __VA_ARGS__

#if LONG_MAX > INT_MAX
#define LEAST_LONG "-9223372036854775808"
#define MOST_UNSIGNED_LONG "18446744073709551615"
#else
#define LEAST_LONG "-2147483648"
#define MOST_UNSIGNED_LONG "4294967295"
#endif

static void string_formats(void)
{
    NOTE_FORMAT("nothing");
    NOTE_FORMAT("%d|%5d|%-5d|%05d|%+d|% d|%.3d", 1, 2, 3, 4, 5, 6, 7);
    NOTE_FORMAT("%u %x %X %#x %o %i", 7U, 255U, 255U, 255U, 8U, -9);
    NOTE_FORMAT("%ld %lld %lu %zu %zd", LONG_MIN, LLONG_MAX, ULONG_MAX, (size_t)5, (ssize_t)-6);
    NOTE_FORMAT("%hd %hhd %jd %td", 65537, 257, (intmax_t)8, (ptrdiff_t)9);
    NOTE_FORMAT("%f %.2f %8.3f %e %g %a", 1.5, 2.345, 3.0, 1.5, 2.5, 1.0);
    NOTE_FORMAT("%s %6s %-6s| %.2s %c 100%%", "word", "ab", "cd", "xyz", 'c');
    NOTE_FORMAT("%*d %-*d %.*f %*d", 5, 1, 5, 2, 1, 3.25, -4, 4);
    NOTE_FORMAT("%p", (void *)0x10);
    NOTE_FORMAT("%s", (char *)NULL);
}
SCENARIO(string_formats,
         .title = "A format prints numbers, characters and texts as printf does",
         .clauses = "object base",
         .expected =
             "\"nothing\"; \"1|    2|3    |00004|+5| 6|007\"; \"7 ff FF 0xff 10 -9\"; "
             "\"" LEAST_LONG " 9223372036854775807 " MOST_UNSIGNED_LONG " 5 -6\"; "
             "\"1 1 8 9\"; \"1.500000 2.35    3.000 1.500000e+00 2.5 0x1p+0\"; "
             "\"word     ab cd    | xy c 100%\"; \"    1 2     3.2 4   \"; \"0x10\"; "
             "\"(null)\"")

static void string_formats_of_objects(void)
{
    NOTE_FORMAT("<%@>", text("string"));
    NOTE_FORMAT("<%@> <%@>", (void *)NULL, text("Größe"));
    NOTE_FORMAT("%@ %@ %@ %@", whole(-42), real(1.5), kRLBooleanTrue, kRLNull);
    NOTE_FORMAT("%@ %@ %@ %@", real(0.1), real(2), real(1e300), real(-__builtin_inf()));
    NOTE_FORMAT("%C%C %c", 0x20AC, 'x', 0xE9);
}
SCENARIO(string_formats_of_objects,
         .title = "A format prints objects: strings, numbers and constants by their values",
         .clauses = "object base",
         .expected = "\"<string>\"; \"<(null)> <Größe>\"; \"-42 1.5 true null\"; "
                     "\"0.10000000000000001 2 1.0000000000000001e+300 -infinity\"; \"€x é\"")

static void string_formats_by_number(void)
{
    NOTE_FORMAT("%2$@ %1$d %2$@", 7, text("two"));
    NOTE_FORMAT("%3$s %2$.1f %1$ld", 1L, 2.0, "three");
    NOTE_FORMAT("%2$*1$d|", 5, 6);
}
SCENARIO(string_formats_by_number,
         .title = "Arguments of a format may have numbers",
         .clauses = "object base",
         .expected = "\"two 7 two\"; \"three 2.0 1\"; \"    6|\"")

static void string_formats_of_characters(void)
{
    NOTE_FORMAT("%c|%5c|%-5c|%05c|%*c|%*c", 'x', 'x', 'x', 'x', 3, 'x', -3, 'x');
    NOTE_FORMAT("%5c|%-5c|%1c", 0xE9, 0xE9, 0xE9);
    NOTE_FORMAT("%.c|%.0c|%.3c|%5.0c|%-5.1c|%.*c", 'x', 'x', 'x', 'x', 'x', 0, 0xE9);
    NOTE_FORMAT("%C|%5C|%-5C|%.0C|%5.3C", 0x20AC, 0x20AC, 'x', 0x20AC, 'x');
    NOTE_FORMAT("%.3s|%.0s|%10s|%-10s|%5.2s", (char *)NULL, (char *)NULL, (char *)NULL,
                (char *)NULL, (char *)NULL);
}
SCENARIO(string_formats_of_characters,
         .title = "A format ignores precisions of characters, and what a missing text would be cut to",
         .clauses = "object base",
         .expected = "\"x|    x|x    |    x|  x|x  \"; \"    é|é    |é\"; \"x|x|x|    x|x    |é\"; "
                     "\"€|€|x|€|x\"; \"(null)|(null)|(null)|(null)|(null)\"")

static RLStringRef format_list(RLStringRef format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    RLStringRef string = RLStringCreateWithFormatAndArguments(NULL, NULL, format, arguments);
    va_end(arguments);
    return kept(string);
}

static void string_format_of_list(void)
{
    note_text(format_list(text("%@: %d, %.1f, %s"), text("list"), 1, 2.5, "end"));
    note_text(format_list(text("%d%d%d%d%d%d%d%d%d%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f"), 1, 2, 3,
                          4, 5, 6, 7, 8, 9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
}
SCENARIO(string_format_of_list,
         .title = "A format takes its arguments from a list, however many they are",
         .clauses = "object base",
         .expected = "\"list: 1, 2.5, end\"; \"123456789123456789\"")

static void note_orders(const char *first, const char *second)
{
    RLStringRef left = text(first), right = text(second);
    unsigned long both = kRLCompareCaseInsensitive | kRLCompareNumerically;
    note("%ld %ld %ld %ld", (long)RLStringCompare(left, right, 0),
         (long)RLStringCompare(left, right, kRLCompareCaseInsensitive),
         (long)RLStringCompare(left, right, kRLCompareNumerically),
         (long)RLStringCompare(left, right, (RLStringCompareFlags)both));
}

static void string_comparison(void)
{
    note_orders("", "");
    note_orders("a", "b");
    note_orders("ab", "abc");
    note_orders("a", "A");
    note_orders("abc", "aBd");
    note_orders("É", "é");
    note_orders("ж", "Ж");
    note_orders("_", "A");
    note_orders("é", "e\xCC\x81");
    note_orders("z", "é");
    note_orders("a10", "a9");
    note_orders("file10", "FILE9");
    note_orders("007", "7");
    note_orders("i10a", "i010b");
    note_orders("1.5", "1.10");
    note_orders("12345678901234567890123", "2");
    note_orders("a1", "a");
    check(RLStringCompare(text("\xF0\x9F\x98\x80"), text("\xEE\x80\x80"), 0) == kRLCompareLessThan);
}
SCENARIO(string_comparison,
         .title = "Strings are compared by code units, without case, and by numbers in them",
         .clauses = "object base",
         .expected = "0 0 0 0; -1 -1 -1 -1; -1 -1 -1 -1; 1 0 1 0; 1 -1 1 -1; -1 0 -1 0; 1 0 1 0; "
                     "1 -1 1 -1; 1 1 1 1; -1 -1 -1 -1; -1 -1 1 1; 1 -1 1 1; -1 -1 0 0; "
                     "1 1 -1 -1; 1 1 -1 -1; -1 -1 1 1; 1 1 1 1")

static void string_ends(void)
{
    RLStringRef string = text("prefix and suffix");

    check(RLStringHasPrefix(string, text("prefix")) && RLStringHasSuffix(string, text("suffix")));
    check(RLStringHasPrefix(string, string) && RLStringHasSuffix(string, string));
    check(!RLStringHasPrefix(string, text("suffix")));
    check(!RLStringHasSuffix(string, text("prefix")));
    check(!RLStringHasPrefix(string, text("")) && !RLStringHasSuffix(string, text("")));
    check(!RLStringHasPrefix(text("pre"), text("prefix")));
    check(!RLStringHasSuffix(text("fix"), text("suffix")));
}
SCENARIO(string_ends,
         .title = "A string has prefixes and suffixes; an empty string is neither",
         .clauses = "object base")

static RLStringRef of_bytes(const char *bytes, long count, RLStringEncoding encoding)
{
    return kept(RLStringCreateWithBytes(NULL, (const UInt8 *)bytes, count, encoding, false));
}

static void string_of_bytes(void)
{
    note_text(of_bytes("Größe", 4, kRLStringEncodingUTF8));
    note_text(of_bytes("ascii", 5, kRLStringEncodingASCII));
    note_text(of_bytes("\xEF\xBB\xBFmarked", 9, kRLStringEncodingUTF8));
    note_text(of_bytes("\xFF", 1, kRLStringEncodingUTF8));
    note_text(of_bytes("cut \xC3\xA9", 5, kRLStringEncodingUTF8));
    note_text(of_bytes("", 0, kRLStringEncodingUTF8));
}
SCENARIO(string_of_bytes,
         .title = "A string is made from bytes that are valid",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected = "\"Grö\"; \"ascii\"; \"marked\"; none; none; \"\"")

static void note_external(const char *bytes, long count, RLStringEncoding encoding)
{
    RLDataRef data = kept(RLDataCreate(NULL, (const UInt8 *)bytes, count));
    note_text(kept(RLStringCreateFromExternalRepresentation(NULL, data, encoding)));
}

static void string_from_external(void)
{
    note_external("Größe", 7, kRLStringEncodingUTF8);
    note_external("ascii", 5, kRLStringEncodingASCII);
    note_external("\xEF\xBB\xBFmarked", 9, kRLStringEncodingUTF8);
    note_external("\xEF\xBB\xBF", 3, kRLStringEncodingUTF8);
    note_external("\xEF\xBB\xBF\xEF\xBB\xBFtwice", 11, kRLStringEncodingUTF8);
    note_external("cut \xC3\xA9", 5, kRLStringEncodingUTF8);
    note_external("", 0, kRLStringEncodingUTF8);
}
SCENARIO(string_from_external,
         .title = "A string is made from data that is valid, without one byte order mark",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected = "\"Größe\"; \"ascii\"; \"marked\"; \"\"; \"\xEF\xBB\xBFtwice\"; none; \"\"")

static void note_representation(const char *characters, RLStringEncoding encoding, UInt8 loss)
{
    RLDataRef data =
        kept(RLStringCreateExternalRepresentation(NULL, text(characters), encoding, loss));
    if (!data) {
        note("none");
        return;
    }
    note("%ld %.*s", RLDataGetLength(data), (int)RLDataGetLength(data),
         (const char *)RLDataGetBytePtr(data));
}

static void string_to_external(void)
{
    note_representation("Größe", kRLStringEncodingUTF8, 0);
    note_representation("Größe", kRLStringEncodingUTF8, '?');
    note_representation("ascii", kRLStringEncodingASCII, 0);
    note_representation("Größe", kRLStringEncodingASCII, 0);
    note_representation("Größe", kRLStringEncodingASCII, '?');
    note_representation("a\xE2\x82\xAC\xF0\x9F\x98\x80z", kRLStringEncodingASCII, '#');
    note_representation("", kRLStringEncodingUTF8, 0);
}
SCENARIO(string_to_external,
         .title = "A string gives its bytes, with others for code units that an encoding has not",
         .clauses = "object base",
         .expected = "7 Größe; 7 Größe; 5 ascii; none; 5 Gr??e; 5 a###z; 0 ")

static void note_length(const char *characters, RLStringEncoding encoding)
{
    RLStringRef string = kept(RLStringCreateWithCString(NULL, characters, encoding));
    note("%ld", string ? RLStringGetLength(string) : -1);
}

static void string_of_marked_text(void)
{
    note_length("\xEF\xBB\xBFmarked", kRLStringEncodingUTF8);
    note_length("\xEF\xBB\xBF", kRLStringEncodingUTF8);
    note_length("\xEF\xBB\xBF\xEF\xBB\xBFtwice", kRLStringEncodingUTF8);
    note_length("a\xEF\xBB\xBF", kRLStringEncodingUTF8);
    check(RLEqual(text("\xEF\xBB\xBFmarked"), text("marked")));
}
SCENARIO(string_of_marked_text,
         .title = "A string leaves out the byte order mark with which a text begins",
         .clauses = "object base",
         .expected = "6; 0; 6; 2")

static void string_parts(void)
{
    RLStringRef string = text("h\xC3\xA9llo\xF0\x9F\x98\x80x");

    check(RLStringGetLength(string) == 8);
    note_text(kept(RLStringCreateWithSubstring(NULL, string, RLRangeMake(1, 3))));
    note_text(kept(RLStringCreateWithSubstring(NULL, string, RLRangeMake(5, 3))));
    note_text(kept(RLStringCreateWithSubstring(NULL, string, RLRangeMake(8, 0))));
    note("%x %x %x %x", RLStringGetCharacterAtIndex(string, 0),
         RLStringGetCharacterAtIndex(string, 1), RLStringGetCharacterAtIndex(string, 5),
         RLStringGetCharacterAtIndex(string, 6));
    check(RLStringGetMaximumSizeForEncoding(5, kRLStringEncodingUTF8) >= 15);
    check(RLStringGetMaximumSizeForEncoding(5, kRLStringEncodingASCII) == 5);
}
SCENARIO(string_parts,
         .title = "A string has parts and code units",
         .clauses = "object base",
         .expected = "\"éll\"; \"😀x\"; \"\"; 68 e9 d83d de00")

static int integer_behind(const char *first, const char *second)
{
    char characters[32];
    snprintf(characters, sizeof characters, "%s%s12", first, second);
    return (int)RLStringGetIntValue(text(characters));
}

static void string_integers(void)
{
    static const char *const texts[] = {"12",          "  \t7", "-7",         "+5",    "12 34",
                                        "99999999999", "0x10",  "- 5",        "1,000", "x",
                                        "-2147483649", "",      "-2147483648"};
    static const char *const blanks[] = {
        "\x01",     "\x1F",         "\x7F",         "\xC2\x80",     "\xC2\x85",
        "\xC2\xA0", "\xE2\x80\x80", "\xE2\x80\x83", "\xE2\x80\x8B", "\xE3\x80\x80"};
    static const char *const others[] = {"\xC2\xA1",     "\xE1\x9A\x80", "\xE2\x80\x8C",
                                         "\xE2\x80\xA8", "\xE2\x80\xAF", "\xE2\x81\x9F",
                                         "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        note("%d", (int)RLStringGetIntValue(text(texts[i])));
    }
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        check(integer_behind("", blanks[i]) == 12);
        check(integer_behind("-", blanks[i]) == -12);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check(integer_behind(" ", others[i]) == 0);
    }
}
SCENARIO(string_integers,
         .title = "A string is read as an integer as far as it is one",
         .clauses = "object base",
         .expected = "12; 7; -7; 5; 12; 2147483647; 0; -5; 1; 0; -2147483648; 0; -2147483648")
