/*
 * Values used wrongly: ours stops the process with one line, where the reference may read or write
 * foreign memory.
 */

#include "scenario.h"

#include <limits.h>
#include <stdatomic.h>

#include "value_words.h"

#include <math.h>

static void data_own_bytes(void)
{
    RLMutableDataRef data = changing_data("abc");

    for (int i = 0; i < 6; i++) {
        RLDataAppendBytes(data, RLDataGetBytePtr(data), RLDataGetLength(data));
    }
    check(RLDataGetLength(data) == 192);
    for (int i = 0; i < 192; i++) check(RLDataGetBytePtr(data)[i] == "abc"[i % 3]);
}
SCENARIO(data_own_bytes,
         .title = "Data can be appended to itself while it grows",
         .clauses = "object base",
         .rl_only = true)

STOPS(data_immutable,
      RLDataAppendBytes((RLMutableDataRef)(void *)data_of("abc"), (const UInt8 *)"d", 1),
      .title = "A change of immutable data stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(data_range, RLDataGetBytes(data_of("abc"), RLRangeMake(2, 2), (UInt8[2]){0}),
      .title = "Reading data beyond its end stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(data_range_overflow, RLDataDeleteBytes(changing_data("abc"), RLRangeMake(1, LONG_MAX)),
      .title = "A range of data whose end overflows stops the process", .clauses = "object base",
      .rl_only = true)

static void data_negative(void)
{
    check(RLDataCreate(NULL, (const UInt8 *)"a", -1) == NULL);
    check(RLDataCreate(NULL, NULL, 1) == NULL);
    check(RLDataCreateMutable(NULL, -1) == NULL);
    note("shortening");
    RLDataIncreaseLength(changing_data("abc"), -4);
    note("shortened");
}
SCENARIO(data_negative,
         .title = "Data of a negative length is not made",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "shortening; dies")

/* The last byte promises three more, which would be behind the end. */
static void literal_not_utf8(void)
{
    RLStringRef whole = RLSTR("abc"), torn = RLSTR("abc\xF0"), longer = RLSTR("abc\xF0\x9F\x98");

    note("%ld %ld", RLStringGetLength(torn), RLStringGetLength(longer));
    note("%x %x", RLStringGetCharacterAtIndex(torn, 3), RLStringGetCharacterAtIndex(longer, 5));
    note("%ld %ld %ld", (long)RLStringCompare(torn, whole, 0),
         (long)RLStringCompare(torn, longer, kRLCompareCaseInsensitive),
         (long)RLStringCompare(torn, RLSTR("abc\xC3"), kRLCompareNumerically));
    RLStringRef part = kept(RLStringCreateWithSubstring(NULL, torn, RLRangeMake(1, 3)));
    note("%ld", RLStringGetLength(part));
    check(RLStringGetCStringPtr(torn, kRLStringEncodingUTF8) == NULL);
    note("asking");
    RLStringGetCharacterAtIndex(torn, 4);
    note("answered");
}
SCENARIO(literal_not_utf8,
         .title = "Bytes of a literal that are not UTF-8 are characters, and nothing behind it is read",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "4 6; fffd fffd; 1 -1 0; 3; asking; dies")

/* The compiler puts a literal where there is room; here one lies where no word may. */
static void literal_anywhere(void)
{
    static const _Alignas(8) char bytes[] = "-" RL_CONSTANT_STRING_MARK "text";
    RLStringRef literal = (RLStringRef)(const void *)(bytes + 1);

    check(RLRetain(literal) == literal);
    check(RLGetRetainCount(literal) == RLGetRetainCount(RLSTR("text")));
    check(RLEqual(literal, RLSTR("text")) && RLHash(literal) == RLHash(RLSTR("text")));
    RLRelease(literal);
    note("%ld", (long)RLStringGetLength(literal));
}
SCENARIO(literal_anywhere,
         .title = "A literal is a string at any address",
         .clauses = "object base",
         .rl_only = true,
         .expected = "4")

STOPS(number_of_no_type, RLNumberCreate(NULL, (RLNumberType)17, &(int){1}),
      .title = "A number of an unknown type stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(number_for_string, RLNumberGetType((RLNumberRef)(const void *)text("1")),
      .title = "A string in a number's place stops the process", .clauses = "object base",
      .rl_only = true)

