/*
 * Calendars: a time zone that can be changed, and dates in it. Zones live for ever.
 */

#include "values/days.h"
#include "values/gregorian.h"
#include "values/time_zone.h"
#include "values/value.h"

#include <CRunLoop/RLCalendar.h>

#include <math.h>
#include <stdarg.h>

RLCalendarIdentifier const kRLCalendarIdentifierGregorian = RLSTR("gregorian");
RLCalendarIdentifier const kRLGregorianCalendar = RLSTR("gregorian");

struct calendar {
    struct rl_object object;
    _Atomic(RLTimeZoneRef) zone;
};

static const char components[] = "yMdHms";
enum component { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, COMPONENTS };

/* Mean lengths in seconds. */
static const double lengths[COMPONENTS] = {365.2425 * 86400, 30.436875 * 86400, 86400, 3600, 60, 1};

static struct calendar *checked_calendar(RLCalendarRef calendar, const char *function)
{
    rl_expect(calendar, RL_TYPE_CALENDAR, function, "calendar");
    return (struct calendar *)(void *)calendar;
}

RLCalendarRef RLCalendarCopyCurrent(void)
{
    struct calendar *calendar = rl_object_create(RL_TYPE_CALENDAR, sizeof *calendar);
    RLCalendarSetTimeZone((RLCalendarRef)(void *)calendar, NULL);
    return (RLCalendarRef)(void *)calendar;
}

RLCalendarRef RLCalendarCreateWithIdentifier(RLAllocatorRef allocator,
                                             RLCalendarIdentifier identifier)
{
    (void)allocator;
    rl_expect_string(identifier, __func__, "identifier");
    bool is_known = rl_string_equal(identifier, kRLCalendarIdentifierGregorian);
    return is_known ? RLCalendarCopyCurrent() : NULL;
}

RLCalendarIdentifier RLCalendarGetIdentifier(RLCalendarRef calendar)
{
    (void)checked_calendar(calendar, __func__);
    return kRLCalendarIdentifierGregorian;
}

RLTimeZoneRef RLCalendarCopyTimeZone(RLCalendarRef calendar)
{
    return RLRetain(atomic_load(&checked_calendar(calendar, __func__)->zone));
}

void RLCalendarSetTimeZone(RLCalendarRef calendar, RLTimeZoneRef tz)
{
    struct calendar *self = checked_calendar(calendar, __func__);
    rl_expect_zone(tz, __func__);
    RLTimeZoneRef zone = tz ? tz : RLTimeZoneCopyDefault();
    atomic_store(&self->zone, zone);
    if (!tz) RLRelease(zone);
}

/* Returns whether a description names nothing unknown; `others` are known besides. */
static bool is_known(const char *description, const char *others, const char *function)
{
    if (!description) rl_client_error(function, "argument `componentDesc` is null");
    while (*description && (strchr(components, *description) || strchr(others, *description))) {
        description++;
    }
    return *description == 0;
}

static enum component component_of(char character)
{
    return (enum component)(strchr(components, character) - components);
}

/* Returns the date of a time of the zone. Offsets are those of the day before and the day after. */
static double time_of_local(double local, RLTimeZoneRef zone)
{
    double before = local - rl_time_zone_offset(zone, local - RL_DAY_S);
    double after = local - rl_time_zone_offset(zone, local + RL_DAY_S);
    bool is_before = before + rl_time_zone_offset(zone, before) == local;
    bool is_after = after + rl_time_zone_offset(zone, after) == local;
    return is_before || !is_after ? before : after;
}

Boolean RLCalendarComposeAbsoluteTime(RLCalendarRef calendar, RLAbsoluteTime *at,
                                      const char *componentDesc, ...)
{
    RLTimeZoneRef zone = atomic_load(&checked_calendar(calendar, __func__)->zone);
    int64_t parts[COMPONENTS] = {1, 1, 1};
    if (!is_known(componentDesc, "", __func__)) return false;
    va_list arguments;
    va_start(arguments, componentDesc);
    for (; *componentDesc; componentDesc++) {
        parts[component_of(*componentDesc)] = va_arg(arguments, int);
    }
    va_end(arguments);
    int64_t day = rl_number_of_day(parts[YEAR], parts[MONTH], parts[DAY]);
    int64_t seconds = parts[HOUR] * 3600 + parts[MINUTE] * 60 + parts[SECOND];
    *at = time_of_local((double)(day * RL_DAY_S + seconds), zone);
    return true;
}

