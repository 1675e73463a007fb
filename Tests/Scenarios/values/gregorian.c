/*
 * Time zones, and dates of the Gregorian calendar. Random dates are the same on both engines, and
 * their trace is one number, which comes from all that was answered.
 */

#include "scenario.h"
#include "value_words.h"

#include <math.h>

/* --- Words ------------------------------------------------------------------------------------ */

static RLTimeZoneRef zone_of_seconds(double seconds)
{
    return kept(RLTimeZoneCreateWithTimeIntervalFromGMT(NULL, seconds));
}

/* The zones of random dates: GMT, two of a fixed offset, and the system's, which is Berlin's. */
enum { ZONES = 4 };

static RLTimeZoneRef zone_at(int index)
{
    const double offsets_s[] = {0, -27000, 20700};
    return index < ZONES - 1 ? zone_of_seconds(offsets_s[index]) : kept(RLTimeZoneCopySystem());
}

/* Mixes a number into the trace of random dates. */
static void mix(uint64_t *sum, double value)
{
    int64_t thousandths = llround(value * 1000);
    *sum = (*sum ^ (uint64_t)thousandths) * UINT64_C(0x100000001B3);
    *sum ^= *sum >> 29;
}

/* A date from 1935 to 2036, in which the reference knows zones, in halves of a second. */
static double any_date(uint64_t *state)
{
    return -2080000000.0 + (double)next_number(state, 3190000000) +
           0.5 * (double)next_number(state, 2);
}

/* --- Zones ------------------------------------------------------------------------------------ */

static void zones_of_seconds(void)
{
    const double seconds[] = {0, 3600, -5400, 29, 35, -31, 64800, -64800, 64801, 1e9};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        RLTimeZoneRef zone = RLTimeZoneCreateWithTimeIntervalFromGMT(NULL, seconds[i]);
        if (!zone) {
            note("none");
            continue;
        }
        note("%g", RLTimeZoneGetSecondsFromGMT(zone, 0));
        RLRelease(zone);
    }
    RLTimeZoneRef zone = zone_of_seconds(3600), system = kept(RLTimeZoneCopySystem());
    check(RLEqual(zone, zone_of_seconds(3610)));
    check(RLHash(zone) == RLHash(zone_of_seconds(3610)));
    check(!RLEqual(zone, zone_of_seconds(-3600)) && !RLEqual(zone, system));
    check(RLEqual(system, kept(RLTimeZoneCopyDefault())));
    check(RLGetTypeID(zone) == RLTimeZoneGetTypeID());
}
SCENARIO(zones_of_seconds,
         .title = "A zone of seconds has whole minutes, up to 18 hours",
         .clauses = "object base",
         .expected = "0; 3600; -5400; 0; 60; -60; 64800; -64800; none; none")

static void zone_of_the_system(void)
{
    RLTimeZoneRef zone = kept(RLTimeZoneCopySystem());
    const double dates[] = {0, 7174799, 7174800, 15000000, 25923600};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        note("%g", RLTimeZoneGetSecondsFromGMT(zone, dates[i]));
    }
}
SCENARIO(zone_of_the_system,
         .title = "The system's zone has its offset from GMT at a date",
         .clauses = "object base",
         .own_process = true,
         .expected = "3600; 3600; 7200; 7200; 3600")

/* --- Dates ------------------------------------------------------------------------------------ */

static void gregorian_validity(void)
{
    const struct {
        RLGregorianDate date;
        unsigned long flags;
    } dates[] = {
        {{2024, 2, 29, 23, 59, 59.9}, kRLGregorianAllUnits},
        {{2023, 2, 29, 0, 0, 0}, 63},
        {{1900, 2, 29, 0, 0, 0}, 7},
        {{2000, 2, 29, 0, 0, 0}, 7},
        {{2023, 2, 29, 0, 0, 0}, 6},
        {{2023, 2, 30, 0, 0, 0}, 4},
        {{2023, 13, 1, 0, 0, 0}, 2},
        {{2023, 0, 1, 0, 0, 0}, 2},
        {{2023, 1, 0, 0, 0, 0}, 4},
        {{2023, 1, 32, 0, 0, 0}, 4},
        {{2023, 1, 1, 24, 0, 0}, 8},
        {{2023, 1, 1, -1, 0, 0}, 8},
        {{2023, 1, 1, 0, 60, 0}, 16},
        {{2023, 1, 1, 0, 0, 60}, 32},
        {{2023, 1, 1, 0, 0, -0.1}, 32},
        {{0, 1, 1, 0, 0, 0}, 1},
        {{1, 1, 1, 0, 0, 0}, 63},
        {{-1, 99, 99, 99, 99, 99}, 0},
    };
    char answers[sizeof dates / sizeof dates[0] + 1] = "";
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        answers[i] = RLGregorianDateIsValid(dates[i].date, dates[i].flags) ? '1' : '0';
    }
    note("%s", answers);
}
SCENARIO(gregorian_validity,
         .title = "A date is valid if the requested parts are valid",
         .clauses = "object base",
         .expected = "100111000000000011")

