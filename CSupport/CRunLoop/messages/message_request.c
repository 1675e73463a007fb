/*
 * Sending a message, and waiting for its reply in a run of the caller's loop.
 *
 * What does not fit into one packet goes in parts, which cost no more than the bytes that are
 * copied in and out of the socket, but need a receiver that receives meanwhile. If there is none,
 * or no time to find that out, the message goes as a whole in a memory file.
 */

#include "base/system.h"

#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/loop.h"
#include "loop/source.h"
#include "messages/message_port.h"

#include <poll.h>
#include <pthread.h>
#include <time.h>

/* From here on, a time is without end (MSGP-6). */
static const RLTimeInterval ten_days = 10 * 24 * 60 * 60;

/* What a client wants to send, and how long it will wait; see RLMessagePort.h. */
struct request {
    SInt32 message_id;
    RLDataRef data;
    const SInt32 *descriptors;
    RLIndex descriptor_count;
    RLTimeInterval send_timeout, receive_timeout;
    RLStringRef mode;
};

/* In place of a result: the message was not sent. */
enum {
    /* The connection has to give way. */
    NEEDS_OTHER_CONNECTION = 1,
    /* It cannot go in parts. */
    NEEDS_MEMORY_FILE = 2
};

/* How long the receiver of parts may pause. */
#define PATIENCE_NS INT64_C(2000000)

/* How often a message is tried in a row, and how long the sender pauses then. */
enum { TRIES_AT_ONCE = 4 };
#define RETRY_NS INT64_C(10000000)

struct message {
    struct rl_wire_packet packet;
    const uint8_t *bytes;
    int64_t deadline_ns;
    /* A memory file, or -1; and then the client's. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    int memory_file;
    /* What end_message has to end. The port is retained, the connection in use or null. */
    struct rl_message_port *port;
    struct rl_remote_connection *connection;
    bool is_waiting;
    struct rl_reply_wait wait;
    /* In the mode of the wait while the loop runs for it, or null. */
    RLRunLoopSourceRef source;
};

/* Returns the moment at which a time-out ends. Not a number counts as no limit. */
static int64_t deadline_of_request(RLTimeInterval seconds)
{
    if (!(seconds < ten_days)) return RL_NEVER_NS;
    int64_t now = rl_kernel_monotonic_ns();
    return seconds <= 0 ? now : now + (int64_t)(seconds * 1e9);
}

static RLTimeInterval seconds_until(int64_t deadline_ns)
{
    return (RLTimeInterval)(deadline_ns - rl_kernel_monotonic_ns()) / 1e9;
}

static bool is_over(int64_t deadline_ns)
{
    return deadline_ns != RL_NEVER_NS && rl_kernel_monotonic_ns() >= deadline_ns;
}

static void prepare_packet(struct message *message, const struct request *request)
{
    struct rl_wire_packet *packet = &message->packet;
    RLDataRef data = request->data;
    message->bytes = data ? RLDataGetBytePtr(data) : NULL;
    packet->kind = RL_WIRE_REQUEST;
    packet->message_id = request->message_id;
    packet->descriptors = (uint16_t)request->descriptor_count;
    packet->total = data ? (uint32_t)RLDataGetLength(data) : 0;
    packet->payload = message->bytes;
    packet->length = packet->total;
    if (packet->descriptors > 0) {
        memcpy(message->descriptors, request->descriptors,
               packet->descriptors * sizeof request->descriptors[0]);
    }
}

/* Has the message sent as a memory file. Returns false if there can be none. */
static bool share_data(struct message *message)
{
    struct rl_wire_packet *packet = &message->packet;
    message->memory_file = rl_channel_share(message->bytes, packet->total);
    if (message->memory_file < 0) return false;
    memmove(message->descriptors + 1, message->descriptors,
            packet->descriptors * sizeof message->descriptors[0]);
    message->descriptors[0] = message->memory_file;
    packet->flags |= RL_WIRE_IS_SHARED;
    packet->payload = NULL;
    packet->length = 0;
    return true;
}

/*
 * Waits until there is room to send, or something to receive, as the other side may wait for us to
 * read.
 */
static void wait_for_packet_room(int fd, int64_t deadline_ns)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    int64_t left_ns = deadline_ns - rl_kernel_monotonic_ns();
    struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
    if (left_ns < 0) return;
    RL_UNCANCELED(ppoll(&query, 1, deadline_ns == RL_NEVER_NS ? NULL : &left, NULL));
}

