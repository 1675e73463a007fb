/*
 * Short words for what scenarios do most. Compiled anew for each engine, hence all static.
 */

#ifndef SCENARIOKIT_WORDS_H
#define SCENARIOKIT_WORDS_H

#include "gadgets.h"

/** The calling thread's loop. */
static inline loop_ref this_loop(void)
{
    return E(RunLoopGetCurrent)();
}

/** Adds a source to a mode of this thread's loop. */
static inline void add_source(source_ref source, const char *mode)
{
    E(RunLoopAddSource)(this_loop(), source, mode_named(mode));
}

/** Removes a source from a mode of this thread's loop. */
static inline void remove_source(source_ref source, const char *mode)
{
    E(RunLoopRemoveSource)(this_loop(), source, mode_named(mode));
}

/** Whether a source is in a mode of this thread's loop. */
static inline bool has_source(source_ref source, const char *mode)
{
    return E(RunLoopContainsSource)(this_loop(), source, mode_named(mode));
}

/** Adds a timer to a mode of this thread's loop. */
static inline void add_timer(timer_ref timer, const char *mode)
{
    E(RunLoopAddTimer)(this_loop(), timer, mode_named(mode));
}

/** Removes a timer from a mode of this thread's loop. */
static inline void remove_timer(timer_ref timer, const char *mode)
{
    E(RunLoopRemoveTimer)(this_loop(), timer, mode_named(mode));
}

/** Whether a timer is in a mode of this thread's loop. */
static inline bool has_timer(timer_ref timer, const char *mode)
{
    return E(RunLoopContainsTimer)(this_loop(), timer, mode_named(mode));
}

/** Adds an observer to a mode of this thread's loop. */
static inline void add_observer(observer_ref observer, const char *mode)
{
    E(RunLoopAddObserver)(this_loop(), observer, mode_named(mode));
}

/** Removes an observer from a mode of this thread's loop. */
static inline void remove_observer(observer_ref observer, const char *mode)
{
    E(RunLoopRemoveObserver)(this_loop(), observer, mode_named(mode));
}

/** Whether an observer is in a mode of this thread's loop. */
static inline bool has_observer(observer_ref observer, const char *mode)
{
    return E(RunLoopContainsObserver)(this_loop(), observer, mode_named(mode));
}

/** Signals a source. */
static inline void signal_source(source_ref source)
{
    E(RunLoopSourceSignal)(source);
}

/** Queues a block that logs a name and then does something, if not null. */
static inline void queue_block(const char *name, const char *mode, action body)
{
    E(RunLoopPerformBlock)(this_loop(), mode_named(mode), ^{
        note("%s", name);
        if (body) body();
    });
}

/** Makes a mode of this thread's loop common. */
static inline void make_common(const char *mode)
{
    E(RunLoopAddCommonMode)(this_loop(), mode_named(mode));
}

/** Logs all activities of a mode of this thread's loop. */
static inline void watch(const char *mode)
{
    add_observer(OBSERVER(NULL), mode);
}

/** Adds a source that never performs, so that the mode is not empty. */
static inline source_ref keep_alive(const char *mode)
{
    source_ref source = SOURCE("keeper");

    add_source(source, mode);
    return source;
}

/** Does something, unlogged, whenever a mode of this thread's loop reaches one of `activities`. */
static inline observer_ref when(unsigned long activities, const char *mode, action body)
{
    observer_ref observer =
        OBSERVER(NULL, .activities = activities, .quiet = true,
                 .observe = ^(observer_ref called, unsigned long activity) { body(); });

    add_observer(observer, mode);
    return observer;
}

/** Does something once, unlogged, the next time a mode of this thread's loop reaches `activity`. */
static inline observer_ref when_next(unsigned long activity, const char *mode, action body)
{
    observer_ref observer =
        OBSERVER(NULL, .activities = activity, .quiet = true, .once = true,
                 .observe = ^(observer_ref called, unsigned long reached) { body(); });

    add_observer(observer, mode);
    return observer;
}

/** Does something, after logging a name, when a timer in a mode of this thread's loop fires. */
static inline timer_ref after(double seconds, const char *name, const char *mode, action body)
{
    timer_ref timer = TIMER(name, .after = seconds, .fire = ^(timer_ref fired) { body(); });

    add_timer(timer, mode);
    return timer;
}

/** Runs this thread's loop and logs the result. */
static inline int run(const char *mode, double seconds, bool return_after_source)
{
    int result = E(RunLoopRunInMode)(mode_named(mode), seconds, return_after_source);

    note("= %s", name_of_result(result));
    return result;
}

/** Stops this thread's loop. */
static inline void stop(void)
{
    E(RunLoopStop)(this_loop());
}

/** Wakes this thread's loop. */
static inline void wake_up(void)
{
    E(RunLoopWakeUp)(this_loop());
}

/** Waits until a loop of another thread sleeps. */
static inline void wait_until_asleep(loop_ref loop)
{
    while (!E(RunLoopIsWaiting)(loop)) sched_yield();
}

/** Whether a thread of this process sleeps. */
static inline bool is_asleep(pid_t thread)
{
    char path[64], text[256] = "";

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    check(read(file, text, sizeof(text) - 1) > 0);
    close(file);
    const char *state = strrchr(text, ')');
    return state && state[2] == 'S';
}

/** Gives a sleeping loop of another thread time to wake up for nothing, then stops it. */
static inline void stop_later(loop_ref loop, double seconds)
{
    stay_busy(seconds);
    E(RunLoopStop)(loop);
}

/** Logs a question and its answer. */
static inline void tell(const char *question, bool answer)
{
    note("%s: %s", question, answer ? "yes" : "no");
}

/** A null pointer as the C library prints it. */
static inline const char *null_text(void)
{
    static char text[32];

    snprintf(text, sizeof(text), "%p", NULL);
    return text;
}

/** Waits for a child, and logs what it found: 0 if all is well. */
static inline void note_child(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/** Makes an event counter, which is closed at the scenario's end. */
static inline int make_counter(void)
{
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    at_end(^{ close(descriptor); });
    return descriptor;
}

/** Makes an event counter ready. */
static inline void count_up(int descriptor)
{
    uint64_t one = 1;

    check(write(descriptor, &one, sizeof(one)) == sizeof(one));
}

#endif