static void note_date_parts(double at, RLTimeZoneRef zone)
{
    RLGregorianDate date = RLAbsoluteTimeGetGregorianDate(at, zone);
    note("%d-%d-%d %d:%d:%g", (int)date.year, date.month, date.day, date.hour, date.minute,
         date.second);
}

static void gregorian_dates(void)
{
    const double dates[] = {0, -0.25, 1e9 + 0.5, -1e12, 1e15, -63113904000.0, -63145526400.0};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) note_date_parts(dates[i], NULL);
    check(RLAbsoluteTimeGetGregorianDate(-5.6e-17, NULL).hour == 23);
    note_date_parts(15000000, zone_of_seconds(-9000));
    RLGregorianDate missing = {2001, 3, 25, 2, 30, 0}, twice = {2001, 10, 28, 2, 30, 0};
    RLTimeZoneRef zone = kept(RLTimeZoneCopySystem());
    note("%.0f %.0f", RLGregorianDateGetAbsoluteTime(missing, zone),
         RLGregorianDateGetAbsoluteTime(twice, zone));
}
SCENARIO(gregorian_dates,
         .title = "A date has parts, and parts a date, at any time and in a zone",
         .clauses = "object base",
         .own_process = true,
         .expected = "2001-1-1 0:0:0; 2000-12-31 23:59:59.75; 2032-9-9 1:46:40.5; "
"-29688-4-6 22:13:20; 31690739-7-6 1:46:40; 1-1-1 0:0:0; "
"0-1-1 0:0:0; 2001-6-23 12:10:0; 7176600 25925400")

static void gregorian_dates_at_random(void)
{
    uint64_t state = 2;
    for (int i = 0; i < ZONES; i++) {
        RLTimeZoneRef zone = zone_at(i);
        uint64_t sum = 0;
        for (int j = 0; j < 500; j++) {
            double at = any_date(&state);
            RLGregorianDate date = RLAbsoluteTimeGetGregorianDate(at, zone);
            mix(&sum, date.year);
            mix(&sum, date.month * 31 + date.day);
            mix(&sum, date.hour * 60 + date.minute);
            mix(&sum, date.second);
            mix(&sum, RLGregorianDateGetAbsoluteTime(date, zone));
        }
        note("%08x", (unsigned)sum);
    }
}
SCENARIO(gregorian_dates_at_random,
         .title = "Thousands of dates have the same parts in zones, there and back",
         .clauses = "object base",
         .own_process = true,
         .expected = "20754fe3; cb42ccd8; 32457490; 1f5dd7a7")

static RLGregorianUnits some_units(uint64_t *state)
{
    RLGregorianUnits units = {0};
    if (next_number(state, 2)) units.years = (int32_t)next_number(state, 21) - 10;
    if (next_number(state, 2)) units.months = (int32_t)next_number(state, 61) - 30;
    if (next_number(state, 2)) units.days = (int32_t)next_number(state, 81) - 40;
    if (next_number(state, 2)) units.hours = (int32_t)next_number(state, 61) - 30;
    if (next_number(state, 2)) units.minutes = (int32_t)next_number(state, 201) - 100;
    if (next_number(state, 2)) units.seconds = (double)next_number(state, 2001) - 1000.5;
    return units;
}

/* Leaves room for ten years and more before the reference's end of time. */
static double some_early_date(uint64_t *state)
{
    double date = any_date(state);
    if (date < -1600000000) date += 500000000;
    if (date > 600000000) date -= 500000000;
    return date;
}

static void gregorian_sums_at_random(void)
{
    uint64_t state = 3;
    for (int i = 0; i < ZONES; i++) {
        RLTimeZoneRef zone = zone_at(i);
        uint64_t sum = 0;
        for (int j = 0; j < 500; j++) {
            double at = some_early_date(&state);
            mix(&sum, RLAbsoluteTimeAddGregorianUnits(at, zone, some_units(&state)));
        }
        note("%08x", (unsigned)sum);
    }
}
SCENARIO(gregorian_sums_at_random,
         .title = "Thousands of spans lead to the same dates",
         .clauses = "object base",
         .own_process = true,
         .expected = "3c5deb9e; b01fc664; f7e6e5bd; 9a1e6a7d")

static void gregorian_differences_at_random(void)
{
    uint64_t state = 4;
    for (int i = 0; i < ZONES; i++) {
        RLTimeZoneRef zone = zone_at(i);
        uint64_t sum = 0;
        for (int j = 0; j < 500; j++) {
            double first = some_early_date(&state), second = some_early_date(&state);
            unsigned long flags = (unsigned long)next_number(&state, 64);
            RLGregorianUnits units =
                RLAbsoluteTimeGetDifferenceAsGregorianUnits(first, second, zone, flags);
            mix(&sum, units.years);
            mix(&sum, units.months);
            mix(&sum, units.days);
            mix(&sum, units.hours);
            mix(&sum, units.minutes);
            mix(&sum, units.seconds);
        }
        note("%08x", (unsigned)sum);
    }
}
SCENARIO(gregorian_differences_at_random,
         .title = "Thousands of differences have the same parts",
         .clauses = "object base",
         .own_process = true,
         .expected = "32783182; f048e76c; bedbc7f9; b5200854")
