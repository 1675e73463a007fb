/*
 * The system calls of a loop. Calls are repeated after EINTR; failures are negative errno values.
 * kernel_poll.c has poll sets, counters and timers, kernel.c clocks, threads and futexes.
 *
 * Some files contain the system calls that only they need: socket_kernel.c those of sockets and
 * files; the sources in watch/ signalfd, pidfd, inotify and reads from these; messages/ those of
 * the sockets, memory files and folder of message ports; write_signals.c the write to a pipe or
 * standard error; report/symbol.c those that map an executable file; watch/dispatch_queue.c the
 * dup3 of a forked child.
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

/* No deadline: wait without a limit. */
#define RL_NEVER_NS INT64_MAX

/*
 * The events that a descriptor is registered for or is ready for, and options of the registration.
 */
enum {
    RL_KERNEL_READ = 1u << 0,
    RL_KERNEL_WRITE = 1u << 1,
    RL_KERNEL_PRIORITY = 1u << 2,
    RL_KERNEL_HANG_UP = 1u << 3,
    RL_KERNEL_ERROR = 1u << 4,
    /* The peer has shut down its output. */
    RL_KERNEL_PEER_CLOSED = 1u << 5,
    /* Edge-triggered: reported once for each change, so that ports need not be read. */
    RL_KERNEL_EDGE = 1u << 6,
    /* Not registered at all, so that not even a hang-up is reported. */
    RL_KERNEL_NOTHING = 1u << 7
};

struct rl_kernel_event {
    uint64_t payload;
    uint32_t ready;
};

/*
 * Takes the result of a system call that makes a descriptor, and returns a descriptor whose number
 * is at least 3, duplicating the given one if needed: 0 to 2 are free if a process was started
 * without standard streams, and other code would write its output to these numbers. Returns -1 if
 * the system call or the duplication failed, with the errno value of that failure.
 */
int rl_kernel_keep(int fd);

int rl_kernel_make_event_counter(void);
int rl_kernel_make_ready_counter(void);
int rl_kernel_make_timer(void);
int rl_kernel_make_poll_set(void);
int rl_kernel_duplicate(int fd);
void rl_kernel_close(int *fd);

/* Arms a timer for an absolute moment of the monotonic clock; 0 disarms. */
void rl_kernel_set_timer(int fd, int64_t deadline_ns);

/*
 * Adding returns -EEXIST if the set has the descriptor already, and -EPERM if epoll does not
 * support the file; changing returns -ENOENT if the set does not have it, as another file has the
 * number now.
 */
int rl_kernel_poll_add(int set, int fd, uint32_t interest, uint64_t payload);
int rl_kernel_poll_change(int set, int fd, uint32_t interest, uint64_t payload);
void rl_kernel_poll_remove(int set, int fd);

enum { RL_KERNEL_MOST_EVENTS = 64 };

/*
 * Waits for events until a moment of the monotonic clock; a past moment polls. Returns their
 * number, at most `most`, in the order in which they occurred.
 */
uint32_t rl_kernel_poll_wait(int set, int64_t deadline_ns, struct rl_kernel_event *ret_events,
                             uint32_t most);

/* poll(2). Newer processors have only ppoll(2), so a sandbox may allow only that. */
int rl_kernel_poll(struct pollfd *queries, unsigned count, int left_ms);

/* Returns the current readiness of a descriptor for its registered events. */
uint32_t rl_kernel_poll_now(int fd, uint32_t interest);

/* Returns whether calls on a descriptor block; true if unknown. */
bool rl_kernel_is_blocking(int fd);

bool rl_kernel_is_readable(int fd);

/*
 * Returns whether a descriptor that epoll refuses is of a kind that is always ready, as regular
 * files are.
 */
bool rl_kernel_is_always_ready(int fd);

/* Sleeps until the moment; may return earlier. */
void rl_kernel_sleep(int64_t deadline_ns);

/* Adds one to an event counter. Async-signal-safe, keeps errno. */
void rl_kernel_bump(int fd);
/* Like rl_kernel_bump, for a client's descriptor. Ignores a closed one. */
void rl_kernel_bump_if_open(int fd);

/*
 * Reads the count of a counter. Returns 0 if the count is 0.
 *
 * Unless `may_block`, the counter is the engine's own: the process stops if it cannot be read at
 * all. A client's counter may block. Since its report, its count may have been read, or its number
 * may belong to another file now. Reading it without blocking costs more.
 */
uint64_t rl_kernel_take_count(int fd, bool may_block);

struct rl_kernel_counter {
    /* An eventfd or a timerfd, which the loop reads before it calls the client. */
    bool is_counter;
    /* One read resets the count to 0, unless the eventfd is a semaphore. */
    bool is_emptied;
};

struct rl_kernel_counter rl_kernel_classify_counter(int fd);

/* Returns whether there are bytes to read; true if the descriptor cannot report it. */
bool rl_kernel_has_bytes(int fd);

int64_t rl_kernel_monotonic_ns(void);
/* Cheap, and late by up to a clock tick, which is ten milliseconds at most. */
int64_t rl_kernel_coarse_ns(void);
int64_t rl_kernel_wall_ns(void);

/* Both coarse clocks, the monotonic one first. */
void rl_kernel_read_coarse(int64_t *ret_monotonic_ns, int64_t *ret_wall_ns);

pid_t rl_kernel_thread_id(void);
bool rl_kernel_is_main_thread(void);

/* With a terminating NUL. */
void rl_kernel_get_thread_name(char name[16]);

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected);
/* Like rl_kernel_futex_wait, with a time limit. */
void rl_kernel_futex_wait_for(atomic_uint *word, unsigned expected, int64_t most_ns);
void rl_kernel_futex_wake_one(atomic_uint *word);
void rl_kernel_futex_wake_all(atomic_uint *word);

#endif
