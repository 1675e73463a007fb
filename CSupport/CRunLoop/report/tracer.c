/* One lock guards all tracers. It is the outermost lock. A running loop never takes it. */

#include "loop/report.h"

#include "base/fork.h"
#include "base/kernel.h"
#include "base/swift_counts.h"
#include "report/recording.h"
#include "run/thread_end.h"

#include <sched.h>
#include <stdlib.h>

TAILQ_HEAD(rl_recording_list, rl_recording);

enum {
    LEAST_CAPACITY = 64,
    MOST_CAPACITY = 1 << 24,
    /* A tracer keeps at most this number of ended recordings. */
    MOST_ENDED = 256
};

struct rl_tracer {
    struct rl_object object;
    uint64_t capacity;
    bool is_of_callouts;
    /* The lock of all tracers guards this field and the following fields. */
    struct rl_recording_list recordings;
    size_t recording_count;
    size_t ended_count;
    uint64_t dropped_count;
};

static struct {
    struct rl_lock lock;
    /* The tracer of all current and future loops; not retained. Changes with the lock held. */
    _Atomic(struct rl_tracer *) of_all;
} tracing;

static struct rl_tracer *checked_tracer(RLRunLoopTracerRef tracer, const char *function)
{
    rl_expect(tracer, RL_TYPE_TRACER, function, "tracer");
    return (struct rl_tracer *)(void *)tracer;
}

static RLRunLoopTracerRef make_tracer(RLIndex capacity, bool is_of_callouts)
{
    struct rl_tracer *tracer = rl_object_create(RL_TYPE_TRACER, sizeof *tracer);
    tracer->is_of_callouts = is_of_callouts;
    tracer->capacity = LEAST_CAPACITY;
    while ((RLIndex)tracer->capacity < capacity && tracer->capacity < MOST_CAPACITY) {
        tracer->capacity *= 2;
    }
    TAILQ_INIT(&tracer->recordings);
    return (RLRunLoopTracerRef)(void *)tracer;
}

RLRunLoopTracerRef RLRunLoopTracerCreate(RLAllocatorRef allocator, RLIndex capacity)
{
    (void)allocator;
    return make_tracer(capacity, false);
}

RLRunLoopTracerRef RLRunLoopTracerCreateForCallouts(RLAllocatorRef allocator, RLIndex capacity)
{
    (void)allocator;
    return make_tracer(capacity, true);
}

static void drop_one(struct rl_tracer *tracer)
{
    struct rl_recording *oldest = TAILQ_FIRST(&tracer->recordings);
    while (oldest->loop) oldest = TAILQ_NEXT(oldest, link);
    TAILQ_REMOVE(&tracer->recordings, oldest, link);
    tracer->recording_count--;
    tracer->ended_count--;
    tracer->dropped_count++;
    RLRelease(oldest);
}

/* Call this with the loop locked. */
static void want_activities(struct rl_loop *loop, const struct rl_recording *recording,
                            bool is_wanted)
{
    const RLOptionFlags of_tracers = RL_OBSERVED_BY_TRACER | RL_RUNS_OBSERVED_BY_TRACER;
    RLOptionFlags observes =
        recording->is_of_callouts ? RL_RUNS_OBSERVED_BY_TRACER : RL_OBSERVED_BY_TRACER;
    loop->traced_activities = is_wanted ? observes : 0;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        atomic_fetch_and(&mode->observed, ~of_tracers);
        atomic_fetch_or(&mode->observed, loop->traced_activities);
    }
}

static bool attach_recording(struct rl_tracer *tracer, struct rl_loop *loop)
    RL_REQUIRES(tracing.lock)
{
    struct rl_recording *current = atomic_load(&loop->recording);
    if (current) return current->tracer == tracer;
    rl_lock(&loop->lock);
    bool is_over = loop->is_torn_down;
    if (!is_over) {
        struct rl_recording *recording =
            rl_recording_create(loop, tracer->capacity, tracer->is_of_callouts);
        recording->tracer = tracer;
        TAILQ_INSERT_TAIL(&tracer->recordings, recording, link);
        tracer->recording_count++;
        loop->was_traced = true;
        atomic_store(&loop->recording, recording);
        want_activities(loop, recording, true);
        atomic_fetch_add(&rl_trace_count, 1);
    }
    rl_unlock(&loop->lock);
    return !is_over;
}

