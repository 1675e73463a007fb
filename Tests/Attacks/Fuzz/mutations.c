/*
 * The fuzz target without a fuzzer: valid conversations, and a number of changes of them, always
 * the same for a seed.
 *
 * usage: mutations COUNT [SEED]
 */

#include "messages/message_wire.h"

#include <CHarness.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { LARGEST_INPUT = 800 * 1024 };

struct input {
    uint8_t bytes[LARGEST_INPUT];
    size_t size;
};

static struct random numbers;

static unsigned below(size_t limit)
{
    return random_below(&numbers, (unsigned)limit);
}

static void add_packet(struct input *input, const struct rl_wire_packet *packet)
{
    size_t length = RL_WIRE_HEADER_SIZE + packet->length;
    if (input->size + 4 + length > LARGEST_INPUT) return;
    uint8_t *at = input->bytes + input->size;
    at[0] = (uint8_t)length;
    at[1] = (uint8_t)(length >> 8);
    at[2] = (uint8_t)(length >> 16);
    at[3] = (uint8_t)rl_wire_descriptors(packet);
    rl_wire_encode(packet, at + 4);
    memset(at + 4 + RL_WIRE_HEADER_SIZE, (int)below(256), packet->length);
    input->size += 4 + length;
}

static void add_shared_request(struct input *input)
{
    struct rl_wire_packet packet = {
        .kind = RL_WIRE_REQUEST,
        .flags = (uint8_t)(below(2) | RL_WIRE_IS_SHARED),
        .descriptors = (uint16_t)below(RL_WIRE_MOST_DESCRIPTORS + 1),
        .message_id = (int32_t)random_next(&numbers),
        .total = RL_WIRE_PAYLOAD_SIZE + 1 + (uint32_t)below(1000),
        .serial = random_next(&numbers),
    };
    add_packet(input, &packet);
}

/* A whole message in packets, large or small, with one of another now and then in between. */
static void add_parts(struct input *input, struct rl_wire_packet packet)
{
    uint32_t step = below(8) == 0 ? RL_WIRE_PAYLOAD_SIZE : 1 + (uint32_t)below(300);
    uint16_t descriptors = packet.descriptors;
    if (!(packet.flags & RL_WIRE_HAS_FAILED)) packet.total = (uint32_t)below(8 * (uint64_t)step);
    do {
        uint32_t left = packet.total - packet.offset;
        packet.length = left < step ? left : step;
        packet.descriptors = left <= step ? descriptors : 0;
        add_packet(input, &packet);
        packet.offset += packet.length;
        if (below(16) == 0) {
            uint32_t length = (uint32_t)below(200);
            struct rl_wire_packet other = {
                .kind = packet.kind, .total = length, .length = length, .serial = below(8)};
            add_packet(input, &other);
        }
    } while (packet.offset < packet.total);
}

static void add_request(struct input *input)
{
    struct rl_wire_packet packet = {
        .kind = RL_WIRE_REQUEST,
        .flags = (uint8_t)below(2),
        .descriptors = (uint16_t)below(RL_WIRE_MOST_DESCRIPTORS + 1),
        .message_id = (int32_t)random_next(&numbers),
        .serial = random_next(&numbers),
    };
    add_parts(input, packet);
}

static void add_reply(struct input *input)
{
    struct rl_wire_packet packet = {
        .kind = RL_WIRE_REPLY,
        .flags = below(16) == 0 ? RL_WIRE_HAS_FAILED : 0,
        .message_id = (int32_t)below(4),
        .serial = below(8),
    };
    add_parts(input, packet);
}

static void add_notice(struct input *input)
{
    struct rl_wire_packet packet = {.kind = below(2) == 0 ? RL_WIRE_YIELD : RL_WIRE_STAY};
    add_packet(input, &packet);
}

static void make_conversation(struct input *input)
{
    input->size = 0;
    for (uint64_t count = 1 + below(4); count > 0; count--) {
        if (below(8) == 0) {
            add_notice(input);
        } else if (below(8) == 0) {
            add_shared_request(input);
        } else if (below(2) == 0) {
            add_request(input);
        } else {
            add_reply(input);
        }
    }
}

/* Headers are where it hurts most. */
static size_t random_place(const struct input *input)
{
    return below(2) == 0 ? below(input->size) : below(input->size < 64 ? input->size : 64);
}

static void mutate(struct input *input)
{
    static const uint8_t edges[] = {0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF};
    size_t at = random_place(input);
    switch (below(6)) {
    case 0: input->bytes[at] ^= (uint8_t)(1u << below(8)); break;
    case 1: input->bytes[at] = edges[below(sizeof edges)]; break;
    case 2: input->bytes[at] = (uint8_t)random_next(&numbers); break;
    case 3: input->size = at + 1; break;
    case 4:
        memmove(input->bytes + at, input->bytes + at + 1, input->size - at - 1);
        if (input->size > 1) input->size--;
        break;
    default:
        if (input->size == LARGEST_INPUT) break;
        memmove(input->bytes + at + 1, input->bytes + at, input->size - at);
        input->size++;
    }
}

int main(int argument_count, char **arguments)
{
    static struct input input;
    unsigned long count = argument_count > 1 ? strtoul(arguments[1], NULL, 10) : 100000;
    unsigned long seed = argument_count > 2 ? strtoul(arguments[2], NULL, 10) : 1;

    numbers.state = seed;
    for (unsigned long i = 0; i < count; i++) {
        make_conversation(&input);
        /* Every eighth is valid. */
        if (i % 8 != 0) {
            for (uint64_t changes = 1 + below(4); changes > 0; changes--) mutate(&input);
        }
        LLVMFuzzerTestOneInput(input.bytes, input.size);
    }
    printf("%lu conversations with seed %lu\n", count, seed);
    return 0;
}
