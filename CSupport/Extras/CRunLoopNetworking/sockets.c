/*
 * The sockets of libcurl on a loop, and libcurl's idle connections. On an idle connection, no bytes
 * may arrive before the next request.
 */

#define _GNU_SOURCE

#include "addresses.h"
#include "transfers.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * The socket of a connection stays in the loop until the socket is closed, even while the
 * connection is idle. So the next request needs no system call to add the socket.
 */
struct rl_curl_socket {
    struct rl_transfer_group *group;
    RLRunLoopSourceRef source;
    int fd;
    /* `events` are the registered events. `is_wanted` is true if libcurl waits for the socket. */
    RLRunLoopDescriptorEvents events;
    bool is_wanted;
    /* True if a callback in this file opened the socket. libcurl then also closes it here. */
    bool is_connection;
    /* The number of the last known transfer on this socket; 0 if there is none. */
    uint64_t user;
    /* Set at the first request, with `addresses`. */
    bool has_addresses;
    struct rl_addresses addresses;
    /* True if the connection has responded with HTTP/1, so only one transfer at a time uses it. */
    bool is_version1;
    /* True if this is an HTTP/1 connection that no transfer uses: no bytes may arrive. */
    bool is_idle;
    LIST_ENTRY(rl_curl_socket) link;
};

/* The beginning of libcurl's struct curl_sockaddr. */
struct rl_curl_address {
    int family;
    int type;
    int protocol;
};

static struct rl_curl_socket *find_socket(struct rl_transfer_group *group, int fd)
{
    return fd >= 0 && (size_t)fd < group->socket_count ? group->sockets[fd] : NULL;
}

static RLRunLoopDescriptorEvents socket_events(void *info)
{
    return ((struct rl_curl_socket *)info)->events;
}

static int socket_descriptor(void *info)
{
    return ((struct rl_curl_socket *)info)->fd;
}

/*
 * Makes libcurl use another connection, because otherwise libcurl would treat stray bytes as the
 * next response. Bytes that arrive later reset the connection.
 */
