/*
 * A recording is a ring buffer of the events of one loop. The loop's thread writes it, any thread
 * may read it, and neither waits for the other.
 *
 * Each slot has a stamp, which works as a sequence lock: the stamp is odd while the slot is being
 * written, and 2 * (entry number) + 2 afterwards. A reader reads the stamp, the words, and the
 * stamp again. Unless both stamps belong to the requested entry, the reader counts the entry as
 * lost. The words are relaxed atomics.
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

/* A mode that entries refer to. It does not change after it is added to the list. */
struct rl_recording_mode {
    const struct rl_mode *mode;
    RLStringRef name;
    SInt32 number;
    struct rl_recording_mode *next;
};

/* Durations are measured up to this depth of callbacks and runs. */
enum { RL_RECORDING_DEPTH = 32 };

/* A callback or run that has begun and not ended. */
struct rl_recording_span {
    uint64_t began_ns;
    RLRunLoopPhase phase;
};

struct rl_recording {
    struct rl_object object;
    /* The tracer is not retained. The lock of all tracers guards this field and `link`. */
    struct rl_tracer *tracer;
    TAILQ_ENTRY(rl_recording) link;
    /* Not retained; null when tracing has ended. The lock of all tracers guards this. */
    struct rl_loop *loop;
    /* This field and the fields up to `ended_ns` are set once. */
    SInt32 thread_id;
    bool is_main;
    /* If true, activities, sleeps and wake-ups are not recorded. */
    bool is_of_callouts;
    uint64_t began_ns;
    /* The moment at which the recording ended; 0 while the loop is traced. */
    atomic_uint_fast64_t ended_ns;
    /* Guarded by the lock of all tracers. */
    char thread_name[16];
    /* A list of modes, the newest first. Only the writer adds modes. */
    _Atomic(struct rl_recording_mode *) modes;
    /* Only the writer uses the spans. */
    struct rl_recording_span open[RL_RECORDING_DEPTH];
    unsigned depth;
    uint64_t sleep_began_ns;
    uint64_t last_ns;
    atomic_uint_fast64_t count;
    uint64_t mask;
    struct rl_recording_slot *slots;
};

/* `capacity` must be a power of two. The caller releases the recording. */
struct rl_recording *rl_recording_create(struct rl_loop *loop, uint64_t capacity,
                                         bool is_of_callouts);

/* Uses the time of the last clock read. Ignores the number, time and mode in `entry`. */
void rl_recording_write(struct rl_recording *recording, const struct rl_mode *mode,
                        const RLRunLoopTraceEntry *entry);

/* If tracing began within a span, rl_recording_close returns an empty span. */
void rl_recording_open(struct rl_recording *recording, RLRunLoopPhase phase);
struct rl_recording_span rl_recording_close(struct rl_recording *recording);

#endif
