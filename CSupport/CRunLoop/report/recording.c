#include "report/recording.h"

#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/loop.h"

#include <stdlib.h>

static struct rl_recording *checked_recording(RLRunLoopRecordingRef recording, const char *function)
{
    rl_expect(recording, RL_TYPE_RECORDING, function, "recording");
    return (struct rl_recording *)(void *)recording;
}

struct rl_recording *rl_recording_create(struct rl_loop *loop, uint64_t capacity,
                                         bool is_of_callouts)
{
    struct rl_recording *recording = rl_object_create(RL_TYPE_RECORDING, sizeof *recording);
    recording->loop = loop;
    recording->thread_id = loop->thread_id;
    recording->is_main = loop->is_main;
    recording->is_of_callouts = is_of_callouts;
    recording->began_ns = (uint64_t)rl_kernel_monotonic_ns();
    /* If the loop is asleep, the recording begins with this sleep. */
    recording->sleep_began_ns =
        atomic_load_explicit(&loop->statistics.sleep_began_ns, memory_order_relaxed);
    recording->mask = capacity - 1;
    recording->slots = calloc(capacity, sizeof recording->slots[0]);
    if (!recording->slots) {
        rl_client_error(
            "RLRunLoopTracerStart",
            "no memory for %zu elements: raise the memory limit of the process, or use less memory",
            (size_t)capacity);
    }
    return recording;
}

static void destroy_recording(struct rl_object *object)
{
    struct rl_recording *recording = (struct rl_recording *)object;
    struct rl_recording_mode *mode = atomic_load(&recording->modes);
    while (mode) {
        struct rl_recording_mode *next = mode->next;
        RLRelease(mode->name);
        free(mode);
        mode = next;
    }
    free(recording->slots);
    rl_object_free(object);
}

static RLStringRef describe_recording(RLTypeRef object)
{
    const struct rl_recording *recording = object;
    return rl_string_format(
        "<RLRunLoopRecording %p>{thread %d, %lu entries}", object, (int)recording->thread_id,
        (unsigned long)atomic_load_explicit(&recording->count, memory_order_relaxed));
}

static const struct rl_class recording_class = {
    .name = "RLRunLoopRecording",
    .destroy = destroy_recording,
    .copy_description = describe_recording,
};

RL_REGISTER_CLASS(RLRunLoopRecording, RL_TYPE_RECORDING, recording_class)
RL_DEFINE_SWIFT_COUNTS(recording, RLRunLoopRecordingRef)

/* --- Writing ---------------------------------------------------------------------------------- */

/* The address identifies a mode, as modes live as long as their loop. */
static SInt32 number_of(struct rl_recording *recording, const struct rl_mode *mode)
{
    if (!mode) return 0;
    struct rl_recording_mode *first = atomic_load_explicit(&recording->modes, memory_order_relaxed);
    for (const struct rl_recording_mode *known = first; known; known = known->next) {
        if (known->mode == mode) return known->number;
    }
    struct rl_recording_mode *met = rl_allocate(sizeof *met);
    met->mode = mode;
    met->name = RLRetain(mode->name);
    met->number = first ? first->number + 1 : 1;
    met->next = first;
    atomic_store_explicit(&recording->modes, met, memory_order_release);
    return met->number;
}

static uint64_t pack_numbers(const RLRunLoopTraceEntry *entry, SInt32 mode)
{
    uint64_t detail = (uint64_t)entry->reason;
    if (entry->activity) detail = (uint64_t)__builtin_ctzl(entry->activity) + 1;
    return (uint64_t)entry->kind | (uint64_t)entry->phase << 8 | detail << 16 |
           (uint64_t)(uint32_t)mode << 32;
}

