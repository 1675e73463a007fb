/*
 * A request takes the port's current connection, registers for its reply, sends, and runs the
 * caller's loop until the reply arrives. The thread that receives the reply stores it in the
 * request. If the connection yields (message_wire.h), the request is retried on another connection.
 * Docs/Maintaining/Architecture.md lists the states.
 */

#include "base/system.h"

#include "base/clock.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/loop.h"
#include "loop/source.h"
#include "messages/message_table.h"
#include "messages/remote_port.h"
#include "values/value.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <poll.h>
#include <pthread.h>
#include <time.h>

/* An internal result: nothing was sent, because the connection has yielded. */
enum { YIELDS = 1 };

/* The number of attempts without a pause, and the pause after each later attempt. */
enum { TRIES_AT_ONCE = 4 };
#define RETRY_NS INT64_C(10000000)
/* The interval of retries while another thread sends in parts. */
#define PARTS_WAIT_NS INT64_C(1000000)

struct request {
    struct rl_message_port *port;
    struct rl_outgoing message;
    int64_t send_deadline_ns;
    RLTimeInterval receive_timeout;
    /* `use.mode` is the client's mode. `use.loop` is set if a reply is wanted. */
    struct rl_client_use use;
    /* The source of the reply while the loop runs to receive it, or null. */
    RLRunLoopSourceRef source;
    RLMutualWaitRef wait;
};

static bool is_over(int64_t deadline_ns)
{
    return deadline_ns != RL_NEVER_NS && rl_kernel_monotonic_ns() >= deadline_ns;
}

/* --- Sending --------------------------------------------------------------------------------- */

static SInt32 result_of(enum rl_client_state state)
{
    switch (state) {
    case RL_CLIENT_OPEN: return kRLMessagePortSuccess;
    case RL_CLIENT_YIELDS: return YIELDS;
    case RL_CLIENT_GONE: return kRLMessagePortIsInvalid;
    case RL_CLIENT_REFUSED: break;
    }
    return kRLMessagePortTransportError;
}

/* Returns also if the socket is readable, because the peer may be waiting for this side to read. */
static void wait_for_space(int fd, int64_t moment_ns)
{
    struct pollfd query = {.fd = fd, .events = POLLIN | POLLOUT};
    int64_t left_ns = moment_ns - rl_kernel_monotonic_ns();
    struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
    if (left_ns < 0) return;
    RL_UNCANCELED(ppoll(&query, 1, moment_ns == RL_NEVER_NS ? NULL : &left, NULL));
}

/* Sends the rest of a message. Blocks for buffer space until the deadline. */
static SInt32 send_rest(struct request *request)
{
    struct rl_remote_connection *connection = request->use.connection;
    struct rl_outgoing *message = &request->message;
    for (;;) {
        switch (rl_transfer_send(message, connection->fd, connection->buffer_size,
                                 request->send_deadline_ns)) {
        case RL_CHANNEL_DONE: return kRLMessagePortSuccess;
        case RL_CHANNEL_CLOSED: return result_of(rl_message_client_find_reason(connection));
        case RL_CHANNEL_REFUSED:
        case RL_CHANNEL_FAILED: return kRLMessagePortTransportError;
        case RL_CHANNEL_AGAIN: break;
        }
        if (is_over(request->send_deadline_ns)) return kRLMessagePortSendTimeout;
        wait_for_space(connection->fd, message->moment_ns);
        SInt32 result = result_of(rl_message_client_receive(connection, NULL));
        if (result != kRLMessagePortSuccess) return result;
    }
}

static SInt32 send_all(struct request *request, bool goes_in_parts)
{
    rl_transfer_begin(&request->message, request->use.serial, goes_in_parts);
    SInt32 result = send_rest(request);
    if (goes_in_parts) atomic_store(&request->use.connection->is_sending_parts, false);
    return result;
}

/*
 * Sends a large message in parts, unless the deadline has passed or another thread is sending in
 * parts. If the message can only be sent in parts, waits for the other thread.
 */
