/*
 * The packets of message ports, from and to bytes. Nothing here reads, writes or waits, so that a
 * fuzzer can do with it what a hostile peer would.
 *
 * A packet is one record of a SOCK_SEQPACKET socket: a header of 32 bytes, little-endian, and then
 * the payload. A request is one packet: its data are the payload, or, if there are more than fit,
 * a sealed memory file that comes as a descriptor. A reply is as many packets as it takes, in
 * order, not mixed with those of another reply. The two notices are headers with nothing in them.
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
    RL_WIRE_PAYLOAD_SIZE = 32 * 1024,
    RL_WIRE_PACKET_SIZE = RL_WIRE_HEADER_SIZE + RL_WIRE_PAYLOAD_SIZE,
    RL_WIRE_LARGEST_MESSAGE = 64 * 1024 * 1024,
    RL_WIRE_MOST_DESCRIPTORS = 16
};

enum rl_wire_kind {
    RL_WIRE_REQUEST = 1,
    RL_WIRE_REPLY = 2,
    /* From a port that has too many connections: this one closes, and another one may be made. */
    RL_WIRE_GIVE_WAY = 3,
    /* From a sender whose loop watches the connection: it must not be asked to give way. */
    RL_WIRE_STAY = 4
};

enum {
    /* Of a request: the sender waits for a reply. */
    RL_WIRE_WANTS_REPLY = 1,
    /* Of a request: the data are in a memory file, the first descriptor. */
    RL_WIRE_IS_SHARED = 2,
    /* Of a reply: there was one, but it cannot be sent. */
    RL_WIRE_HAS_FAILED = 4
};

struct rl_wire_packet {
    uint8_t kind;
    uint8_t flags;
    uint16_t descriptors;
    int32_t message_id;
    /* Of the whole message, and of what came in packets before this one. */
    uint32_t total, offset;
    /* Chosen by the sender of a request, repeated in the reply. */
    uint64_t serial;
    const uint8_t *payload;
    uint32_t length;
};

void rl_wire_encode(const struct rl_wire_packet *packet, uint8_t header[RL_WIRE_HEADER_SIZE]);

/*
 * Returns whether `size` bytes that came with so many descriptors are a packet; if so, what it
 * says. The payload points into the bytes.
 */
bool rl_wire_decode(const uint8_t *bytes, size_t size, size_t descriptors,
                    struct rl_wire_packet *ret_packet);

/* How many descriptors travel with a packet: the client's, and a memory file. */
static inline size_t rl_wire_descriptors(const struct rl_wire_packet *packet)
{
    return packet->descriptors + (packet->flags & RL_WIRE_IS_SHARED ? 1u : 0u);
}

/* A reply that is coming in. All zero between replies. */
struct rl_wire_assembly {
    /* Null if nobody waits for it, and if it has no bytes. */
    uint8_t *bytes;
    /* Grows with what has come, not with what was announced. */
    size_t capacity;
    uint32_t received;
    struct rl_wire_packet first;
    bool is_under_way;
    bool is_wanted;
};

enum rl_wire_progress {
    RL_WIRE_MORE,
    RL_WIRE_COMPLETE,
    /* The packet does not belong here, or there is no memory. */
    RL_WIRE_BROKEN
};

/* Returns whether the packet would begin another reply, so that `is_wanted` has to be found out. */
static inline bool rl_wire_begins(const struct rl_wire_assembly *assembly)
{
    return !assembly->is_under_way;
}

/* Adds a packet of a reply. `is_wanted` counts for the first one only. */
enum rl_wire_progress rl_wire_add(struct rl_wire_assembly *assembly,
                                  const struct rl_wire_packet *packet, bool is_wanted);

/* Takes the bytes of a complete reply, which the caller frees, and is ready for the next one. */
uint8_t *rl_wire_take(struct rl_wire_assembly *assembly);

/* Gives up the bytes of a reply that nobody waits for any more; its other packets may come. */
void rl_wire_stop_wanting(struct rl_wire_assembly *assembly);

#endif