static void out_of_range_numbers(void)
{
    static const double values[] = {1e300, -1e300, 0x1p63, __builtin_inf(), -__builtin_inf()};
    int64_t large = 0;
    int8_t small = 0;

    for (int i = 0; i < 5; i++) {
        check(!RLNumberGetValue(real(values[i]), kRLNumberSInt64Type, &large));
        check(large == (values[i] > 0 ? INT64_MAX : INT64_MIN));
        check(!RLNumberGetValue(real(values[i]), kRLNumberSInt8Type, &small));
        check(small == (values[i] > 0 ? INT8_MAX : INT8_MIN));
    }
    check(!RLNumberGetValue(real(__builtin_nan("")), kRLNumberSInt64Type, &large) && large == 0);
}
SCENARIO(out_of_range_numbers,
         .title = "A real number that fits no integer yields the nearest limit",
         .clauses = "object base",
         .rl_only = true)

static void described_numbers(void)
{
    HAS_PIECES(whole(-7), "<RLNumber 0x", ">{value = -7, type = kRLNumberSInt64Type}");
    HAS_PIECES(real(1.5), "<RLNumber 0x", ">{value = 1.5, type = kRLNumberFloat64Type}");
    HAS_PIECES(kRLBooleanTrue, "<RLBoolean 0x", ">{value = true}");
    HAS_PIECES(kRLNull, "<RLNull 0x", ">");
    check(RLGetTypeID(kRLNull) == RLNullGetTypeID());
}
SCENARIO(described_numbers,
         .title = "Numbers and truth values are described by value and type",
         .clauses = "object base",
         .rl_only = true)

STOPS(format_writes, kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("a%n"), &(int){0})),
      .title = "A format that would write to an argument stops the process",
      .clauses = "object base", .rl_only = true)

STOPS(format_with_gap, kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%2$d"), 1, 2)),
      .title = "A format that leaves out an argument stops the process", .clauses = "object base",
      .rl_only = true)

STOPS(format_too_wide, kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%*d"), INT_MIN, 2)),
      .title = "A width of two thousand million stops the process", .clauses = "object base",
      .rl_only = true)

static void format_repairs(void)
{
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("<%s>"), "a\xFFz")));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%.1s|"), "\xC3\xA9")));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%C%s"), 0xD83D, "\xED\xB8\x80")));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("100%"))));
}
SCENARIO(format_repairs,
         .title = "A format yields a valid string of invalid characters",
         .clauses = "object base",
         .rl_only = true,
         .expected = "\"<a\xEF\xBF\xBDz>\"; \"\xEF\xBF\xBD|\"; \"\xF0\x9F\x98\x80\"; \"100\"")

static void cut_strings(void)
{
    RLStringRef string = text("\xF0\x9F\x98\x80");

    RLStringRef half = kept(RLStringCreateWithSubstring(NULL, string, RLRangeMake(1, 1)));
    check(RLStringGetLength(half) == 1 && RLStringGetCharacterAtIndex(half, 0) == 0xDE00);
    check(!RLStringGetCStringPtr(half, kRLStringEncodingUTF8));
    check(!RLStringCreateWithCString(NULL, "a", kRLStringEncodingUTF16));
    check(!RLStringCreateWithBytes(NULL, (const UInt8 *)"a", -1, kRLStringEncodingUTF8, false));
    check(!RLStringCreateWithBytes(NULL, (const UInt8 *)"a", 1, 77, false));
    check(!RLStringCreateFromExternalRepresentation(NULL, data_of("a"), 77));
    check(!RLStringCreateExternalRepresentation(NULL, text("a"), 77, '?'));
    check(RLStringGetMaximumSizeForEncoding(LONG_MAX, kRLStringEncodingUTF8) == kRLNotFound);
    check(RLStringGetMaximumSizeForEncoding(1, 77) == kRLNotFound);
    note("asking");
    RLStringGetCharacterAtIndex(string, 2);
    note("answered");
}
SCENARIO(cut_strings,
         .title = "No string is cut within a character; an index beyond the end stops the process",
         .clauses = "object base",
         .rl_only = true,
         .dies = true,
         .expected = "asking; dies")

