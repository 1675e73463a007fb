/*
 * Starts the inspector of RunLoopDiagnostics if the environment requests it, and excludes its
 * thread from dumps.
 */

#define _GNU_SOURCE

#include "inspect.h"

#include <CRunLoopDiagnostics.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Defined in RunLoopDiagnostics, which a C program need not link. */
void rl_inspector_start(void) __attribute__((weak));

static atomic_int hidden_thread;

/* secure_getenv ignores the environment of a program with more privileges than its user. */
__attribute__((constructor)) static void start_if_wanted(void)
{
    const char *wish = secure_getenv("RUNLOOP_INSPECT");
    if (wish && strcmp(wish, "1") == 0 && &rl_inspector_start) rl_inspector_start();
}

void RLDiagnosticsHideThread(SInt32 thread)
{
    atomic_store(&hidden_thread, thread);
}

bool rl_thread_is_hidden(SInt32 thread)
{
    return thread == atomic_load(&hidden_thread);
}