static SInt32 send_message(struct request *request)
{
    atomic_bool *is_sending_parts = &request->use.connection->is_sending_parts;
    struct rl_outgoing *message = &request->message;
    bool goes_in_parts = rl_transfer_is_large(message) && !is_over(request->send_deadline_ns) &&
                         !atomic_exchange(is_sending_parts, true);
    SInt32 result = send_all(request, goes_in_parts);
    if (message->needs_parts && !goes_in_parts) {
        while (atomic_exchange(is_sending_parts, true)) {
            if (is_over(request->send_deadline_ns)) return kRLMessagePortSendTimeout;
            rl_kernel_sleep(rl_kernel_monotonic_ns() + PARTS_WAIT_NS);
        }
        result = send_all(request, true);
    }
    if (result == kRLMessagePortSuccess) rl_transfer_end(message);
    return result;
}

/* --- Waiting for the reply ------------------------------------------------------------------- */

static int get_reply_descriptor(void *info)
{
    return ((struct request *)info)->use.connection->fd;
}

static void take_replies(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct request *request = info;
    if (rl_message_client_receive(request->use.connection, &request->use) == RL_CLIENT_GONE) {
        RLMessagePortInvalidate(rl_message_port_ref(request->port));
    }
}

static const struct rl_source_owner reply_owner = {.checks_events = true};

static void run_until_reply(struct request *request)
{
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = request,
        .getDescriptor = get_reply_descriptor,
        .perform = take_replies,
    };
    request->source = rl_source_create_owned(0, &context, &reply_owner);
    RLRunLoopAddSource(request->use.loop, request->source, request->use.mode);
    /* The loop's clock measures the time, because it also limits the loop's runs. */
    int64_t end_ns = rl_clock_end_of(request->receive_timeout);
    bool is_limited = rl_channel_deadline(request->receive_timeout) != RL_NEVER_NS;
    RLTimeInterval left = is_limited ? request->receive_timeout : 1e20;
    while (!atomic_load(&request->use.is_over)) {
        RLRunLoopRunInMode(request->use.mode, left, true);
        if (!is_limited || atomic_load(&request->use.is_over)) continue;
        left = (RLTimeInterval)(end_ns - rl_clock_now_ns()) / 1e9;
        if (left <= 0) return;
    }
}

/* --- Requests -------------------------------------------------------------------------------- */

static void end_try(struct request *request)
{
    if (request->source) RLRunLoopSourceInvalidate(request->source);
    if (request->source) RLRelease(request->source);
    request->source = NULL;
    rl_message_client_end_use(&request->use);
}

static SInt32 try_once(struct request *request)
{
    SInt32 result = result_of(rl_message_client_begin_use(
        request->port, false, request->send_deadline_ns, &request->use));
    if (result == kRLMessagePortSuccess) result = send_message(request);
    bool is_waiting = result == kRLMessagePortSuccess && request->use.loop;
    if (is_waiting) run_until_reply(request);
    end_try(request);
    return is_waiting ? request->use.result : result;
}

static SInt32 try_in_time(struct request *request)
{
    for (int i = 1;; i++) {
        SInt32 result = try_once(request);
        if (result != YIELDS) return result;
        if (i < TRIES_AT_ONCE) continue;
        if (is_over(request->send_deadline_ns)) return kRLMessagePortSendTimeout;
        rl_kernel_sleep(rl_kernel_monotonic_ns() + RETRY_NS);
    }
}

/* Called also if a callback ends the thread with pthread_exit. */
static void end_request(void *context)
{
    struct request *request = context;
    end_try(request);
    RLMutualWaitEnd(request->wait);
    if (request->use.reply) RLRelease(request->use.reply);
    rl_transfer_end(&request->message);
    RLRelease(request->port);
}

/* For debug builds. A request to a thread of this process may be part of a mutual wait. */
static void begin_wait(struct request *request, const char *function)
{
    RLStringRef name = request->port->name;
    pid_t thread = name ? rl_message_table_server_thread(rl_string_characters(name)) : 0;
    if (thread == 0 || thread == rl_kernel_thread_id()) return;
    request->wait = RLMutualWaitBegin(function, (RLMutualWaitParties){.thread = thread});
}