static void hang_up(struct rl_curl_socket *socket)
{
    char bytes[4096];
    socket->is_idle = false;
    shutdown(socket->fd, SHUT_RDWR);
    while (recv(socket->fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
}

void rl_sockets_hang_up_unasked(struct rl_transfer_group *group)
{
    enum { AT_ONCE = 64 };
    struct rl_curl_socket *sockets[AT_ONCE], *next = LIST_FIRST(&group->connections);
    struct pollfd polled[AT_ONCE];
    /* If a socket is not registered, an active connection may look idle. */
    if (group->has_unregistered_socket) return;
    while (next) {
        nfds_t count = 0;
        for (; next && count < AT_ONCE; next = LIST_NEXT(next, link)) {
            if (!next->is_idle) continue;
            sockets[count] = next;
            polled[count++] = (struct pollfd){.fd = next->fd, .events = POLLIN};
        }
        if (count > 0 && poll(polled, count, 0) < 0) return;
        for (nfds_t i = 0; i < count; i++) {
            if (polled[i].revents) hang_up(sockets[i]);
        }
    }
}

/* --- The connection of a transfer --- */

static struct rl_curl_socket *find_own(const struct rl_transfer *transfer)
{
    struct rl_curl_socket *socket = find_socket(transfer->group, transfer->fd);
    return socket && socket->user == transfer->number ? socket : NULL;
}

static bool has_addresses(struct rl_curl_socket *socket, const struct rl_transfer *transfer,
                          const struct rl_addresses *addresses)
{
    if (!socket->has_addresses && socket->user == transfer->number) {
        socket->has_addresses = rl_addresses_read(socket->fd, &socket->addresses);
    }
    return socket->has_addresses && rl_addresses_equal(&socket->addresses, addresses);
}

/* Returns null if several sockets match, as with equal link-local addresses on two devices. */
static struct rl_curl_socket *find_connection(const struct rl_transfer *transfer,
                                              const struct rl_addresses *addresses)
{
    struct rl_curl_socket *socket, *found = NULL;
    LIST_FOREACH(socket, &transfer->group->connections, link) {
        if (!has_addresses(socket, transfer, addresses)) continue;
        if (found) return NULL;
        found = socket;
    }
    return found;
}

static bool has_unasked(const struct rl_curl_socket *socket, const struct rl_transfer *transfer)
{
    struct pollfd polled = {.fd = socket->fd, .events = POLLIN};
    return poll(&polled, 1, 0) != 0 || rl_tls_has_pending(transfer->easy);
}

enum rl_connection rl_sockets_check(struct rl_transfer *transfer,
                                    const struct rl_addresses *addresses, bool is_fresh)
{
    struct rl_curl_socket *socket = is_fresh ? find_own(transfer) : NULL;
    if (!socket || !has_addresses(socket, transfer, addresses)) {
        socket = find_connection(transfer, addresses);
    }
    transfer->fd = -1;
    if (!socket) return is_fresh ? RL_CONNECTION_USABLE : RL_CONNECTION_UNKNOWN;
    transfer->fd = socket->fd;
    socket->user = transfer->number;
    socket->is_idle = false;
    /* The connection is new, or uses HTTP/2, whose frames identify their requests. */
    if (!socket->is_version1) return RL_CONNECTION_USABLE;
    return has_unasked(socket, transfer) ? RL_CONNECTION_UNUSABLE : RL_CONNECTION_USABLE;
}

void rl_sockets_hang_up_own(struct rl_transfer *transfer)
{
    struct rl_curl_socket *socket = find_own(transfer);
    if (socket) hang_up(socket);
    rl_tls_drop_pending(transfer->easy);
}

void rl_sockets_note_answer(struct rl_transfer *transfer)
{
    struct rl_curl_socket *socket = find_own(transfer);
    if (socket) socket->is_version1 = transfer->is_version1;
}

/* --- Sockets in the loop --- */

static void perform_socket(void *info, RLRunLoopDescriptorEvents ready)
{
    struct rl_curl_socket *socket = info;
    if (!socket->is_wanted || RLTransferGroupIsInherited(socket->group)) {
        /* The connection was reset. An update of the events would report the reset again. */
        if (socket->events == 0) return;
        /* The server has probably closed the connection, which libcurl checks before a reuse. */
        socket->events = 0;
        RLRunLoopSourceUpdateEvents(socket->source);
        return;
    }
    int events = 0;
    if (ready & (kRLRunLoopDescriptorRead | kRLRunLoopDescriptorHangUp)) {
        events |= RL_CURL_CSELECT_IN;
    }
    if (ready & kRLRunLoopDescriptorWrite) events |= RL_CURL_CSELECT_OUT;
    if (ready & kRLRunLoopDescriptorError) events |= RL_CURL_CSELECT_ERR;
    struct rl_transfer_group *group = socket->group;
    rl_group_act(group, socket->fd, events);
}

static bool make_place(struct rl_transfer_group *group, int fd)
{
    size_t count = group->socket_count;
    if ((size_t)fd < count) return true;
    size_t more = (size_t)fd + 1 > 2 * count ? (size_t)fd + 1 : 2 * count;
    struct rl_curl_socket **sockets = realloc(group->sockets, more * sizeof *sockets);
    if (!sockets) return false;
    memset(sockets + count, 0, (more - count) * sizeof *sockets);
    group->sockets = sockets;
    group->socket_count = more;
    return true;
}

static void forget_socket(struct rl_curl_socket *socket)
{
    LIST_REMOVE(socket, link);
    socket->group->sockets[socket->fd] = NULL;
    RLRunLoopSourceInvalidate(socket->source);
    RLRelease(socket->source);
    free(socket);
}

static struct rl_curl_socket *make_socket(struct rl_transfer_group *group, int fd,
                                          bool is_connection)
{
    if (!make_place(group, fd)) return NULL;
    /* libcurl has closed another socket with this number without a call of this file. */
    if (group->sockets[fd]) forget_socket(group->sockets[fd]);
    struct rl_curl_socket *socket = malloc(sizeof *socket);
    if (!socket) return NULL;
    *socket = (struct rl_curl_socket){.group = group, .fd = fd, .is_connection = is_connection};
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = socket,
        .getDescriptor = socket_descriptor,
        .getEvents = socket_events,
        .perform = perform_socket,
    };
    socket->source = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
    for (RLIndex i = 0; i < group->mode_count; i++) {
        RLRunLoopAddSource(group->loop, socket->source, group->modes[i]);
    }
    LIST_INSERT_HEAD(&group->connections, socket, link);
    return group->sockets[fd] = socket;
}

static int open_socket(void *info, int purpose, const struct rl_curl_address *address)
{
    (void)purpose;
    struct rl_transfer *transfer = info;
    transfer->functions.connecting(transfer->info);
    int type = address->type | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int fd = socket(address->family, type, address->protocol);
    transfer->socket_error = fd < 0 ? errno : 0;
    if (fd < 0) return fd;
    struct rl_curl_socket *made = make_socket(transfer->group, fd, true);
    if (made) {
        made->user = transfer->number;
        return transfer->fd = fd;
    }
    close(fd);
    transfer->socket_error = ENOMEM;
    return -1;
}

static int close_socket(void *info, int fd)
{
    struct rl_curl_socket *socket = find_socket(info, fd);
    if (socket) forget_socket(socket);
    return close(fd);
}

static int socket_changed(rl_easy *easy, int fd, int what, void *info, void *known)
{
    (void)known;
    struct rl_curl_socket *socket = find_socket(info, fd);
    struct rl_transfer *transfer = NULL;
    rl_curl.curl_easy_getinfo(easy, RL_CURLINFO_PRIVATE, &transfer);
    if (what == RL_CURL_POLL_REMOVE) {
        if (!socket) return 0;
        socket->is_wanted = false;
        socket->is_idle = transfer && transfer->is_version1 && !transfer->is_paused;
        /* libcurl 7.88 closes a connecting socket itself, and other sockets through this file. */
        bool may_be_closed = !socket->is_connection || socket->events == kRLRunLoopDescriptorWrite;
        if (!socket->is_idle && may_be_closed) forget_socket(socket);
        return 0;
    }
    if (!socket) {
        socket = make_socket(info, fd, false);
        if (socket && transfer) socket->user = transfer->number;
    }
    if (!socket) {
        /* An error would end the whole group, and newer versions of libcurl would not report it. */
        ((struct rl_transfer_group *)info)->has_unregistered_socket = true;
        rl_group_note_change(info);
        return 0;
    }
    RLRunLoopDescriptorEvents events = (what & RL_CURL_POLL_IN ? kRLRunLoopDescriptorRead : 0) |
                                       (what & RL_CURL_POLL_OUT ? kRLRunLoopDescriptorWrite : 0);
    socket->is_wanted = true;
    socket->is_idle = false;
    if (socket->events == events) return 0;
    socket->events = events;
    RLRunLoopSourceUpdateEvents(socket->source);
    return 0;
}

/* --- For groups and transfers --- */

void rl_sockets_poll_all(struct rl_transfer_group *group)
{
    rl_group_count_call(group);
    int running;
    rl_curl_begin_calls();
    rl_curl.curl_multi_perform(group->multi, &running);
    rl_curl_end_calls();
    if (running == 0) group->has_unregistered_socket = false;
}

void rl_sockets_note_pause(struct rl_transfer *transfer)
{
    struct rl_curl_socket *socket;
    if (transfer->reports_connection) return;
    LIST_FOREACH(socket, &transfer->group->connections, link) socket->is_idle = false;
}

bool rl_sockets_set_up(struct rl_transfer_group *group)
{
    return !rl_curl.curl_multi_setopt(group->multi, RL_CURLMOPT_SOCKETFUNCTION, socket_changed) &&
           !rl_curl.curl_multi_setopt(group->multi, RL_CURLMOPT_SOCKETDATA, group);
}

void rl_sockets_set_up_transfer(struct rl_transfer *transfer)
{
    rl_easy *easy = transfer->easy;
    rl_curl.curl_easy_setopt(easy, RL_CURLOPT_OPENSOCKETFUNCTION, open_socket);
    rl_curl.curl_easy_setopt(easy, RL_CURLOPT_OPENSOCKETDATA, transfer);
    rl_curl.curl_easy_setopt(easy, RL_CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    rl_curl.curl_easy_setopt(easy, RL_CURLOPT_CLOSESOCKETDATA, transfer->group);
}

void rl_sockets_note_end(struct rl_transfer *transfer)
{
    /* If libcurl never had to wait for a socket, it does not report the socket. */
    struct rl_curl_socket *socket = find_own(transfer);
    if (socket && !socket->is_wanted) socket->is_idle = transfer->is_version1;
}

void rl_sockets_forget(struct rl_transfer_group *group)
{
    for (size_t fd = 0; fd < group->socket_count; fd++) {
        if (group->sockets[fd]) forget_socket(group->sockets[fd]);
    }
    free(group->sockets);
}
