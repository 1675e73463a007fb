/*
 * Sending a message, and waiting for its reply in a run of the caller's loop.
 */

#include "base/system.h"

#include "base/kernel.h"
#include "loop/loop.h"
#include "messages/message_port.h"

#include <poll.h>
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

/* In place of a result: the message was not sent, as the connection has to give way. */
enum { NEEDS_OTHER_CONNECTION = 1 };

/* How often a message is tried in a row, and how long the sender pauses then. */
enum { TRIES_AT_ONCE = 4 };
#define RETRY_NS INT64_C(10000000)

struct message {
    struct rl_wire_packet packet;
    int64_t deadline_ns;
    /* A memory file, or -1; and then the client's. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    int memory_file;
};

/* Not a number is without end too. */
static int64_t deadline_after(RLTimeInterval seconds)
{
    if (!(seconds < ten_days)) return RL_NEVER_NS;
    int64_t now = rl_kernel_monotonic_ns();
    return seconds <= 0 ? now : now + (int64_t)(seconds * 1e9);
}

static bool is_over(int64_t deadline_ns)
{
    return deadline_ns != RL_NEVER_NS && rl_kernel_monotonic_ns() >= deadline_ns;
}

/* Fills the packet in; false without a memory file for data that need one. */
static bool prepare(struct message *message, const struct request *request)
{
    struct rl_wire_packet *packet = &message->packet;
    RLDataRef data = request->data;
    size_t length = data ? (size_t)RLDataGetLength(data) : 0;
    size_t descriptor_count = (size_t)request->descriptor_count;
    unsigned shared = length > RL_WIRE_PAYLOAD_SIZE ? 1 : 0;
    message->memory_file = -1;
    packet->kind = RL_WIRE_REQUEST;
    packet->descriptors = (uint16_t)descriptor_count;
    packet->total = (uint32_t)length;
    if (descriptor_count > 0) {
        memcpy(message->descriptors + shared, request->descriptors,
               descriptor_count * sizeof request->descriptors[0]);
    }
    if (!shared) {
        packet->payload = data ? RLDataGetBytePtr(data) : NULL;
        packet->length = (uint32_t)length;
        return true;
    }
    packet->flags |= RL_WIRE_IS_SHARED;
    message->memory_file = rl_channel_share(RLDataGetBytePtr(data), length);
    message->descriptors[0] = message->memory_file;
    return message->memory_file >= 0;
}

/* Until there is room to send, or something to be received that the other side waits with. */
static void wait_for_packet_room(int fd, int64_t deadline_ns)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    int64_t left_ns = deadline_ns - rl_kernel_monotonic_ns();
    struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
    if (left_ns < 0) return;
    ppoll(&query, 1, deadline_ns == RL_NEVER_NS ? NULL : &left, NULL);
}

/* Takes what has come on a connection, and invalidates the port if its other side is gone. */
static enum rl_client_state receive(struct rl_message_port *port,
                                    struct rl_remote_connection *connection, bool takes_all)
{
    rl_lock(&port->lock);
    enum rl_client_state state = rl_message_client_receive(connection, takes_all);
    rl_unlock(&port->lock);
    if (state == RL_CLIENT_GONE) RLMessagePortInvalidate(rl_message_port_ref(port));
    return state;
}

/* The connection takes nothing more: it has to give way, or else the other side is gone. */
static SInt32 find_reason(struct rl_message_port *port, struct rl_remote_connection *connection)
{
    /* Delivers what has been answered to the requests that wait for it. */
    if (receive(port, connection, true) == RL_CLIENT_GIVES_WAY) return NEEDS_OTHER_CONNECTION;
    RLMessagePortInvalidate(rl_message_port_ref(port));
    return kRLMessagePortIsInvalid;
}

static SInt32 send_message(struct rl_message_port *port, struct rl_remote_connection *connection,
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
        receive(port, connection, false);
    }
}

/* What the source of a wait has: the loop that runs it is the one that waits. */
struct pump {
    struct rl_message_port *port;
    struct rl_remote_connection *connection;
    struct rl_reply_wait *wait;
};

static int get_reply_descriptor(void *info)
{
    return ((struct pump *)info)->connection->fd;
}

static void take_replies(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct pump *pump = info;
    rl_lock(&pump->port->lock);
    pump->wait->is_awake = true;
    enum rl_client_state state = rl_message_client_receive(pump->connection, false);
    pump->wait->is_awake = false;
    rl_unlock(&pump->port->lock);
    if (state == RL_CLIENT_GONE) RLMessagePortInvalidate(rl_message_port_ref(pump->port));
}

