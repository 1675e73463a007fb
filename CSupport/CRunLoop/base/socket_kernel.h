/*
 * The system calls for sockets and files. The functions retry after EINTR. They return negative
 * errno values on failure. They raise no signals, and do not block unless documented.
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
 * Converts readiness to the directions in which a call on the descriptor would not block. Decides
 * which directions a reported error makes ready.
 */
RLRunLoopDescriptorEvents rl_socket_directions(int fd, RLRunLoopDescriptorEvents ready);

/*
 * Returns whether the peer has ended the connection or its output. The receive buffer may still
 * have bytes.
 */
bool rl_socket_has_hung_up(int fd);

int rl_socket_make(int family, int type, int protocol);
int rl_socket_bind(int fd, const void *address, size_t length);
int rl_socket_listen(int fd);

/*
 * Starts a connection without blocking, whatever the descriptor's flags. Returns -EINPROGRESS if
 * the connection is pending, or -EAGAIN if the queue of a Unix socket's peer is full.
 */
int rl_socket_connect(int fd, const void *address, size_t length);

/*
 * Resets a connection attempt that failed in the background. Without this, the kernel would fail
 * the next connect(2) with ECONNABORTED at once.
 */
void rl_socket_disconnect(int fd);

/* Accepts the next connection. Returns its descriptor, with close-on-exec set. */
int rl_socket_accept(int fd, struct rl_socket_name *ret_peer);

ssize_t rl_socket_receive(int fd, void *bytes, size_t size, struct rl_socket_name *ret_sender);

/*
 * Sends as many bytes as the send buffer takes. `address` may be null. Returns the number of bytes
 * sent.
 */
ssize_t rl_socket_send(int fd, const void *address, size_t address_length, const void *bytes,
                       size_t length);

ssize_t rl_socket_move(int fd, void *bytes, size_t length, bool sends);

/*
 * Returns a number of bytes for which a writable stream socket surely has room. The constant is the
 * most memory that the kernel adds to each write.
 */
size_t rl_socket_least_space(int fd);
enum { RL_SOCKET_OVERHEAD_OF_WRITE = 2304 };

/*
 * Returns the descriptor's send time-out in nanoseconds: 0 if the descriptor is nonblocking,
 * RL_NEVER_NS if there is no limit.
 */
int64_t rl_socket_send_limit(int fd);

/*
 * Blocks until the descriptor is ready in one of the directions, the event counter `interrupt` is
 * readable, or the deadline is reached. Returns 0, or -ETIMEDOUT at the deadline. Either descriptor
 * may be -1, which is ignored.
 */
int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int interrupt, int64_t deadline_ns);

/*
 * Returns 1 if the next read would return EOF, 0 if it would return bytes, -EAGAIN if it would
 * block, or else the socket's pending error, which this call clears.
 */
int rl_socket_find_end(int fd);

/* Half-closes the connection: sends FIN. The socket can still receive. */
int rl_socket_finish_sending(int fd);

/*
 * Creates a TCP socket for both IPv6 and IPv4, or only for IPv4 on a system without IPv6. Also
 * returns the address family.
 */
int rl_socket_make_for_hosts(int *ret_family);

/*
 * Sets the differentiated services code point and the queue priority of subsequent output. Ignores
 * options that the system or the address family does not support.
 */
void rl_socket_mark(int fd, int code_point, int priority);

/*
 * Opens a file for reading, or for writing. Writing truncates the file, or appends to it if
 * `appends`.
 */
int rl_file_open(const char *path, bool is_written, bool appends);
/* Returns false if the type of the file is unknown. */
bool rl_file_is_regular(int fd);
/* Reads and writes block on files that are not regular, unless the descriptor is nonblocking. */
ssize_t rl_file_read(int fd, void *bytes, size_t length);
/* For a regular file, `is_regular` saves the system calls that block SIGPIPE. */
ssize_t rl_file_write(int fd, bool is_regular, const void *bytes, size_t length);
int64_t rl_file_offset(int fd);
int rl_file_seek(int fd, int64_t offset);

/*
 * Returns the type of a socket, such as SOCK_STREAM, or a negative errno value if the descriptor is
 * no socket.
 */
int rl_socket_type(int fd);

/*
 * Reads and clears the pending error (SO_ERROR). Returns a negative errno value, or 0 without an
 * error.
 */
int rl_socket_take_error(int fd);

bool rl_socket_get_name(int fd, struct rl_socket_name *ret_name);
bool rl_socket_get_peer(int fd, struct rl_socket_name *ret_name);

/* Returns 0 or a negative errno value. */
int rl_socket_set_blocking(int fd, bool blocks);

#endif
