/*
 * Processes beside this one, and what they tell about each other.
 */

#ifndef PEER_H
#define PEER_H

#include "../Engines/support.h"
#include "include/Programs.h"

#include <sys/types.h>

/*
 * Starts a process that calls a function and ends; it ends with this one in any case. To be called
 * before there are other threads. The child is bound to a processor.
 */
pid_t peer_start(int processor, void (*run)(void *info), void *info);

/* Waits for it to end, and stops this process if it failed. */
void peer_join(pid_t peer);

/* The processor time of another process. */
int64_t processor_ns_of(pid_t process);

/* The memory of a process that belongs to no file. */
double anonymous_bytes_of(pid_t process);

/* Writes all of it, however long that takes. */
void write_all(int fd, const char *bytes, size_t size);

/* Ends it now. */
void peer_kill(pid_t peer);

/* Counts the system calls of processes by all of their threads between two moments. */
struct call_counter {
    pid_t process;
    char path[32];
};

/* The second process may be 0: none. False if there is no strace. */
bool call_counter_start(struct call_counter *counter, pid_t first, pid_t second);
double call_counter_stop(struct call_counter *counter);

#endif
