/*
 * Asks the Swift runtime about a job. The runtime's function has Swift's calling convention, which
 * only C can name.
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
