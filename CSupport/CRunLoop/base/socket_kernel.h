/*
 * The system calls about sockets and files. EINTR ends here; failures are negative errno
 * values. Sockets and pipes raise no signal, and none blocks unless documented.
 */

#ifndef RL_SOCKET_KERNEL_H
#define RL_SOCKET_KERNEL_H

#include <CRunLoop/RLRunLoopSource.h>

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/* An address of any family, and its length. */
struct rl_socket_name {
    struct sockaddr_storage storage;
    socklen_t length;
};

/* Returns the present readiness of the descriptor. */
RLRunLoopDescriptorEvents rl_socket_poll_now(int fd);

/*
 * Returns the directions in which a call on the descriptor would not wait, for what it is ready
 * for. This decides what an error means.
 */
RLRunLoopDescriptorEvents rl_socket_directions(int fd, RLRunLoopDescriptorEvents ready);

/* Returns whether nothing more comes from the peer than what waits to be read. */
bool rl_socket_has_hung_up(int fd);

int rl_socket_make(int family, int type, int protocol);
int rl_socket_bind(int fd, const void *address, size_t length);
int rl_socket_listen(int fd);

/*
 * Begins to connect, and leaves the descriptor's flags as they are. Returns -EINPROGRESS if it
 * takes time, or -EAGAIN for a Unix socket whose peer's queue is full.
 */
int rl_socket_connect(int fd, const void *address, size_t length);

/*
 * Forgets a connection that failed in the background. Otherwise the kernel would refuse the next
 * one with ECONNABORTED, without trying it.
 */
void rl_socket_disconnect(int fd);

/* Returns the handle of the next connection, which closes when a program is executed. */
int rl_socket_accept(int fd, struct rl_socket_name *ret_peer);

ssize_t rl_socket_receive(int fd, void *bytes, size_t size, struct rl_socket_name *ret_sender);

/* Sends as much as there is room for, to an address unless that is null. */
ssize_t rl_socket_send(int fd, const void *address, size_t address_length, const void *bytes,
                       size_t length);

/* Sends or receives bytes of a connection. */
ssize_t rl_socket_move(int fd, void *bytes, size_t length, bool sends);

/*
 * Returns the bytes that a stream socket takes at least once it is ready to be written, and what
 * the kernel may count for each write beside its bytes.
 */
size_t rl_socket_room(int fd);
enum { RL_SOCKET_ROOM_OF_WRITE = 2304 };

/*
 * Returns the time that the descriptor is set to wait for room: 0 if it does not block, RL_NEVER_NS
 * if there is no limit.
 */
int64_t rl_socket_send_limit(int fd);

/*
 * Blocks until the descriptor is ready for one of the directions, the alarm can be read, or a
 * moment of the monotonic clock has come. Returns -ETIMEDOUT for the moment. Does not wait for a
 * descriptor that is -1.
 */
int rl_socket_wait(int fd, RLRunLoopDescriptorEvents direction, int alarm, int64_t deadline_ns);

/*
 * Returns 1 if the next read would find the end of a stream, 0 if it would find bytes, -EAGAIN if
 * it would wait, or the socket's error, which this takes.
 */
int rl_socket_find_end(int fd);

/* Sends the end of the stream (FIN); receiving continues. */
int rl_socket_finish_sending(int fd);

/*
 * Makes a TCP socket that reaches hosts of IPv4 and, if the system has that, of IPv6. Returns its
 * family too.
 */
int rl_socket_make_for_hosts(int *ret_family);

/*
 * Marks what is sent from now on with a differentiated services code point, and gives it a priority
 * in the system's own queues. What the system refuses, or what the family does not have, is left.
 */
void rl_socket_mark(int fd, int code_point, int priority);

/* Opens a file to read, or to write from its beginning or its end. */
int rl_file_open(const char *path, bool is_written, bool appends);
/* Returns false if that is unknown. */
bool rl_file_is_regular(int fd);
/* Both block on what is no regular file, unless its descriptor does not. */
ssize_t rl_file_read(int fd, void *bytes, size_t length);
/* For a file that `is_regular`, this saves the calls that block signals. */
ssize_t rl_file_write(int fd, bool is_regular, const void *bytes, size_t length);
int64_t rl_file_offset(int fd);
int rl_file_seek(int fd, int64_t offset);

/* Returns SOCK_STREAM or another type; a negative errno value for what is no socket. */
int rl_socket_type(int fd);

/* Takes the pending error. Returns it as a negative errno value, or 0 if there is none. */
int rl_socket_take_error(int fd);

bool rl_socket_get_name(int fd, struct rl_socket_name *ret_name);
bool rl_socket_get_peer(int fd, struct rl_socket_name *ret_name);

/* Sets whether calls on the descriptor block. Returns a negative errno value if that fails. */
int rl_socket_set_blocking(int fd, bool blocks);

#endif
