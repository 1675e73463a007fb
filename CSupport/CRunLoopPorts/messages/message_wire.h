/*
 * The wire format of message ports. This code does no I/O, so a fuzzer can act as a hostile peer.
 *
 * A packet is one record of a SOCK_SEQPACKET socket: a header of 32 bytes, little-endian, and then
 * the payload. A message is a request or a reply. It is one packet or, if its data do not fit, a
 * sequence of parts. Messages of one packet may be sent between two parts of another message. If a
 * new first part arrives, the receiver discards the incomplete message. The data of a request may
 * also be in a sealed memory file, whose descriptor is sent with a single packet. The client's
 * descriptors are sent with the last part. RL_WIRE_YIELD and RL_WIRE_STAY are headers without a
 * payload.
 *
 * Yielding: a local port with too many connections sends RL_WIRE_YIELD on the connection that has
 * been idle longest, and shuts the connection down for receiving. The port still replies to the
 * requests that it has received on the connection. A send that fails because of the shutdown has
 * sent nothing, so the request is retried on another connection to the same listener. The first
 * connection stays open until its replies have arrived. So no request is lost or delivered twice.
 *
 *     0 magic, 4 kind, 5 flags, 6 number of the client's descriptors (2 bytes), 8 message id,
 *     12 total length, 16 offset, 20 zero, 24 serial (8 bytes)
 */

#ifndef RL_MESSAGE_WIRE_H
#define RL_MESSAGE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RL_WIRE_HEADER_SIZE = 32,
    /*
     * The kernel stores a packet of this size in single pages and one block of eight pages. A
     * larger packet needs a larger block, whose allocation fails more often.
     */
    RL_WIRE_PAYLOAD_SIZE = 96 * 1024,
    RL_WIRE_LARGEST_MESSAGE = 64 * 1024 * 1024,
    RL_WIRE_MOST_DESCRIPTORS = 16
};

enum rl_wire_kind {
    RL_WIRE_REQUEST = 1,
    RL_WIRE_REPLY = 2,
    /* A local port sends this: the connection yields, and accepts no more requests. */
    RL_WIRE_YIELD = 3,
    /* A remote port whose loop watches the connection sends this: the connection must not yield. */
    RL_WIRE_STAY = 4
};

enum {
    /* In a request: the sender waits for a reply. */
    RL_WIRE_WANTS_REPLY = 1,
    /* In a request: the data are in a memory file, the first descriptor. */
    RL_WIRE_IS_SHARED = 2,
    /* In a reply: the reply is too large to be sent. */
    RL_WIRE_HAS_FAILED = 4
};

struct rl_wire_packet {
    uint8_t kind;
    uint8_t flags;
    uint16_t descriptors;
    int32_t message_id;
    /* The size of the whole message, and the offset of this packet in it. */
    uint32_t total, offset;
    /* The number that the sender of a request has chosen. The reply repeats it. */
    uint64_t serial;
    const uint8_t *payload;
    uint32_t length;
};

void rl_wire_encode(const struct rl_wire_packet *packet, uint8_t header[RL_WIRE_HEADER_SIZE]);

/* `length` is the size of the payload. Returns false if the packet is malformed. */
bool rl_wire_decode(const uint8_t header[RL_WIRE_HEADER_SIZE], const uint8_t *payload,
                    size_t length, size_t descriptors, struct rl_wire_packet *ret_packet);

/* The number of the client's descriptors, plus 1 for a memory file. */
static inline size_t rl_wire_descriptors(const struct rl_wire_packet *packet)
{
    return packet->descriptors + (packet->flags & RL_WIRE_IS_SHARED ? 1u : 0u);
}

/* Returns whether the packet is the last part of a message, or a whole message. */
static inline bool rl_wire_is_last(const struct rl_wire_packet *packet)
{
    return packet->offset + packet->length == packet->total;
}

#endif
