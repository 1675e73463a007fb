/*
 * Packets of message ports: checked when they come in, so that nobody else has to.
 */

#include "base/system.h"

#include "messages/message_wire.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* "RLM" and the version of the format. */
#define MAGIC UINT32_C(0x024D4C52)

enum {
    /* The kernel gives large pages for what has at least so many bytes: that saves faults. */
    LARGE = 4 * 1024 * 1024,
    PAGE = 4096,
    /* What has fewer bytes is copied out of the spare room, which then serves again. */
    WORTH_THE_ROOM = 16 * 1024
};

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

/* Parts follow one another without gaps, and none but the only one is empty. */
static bool is_part(const struct rl_wire_packet *packet)
{
    if (packet->offset > packet->total || packet->length > packet->total - packet->offset) {
        return false;
    }
    return packet->length > 0 || packet->total == 0;
}

static bool is_last_part(const struct rl_wire_packet *packet)
{
    return packet->offset + packet->length == packet->total;
}

static bool is_request(const struct rl_wire_packet *packet)
{
    if (packet->flags & ~(RL_WIRE_WANTS_REPLY | RL_WIRE_IS_SHARED)) return false;
    if (packet->flags & RL_WIRE_IS_SHARED) {
        return packet->offset == 0 && packet->length == 0 && packet->total > RL_WIRE_PAYLOAD_SIZE;
    }
    return is_part(packet) && (packet->descriptors == 0 || is_last_part(packet));
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
    case RL_WIRE_GIVE_WAY:
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

uint8_t *rl_wire_room(const struct rl_wire_assembly *assembly, uint8_t **spare)
{
    if (assembly->bytes) return assembly->bytes + assembly->received;
    if (!*spare) *spare = rl_allocate_many_bytes(RL_WIRE_PAYLOAD_SIZE);
    return *spare;
}

/* Memory takes no place before it is written to: a peer that announces much has not cost much. */
static uint8_t *make_room_for_all(const struct rl_wire_packet *first)
{
    uint8_t *bytes = rl_allocate_many_bytes((size_t)first->total + RL_WIRE_PAYLOAD_SIZE);
#ifdef MADV_HUGEPAGE
    if (bytes && first->total >= LARGE) {
        uintptr_t begin = ((uintptr_t)bytes + PAGE - 1) / PAGE * PAGE;
        (void)madvise((void *)begin, first->total, MADV_HUGEPAGE);
    }
#endif
    if (bytes) memcpy(bytes, first->payload, first->length);
    return bytes;
}

static enum rl_wire_progress begin_assembly(struct rl_wire_assembly *assembly,
                                            const struct rl_wire_packet *packet, bool is_wanted)
{
    struct rl_wire_assembly begun = {
        .received = packet->length, .first = *packet, .is_under_way = true};
    begun.first.payload = NULL;
    if (is_wanted) begun.bytes = make_room_for_all(packet);
    /* The payload may be in the room of the one that is given up. */
    rl_wire_give_up(assembly);
    *assembly = begun;
    return is_wanted && !begun.bytes ? RL_WIRE_BROKEN : RL_WIRE_MORE;
}

static uint8_t *give_back_rest(uint8_t *bytes, size_t size)
{
    uint8_t *smaller = bytes ? realloc(bytes, size) : NULL;
    return smaller ? smaller : bytes;
}

/* The bytes of a message of one packet: the spare room itself if they fill enough of it. */
static enum rl_wire_progress take_whole(const struct rl_wire_packet *packet, uint8_t **spare,
                                        uint8_t **ret_bytes)
{
    if (packet->total == 0) return RL_WIRE_COMPLETE;
    if (packet->payload == *spare && packet->total >= WORTH_THE_ROOM) {
        *ret_bytes = give_back_rest(*spare, packet->total);
        *spare = NULL;
        return RL_WIRE_COMPLETE;
    }
    *ret_bytes = malloc(packet->total);
    if (!*ret_bytes) return RL_WIRE_BROKEN;
    memcpy(*ret_bytes, packet->payload, packet->total);
    return RL_WIRE_COMPLETE;
}

static bool is_next(const struct rl_wire_assembly *assembly, const struct rl_wire_packet *packet)
{
    const struct rl_wire_packet *first = &assembly->first;
    return assembly->is_under_way && packet->kind == first->kind &&
           packet->serial == first->serial && packet->total == first->total &&
           packet->flags == first->flags && packet->message_id == first->message_id &&
           packet->offset == assembly->received;
}

enum rl_wire_progress rl_wire_add(struct rl_wire_assembly *assembly, uint8_t **spare,
                                  const struct rl_wire_packet *packet, bool is_wanted,
                                  uint8_t **ret_bytes)
{
    *ret_bytes = NULL;
    if (rl_wire_begins(packet)) {
        if (!is_last_part(packet)) return begin_assembly(assembly, packet, is_wanted);
        return is_wanted ? take_whole(packet, spare, ret_bytes) : RL_WIRE_COMPLETE;
    }
    if (!is_next(assembly, packet)) return RL_WIRE_BROKEN;
    assembly->received += packet->length;
    if (!is_last_part(packet)) return RL_WIRE_MORE;
    /*
     * With the rest of the room: the C library learns from what is freed how much to keep, and maps
     * more than that anew each time, which costs more than the rest.
     */
    *ret_bytes = assembly->bytes;
    *assembly = (struct rl_wire_assembly){0};
    return RL_WIRE_COMPLETE;
}

void rl_wire_stop_wanting(struct rl_wire_assembly *assembly)
{
    free(assembly->bytes);
    assembly->bytes = NULL;
}

void rl_wire_give_up(struct rl_wire_assembly *assembly)
{
    free(assembly->bytes);
    *assembly = (struct rl_wire_assembly){0};
}