Boolean RLCalendarDecomposeAbsoluteTime(RLCalendarRef calendar, RLAbsoluteTime at,
                                        const char *componentDesc, ...)
{
    RLTimeZoneRef zone = atomic_load(&checked_calendar(calendar, __func__)->zone);
    RLGregorianDate date = RLAbsoluteTimeGetGregorianDate(at, zone);
    const int parts[COMPONENTS] = {date.year, date.month,  date.day,
                                   date.hour, date.minute, (int)date.second};
    if (!is_known(componentDesc, "E", __func__)) return false;
    va_list arguments;
    va_start(arguments, componentDesc);
    for (; *componentDesc; componentDesc++) {
        bool is_weekday = *componentDesc == 'E';
        int weekday = RLAbsoluteTimeGetDayOfWeek(at, zone) % 7 + 1;
        *va_arg(arguments, int *) = is_weekday ? weekday : parts[component_of(*componentDesc)];
    }
    va_end(arguments);
    return true;
}

/* Adds one part, which leaves the time of day as it is if it is a day or more. */
static double add_component(double at, RLTimeZoneRef zone, enum component component, int64_t count)
{
    /* A time that comes twice would become the first one. */
    if (count == 0) return at;
    if (component >= HOUR) return at + lengths[component] * (double)count;
    double rest;
    int64_t number = rl_split_time(at, zone, &rest);
    if (component == DAY) {
        number += count;
    } else {
        struct rl_day day = rl_day_of_number(number);
        int64_t month = day.month + (component == MONTH ? count : count * 12);
        int most = rl_days_of_month(day.year, month);
        number = rl_number_of_day(day.year, month, day.day < most ? day.day : most);
    }
    return time_of_local((double)number * RL_DAY_S + rest, zone);
}

Boolean RLCalendarAddComponents(RLCalendarRef calendar, RLAbsoluteTime *at, RLOptionFlags options,
                                const char *componentDesc, ...)
{
    RLTimeZoneRef zone = atomic_load(&checked_calendar(calendar, __func__)->zone);
    if (!is_known(componentDesc, "", __func__) || options != 0) return false;
    double moved = *at;
    va_list arguments;
    va_start(arguments, componentDesc);
    for (; *componentDesc; componentDesc++) {
        moved = add_component(moved, zone, component_of(*componentDesc), va_arg(arguments, int));
    }
    va_end(arguments);
    *at = moved;
    return true;
}

/* Returns how often a part fits between two dates, and moves the first one on. */
static int count_component(double *at, double end, RLTimeZoneRef zone, enum component component)
{
    const int most = INT32_MAX;
    double start = *at;
    int step = end < start ? -1 : 1;
    double sign = step, few = trunc((end - start) / lengths[component]) * sign - 3;
    int count = few < 0 ? 0 : few < most - 8 ? (int)few : most - 8;
    if (!isfinite(end - start)) return 0;
    for (; count < most; count++) {
        double next = add_component(start, zone, component, (int64_t)(count + 1) * step);
        if (next * sign > end * sign) break;
        *at = next;
    }
    return count * step;
}

Boolean RLCalendarGetComponentDifference(RLCalendarRef calendar, RLAbsoluteTime startingAT,
                                         RLAbsoluteTime resultAT, RLOptionFlags options,
                                         const char *componentDesc, ...)
{
    RLTimeZoneRef zone = atomic_load(&checked_calendar(calendar, __func__)->zone);
    if (!is_known(componentDesc, "", __func__) || options != 0) return false;
    va_list arguments;
    va_start(arguments, componentDesc);
    for (; *componentDesc; componentDesc++) {
        enum component component = component_of(*componentDesc);
        *va_arg(arguments, int *) = count_component(&startingAT, resultAT, zone, component);
    }
    va_end(arguments);
    return true;
}

static Boolean calendars_are_equal(RLTypeRef first, RLTypeRef second)
{
    return atomic_load(&((const struct calendar *)first)->zone) ==
           atomic_load(&((const struct calendar *)second)->zone);
}

static RLHashCode hash_calendar(RLTypeRef object)
{
    (void)object;
    return RL_TYPE_CALENDAR;
}

static RLStringRef describe_calendar(RLTypeRef object)
{
    return rl_string_format("<RLCalendar %p>{identifier = 'gregorian'}", object);
}

const struct rl_class rl_calendar_class = {
    .name = "RLCalendar",
    .destroy = rl_object_free,
    .equal = calendars_are_equal,
    .hash = hash_calendar,
    .copy_description = describe_calendar,
};
