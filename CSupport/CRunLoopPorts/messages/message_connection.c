#include "base/system.h"

#include "messages/message_connection.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/uncanceled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_CONNECTIONS = 256,
    MOST_CONNECTIONS_OF_PROCESS = 4,
    /* For all other PID namespaces together, if the kernel cannot distinguish processes. */
    MOST_CONNECTIONS_OF_UNKNOWN = 64,
    /* A limit, so that connected clients are served too. */
    ACCEPTED_AT_ONCE = 8
};

/* A connection may be dropped if its peer has neither read nor written for this time. */
#define STALLED_NS INT64_C(1000000000)

/* The delay before a failed system call is retried, so that the loop can sleep. */
#define PAUSE_NS INT64_C(100000000)

/* The interval between checks of a name. A lost name is detected at the next check. */
#define CHECK_NS INT64_C(60000000000)

void rl_connection_release(struct rl_connection *connection)
{
    if (--connection->references == 0) free(connection);
}

void rl_connection_add_pending(struct rl_message_server *server, struct rl_connection *connection,
                               size_t bytes)
{
    connection->pending_bytes += bytes;
    server->pending_bytes += bytes;
}

void rl_connection_take_pending(struct rl_message_server *server, struct rl_connection *connection,
                                size_t bytes)
{
    connection->pending_bytes -= bytes;
    server->pending_bytes -= bytes;
}

void rl_connection_end_reply(struct rl_message_server *server, struct rl_connection *connection,
                             struct rl_reply *reply)
{
    size_t left = reply->packet.total - reply->packet.offset;
    rl_connection_take_pending(server, connection, left);
    TAILQ_REMOVE(&connection->replies, reply, link);
    TAILQ_INSERT_TAIL(&server->ended, reply, link);
}

void rl_connection_free_replies(struct rl_reply_list *ended)
{
    struct rl_reply *reply;
    while ((reply = TAILQ_FIRST(ended))) {
        TAILQ_REMOVE(ended, reply, link);
        if (reply->data) RLRelease(reply->data);
        free(reply);
    }
}

static void warn_of_refused_connection(const char *deed, int error)
{
    static atomic_bool has_warned;
    if (atomic_exchange(&has_warned, true)) return;
    rl_warn("RLMessagePort",
            "cannot %s: %s, retrying every 0.1 s: check the limit of open files, the memory and "
            "the sandbox",
            deed, strerror(error));
}

void rl_connection_set_timer(struct rl_message_server *server)
{
    if (server->is_pausing) return;
    bool is_named = server->endpoint.file[0];
    rl_kernel_set_timer(server->timer, is_named ? rl_kernel_monotonic_ns() + CHECK_NS : 0);
}

/* Until the pause ends, the set only reports a hang-up of the ready descriptor. */
static void pause_watching(struct rl_message_server *server, int fd,
                           struct rl_connection *connection)
{
    /* Another change of the registration would report a hang-up again at once. */
    if (!connection || !connection->is_paused) {
        rl_kernel_poll_change(atomic_load(&server->poll_set), fd, RL_KERNEL_EDGE,
                              (uint64_t)(uintptr_t)connection);
    }
    if (connection) connection->is_paused = true;
    if (connection) connection->interest = RL_KERNEL_EDGE;
    if (server->is_pausing) return;
    server->is_pausing = true;
    rl_kernel_set_timer(server->timer, rl_kernel_monotonic_ns() + PAUSE_NS);
}

void rl_connection_pause(struct rl_message_server *server, struct rl_connection *connection,
                         int error)
{
    warn_of_refused_connection("receive messages", error);
    pause_watching(server, connection->fd, connection);
}

void rl_connection_watch(struct rl_message_server *server, struct rl_connection *connection)
{
    uint32_t interest = TAILQ_EMPTY(&connection->replies) ? RL_KERNEL_READ : RL_KERNEL_WRITE;
    connection->is_paused = false;
    if (interest == connection->interest) return;
    connection->interest = interest;
    rl_kernel_poll_change(atomic_load(&server->poll_set), connection->fd, interest,
                          (uint64_t)(uintptr_t)connection);
}

void rl_connection_end_pause(struct rl_message_server *server)
{
    server->is_pausing = false;
    rl_connection_set_timer(server);
    rl_kernel_poll_change(atomic_load(&server->poll_set), server->endpoint.listener, RL_KERNEL_READ,
                          0);
    struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (each->is_paused) rl_connection_watch(server, each);
    }
}

void rl_connection_forget(struct rl_message_server *server, struct rl_connection *connection)
{
    rl_kernel_close(&connection->fd);
    struct rl_reply *reply;
    while ((reply = TAILQ_FIRST(&connection->replies))) {
        rl_connection_end_reply(server, connection, reply);
    }
    rl_connection_take_pending(server, connection, connection->pending_bytes);
    rl_transfer_give_up(&connection->incoming);
    TAILQ_REMOVE(&server->connections, connection, link);
    if (server->recent == connection) server->recent = NULL;
    server->connection_count--;
    rl_connection_release(connection);
}

