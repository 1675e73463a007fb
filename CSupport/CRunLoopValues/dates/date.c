#include "base/swift_counts.h"
#include "values/value.h"

#include <CRunLoop/RLDate.h>

struct rl_date {
    struct rl_object object;
    RLAbsoluteTime time;
};

const RLTimeInterval kRLAbsoluteTimeIntervalSince1904 = 3061152000.0;

RLDateRef RLDateCreate(RLAllocatorRef allocator, RLAbsoluteTime at)
{
    (void)allocator;
    struct rl_date *date = rl_object_create(RL_TYPE_DATE, sizeof *date);
    date->time = at;
    return (RLDateRef)(const void *)date;
}

static RLAbsoluteTime time_of(RLDateRef date, const char *function, const char *argument)
{
    rl_expect(date, RL_TYPE_DATE, function, argument);
    return ((const struct rl_date *)(const void *)date)->time;
}

RLAbsoluteTime RLDateGetAbsoluteTime(RLDateRef theDate)
{
    return time_of(theDate, __func__, "theDate");
}

RLTimeInterval RLDateGetTimeIntervalSinceDate(RLDateRef theDate, RLDateRef otherDate)
{
    return time_of(theDate, __func__, "theDate") - time_of(otherDate, __func__, "otherDate");
}

RLComparisonResult RLDateCompare(RLDateRef theDate, RLDateRef otherDate, void *context)
{
    (void)context;
    RLAbsoluteTime first = time_of(theDate, __func__, "theDate");
    RLAbsoluteTime second = time_of(otherDate, __func__, "otherDate");
    return first < second   ? kRLCompareLessThan
           : first > second ? kRLCompareGreaterThan
                            : kRLCompareEqualTo;
}

static Boolean dates_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_date *left = first, *right = second;
    return left->time == right->time;
}

/* Hashes the whole seconds, so that 0 and -0 have the same hash. */
static RLHashCode hash_date(RLTypeRef object)
{
    double time = ((const struct rl_date *)object)->time;
    if (!(time >= -0x1p62 && time <= 0x1p62)) return 0;
    int64_t second = (int64_t)time;
    return (RLHashCode)((double)second > time ? second - 1 : second);
}

static RLStringRef describe_date(RLTypeRef object)
{
    return rl_string_format("<RLDate %p>{time = %0.09g}", object,
                            ((const struct rl_date *)object)->time);
}

static const struct rl_class date_class = {
    .name = "RLDate",
    .destroy = rl_object_free,
    .equal = dates_are_equal,
    .hash = hash_date,
    .copy_description = describe_date,
};

RL_REGISTER_CLASS(RLDate, RL_TYPE_DATE, date_class)
RL_DEFINE_SWIFT_COUNTS(date, RLDateRef)
