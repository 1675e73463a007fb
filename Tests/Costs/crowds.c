/*
 * What costs no more beside many than beside few.
 */

#include "costs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- Tolerant timers -------------------------------------------------------------------------- */

enum { FAR = 60, TOLERANCE = 10 };

static RLRunLoopTimerRef exact_timer;
static double begin;

static void ignore_timer(RLRunLoopTimerRef timer, void *info)
{
}

static RLRunLoopTimerRef add_timer(double date, double tolerance, RLRunLoopTimerCallBack call)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(kRLAllocatorDefault, date, 0, 0, 0, call, NULL);
    RLRunLoopTimerSetTolerance(timer, tolerance);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, MODE);
    return timer;
}

/*
 * All are due within one tolerance. With a descriptor in the mode, each pass must compute its
 * latest wake-up time: the least sum of deadline and tolerance.
 */
void add_tolerant_timers(long count)
{
    begin = RLAbsoluteTimeGetCurrent();
    for (long number = 0; number < count; number++) {
        RLRelease(add_timer(begin + FAR + (double)number / (double)count, TOLERANCE, ignore_timer));
    }
    exact_timer = add_timer(begin + FAR, 0, ignore_timer);
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(kRLAllocatorDefault, eventfd(0, EFD_CLOEXEC), true, NULL, NULL);
    CHECK(descriptor != NULL);
    give_source(RLFileDescriptorCreateRunLoopSource(kRLAllocatorDefault, descriptor, 0));
}

/* Alternates before and after the time at which the tolerant timers fire together. */
void move_and_poll(long number)
{
    double seconds = FAR + TOLERANCE + (number % 2 ? 1.0 : -1.0);
    RLRunLoopTimerSetNextFireDate(exact_timer, begin + seconds);
    RLRunLoopRunInMode(MODE, 0, false);
}

/* --- Timers that were due --------------------------------------------------------------------- */

static long times_left;

/* The first one runs the loop, in which all others fire at once. */
static void run_nested(RLRunLoopTimerRef timer, void *info)
{
    for (; times_left > 0; times_left--) RLRunLoopRunInMode(MODE, 0, false);
}

void add_due_timers(long count)
{
    double now = RLAbsoluteTimeGetCurrent();
    RLRelease(add_timer(now + 1.0e6, 0, ignore_timer));
    RLRelease(add_timer(now - 1, 0, run_nested));
    for (long number = 0; number < count; number++) RLRelease(add_timer(now, 0, ignore_timer));
}

void poll_in_callback(long times)
{
    times_left = times;
    RLRunLoopRunInMode(MODE, 0, false);
}

/* --- Modes ------------------------------------------------------------------------------------ */

static RLStringRef *names;
static long name_count;
static RLRunLoopSourceRef common_source;

static RLStringRef copy_name(long number)
{
    return RLStringCreateWithFormat(kRLAllocatorDefault, NULL, RLSTR("mode %ld"), number);
}

static RLRunLoopSourceRef create_source(void)
{
    RLRunLoopSourceContext context = {0};
    return RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
}

/* The names to look for are other strings with the same characters. */
void add_modes(long count)
{
    names = calloc((size_t)count, sizeof names[0]);
    CHECK(names != NULL);
    name_count = count;
    RLRunLoopSourceRef source = create_source();
    for (long number = 0; number < count; number++) {
        RLStringRef name = copy_name(number);
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, name);
        RLRunLoopRemoveSource(RLRunLoopGetCurrent(), source, name);
        RLRelease(name);
        names[number] = copy_name(number);
    }
    common_source = create_source();
}

void find_mode(long number)
{
    RLStringRef name = names[number * 7919 % name_count];
    RLRunLoopGetNextTimerFireDate(RLRunLoopGetCurrent(), name);
}

/* Only the default mode is common. */
void churn_common_source(long number)
{
    RLRunLoopAddSource(RLRunLoopGetCurrent(), common_source, kRLRunLoopCommonModes);
    RLRunLoopRemoveSource(RLRunLoopGetCurrent(), common_source, kRLRunLoopCommonModes);
}

static RLRunLoopTimerRef everywhere;

void add_timer_to_modes(long count)
{
    add_modes(count);
    everywhere = RLRunLoopTimerCreate(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + FAR, 0, 0,
                                      0, ignore_timer, NULL);
    for (long number = 0; number < count; number++) {
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), everywhere, names[number]);
    }
}

void churn_timer_everywhere(long number)
{
    RLStringRef name = names[number * 7919 % name_count];
    RLRunLoopRemoveTimer(RLRunLoopGetCurrent(), everywhere, name);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), everywhere, name);
}

/* --- Refused registrations -------------------------------------------------------------------- */

static int refused_fd;

static int get_descriptor(void *info)
{
    return refused_fd;
}

static void ignore_events(void *info, RLRunLoopDescriptorEvents events)
{
}

static void add_refused_source(long number)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = (void *)number,
                                       .getDescriptor = get_descriptor,
                                       .perform = ignore_events};
    give_source(RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context));
}

static void forbid_descriptors(void)
{
    int free_fd = dup(refused_fd);
    CHECK(close(free_fd) == 0);
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = (rlim_t)free_fd;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void begin_to_wait(void)
{
    refused_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    add_refused_source(0);
    RLRunLoopRunInMode(MODE, 0, false);
}

/*
 * All wait for one descriptor, so each but the first needs a duplicate, for which there is no
 * number. The engine's line for each failure is discarded.
 */
void add_refused_sources(long count)
{
    if (refused_fd == 0) begin_to_wait();
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), errors = dup(STDERR_FILENO);
    forbid_descriptors();
    CHECK(dup2(null, STDERR_FILENO) == STDERR_FILENO);
    for (long number = 1; number <= count; number++) add_refused_source(number);
    CHECK(dup2(errors, STDERR_FILENO) == STDERR_FILENO);
}

/* Those before it get their duplicates. */
void add_one_refused_source(long count)
{
    begin_to_wait();
    for (long number = 1; number <= count; number++) add_refused_source(-number);
    add_refused_sources(1);
}
