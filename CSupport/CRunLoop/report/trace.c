/* Only the loop's thread writes entries. It takes at most the loop's lock, for a descriptor. */

#include "loop/report.h"

#include "base/kernel.h"
#include "loop/block_entry.h"
#include "loop/own_loop.h"
#include "report/recording.h"

atomic_uint rl_trace_count;

/*
 * Returns the recording or null. The recording is not freed before release_recording: a thread that
 * stops the tracing clears the pointer, and then waits while `is_recording` is set. Both threads
 * write first and then read, with sequential consistency. So the stopping thread sees the flag, or
 * the writer sees the null pointer.
 */
static struct rl_recording *hold_recording(struct rl_loop *loop)
{
    atomic_store(&loop->is_recording, true);
    struct rl_recording *recording = atomic_load(&loop->recording);
    if (!recording) atomic_store_explicit(&loop->is_recording, false, memory_order_release);
    return recording;
}

static void release_recording(struct rl_loop *loop)
{
    atomic_store_explicit(&loop->is_recording, false, memory_order_release);
}

/* Returns null if only callbacks and runs are recorded. */
static struct rl_recording *hold_full_recording(struct rl_loop *loop)
{
    struct rl_recording *recording = hold_recording(loop);
    if (!recording || !recording->is_of_callouts) return recording;
    release_recording(loop);
    return NULL;
}

/* Returns the current mode or, if the loop is not running, the mode that a host serves. */
static const struct rl_mode *mode_of(struct rl_loop *loop)
{
    const struct rl_mode *mode = atomic_load_explicit(&loop->current_mode, memory_order_relaxed);
    return mode ? mode : loop->host_mode;
}

static uint64_t note_time(struct rl_recording *recording)
{
    recording->last_ns = (uint64_t)rl_kernel_monotonic_ns();
    return recording->last_ns;
}

/* Returns 0 if the moment is unknown. */
static uint64_t duration_since(const struct rl_recording *recording, uint64_t began_ns)
{
    return began_ns == 0 ? 0 : recording->last_ns - began_ns;
}

static void write_entry(struct rl_loop *loop, struct rl_recording *recording,
                        const RLRunLoopTraceEntry *entry)
{
    rl_recording_write(recording, mode_of(loop), entry);
}

void rl_trace_begin_callout_slow(struct rl_loop *loop, RLRunLoopPhase phase, const void *function,
                                 const void *object)
{
    struct rl_recording *recording = hold_recording(loop);
    if (!recording) return;
    note_time(recording);
    recording->sleep_began_ns = 0;
    rl_recording_open(recording, phase);
    bool is_block = phase == kRLRunLoopPhaseBlock;
    write_entry(loop, recording,
                &(RLRunLoopTraceEntry){
                    .kind = kRLRunLoopTraceCalloutBegin,
                    .phase = phase,
                    .function = function,
                    .object = object,
                    .captured = is_block ? rl_block_entry_captured_by(object) : NULL,
                });
    release_recording(loop);
}

void rl_trace_end_callout_slow(struct rl_loop *loop)
{
    struct rl_recording *recording = hold_recording(loop);
    if (!recording) return;
    note_time(recording);
    struct rl_recording_span span = rl_recording_close(recording);
    write_entry(
        loop, recording,
        &(RLRunLoopTraceEntry){
            .kind = kRLRunLoopTraceCalloutEnd,
            .phase = span.phase,
            .duration = duration_since(recording, span.began_ns),
            .function = atomic_load_explicit(&loop->statistics.callout, memory_order_relaxed),
        });
    release_recording(loop);
}

static void note_function(const void *function, const void *captured)
{
    struct rl_loop *loop = rl_own_loop;
    struct rl_recording *recording = loop ? hold_recording(loop) : NULL;
    if (!recording) return;
    note_time(recording);
    write_entry(loop, recording,
                &(RLRunLoopTraceEntry){
                    .kind = kRLRunLoopTraceCalloutFunction,
                    .function = function,
                    .captured = captured,
                });
    release_recording(loop);
}

void rl_trace_block_slow(const void *block)
{
    note_function(rl_block_function_of(block), rl_block_captured_by(block));
}

void RLRunLoopNoteCalloutFunction(const void *function)
{
    if (atomic_load_explicit(&rl_trace_count, memory_order_relaxed) == 0) return;
    note_function(function, NULL);
}

void rl_trace_sleep_slow(struct rl_loop *loop)
{
    struct rl_recording *recording = hold_full_recording(loop);
    if (!recording) return;
    recording->sleep_began_ns = note_time(recording);
    write_entry(loop, recording, &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceSleep});
    release_recording(loop);
}

static int descriptor_of_slot(struct rl_loop *loop, const struct rl_mode *mode, uint32_t slot)
{
    if (!mode) return -1;
    rl_lock(&loop->lock);
    int fd = rl_wait_set_slot_state(&mode->wait_set, slot).fd;
    rl_unlock(&loop->lock);
    return fd;
}

void rl_trace_wake_up_slow(struct rl_loop *loop, RLRunLoopWakeReason reason, uint32_t slot)
{
    struct rl_recording *recording = hold_full_recording(loop);
    if (!recording) return;
    note_time(recording);
    bool has_descriptor = reason == kRLRunLoopWakeReasonDescriptor;
    write_entry(
        loop, recording,
        &(RLRunLoopTraceEntry){
            .kind = kRLRunLoopTraceWakeUp,
            .reason = reason,
            .duration = duration_since(recording, recording->sleep_began_ns),
            .descriptor = has_descriptor ? descriptor_of_slot(loop, mode_of(loop), slot) : 0,
        });
    recording->sleep_began_ns = 0;
    release_recording(loop);
}

/* The activities Entry and Exit also trace the beginning and the end of the run. */
void rl_trace_begin_activity_slow(struct rl_loop *loop, RLRunLoopActivity activity)
{
    bool is_run = activity == kRLRunLoopEntry;
    struct rl_recording *recording = is_run ? hold_recording(loop) : hold_full_recording(loop);
    if (!recording) return;
    note_time(recording);
    recording->sleep_began_ns = 0;
    if (is_run) {
        rl_recording_open(recording, kRLRunLoopPhaseRunning);
        write_entry(loop, recording, &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceRunBegin});
    }
    if (!recording->is_of_callouts) {
        write_entry(loop, recording,
                    &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceActivity, .activity = activity});
    }
    release_recording(loop);
}

void rl_trace_end_activity_slow(struct rl_loop *loop, RLRunLoopActivity activity)
{
    if (activity != kRLRunLoopExit) return;
    struct rl_recording *recording = hold_recording(loop);
    if (!recording) return;
    note_time(recording);
    struct rl_recording_span span = rl_recording_close(recording);
    write_entry(loop, recording,
                &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceRunEnd,
                                       .duration = duration_since(recording, span.began_ns)});
    release_recording(loop);
}
