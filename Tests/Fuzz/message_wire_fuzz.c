/*
 * Feeds bytes to the packets of message ports as a hostile peer would, and checks what has to hold
 * whatever they are.
 *
 * The input is a list of records: three bytes of length, one of how many descriptors came, and the
 * record itself, which ends with the input at the latest. A record of length 0xFFFFFF stands for
 * somebody who stops waiting.
 */

#include "messages/message_wire.h"

#include <CHarness.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { RECORD_HEAD = 4, STOPS_WAITING = 0xFFFFFF };

/* What a packet says is what it was. */
static void check_packet(const uint8_t *header, size_t length, const struct rl_wire_packet *packet)
{
    uint8_t encoded[RL_WIRE_HEADER_SIZE];
    rl_wire_encode(packet, encoded);
    CHECK(memcmp(encoded, header, sizeof encoded) == 0);
    CHECK(packet->length == length && length <= RL_WIRE_PAYLOAD_SIZE);
    CHECK(packet->total <= RL_WIRE_LARGEST_MESSAGE);
    CHECK(packet->length <= packet->total && packet->offset <= packet->total - packet->length);
    CHECK(rl_wire_descriptors(packet) <= RL_WIRE_MOST_DESCRIPTORS + 1);
}

/* What comes next is no more than what was announced. */
static void check_assembly(const struct rl_wire_assembly *assembly)
{
    if (assembly->is_under_way) {
        CHECK(assembly->received > 0 && assembly->received < assembly->first.total);
    } else {
        CHECK(!assembly->bytes && assembly->received == 0);
    }
}

/* As a port takes requests or replies; false once the connection would be closed. */
static bool take(struct rl_wire_assembly *assembly, uint8_t **spare,
                 const struct rl_wire_packet *packet)
{
    uint8_t *bytes;
    bool is_wanted = rl_wire_begins(packet) && packet->serial % 4 != 3;
    bool was_wanted = rl_wire_begins(packet) ? is_wanted : assembly->bytes != NULL;
    enum rl_wire_progress progress = rl_wire_add(assembly, spare, packet, is_wanted, &bytes);
    check_assembly(assembly);
    if (progress != RL_WIRE_COMPLETE) CHECK(!bytes);
    if (progress != RL_WIRE_COMPLETE) return progress == RL_WIRE_MORE;

    uint32_t length = packet->total;
    CHECK(was_wanted && length > 0 ? bytes != NULL : bytes == NULL);
    /* The sanitizer sees whether they are all there. */
    unsigned sum = 0;
    for (uint32_t i = 0; bytes && i < length; i++) sum += bytes[i];
    CHECK(sum <= 255u * length);
    free(bytes);
    return true;
}

/* Puts a record where the kernel would; false if it is none that a port takes. */
static bool receive(struct rl_wire_assembly *assembly, uint8_t **spare, const uint8_t *record,
                    size_t length, size_t descriptors)
{
    uint8_t *room = rl_wire_room(assembly, spare);
    struct rl_wire_packet packet;
    if (length < RL_WIRE_HEADER_SIZE) return false;
    size_t payload = length - RL_WIRE_HEADER_SIZE;
    memcpy(room, record + RL_WIRE_HEADER_SIZE,
           payload < RL_WIRE_PAYLOAD_SIZE ? payload : RL_WIRE_PAYLOAD_SIZE);
    if (!rl_wire_decode(record, room, payload, descriptors, &packet)) return false;
    check_packet(record, payload, &packet);
    bool has_bytes = packet.kind == RL_WIRE_REQUEST || packet.kind == RL_WIRE_REPLY;
    if (!has_bytes || packet.flags & RL_WIRE_IS_SHARED) return true;
    return take(assembly, spare, &packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct rl_wire_assembly assembly = {0};
    uint8_t *spare = NULL;
    bool is_open = true;
    while (is_open && size >= RECORD_HEAD) {
        size_t length = (size_t)input[0] | (size_t)input[1] << 8 | (size_t)input[2] << 16;
        size_t descriptors = input[3];
        input += RECORD_HEAD;
        size -= RECORD_HEAD;
        if (length == STOPS_WAITING) {
            rl_wire_stop_wanting(&assembly);
            continue;
        }
        if (length > size) length = size;
        /* A copy of its own, beyond whose end the sanitizer sees. */
        uint8_t *record = malloc(length > 0 ? length : 1);
        memcpy(record, input, length);
        is_open = receive(&assembly, &spare, record, length, descriptors);
        free(record);
        input += length;
        size -= length;
    }
    rl_wire_give_up(&assembly);
    free(spare);
    return 0;
}
