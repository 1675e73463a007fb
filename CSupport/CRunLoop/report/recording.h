/*
 * A recording: a ring buffer of what one loop did. The loop's thread writes, any thread reads, and
 * neither ever waits for the other.
 *
 * Each slot has a stamp: odd while the slot is being written, then twice the number of the entry
 * and two. The writer makes the stamp odd before it touches the words and even after it; a reader
 * takes the stamp, the words and the stamp again, and keeps what it read only if both stamps are
 * those of the entry that it wants. So an entry that is overwritten meanwhile is counted as lost
 * and never seen in parts. All words are atomic, without an order among them.
 */

#ifndef RL_RECORDING_H
#define RL_RECORDING_H

#include "base/object.h"

#include <CRunLoop/RLRunLoopTracer.h>

#include <bsd/sys/queue.h>

struct rl_loop;
struct rl_mode;
struct rl_tracer;

struct rl_recording_slot {
    atomic_uint_fast64_t stamp;
    atomic_uint_fast64_t words[5];
};

/* A mode that entries name; never changed after it has been linked. */
struct rl_recording_mode {
    const struct rl_mode *mode;
    RLStringRef name;
    SInt32 number;
    struct rl_recording_mode *next;
};

/* The number of nested callbacks and runs whose durations the writer measures. */
enum { RL_RECORDING_DEPTH = 32 };

/* A callback or a run that has begun. */
struct rl_recording_span {
    uint64_t began_ns;
    RLRunLoopPhase phase;
};

struct rl_recording {
    struct rl_object object;
    /* The tracer, not retained, and the place in its list. The lock of all tracers guards both. */
    struct rl_tracer *tracer;
    TAILQ_ENTRY(rl_recording) link;
    /* Not retained; null when the loop is not traced any more. Guarded by the same lock. */
    struct rl_loop *loop;
    /* Set once, as are the fields up to `ended_ns`. */
    SInt32 thread_id;
    bool is_main;
    /* Callbacks and runs only, without activities, sleeps and wake-ups. */
    bool is_of_callouts;
    uint64_t began_ns;
    /* 0 while the loop is traced. */
    atomic_uint_fast64_t ended_ns;
    /* Guarded by the lock of all tracers. */
    char thread_name[16];
    /* The modes met, the latest first. Only the writer adds. */
    _Atomic(struct rl_recording_mode *) modes;
    /* Only the writer: what is open. */
    struct rl_recording_span open[RL_RECORDING_DEPTH];
    unsigned depth;
    uint64_t sleep_began_ns;
    uint64_t last_ns;
    /* The number of entries written. */
    atomic_uint_fast64_t count;
    uint64_t mask;
    struct rl_recording_slot *slots;
};

/* Returns a new recording, which the caller owns. `capacity` is a power of two. */
struct rl_recording *rl_recording_create(struct rl_loop *loop, uint64_t capacity,
                                         bool is_of_callouts);

/* Writes an entry with the time that was read last. Ignores its number, time and mode. */
void rl_recording_write(struct rl_recording *recording, const struct rl_mode *mode,
                        const RLRunLoopTraceEntry *entry);

/* Opens and closes a span; the result of closing is empty if tracing began within it. */
void rl_recording_open(struct rl_recording *recording, RLRunLoopPhase phase);
struct rl_recording_span rl_recording_close(struct rl_recording *recording);

#endif
