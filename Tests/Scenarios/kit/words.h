/*
 * Short words for what scenarios do most. Compiled anew for each engine, hence all static.
 */

#ifndef SCENARIOKIT_WORDS_H
#define SCENARIOKIT_WORDS_H

#include "gadgets.h"

#include <sys/resource.h>

/** The calling thread's loop. */
static inline RLRunLoopRef this_loop(void)
{
    return RLRunLoopGetCurrent();
}

/** Adds a source to a mode of this thread's loop. */
static inline void add_source(RLRunLoopSourceRef source, const char *mode)
{
    RLRunLoopAddSource(this_loop(), source, mode_named(mode));
}

/** Removes a source from a mode of this thread's loop. */
static inline void remove_source(RLRunLoopSourceRef source, const char *mode)
{
    RLRunLoopRemoveSource(this_loop(), source, mode_named(mode));
}

/** Whether a source is in a mode of this thread's loop. */
static inline bool has_source(RLRunLoopSourceRef source, const char *mode)
{
    return RLRunLoopContainsSource(this_loop(), source, mode_named(mode));
}

/** Adds a timer to a mode of this thread's loop. */
static inline void add_timer(RLRunLoopTimerRef timer, const char *mode)
{
    RLRunLoopAddTimer(this_loop(), timer, mode_named(mode));
}

/** Removes a timer from a mode of this thread's loop. */
static inline void remove_timer(RLRunLoopTimerRef timer, const char *mode)
{
    RLRunLoopRemoveTimer(this_loop(), timer, mode_named(mode));
}

/** Whether a timer is in a mode of this thread's loop. */
static inline bool has_timer(RLRunLoopTimerRef timer, const char *mode)
{
    return RLRunLoopContainsTimer(this_loop(), timer, mode_named(mode));
}

/** Adds an observer to a mode of this thread's loop. */
static inline void add_observer(RLRunLoopObserverRef observer, const char *mode)
{
    RLRunLoopAddObserver(this_loop(), observer, mode_named(mode));
}

/** Removes an observer from a mode of this thread's loop. */
static inline void remove_observer(RLRunLoopObserverRef observer, const char *mode)
{
    RLRunLoopRemoveObserver(this_loop(), observer, mode_named(mode));
}

/** Whether an observer is in a mode of this thread's loop. */
static inline bool has_observer(RLRunLoopObserverRef observer, const char *mode)
{
    return RLRunLoopContainsObserver(this_loop(), observer, mode_named(mode));
}

/** Signals a source. */
static inline void signal_source(RLRunLoopSourceRef source)
{
    RLRunLoopSourceSignal(source);
}

/** Queues a block that logs a name and then does something, if not null. */
static inline void queue_block(const char *name, const char *mode, action body)
{
    RLRunLoopPerformBlock(this_loop(), mode_named(mode), ^{
        note("%s", name);
        if (body) body();
    });
}

/** Makes a mode of this thread's loop common. */
static inline void make_common(const char *mode)
{
    RLRunLoopAddCommonMode(this_loop(), mode_named(mode));
}

/** Logs all activities of a mode of this thread's loop. */
static inline void watch(const char *mode)
{
    add_observer(OBSERVER(NULL), mode);
}

/** Adds a source that never performs, so that the mode is not empty. */
static inline RLRunLoopSourceRef keep_alive(const char *mode)
{
    RLRunLoopSourceRef source = SOURCE("keeper");

    add_source(source, mode);
    return source;
}

/** Does something, unlogged, whenever a mode of this thread's loop reaches one of `activities`. */
static inline RLRunLoopObserverRef when(unsigned long activities, const char *mode, action body)
{
    RLRunLoopObserverRef observer =
        OBSERVER(NULL, .activities = activities, .quiet = true,
                 .observe = ^(RLRunLoopObserverRef called, unsigned long activity) { body(); });

    add_observer(observer, mode);
    return observer;
}

/** Does something once, unlogged, the next time a mode of this thread's loop reaches `activity`. */
static inline RLRunLoopObserverRef when_next(unsigned long activity, const char *mode, action body)
{
    RLRunLoopObserverRef observer =
        OBSERVER(NULL, .activities = activity, .quiet = true, .once = true,
                 .observe = ^(RLRunLoopObserverRef called, unsigned long reached) { body(); });

    add_observer(observer, mode);
    return observer;
}

/** Does something, after logging a name, when a timer in a mode of this thread's loop fires. */
static inline RLRunLoopTimerRef after(double seconds, const char *name, const char *mode,
                                      action body)
{
    RLRunLoopTimerRef timer =
        TIMER(name, .after = seconds, .fire = ^(RLRunLoopTimerRef fired) { body(); });

    add_timer(timer, mode);
    return timer;
}

