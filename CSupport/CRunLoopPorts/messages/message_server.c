/*
 * Receives requests and sends replies, without blocking.
 *
 * While a connection has an unsent reply, its requests are not read. So a sender that does not read
 * its replies blocks itself. The total bytes of replies and partially received requests are also
 * limited, for all connections together.
 */

#include "base/system.h"

#include "messages/message_server.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/object.h"
#include "messages/message_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* The maximum numbers of events and packets per call, so that other sources are served too. */
    EVENTS_AT_ONCE = 16,
    PACKETS_AT_ONCE = 64,
    /* After this many packets from one sender, the epoll set selects the next sender. */
    PACKETS_IN_A_ROW = 16,
    MOST_PENDING_BYTES = 256 * 1024 * 1024
};

/* Returns false if the connection must be dropped. */
static bool send_packets(struct rl_message_server *server, struct rl_connection *connection,
                         struct rl_reply *reply, int *packets_left)
{
    struct rl_wire_packet *packet = &reply->packet;
    do {
        rl_transfer_cut(packet, reply->data ? RLDataGetBytePtr(reply->data) : NULL);
        enum rl_channel_result result = rl_channel_send(connection->fd, packet, NULL);
        if (result == RL_CHANNEL_AGAIN) *packets_left = 0;
        if (result != RL_CHANNEL_DONE) return result == RL_CHANNEL_AGAIN;
        connection->last_progress_ns = rl_kernel_coarse_ns();
        packet->offset += packet->length;
        rl_connection_take_pending(server, connection, packet->length);
        --*packets_left;
    } while (packet->offset < packet->total && *packets_left > 0);
    if (packet->offset == packet->total) rl_connection_end_reply(server, connection, reply);
    return true;
}

static void send_pending(struct rl_message_server *server, struct rl_connection *connection)
{
    int packets_left = PACKETS_AT_ONCE;
    struct rl_reply *reply;
    while (packets_left > 0 && (reply = TAILQ_FIRST(&connection->replies))) {
        if (!send_packets(server, connection, reply, &packets_left)) {
            rl_connection_drop(server, connection);
            return;
        }
    }
    rl_connection_watch(server, connection);
}

/* Drops the connections whose peers have stalled for the longest time. */
static void limit_pending(struct rl_message_server *server)
{
    while (server->pending_bytes > MOST_PENDING_BYTES) {
        struct rl_connection *each, *oldest = NULL;
        TAILQ_FOREACH(each, &server->connections, link) {
            if (each->pending_bytes == 0) continue;
            if (!oldest || each->last_progress_ns < oldest->last_progress_ns) oldest = each;
        }
        if (!rl_connection_has_stalled(oldest) &&
            server->pending_bytes <= 2 * (size_t)MOST_PENDING_BYTES) {
            return;
        }
        rl_connection_drop(server, oldest);
    }
}

/* Takes over the descriptors of `received`, the request's last packet. */
static struct rl_request make_request(struct rl_connection *connection,
                                      const struct rl_channel_packet *received, RLDataRef data)
{
    const struct rl_wire_packet *packet = &received->packet;
    struct rl_request request = {
        .connection = connection,
        .message_id = packet->message_id,
        .serial = packet->serial,
        .wants_reply = packet->flags & RL_WIRE_WANTS_REPLY,
        .data = data,
        .descriptor_count = received->descriptor_count,
    };
    memcpy(request.descriptors, received->descriptors, request.descriptor_count * sizeof(int));
    connection->references++;
    return request;
}

static enum rl_transfer_progress add_packet(struct rl_message_server *server,
                                            struct rl_connection *connection,
                                            struct rl_channel_packet *received, RLDataRef *ret_data)
{
    struct rl_incoming *incoming = &connection->incoming;
    if (received->packet.kind != RL_WIRE_REQUEST) return RL_TRANSFER_BROKEN;
    if (incoming->is_under_way) {
        rl_connection_take_pending(server, connection, incoming->first.total);
    }
    enum rl_transfer_progress progress =
        rl_transfer_take(incoming, &server->spare, received, true, ret_data);
    if (incoming->is_under_way) {
        rl_connection_add_pending(server, connection, incoming->first.total);
    }
    return progress;
}