static void detach_recording(struct rl_recording *recording) RL_REQUIRES(tracing.lock)
{
    struct rl_loop *loop = recording->loop;
    struct rl_tracer *tracer = recording->tracer;
    atomic_store(&loop->recording, NULL);
    rl_lock(&loop->lock);
    want_activities(loop, recording, false);
    rl_unlock(&loop->lock);
    /* A thread that writes an entry needs at most the loop's lock, so this wait ends. */
    while (atomic_load(&loop->is_recording)) sched_yield();
    atomic_store(&recording->ended_ns, (uint64_t)rl_kernel_monotonic_ns());
    recording->loop = NULL;
    atomic_fetch_sub(&rl_trace_count, 1);
    if (++tracer->ended_count > MOST_ENDED) drop_one(tracer);
}

static void stop_all(struct rl_tracer *tracer) RL_REQUIRES(tracing.lock)
{
    if (atomic_load(&tracing.of_all) == tracer) atomic_store(&tracing.of_all, NULL);
    struct rl_recording *recording, *next;
    TAILQ_FOREACH_SAFE(recording, &tracer->recordings, link, next) {
        if (recording->loop) detach_recording(recording);
    }
}

Boolean RLRunLoopTracerStart(RLRunLoopTracerRef tracer, RLRunLoopRef loop)
{
    struct rl_tracer *self = checked_tracer(tracer, __func__);
    struct rl_loop *traced = rl_loop_checked(loop, __func__);
    rl_lock(&tracing.lock);
    bool is_traced = attach_recording(self, traced);
    rl_unlock(&tracing.lock);
    return is_traced;
}

Boolean RLRunLoopTracerStartAll(RLRunLoopTracerRef tracer)
{
    struct rl_tracer *self = checked_tracer(tracer, __func__);
    rl_lock(&tracing.lock);
    struct rl_tracer *other = atomic_load(&tracing.of_all);
    bool is_taken = other && other != self;
    if (!is_taken) atomic_store(&tracing.of_all, self);
    rl_unlock(&tracing.lock);
    if (is_taken) return false;
    /* A loop that enters the loop table after this call checks `of_all` itself. */
    RLArrayRef loops = RLRunLoopCopyAllLoops();
    rl_lock(&tracing.lock);
    bool is_still_wanted = atomic_load(&tracing.of_all) == self;
    for (RLIndex i = 0; is_still_wanted && i < RLArrayGetCount(loops); i++) {
        attach_recording(self, (struct rl_loop *)(uintptr_t)RLArrayGetValueAtIndex(loops, i));
    }
    rl_unlock(&tracing.lock);
    RLRelease(loops);
    return true;
}

void RLRunLoopTracerStop(RLRunLoopTracerRef tracer, RLRunLoopRef loop)
{
    const struct rl_tracer *self = checked_tracer(tracer, __func__);
    struct rl_loop *traced = rl_loop_checked(loop, __func__);
    rl_lock(&tracing.lock);
    struct rl_recording *recording = atomic_load(&traced->recording);
    if (recording && recording->tracer == self) detach_recording(recording);
    rl_unlock(&tracing.lock);
}

void RLRunLoopTracerStopAll(RLRunLoopTracerRef tracer)
{
    struct rl_tracer *self = checked_tracer(tracer, __func__);
    rl_lock(&tracing.lock);
    stop_all(self);
    rl_unlock(&tracing.lock);
}

RLArrayRef RLRunLoopTracerCopyRecordings(RLRunLoopTracerRef tracer)
{
    struct rl_tracer *self = checked_tracer(tracer, __func__);
    rl_lock(&tracing.lock);
    const void **values = rl_allocate_list(self->recording_count, sizeof values[0]);
    RLIndex count = 0;
    struct rl_recording *recording;
    TAILQ_FOREACH(recording, &self->recordings, link) {
        values[count++] = recording;
    }
    RLArrayRef array = RLArrayCreate(kRLAllocatorDefault, values, count, &kRLTypeArrayCallBacks);
    rl_unlock(&tracing.lock);
    free(values);
    return array;
}

