/*
 * After it has started the task of an `async` main, the Swift runtime gives the main thread to
 * whoever runs the main queue: CoreFoundation if it is loaded, else dispatch, which on Linux ends
 * the thread and runs the queue on others. The runtime asks a hook first. Ours runs the main loop,
 * which serves the main queue too.
 */

#include <CRunLoop/CRunLoop.h>
#include <CRunLoopConcurrency.h>

#include <stddef.h>

typedef __attribute__((swiftcall)) void (*drain_function)(void *original, void *override);

/* Of the runtime. Weak: a version of it without the hook leaves things as they are. */
extern drain_function swift_task_asyncMainDrainQueue_hook __attribute__((weak));

/* Never returns: the program ends by `exit` when its main function has ended. */
__attribute__((swiftcall)) static void drain(void *original, void *override)
{
    (void)original;
    (void) override;
    for (;;) RLRunLoopRun();
}

/* Before main: the runtime reads the hook once the task has been started. */
__attribute__((constructor)) static void install(void)
{
    if (&swift_task_asyncMainDrainQueue_hook != NULL) swift_task_asyncMainDrainQueue_hook = drain;
}

Boolean RLRunLoopRunsAsyncMain(void)
{
    return &swift_task_asyncMainDrainQueue_hook != NULL &&
           swift_task_asyncMainDrainQueue_hook == drain;
}