static bool take_packet(struct rl_message_server *server, struct rl_connection *connection,
                        struct rl_channel_packet *received, struct rl_request *ret_request)
{
    RLDataRef data;
    enum rl_transfer_progress progress = add_packet(server, connection, received, &data);
    if (progress == RL_TRANSFER_BROKEN) {
        rl_channel_close(received->descriptors, received->descriptor_count);
        rl_connection_drop(server, connection);
        return false;
    }
    connection->last_progress_ns = rl_kernel_coarse_ns();
    bool is_complete = progress == RL_TRANSFER_COMPLETE;
    if (is_complete) *ret_request = make_request(connection, received, data);
    limit_pending(server);
    return is_complete;
}

static bool receive_request_packet(struct rl_message_server *server,
                                   struct rl_connection *connection, struct rl_request *ret_request)
{
    struct rl_channel_packet received;
    uint8_t *buffer = rl_transfer_buffer(&connection->incoming, &server->spare);
    enum rl_channel_result result = rl_channel_receive(connection->fd, buffer, &received);
    if (result != RL_CHANNEL_DONE) server->recent = NULL;
    switch (result) {
    case RL_CHANNEL_AGAIN: return false;
    case RL_CHANNEL_REFUSED: rl_connection_pause(server, connection, errno); return false;
    case RL_CHANNEL_CLOSED:
    case RL_CHANNEL_FAILED: rl_connection_drop(server, connection); return false;
    case RL_CHANNEL_DONE: break;
    }
    server->in_a_row = server->recent == connection ? server->in_a_row + 1 : 1;
    server->recent = connection;
    if (received.packet.kind == RL_WIRE_STAY) {
        rl_connection_keep(server, connection);
        return false;
    }
    return take_packet(server, connection, &received, ret_request);
}

/* --- The name ------------------------------------------------------------------------------- */

static int listen_under(struct rl_message_server *server, const char *file)
{
    struct rl_endpoint fresh;
    int set = atomic_load(&server->poll_set), result = rl_endpoint_claim(&fresh, file);
    if (result == 0) result = rl_kernel_poll_add(set, fresh.listener, RL_KERNEL_READ, 0);
    if (result < 0) {
        rl_endpoint_give_up_name(&fresh);
        rl_kernel_close(&fresh.listener);
        return result;
    }
    if (server->endpoint.listener >= 0) {
        /* Accepts the clients that have connected under the old name. */
        rl_connection_accept_some(server);
        rl_kernel_poll_remove(set, server->endpoint.listener);
        rl_kernel_close(&server->endpoint.listener);
    }
    rl_endpoint_give_up_name(&server->endpoint);
    server->endpoint = fresh;
    return 0;
}

static void check_name(struct rl_message_server *server)
{
    if (!server->endpoint.file[0]) return;
    int result = rl_endpoint_check(&server->endpoint);
    if (result == -ESTALE) {
        char file[RL_MESSAGE_FILE_SIZE];
        memcpy(file, server->endpoint.file, sizeof file);
        rl_endpoint_give_up_name(&server->endpoint);
        result = listen_under(server, file);
    }
    if (result < 0 && !server->is_lost) {
        rl_message_folder_explain_loss(server->endpoint.file, result);
    }
    server->is_lost = result < 0;
    rl_connection_set_timer(server);
}

/* Returns whether to read this peer first, which saves an epoll_wait if it sends repeatedly. */
static bool may_send_again(const struct rl_connection *connection, unsigned in_a_row)
{
    if (!connection || connection->is_paused || !TAILQ_EMPTY(&connection->replies)) return false;
    bool is_likely = in_a_row > 1 || connection->incoming.is_under_way;
    return is_likely && in_a_row % PACKETS_IN_A_ROW != 0;
}

