/*
 * Runs swift_runtime.c with stand-ins for the Swift runtime, each of which differs from the real
 * one in its own way. -DRL_USES_SWIFT_RUNTIME=0 builds the same tests for a build without the
 * runtime.
 *
 * usage: runtime list | runtime KIND
 */

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoopConcurrency.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !defined(RL_USES_SWIFT_RUNTIME)
#define RL_USES_SWIFT_RUNTIME 1
#endif

#define SWIFT_CALL __attribute__((swiftcall))

struct executor {
    const void *object;
    const void *witnesses;
};

static const struct kind {
    const char *name;
    bool is_known;
    /* The number of words that Swift code has for an executor. */
    size_t words;
    bool has_other_main, is_off;
} kinds[] = {
    {"as-today", .is_known = true, .words = 2},
    {"grown", .words = 3},
    {"shrunk", .words = 1},
    {"other-main", .words = 2, .has_other_main = true},
    {"environment", .words = 2, .is_off = true},
};

static const char main_object, actor_object, witnesses, task;
static const void *running_task;
static struct executor running;
static size_t flags;
static int count;

SWIFT_CALL struct executor swift_task_getCurrentExecutor(void)
{
    return running;
}

SWIFT_CALL struct executor swift_task_getMainExecutor(void)
{
    return (struct executor){&main_object, &witnesses};
}

SWIFT_CALL const void *swift_task_getCurrent(void)
{
    return running_task;
}

SWIFT_CALL size_t swift_task_getJobFlags(void *job)
{
    return flags;
}

SWIFT_CALL void swift_job_run(void *job, const void *object, const void *table)
{
    count++;
}

static const void *enqueued_on;

SWIFT_CALL void swift_task_enqueue(void *job, const void *object, const void *table)
{
    enqueued_on = object;
}

typedef SWIFT_CALL void (*enqueue_function)(void *job);
SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_function original);
SWIFT_CALL void (*swift_task_asyncMainDrainQueue_hook)(void *original, void *override);

void rl_swift_runs_async_main(void)
{
}

char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t options)
{
    return strdup("module.function");
}

static SWIFT_CALL void enqueue_originally(void *job)
{
}

static void take(void *job, void *info)
{
    count += *(int *)info;
}

static void expect(bool is_true, const char *condition, int line)
{
    if (is_true) return;
    printf("line %d: %s\n", line, condition);
    exit(1);
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void check_executors(const struct kind *kind, bool is_known)
{
    EXPECT(RLJobsMayBeRunning());
    const void *bytes[3] = {kind->has_other_main ? &actor_object : &main_object, &witnesses, NULL};
    EXPECT(RLExecutorsCheckLayout(bytes, kind->words * sizeof(void *)) == is_known);
    EXPECT(!RLJobsMayBeRunning());
    running = (struct executor){&actor_object, &witnesses};
    EXPECT(RLJobsMayBeRunning() == is_known);
    EXPECT(RLJobsGetExecutor() == (is_known ? &actor_object : NULL));
    EXPECT(!RLJobsAreOfMainActor());
    running = swift_task_getMainExecutor();
    EXPECT(RLJobsAreOfMainActor() == is_known);
    running = (struct executor){NULL, NULL};
    running_task = &task;
    EXPECT(RLJobsMayBeRunning() == is_known);
    EXPECT(!RLJobsAreOfMainActor());
    EXPECT(RLExecutorGetObject(bytes) == (is_known ? bytes[0] : NULL));
}

static void check_jobs(bool is_used)
{
    flags = 0x1C4;
    EXPECT(RLJobIsDeinit(&flags) == is_used);
    flags = 0;
    EXPECT(!RLJobIsDeinit(&flags));
    int weight = 5;
    RLJobsSetTaker(take, &weight);
    EXPECT(!swift_task_enqueueGlobal_hook == !is_used);
    if (!is_used) return;
    swift_task_enqueueGlobal_hook(&count, enqueue_originally);
    EXPECT(count == 5);
    RLJobsSetTaker(NULL, NULL);
    swift_task_enqueueGlobal_hook(&count, enqueue_originally);
    EXPECT(count == 5);
    RLJobRun(&count);
    EXPECT(count == 6);
}

/* Only the first job goes to the actor: the actor may need one of Swift's threads in turn. */
static void check_resuming(bool is_known)
{
    const void *bytes[2] = {&actor_object, &witnesses};
    RLJobsBeginResuming(bytes);
    EXPECT(!swift_task_enqueueGlobal_hook == !is_known);
    if (!is_known) return;
    swift_task_enqueueGlobal_hook(&count, enqueue_originally);
    EXPECT(enqueued_on == &actor_object);
    enqueued_on = NULL;
    swift_task_enqueueGlobal_hook(&count, enqueue_originally);
    EXPECT(!enqueued_on);
    RLJobsBeginResuming(bytes);
    RLJobsEndResuming();
    swift_task_enqueueGlobal_hook(&count, enqueue_originally);
    EXPECT(!enqueued_on);
}

static void count_event(void *info)
{
    ++*(int *)info;
}

static void check_events(void)
{
    int calls = 0;
    EXPECT(!RLJobsRunAfterEvent(count_event, &calls));
    RLJobsBeginEvent();
    RLJobsBeginEvent();
    EXPECT(RLJobsRunAfterEvent(count_event, &calls));
    EXPECT(!RLJobsRunAfterEvent(count_event, &calls));
    RLJobsEndEvent();
    EXPECT(calls == 0);
    RLJobsEndEvent();
    EXPECT(calls == 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *kind = &kinds[i];
        if (strcmp(name, "list") == 0) puts(kind->name);
        if (strcmp(name, kind->name) != 0) continue;
        /* The variable counts from the beginning of a process. */
        const char *variable = "CRUNLOOP_WITHOUT_SWIFT_RUNTIME";
        if (kind->is_off && !getenv(variable)) {
            setenv(variable, "1", 1);
            execv("/proc/self/exe", argv);
        }
        bool is_used = RL_USES_SWIFT_RUNTIME && !kind->is_off;
        check_executors(kind, is_used && kind->is_known);
        check_resuming(is_used && kind->is_known);
        check_jobs(is_used);
        check_events();
        EXPECT(RLRunLoopRunsAsyncMain() == is_used);
        EXPECT(!swift_task_asyncMainDrainQueue_hook == !is_used);
        char *readable = RLSymbolCopyReadableName("$s6module8functionyyF");
        EXPECT(strcmp(readable, is_used ? "module.function" : "$s6module8functionyyF") == 0);
        free(readable);
        return 0;
    }
    return strcmp(name, "list") == 0 ? 0 : 2;
}