void rl_connection_drop(struct rl_message_server *server, struct rl_connection *connection)
{
    if (connection->fd < 0) return;
    rl_kernel_poll_remove(atomic_load(&server->poll_set), connection->fd);
    rl_connection_forget(server, connection);
    /* Now a waiting connection can be accepted, and a descriptor may be free. */
    if (server->is_pausing) rl_connection_end_pause(server);
}

bool rl_connection_has_stalled(const struct rl_connection *connection)
{
    return rl_kernel_coarse_ns() - connection->last_progress_ns > STALLED_NS;
}

/* Only an idle connection, or a connection with a stalled peer, may yield. */
static bool can_yield(const struct rl_connection *connection)
{
    if (connection->references > 1 || connection->yields) return false;
    bool is_under_way = !TAILQ_EMPTY(&connection->replies) || connection->incoming.is_under_way;
    if (is_under_way) return rl_connection_has_stalled(connection);
    return !connection->stays && !rl_kernel_has_bytes(connection->fd);
}

/* Makes a connection yield. It stays open until the reply if the peer has sent a request. */
static bool dismiss_connection(struct rl_message_server *server, struct rl_connection *connection)
{
    const struct rl_wire_packet packet = {.kind = RL_WIRE_YIELD};
    enum rl_channel_result result = RL_CHANNEL_CLOSED;
    if (TAILQ_EMPTY(&connection->replies)) result = rl_channel_send(connection->fd, &packet, NULL);
    bool is_notified = result == RL_CHANNEL_DONE || result == RL_CHANNEL_CLOSED;
    if (!is_notified && !rl_connection_has_stalled(connection)) return false;
    if (result == RL_CHANNEL_DONE) {
        connection->yields = true;
        rl_channel_stop_receiving(connection->fd);
        if (rl_kernel_has_bytes(connection->fd)) return true;
    }
    rl_connection_drop(server, connection);
    return true;
}

/*
 * Makes the connection that has been idle longest yield. If `peer` is not null, considers only
 * connections of this peer.
 */
static bool free_one_connection(struct rl_message_server *server, const uint64_t *peer)
{
    struct rl_connection *each, *oldest = NULL;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (peer && each->peer != *peer) continue;
        if (oldest && each->last_progress_ns >= oldest->last_progress_ns) continue;
        if (can_yield(each)) oldest = each;
    }
    return oldest && dismiss_connection(server, oldest);
}

static bool may_connect(struct rl_message_server *server, uint64_t peer)
{
    unsigned count = 0;
    unsigned most = peer ? MOST_CONNECTIONS_OF_PROCESS : MOST_CONNECTIONS_OF_UNKNOWN;
    struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) count += each->peer == peer;
    return count < most || free_one_connection(server, &peer);
}

static void add_connection(struct rl_message_server *server, int fd)
{
    pid_t process;
    uint64_t peer = 0;
    struct rl_connection *connection = NULL;
    bool is_ours = rl_channel_is_ours(fd, &process);
    if (is_ours) peer = rl_channel_peer(fd, process);
    if (is_ours && may_connect(server, peer)) connection = calloc(1, sizeof *connection);
    if (!connection || rl_kernel_poll_add(atomic_load(&server->poll_set), fd, RL_KERNEL_READ,
                                          (uint64_t)(uintptr_t)connection) != 0) {
        free(connection);
        RL_UNCANCELED(close(fd));
        return;
    }
    connection->references = 1;
    rl_transfer_widen(fd);
    connection->fd = fd;
    connection->interest = RL_KERNEL_READ;
    connection->peer = peer;
    connection->last_progress_ns = rl_kernel_coarse_ns();
    TAILQ_INIT(&connection->replies);
    TAILQ_INSERT_TAIL(&server->connections, connection, link);
    server->connection_count++;
}

void rl_connection_keep(struct rl_message_server *server, struct rl_connection *connection)
{
    const struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (each->stays && each->peer == connection->peer && connection->peer != 0) return;
    }
    connection->stays = true;
}

void rl_connection_accept_some(struct rl_message_server *server)
{
    for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
        /* A peer that cannot be accepted waits in the backlog, with its first packets. */
        if (server->connection_count >= MOST_CONNECTIONS && !free_one_connection(server, NULL)) {
            pause_watching(server, server->endpoint.listener, NULL);
            return;
        }
        int fd = rl_kernel_keep(RL_UNCANCELED(
            accept4(server->endpoint.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)));
        if (fd >= 0) {
            add_connection(server, fd);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            warn_of_refused_connection("accept connections", errno);
            pause_watching(server, server->endpoint.listener, NULL);
            return;
        }
    }
}
