/*
 * A program that holds one of everything, for debuggers to look into. It stops in `look_at_me`, in
 * the callback of a timer, while another thread sleeps in a loop of its own.
 */

#include <CRunLoop/CRunLoop.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#define EDITING RLSTR("Editing")

__attribute__((noinline)) void look_at_me(void)
{
    __asm__ volatile("");
}

static void tick(RLRunLoopTimerRef timer, void *info)
{
    look_at_me();
}

static void never(RLRunLoopTimerRef timer, void *info)
{
}

static void work(void *info)
{
}

static void read_pipe(void *info, RLRunLoopDescriptorEvents events)
{
}

static void observe(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
}

static SInt32 pipe_of(void *info)
{
    return *(SInt32 *)info;
}

static RLRunLoopDescriptorEvents events_of(void *info)
{
    return kRLRunLoopDescriptorRead;
}

static RLRunLoopTimerRef add_timer(RLTimeInterval delay, RLTimeInterval interval,
                                   RLRunLoopTimerCallBack callout, RLRunLoopMode mode)
{
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + delay,
                                                   interval, 0, 0, callout, NULL);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, mode);
    RLRelease(timer);
    return timer;
}

/* --- A thread that sleeps --------------------------------------------------------------------- */

static RLRunLoopRef other_loop;
static pthread_barrier_t ready;

static void is_asleep(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    pthread_barrier_wait(&ready);
}

static void *sleep_in_loop(void *unused)
{
    other_loop = RLRunLoopGetCurrent();
    add_timer(1000, 0, never, EDITING);
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopBeforeWaiting, true, 3, is_asleep, NULL);
    RLRunLoopAddObserver(other_loop, observer, EDITING);
    RLRunLoopRunInMode(EDITING, 1000, false);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static void fill(RLRunLoopRef loop, SInt32 *pipe_end)
{
    RLRunLoopSourceContext plain = {.perform = work};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &plain);
    RLRunLoopAddSource(loop, source, kRLRunLoopCommonModes);
    RLRunLoopAddSource(loop, source, EDITING);
    RLRunLoopSourceContext2 reads = {.version = 2,
                                     .info = pipe_end,
                                     .getDescriptor = pipe_of,
                                     .getEvents = events_of,
                                     .perform = read_pipe};
    RLRunLoopSourceRef reader =
        RLRunLoopSourceCreate(NULL, 7, (RLRunLoopSourceContext *)(void *)&reads);
    RLRunLoopAddSource(loop, reader, kRLRunLoopDefaultMode);
    RLRunLoopSourceSignal(reader);
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopEntry | kRLRunLoopExit, true, -5, observe, NULL);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);
}

int main(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    int ends[2];
    SInt32 end = 40;
    if (pipe(ends) != 0 || dup2(ends[0], end) != end) return 1;
    pthread_t thread;
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&thread, NULL, sleep_in_loop, NULL);
    pthread_barrier_wait(&ready);
    /* The thread goes to sleep on its own now. */
    RLRunLoopStatistics statistics = {0};
    while (statistics.phase != kRLRunLoopPhaseWaiting) {
        sched_yield();
        RLRunLoopGetStatistics(other_loop, &statistics);
    }

    fill(loop, &end);
    /* More than one level of the heap, in another order than that of their dates. */
    for (int each = 1; each <= 6; each++) {
        int place = each * 5 % 7;
        add_timer(100 + place, place, never, EDITING);
    }
    RLRunLoopTimerRef handler =
        RLRunLoopTimerCreateWithHandler(NULL, RLAbsoluteTimeGetCurrent() + 500, 60, 0, 0,
                                        ^(RLRunLoopTimerRef timer) { look_at_me(); });
    RLRunLoopAddTimer(loop, handler, EDITING);
    RLRunLoopPerformBlock(loop, EDITING, ^{ look_at_me(); });
    add_timer(0, 1000, tick, kRLRunLoopDefaultMode);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
    return 0;
}
