/*
 * All uses of symbols, numbers and layouts of the Swift runtime that may differ in another version.
 * Every symbol is weak. If a symbol is missing, the function that needs it returns the result that
 * its declaration documents.
 *
 * -DRL_USES_SWIFT_RUNTIME=0 at compile time, or CRUNLOOP_WITHOUT_SWIFT_RUNTIME in the environment,
 * disables these symbols.
 *
 * The runtime's functions have Swift's calling convention, which only C can declare.
 */

/* Required for secure_getenv. */
#define _GNU_SOURCE

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoopConcurrency.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if !defined(RL_USES_SWIFT_RUNTIME)
#define RL_USES_SWIFT_RUNTIME 1
#endif

#define SWIFT_CALL __attribute__((swiftcall))
#define OF_RUNTIME __attribute__((weak))

/* Set before main, and constant afterwards. */
static bool is_used;

/* --- Names ------------------------------------------------------------------------------------ */

extern OF_RUNTIME char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size,
                                       uint32_t flags);

/* The Swift module CoreRunLoop defines these functions, which shorten a name in place. */
extern OF_RUNTIME void rl_swift_leave_out_files(char *name);
extern OF_RUNTIME void rl_swift_leave_out_types(char *name);

static char *copy_readable_name(const char *name)
{
    bool is_swift = strncmp(name, "$s", 2) == 0 || strncmp(name, "$S", 2) == 0;
    if (!is_swift || !swift_demangle) return NULL;
    char *readable = swift_demangle(name, strlen(name), NULL, NULL, 0);
    if (readable && rl_swift_leave_out_files) rl_swift_leave_out_files(readable);
    return readable;
}

static void shorten_name(char *name)
{
    if (rl_swift_leave_out_types) rl_swift_leave_out_types(name);
}

/* --- Executors -------------------------------------------------------------------------------- */

/* The layout of an UnownedSerialExecutor or UnownedTaskExecutor. */
struct executor {
    const void *object;
    const void *witnesses;
};

extern OF_RUNTIME SWIFT_CALL struct executor swift_task_getCurrentExecutor(void);
extern OF_RUNTIME SWIFT_CALL struct executor swift_task_getMainExecutor(void);
extern OF_RUNTIME SWIFT_CALL const void *swift_task_getCurrent(void);

/* Records whether the runtime's layout equals `struct executor`. */
static _Atomic enum { UNDECIDED, KNOWN, UNKNOWN } layout;

Boolean RLExecutorsCheckLayout(const void *mainExecutor, size_t size)
{
    bool has_functions =
        swift_task_getCurrent && swift_task_getCurrentExecutor && swift_task_getMainExecutor;
    bool is_known = is_used && has_functions && size == sizeof(struct executor);
    if (is_known) {
        struct executor expected = swift_task_getMainExecutor();
        is_known = memcmp(&expected, mainExecutor, size) == 0;
    }
    atomic_store(&layout, is_known ? KNOWN : UNKNOWN);
    return is_known;
}

Boolean RLJobsMayBeRunning(void)
{
    int found = atomic_load_explicit(&layout, memory_order_relaxed);
    if (found != KNOWN) return found == UNDECIDED;
    return swift_task_getCurrent() || swift_task_getCurrentExecutor().object;
}

const void *RLJobsGetExecutor(void)
{
    return atomic_load(&layout) == KNOWN ? swift_task_getCurrentExecutor().object : NULL;
}

Boolean RLJobsAreOfMainActor(void)
{
    const void *object = RLJobsGetExecutor();
    return object && object == swift_task_getMainExecutor().object;
}

const void *RLExecutorGetObject(const void *executor)
{
    return atomic_load(&layout) == KNOWN ? ((const struct executor *)executor)->object : NULL;
}

/* --- Jobs ------------------------------------------------------------------------------------- */

/* The number of JobKind::IsolatedDeinit, and the mask of the kind in a job's flags. */
enum { ISOLATED_DEINIT = 196, KIND_MASK = 0xFF };

extern OF_RUNTIME SWIFT_CALL size_t swift_task_getJobFlags(void *job);

Boolean RLJobIsDeinit(void *job)
{
    return is_used && swift_task_getJobFlags &&
           (swift_task_getJobFlags(job) & KIND_MASK) == ISOLATED_DEINIT;
}

static void rl_swift_concurrency_jobs(void)
{
    /* Prevents merging with an equal function, because this function needs its own address. */
    __asm__ volatile("");
}

const void *RLJobsGetFunction(void)
{
    return (const void *)(uintptr_t)rl_swift_concurrency_jobs;
}

