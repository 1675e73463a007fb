/*
 * The heartbeat of a loop. Only the loop's thread writes the heartbeat, in two observers: the first
 * of all observers writes at the start of work, and the last of all observers at the end of work.
 * `version` makes the fields a sequence lock: a reader retries if the version is odd or has changed
 * during the read.
 */

#define _GNU_SOURCE

#include "signal_use.h"

#include <CRunLoopDiagnostics.h>

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct RLHeartbeat {
    atomic_int references;
    RLRunLoopRef loop;
    RLRunLoopObserverRef observers[2];
    uint64_t threshold_ns;
    /* Twice the number of the stretch; odd while the fields below are being changed. */
    atomic_uint_fast64_t version;
    atomic_uint_fast64_t began_ns;
    atomic_ulong activity;
    /*
     * The number of slow stretches now, and the number when the loop last became idle without
     * another slow stretch.
     */
    atomic_uint_fast64_t slow, slow_before;
    /* The number of the stretch that a reader follows, and its duration. */
    atomic_uint_fast64_t followed, followed_ns;
    /* Only the loop's thread uses these. `depth` counts nested runs. */
    unsigned depth;
    uint64_t slow_when_idle;
    /* The signal, and the value of `blockings`, when the thread last checked its mask. */
    int signal;
    unsigned blockings;
    /* The signal that this heartbeat has unblocked, or 0. RLHeartbeatStop reads it. */
    atomic_int blocked_signal;
};

/* The number of heartbeats that were stopped and have blocked the signal again in this thread. */
static _Thread_local unsigned blockings;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t load_count(const atomic_uint_fast64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void store_count(atomic_uint_fast64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_relaxed);
}

