/*
 * The common part of test programs in C: failures, counts, tests in separate processes, and
 * measurements. It depends on no engine.
 */

#ifndef CHARNESS_H
#define CHARNESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* --- Failing ---------------------------------------------------------------------------------- */

/** Ends the process with a message that names the condition and its place, unless it holds. */
#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : fail("%s:%d: not so: %s", __FILE__, __LINE__, #condition))

/** Ends the process by SIGABRT, with a line on standard error. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- Counting --------------------------------------------------------------------------------- */

/** How many tests have passed and failed. */
struct tally {
    int passed, failed;
};

/** Counts a test. */
void tally_add(struct tally *tally, bool has_passed);

/**
 * Prints `N passed, N failed`; returns the exit status, that of a failure if nothing was tested.
 */
int tally_end(const struct tally *tally);

/* --- Tests in processes of their own ---------------------------------------------------------- */

/** A test. It fails by ending the process, as CHECK does. */
struct test {
    const char *name;
    void (*body)(void);
};

/**
 * Runs each test of a list, which ends in one without a name, in a child process, and prints which
 * failed and how.
 *
 * - Parameters:
 *   - tests: The list.
 *   - count, names: Which tests; all of them if `count` is 0.
 *   - most_seconds: A test that takes longer has failed.
 *   - tally: Where they are counted.
 */
void run_tests(const struct test *tests, int count, char **names, int most_seconds,
               struct tally *tally);

/** How a process came to its end. */
enum process_end { PROCESS_SUCCEEDED, PROCESS_FAILED, PROCESS_KILLED, PROCESS_HUNG };

/** From now on, the calling process must end within `seconds`. */
void limit_process(int seconds);

/** Waits for the end of a child; a child that reaches its limit counts as hung. */
enum process_end await_process(pid_t process);

/** Returns a descriptor that is readable after the end of the process; -1 before Linux 5.3. */
int open_process(pid_t process);

/* --- What there is ---------------------------------------------------------------------------- */

/** The monotonic clock, in nanoseconds. */
int64_t clock_ns(void);

/** The monotonic clock, in seconds. */
double clock_now(void);

/** The processor time of the calling thread, in nanoseconds. */
int64_t thread_time_ns(void);

/**
 * The limit of the processor time for which something may hold a thread, in nanoseconds: 50 ms, or
 * on a slow or emulated machine the time of 25 million additions.
 */
int64_t most_held_ns(void);

/** How many files a folder has, apart from `.` and `..`. */
int count_entries(const char *folder);

/** The number of open descriptors of the process. */
int count_descriptors(void);

/* --- Threads ---------------------------------------------------------------------------------- */

/** Starts a thread that calls a block, which may end the thread; pthread_join waits for it. */
pthread_t begin_thread(void (^body)(void));

/** Calls a block on a thread of its own, and waits until that is gone. */
void call_on_thread(void (^body)(void));

/* --- System calls ----------------------------------------------------------------------------- */

/**
 * From here on the kernel answers a system call of the calling thread, and of those that it starts,
 * with an error. Returns false where no filter can be installed, as in an emulator.
 */
bool refuse_system_call(unsigned number, unsigned error);

/* --- Frames ----------------------------------------------------------------------------------- */

/** Calls a block. On x86-64 an unwinder has no tables for this function. */
void call_without_tables(void (^body)(void));

/** Calls a block through `call_from_within`, which is inlined. */
void call_inlined(void (^body)(void));

/* --- Random numbers --------------------------------------------------------------------------- */

/** A sequence, by one thread at a time; it begins with any number. */
struct random {
    uint64_t state;
};

/** The next number of 64 bits. */
uint64_t random_next(struct random *random);

/** A number from 0 to below the bound. */
unsigned random_below(struct random *random, unsigned bound);

#endif
