/*
 * Packets of message ports: checked when they come in, so that nobody else has to.
 */

#include "messages/message_wire.h"

#include <stdlib.h>
#include <string.h>

/* "RLM" and the version of the format. */
#define MAGIC UINT32_C(0x014D4C52)

enum { FIRST_CAPACITY = 64 * 1024 };

static void put_number(uint8_t *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, unsigned size)
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

static bool is_request(const struct rl_wire_packet *packet)
{
    if (packet->flags & ~(RL_WIRE_WANTS_REPLY | RL_WIRE_IS_SHARED)) return false;
    if (packet->offset != 0) return false;
    if (!(packet->flags & RL_WIRE_IS_SHARED)) return packet->length == packet->total;
    return packet->length == 0 && packet->total > RL_WIRE_PAYLOAD_SIZE;
}

static bool is_reply(const struct rl_wire_packet *packet)
{
    if (packet->flags & ~RL_WIRE_HAS_FAILED || packet->descriptors != 0) return false;
    if (packet->flags & RL_WIRE_HAS_FAILED && packet->total != 0) return false;
    if (packet->offset > packet->total || packet->length > packet->total - packet->offset) {
        return false;
    }
    return packet->length > 0 || packet->total == 0;
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
    case RL_WIRE_GIVE_WAY:
    case RL_WIRE_STAY: return is_notice(packet);
    default: return false;
    }
}

bool rl_wire_decode(const uint8_t *bytes, size_t size, size_t descriptors,
                    struct rl_wire_packet *ret_packet)
{
    if (size < RL_WIRE_HEADER_SIZE || size > RL_WIRE_PACKET_SIZE) return false;
    if (get(bytes, 4) != MAGIC || get(bytes + 20, 4) != 0) return false;
    struct rl_wire_packet packet = {
        .kind = bytes[4],
        .flags = bytes[5],
        .descriptors = (uint16_t)get(bytes + 6, 2),
        .message_id = (int32_t)(uint32_t)get(bytes + 8, 4),
        .total = (uint32_t)get(bytes + 12, 4),
        .offset = (uint32_t)get(bytes + 16, 4),
        .serial = get(bytes + 24, 8),
        .payload = bytes + RL_WIRE_HEADER_SIZE,
        .length = (uint32_t)(size - RL_WIRE_HEADER_SIZE),
    };
    if (packet.total > RL_WIRE_LARGEST_MESSAGE) return false;
    if (packet.descriptors > RL_WIRE_MOST_DESCRIPTORS) return false;
    if (rl_wire_descriptors(&packet) != descriptors) return false;
    *ret_packet = packet;
    return is_of_its_kind(&packet);
}

static bool belongs_here(const struct rl_wire_assembly *assembly,
                         const struct rl_wire_packet *packet)
{
    if (!assembly->is_under_way) return packet->offset == 0;
    const struct rl_wire_packet *first = &assembly->first;
    return packet->serial == first->serial && packet->total == first->total &&
           packet->flags == first->flags && packet->message_id == first->message_id &&
           packet->offset == assembly->received;
}

/* Room for the packet, at least twice as much as before, and never more than the reply needs. */
static bool make_room(struct rl_wire_assembly *assembly, const struct rl_wire_packet *packet)
{
    size_t needed = (size_t)assembly->received + packet->length;
    if (needed <= assembly->capacity) return true;
    size_t capacity = assembly->capacity ? assembly->capacity * 2 : FIRST_CAPACITY;
    if (capacity < needed) capacity = needed;
    if (capacity > packet->total) capacity = packet->total;
    uint8_t *bytes = realloc(assembly->bytes, capacity);
    if (!bytes) return false;
    assembly->bytes = bytes;
    assembly->capacity = capacity;
    return true;
}

enum rl_wire_progress rl_wire_add(struct rl_wire_assembly *assembly,
                                  const struct rl_wire_packet *packet, bool is_wanted)
{
    if (packet->kind != RL_WIRE_REPLY || !belongs_here(assembly, packet)) return RL_WIRE_BROKEN;
    if (!assembly->is_under_way) {
        assembly->is_under_way = true;
        assembly->is_wanted = is_wanted;
        assembly->first = *packet;
        assembly->first.payload = NULL;
    }
    if (assembly->is_wanted && packet->length > 0) {
        if (!make_room(assembly, packet)) return RL_WIRE_BROKEN;
        memcpy(assembly->bytes + assembly->received, packet->payload, packet->length);
    }
    assembly->received += packet->length;
    return assembly->received == packet->total ? RL_WIRE_COMPLETE : RL_WIRE_MORE;
}

uint8_t *rl_wire_take(struct rl_wire_assembly *assembly)
{
    uint8_t *bytes = assembly->bytes;
    memset(assembly, 0, sizeof *assembly);
    return bytes;
}

void rl_wire_stop_wanting(struct rl_wire_assembly *assembly)
{
    free(assembly->bytes);
    assembly->bytes = NULL;
    assembly->capacity = 0;
    assembly->is_wanted = false;
}