static void store_word(atomic_uint_fast64_t *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

static uint64_t load_word(const atomic_uint_fast64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

void rl_recording_write(struct rl_recording *recording, const struct rl_mode *mode,
                        const RLRunLoopTraceEntry *entry)
{
    uint64_t number = load_word(&recording->count);
    struct rl_recording_slot *slot = &recording->slots[number & recording->mask];
    uint64_t small = pack_numbers(entry, number_of(recording, mode));
    bool is_begin = entry->kind == kRLRunLoopTraceCalloutBegin;
    bool is_wake_up = entry->kind == kRLRunLoopTraceWakeUp;
    store_word(&slot->stamp, number * 2 + 1);
    atomic_thread_fence(memory_order_release);
    store_word(&slot->words[0], recording->last_ns);
    store_word(&slot->words[1], small);
    store_word(&slot->words[2], (uintptr_t)entry->function);
    store_word(&slot->words[3], is_begin ? (uintptr_t)entry->object : entry->duration);
    store_word(&slot->words[4],
               is_wake_up ? (uint64_t)(uint32_t)entry->descriptor : (uintptr_t)entry->captured);
    atomic_store_explicit(&slot->stamp, number * 2 + 2, memory_order_release);
    atomic_store_explicit(&recording->count, number + 1, memory_order_release);
}

void rl_recording_open(struct rl_recording *recording, RLRunLoopPhase phase)
{
    if (recording->depth < RL_RECORDING_DEPTH) {
        recording->open[recording->depth] =
            (struct rl_recording_span){.began_ns = recording->last_ns, .phase = phase};
    }
    recording->depth++;
}

struct rl_recording_span rl_recording_close(struct rl_recording *recording)
{
    if (recording->depth == 0) return (struct rl_recording_span){0};
    recording->depth--;
    if (recording->depth >= RL_RECORDING_DEPTH) return (struct rl_recording_span){0};
    return recording->open[recording->depth];
}

/* --- Reading ---------------------------------------------------------------------------------- */

static RLRunLoopTraceEntry unpack_entry(uint64_t number, const uint64_t words[5])
{
    RLRunLoopTraceEntry entry = {
        .number = number,
        .time = words[0],
        .kind = (RLRunLoopTraceKind)(words[1] & 0xFF),
        .phase = (RLRunLoopPhase)(words[1] >> 8 & 0xFF),
        .mode = (SInt32)(words[1] >> 32),
        .function = (const void *)(uintptr_t)words[2],
    };
    uint64_t detail = words[1] >> 16 & 0xFF;
    switch (entry.kind) {
    case kRLRunLoopTraceActivity: entry.activity = 1ul << (detail - 1); break;
    case kRLRunLoopTraceWakeUp:
        entry.reason = (RLRunLoopWakeReason)detail;
        entry.descriptor = (SInt32)(uint32_t)words[4];
        break;
    default: entry.captured = (const void *)(uintptr_t)words[4];
    }
    if (entry.kind == kRLRunLoopTraceCalloutBegin) {
        entry.object = (const void *)(uintptr_t)words[3];
    } else {
        entry.duration = words[3];
    }
    return entry;
}

/* Returns false if the entry was overwritten. */
static bool read_entry(const struct rl_recording *recording, uint64_t number,
                       RLRunLoopTraceEntry *ret_entry)
{
    const struct rl_recording_slot *slot = &recording->slots[number & recording->mask];
    uint64_t words[5];
    if (atomic_load_explicit(&slot->stamp, memory_order_acquire) != number * 2 + 2) return false;
    for (int i = 0; i < 5; i++) words[i] = load_word(&slot->words[i]);
    atomic_thread_fence(memory_order_acquire);
    if (load_word(&slot->stamp) != number * 2 + 2) return false;
    *ret_entry = unpack_entry(number, words);
    return true;
}

RLIndex RLRunLoopRecordingGetEntries(RLRunLoopRecordingRef recording, UInt64 first,
                                     RLRunLoopTraceEntry *entries, RLIndex capacity)
{
    const struct rl_recording *self = checked_recording(recording, __func__);
    if (!entries && capacity > 0) rl_client_error(__func__, "argument `entries` must not be null");
    uint64_t count = atomic_load_explicit(&self->count, memory_order_acquire);
    uint64_t oldest = count > self->mask ? count - self->mask - 1 : 0;
    RLIndex copied = 0;
    for (uint64_t number = first > oldest ? first : oldest; number < count; number++) {
        if (copied >= capacity) break;
        if (read_entry(self, number, &entries[copied])) copied++;
    }
    return copied;
}

RLStringRef RLRunLoopRecordingCopyModeName(RLRunLoopRecordingRef recording, SInt32 mode)
{
    struct rl_recording *self = checked_recording(recording, __func__);
    const struct rl_recording_mode *known =
        atomic_load_explicit(&self->modes, memory_order_acquire);
    while (known && known->number != mode) known = known->next;
    return known ? RLRetain(known->name) : NULL;
}
