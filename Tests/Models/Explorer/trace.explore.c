/*
 * The ring of a recording, which its loop's thread writes and others read meanwhile; and who frees
 * it, while the loop's thread writes, its thread ends, or others take the recording.
 *
 * Explores: CSupport/CRunLoop/report/recording.c
 * Explores: CSupport/CRunLoop/report/trace.c
 * Explores: CSupport/CRunLoop/report/tracer.c
 * With: CSupport/CRunLoop/base/object.c
 */

#include "explore.h"

#include "base/fork.h"
#include "base/kernel.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "loop/report.h"
#include "report/recording.h"
#include "run/thread_end.h"

#include <stdlib.h>

/* --- What the files call ---------------------------------------------------------------------- */

_Thread_local struct rl_loop *rl_own_loop;
static struct rl_loop *loop;
static struct rl_mode mode;
static bool is_in_table;
static int64_t now_ns;
static RLRunLoopTracerRef tracer;

static void destroy_loop(struct rl_object *object)
{
    explore_check(!loop->recording && !loop->is_recording);
    loop = NULL;
    rl_object_free(object);
}

/* A list of one recording or loop, or of none, which is all that there is. */
struct list {
    struct rl_object object;
    const void *value;
};

static void destroy_list(struct rl_object *object)
{
    const struct list *list = (const struct list *)object;
    if (list->value) RLRelease(list->value);
    rl_object_free(object);
}

static const struct rl_class loop_class = {.name = "loop", .destroy = destroy_loop};
static const struct rl_class list_class = {.name = "list", .destroy = destroy_list};
static const struct rl_class string_class = {.name = "string", .is_constant = true};
void (*rl_thread_end_steps[RL_END_STEPS])(struct rl_loop *loop);

void rl_fork_register(const struct rl_fork_table *table)
{
    (void)table;
}

RL_REGISTER_CLASS(RLString, RL_TYPE_STRING, string_class)
RL_REGISTER_CLASS(RLArray, RL_TYPE_ARRAY, list_class)
RL_REGISTER_CLASS(RLRunLoop, RL_TYPE_LOOP, loop_class)
const RLArrayCallBacks kRLTypeArrayCallBacks;

RLArrayRef RLArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                         const RLArrayCallBacks *callbacks)
{
    (void)allocator;
    (void)callbacks;
    explore_check(count <= 1);
    struct list *list = rl_object_create(RL_TYPE_ARRAY, sizeof *list);
    if (count == 1) list->value = RLRetain(values[0]);
    return (RLArrayRef)(void *)list;
}

RLIndex RLArrayGetCount(RLArrayRef array)
{
    return ((const struct list *)(const void *)array)->value ? 1 : 0;
}

const void *RLArrayGetValueAtIndex(RLArrayRef array, RLIndex index)
{
    explore_check(index == 0);
    return ((const struct list *)(const void *)array)->value;
}

const RLAllocatorRef kRLAllocatorDefault;

RLStringRef RLStringCreateWithFormat(RLAllocatorRef allocator, RLDictionaryRef options,
                                     RLStringRef format, ...)
{
    (void)allocator;
    (void)options;
    return format;
}

/* The table is locked only here and where a loop enters it, so that one step stands for each. */
RLArrayRef RLRunLoopCopyAllLoops(void)
{
    EXPLORE_POINT("looks into the table");
    const void *value = loop;
    return RLArrayCreate(NULL, &value, is_in_table, NULL);
}

int64_t rl_kernel_monotonic_ns(void)
{
    return ++now_ns;
}

void rl_kernel_get_thread_name(char name[16])
{
    name[0] = 'T';
}

bool rl_loop_is_current(const struct rl_loop *asked)
{
    return rl_own_loop == asked;
}

void rl_client_error(const char *function, const char *format, ...)
{
    (void)format;
    explore_fail(function);
}

/* --- The ring --------------------------------------------------------------------------------- */

static void begin(void)
{
    now_ns = 0;
    is_in_table = true;
    loop = rl_allocate_lines(sizeof *loop);
    rl_object_init(&loop->object, RL_TYPE_LOOP);
    TAILQ_INIT(&loop->modes);
    mode = (struct rl_mode){.name = RLSTR("mode"), .loop = loop, .exists = true};
    TAILQ_INSERT_TAIL(&loop->modes, &mode, link);
    loop->current_mode = &mode;
    tracer = RLRunLoopTracerCreate(NULL, 0);
}

static void end(void)
{
    explore_check(rl_trace_count == 0 && mode.observed == 0);
    RLRelease(loop);
    explore_check(!loop);
}

enum { SLOTS = 2, ENTRIES = 3 };

static struct rl_recording *ring;

static void begin_ring(void)
{
    begin();
    RLRelease(tracer);
    ring = rl_recording_create(loop, SLOTS, false);
}

/* Every word of an entry contains its number. */
static void write_ring(void)
{
    for (uintptr_t number = 0; number < ENTRIES; number++) {
        ring->last_ns = number;
        rl_recording_write(ring, &mode,
                           &(RLRunLoopTraceEntry){.kind = kRLRunLoopTraceCalloutBegin,
                                                  .phase = (RLRunLoopPhase)number,
                                                  .function = (const void *)number,
                                                  .object = (const void *)number,
                                                  .captured = (const void *)number});
    }
}