/* The reference knows years up to 2037. */
static void zone_of_far_years(void)
{
    /* Berlin's: see runner.c. */
    RLTimeZoneRef zone = kept(RLTimeZoneCopySystem());
    const struct {
        RLGregorianDate date;
        int seconds;
    } dates[] = {{{2500, 7, 1, 12, 0, 0}, 7200},
                 {{2500, 12, 1, 12, 0, 0}, 3600},
                 {{2101, 3, 27, 0, 0, 0}, 3600},
                 {{2101, 3, 28, 0, 0, 0}, 7200}};
    for (size_t i = 0; sizeof(time_t) > 4 && i < sizeof dates / sizeof dates[0]; i++) {
        RLAbsoluteTime at = RLGregorianDateGetAbsoluteTime(dates[i].date, NULL);
        check(RLTimeZoneGetSecondsFromGMT(zone, at) == dates[i].seconds);
    }
    for (double at = 1e300; at > 1; at /= 1e10) {
        check(RLTimeZoneGetSecondsFromGMT(zone, -at) <= 3600);
        check(RLTimeZoneGetSecondsFromGMT(zone, at) >= 3600);
        (void)RLAbsoluteTimeGetGregorianDate(at, zone);
        (void)RLAbsoluteTimeGetDayOfWeek(-at, zone);
        (void)RLAbsoluteTimeGetDifferenceAsGregorianUnits(at, -at, zone, kRLGregorianAllUnits);
    }
    (void)RLAbsoluteTimeGetGregorianDate(NAN, zone);
    (void)RLTimeZoneGetSecondsFromGMT(zone, INFINITY);
    check(!RLTimeZoneCreateWithTimeIntervalFromGMT(NULL, NAN));
}
SCENARIO(zone_of_far_years,
         .title = "The rule of the system's zone applies to all years, and dates have no bound",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* The C library's lock of the zone is as good as always taken when the fork comes. */
static void zone_in_child(void)
{
    static atomic_bool is_over;
    RLTimeZoneRef zone = kept(RLTimeZoneCopySystem());
    struct helper_thread *asking = start_thread(^{
        while (!atomic_load(&is_over)) (void)RLTimeZoneGetSecondsFromGMT(zone, 0);
    });

    RLTimeZoneGetSecondsFromGMT(zone, 0);
    for (int i = 0, status = 0; i < 50 && status == 0; i++) {
        pid_t child = fork();
        if (child == 0) {
            (void)RLTimeZoneGetSecondsFromGMT(zone, 0);
            _exit(0);
        }
        waitpid(child, &status, 0);
        check(status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(asking);
}
SCENARIO(zone_in_child,
         .title = "A child can use the system's zone, whatever threads did at the fork",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void days_of_weeks(void)
{
    const struct {
        RLGregorianDate date;
        int day_of_week, day_of_year, week;
    } dates[] = {{{2001, 1, 1, 0, 0, 0}, 1, 1, 1},      {{2000, 12, 31, 23, 0, 0}, 7, 366, 52},
                 {{2004, 12, 31, 0, 0, 0}, 5, 366, 53}, {{2005, 1, 2, 0, 0, 0}, 7, 2, 53},
                 {{2008, 12, 29, 0, 0, 0}, 1, 364, 1},  {{2010, 1, 3, 12, 0, 0}, 7, 3, 53},
                 {{1600, 2, 29, 0, 0, 0}, 2, 60, 9}};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        RLAbsoluteTime at = RLGregorianDateGetAbsoluteTime(dates[i].date, NULL);
        check(RLAbsoluteTimeGetDayOfWeek(at, NULL) == dates[i].day_of_week);
        check(RLAbsoluteTimeGetDayOfYear(at, NULL) == dates[i].day_of_year);
        check(RLAbsoluteTimeGetWeekOfYear(at, NULL) == dates[i].week);
    }
}
SCENARIO(days_of_weeks,
         .title = "A date has a day of the week and the year, and a week by ISO 8601",
         .clauses = "extension",
         .rl_only = true)
