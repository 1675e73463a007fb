/*
 * The system calls of a loop. The functions retry after EINTR. They return negative errno values on
 * failure. kernel_poll.c has poll sets, counters and timers; kernel.c has clocks, threads and
 * futexes.
 *
 * System calls that only one file needs stand in that file: socket_kernel.c has sockets and files.
 * The sources in watch/ have signalfd, pidfd, inotify and reads from their descriptors. messages/
 * has the sockets, memory files and folder of message ports. write_signals.c writes to pipes and
 * standard error. report/symbol.c maps executable files. watch/dispatch_queue.c calls dup3 in a
 * forked child.
 *
 * Calls without a descriptor, such as getpid and sched_yield, appear where they are needed.
 */

#ifndef RL_KERNEL_H
#define RL_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pollfd;

/* No deadline: a wait has no time limit. */
#define RL_NEVER_NS INT64_MAX

/*
 * The events of a descriptor, for registration and for readiness, and options of the registration.
 */
enum {
    RL_KERNEL_READ = 1u << 0,
    RL_KERNEL_WRITE = 1u << 1,
    RL_KERNEL_PRIORITY = 1u << 2,
    RL_KERNEL_HANG_UP = 1u << 3,
    RL_KERNEL_ERROR = 1u << 4,
    /* The peer has shut down its output. */
    RL_KERNEL_PEER_CLOSED = 1u << 5,
    /* Edge-triggered: an event is reported once for each change, so ports need not be read. */
    RL_KERNEL_EDGE = 1u << 6,
    /*
     * Do not register the descriptor with epoll, which would report hang-ups even without wanted
     * events.
     */
    RL_KERNEL_NOTHING = 1u << 7
};

struct rl_kernel_event {
    uint64_t payload;
    uint32_t ready;
};

/*
 * Returns a descriptor with a number of at least 3 for a new descriptor `fd`, which is duplicated
 * and closed if its number is lower. A process that was started without standard streams has 0 to 2
 * free, and other code would write its output to these numbers. Returns -1 with errno if the
 * duplication failed. If `fd` is -1, returns -1 and keeps errno.
 */
int rl_kernel_keep(int fd);

int rl_kernel_make_event_counter(void);
int rl_kernel_make_ready_counter(void);
int rl_kernel_make_timer(void);
int rl_kernel_make_poll_set(void);
int rl_kernel_duplicate(int fd);
void rl_kernel_close(int *fd);

/* Arms a timer for an absolute moment of the monotonic clock; 0 disarms the timer. */
void rl_kernel_set_timer(int fd, int64_t deadline_ns);

/*
 * Add, change or remove a descriptor of a poll set. Adding returns -EEXIST if the set has the
 * descriptor already, and -EPERM if epoll does not support the file. Changing returns -ENOENT if
 * the set does not have the descriptor, because its number now refers to another file.
 */
int rl_kernel_poll_add(int set, int fd, uint32_t interest, uint64_t payload);
int rl_kernel_poll_change(int set, int fd, uint32_t interest, uint64_t payload);
void rl_kernel_poll_remove(int set, int fd);

enum { RL_KERNEL_MOST_EVENTS = 64 };

/*
 * Waits for events until a moment of the monotonic clock; a past moment polls. Stores at most
 * `most` events, in the order in which they occurred, and returns their number.
 */
uint32_t rl_kernel_poll_wait(int set, int64_t deadline_ns, struct rl_kernel_event *ret_events,
                             uint32_t most);

/*
 * poll(2). On architectures that have only the system call ppoll(2), a sandbox may allow only
 * ppoll.
 */
int rl_kernel_poll(struct pollfd *queries, unsigned count, int left_ms);

/* Returns which of the events in `interest` the descriptor is ready for now. */
uint32_t rl_kernel_poll_now(int fd, uint32_t interest);

/* Returns whether the descriptor is in blocking mode; true if the mode cannot be read. */
bool rl_kernel_is_blocking(int fd);

bool rl_kernel_is_readable(int fd);

/*
 * Returns whether a descriptor that epoll does not support is always ready, as regular files are.
 */
bool rl_kernel_is_always_ready(int fd);

/* Sleeps until the moment; may return earlier. */
void rl_kernel_sleep(int64_t deadline_ns);

/* Adds 1 to an event counter. Async-signal-safe; keeps errno. */
void rl_kernel_bump(int fd);
/* Like rl_kernel_bump, for a client's descriptor: ignores a closed descriptor. */
void rl_kernel_bump_if_open(int fd);

/*
 * Reads and resets a counter. Returns the count, or 0 if the count is 0.
 *
 * Pass true for `may_block` if the counter is a client's. The descriptor may be in blocking mode,
 * another thread may have read the count, and its number may refer to another file by now. A read
 * that cannot block costs more. With false the counter is the engine's own, and a read error aborts
 * the process.
 */
uint64_t rl_kernel_take_count(int fd, bool may_block);

struct rl_kernel_counter {
    /* The descriptor is an eventfd or a timerfd. The loop reads it before it calls the client. */
    bool is_counter;
    /* One read resets the count to 0: the descriptor is no semaphore (EFD_SEMAPHORE). */
    bool is_emptied;
};

struct rl_kernel_counter rl_kernel_classify_counter(int fd);

/* Returns whether the descriptor has bytes to read; true if the descriptor cannot report this. */
bool rl_kernel_has_bytes(int fd);

int64_t rl_kernel_monotonic_ns(void);
/* Cheap. The result is late by up to a clock tick, which is at most ten milliseconds. */
int64_t rl_kernel_coarse_ns(void);
int64_t rl_kernel_wall_ns(void);

/* Reads both coarse clocks, the monotonic clock first. */
void rl_kernel_read_coarse(int64_t *ret_monotonic_ns, int64_t *ret_wall_ns);

pid_t rl_kernel_thread_id(void);
bool rl_kernel_is_main_thread(void);

/* Stores the calling thread's name with a terminating NUL. */
void rl_kernel_get_thread_name(char name[16]);

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected);
/* Like rl_kernel_futex_wait, with a time limit. */
void rl_kernel_futex_wait_for(atomic_uint *word, unsigned expected, int64_t most_ns);
void rl_kernel_futex_wake_one(atomic_uint *word);
void rl_kernel_futex_wake_all(atomic_uint *word);

#endif