/** Runs this thread's loop and logs the result. */
static inline int run(const char *mode, double seconds, bool return_after_source)
{
    int result = RLRunLoopRunInMode(mode_named(mode), seconds, return_after_source);

    note("= %s", name_of_result(result));
    return result;
}

/** Stops this thread's loop. */
static inline void stop(void)
{
    RLRunLoopStop(this_loop());
}

/** Wakes this thread's loop. */
static inline void wake_up(void)
{
    RLRunLoopWakeUp(this_loop());
}

/** Waits until a loop of another thread sleeps. */
static inline void wait_until_asleep(RLRunLoopRef loop)
{
    while (!RLRunLoopIsWaiting(loop)) sched_yield();
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
static inline void stop_later(RLRunLoopRef loop, double seconds)
{
    stay_busy(seconds);
    RLRunLoopStop(loop);
}

/** Logs a question and its answer. */
static inline void note_answer(const char *question, bool answer)
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

/** Gives the scenario a runtime directory of its own, which is removed at its end. */
static inline const char *use_own_folder(void)
{
    const char *path = make_folder();

    setenv("XDG_RUNTIME_DIR", path, 1);
    return path;
}

/** A string that is valid until the scenario's end. */
static inline RLStringRef string_named(const char *characters)
{
    return mode_named(characters);
}

/** The path of a file in a folder, valid until the scenario's end. */
static inline const char *path_in(const char *folder, const char *name)
{
    char *path = NULL;

    check(asprintf(&path, "%s/%s", folder, name) > 0);
    at_end(^{ free(path); });
    return path;
}

/** A user that owns nothing, and whom no process uses that runs at the same time. */
static inline uid_t other_user(void)
{
    return 20000 + (uid_t)getpid() % 40000;
}

/** The directory of a user's message ports that have no runtime directory. */
static inline const char *common_folder(uid_t user)
{
    char name[32];

    snprintf(name, sizeof(name), "corerunloop-%d", (int)user);
    return path_in("/tmp", name);
}

/** The number of the first descriptors that a program that is executed would get. */
static inline int count_inheritable(void)
{
    int count = 0;
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        if (flags >= 0 && !(flags & FD_CLOEXEC)) count++;
    }
    return count;
}

/** The text that a body writes to standard error in a process of its own, which it may end. */
static inline char *messages_of(action body)
{
    char *text = calloc(1, 2048);
    int ends[2];
    size_t length = 0;
    ssize_t more;

    check(pipe2(ends, O_CLOEXEC) == 0);
    pid_t process = fork();
    if (process == 0) {
        struct rlimit none = {0};
        setrlimit(RLIMIT_CORE, &none);
        /* A debugger that a language's runtime starts would keep this process's descriptors. */
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    while (length < 2047 && (more = read(ends[0], text + length, 2047 - length)) > 0) {
        length += (size_t)more;
    }
    close(ends[0]);
    while (waitpid(process, NULL, 0) < 0) continue;
    at_end(^{ free(text); });
    return text;
}

/** The number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Logs the first of the pieces, which end in a null pointer, that is missing or out of order. */
static inline void check_pieces(const void *object, const char *const *pieces)
{
    static char text[65536];
    RLStringRef description = RLCopyDescription(object);
    check(RLStringGetCString(description, text, sizeof(text), kRLStringEncodingUTF8));
    RLRelease(description);
    const char *rest = text;
    for (; *pieces; pieces++) {
        const char *found = strstr(rest, *pieces);
        if (found) {
            rest = found + strlen(*pieces);
        } else {
            note("missing: %s", *pieces);
            return;
        }
    }
}

/** Checks that the description of an object has these pieces, in this order. */
#define HAS_PIECES(object, ...) check_pieces(object, (const char *const[]){__VA_ARGS__, NULL})

/** Runs until a timer has fired ten times. */
static inline void run_for_timer(void)
{
    __block int fired = 0;

    add_timer(TIMER("t", .after = 0.001, .interval = 0.001, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            if (++fired == 10) stop();
                        }),
              "DEF");
    run("DEF", 20, false);
    note("fired %d times", fired);
}

static inline void call_and_free(void *memory, void *body)
{
    ((action)body)();
    free(memory);
}

/** Data that, when they are destroyed, do something: their bytes have an allocator of a client. */
static inline RLDataRef data_calling(const void *bytes, long length, action body)
{
    RLAllocatorContext context = {
        .info = copied((const void *)body), .release = release_block, .deallocate = call_and_free};
    RLAllocatorRef allocator = RLAllocatorCreate(NULL, &context);
    UInt8 *memory = calloc(1, (size_t)length);

    if (bytes) memcpy(memory, bytes, (size_t)length);
    RLDataRef data = RLDataCreateWithBytesNoCopy(NULL, memory, length, allocator);
    RLRelease(allocator);
    return data;
}

/** The processor time of the calling thread, in seconds. */
static inline double processor_time(void)
{
    return (double)thread_time_ns() / 1e9;
}

#endif