static void check_request(const struct request *request, RLDataRef data, const SInt32 *descriptors,
                          RLIndex descriptor_count, const char *function)
{
    const struct rl_message_port *port = request->port;
    if (!port->kind->is_remote) {
        rl_client_error(function,
                        "port %p is a local port, which cannot send: pass a port from "
                        "RLMessagePortCreateRemote",
                        (const void *)port);
    }
    if (data) rl_expect(data, RL_TYPE_DATA, function, "data");
    bool has_too_many = descriptor_count < 0 || descriptor_count > RL_WIRE_MOST_DESCRIPTORS;
    if (has_too_many || (descriptor_count > 0 && !descriptors)) {
        rl_client_error(function,
                        "argument `descriptorCount` (%ld) must be from 0 to 16, and `descriptors` "
                        "(%p) must not be null",
                        descriptor_count, (const void *)descriptors);
    }
    if (!request->use.mode) return;
    rl_expect_string(request->use.mode, function, "replyMode");
    if (rl_loop_is_common_name(request->use.mode)) {
        rl_client_error(function,
                        "argument `replyMode` is kRLRunLoopCommonModes: pass a single mode");
    }
}

static void set_content(struct rl_outgoing *message, RLDataRef data, const SInt32 *descriptors,
                        RLIndex descriptor_count)
{
    message->memory_file = -1;
    message->bytes = data ? RLDataGetBytePtr(data) : NULL;
    message->packet.total = data ? (uint32_t)RLDataGetLength(data) : 0;
    message->packet.descriptors = (uint16_t)descriptor_count;
    for (RLIndex i = 0; i < descriptor_count; i++) message->descriptors[i] = descriptors[i];
}

/* `function` is the public function, for diagnostics. */
static SInt32 send_request(struct request *request, RLDataRef data, const SInt32 *descriptors,
                           RLIndex descriptor_count, RLTimeInterval send_timeout,
                           RLDataRef *ret_reply, const char *function)
{
    RLMessagePortRef remote = rl_message_port_ref(request->port);
    check_request(request, data, descriptors, descriptor_count, function);
    if (ret_reply) *ret_reply = NULL;
    if (data && RLDataGetLength(data) > RL_WIRE_LARGEST_MESSAGE) {
        return kRLMessagePortTransportError;
    }
    if (!atomic_load(&request->port->is_valid)) return kRLMessagePortIsInvalid;
    set_content(&request->message, data, descriptors, descriptor_count);
    request->send_deadline_ns = rl_channel_deadline(send_timeout);
    if (request->use.mode) {
        request->message.packet.flags = RL_WIRE_WANTS_REPLY;
        request->use.loop = RLRunLoopGetCurrent();
        /* An ending thread has no loop to run. */
        if (!request->use.loop) return kRLMessagePortTransportError;
    }
    RLRetain(remote);
    if (RL_HAS_HINTS && request->use.mode) begin_wait(request, function);
    SInt32 result;
    pthread_cleanup_push(end_request, request);
    result = try_in_time(request);
    if (result == kRLMessagePortIsInvalid) RLMessagePortInvalidate(remote);
    if (result == kRLMessagePortSuccess && ret_reply) {
        *ret_reply = request->use.reply;
        request->use.reply = NULL;
    }
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
        .port = rl_message_port_checked(remote, __func__),
        .message.packet = {.kind = RL_WIRE_REQUEST, .message_id = messageID},
        .receive_timeout = receiveTimeout,
        .use.mode = replyMode,
    };
    return send_request(&request, data, descriptors, descriptorCount, sendTimeout, returnData,
                        __func__);
}

SInt32 RLMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data,
                                RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout,
                                RLStringRef replyMode, RLDataRef *returnData)
{
    struct request request = {
        .port = rl_message_port_checked(remote, __func__),
        .message.packet = {.kind = RL_WIRE_REQUEST, .message_id = messageID},
        .receive_timeout = receiveTimeout,
        .use.mode = replyMode,
    };
    return send_request(&request, data, NULL, 0, sendTimeout, returnData, __func__);
}
