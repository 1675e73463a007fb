/*
 * Asks the Swift runtime about jobs, and takes those of a thread. The runtime's functions have
 * Swift's calling convention, which only C can name.
 */

#include <CRunLoopConcurrency.h>

#include <stddef.h>
#include <stdint.h>

/* The runtime's JobKind::IsolatedDeinit. The low byte of the flags holds the kind. */
enum { ISOLATED_DEINIT = 196, KIND_MASK = 0xFF };

/* The runtime's. Weak: with a runtime that lacks it, no job counts as a deinit. */
extern __attribute__((swiftcall)) size_t swift_task_getJobFlags(void *job) __attribute__((weak));

static void rl_swift_concurrency_jobs(void)
{
    /* Of its own code, so that it has an address of its own. */
    __asm__ volatile("");
}

const void *RLJobsGetFunction(void)
{
    return (const void *)(uintptr_t)rl_swift_concurrency_jobs;
}

Boolean RLJobIsDeinit(void *job)
{
    return swift_task_getJobFlags != NULL &&
           (swift_task_getJobFlags(job) & KIND_MASK) == ISOLATED_DEINIT;
}

/* --- Jobs that no executor was named for ------------------------------------------------------ */

typedef __attribute__((swiftcall)) void (*enqueue_function)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, enqueue_function original);

/* The runtime's. An executor is an object and a table: no object stands for all threads. */
extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *executor, const void *table)
    __attribute__((weak));

static _Thread_local struct {
    void (*take)(void *job, void *info);
    void *info;
} taker;

__attribute__((swiftcall)) static void enqueue(void *job, enqueue_function original)
{
    if (taker.take) {
        taker.take(job, taker.info);
    } else {
        original(job);
    }
}

void RLJobsSetTaker(void (*take)(void *job, void *info), void *info)
{
    if (&swift_task_enqueueGlobal_hook == NULL || swift_job_run == NULL) return;
    taker.take = take;
    taker.info = info;
    __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
}

void RLJobRun(void *job)
{
    swift_job_run(job, NULL, NULL);
}
