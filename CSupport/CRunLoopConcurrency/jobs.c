/*
 * What the Swift runtime knows of a job. Its function is called in Swift's own calling convention,
 * which only C has a name for.
 */

#include <CRunLoopConcurrency.h>

#include <stddef.h>

/* Of the runtime, JobKind::IsolatedDeinit. The kind is in the low byte of the flags. */
enum { ISOLATED_DEINIT = 196, KIND_MASK = 0xFF };

/* Of the runtime. Weak: a version of it without the function has no such jobs to us. */
extern __attribute__((swiftcall)) size_t swift_task_getJobFlags(void *job) __attribute__((weak));

Boolean RLJobIsDeinit(void *job)
{
    return swift_task_getJobFlags != NULL &&
           (swift_task_getJobFlags(job) & KIND_MASK) == ISOLATED_DEINIT;
}
