/*
 * Accepting, receiving and replying, without waiting for anybody.
 *
 * A request is one packet, so that no connection holds unfinished data. A connection that has not
 * taken its reply yet is not read from: a sender that does not listen stops itself. What is held
 * for all of them together is limited too.
 *
 * When there are too many connections, the one that was idle for longest gives way to the next; see
 * message_remote.c for the other side.
 */

#include "base/system.h"

#include "messages/message_server.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/object.h"
#include "messages/message_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_CONNECTIONS = 256,
    MOST_CONNECTIONS_OF_PROCESS = 4,
    /* Of all processes of other namespaces together, where the kernel cannot tell them apart. */
    MOST_CONNECTIONS_OF_UNKNOWN = 64,
    /* What one call does at most before others have their turn. */
    EVENTS_AT_ONCE = 16,
    ACCEPTED_AT_ONCE = 8,
    PACKETS_AT_ONCE = 64,
    MOST_PENDING_BYTES = 256 * 1024 * 1024
};

/* Who has read nothing for so long gives way to others. */
#define STALLED_NS INT64_C(1000000000)

/* How long what the system refused is left alone, so that the loop can sleep. */
#define PAUSE_NS INT64_C(100000000)

/* What the set gives for the timer; for the listener it is 0, and for a connection its address. */
enum { PAYLOAD_OF_TIMER = 1 };

struct rl_reply {
    TAILQ_ENTRY(rl_reply) link;
    struct rl_wire_packet packet;
    RLDataRef data;
};

struct rl_connection {
    TAILQ_ENTRY(rl_connection) link;
    /* One for the list, and one for each request under way. */
    unsigned references;
    /* -1 once it is closed. */
    int fd;
    /* What tells its process from others; 0 if it is unknown. */
    uint64_t peer;
    /* The peer watches the connection for its end. */
    bool stays;
    /* The peer knows that it has to use another one; what it has sent is still served. */
    bool gives_way;
    TAILQ_HEAD(, rl_reply) replies;
    size_t pending_bytes;
    int64_t last_progress_ns;
    /* Whether it is not read from until the pause is over. */
    bool is_paused;
};

static void release(struct rl_connection *connection)
{
    if (--connection->references == 0) free(connection);
}

static void remove_reply(struct rl_message_server *server, struct rl_connection *connection,
                         struct rl_reply *reply)
{
    size_t left = reply->packet.total - reply->packet.offset;
    connection->pending_bytes -= left;
    server->pending_bytes -= left;
    TAILQ_REMOVE(&connection->replies, reply, link);
    if (reply->data) RLRelease(reply->data);
    free(reply);
}

static void warn_of_refusal(const char *deed, int error)
{
    static atomic_bool was_told;
    if (atomic_exchange(&was_told, true)) return;
    rl_warn("RLMessagePort", "cannot %s: %s; tries again every 0.1 s", deed, strerror(error));
}

/* Leaves what is ready alone for a while: but for an end, nothing is told of it until then. */
static void pause_watching(struct rl_message_server *server, int fd,
                           struct rl_connection *connection)
{
    /* To ask again would have an end told again at once. */
    if (!connection || !connection->is_paused) {
        rl_kernel_poll_change(atomic_load(&server->poll_set), fd, RL_KERNEL_EDGE,
                              (uint64_t)(uintptr_t)connection);
    }
    if (connection) connection->is_paused = true;
    if (server->is_pausing) return;
    server->is_pausing = true;
    rl_kernel_set_timer(server->retry_timer, rl_kernel_monotonic_ns() + PAUSE_NS);
}

/* Waits for the peer to read what there is for it, or else to write. */
static void watch(struct rl_message_server *server, struct rl_connection *connection)
{
    uint32_t interest = TAILQ_EMPTY(&connection->replies) ? RL_KERNEL_READ : RL_KERNEL_WRITE;
    connection->is_paused = false;
    rl_kernel_poll_change(atomic_load(&server->poll_set), connection->fd, interest,
                          (uint64_t)(uintptr_t)connection);
}

static void end_pause(struct rl_message_server *server)
{
    server->is_pausing = false;
    rl_kernel_set_timer(server->retry_timer, 0);
    rl_kernel_poll_change(atomic_load(&server->poll_set), server->endpoint.listener, RL_KERNEL_READ,
                          0);
    struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (each->is_paused) watch(server, each);
    }
}