UInt64 RLRunLoopTracerGetDroppedCount(RLRunLoopTracerRef tracer)
{
    const struct rl_tracer *self = checked_tracer(tracer, __func__);
    rl_lock(&tracing.lock);
    uint64_t count = self->dropped_count;
    rl_unlock(&tracing.lock);
    return count;
}

void RLRunLoopRecordingGetInfo(RLRunLoopRecordingRef recording, RLRunLoopRecordingInfo *info)
{
    rl_expect(recording, RL_TYPE_RECORDING, __func__, "recording");
    if (!info) rl_client_error(__func__, "argument `info` must not be null");
    const struct rl_recording *self = (const struct rl_recording *)(void *)recording;
    *info = (RLRunLoopRecordingInfo){
        .threadID = self->thread_id,
        .isMain = self->is_main,
        .began = self->began_ns,
        .ended = atomic_load(&self->ended_ns),
        .entryCount = atomic_load_explicit(&self->count, memory_order_acquire),
        .capacity = (RLIndex)(self->mask + 1),
    };
    rl_lock(&tracing.lock);
    memcpy(info->threadName, self->thread_name, sizeof info->threadName);
    rl_unlock(&tracing.lock);
}

static void destroy_tracer(struct rl_object *object)
{
    struct rl_tracer *tracer = (struct rl_tracer *)object;
    rl_lock(&tracing.lock);
    stop_all(tracer);
    rl_unlock(&tracing.lock);
    struct rl_recording *recording;
    while ((recording = TAILQ_FIRST(&tracer->recordings))) {
        TAILQ_REMOVE(&tracer->recordings, recording, link);
        RLRelease(recording);
    }
    rl_object_free(object);
}

static RLStringRef describe_tracer(RLTypeRef object)
{
    return rl_string_format("<RLRunLoopTracer %p>", object);
}

static const struct rl_class tracer_class = {
    .name = "RLRunLoopTracer",
    .destroy = destroy_tracer,
    .copy_description = describe_tracer,
};

RL_REGISTER_CLASS(RLRunLoopTracer, RL_TYPE_TRACER, tracer_class)
RL_DEFINE_SWIFT_COUNTS(tracer, RLRunLoopTracerRef)

/* --- Called by loops -------------------------------------------------------------------------- */

void rl_trace_loop_made(struct rl_loop *loop)
{
    if (RL_LIKELY(!atomic_load(&tracing.of_all))) return;
    rl_lock(&tracing.lock);
    struct rl_tracer *tracer = atomic_load(&tracing.of_all);
    if (tracer) attach_recording(tracer, loop);
    rl_unlock(&tracing.lock);
}

void rl_trace_loop_ended(struct rl_loop *loop)
{
    /*
     * The loop is closed, so no tracing can begin. Another thread may be stopping the tracing: it
     * may have cleared the pointer, but not finished.
     */
    if (RL_LIKELY(!loop->was_traced)) return;
    rl_lock(&tracing.lock);
    struct rl_recording *recording = atomic_load(&loop->recording);
    if (recording) {
        /* When the thread has ended, its name is lost, so this stores the name. */
        if (rl_loop_is_current(loop)) rl_kernel_get_thread_name(recording->thread_name);
        recording->last_ns = (uint64_t)rl_kernel_monotonic_ns();
        rl_recording_write(recording, NULL,
                           &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceThreadEnd});
        detach_recording(recording);
    }
    rl_unlock(&tracing.lock);
}

RL_REGISTER_THREAD_END(RL_END_TRACE, rl_trace_loop_ended)

/* Takes the outermost lock first, before the locks of the loops. */
static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&tracing.lock);
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&tracing.lock);
}

RL_REGISTER_FORK_TABLE(40, prepare_fork, unlock_after_fork, unlock_after_fork)