static void note_beat(struct RLHeartbeat *self, RLRunLoopActivity activity, bool is_idle)
{
    uint64_t version = load_count(&self->version);
    uint64_t began = load_count(&self->began_ns);
    uint64_t now = now_ns();
    atomic_store_explicit(&self->version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    if (began != 0) {
        uint64_t stretch = version / 2, took_ns = now - began;
        if (took_ns >= self->threshold_ns) store_count(&self->slow, load_count(&self->slow) + 1);
        if (load_count(&self->followed) == stretch) store_count(&self->followed_ns, took_ns);
    }
    if (is_idle) {
        uint64_t slow = load_count(&self->slow);
        if (slow == self->slow_when_idle) store_count(&self->slow_before, slow);
        self->slow_when_idle = slow;
    }
    store_count(&self->began_ns, is_idle ? 0 : now);
    atomic_store_explicit(&self->activity, activity, memory_order_relaxed);
    atomic_store_explicit(&self->version, version + 2, memory_order_release);
}

static sigset_t set_of(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

/* If the thread blocks only a few signals, it keeps the backtrace signal blocked. */
static void unblock_signal(struct RLHeartbeat *self)
{
    int signal = RLBacktraceGetSignal();
    if (signal == self->signal && blockings == self->blockings) return;
    self->signal = signal;
    self->blockings = blockings;
    if (signal == 0 || !rl_thread_blocks_wholesale()) return;
    sigset_t only = set_of(signal), before;
    pthread_sigmask(SIG_UNBLOCK, &only, &before);
    if (sigismember(&before, signal) == 1) atomic_store(&self->blocked_signal, signal);
}

/* The change of `blockings` makes the other heartbeats of the loop unblock the signal again. */
static void block_signal(void *info)
{
    sigset_t only = set_of((int)(intptr_t)info);
    pthread_sigmask(SIG_BLOCK, &only, NULL);
    blockings++;
    /* Otherwise a run with only this block would sleep in its empty mode (BLK-12). */
    RLRunLoopWakeUp(RLRunLoopGetCurrent());
}

static void begin_work(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    struct RLHeartbeat *self = info;
    unblock_signal(self);
    /* If the observers are added during a run, they miss the run's Entry activity. */
    if (activity == kRLRunLoopEntry || self->depth == 0) self->depth++;
    note_beat(self, activity, false);
}

static void end_work(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    struct RLHeartbeat *self = info;
    if (activity == kRLRunLoopExit && self->depth > 0) self->depth--;
    /* After a nested run, the callback that started it is still running. */
    note_beat(self, activity, activity != kRLRunLoopExit || self->depth == 0);
}

static const void *retain_info(const void *info)
{
    return RLHeartbeatRetain((RLHeartbeatRef)(uintptr_t)info);
}

static void release_info(const void *info)
{
    RLHeartbeatRelease((RLHeartbeatRef)(uintptr_t)info);
}

RLHeartbeatRef RLHeartbeatCreate(RLRunLoopRef loop, UInt64 threshold_ns)
{
    struct RLHeartbeat *self = calloc(1, sizeof *self);
    if (!self) abort();
    atomic_init(&self->references, 1);
    atomic_init(&self->followed, UINT64_MAX);
    self->loop = (RLRunLoopRef)(uintptr_t)RLRetain(loop);
    self->threshold_ns = threshold_ns;
    RLRunLoopObserverContext context = {
        .info = self, .retain = retain_info, .release = release_info};
    self->observers[0] = RLRunLoopObserverCreate(
        kRLAllocatorDefault, kRLRunLoopEntry | kRLRunLoopBeforeSources | kRLRunLoopAfterWaiting,
        true, LONG_MIN, begin_work, &context);
    self->observers[1] =
        RLRunLoopObserverCreate(kRLAllocatorDefault, kRLRunLoopBeforeWaiting | kRLRunLoopExit, true,
                                LONG_MAX, end_work, &context);
    return self;
}

RLHeartbeatRef RLHeartbeatRetain(RLHeartbeatRef heartbeat)
{
    atomic_fetch_add_explicit(&heartbeat->references, 1, memory_order_relaxed);
    return heartbeat;
}

void RLHeartbeatRelease(RLHeartbeatRef heartbeat)
{
    if (atomic_fetch_sub_explicit(&heartbeat->references, 1, memory_order_acq_rel) != 1) return;
    for (int i = 0; i < 2; i++) RLRelease(heartbeat->observers[i]);
    RLRelease(heartbeat->loop);
    free(heartbeat);
}

void RLHeartbeatObserve(RLHeartbeatRef heartbeat, RLRunLoopMode mode)
{
    for (int i = 0; i < 2; i++) {
        RLRunLoopAddObserver(heartbeat->loop, heartbeat->observers[i], mode);
    }
}

void RLHeartbeatStop(RLHeartbeatRef heartbeat)
{
    for (int i = 0; i < 2; i++) RLRunLoopObserverInvalidate(heartbeat->observers[i]);
    int signal = atomic_exchange(&heartbeat->blocked_signal, 0);
    /* If the thread has ended, nothing is left to restore. */
    if (signal == 0 || RLRunLoopHasEnded(heartbeat->loop)) return;
    RLRunLoopPerformFunction(heartbeat->loop, kRLRunLoopCommonModes, block_signal,
                             (void *)(intptr_t)signal);
}

RLHeartbeatReading RLHeartbeatRead(RLHeartbeatRef heartbeat)
{
    for (;;) {
        uint64_t version = atomic_load_explicit(&heartbeat->version, memory_order_acquire);
        RLHeartbeatReading reading = {
            .stretch = version / 2,
            .began_ns = load_count(&heartbeat->began_ns),
            .activity = atomic_load_explicit(&heartbeat->activity, memory_order_relaxed),
            .slow = load_count(&heartbeat->slow),
            .slow_before = load_count(&heartbeat->slow_before),
            .followed_ns = load_count(&heartbeat->followed_ns),
        };
        atomic_thread_fence(memory_order_acquire);
        bool is_whole = version % 2 == 0 && version == load_count(&heartbeat->version);
        if (is_whole) return reading;
    }
}

void RLHeartbeatFollow(RLHeartbeatRef heartbeat, UInt64 stretch)
{
    store_count(&heartbeat->followed_ns, 0);
    store_count(&heartbeat->followed, stretch);
}
