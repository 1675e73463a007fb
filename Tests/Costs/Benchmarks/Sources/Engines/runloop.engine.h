/*
 * The engine of the two implementations of CFRunLoop. Included by one file for each, which has
 * included the declarations.
 */

#include "support.h"

/* A descriptor with its source. */
struct handle {
    struct thunk thunk;
    int fd;
    void *object;
};

static void *open_loop(void)
{
    return (void *)RLRunLoopGetCurrent();
}

/* A loop goes with its thread. */
static void close_loop(void *loop)
{
}

LOOP_CALL(run, RLRunLoopRun())
LOOP_CALL(stop, RLRunLoopStop(loop))
LOOP_CALL(poll_once, RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false))

static void run_for(void *loop, double seconds)
{
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, seconds, true);
}

static void *add_bell(void *loop, engine_call call, void *info)
{
    RLRunLoopSourceContext context = {.info = info, .perform = call};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    return (void *)source;
}

static void signal_source(void *loop, void *source)
{
    RLRunLoopSourceSignal(source);
}

static void remove_bell(void *loop, void *source)
{
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static void fire(RLRunLoopTimerRef timer, void *thunk)
{
    thunk_call(thunk);
}

static double date_after(int64_t delay_ns)
{
    return RLAbsoluteTimeGetCurrent() + (double)delay_ns / 1.0e9;
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    RLRunLoopTimerContext context = {.info = (void *)thunk};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        NULL, date_after(delay_ns), (double)interval_ns / 1.0e9, 0, 0, fire, &context);
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    return (void *)timer;
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    RLRunLoopTimerSetNextFireDate(timer, date_after(delay_ns));
}

static void remove_timer(void *loop, void *timer)
{
    RLRunLoopTimerInvalidate(timer);
    RLRelease(timer);
}

static void perform(void *info)
{
    const struct handle *handle = info;
    thunk_call(&handle->thunk);
}

static int get_port(void *info)
{
    const struct handle *handle = info;
    return handle->fd;
}

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct handle *handle = allocate(sizeof *handle);
    handle->thunk = (struct thunk){call, info};
    handle->fd = fd;
    RLRunLoopSourceContext1 context = {
        .version = 1, .info = handle, .getPort = get_port, .perform = perform};
    handle->object =
        (void *)RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    RLRunLoopAddSource(loop, handle->object, kRLRunLoopDefaultMode);
    return handle;
}

static void post(void *loop, engine_call call, void *info)
{
    RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ call(info); });
    RLRunLoopWakeUp(loop);
}

static void remove_descriptor(void *loop, void *descriptor)
{
    struct handle *handle = descriptor;
    remove_bell(loop, handle->object);
    free(handle);
}

const struct engine ENGINE = {
    ENGINE_FUNCTIONS,
    REMOVE_FUNCTIONS,
    .run_for = run_for,
    .add_source = add_bell,
    .signal = signal_source,
    .remove_source = remove_bell,
    .empties_descriptors = true,
    .post = post,
#ifdef COUNT_ITEMS
    .count_items = COUNT_ITEMS,
#endif
#ifdef LOOK_BEFORE_SLEEPING
    .look_before_sleeping = LOOK_BEFORE_SLEEPING,
#endif
};
