#include "loop/loop.h"

#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/activation.h"
#include "loop/own_loop.h"
#include "loop/report.h"

#include <stdlib.h>

const RLRunLoopMode kRLRunLoopDefaultMode = RLSTR("kRLRunLoopDefaultMode");
const RLRunLoopMode kRLRunLoopCommonModes = RLSTR("kRLRunLoopCommonModes");

bool rl_loop_is_common_name(RLStringRef name)
{
    return rl_string_equal(name, kRLRunLoopCommonModes);
}

/* If a loop has more modes, find_entry uses a dictionary. */
enum { FEW_MODES = 8 };

static struct rl_mode *find_by_address(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        if (mode->name == name) break;
        if (mode->number + 1 == FEW_MODES) return NULL;
    }
    return mode;
}

/* Returns the mode, even if it does not exist for clients yet (`exists`). */
static struct rl_mode *find_entry(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = find_by_address(loop, name);
    if (mode) return mode;
    if (loop->modes_by_name) {
        return (struct rl_mode *)(uintptr_t)RLDictionaryGetValue(loop->modes_by_name, name);
    }
    TAILQ_FOREACH(mode, &loop->modes, link) {
        if (rl_string_equal(mode->name, name)) return mode;
    }
    return NULL;
}

/* When the number of modes exceeds the limit, creates the dictionary with all modes. */
static void index_mode(struct rl_loop *loop, struct rl_mode *mode)
{
    if (mode->number < FEW_MODES) return;
    if (!loop->modes_by_name) {
        loop->modes_by_name =
            RLDictionaryCreateMutable(NULL, 0, &kRLTypeDictionaryKeyCallBacks, NULL);
        mode = TAILQ_FIRST(&loop->modes);
    }
    for (; mode; mode = TAILQ_NEXT(mode, link)) {
        RLDictionarySetValue(loop->modes_by_name, mode->name, mode);
    }
}

static struct rl_mode *add_entry(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = rl_allocate_lines(sizeof *mode);
    rl_mode_init(mode, loop, &loop->wake, &loop->clock, name);
    mode->observed = loop->traced_activities;
    const struct rl_mode *last = TAILQ_LAST(&loop->modes, rl_mode_list);
    mode->number = last ? last->number + 1 : 0;
    TAILQ_INSERT_TAIL(&loop->modes, mode, link);
    index_mode(loop, mode);
    return mode;
}

struct rl_mode *rl_loop_make_entry(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = find_entry(loop, name);
    if (mode) return mode;
    /* The client may have changed a mutable name meanwhile, so the copy is searched too. */
    RLStringRef copy = RLStringCreateCopy(NULL, name);
    mode = find_entry(loop, copy);
    if (!mode) mode = add_entry(loop, copy);
    RLRelease(copy);
    return mode;
}

bool rl_loop_make_common(struct rl_loop *loop, struct rl_mode *mode)
{
    if (mode->is_common) return false;
    mode->is_common = true;
    struct rl_mode *before = TAILQ_LAST(&loop->common_modes, rl_mode_list);
    while (before && before->number > mode->number) {
        before = TAILQ_PREV(before, rl_mode_list, common_link);
    }
    if (before) {
        TAILQ_INSERT_AFTER(&loop->common_modes, before, mode, common_link);
    } else {
        TAILQ_INSERT_HEAD(&loop->common_modes, mode, common_link);
    }
    return true;
}

struct rl_mode *rl_loop_find_mode(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = find_entry(loop, name);
    return mode && mode->exists ? mode : NULL;
}

struct rl_mode *rl_loop_make_mode(struct rl_loop *loop, RLStringRef name)
{
    struct rl_mode *mode = rl_loop_make_entry(loop, name);
    mode->exists = true;
    return mode;
}

struct rl_mode *rl_loop_make_named(struct rl_loop *loop, RLStringRef name)
{
    /* Most callers pass the same string object as before, so the address is compared first. */
    struct rl_mode *mode = find_by_address(loop, name);
    if (!mode && rl_loop_is_common_name(name)) return NULL;
    if (!mode) mode = rl_loop_make_entry(loop, name);
    mode->exists = true;
    return mode;
}

struct rl_loop *rl_loop_create(pid_t thread_id, bool is_main)
{
    struct rl_loop *loop = rl_allocate_lines(sizeof *loop);
    rl_object_init(&loop->object, RL_TYPE_LOOP);
    loop->thread_id = thread_id;
    loop->is_main = is_main;
    rl_wake_init(&loop->wake);
    TAILQ_INIT(&loop->modes);
    TAILQ_INIT(&loop->common_modes);
    TAILQ_INIT(&loop->end_watches);
    rl_block_queue_init(&loop->blocks);
    rl_mode_init(&loop->common_items, loop, &loop->wake, &loop->clock, NULL);
    loop->default_mode = rl_loop_make_mode(loop, kRLRunLoopDefaultMode);
    rl_loop_make_common(loop, loop->default_mode);
    return loop;
}

