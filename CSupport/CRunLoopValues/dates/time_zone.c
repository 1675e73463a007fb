#include "base/system.h"

#include "dates/time_zone.h"

#include "base/fork.h"
#include "base/swift_counts.h"
#include "base/uncanceled.h"
#include "values/value.h"

#include <math.h>
#include <time.h>

enum { MOST_OFFSET_S = 18 * 3600 };

struct time_zone {
    struct rl_object object;
    bool is_system;
    int offset_s;
};

static struct time_zone system_zone = {
    .object = RL_STANDARD_OBJECT(RL_TYPE_TIME_ZONE),
    .is_system = true,
};

/* Held during localtime_r(3) and forks. A child must not inherit a locked lock of the C library. */
static struct rl_lock library_lock;

static void prepare_fork(void) RL_ACQUIRES(library_lock)
{
    rl_lock(&library_lock);
}

static void unlock_after_fork(void) RL_RELEASES(library_lock)
{
    rl_unlock(&library_lock);
}

RL_REGISTER_FORK_TABLE(80, prepare_fork, unlock_after_fork, unlock_after_fork)

/* The C library's years have 32 bits, so later dates get the offset of the last possible date. */
static double system_offset(double at)
{
    const double last = sizeof(time_t) > 4 ? 6.7e16 : INT32_MAX;
    double seconds = floor(at + kRLAbsoluteTimeIntervalSince1970);
    if (!(seconds > -last)) seconds = -last;
    if (seconds > last) seconds = last;
    time_t time = (time_t)seconds;
    struct tm parts = {0};
    rl_fork_set_up();
    rl_lock(&library_lock);
    (void)RL_UNCANCELED(localtime_r(&time, &parts));
    rl_unlock(&library_lock);
    return (double)parts.tm_gmtoff;
}

static const struct time_zone *checked_zone(RLTimeZoneRef tz, const char *function)
{
    rl_expect(tz, RL_TYPE_TIME_ZONE, function, "tz");
    return (const struct time_zone *)(const void *)tz;
}

void rl_expect_zone(RLTimeZoneRef zone, const char *function)
{
    if (zone) (void)checked_zone(zone, function);
}

double rl_time_zone_offset(RLTimeZoneRef tz, double at)
{
    const struct time_zone *zone = (const struct time_zone *)(const void *)tz;
    if (!zone) return 0;
    return zone->is_system ? system_offset(at) : zone->offset_s;
}

RLTimeZoneRef RLTimeZoneCopySystem(void)
{
    rl_object_retain(&system_zone.object);
    return (RLTimeZoneRef)(const void *)&system_zone;
}

RLTimeZoneRef RLTimeZoneCopyDefault(void)
{
    return RLTimeZoneCopySystem();
}

RLTimeZoneRef RLTimeZoneCreateWithTimeIntervalFromGMT(RLAllocatorRef allocator, RLTimeInterval ti)
{
    (void)allocator;
    if (!(ti >= -MOST_OFFSET_S && ti <= MOST_OFFSET_S)) return NULL;
    struct time_zone *zone = rl_object_create(RL_TYPE_TIME_ZONE, sizeof *zone);
    zone->offset_s = (int)round(ti / 60) * 60;
    return (RLTimeZoneRef)(const void *)zone;
}

RLTimeInterval RLTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    (void)checked_zone(tz, __func__);
    return rl_time_zone_offset(tz, at);
}

static Boolean zones_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct time_zone *left = first, *right = second;
    return left->is_system == right->is_system && left->offset_s == right->offset_s;
}

static RLHashCode hash_zone(RLTypeRef object)
{
    const struct time_zone *zone = object;
    return zone->is_system ? 1 : (RLHashCode)zone->offset_s;
}

static RLStringRef describe_zone(RLTypeRef object)
{
    const struct time_zone *zone = object;
    double offset = rl_time_zone_offset((RLTimeZoneRef)object, RLAbsoluteTimeGetCurrent());
    return rl_string_format("<RLTimeZone %p>{%sGMT offset = %d}", object,
                            zone->is_system ? "system; " : "", (int)offset);
}

static const struct rl_class time_zone_class = {
    .name = "RLTimeZone",
    .destroy = rl_object_free,
    .equal = zones_are_equal,
    .hash = hash_zone,
    .copy_description = describe_zone,
};

RL_REGISTER_CLASS(RLTimeZone, RL_TYPE_TIME_ZONE, time_zone_class)
RL_DEFINE_SWIFT_COUNTS(time_zone, RLTimeZoneRef)