static void wake(void *info)
{
    (void)info;
}

static bool has_ended(struct rl_message_port *port, const struct rl_reply_wait *wait)
{
    rl_lock(&port->lock);
    bool has_ended = wait->is_over;
    rl_unlock(&port->lock);
    return has_ended;
}

static void run_until_reply(struct rl_message_port *port, struct rl_remote_connection *connection,
                            struct rl_reply_wait *wait, RLTimeInterval timeout, RLStringRef mode)
{
    struct pump pump = {.port = port, .connection = connection, .wait = wait};
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = &pump,
        .getDescriptor = get_reply_descriptor,
        .perform = take_replies,
    };
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
    RLRunLoopAddSource(wait->loop, source, mode);
    RLRunLoopAddSource(wait->loop, wait->waker, mode);
    int64_t deadline_ns = deadline_after(timeout);
    bool is_first = true;
    while (!has_ended(port, wait) && (is_first || !is_over(deadline_ns))) {
        RLTimeInterval left = (RLTimeInterval)(deadline_ns - rl_kernel_monotonic_ns()) / 1e9;
        RLRunLoopRunInMode(mode, deadline_ns == RL_NEVER_NS ? 1e20 : left, true);
        is_first = false;
    }
    RLRunLoopSourceInvalidate(source);
    RLRelease(source);
}

static SInt32 send_and_wait(struct rl_message_port *port, struct rl_remote_connection *connection,
                            struct message *message, const struct request *request,
                            RLDataRef *ret_reply)
{
    RLRunLoopSourceContext context = {.perform = wake};
    struct rl_reply_wait wait = {
        .loop = RLRunLoopGetCurrent(),
        .result = kRLMessagePortReceiveTimeout,
    };
    /* In the last moments of a thread there is nothing to wait with. */
    if (!wait.loop) return kRLMessagePortTransportError;
    context.info = &wait;
    wait.waker = RLRunLoopSourceCreate(NULL, 0, &context);
    rl_lock(&port->lock);
    rl_message_client_begin_wait(connection, &wait);
    rl_unlock(&port->lock);
    message->packet.flags |= RL_WIRE_WANTS_REPLY;
    message->packet.serial = wait.serial;

    SInt32 result = send_message(port, connection, message);
    if (result == kRLMessagePortSuccess) {
        rl_kernel_close(&message->memory_file);
        run_until_reply(port, connection, &wait, request->receive_timeout, request->mode);
    }
    rl_lock(&port->lock);
    rl_message_client_end_wait(connection, &wait);
    rl_unlock(&port->lock);
    if (result == kRLMessagePortSuccess) result = wait.result;
    RLRunLoopSourceInvalidate(wait.waker);
    RLRelease(wait.waker);
    if (ret_reply) {
        *ret_reply = wait.reply;
    } else if (wait.reply) {
        RLRelease(wait.reply);
    }
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

/* Sends on one connection; or none of them takes the message. */
static SInt32 try_to_send(struct rl_message_port *port, struct message *message,
                          const struct request *request, RLDataRef *ret_reply)
{
    SInt32 result;
    struct rl_remote_connection *connection =
        rl_message_port_begin_use(port, message->deadline_ns, &result);
    if (!connection) return result == kRLMessagePortSendTimeout ? NEEDS_OTHER_CONNECTION : result;
    result = request->mode ? send_and_wait(port, connection, message, request, ret_reply)
                           : send_message(port, connection, message);
    rl_message_port_end_use(port, connection);
    return result;
}

/* Sends on one connection after the other as long as they have to give way, and there is time. */
static SInt32 send_in_time(struct rl_message_port *port, struct message *message,
                           const struct request *request, RLDataRef *ret_reply)
{
    message->deadline_ns = deadline_after(request->send_timeout);
    for (int i = 1;; i++) {
        SInt32 result = try_to_send(port, message, request, ret_reply);
        if (result != NEEDS_OTHER_CONNECTION) return result;
        if (i < TRIES_AT_ONCE) continue;
        if (is_over(message->deadline_ns)) return kRLMessagePortSendTimeout;
        rl_kernel_sleep(rl_kernel_monotonic_ns() + RETRY_NS);
    }
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
    struct message message = {.packet.message_id = request->message_id};
    if (!prepare(&message, request)) return kRLMessagePortTransportError;
    RLRetain(remote);
    SInt32 result = send_in_time(port, &message, request, ret_reply);
    RLRelease(remote);
    rl_kernel_close(&message.memory_file);
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