static RLIndex read_ring(RLRunLoopTraceEntry entries[ENTRIES])
{
    RLRunLoopRecordingRef recording = (RLRunLoopRecordingRef)(void *)ring;
    RLIndex count = RLRunLoopRecordingGetEntries(recording, 0, entries, ENTRIES);
    for (RLIndex i = 0; i < count; i++) {
        const RLRunLoopTraceEntry *entry = &entries[i];
        uint64_t number = entry->number;
        explore_check(number < ENTRIES && (i == 0 || number > entries[i - 1].number));
        explore_check(entry->kind == kRLRunLoopTraceCalloutBegin &&
                      entry->phase == (RLRunLoopPhase)number);
        explore_check(entry->time == number && (uintptr_t)entry->function == number);
        explore_check((uintptr_t)entry->object == number && (uintptr_t)entry->captured == number);
        explore_check(RLRunLoopRecordingCopyModeName(recording, entry->mode) == mode.name);
    }
    return count;
}

static void read_once(void)
{
    RLRunLoopTraceEntry entries[ENTRIES];
    read_ring(entries);
}

/* Entries stay until they are overwritten. */
static void end_ring(void)
{
    RLRunLoopTraceEntry entries[ENTRIES];
    explore_check(read_ring(entries) == SLOTS);
    RLRelease(ring);
    end();
}

/* --- Who frees it ----------------------------------------------------------------------------- */

static void begin_traced(void)
{
    begin();
    explore_check(RLRunLoopTracerStart(tracer, rl_loop_ref(loop)));
}

static void call_back(void)
{
    rl_own_loop = loop;
    rl_trace_begin_callout(loop, kRLRunLoopPhaseTimer, NULL, NULL);
    rl_trace_end_callout(loop);
}

/* The effect of run/thread_end.c on a traced loop. */
static void end_thread(void)
{
    rl_own_loop = loop;
    rl_lock(&loop->lock);
    loop->is_torn_down = true;
    rl_unlock(&loop->lock);
    rl_trace_loop_ended(loop);
    explore_check(!loop->recording);
}

static void sleep_once(void)
{
    rl_own_loop = loop;
    rl_trace_sleep(loop);
}

static void sleep_and_end(void)
{
    sleep_once();
    end_thread();
}

/* The thread's reference to the loop is the only one. */
static void sleep_and_release(void)
{
    sleep_and_end();
    RLRelease(loop);
}

static void end_released(void)
{
    explore_check(!loop && rl_trace_count == 0 && mode.observed == 0);
}

static void stop(void)
{
    RLRunLoopTracerStop(tracer, rl_loop_ref(loop));
    RLRelease(tracer);
}

static void start(void)
{
    RLRunLoopTracerStart(tracer, rl_loop_ref(loop));
}

/* A loop whose thread has ended is not traced any more, in any order of events. */
static void end_untraced(void)
{
    explore_check(!loop->recording);
    RLRelease(tracer);
    end();
}

static void begin_owned_by_two(void)
{
    begin_traced();
    RLRetain(tracer);
}

static void release(void)
{
    RLRelease(tracer);
}

/* A recording that a client has outlives its tracer and the tracing. */
static void copy_and_read(void)
{
    RLArrayRef recordings = RLRunLoopTracerCopyRecordings(tracer);
    RLRelease(tracer);
    RLRunLoopRecordingRef recording =
        (RLRunLoopRecordingRef)(uintptr_t)RLArrayGetValueAtIndex(recordings, 0);
    RLRunLoopTraceEntry entries[2];
    RLIndex count = RLRunLoopRecordingGetEntries(recording, 0, entries, 2);
    for (RLIndex i = 0; i < count; i++) explore_check(entries[i].number == (UInt64)i);
    RLRelease(recordings);
}

/* The loop of a thread enters the table while another thread starts tracing all loops. */
static void begin_untabled(void)
{
    begin();
    is_in_table = false;
}

static void enter_table(void)
{
    EXPLORE_POINT("enters the table");
    is_in_table = true;
    rl_trace_loop_made(loop);
}

static void start_all(void)
{
    explore_check(RLRunLoopTracerStartAll(tracer));
}

static void end_traced(void)
{
    explore_check(loop->recording != NULL);
    RLRelease(tracer);
    end();
}

const struct explore_scenario explore_scenarios[] = {
    {"ring", 3, begin_ring, {write_ring, read_once}, end_ring},
    {"stop", 4, begin_traced, {call_back, stop}, end},
    {"thread_end", 4, begin_traced, {sleep_and_end, stop}, end},
    {"last_release", 4, begin_traced, {sleep_and_release, release}, end_released},
    {"start", 4, begin, {end_thread, start}, end_untraced},
    {"two_owners", 3, begin_owned_by_two, {sleep_and_end, stop, release}, end},
    {"copy", 3, begin_owned_by_two, {sleep_once, stop, copy_and_read}, end},
    {"start_all", 5, begin_untabled, {enter_table, start_all}, end_traced},
};
const size_t explore_scenario_count = sizeof explore_scenarios / sizeof *explore_scenarios;
