/*
 * Encodes packets of message ports and Mach ports, and decodes packets that are well-formed. A Mach
 * port accepts only some of these: see mach_message.c.
 */

#include "base/system.h"

#include "messages/message_wire.h"

/* "RLM" and the version of the format. */
#define MAGIC UINT32_C(0x024D4C52)

static void put_number(uint8_t *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get_number(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void rl_wire_encode(const struct rl_wire_packet *packet, uint8_t header[RL_WIRE_HEADER_SIZE])
{
    put_number(header, MAGIC, 4);
    put_number(header + 4, packet->kind, 1);
    put_number(header + 5, packet->flags, 1);
    put_number(header + 6, packet->descriptors, 2);
    put_number(header + 8, (uint32_t)packet->message_id, 4);
    put_number(header + 12, packet->total, 4);
    put_number(header + 16, packet->offset, 4);
    put_number(header + 20, 0, 4);
    put_number(header + 24, packet->serial, 8);
}

/* Returns whether the packet is within its message. Only an empty message has an empty packet. */
static bool is_part(const struct rl_wire_packet *packet)
{
    if (packet->offset > packet->total || packet->length > packet->total - packet->offset) {
        return false;
    }
    return packet->length > 0 || packet->total == 0;
}

static bool is_request(const struct rl_wire_packet *packet)
{
    if (packet->flags & ~(RL_WIRE_WANTS_REPLY | RL_WIRE_IS_SHARED)) return false;
    if (packet->flags & RL_WIRE_IS_SHARED) {
        return packet->offset == 0 && packet->length == 0 && packet->total > RL_WIRE_PAYLOAD_SIZE;
    }
    return is_part(packet) && (packet->descriptors == 0 || rl_wire_is_last(packet));
}

static bool is_reply(const struct rl_wire_packet *packet)
{
    if (packet->flags & ~RL_WIRE_HAS_FAILED || packet->descriptors != 0) return false;
    if (packet->flags & RL_WIRE_HAS_FAILED && packet->total != 0) return false;
    return is_part(packet);
}

static bool is_notice(const struct rl_wire_packet *packet)
{
    return packet->flags == 0 && packet->descriptors == 0 && packet->message_id == 0 &&
           packet->total == 0 && packet->offset == 0 && packet->serial == 0 && packet->length == 0;
}

static bool is_of_its_kind(const struct rl_wire_packet *packet)
{
    switch (packet->kind) {
    case RL_WIRE_REQUEST: return is_request(packet);
    case RL_WIRE_REPLY: return is_reply(packet);
    case RL_WIRE_YIELD:
    case RL_WIRE_STAY: return is_notice(packet);
    default: return false;
    }
}

bool rl_wire_decode(const uint8_t header[RL_WIRE_HEADER_SIZE], const uint8_t *payload,
                    size_t length, size_t descriptors, struct rl_wire_packet *ret_packet)
{
    if (length > RL_WIRE_PAYLOAD_SIZE) return false;
    if (get_number(header, 4) != MAGIC || get_number(header + 20, 4) != 0) return false;
    struct rl_wire_packet packet = {
        .kind = header[4],
        .flags = header[5],
        .descriptors = (uint16_t)get_number(header + 6, 2),
        .message_id = (int32_t)(uint32_t)get_number(header + 8, 4),
        .total = (uint32_t)get_number(header + 12, 4),
        .offset = (uint32_t)get_number(header + 16, 4),
        .serial = get_number(header + 24, 8),
        .payload = payload,
        .length = (uint32_t)length,
    };
    if (packet.total > RL_WIRE_LARGEST_MESSAGE) return false;
    if (packet.descriptors > RL_WIRE_MOST_DESCRIPTORS) return false;
    if (rl_wire_descriptors(&packet) != descriptors) return false;
    *ret_packet = packet;
    return is_of_its_kind(&packet);
}
