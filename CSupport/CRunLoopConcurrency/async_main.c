/*
 * The Swift runtime starts the task of an `async` main and then has the main thread drain the main
 * queue: by CoreFoundation if that is loaded, else by dispatch, which on Linux ends the thread and
 * drains the queue on others. If a hook is installed, the runtime calls that instead. The hook
 * installed here runs the main loop, which serves the main queue too.
 */

#include <CRunLoop/CRunLoop.h>
#include <CRunLoopConcurrency.h>

#include <stddef.h>

typedef __attribute__((swiftcall)) void (*drain_function)(void *original, void *override);

/* The runtime's hook. Weak: with a runtime that has none, nothing changes. */
extern drain_function swift_task_asyncMainDrainQueue_hook __attribute__((weak));

/* Never returns: the runtime calls `exit` when the main function has returned. */
__attribute__((swiftcall)) static void drain(void *original, void *override)
{
    (void)original;
    (void) override;
    for (;;) RLRunLoopRun();
}

/* Runs before main: the runtime reads the hook after it has started the task. */
__attribute__((constructor)) static void install(void)
{
    if (&swift_task_asyncMainDrainQueue_hook != NULL) swift_task_asyncMainDrainQueue_hook = drain;
}

Boolean RLRunLoopRunsAsyncMain(void)
{
    return &swift_task_asyncMainDrainQueue_hook != NULL &&
           swift_task_asyncMainDrainQueue_hook == drain;
}
