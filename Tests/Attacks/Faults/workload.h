/*
 * The words of the parts of the workload: actions, and expectations.
 *
 * A part runs twice on one loop: in the first round calls may fail, in the second nothing does, and
 * everything must work. In the first round,
 *
 * - expectations of `work_must` and `work_wait` always hold: timers, blocks, wake-ups and
 *   stops need nothing that can be refused for good;
 * - expectations of `work_should` and `work_wait_served` may fail, if a fault has struck and the
 *   engine reported it: by a line, or by an error that a function returned (`work_got`, `work_did`,
 *   `work_failed`).
 */

#ifndef FAULTS_WORKLOAD_H
#define FAULTS_WORKLOAD_H

#include <CHarness.h>
#include <CRunLoop/CRunLoop.h>

#include <pthread.h>
#include <stdbool.h>

/* The parts, by name and by whether the main thread has to run them. */
#define PARTS(PART)                                                                                \
    PART(timers, false)                                                                            \
    PART(wakes, false)                                                                             \
    PART(ports, false)                                                                             \
    PART(descriptors, false)                                                                       \
    PART(objects, false)                                                                           \
    PART(events, false)                                                                            \
    PART(sockets, false)                                                                           \
    PART(datagrams, false)                                                                         \
    PART(streams, false)                                                                           \
    PART(connections, false)                                                                       \
    PART(tls, false)                                                                               \
    PART(queues, false)                                                                            \
    PART(messages, false)                                                                          \
    PART(names, false)                                                                             \
    PART(crowds, false)                                                                            \
    PART(mach, false)                                                                              \
    PART(hosting, false)                                                                           \
    PART(threads, false)                                                                           \
    PART(forks, false)                                                                             \
    PART(values, false)                                                                            \
    PART(texts, false)                                                                             \
    PART(faces, false)                                                                             \
    PART(standard, false)                                                                          \
    PART(notifications, true)                                                                      \
    PART(main_loop, true)                                                                          \
    PART(main_host, true)

#define DECLARE_PART(name, is_main) void part_##name(void);
PARTS(DECLARE_PART)

/* Those of extras. Without Tests/Extras/Attacks/Faults they are null, and so is what follows. */
#define EXTRA_PARTS(PART)                                                                          \
    PART(epoll_host, false)                                                                        \
    PART(uv_host, false)                                                                           \
    PART(glib_host, false)                                                                         \
    PART(glib_source, false)                                                                       \
    PART(display, false)

#define DECLARE_EXTRA_PART(name, is_main) void part_##name(void) __attribute__((weak));
EXTRA_PARTS(DECLARE_EXTRA_PART)

/* The name of a request to a display, and the answer of one that no machine needs to have. */
const char *extra_ioctl_name(unsigned long request) __attribute__((weak));
bool extra_ioctl_answer(unsigned long request, void *argument) __attribute__((weak));

/* Whether this is the second round, in which nothing fails. */
bool work_is_strict(void);

/* Names the next action, for the report of a failed run. */
void work_step(const char *what);

/* Whether a function returned an object; if not, it has reported an error. */
bool work_got(const void *object, const char *what);

/* Whether a function succeeded; if not, it has reported an error. */
bool work_did(bool succeeded, const char *what);

/* Whether the engine has reported an error in this round. */
bool work_was_reported(void);

/* Records that the engine reported an error in another way. */
void work_failed(const char *what);

/* Checks an expectation that always holds. */
void work_must(bool is_so, const char *what);

/* An expectation, unless the engine has reported why the condition cannot hold. */
void work_should(bool is_so, const char *what);

/*
 * Runs the calling thread's loop until the condition holds: the awaited event stops the loop
 * (`work_stop`).
 */
void work_wait(bool (^is_so)(void), const char *what);

/* Like work_wait, unless the engine has reported why the condition cannot hold. */
void work_wait_served(bool (^is_so)(void), const char *what);

/* Like work_wait_served, for a thread without a loop: checks the condition periodically. */
void work_wait_outside(bool (^is_so)(void), const char *what);

/* The limit of another wait: that of work_wait, or the argument if a fault may strike. */
double work_patience(double seconds);

/* Ends the run of the loop, from a callback. */
void work_stop(RLRunLoopRef loop);

/*
 * Lets the loop rest for some milliseconds, with all that was made still there: counts the system
 * calls, of which an idle loop makes few.
 */
void work_rest(void);

/* Waits until the loop sleeps, and has the limit of descriptors come now, if it is to come late. */
void work_await_sleep(RLRunLoopRef loop);

/* A folder for the files of this process, which is removed at its end. */
const char *work_folder(void);

/* Leaves the files of a killed process's message port. */
void work_leave_lock(void);

/* Returns the date `seconds` from now. */
RLAbsoluteTime work_date(double seconds);

/* Of inject.c. */
void fault_begin_round(void);
void fault_begin_late(void);
void fault_end_round(void);

/* Makes peers of sockets seem to be in another PID namespace. */
void fault_hide_peers(bool hides);

/*
 * Calls a block that opens descriptors of the workload's own, for which the limit does not count.
 */
void fault_spare(void (^block)(void));

#endif