/* Takes what has come on a connection, and invalidates the port if its other side is gone. */
static enum rl_client_state receive_replies(struct rl_message_port *port,
                                            struct rl_remote_connection *connection, bool takes_all)
{
    rl_lock(&port->lock);
    enum rl_client_state state = rl_message_client_receive(connection, takes_all, NULL);
    rl_unlock(&port->lock);
    if (state == RL_CLIENT_GONE) RLMessagePortInvalidate(rl_message_port_ref(port));
    return state;
}

/* Returns why a connection takes nothing more: it has to give way, or the other side is gone. */
static SInt32 find_reason(struct rl_message_port *port, struct rl_remote_connection *connection)
{
    /* Delivers what has been answered to the requests that wait for it. */
    if (receive_replies(port, connection, true) == RL_CLIENT_GIVES_WAY) {
        return NEEDS_OTHER_CONNECTION;
    }
    RLMessagePortInvalidate(rl_message_port_ref(port));
    return kRLMessagePortIsInvalid;
}

/* Sends a packet, waiting for room. */
static SInt32 send_packet(struct rl_message_port *port, struct rl_remote_connection *connection,
                          const struct message *message)
{
    for (;;) {
        switch (rl_channel_send(connection->fd, &message->packet, message->descriptors)) {
        case RL_CHANNEL_DONE: return kRLMessagePortSuccess;
        case RL_CHANNEL_REFUSED:
        case RL_CHANNEL_FAILED: return kRLMessagePortTransportError;
        case RL_CHANNEL_CLOSED: return find_reason(port, connection);
        case RL_CHANNEL_AGAIN: break;
        }
        if (is_over(message->deadline_ns)) return kRLMessagePortSendTimeout;
        wait_for_packet_room(connection->fd, message->deadline_ns);
        receive_replies(port, connection, false);
    }
}

/*
 * Waits for the receiver of parts. Returns how many there is room for: none if it does not receive,
 * or nobody does any more.
 */
static int wait_for_receiver(struct rl_message_port *port, struct rl_remote_connection *connection,
                             int64_t deadline_ns)
{
    int64_t moment_ns = rl_kernel_monotonic_ns() + PATIENCE_NS;
    if (moment_ns > deadline_ns) moment_ns = deadline_ns;
    for (;;) {
        int room = rl_channel_room_for_parts(connection->fd, connection->buffer_size);
        if (room != 0 || is_over(moment_ns)) return room;
        wait_for_packet_room(connection->fd, moment_ns);
        if (receive_replies(port, connection, false) != RL_CLIENT_GOES_ON) return 0;
    }
}

static SInt32 send_all_parts(struct rl_message_port *port, struct rl_remote_connection *connection,
                             const struct message *message)
{
    struct rl_wire_packet part = message->packet;
    int room = 0;
    for (; part.offset < part.total; part.offset += part.length) {
        uint32_t left = part.total - part.offset;
        bool is_last = left <= RL_WIRE_PAYLOAD_SIZE;
        part.payload = message->bytes + part.offset;
        part.length = is_last ? left : RL_WIRE_PAYLOAD_SIZE;
        part.descriptors = is_last ? message->packet.descriptors : 0;
        if (room == 0) room = wait_for_receiver(port, connection, message->deadline_ns);
        if (room-- <= 0) return NEEDS_MEMORY_FILE;
        switch (rl_channel_send(connection->fd, &part, message->descriptors)) {
        case RL_CHANNEL_DONE: break;
        case RL_CHANNEL_AGAIN: return NEEDS_MEMORY_FILE;
        case RL_CHANNEL_CLOSED: return find_reason(port, connection);
        case RL_CHANNEL_REFUSED:
        case RL_CHANNEL_FAILED: return kRLMessagePortTransportError;
        }
    }
    return kRLMessagePortSuccess;
}

/* Sends a message in parts, unless nobody receives them at once, be it this thread itself. */
static SInt32 send_parts(struct rl_message_port *port, struct rl_remote_connection *connection,
                         struct message *message)
{
    if (is_over(message->deadline_ns)) return NEEDS_MEMORY_FILE;
    rl_lock(&port->lock);
    uint64_t serial = rl_message_client_begin_parts(connection);
    rl_unlock(&port->lock);
    if (serial == 0) return NEEDS_MEMORY_FILE;
    if (!(message->packet.flags & RL_WIRE_WANTS_REPLY)) message->packet.serial = serial;
    SInt32 result = send_all_parts(port, connection, message);
    rl_lock(&port->lock);
    rl_message_client_end_parts(connection);
    rl_unlock(&port->lock);
    return result;
}