/* --- Jobs without an executor ----------------------------------------------------------------- */

typedef SWIFT_CALL void (*enqueue_function)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_function original);

extern OF_RUNTIME enqueue_hook swift_task_enqueueGlobal_hook;
extern OF_RUNTIME SWIFT_CALL void swift_task_enqueue(void *job, const void *object,
                                                     const void *witnesses);
extern OF_RUNTIME SWIFT_CALL void swift_job_run(void *job, const void *object,
                                                const void *witnesses);

static _Thread_local struct {
    void (*take)(void *job, void *info);
    void *info;
} taker;

/* The executor of the task that the thread is resuming. */
static _Thread_local struct executor resuming;

static SWIFT_CALL void enqueue(void *job, enqueue_function original)
{
    struct executor executor = resuming;
    if (taker.take) {
        taker.take(job, taker.info);
    } else if (executor.object) {
        /* Reset first: an actor without a custom executor enqueues another job here. */
        resuming.object = NULL;
        swift_task_enqueue(job, executor.object, executor.witnesses);
    } else {
        original(job);
    }
}

static bool has_hook(void)
{
    return is_used && &swift_task_enqueueGlobal_hook && swift_job_run;
}

static void install_hook(void)
{
    __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
}

void RLJobsSetTaker(void (*take)(void *job, void *info), void *info)
{
    if (!has_hook()) return;
    taker.take = take;
    taker.info = info;
    install_hook();
}

void RLJobsBeginResuming(const void *executor)
{
    if (atomic_load_explicit(&layout, memory_order_relaxed) != KNOWN) return;
    if (!has_hook() || !swift_task_enqueue) return;
    enqueue_hook installed = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
    if (!installed) install_hook();
    /* Checks the hook, because another library may have installed its own. */
    if (!installed || installed == enqueue) resuming = *(const struct executor *)executor;
}

void RLJobsEndResuming(void)
{
    resuming.object = NULL;
}

void RLJobRun(void *job)
{
    /* Null is the global executor, which has no object. */
    swift_job_run(job, NULL, NULL);
}

/* --- Events ----------------------------------------------------------------------------------- */

/* The event that the thread is delivering. */
static _Thread_local struct {
    unsigned depth;
    void (*run)(void *info);
    void *info;
} event;

void RLJobsBeginEvent(void)
{
    event.depth++;
}

Boolean RLJobsRunAfterEvent(void (*run)(void *info), void *info)
{
    if (event.depth == 0 || event.run) return false;
    event.run = run;
    event.info = info;
    return true;
}

void RLJobsEndEvent(void)
{
    void (*run)(void *info) = event.run;
    if (--event.depth > 0 || !run) return;
    /* Resets the function first: the jobs may run the loop, which may deliver other events. */
    event.run = NULL;
    run(event.info);
}

/* --- The async main --------------------------------------------------------------------------- */

/*
 * The runtime starts the task of an `async` main, and then drains the main queue on the main
 * thread. If CoreFoundation is loaded, the runtime drains the queue with CoreFoundation. Otherwise
 * it uses libdispatch, which on Linux ends the main thread and drains the queue on other threads.
 * If a hook is installed, the runtime calls the hook instead. This hook runs the main loop, which
 * serves the main queue too.
 */
typedef SWIFT_CALL void (*drain_function)(void *original, void *override);

extern OF_RUNTIME drain_function swift_task_asyncMainDrainQueue_hook;

/* Only programs that link RunLoopConcurrency, which defines this symbol, install the hook. */
extern OF_RUNTIME void rl_swift_runs_async_main(void);

/* Never returns: the runtime calls exit(3) when the program's main function has returned. */
static SWIFT_CALL void drain(void *original, void *override)
{
    (void)original;
    (void) override;
    for (;;) RLRunLoopRun();
}

Boolean RLRunLoopRunsAsyncMain(void)
{
    return &swift_task_asyncMainDrainQueue_hook && swift_task_asyncMainDrainQueue_hook == drain;
}

/* Runs before main. The runtime reads the hook later, after it has started the task. */
__attribute__((constructor)) static void install(void)
{
    static const RLLanguage swift = {
        .copyReadableName = copy_readable_name,
        .shortenName = shorten_name,
    };
    is_used = RL_USES_SWIFT_RUNTIME && !secure_getenv("CRUNLOOP_WITHOUT_SWIFT_RUNTIME");
    if (!is_used) return;
    RLSymbolSetLanguage(&swift);
    if (rl_swift_runs_async_main && &swift_task_asyncMainDrainQueue_hook) {
        swift_task_asyncMainDrainQueue_hook = drain;
    }
}
