/*
 * Backtraces of other threads. The caller sends a signal to the thread and waits on a futex. The
 * handler of the signal unwinds the stack into a static buffer and wakes the caller.
 * `backtrace_signal.c` selects the signal.
 *
 * Each request has a ticket. If a handler runs after its caller has timed out, it does not find its
 * ticket in `word`, and returns.
 */

#define _GNU_SOURCE

#include "backtrace_signal.h"
#include "signal_use.h"
#include "uncanceled.h"

#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { LONGEST = 128 };

/* The states of a request, in the lowest bits of `word`. The higher bits are the ticket. */
enum { IDLE = 0, ASKED = 1, WRITING = 2, DONE = 3, TICKET = 4 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint word;
/* The handler owns the buffer from ASKED to DONE; at all other times the caller owns it. */
static const void *buffer[LONGEST];
static int buffer_count;

struct walk {
    const void *interrupted;
    bool is_past;
    int count;
    /* The frame pointer of the frame that was visited last. */
    uintptr_t frame;
};

#if defined(__x86_64__)
#define FRAME_REGISTER 6
#elif defined(__aarch64__)
#define FRAME_REGISTER 29
#endif

static const void *interrupted_at(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

/*
 * Frames before the interrupted frame belong to the handler and are dropped. If a sanitizer has
 * deferred the signal, the interrupted frame is not on the stack, and all frames are kept.
 */
static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *info)
{
    struct walk *walk = info;
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    if (address == 0) return _URC_END_OF_STACK;
    if (!walk->is_past && (const void *)address == walk->interrupted) {
        walk->is_past = true;
        walk->count = 0;
    }
    if (walk->count == LONGEST) return _URC_END_OF_STACK;
    buffer[walk->count++] = (const void *)(is_exact ? address : address - 1);
#if defined(FRAME_REGISTER)
    walk->frame = _Unwind_GetGR(context, FRAME_REGISTER);
#endif
    return _URC_NO_REASON;
}

/* Reads two words of memory without causing a fault. Returns false if the address is unmapped. */
static bool read_words(uintptr_t address, uintptr_t words[2])
{
    size_t size = 2 * sizeof words[0];
    struct iovec to = {words, size}, from = {(void *)address, size};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

/*
 * Follows frame pointers where the unwinder has no tables, as in Swift's static libraries. All
 * Swift functions keep frame pointers. The walk ends at the first function without a frame pointer.
 */
static void follow_frames(struct walk *walk)
{
    enum { LARGEST_FRAME = 1 << 20 };
    uintptr_t words[2];
    while (walk->count > 0 && walk->count < LONGEST && walk->frame % sizeof words[0] == 0 &&
           read_words(walk->frame, words)) {
        if (words[1] == 0) return;
        buffer[walk->count++] = (const void *)(words[1] - 1);
        if (words[0] <= walk->frame || words[0] - walk->frame > LARGEST_FRAME) return;
        walk->frame = words[0];
    }
}

/* Returns whether the unwinder stopped at a function without unwind tables. */
static bool is_lost(const struct walk *walk)
{
    if (walk->count == 0 || walk->frame == 0) return false;
    void *last = (void *)(uintptr_t)buffer[walk->count - 1];
    return !_Unwind_FindEnclosingFunction(last);
}

static void unwind_stack(const ucontext_t *context)
{
    struct walk walk = {.interrupted = interrupted_at(context)};
    _Unwind_Backtrace(visit_frame, &walk);
    if (is_lost(&walk)) follow_frames(&walk);
    /* The unwinder stopped in the handler's frame, so the signal context is used. */
    if (walk.count == 0 && walk.interrupted) buffer[walk.count++] = walk.interrupted;
    buffer_count = walk.count;
}

static void answer_request(unsigned ticket, const ucontext_t *context)
{
    unsigned expected = ticket | ASKED;
    if (!atomic_compare_exchange_strong(&word, &expected, ticket | WRITING)) return;
    unwind_stack(context);
    atomic_store(&word, ticket | DONE);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void rl_backtrace_handle(int number, siginfo_t *info, void *context)
{
    (void)number;
    int saved_errno = errno;
    if (info->si_code == RL_BACKTRACE_REQUEST) {
        rl_backtrace_signal_note_request();
        answer_request((unsigned)info->si_value.sival_int, context);
    } else {
        rl_backtrace_signal_note_stranger(info->si_code > 0 ? 0 : info->si_pid);
    }
    errno = saved_errno;
}

/* The unwinder's first call may load a library and allocate, so it is made outside of a handler. */
static _Unwind_Reason_Code visit_nothing(struct _Unwind_Context *context, void *info)
{
    (void)context, (void)info;
    return _URC_NO_REASON;
}

/* Runs in the child of a fork, where the thread that was taking a backtrace may not exist. */
static void forget_backtraces(void)
{
    pthread_mutex_init(&one_at_a_time, NULL);
    atomic_store(&word, atomic_load(&word) / TICKET * TICKET);
}

static void set_up_backtraces(void)
{
    _Unwind_Backtrace(visit_nothing, NULL);
    pthread_atfork(NULL, NULL, forget_backtraces);
}

/* Returns -EPERM if the thread blocks the signal, which would then stay pending. */
static int check_unblocked(SInt32 thread, int number)
{
    uint64_t blocked = 0;
    int failure = rl_signals_blocked_by(thread, &blocked);
    if (failure) return failure;
    return blocked & rl_signal_bit(number) ? -EPERM : 0;
}

/*
 * Polls for up to ten milliseconds, because a thread blocks all signals briefly while it starts and
 * in some handlers. Returns the same values as check_unblocked.
 */
static int wait_until_unblocked(SInt32 thread, int number)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    int failure = check_unblocked(thread, number);
    for (int tries = 0; failure == -EPERM && tries < 10; tries++) {
        nanosleep(&moment, NULL);
        failure = check_unblocked(thread, number);
    }
    return failure;
}

static void wait_while(unsigned value, const struct timespec *deadline)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, value, deadline, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

static struct timespec moment_after(RLTimeInterval seconds)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    double longest = seconds > 0 ? (seconds < 3600 ? seconds : 3600) : 0;
    long long ns = moment.tv_nsec + (long long)(longest * 1e9);
    moment.tv_sec += ns / 1000000000;
    moment.tv_nsec = ns % 1000000000;
    return moment;
}

static bool is_past(const struct timespec *moment)
{
    struct timespec now = moment_after(0);
    return now.tv_sec > moment->tv_sec ||
           (now.tv_sec == moment->tv_sec && now.tv_nsec >= moment->tv_nsec);
}

/* Returns false if the handler has not started before the time limit. */
static bool wait_for_answer(unsigned ticket, RLTimeInterval seconds)
{
    struct timespec deadline = moment_after(seconds);
    for (;;) {
        unsigned value = atomic_load(&word);
        if (value == (ticket | DONE)) return true;
        /* A handler that has started will finish. It owns the buffer until then. */
        bool is_written = value == (ticket | WRITING);
        if (!is_written && is_past(&deadline)) {
            unsigned expected = ticket | ASKED;
            if (atomic_compare_exchange_strong(&word, &expected, ticket | IDLE)) return false;
            continue;
        }
        wait_while(value, is_written ? NULL : &deadline);
    }
}

static RLIndex take_backtrace(SInt32 thread, int number, const void **frames, RLIndex capacity,
                              RLTimeInterval seconds)
{
    int failure = wait_until_unblocked(thread, number);
    if (failure) return failure;
    unsigned ticket = (atomic_load(&word) / TICKET + 1) * TICKET;
    atomic_store(&word, ticket | ASKED);
    failure = rl_backtrace_signal_send(thread, number, ticket);
    if (failure) {
        atomic_store(&word, ticket | IDLE);
        return failure;
    }
    if (!wait_for_answer(ticket, seconds)) return -ETIMEDOUT;
    RLIndex count = buffer_count < capacity ? buffer_count : capacity;
    if (count > 0) memcpy(frames, buffer, (size_t)count * sizeof *frames);
    return count < 0 ? 0 : count;
}

RLIndex RLThreadGetBacktrace(SInt32 thread, const void **frames, RLIndex capacity,
                             RLTimeInterval seconds)
{
    RL_UNCANCELED_HERE;
    pthread_once(&once, set_up_backtraces);
    pthread_mutex_lock(&one_at_a_time);
    int number = rl_backtrace_signal_borrow();
    RLIndex count = number < 0 ? number : take_backtrace(thread, number, frames, capacity, seconds);
    rl_backtrace_signal_return();
    pthread_mutex_unlock(&one_at_a_time);
    return count;
}

UInt64 RLThreadGetProcessorTime(SInt32 thread)
{
    /* The kernel's id of a thread's CPU clock. clock_getcpuclockid(3) only supports processes. */
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | PER_THREAD | SCHEDULED);
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return 0;
    return (UInt64)time.tv_sec * 1000000000 + (UInt64)time.tv_nsec;
}