static SInt32 send_message(struct rl_message_port *port, struct rl_remote_connection *connection,
                           struct message *message)
{
    bool is_large = message->packet.total > RL_WIRE_PAYLOAD_SIZE && message->memory_file < 0;
    SInt32 result = is_large ? send_parts(port, connection, message) : kRLMessagePortSuccess;
    if (is_large && result != NEEDS_MEMORY_FILE) return result;
    if (is_large && !share_data(message)) return kRLMessagePortTransportError;
    return send_packet(port, connection, message);
}

static int get_reply_descriptor(void *info)
{
    return ((struct message *)info)->connection->fd;
}

static void take_replies(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct message *message = info;
    struct rl_reply_wait *wait = &message->wait;
    rl_lock(&message->port->lock);
    wait->is_awake = true;
    enum rl_client_state state = rl_message_client_receive(message->connection, false, wait);
    wait->is_awake = false;
    rl_unlock(&message->port->lock);
    if (state == RL_CLIENT_GONE) RLMessagePortInvalidate(rl_message_port_ref(message->port));
}

static bool has_reply(struct message *message)
{
    rl_lock(&message->port->lock);
    bool is_over = message->wait.is_over;
    rl_unlock(&message->port->lock);
    return is_over;
}

static const struct rl_source_owner reply_owner = {.checks_events = true};

static void run_until_reply(struct message *message, RLTimeInterval timeout)
{
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = message,
        .getDescriptor = get_reply_descriptor,
        .perform = take_replies,
    };
    message->source = rl_source_create_owned(0, &context, &reply_owner);
    RLRunLoopAddSource(message->wait.loop, message->source, message->wait.mode);
    int64_t deadline_ns = deadline_of_request(timeout);
    RLTimeInterval left = deadline_ns == RL_NEVER_NS ? 1e20 : timeout;
    for (int i = 0; !has_reply(message); i++) {
        if (i > 0 && is_over(deadline_ns)) break;
        if (i > 0 && deadline_ns != RL_NEVER_NS) left = seconds_until(deadline_ns);
        RLRunLoopRunInMode(message->wait.mode, left, true);
    }
}

