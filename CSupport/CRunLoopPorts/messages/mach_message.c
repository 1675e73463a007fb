/*
 * A Mach message is sent like a request of a message port, without a reply. The reply port is sent
 * as a descriptor. The bytes of a large message are sent in a memory file, which the receiver maps.
 */

#include "base/system.h"

#include "messages/mach_message.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/object.h"
#include "base/socket_kernel.h"
#include "messages/message_transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

Boolean RLMachPortCreatePair(RLMachPortName *ret_receiver, RLMachPortName *ret_sender)
{
    if (!ret_receiver) rl_client_error(__func__, "argument `ret_receiver` must not be null");
    if (!ret_sender) rl_client_error(__func__, "argument `ret_sender` must not be null");
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
    ends[0] = rl_kernel_keep(ends[0]);
    ends[1] = rl_kernel_keep(ends[1]);
    *ret_receiver = ends[0];
    *ret_sender = ends[1];
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    rl_channel_close(ends, 2);
    return false;
}

void rl_mach_message_deafen(int fd)
{
    int deaf = rl_kernel_make_event_counter();
    if (deaf < 0) return;
    (void)dup3(deaf, fd, O_CLOEXEC);
    rl_kernel_close(&deaf);
}

/* --- Receiving ------------------------------------------------------------------------------- */

void rl_mach_message_free(const struct rl_mach_message *message)
{
    RLMachMessageHeader *header = message->header;
    if (header->replyPort >= 0) rl_channel_close(&header->replyPort, 1);
    if (message->mapped_size > 0) {
        munmap(header, message->mapped_size);
    } else {
        free(header);
    }
}

/* If the packet is malformed, the header of the message is null. */
static struct rl_mach_message make_message(const struct rl_channel_packet *received)
{
    const struct rl_wire_packet *packet = &received->packet;
    struct rl_mach_message message = {0};
    bool is_shared = packet->flags & RL_WIRE_IS_SHARED;
    bool is_whole = is_shared || packet->length == packet->total;
    if (packet->kind != RL_WIRE_REQUEST || (packet->flags & ~RL_WIRE_IS_SHARED) || !is_whole ||
        packet->descriptors > 1) {
        return message;
    }
    size_t size = sizeof *message.header + packet->total;
    message.mapped_size = is_shared ? size : 0;
    message.header =
        is_shared ? rl_transfer_map(received->descriptors[0], size) : rl_allocate(size);
    if (!message.header) return message;
    *message.header = (RLMachMessageHeader){
        .size = (UInt32)size,
        .messageID = packet->message_id,
        .replyPort = -1,
        .localPort = -1,
    };
    if (packet->length > 0) memcpy(message.header + 1, packet->payload, packet->length);
    return message;
}

static enum rl_mach_received take_message(struct rl_channel_packet *received,
                                          struct rl_mach_message *ret_message)
{
    *ret_message = make_message(received);
    unsigned last = received->descriptor_count - 1;
    if (ret_message->header && received->packet.descriptors > 0) {
        ret_message->header->replyPort = received->descriptors[last];
        received->descriptor_count = last;
    }
    rl_channel_close(received->descriptors, received->descriptor_count);
    return ret_message->header ? RL_MACH_MESSAGE : RL_MACH_BROKEN;
}

enum rl_mach_received rl_mach_message_receive(int fd, struct rl_mach_message *ret_message)
{
    struct rl_channel_packet received;
    *ret_message = (struct rl_mach_message){0};
    uint8_t *buffer = rl_allocate(RL_WIRE_PAYLOAD_SIZE);
    enum rl_channel_result result = rl_channel_receive(fd, buffer, &received);
    enum rl_mach_received taken =
        result == RL_CHANNEL_DONE ? take_message(&received, ret_message) : RL_MACH_NOTHING;
    free(buffer);
    switch (result) {
    case RL_CHANNEL_DONE: return taken;
    case RL_CHANNEL_AGAIN: return RL_MACH_NOTHING;
    case RL_CHANNEL_REFUSED: return RL_MACH_REFUSED;
    case RL_CHANNEL_FAILED: return RL_MACH_BROKEN;
    case RL_CHANNEL_CLOSED: break;
    }
    /* recvmsg(2) also returns 0 for an empty packet, so EOF requires that the peer has hung up. */
    return rl_socket_has_hung_up(fd) ? RL_MACH_ENDED : RL_MACH_BROKEN;
}

/* --- Sending --------------------------------------------------------------------------------- */

/* Returns the result code for a packet that the system has rejected. */
static SInt32 reason_of(RLMachPortName port, RLMachPortName reply_port)
{
    if (rl_socket_type(port) != SOCK_SEQPACKET) return kRLMachPortInvalidDestination;
    int copy = reply_port >= 0 ? rl_kernel_duplicate(reply_port) : -1;
    bool is_none = copy == -EBADF;
    rl_kernel_close(&copy);
    return is_none ? kRLMachPortInvalidReplyPort : kRLMachPortNoResources;
}

static SInt32 send_mach_packet(RLMachPortName port, RLMachPortName reply_port,
                               const struct rl_wire_packet *packet, const int *descriptors,
                               RLTimeInterval timeout)
{
    int64_t deadline_ns = 0;
    for (;;) {
        switch (rl_channel_send(port, packet, descriptors)) {
        case RL_CHANNEL_DONE: return kRLMachPortSuccess;
        case RL_CHANNEL_CLOSED: return kRLMachPortInvalidDestination;
        case RL_CHANNEL_REFUSED:
        case RL_CHANNEL_FAILED: return reason_of(port, reply_port);
        case RL_CHANNEL_AGAIN: break;
        }
        if (deadline_ns == 0) deadline_ns = rl_channel_deadline(timeout);
        if (rl_socket_wait(port, kRLRunLoopDescriptorWrite, -1, deadline_ns) == -ETIMEDOUT) {
            return kRLMachPortSendTimedOut;
        }
    }
}

SInt32 RLMachPortSend(RLMachPortName port, const RLMachMessageHeader *message,
                      RLTimeInterval timeout)
{
    if (!message) rl_client_error(__func__, "argument `message` must not be null");
    if (message->size < sizeof *message ||
        message->size - sizeof *message > RL_WIRE_LARGEST_MESSAGE) {
        return kRLMachPortInvalidSize;
    }
    uint32_t length = message->size - (uint32_t)sizeof *message;
    bool is_shared = length > RL_WIRE_PAYLOAD_SIZE;
    bool has_reply_port = message->replyPort >= 0;
    int memory_file = is_shared ? rl_transfer_share(message, message->size) : -1;
    if (is_shared && memory_file < 0) return kRLMachPortNoResources;
    int descriptors[2] = {memory_file, -1};
    descriptors[is_shared ? 1 : 0] = message->replyPort;
    struct rl_wire_packet packet = {
        .kind = RL_WIRE_REQUEST,
        .flags = is_shared ? RL_WIRE_IS_SHARED : 0,
        .descriptors = has_reply_port ? 1 : 0,
        .message_id = message->messageID,
        .total = length,
        .payload = is_shared ? NULL : (const uint8_t *)(message + 1),
        .length = is_shared ? 0 : length,
    };
    SInt32 result = send_mach_packet(port, message->replyPort, &packet, descriptors, timeout);
    if (is_shared) rl_kernel_close(&memory_file);
    return result;
}
