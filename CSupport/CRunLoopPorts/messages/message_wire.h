/*
 * The packets of message ports as bytes. This code does no I/O, so that a fuzzer can act as a
 * hostile peer.
 *
 * A packet is one record of a SOCK_SEQPACKET socket: a header of 32 bytes, little-endian, and then
 * the payload. A message, a request or a reply, is one packet or, if its data do not fit, a
 * sequence of parts. Between two parts there may be messages of one packet; another first part
 * discards the incomplete message. A request may also be one packet whose data are in a sealed
 * memory file, which is sent as a descriptor. The client's descriptors are sent with the last part.
 * The two notices are headers without a payload.
 *
 * Yielding: a local port with too many connections sends RL_WIRE_YIELD on the longest idle
 * connection, and shuts it down for receiving. It still answers the requests received there. A
 * request that this shutdown refuses was not sent at all, and is retried on another connection to
 * the same listener; the first connection lasts until its replies have come. So no request is lost
 * or delivered twice.
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
     * larger packet needs a larger block, which is harder to get.
     */
    RL_WIRE_PAYLOAD_SIZE = 96 * 1024,
    RL_WIRE_LARGEST_MESSAGE = 64 * 1024 * 1024,
    RL_WIRE_MOST_DESCRIPTORS = 16
};

enum rl_wire_kind {
    RL_WIRE_REQUEST = 1,
    RL_WIRE_REPLY = 2,
    /* From a local port: this connection yields. */
    RL_WIRE_YIELD = 3,
    /* From a remote port whose loop watches the connection: it must not yield. */
    RL_WIRE_STAY = 4
};

enum {
    /* For a request: the sender waits for a reply. */
    RL_WIRE_WANTS_REPLY = 1,
    /* For a request: the data are in a memory file, the first descriptor. */
    RL_WIRE_IS_SHARED = 2,
    /* For a reply: the reply cannot be sent. */
    RL_WIRE_HAS_FAILED = 4
};

struct rl_wire_packet {
    uint8_t kind;
    uint8_t flags;
    uint16_t descriptors;
    int32_t message_id;
    /* The bytes of the whole message, and of its packets before this one. */
    uint32_t total, offset;
    /* Chosen by the sender of a request, repeated in the reply. */
    uint64_t serial;
    const uint8_t *payload;
    uint32_t length;
};

void rl_wire_encode(const struct rl_wire_packet *packet, uint8_t header[RL_WIRE_HEADER_SIZE]);

/* `length` is that of the payload. Returns false if the packet is malformed. */
bool rl_wire_decode(const uint8_t header[RL_WIRE_HEADER_SIZE], const uint8_t *payload,
                    size_t length, size_t descriptors, struct rl_wire_packet *ret_packet);

/* Returns the number of a packet's descriptors: the client's, and a memory file. */
static inline size_t rl_wire_descriptors(const struct rl_wire_packet *packet)
{
    return packet->descriptors + (packet->flags & RL_WIRE_IS_SHARED ? 1u : 0u);
}

/* Returns whether a packet is the last part of its message, or all of it. */
static inline bool rl_wire_is_last(const struct rl_wire_packet *packet)
{
    return packet->offset + packet->length == packet->total;
}

#endif