static void forget(struct rl_message_server *server, struct rl_connection *connection)
{
    rl_kernel_close(&connection->fd);
    struct rl_reply *reply;
    while ((reply = TAILQ_FIRST(&connection->replies))) remove_reply(server, connection, reply);
    TAILQ_REMOVE(&server->connections, connection, link);
    server->connection_count--;
    release(connection);
}

static void drop(struct rl_message_server *server, struct rl_connection *connection)
{
    if (connection->fd < 0) return;
    rl_kernel_poll_remove(atomic_load(&server->poll_set), connection->fd);
    forget(server, connection);
    /* There is room, and maybe a descriptor, for what could not be accepted. */
    if (server->is_pausing) end_pause(server);
}

static bool has_stalled(const struct rl_connection *connection)
{
    return rl_kernel_coarse_ns() - connection->last_progress_ns > STALLED_NS;
}

/* Whether nothing is under way; or the peer does not read what there is for it. */
static bool can_give_way(const struct rl_connection *connection)
{
    if (connection->references > 1 || connection->gives_way) return false;
    if (!TAILQ_EMPTY(&connection->replies)) return has_stalled(connection);
    return !connection->stays && !rl_kernel_has_bytes(connection->fd);
}

/*
 * Has a connection give way. The peer is told first; then nothing more can be sent to us. If something
 * was sent in between, the connection lasts until that is answered.
 */
static bool dismiss(struct rl_message_server *server, struct rl_connection *connection)
{
    const struct rl_wire_packet packet = {.kind = RL_WIRE_GIVE_WAY};
    enum rl_channel_result result = RL_CHANNEL_CLOSED;
    if (TAILQ_EMPTY(&connection->replies)) result = rl_channel_send(connection->fd, &packet, NULL);
    if (result == RL_CHANNEL_AGAIN && !has_stalled(connection)) return false;
    if (result == RL_CHANNEL_DONE) {
        connection->gives_way = true;
        rl_channel_stop_receiving(connection->fd);
        if (rl_kernel_has_bytes(connection->fd)) return true;
    }
    drop(server, connection);
    return true;
}

/* Has the connection that was idle for longest give way: of a peer, or of all if that is null. */
static bool make_room(struct rl_message_server *server, const uint64_t *peer)
{
    struct rl_connection *each, *oldest = NULL;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (peer && each->peer != *peer) continue;
        if (oldest && each->last_progress_ns >= oldest->last_progress_ns) continue;
        if (can_give_way(each)) oldest = each;
    }
    return oldest && dismiss(server, oldest);
}

static bool may_connect(struct rl_message_server *server, uint64_t peer)
{
    unsigned count = 0;
    unsigned most = peer ? MOST_CONNECTIONS_OF_PROCESS : MOST_CONNECTIONS_OF_UNKNOWN;
    struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) count += each->peer == peer;
    return count < most || make_room(server, &peer);
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
        close(fd);
        return;
    }
    connection->references = 1;
    connection->fd = fd;
    connection->peer = peer;
    connection->last_progress_ns = rl_kernel_coarse_ns();
    TAILQ_INIT(&connection->replies);
    TAILQ_INSERT_TAIL(&server->connections, connection, link);
    server->connection_count++;
}

/* A peer whose loop watches for our end. One connection of a process is enough for that. */
static void let_stay(struct rl_message_server *server, struct rl_connection *connection)
{
    const struct rl_connection *each;
    TAILQ_FOREACH(each, &server->connections, link) {
        if (each->stays && each->peer == connection->peer && connection->peer != 0) return;
    }
    connection->stays = true;
}

static void accept_some(struct rl_message_server *server)
{
    for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
        /* Who cannot be accepted waits, with what he may have sent already. */
        if (server->connection_count >= MOST_CONNECTIONS && !make_room(server, NULL)) {
            pause_watching(server, server->endpoint.listener, NULL);
            return;
        }
        int fd = accept4(server->endpoint.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            add_connection(server, fd);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            warn_of_refusal("accept senders", errno);
            pause_watching(server, server->endpoint.listener, NULL);
            return;
        }
    }
}

