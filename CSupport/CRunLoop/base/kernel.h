/*
 * The system calls of a loop. The functions retry after EINTR, and return negative errno values on
 * failure. A system call that only one file needs is in this file instead: socket_kernel.c has the
 * calls for sockets and files; events/ has signalfd, pidfd and inotify; messages/ has the sockets,
 * memory files and the folder of message ports. Calls without a descriptor, such as getpid, are
 * made directly.
 */

#ifndef RL_KERNEL_H
#define RL_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pollfd;

#define RL_NEVER_NS INT64_MAX

/* Events that are wanted or ready, and options of a registration. */
enum {
    RL_KERNEL_READ = 1u << 0,
    RL_KERNEL_WRITE = 1u << 1,
    RL_KERNEL_PRIORITY = 1u << 2,
    RL_KERNEL_HANG_UP = 1u << 3,
    RL_KERNEL_ERROR = 1u << 4,
    /* The peer has shut down its output. */
    RL_KERNEL_PEER_CLOSED = 1u << 5,
    /* Edge-triggered, so the loop need not read its ports. */
    RL_KERNEL_EDGE = 1u << 6,
    /*
     * No event is wanted. The descriptor is not registered, as epoll would report hang-ups anyway.
     */
    RL_KERNEL_NOTHING = 1u << 7
};

struct rl_kernel_event {
    uint64_t payload;
    uint32_t ready;
};

/*
 * Replaces a new descriptor below 3 by a duplicate with a higher number, because other code writes
 * to 0, 1 and 2 even in a process that was started without standard streams. Returns -1 with errno
 * if the duplication failed, and for an `fd` of -1.
 */
int rl_kernel_keep(int fd);

int rl_kernel_make_event_counter(void);
int rl_kernel_make_ready_counter(void);
int rl_kernel_make_timer(void);
int rl_kernel_make_poll_set(void);
int rl_kernel_duplicate(int fd);
void rl_kernel_close(int *fd);

/* `deadline_ns` is an absolute monotonic time; 0 disarms the timer. */
void rl_kernel_set_timer(int fd, int64_t deadline_ns);

/*
 * Adding returns -EEXIST if the set has the descriptor already, and -EPERM if epoll does not
 * support the file. Changing returns -ENOENT if the set does not have the descriptor, because its
 * number now refers to another file.
 */
int rl_kernel_poll_add(int set, int fd, uint32_t interest, uint64_t payload);
int rl_kernel_poll_change(int set, int fd, uint32_t interest, uint64_t payload);
void rl_kernel_poll_remove(int set, int fd);

enum { RL_KERNEL_MOST_EVENTS = 64 };

/* If the deadline has passed, only polls. Returns the number of events, stored in order. */
uint32_t rl_kernel_poll_wait(int set, int64_t deadline_ns, struct rl_kernel_event *ret_events,
                             uint32_t most);

/* Calls poll(2), or ppoll(2) if poll(2) fails: a sandbox may allow only ppoll(2). */
int rl_kernel_poll(struct pollfd *queries, unsigned count, int left_ms);

uint32_t rl_kernel_poll_now(int fd, uint32_t interest);

/* Returns true also if the descriptor's flags cannot be read. */
bool rl_kernel_is_blocking(int fd);

bool rl_kernel_is_readable(int fd);

/*
 * For a descriptor that epoll does not support. Returns true if the descriptor is always ready,
 * like a regular file.
 */
bool rl_kernel_is_always_ready(int fd);

/* May return before the deadline. */
void rl_kernel_sleep(int64_t deadline_ns);

/* Adds 1 to an event counter. Async-signal-safe; keeps errno. */
void rl_kernel_bump(int fd);
/* Like rl_kernel_bump, but ignores a descriptor that the client has closed. */
void rl_kernel_bump_if_open(int fd);

/*
 * Reads and resets a counter. Returns 0 if nothing could be read.
 *
 * Pass true for `may_block` if the counter belongs to a client: the counter may be in blocking
 * mode, another thread may have read it, or its number may refer to another file by now. Such a
 * read costs more. Pass false for a counter of the engine: a read error then aborts the process.
 */
uint64_t rl_kernel_take_count(int fd, bool may_block);

struct rl_kernel_counter {
    /* True for an eventfd or a timerfd, which the loop reads before it calls the client. */
    bool is_counter;
    /* True if one read resets the count to 0: false for a semaphore (EFD_SEMAPHORE). */
    bool is_emptied;
};

struct rl_kernel_counter rl_kernel_classify_counter(int fd);

/* Returns true also if the descriptor does not support FIONREAD. */
bool rl_kernel_has_bytes(int fd);

int64_t rl_kernel_monotonic_ns(void);
/* These clocks are cheap to read, and late by up to a clock tick, at most ten milliseconds. */
int64_t rl_kernel_coarse_ns(void);
int64_t rl_kernel_wall_ns(void);

/* Reads the monotonic clock first, then the wall clock. */
void rl_kernel_read_coarse(int64_t *ret_monotonic_ns, int64_t *ret_wall_ns);

pid_t rl_kernel_thread_id(void);
bool rl_kernel_is_main_thread(void);

/* The name ends with a NUL. */
void rl_kernel_get_thread_name(char name[16]);

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected);
void rl_kernel_futex_wait_for(atomic_uint *word, unsigned expected, int64_t most_ns);
void rl_kernel_futex_wake_one(atomic_uint *word);
void rl_kernel_futex_wake_all(atomic_uint *word);

#endif
