/*
 * The sockets of libcurl on a loop, and the connections that it keeps: nothing may come on them
 * until the next request is sent.
 */

#define _GNU_SOURCE

#include "transfers.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * A socket that libcurl waits for. That of a connection stays in the loop until it is closed, also
 * while it is idle: the next request finds it there, without a system call.
 */
struct rl_curl_socket {
    struct rl_transfer_group *group;
    RLRunLoopSourceRef source;
    int fd;
    /* The events that the loop waits for, and whether libcurl wants them. */
    RLRunLoopDescriptorEvents events;
    bool is_wanted;
    /* It was opened here, so that libcurl has it closed here too. */
    bool is_connection;
    /* The last transfer that is known to have had it, and its own port, once it was idle. */
    struct rl_transfer *user;
    int port;
    /* It has answered by HTTP/1.1, and no transfer uses it: nothing may come. */
    bool is_idle;
    LIST_ENTRY(rl_curl_socket) idle_link;
};

/* An address that libcurl connects to: the beginning of its struct curl_sockaddr. */
struct rl_curl_address {
    int family;
    int type;
    int protocol;
};

static struct rl_curl_socket *find_socket(struct rl_transfer_group *group, int fd)
{
    return fd >= 0 && (size_t)fd < group->socket_count ? group->sockets[fd] : NULL;
}

static int find_port(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &size);
    /* That of IPv6 is in the same place. */
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

static void set_idle(struct rl_curl_socket *socket, bool is_idle)
{
    if (socket->is_idle == is_idle) return;
    socket->is_idle = is_idle;
    if (is_idle) {
        if (socket->port == 0) socket->port = find_port(socket->fd);
        LIST_INSERT_HEAD(&socket->group->idle, socket, idle_link);
    } else {
        LIST_REMOVE(socket, idle_link);
    }
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
 * Has libcurl find that an idle connection has ended, and use another one: it would take what has
 * come for the answer to its next request. What comes later resets the connection.
 */
static void hang_up(struct rl_curl_socket *socket)
{
    char bytes[4096];
    set_idle(socket, false);
    shutdown(socket->fd, SHUT_RDWR);
    while (recv(socket->fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
}

/* Takes the socket out of the list of idle ones if it is hung up, or the transfer's own. */
static bool look_at_idle(struct rl_curl_socket *socket, short events, struct rl_transfer *transfer,
                         int own_port, bool has_pending)
{
    bool is_own = socket->port == own_port;
    bool is_unasked = events || (is_own && has_pending);
    if (is_unasked) hang_up(socket);
    if (is_own) {
        set_idle(socket, false);
        socket->user = transfer;
        transfer->fd = socket->fd;
    }
    return is_own && is_unasked;
}

bool rl_sockets_hang_up_unasked(struct rl_transfer *transfer, int own_port)
{
    enum { AT_ONCE = 64 };
    struct rl_transfer_group *group = transfer->group;
    struct rl_curl_socket *sockets[AT_ONCE], *next = LIST_FIRST(&group->idle);
    struct pollfd polled[AT_ONCE];
    bool has_pending = own_port != 0 && rl_tls_has_pending(transfer->easy), has_own = false;
    /* Then an active one may look idle. */
    if (group->has_unregistered_socket) return false;
    while (next) {
        nfds_t count = 0;
        for (; next && count < AT_ONCE; next = LIST_NEXT(next, idle_link), count++) {
            sockets[count] = next;
            polled[count] = (struct pollfd){.fd = next->fd, .events = POLLIN};
        }
        if (poll(polled, count, 0) < 0) return false;
        for (nfds_t i = 0; i < count; i++) {
            has_own |= look_at_idle(sockets[i], polled[i].revents, transfer, own_port, has_pending);
        }
    }
    return has_own;
}

static void perform_socket(void *info, RLRunLoopDescriptorEvents ready)
{
    struct rl_curl_socket *socket = info;
    if (!socket->is_wanted || RLTransferGroupIsInherited(socket->group)) {
        /* A connection that was reset; the loop has taken it out, and would be told again. */
        if (socket->events == 0) return;
        /* Most likely the server has left; libcurl looks before it uses the connection again. */
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
    set_idle(socket, false);
    socket->group->sockets[socket->fd] = NULL;
    RLRunLoopSourceInvalidate(socket->source);
    RLRelease(socket->source);
    free(socket);
}

static struct rl_curl_socket *make_socket(struct rl_transfer_group *group, int fd,
                                          bool is_connection)
{
    if (!make_place(group, fd)) return NULL;
    /* Libcurl has closed another one of this number by itself. */
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
        made->user = transfer;
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
    if (what == RL_CURL_POLL_REMOVE) {
        if (!socket) return 0;
        socket->is_wanted = false;
        struct rl_transfer *transfer = NULL;
        rl_curl.curl_easy_getinfo(easy, RL_CURLINFO_PRIVATE, &transfer);
        set_idle(socket, transfer && transfer->is_version1 && !transfer->is_paused);
        /* Libcurl 7.88 closes a socket that was connecting, and has us close others only. */
        bool may_be_closed = !socket->is_connection || socket->events == kRLRunLoopDescriptorWrite;
        if (!socket->is_idle && may_be_closed) forget_socket(socket);
        return 0;
    }
    if (!socket) socket = make_socket(info, fd, false);
    if (!socket) {
        /* An error would end the whole group, and newer versions of libcurl tell nobody. */
        ((struct rl_transfer_group *)info)->has_unregistered_socket = true;
        rl_group_note_change(info);
        return 0;
    }
    RLRunLoopDescriptorEvents events = (what & RL_CURL_POLL_IN ? kRLRunLoopDescriptorRead : 0) |
                                       (what & RL_CURL_POLL_OUT ? kRLRunLoopDescriptorWrite : 0);
    socket->is_wanted = true;
    set_idle(socket, false);
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
    struct rl_transfer_group *group = transfer->group;
    while (!transfer->tells_connection && !LIST_EMPTY(&group->idle)) {
        set_idle(LIST_FIRST(&group->idle), false);
    }
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
    /* Libcurl does not ask to wait for a socket, nor not to, on which it never had to. */
    struct rl_curl_socket *socket = find_socket(transfer->group, transfer->fd);
    if (socket && socket->user == transfer && !socket->is_wanted) {
        set_idle(socket, transfer->is_version1);
    }
}

void rl_sockets_forget(struct rl_transfer_group *group)
{
    for (size_t fd = 0; fd < group->socket_count; fd++) {
        if (group->sockets[fd]) forget_socket(group->sockets[fd]);
    }
    free(group->sockets);
}