static void end_source(RLRunLoopSourceRef source)
{
    if (!source) return;
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static void end_wait(struct message *message)
{
    if (!message->is_waiting) return;
    message->is_waiting = false;
    end_source(message->source);
    rl_lock(&message->port->lock);
    rl_message_client_end_wait(message->connection, &message->wait);
    rl_unlock(&message->port->lock);
    end_source(message->wait.waker);
}

static SInt32 send_and_wait(struct message *message, const struct request *request,
                            RLDataRef *ret_reply)
{
    struct rl_message_port *port = message->port;
    struct rl_remote_connection *connection = message->connection;
    struct rl_reply_wait *wait = &message->wait;
    *wait = (struct rl_reply_wait){
        .loop = RLRunLoopGetCurrent(),
        .mode = request->mode,
        .result = kRLMessagePortReceiveTimeout,
    };
    message->source = NULL;
    /* In the last moments of a thread there is nothing to wait with. */
    if (!wait->loop) return kRLMessagePortTransportError;
    rl_lock(&port->lock);
    rl_message_client_begin_wait(connection, wait);
    rl_unlock(&port->lock);
    message->is_waiting = true;
    message->packet.flags |= RL_WIRE_WANTS_REPLY;
    message->packet.serial = wait->serial;

    SInt32 result = send_message(port, connection, message);
    if (result == kRLMessagePortSuccess) {
        rl_kernel_close(&message->memory_file);
        run_until_reply(message, request->receive_timeout);
    }
    end_wait(message);
    if (result == kRLMessagePortSuccess) result = wait->result;
    if (ret_reply) {
        *ret_reply = wait->reply;
    } else if (wait->reply) {
        RLRelease(wait->reply);
    }
    wait->reply = NULL;
    return result;
}

static void check_request(const struct rl_message_port *remote, const struct request *request,
                          const char *function)
{
    RLIndex count = request->descriptor_count;
    if (!remote->is_remote) {
        rl_client_error(function, "port %p is local: only remote ones send", (const void *)remote);
    }
    if (request->data) rl_expect(request->data, RL_TYPE_DATA, function, "data");
    if (count < 0 || count > RL_WIRE_MOST_DESCRIPTORS || (count > 0 && !request->descriptors)) {
        rl_client_error(function, "%ld descriptors cannot travel with a message", count);
    }
    if (!request->mode) return;
    rl_expect_string(request->mode, function, "replyMode");
    if (rl_loop_is_common_name(request->mode)) {
        rl_client_error(function, "no loop runs in the common modes: `replyMode` is one of them");
    }
}

/* Sends on a connection of the port. Returns NEEDS_OTHER_CONNECTION if none takes the message. */
static SInt32 try_to_send(struct message *message, const struct request *request,
                          RLDataRef *ret_reply)
{
    struct rl_message_port *port = message->port;
    SInt32 result;
    message->connection = rl_message_port_begin_use(port, false, message->deadline_ns, &result);
    if (!message->connection) {
        return result == kRLMessagePortSendTimeout ? NEEDS_OTHER_CONNECTION : result;
    }
    result = request->mode ? send_and_wait(message, request, ret_reply)
                           : send_message(port, message->connection, message);
    rl_message_port_end_use(port, message->connection);
    message->connection = NULL;
    return result;
}

/* Sends on one connection after the other as long as they have to give way and there is time. */
static SInt32 send_in_time(struct message *message, const struct request *request,
                           RLDataRef *ret_reply)
{
    message->deadline_ns = deadline_of_request(request->send_timeout);
    for (int i = 1;; i++) {
        SInt32 result = try_to_send(message, request, ret_reply);
        if (result != NEEDS_OTHER_CONNECTION) return result;
        if (i < TRIES_AT_ONCE) continue;
        if (is_over(message->deadline_ns)) return kRLMessagePortSendTimeout;
        rl_kernel_sleep(rl_kernel_monotonic_ns() + RETRY_NS);
    }
}

/* Ends what is under way: nothing, unless the thread leaves from a callback meanwhile. */
static void end_message(void *context)
{
    struct message *message = context;
    end_wait(message);
    if (message->wait.reply) RLRelease(message->wait.reply);
    if (message->connection) rl_message_port_end_use(message->port, message->connection);
    rl_kernel_close(&message->memory_file);
    RLRelease(message->port);
}

/* Sends a request for the public function of that name. */
static SInt32 send_request(RLMessagePortRef remote, const struct request *request,
                           RLDataRef *ret_reply, const char *function)
{
    struct rl_message_port *port = rl_message_port_checked(remote, function);
    check_request(port, request, function);
    if (ret_reply) *ret_reply = NULL;
    if (request->data && RLDataGetLength(request->data) > RL_WIRE_LARGEST_MESSAGE) {
        return kRLMessagePortTransportError;
    }
    if (!atomic_load(&port->is_valid)) return kRLMessagePortIsInvalid;
    struct message message = {.memory_file = -1, .port = port};
    prepare_packet(&message, request);
    RLRetain(remote);
    SInt32 result;
    pthread_cleanup_push(end_message, &message);
    result = send_in_time(&message, request, ret_reply);
    pthread_cleanup_pop(true);
    return result;
}

SInt32 RLMessagePortSendRequestWithDescriptors(RLMessagePortRef remote, SInt32 messageID,
                                               RLDataRef data, const SInt32 *descriptors,
                                               RLIndex descriptorCount, RLTimeInterval sendTimeout,
                                               RLTimeInterval receiveTimeout, RLStringRef replyMode,
                                               RLDataRef *returnData)
{
    struct request request = {
        .message_id = messageID,
        .data = data,
        .descriptors = descriptors,
        .descriptor_count = descriptorCount,
        .send_timeout = sendTimeout,
        .receive_timeout = receiveTimeout,
        .mode = replyMode,
    };
    return send_request(remote, &request, returnData, __func__);
}

SInt32 RLMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data,
                                RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
                                RLStringRef replyMode, RLDataRef *returnData)
{
    struct request request = {
        .message_id = messageID,
        .data = data,
        .send_timeout = sendTimeout,
        .receive_timeout = receiveTimeout,
        .mode = replyMode,
    };
    return send_request(remote, &request, returnData, __func__);
}
