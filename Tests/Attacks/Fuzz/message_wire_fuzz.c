/*
 * Feeds bytes to the packets of message ports as a hostile peer would, and checks the invariants.
 *
 * The input is a list of records: three bytes of length, one byte with the number of descriptors,
 * and the record itself, which ends with the input at the latest. A record of length 0xFFFFFF means
 * that the receiver stops waiting.
 */

#include "messages/message_transfer.h"

#include <CHarness.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { RECORD_HEAD = 4, STOPS_WAITING = 0xFFFFFF };

/* Encoding a packet and decoding it returns the packet. */
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

/* The next part is no longer than announced. */
static void check_incoming(const struct rl_incoming *incoming)
{
    if (incoming->is_under_way) {
        CHECK(incoming->received > 0 && incoming->received < incoming->first.total);
    } else {
        CHECK(!incoming->bytes && incoming->received == 0);
    }
}

/* As a port takes requests or replies; false once the connection would be closed. */
static bool take(struct rl_incoming *incoming, uint8_t **spare, const struct rl_wire_packet *packet)
{
    RLDataRef data;
    struct rl_channel_packet received = {.packet = *packet};
    bool is_wanted = packet->serial % 4 != 3;
    bool was_wanted = packet->offset == 0 ? is_wanted : incoming->bytes != NULL;
    enum rl_transfer_progress progress =
        rl_transfer_take(incoming, spare, &received, is_wanted, &data);
    check_incoming(incoming);
    if (progress != RL_TRANSFER_COMPLETE) CHECK(!data);
    if (progress != RL_TRANSFER_COMPLETE) return progress == RL_TRANSFER_MORE;

    uint32_t length = packet->total;
    CHECK(was_wanted ? data && RLDataGetLength(data) == (RLIndex)length : !data);
    /* The sanitizer sees whether they are all there. */
    unsigned sum = 0;
    const UInt8 *bytes = data ? RLDataGetBytePtr(data) : NULL;
    for (uint32_t i = 0; data && i < length; i++) sum += bytes[i];
    CHECK(sum <= 255u * length);
    if (data) RLRelease(data);
    return true;
}

/* Queues a record as the kernel would; false if a port does not accept such a record. */
static bool receive(struct rl_incoming *incoming, uint8_t **spare, const uint8_t *record,
                    size_t length, size_t descriptors)
{
    uint8_t *buffer = rl_transfer_buffer(incoming, spare);
    struct rl_wire_packet packet;
    if (length < RL_WIRE_HEADER_SIZE) return false;
    size_t payload = length - RL_WIRE_HEADER_SIZE;
    memcpy(buffer, record + RL_WIRE_HEADER_SIZE,
           payload < RL_WIRE_PAYLOAD_SIZE ? payload : RL_WIRE_PAYLOAD_SIZE);
    if (!rl_wire_decode(record, buffer, payload, descriptors, &packet)) return false;
    check_packet(record, payload, &packet);
    bool has_bytes = packet.kind == RL_WIRE_REQUEST || packet.kind == RL_WIRE_REPLY;
    if (!has_bytes || packet.flags & RL_WIRE_IS_SHARED) return true;
    return take(incoming, spare, &packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct rl_incoming incoming = {0};
    uint8_t *spare = NULL;
    bool is_open = true;
    while (is_open && size >= RECORD_HEAD) {
        size_t length = (size_t)input[0] | (size_t)input[1] << 8 | (size_t)input[2] << 16;
        size_t descriptors = input[3];
        input += RECORD_HEAD;
        size -= RECORD_HEAD;
        if (length == STOPS_WAITING) {
            rl_transfer_stop_wanting(&incoming);
            continue;
        }
        if (length > size) length = size;
        /* A copy of its own, beyond whose end the sanitizer sees. */
        uint8_t *record = malloc(length > 0 ? length : 1);
        memcpy(record, input, length);
        is_open = receive(&incoming, &spare, record, length, descriptors);
        free(record);
        input += length;
        size -= length;
    }
    rl_transfer_give_up(&incoming);
    free(spare);
    return 0;
}
