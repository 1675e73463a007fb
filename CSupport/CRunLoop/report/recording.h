/*
 * A recording: a ring buffer of the events of one loop. The loop's thread writes, any thread reads,
 * and neither waits for the other.
 *
 * Each slot has a stamp: odd while the slot is being written, then twice the number of the entry
 * and two. The writer makes the stamp odd before it writes the words and even after it. A reader
 * reads the stamp, the words and the stamp again, and discards the words unless both stamps are the
 * requested entry's. So an entry that is overwritten meanwhile is counted as lost and never read in
 * parts. All words are atomic, without an order among them.
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

/* A mode of some entries; constant after it has been linked. */
struct rl_recording_mode {
    const struct rl_mode *mode;
    RLStringRef name;
    SInt32 number;
    struct rl_recording_mode *next;
};

/* The number of nested callbacks and runs whose durations the writer measures. */
enum { RL_RECORDING_DEPTH = 32 };

/* A callback or a run that has not ended. */
struct rl_recording_span {
    uint64_t began_ns;
    RLRunLoopPhase phase;
};

struct rl_recording {
    struct rl_object object;
    /* The tracer, not retained, and its list. The lock of all tracers guards both. */
    struct rl_tracer *tracer;
    TAILQ_ENTRY(rl_recording) link;
    /* Not retained; null after the end of the tracing. Guarded by the same lock. */
    struct rl_loop *loop;
    /* Set once, like the next fields up to `ended_ns`. */
    SInt32 thread_id;
    bool is_main;
    /* Callbacks and runs only, without activities, sleeps and wake-ups. */
    bool is_of_callouts;
    uint64_t began_ns;
    /* 0 while the loop is traced. */
    atomic_uint_fast64_t ended_ns;
    /* Guarded by the lock of all tracers. */
    char thread_name[16];
    /* The modes of the entries, the newest first. Only the writer adds. */
    _Atomic(struct rl_recording_mode *) modes;
    /* The open spans. Only for the writer. */
    struct rl_recording_span open[RL_RECORDING_DEPTH];
    unsigned depth;
    uint64_t sleep_began_ns;
    uint64_t last_ns;
    atomic_uint_fast64_t count;
    uint64_t mask;
    struct rl_recording_slot *slots;
};

/* Returns a new recording, which the caller owns. `capacity` is a power of two. */
struct rl_recording *rl_recording_create(struct rl_loop *loop, uint64_t capacity,
                                         bool is_of_callouts);

/*
 * Writes an entry with the time of the last clock reading. Ignores the entry's own number, time and
 * mode.
 */
void rl_recording_write(struct rl_recording *recording, const struct rl_mode *mode,
                        const RLRunLoopTraceEntry *entry);

/* Open and close a span. The result of closing is empty if tracing began within the span. */
void rl_recording_open(struct rl_recording *recording, RLRunLoopPhase phase);
struct rl_recording_span rl_recording_close(struct rl_recording *recording);

#endif
