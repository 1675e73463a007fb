/*
 * Tests of adapters against the real loops: plain C, no package. Each test runs on the main thread
 * of a process of its own.
 */

#ifndef HOSTS_H
#define HOSTS_H

#include <CHarness.h>
#include <CRunLoopHosts.h>

#include <stdbool.h>
#include <stdint.h>

/** The lists of tests, each with a null name at its end. */
extern const struct test glib_host_tests[], glib_source_tests[], uv_host_tests[], epoll_tests[];

/** How often the calling thread has gone to sleep in the kernel since it began. */
long count_sleeps(void);

/**
 * For how many microseconds the host is idle before the helper thread acts, and the most sleeps of
 * the host's thread during that time. On a busy machine the thread also sleeps for locks and pages;
 * a host that polls every 30 ms would sleep as often.
 */
enum { IDLE_US = 300000, MOST_SLEEPS = 10 };

/** Does something on another thread when the idle time is over; join_helper waits for its end. */
void after_idle_time(void (^body)(void));

/** Does something on another thread; join_helper waits for its end. */
void on_helper(void (^body)(void));

/** Waits for the thread of on_helper or after_idle_time. */
void join_helper(void);

/** A timer of this thread's run loop, in the default mode, which calls a block once. */
void after(double seconds, void (^body)(void));

/** A timer of this thread's run loop, in the default mode, which calls a block for ever. */
RLRunLoopTimerRef every(double seconds, void (^body)(void));

/** A signalled source in the default mode, with a block; owned by the run loop. */
RLRunLoopSourceRef add_source(void (^body)(void));

/** A source for a descriptor in the default mode, with a block; owned by the run loop. */
RLRunLoopSourceRef add_descriptor(int fd, void (^body)(void));

/** Calls a block just before the next write to a wake-up port, on the thread that makes it. */
void before_next_ring(void (^body)(void));

/** Puts a block on the main dispatch queue. */
void on_main_queue(void (^body)(void));

#endif
