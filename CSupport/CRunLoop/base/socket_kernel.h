/*
 * The system calls for sockets and files. Calls are repeated after EINTR; failures are negative
 * errno values. Sockets and pipes raise no signal, and no call blocks unless documented.
 */

#ifndef RL_SOCKET_KERNEL_H
#define RL_SOCKET_KERNEL_H

#include <CRunLoop/RLRunLoopSource.h>

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

struct rl_socket_name {
    struct sockaddr_storage storage;
    socklen_t length;
};

RLRunLoopDescriptorEvents rl_socket_poll_now(int fd);

/*
 * Converts readiness to the directions in which a call on the descriptor would not block. This
 * decides what an error means.
 */
RLRunLoopDescriptorEvents rl_socket_directions(int fd, RLRunLoopDescriptorEvents ready);

/* Returns whether the peer can send no more bytes than those in the receive buffer. */
bool rl_socket_has_hung_up(int fd);

int rl_socket_make(int family, int type, int protocol);
int rl_socket_bind(int fd, const void *address, size_t length);
int rl_socket_listen(int fd);

/*
 * Begins to connect, and keeps the descriptor's flags. Returns -EINPROGRESS if the connection is
 * pending, or -EAGAIN for a Unix socket whose peer's queue is full.
 */
int rl_socket_connect(int fd, const void *address, size_t length);

/*
 * Resets a connection that failed in the background. Otherwise the kernel would refuse the next one
 * with ECONNABORTED, without an attempt.
 */
void rl_socket_disconnect(int fd);

/* Returns the handle of the next connection, with close-on-exec set. */
int rl_socket_accept(int fd, struct rl_socket_name *ret_peer);

ssize_t rl_socket_receive(int fd, void *bytes, size_t size, struct rl_socket_name *ret_sender);

/* Sends as many bytes as the buffer takes, to the address unless that is null. */
ssize_t rl_socket_send(int fd, const void *address, size_t address_length, const void *bytes,
                       size_t length);

ssize_t rl_socket_move(int fd, void *bytes, size_t length, bool sends);

/*
 * Returns the number of bytes that a writable stream socket takes at least; the constant is the
 * kernel's memory overhead for each write at most.
 */
size_t rl_socket_least_space(int fd);
enum { RL_SOCKET_OVERHEAD_OF_WRITE = 2304 };

/*
 * Returns the descriptor's send time-out: 0 if it does not block, RL_NEVER_NS if there is no limit.
 */
int64_t rl_socket_send_limit(int fd);

/*
 * Blocks until the descriptor is ready for one of the directions, the event counter `interrupt` is
 * readable, or the deadline. Returns -ETIMEDOUT at the deadline. Ignores a descriptor of -1.
 */
int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int interrupt, int64_t deadline_ns);

/*
 * Returns 1 if the next read would return EOF, 0 if it would return bytes, -EAGAIN if it would
 * block, or the socket's pending error, which this clears.
 */
int rl_socket_find_end(int fd);

/* Half-closes the connection (FIN); receiving continues. */
int rl_socket_finish_sending(int fd);

/*
 * Makes a TCP socket for IPv6 and IPv4, or for IPv4 only on a system without IPv6. Also returns its
 * family.
 */
int rl_socket_make_for_hosts(int *ret_family);

/*
 * Sets the differentiated services code point and the local queue priority of further output.
 * Ignores options that the system or the family does not support.
 */
void rl_socket_mark(int fd, int code_point, int priority);

/* Opens a file for reading, or for writing from its beginning or its end. */
int rl_file_open(const char *path, bool is_written, bool appends);
/* False if unknown. */
bool rl_file_is_regular(int fd);
/* Both block on files that are not regular, unless the descriptor is nonblocking. */
ssize_t rl_file_read(int fd, void *bytes, size_t length);
/* `is_regular` saves the calls that block signals. */
ssize_t rl_file_write(int fd, bool is_regular, const void *bytes, size_t length);
int64_t rl_file_offset(int fd);
int rl_file_seek(int fd, int64_t offset);

/*
 * Returns SOCK_STREAM or another type; a negative errno value for a descriptor that is no socket.
 */
int rl_socket_type(int fd);

/* Reads and clears the pending error. Returns a negative errno value, or 0 if there is none. */
int rl_socket_take_error(int fd);

bool rl_socket_get_name(int fd, struct rl_socket_name *ret_name);
bool rl_socket_get_peer(int fd, struct rl_socket_name *ret_name);

/* Returns a negative errno value on failure. */
int rl_socket_set_blocking(int fd, bool blocks);

#endif