/* Sends packets until the reply is complete; false if the connection has to be dropped. */
static bool send_some(struct rl_message_server *server, struct rl_connection *connection,
                      struct rl_reply *reply, int *packets_left)
{
    struct rl_wire_packet *packet = &reply->packet;
    do {
        uint32_t left = packet->total - packet->offset;
        packet->length = left < RL_WIRE_PAYLOAD_SIZE ? left : RL_WIRE_PAYLOAD_SIZE;
        packet->payload = reply->data ? RLDataGetBytePtr(reply->data) + packet->offset : NULL;
        enum rl_channel_result result = rl_channel_send(connection->fd, packet, NULL);
        if (result == RL_CHANNEL_AGAIN) *packets_left = 0;
        if (result != RL_CHANNEL_DONE) return result == RL_CHANNEL_AGAIN;
        connection->last_progress_ns = rl_kernel_coarse_ns();
        packet->offset += packet->length;
        connection->pending_bytes -= packet->length;
        server->pending_bytes -= packet->length;
        --*packets_left;
    } while (packet->offset < packet->total && *packets_left > 0);
    if (packet->offset == packet->total) remove_reply(server, connection, reply);
    return true;
}

/* Sends what can be sent. */
static void flush(struct rl_message_server *server, struct rl_connection *connection)
{
    int packets_left = PACKETS_AT_ONCE;
    struct rl_reply *reply;
    while (packets_left > 0 && (reply = TAILQ_FIRST(&connection->replies))) {
        if (!send_some(server, connection, reply, &packets_left)) {
            drop(server, connection);
            return;
        }
    }
    watch(server, connection);
}

/* The bytes of a request; null if they are not as promised. */
static RLDataRef create_data(const struct rl_channel_packet *received)
{
    const struct rl_wire_packet *packet = &received->packet;
    if (!(packet->flags & RL_WIRE_IS_SHARED)) {
        return RLDataCreate(NULL, packet->payload, (RLIndex)packet->length);
    }
    uint8_t *bytes = rl_channel_read_shared(received->descriptors[0], packet->total);
    return bytes ? RLDataCreateWithBytesNoCopy(NULL, bytes, (RLIndex)packet->total,
                                               kRLAllocatorDefault)
                 : NULL;
}

/* Makes a request of a packet, whose descriptors it takes or closes. */
static bool take_request(struct rl_connection *connection, struct rl_channel_packet *received,
                         struct rl_request *ret_request)
{
    const struct rl_wire_packet *packet = &received->packet;
    RLDataRef data = packet->kind == RL_WIRE_REQUEST ? create_data(received) : NULL;
    unsigned shared = packet->flags & RL_WIRE_IS_SHARED ? 1 : 0;
    if (!data) {
        rl_channel_close(received->descriptors, received->descriptor_count);
        return false;
    }
    rl_channel_close(received->descriptors, shared);
    *ret_request = (struct rl_request){
        .connection = connection,
        .message_id = packet->message_id,
        .serial = packet->serial,
        .wants_reply = packet->flags & RL_WIRE_WANTS_REPLY,
        .data = data,
        .descriptor_count = packet->descriptors,
    };
    memcpy(ret_request->descriptors, received->descriptors + shared,
           packet->descriptors * sizeof(int));
    connection->references++;
    connection->last_progress_ns = rl_kernel_coarse_ns();
    return true;
}

/* Apart from its caller's stack, which nested runs may make deep. */
__attribute__((noinline)) static bool receive(struct rl_message_server *server,
                                              struct rl_connection *connection,
                                              struct rl_request *ret_request)
{
    struct rl_channel_packet received;
    enum rl_channel_result result = rl_channel_receive(connection->fd, &received);
    if (result == RL_CHANNEL_REFUSED) {
        warn_of_refusal("receive", errno);
        pause_watching(server, connection->fd, connection);
    }
    if (result == RL_CHANNEL_AGAIN || result == RL_CHANNEL_REFUSED) return false;
    if (result == RL_CHANNEL_DONE && received.packet.kind == RL_WIRE_STAY) {
        let_stay(server, connection);
        return false;
    }
    if (result == RL_CHANNEL_DONE && take_request(connection, &received, ret_request)) return true;
    drop(server, connection);
    return false;
}

