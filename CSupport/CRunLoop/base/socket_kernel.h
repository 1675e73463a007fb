/*
 * The system calls for sockets and files. The functions retry after EINTR, return negative errno
 * values on failure, and raise no signals. They do not block, unless documented otherwise.
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

/* Returns the directions in which a call would not block. `ready` may include an error. */
RLRunLoopDescriptorEvents rl_socket_directions(int fd, RLRunLoopDescriptorEvents ready);

/* Returns true if the peer has ended its output. The receive buffer may still have bytes. */
bool rl_socket_has_hung_up(int fd);

int rl_socket_make(int family, int type, int protocol);
int rl_socket_bind(int fd, const void *address, size_t length);
int rl_socket_listen(int fd);

/*
 * Never blocks, whatever the descriptor's flags. Returns -EINPROGRESS if the connection is pending,
 * or -EAGAIN if the queue of a Unix socket's peer is full.
 */
int rl_socket_connect(int fd, const void *address, size_t length);

/*
 * Call this after a background connection has failed: otherwise the kernel fails the next
 * connection with ECONNABORTED.
 */
void rl_socket_disconnect(int fd);

int rl_socket_accept(int fd, struct rl_socket_name *ret_peer);

ssize_t rl_socket_receive(int fd, void *bytes, size_t size, struct rl_socket_name *ret_sender);

/* Sends as many bytes as the send buffer takes, and returns their number. `address` may be null. */
ssize_t rl_socket_send(int fd, const void *address, size_t address_length, const void *bytes,
                       size_t length);

ssize_t rl_socket_move(int fd, void *bytes, size_t length, bool sends);

/*
 * Returns a number of bytes that a writable stream socket accepts in any case. The constant is the
 * maximum memory that the kernel adds to each write.
 */
size_t rl_socket_least_space(int fd);
enum { RL_SOCKET_OVERHEAD_OF_WRITE = 2304 };

/* Returns nanoseconds: 0 if the descriptor is nonblocking, RL_NEVER_NS if there is no time-out. */
int64_t rl_socket_send_limit(int fd);

/*
 * Blocks until the descriptor is ready in one of the directions or the event counter `interrupt` is
 * readable. Returns -ETIMEDOUT at the deadline. Either descriptor may be -1.
 */
int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int interrupt, int64_t deadline_ns);

/*
 * Returns 1 at EOF, 0 if there are bytes, or -EAGAIN if a read would block. Otherwise returns the
 * socket's pending error, and clears it.
 */
int rl_socket_find_end(int fd);

/* Sends FIN. The socket can still receive. */
int rl_socket_finish_sending(int fd);

/* Makes a TCP socket for both IPv6 and IPv4, or for IPv4 on a system without IPv6. */
int rl_socket_make_for_hosts(int *ret_family);

/* Sets the DSCP and the queue priority of later output. Ignores unsupported options. */
void rl_socket_mark(int fd, int code_point, int priority);

/* If `is_written`, creates the file if it does not exist, and truncates it unless `appends`. */
int rl_file_open(const char *path, bool is_written, bool appends);
/* rl_file_read and rl_file_write may block, except on regular files and nonblocking descriptors. */
ssize_t rl_file_read(int fd, void *bytes, size_t length);
/* Raises neither SIGPIPE nor SIGXFSZ. */
ssize_t rl_file_write(int fd, const void *bytes, size_t length);
int64_t rl_file_offset(int fd);
int rl_file_seek(int fd, int64_t offset);

/* Returns the type, for example SOCK_STREAM. */
int rl_socket_type(int fd);

/* Returns SO_ERROR as a negative errno value or 0, and clears it. */
int rl_socket_take_error(int fd);

bool rl_socket_get_name(int fd, struct rl_socket_name *ret_name);
bool rl_socket_get_peer(int fd, struct rl_socket_name *ret_name);

int rl_socket_set_blocking(int fd, bool blocks);

#endif