bool rl_message_server_next(struct rl_message_server *server, struct rl_request *ret_request)
{
    struct rl_kernel_event event;
    for (int i = 0; i < EVENTS_AT_ONCE; i++) {
        if (may_send_again(server->recent, server->in_a_row)) {
            if (receive_request_packet(server, server->recent, ret_request)) return true;
            continue;
        }
        if (!rl_kernel_poll_wait(atomic_load(&server->poll_set), 0, &event, 1)) return false;
        struct rl_connection *connection = (struct rl_connection *)(uintptr_t)event.payload;
        if (event.payload == RL_PAYLOAD_OF_TIMER) {
            if (server->is_pausing) rl_connection_end_pause(server);
            check_name(server);
        } else if (!connection) {
            rl_connection_accept_some(server);
        } else if (TAILQ_EMPTY(&connection->replies)) {
            if (receive_request_packet(server, connection, ret_request)) return true;
        } else if (event.ready & (RL_KERNEL_HANG_UP | RL_KERNEL_ERROR)) {
            rl_connection_drop(server, connection);
        } else {
            send_pending(server, connection);
        }
    }
    return false;
}

static void queue_reply(struct rl_message_server *server, const struct rl_request *request,
                        RLDataRef data)
{
    struct rl_connection *connection = request->connection;
    RLIndex length = data ? RLDataGetLength(data) : 0;
    bool is_too_large = length > RL_WIRE_LARGEST_MESSAGE;
    if (is_too_large) {
        rl_warn("RLMessagePort",
                "a reply of %ld bytes is not sent, and the sender gets "
                "kRLMessagePortTransportError: reply with 64 MiB at most",
                length);
        length = 0;
    }
    struct rl_reply *reply = rl_allocate(sizeof *reply);
    reply->packet = (struct rl_wire_packet){
        .kind = RL_WIRE_REPLY,
        .flags = is_too_large ? RL_WIRE_HAS_FAILED : 0,
        .message_id = request->message_id,
        .total = (uint32_t)length,
        .serial = request->serial,
    };
    reply->data = length > 0 ? RLDataCreateCopy(NULL, data) : NULL;
    bool is_first = TAILQ_EMPTY(&connection->replies);
    TAILQ_INSERT_TAIL(&connection->replies, reply, link);
    rl_connection_add_pending(server, connection, (size_t)length);
    if (is_first) send_pending(server, connection);
    limit_pending(server);
}

void rl_message_server_reply(struct rl_message_server *server, struct rl_request *request,
                             RLDataRef reply)
{
    rl_channel_close(request->descriptors, request->descriptor_count);
    if (request->wants_reply && request->connection->fd >= 0) queue_reply(server, request, reply);
    rl_connection_release(request->connection);
}

int rl_message_server_open(struct rl_message_server *server)
{
    TAILQ_INIT(&server->connections);
    TAILQ_INIT(&server->ended);
    server->endpoint.listener = server->endpoint.lock = -1;
    server->timer = rl_kernel_make_timer();
    int set = server->timer < 0 ? server->timer : rl_kernel_make_poll_set();
    atomic_init(&server->poll_set, set < 0 ? -1 : set);
    if (set < 0) return set;
    return rl_kernel_poll_add(set, server->timer, RL_KERNEL_READ, RL_PAYLOAD_OF_TIMER);
}

int rl_message_server_set_name(struct rl_message_server *server, const char *name)
{
    char file[RL_MESSAGE_FILE_SIZE];
    rl_message_name_encode(name, file);
    bool has_name = server->endpoint.lock >= 0 && rl_endpoint_check(&server->endpoint) == 0;
    int result =
        has_name ? rl_endpoint_rename(&server->endpoint, file) : listen_under(server, file);
    if (result == 0) server->is_lost = false;
    rl_connection_set_timer(server);
    return result;
}

void rl_message_server_close(struct rl_message_server *server)
{
    struct rl_connection *connection;
    while ((connection = TAILQ_FIRST(&server->connections))) rl_connection_drop(server, connection);
    rl_kernel_close(&server->endpoint.listener);
    rl_kernel_close(&server->timer);
    int set = atomic_exchange(&server->poll_set, -1);
    rl_kernel_close(&set);
    free(server->spare);
    server->spare = NULL;
}

void rl_message_server_leave_to_parent(struct rl_message_server *server, int inert)
{
    struct rl_connection *connection;
    while ((connection = TAILQ_FIRST(&server->connections))) {
        rl_connection_forget(server, connection);
    }
    rl_kernel_close(&server->endpoint.lock);
    rl_kernel_close(&server->endpoint.listener);
    if (inert >= 0) dup3(inert, atomic_load(&server->poll_set), O_CLOEXEC);
}