bool rl_message_server_next(struct rl_message_server *server, struct rl_request *ret_request)
{
    struct rl_kernel_event event;
    for (int i = 0; i < EVENTS_AT_ONCE; i++) {
        if (!rl_kernel_poll_wait(atomic_load(&server->poll_set), 0, &event, 1)) return false;
        struct rl_connection *connection = (struct rl_connection *)(uintptr_t)event.payload;
        if (event.payload == PAYLOAD_OF_TIMER) {
            end_pause(server);
        } else if (!connection) {
            accept_some(server);
        } else if (TAILQ_EMPTY(&connection->replies)) {
            if (receive(server, connection, ret_request)) return true;
        } else if (event.ready & (RL_KERNEL_HANG_UP | RL_KERNEL_ERROR)) {
            drop(server, connection);
        } else {
            flush(server, connection);
        }
    }
    return false;
}

/* Those who have not read for longest lose their connection until the rest is not too much. */
static void limit_pending(struct rl_message_server *server)
{
    while (server->pending_bytes > MOST_PENDING_BYTES) {
        struct rl_connection *each, *oldest = NULL;
        TAILQ_FOREACH(each, &server->connections, link) {
            if (each->pending_bytes == 0) continue;
            if (!oldest || each->last_progress_ns < oldest->last_progress_ns) oldest = each;
        }
        if (!has_stalled(oldest) && server->pending_bytes <= 2 * (size_t)MOST_PENDING_BYTES) return;
        drop(server, oldest);
    }
}

static void queue_reply(struct rl_message_server *server, const struct rl_request *request,
                        RLDataRef data)
{
    struct rl_connection *connection = request->connection;
    RLIndex length = data ? RLDataGetLength(data) : 0;
    bool is_too_large = length > RL_WIRE_LARGEST_MESSAGE;
    if (is_too_large) {
        rl_warn("RLMessagePort", "a reply of %ld bytes is too large, the sender is told so",
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
    connection->pending_bytes += (size_t)length;
    server->pending_bytes += (size_t)length;
    if (is_first) flush(server, connection);
    limit_pending(server);
}

void rl_message_server_reply(struct rl_message_server *server, struct rl_request *request,
                             RLDataRef reply)
{
    rl_channel_close(request->descriptors, request->descriptor_count);
    if (request->wants_reply && request->connection->fd >= 0) queue_reply(server, request, reply);
    release(request->connection);
}

int rl_message_server_open(struct rl_message_server *server)
{
    TAILQ_INIT(&server->connections);
    server->endpoint.listener = server->endpoint.lock = -1;
    server->retry_timer = rl_kernel_make_timer();
    int set = server->retry_timer < 0 ? server->retry_timer : rl_kernel_make_poll_set();
    atomic_init(&server->poll_set, set < 0 ? -1 : set);
    if (set < 0) return set;
    return rl_kernel_poll_add(set, server->retry_timer, RL_KERNEL_READ, PAYLOAD_OF_TIMER);
}

int rl_message_server_set_name(struct rl_message_server *server, const char *name)
{
    if (server->endpoint.lock >= 0) return rl_endpoint_rename(&server->endpoint, name);
    int result = rl_endpoint_claim(&server->endpoint, name);
    if (result < 0) return result;
    result = rl_kernel_poll_add(atomic_load(&server->poll_set), server->endpoint.listener,
                                RL_KERNEL_READ, 0);
    if (result < 0) {
        rl_endpoint_give_up_name(&server->endpoint);
        rl_kernel_close(&server->endpoint.listener);
    }
    return result;
}

void rl_message_server_close(struct rl_message_server *server)
{
    struct rl_connection *connection;
    while ((connection = TAILQ_FIRST(&server->connections))) drop(server, connection);
    rl_kernel_close(&server->endpoint.listener);
    rl_kernel_close(&server->retry_timer);
    int set = atomic_exchange(&server->poll_set, -1);
    rl_kernel_close(&set);
}

void rl_message_server_leave_to_parent(struct rl_message_server *server, int inert)
{
    /* The set is the parent's too: nothing is removed from it. */
    struct rl_connection *connection;
    while ((connection = TAILQ_FIRST(&server->connections))) forget(server, connection);
    rl_kernel_close(&server->endpoint.lock);
    rl_kernel_close(&server->endpoint.listener);
    if (inert >= 0) dup3(inert, atomic_load(&server->poll_set), O_CLOEXEC);
}