/* The end of the thread has removed all items and blocks, so this calls no client code. */
static void destroy_loop(struct rl_object *object)
{
    struct rl_loop *loop = (struct rl_loop *)object;
    if (loop->is_held_by_thread) {
        rl_client_error("RLRelease",
                        "run loop %p of thread %d was released too often: release only references "
                        "that you retained",
                        (void *)loop, (int)loop->thread_id);
    }
    RL_ASSERT(rl_block_queue_is_empty(&loop->blocks, &loop->incoming_blocks));
    rl_held_clear(&loop->held);
    if (loop->modes_by_name) RLRelease(loop->modes_by_name);
    struct rl_mode *mode;
    while ((mode = TAILQ_FIRST(&loop->modes))) {
        TAILQ_REMOVE(&loop->modes, mode, link);
        rl_mode_destroy(mode);
        free(mode);
    }
    rl_mode_destroy(&loop->common_items);
    int wake_fd = atomic_load(&loop->wake.fd);
    rl_kernel_close(&wake_fd);
    free(loop->cached_timer);
    free(loop->receive_buffer);
    rl_activation_free_all(&loop->activations);
    rl_object_free(object);
}

static const struct rl_class loop_class = {
    .name = "RLRunLoop",
    .destroy = destroy_loop,
    .copy_description = rl_describe_loop,
};

RL_REGISTER_CLASS(RLRunLoop, RL_TYPE_LOOP, loop_class)
RL_DEFINE_SWIFT_COUNTS_UNCHECKED(run_loop, RLRunLoopRef)

static void forget_wait_sets(struct rl_loop *loop)
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        rl_wait_set_forget(&mode->wait_set);
    }
}

void rl_loop_close_wait_sets(struct rl_loop *loop)
{
    rl_lock(&loop->lock);
    forget_wait_sets(loop);
    rl_unlock(&loop->lock);
    /* The loop has left the loop table, so a test clock that ends does not find it. */
    atomic_store(&loop->clock, NULL);
}

void rl_loop_forget_kernel_objects(struct rl_loop *loop)
{
    forget_wait_sets(loop);
    int wake_fd = atomic_exchange(&loop->wake.fd, -1);
    rl_kernel_close(&wake_fd);
}

bool rl_loop_is_current(const struct rl_loop *loop)
{
    return rl_own_loop == loop;
}

void rl_loop_call_host(struct rl_loop *loop)
{
    /* Other threads do not read the word: it may be in the cache of the loop's processor. */
    if (rl_loop_is_current(loop) && rl_wake_is_hosted(&loop->wake)) rl_wake_call_host(&loop->wake);
}

bool rl_loop_refuses_main(struct rl_loop *loop, const char *function)
{
    if (RL_LIKELY(!loop->is_main || !atomic_load(&loop->is_torn_down))) return false;
    /* Warns once per function, identified by the address of its name. */
    static _Atomic(const char *) warned[16];
    for (size_t i = 0; i < sizeof warned / sizeof warned[0]; i++) {
        const char *expected = NULL;
        if (atomic_compare_exchange_strong(&warned[i], &expected, function)) {
            rl_warn(function, "the call is ignored, as the main thread has ended: run the main "
                              "loop there instead of calling pthread_exit");
            break;
        }
        if (expected == function) break;
    }
    return true;
}

RLStringRef rl_loop_copy_current_name(struct rl_loop *loop)
{
    const struct rl_mode *mode = atomic_load(&loop->current_mode);
    return mode ? RLRetain(mode->name) : NULL;
}

RLRunLoopMode RLRunLoopCopyCurrentMode(RLRunLoopRef loop)
{
    return rl_loop_copy_current_name(rl_loop_checked(loop, __func__));
}

RLArrayRef RLRunLoopCopyAllModes(RLRunLoopRef loop)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_lock(&self->lock);
    RLIndex count = 0;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &self->modes, link) {
        if (mode->exists) count++;
    }
    const void **names = rl_allocate((size_t)count * sizeof names[0]);
    RLIndex index = 0;
    TAILQ_FOREACH(mode, &self->modes, link) {
        if (mode->exists) names[index++] = mode->name;
    }
    RLArrayRef array = RLArrayCreate(kRLAllocatorDefault, names, count, &kRLTypeArrayCallBacks);
    rl_unlock(&self->lock);
    free(names);
    return array;
}
