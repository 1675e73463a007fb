/*
 * Messages that may not fit into one packet: sending them, and assembling them.
 *
 * A large message goes in parts. These cost only the copies in and out of the socket, but need a
 * receiver that reads meanwhile. If the receiver does not, or there is no time to find out, a
 * request is sent as a whole, in a memory file. If the system has no memory files, only parts
 * remain. A reply always goes in parts.
 *
 * Nothing here blocks, locks or calls clients.
 */

#ifndef RL_MESSAGE_TRANSFER_H
#define RL_MESSAGE_TRANSFER_H

#include "messages/message_channel.h"

#include <CRunLoop/RLData.h>

/*
 * Enlarges the socket's buffer for some parts, as far as the system allows. Returns its size in
 * bytes.
 */
int rl_transfer_widen(int fd);

/* --- Sending --------------------------------------------------------------------------------- */

/* Sets a packet to the part at its offset; for a small message, that is all of it. */
void rl_transfer_cut(struct rl_wire_packet *packet, const uint8_t *bytes);

/* A request that is being sent. */
struct rl_outgoing {
    /* The whole message, with the offset of its next part; or its only packet. */
    struct rl_wire_packet packet;
    const uint8_t *bytes;
    /* The memory file, if there is one, and then the client's descriptors. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    /* -1 if the message is one packet or goes in parts. */
    int memory_file;
    bool goes_in_parts;
    /* The system has refused a memory file. */
    bool needs_parts;
    /* The number of parts that fit into the socket, as far as known. */
    int space;
    /* The deadline for waiting for buffer space, if there is none. */
    int64_t moment_ns;
};

/* Returns whether a message is too large for a packet, and is no memory file yet. */
static inline bool rl_transfer_is_large(const struct rl_outgoing *message)
{
    return message->packet.total > RL_WIRE_PAYLOAD_SIZE && message->memory_file < 0;
}

/* Begins a message on a connection, from its first byte. */
void rl_transfer_begin(struct rl_outgoing *message, uint64_t serial, bool goes_in_parts);

/*
 * Sends as much as fits the socket's buffer. RL_CHANNEL_DONE: all of the message.
 * RL_CHANNEL_AGAIN: the caller waits for space, until `moment_ns` at most, and calls again; a
 * message in parts with a stalled receiver becomes a memory file then. RL_CHANNEL_FAILED with
 * `needs_parts`: the message has to begin anew, in parts.
 */
enum rl_channel_result rl_transfer_send(struct rl_outgoing *message, int fd, int buffer_size,
                                        int64_t deadline_ns);

/* Closes the memory file, if there is one. The receiver has its own descriptor. */
void rl_transfer_end(struct rl_outgoing *message);

/* Makes a sealed memory file with these bytes. Returns its descriptor or a negative errno value. */
int rl_transfer_share(const void *bytes, size_t length);

/* --- Receiving ------------------------------------------------------------------------------- */

/* A partly received message. All zero between such messages. */
struct rl_incoming {
    /* A buffer for the whole message and another packet; null if the message is not wanted. */
    uint8_t *bytes;
    uint32_t received;
    struct rl_wire_packet first;
    bool is_under_way;
};

enum rl_transfer_progress {
    RL_TRANSFER_MORE,
    RL_TRANSFER_COMPLETE,
    /* The packet is out of order, or there is no memory. */
    RL_TRANSFER_BROKEN
};

/*
 * Returns the address for the next packet's payload: its final address if it is the next part, else
 * `spare`, which is allocated if it is null. Both have space for any payload. Null if there is no
 * memory.
 */
uint8_t *rl_transfer_buffer(const struct rl_incoming *incoming, uint8_t **spare);

/*
 * Takes a packet with its payload at the address that rl_transfer_buffer returned. `is_wanted`
 * applies to packets that begin a message. Returns the data of a complete message, which the caller
 * owns; null if it is not wanted. Leaves the client's descriptors to the caller, or all descriptors
 * if the packet is out of order.
 */
enum rl_transfer_progress rl_transfer_take(struct rl_incoming *incoming, uint8_t **spare,
                                           struct rl_channel_packet *received, bool is_wanted,
                                           RLDataRef *ret_data);

/* Frees the bytes of a message that is no longer wanted; its other parts may still come. */
void rl_transfer_stop_wanting(struct rl_incoming *incoming);

/* Discards a partly received message. */
void rl_transfer_give_up(struct rl_incoming *incoming);

/*
 * Maps a peer's memory file, which the caller unmaps; null if the file is not as announced. The
 * bytes are mapped privately and not copied, so that a large file causes no delay.
 */
void *rl_transfer_map(int fd, size_t length);

#endif
