/* A program in C with swift_runtime.c, and without the Swift runtime. */

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoopConcurrency.h>

#include <stdlib.h>
#include <string.h>

static void take(void *job, void *info)
{
}

int main(void)
{
    const void *bytes[2] = {NULL, NULL};
    RLJobsSetTaker(take, NULL);
    bool is_known = RLExecutorsCheckLayout(bytes, sizeof bytes) || RLJobsMayBeRunning() ||
                    RLJobsGetExecutor() || RLJobsAreOfMainActor() || RLExecutorGetObject(bytes) ||
                    RLJobIsDeinit(bytes) || RLRunLoopRunsAsyncMain();
    char *name = RLSymbolCopyReadableName("$s6module8functionyyF");
    bool is_readable = strcmp(name, "$s6module8functionyyF") != 0;
    free(name);
    return is_known || is_readable;
}
