#include "dates/days.h"
#include "dates/time_zone.h"

#include <CRunLoop/RLDate.h>

#include <math.h>

/* The last time whose year fits into 32 bits. */
#define LAST_TIME 6.7e16

enum { MOST_UNITS = INT32_MAX };

Boolean RLGregorianDateIsValid(RLGregorianDate gdate, RLOptionFlags unitFlags)
{
    const RLOptionFlags of_day =
        kRLGregorianUnitsYears | kRLGregorianUnitsMonths | kRLGregorianUnitsDays;
    const bool is_wrong[] = {
        gdate.year <= 0,
        gdate.month < 1 || gdate.month > 12,
        gdate.day < 1 || gdate.day > 31,
        gdate.hour < 0 || gdate.hour > 23,
        gdate.minute < 0 || gdate.minute > 59,
        !(gdate.second >= 0 && gdate.second < 60),
    };
    for (int i = 0; i < 6; i++) {
        if ((unitFlags >> i & 1) && is_wrong[i]) return false;
    }
    bool has_day = (unitFlags & of_day) == of_day;
    return !has_day || gdate.day <= rl_days_of_month(gdate.year, gdate.month);
}

/*
 * As in CF, an ambiguous local time is the later date east of Greenwich and the earlier date west
 * of it. If a local time is skipped, the result is before or after the gap.
 */
static double time_of_local(double local, RLTimeZoneRef zone)
{
    double guess = local - rl_time_zone_offset(zone, local);
    return local - rl_time_zone_offset(zone, guess);
}

RLAbsoluteTime RLGregorianDateGetAbsoluteTime(RLGregorianDate gdate, RLTimeZoneRef tz)
{
    rl_expect_zone(tz, __func__);
    double day = (double)rl_number_of_day(gdate.year, gdate.month, gdate.day);
    double local = RL_DAY_S * day + 3600.0 * gdate.hour + 60.0 * gdate.minute + gdate.second;
    return time_of_local(local, tz);
}

static double clamped_date(double at)
{
    return !(at > -LAST_TIME) ? -LAST_TIME : at > LAST_TIME ? LAST_TIME : at;
}

/* Returns the day in the zone. `ret_rest` receives the seconds since the beginning of the day. */
static int64_t split_time(double at, RLTimeZoneRef zone, double *ret_rest)
{
    at = clamped_date(at);
    double local = at + rl_time_zone_offset(zone, at);
    double day = floor(local / RL_DAY_S);
    double rest = local - day * RL_DAY_S;
    /* Rounding may produce a whole day, which must not be returned. */
    *ret_rest = rest < RL_DAY_S ? rest : RL_DAY_S - 0x1p-36;
    return (int64_t)day;
}

RLGregorianDate RLAbsoluteTimeGetGregorianDate(RLAbsoluteTime at, RLTimeZoneRef tz)
{
    rl_expect_zone(tz, __func__);
    double rest;
    struct rl_day day = rl_day_of_number(split_time(at, tz, &rest));
    int hour = (int)(rest / 3600), minute = (int)(rest / 60) % 60;
    return (RLGregorianDate){(SInt32)day.year, (SInt8)day.month, (SInt8)day.day,
                             (SInt8)hour,      (SInt8)minute,    rest - (hour * 60 + minute) * 60};
}

static double add_units(double at, RLTimeZoneRef zone, RLGregorianUnits units)
{
    double rest;
    struct rl_day day = rl_day_of_number(split_time(at, zone, &rest));
    int64_t year = day.year + units.years, month = (int64_t)day.month + units.months;
    rl_carry_months(&year, &month);
    int most = rl_days_of_month(year, month);
    int64_t number = rl_number_of_day(year, month, day.day < most ? day.day : most) + units.days;
    return time_of_local((double)number * RL_DAY_S + rest, zone) + 3600.0 * units.hours +
           60.0 * units.minutes + units.seconds;
}

RLAbsoluteTime RLAbsoluteTimeAddGregorianUnits(RLAbsoluteTime at, RLTimeZoneRef tz,
                                               RLGregorianUnits units)
{
    rl_expect_zone(tz, __func__);
    return add_units(at, tz, units);
}

RLGregorianUnits RLAbsoluteTimeGetDifferenceAsGregorianUnits(RLAbsoluteTime at1, RLAbsoluteTime at2,
                                                             RLTimeZoneRef tz,
                                                             RLOptionFlags unitFlags)
{
    static const double lengths[] = {365.2425 * 86400, 30.436875 * 86400, 86400, 3600, 60};
    RLGregorianUnits units = {0};
    SInt32 *const parts[] = {&units.years, &units.months, &units.days, &units.hours,
                             &units.minutes};
    rl_expect_zone(tz, __func__);
    at1 = clamped_date(at1);
    at2 = clamped_date(at2);
    SInt32 step = at1 < at2 ? -1 : 1;
    double sign = step, reached = at2;
    for (int i = 0; i < 5; i++) {
        if (!(unitFlags >> i & 1)) continue;
        /* Starts below the result, and counts up to the last number that does not pass `at1`. */
        double few = trunc((at1 - reached) / lengths[i]) * sign - 3;
        SInt32 count = few < 0 ? 0 : few < MOST_UNITS - 8 ? (SInt32)few : MOST_UNITS - 8;
        for (; count < MOST_UNITS; count++) {
            *parts[i] = (count + 1) * step;
            double next = add_units(at2, tz, units);
            if (next * sign > at1 * sign) break;
            reached = next;
        }
        *parts[i] = count * step;
    }
    if (unitFlags & kRLGregorianUnitsSeconds) units.seconds = at1 - reached;
    return units;
}

SInt32 RLAbsoluteTimeGetDayOfWeek(RLAbsoluteTime at, RLTimeZoneRef tz)
{
    double rest;
    rl_expect_zone(tz, __func__);
    int64_t day = split_time(at, tz, &rest);
    return (SInt32)(day - rl_floor_divide(day, 7) * 7) + 1;
}

SInt32 RLAbsoluteTimeGetDayOfYear(RLAbsoluteTime at, RLTimeZoneRef tz)
{
    double rest;
    rl_expect_zone(tz, __func__);
    int64_t day = split_time(at, tz, &rest);
    return (SInt32)(day - rl_number_of_day(rl_day_of_number(day).year, 1, 1)) + 1;
}

/* A week belongs to the year that contains its Thursday. */
SInt32 RLAbsoluteTimeGetWeekOfYear(RLAbsoluteTime at, RLTimeZoneRef tz)
{
    double rest;
    rl_expect_zone(tz, __func__);
    int64_t thursday = rl_floor_divide(split_time(at, tz, &rest), 7) * 7 + 3;
    return (SInt32)((thursday - rl_number_of_day(rl_day_of_number(thursday).year, 1, 1)) / 7) + 1;
}
