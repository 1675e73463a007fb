/*
 * Feeds bytes to the packets of message ports as a hostile peer would, and checks what has to hold
 * whatever they are.
 *
 * The input is a list of records: two bytes of length, one of how many descriptors came, and the
 * record itself, which ends with the input at the latest. A record of length 0xFFFF stands for
 * somebody who stops waiting.
 */

#include "messages/message_wire.h"

#include <CHarness.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { RECORD_HEAD = 3, STOPS_WAITING = 0xFFFF };

/* What a packet says is what it was. */
static void check_packet(const uint8_t *record, size_t length, const struct rl_wire_packet *packet)
{
    uint8_t header[RL_WIRE_HEADER_SIZE];
    rl_wire_encode(packet, header);
    CHECK(memcmp(header, record, sizeof header) == 0);
    CHECK(packet->payload == record + RL_WIRE_HEADER_SIZE);
    CHECK(packet->length == length - RL_WIRE_HEADER_SIZE);
    CHECK(packet->total <= RL_WIRE_LARGEST_MESSAGE);
    CHECK(packet->length <= packet->total && packet->offset <= packet->total - packet->length);
    CHECK(rl_wire_descriptors(packet) <= RL_WIRE_MOST_DESCRIPTORS + 1);
}

/* What is held is no more than twice what has come, or a little. */
static void check_assembly(const struct rl_wire_assembly *assembly)
{
    CHECK(assembly->capacity <= 2 * (size_t)assembly->received + 64 * 1024);
    CHECK(assembly->is_wanted || (!assembly->bytes && assembly->capacity == 0));
    CHECK(!assembly->bytes || assembly->received <= assembly->capacity);
}

/* As a remote port takes replies; false once the connection would be closed. */
static bool take(struct rl_wire_assembly *assembly, const struct rl_wire_packet *packet)
{
    if (packet->kind != RL_WIRE_REPLY) return false;
    bool is_wanted = rl_wire_begins(assembly) && packet->serial % 4 != 3;
    enum rl_wire_progress progress = rl_wire_add(assembly, packet, is_wanted);
    if (progress == RL_WIRE_BROKEN) return false;
    check_assembly(assembly);
    if (progress == RL_WIRE_MORE) return true;

    CHECK(assembly->received == packet->total);
    bool was_wanted = assembly->is_wanted;
    uint32_t length = assembly->received;
    uint8_t *bytes = rl_wire_take(assembly);
    CHECK(was_wanted && length > 0 ? bytes != NULL : bytes == NULL);
    /* The sanitizer sees whether they are all there. */
    unsigned sum = 0;
    for (uint32_t i = 0; bytes && i < length; i++) sum += bytes[i];
    CHECK(sum <= 255u * length);
    free(bytes);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct rl_wire_assembly assembly = {0};
    bool is_open = true;
    while (is_open && size >= RECORD_HEAD) {
        size_t length = (size_t)input[0] | (size_t)input[1] << 8;
        size_t descriptors = input[2];
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
        struct rl_wire_packet packet;
        is_open = rl_wire_decode(record, length, descriptors, &packet);
        if (is_open) check_packet(record, length, &packet);
        if (is_open && packet.kind == RL_WIRE_REPLY) is_open = take(&assembly, &packet);
        free(record);
        input += length;
        size -= length;
    }
    rl_wire_stop_wanting(&assembly);
    return 0;
}
