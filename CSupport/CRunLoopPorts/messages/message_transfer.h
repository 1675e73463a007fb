/*
 * Sends and receives messages, which may not fit into one packet.
 *
 * A large message is sent in parts. Parts cost only the copies into and out of the socket, but need
 * a receiver that reads while the sender sends. If the receiver does not read, or the send timeout
 * is zero, a request is sent as a whole, in a memory file. If the system has no memory files, the
 * request is sent in parts. A reply is always sent in parts.
 *
 * The functions do not block, take no lock, and call no client.
 */

#ifndef RL_MESSAGE_TRANSFER_H
#define RL_MESSAGE_TRANSFER_H

#include "messages/message_channel.h"

#include <CRunLoop/RLData.h>

/* Enlarges the send buffer as far as the system allows. Returns the size of the buffer in bytes. */
int rl_transfer_widen(int fd);

/* --- Sending --------------------------------------------------------------------------------- */

/* Sets length and payload to the part at the packet's offset, or to the rest of the message. */
void rl_transfer_cut(struct rl_wire_packet *packet, const uint8_t *bytes);

struct rl_outgoing {
    /* The header of the message, with the offset of the next part. */
    struct rl_wire_packet packet;
    const uint8_t *bytes;
    /* The memory file, if the message has one, followed by the client's descriptors. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    /* The memory file, or -1 if the message fits into one packet or is sent in parts. */
    int memory_file;
    bool goes_in_parts;
    /* True if the system could not create a memory file. */
    bool needs_parts;
    /* The number of parts that are known to fit into the socket. */
    int space;
    /* After RL_CHANNEL_AGAIN, the moment until which to wait for buffer space. */
    int64_t moment_ns;
};

/* Returns whether the message is too large for a packet and is not in a memory file. */
static inline bool rl_transfer_is_large(const struct rl_outgoing *message)
{
    return message->packet.total > RL_WIRE_PAYLOAD_SIZE && message->memory_file < 0;
}

void rl_transfer_begin(struct rl_outgoing *message, uint64_t serial, bool goes_in_parts);

/*
 * Sends as much as fits into the socket's buffer. RL_CHANNEL_DONE: the whole message was sent.
 * RL_CHANNEL_AGAIN: wait for space, until `moment_ns` at the latest, and call again. If the
 * receiver of parts has stalled by then, the message is sent in a memory file. RL_CHANNEL_FAILED
 * with `needs_parts`: start the message again, in parts.
 */
enum rl_channel_result rl_transfer_send(struct rl_outgoing *message, int fd, int buffer_size,
                                        int64_t deadline_ns);

/* Closes the memory file, if there is one. The receiver has its own descriptor of the file. */
void rl_transfer_end(struct rl_outgoing *message);

/* Returns the descriptor of a sealed memory file, or a negative errno value. */
int rl_transfer_share(const void *bytes, size_t length);

/* --- Receiving ------------------------------------------------------------------------------- */

/* All fields are zero if no message is partially received. */
struct rl_incoming {
    /* The message's bytes, with space for one more packet; null if it is not wanted. */
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
 * Returns the address for the next payload: the final address if the packet continues the message,
 * otherwise `spare`, which is allocated if it is null. Both have space for any payload. Returns
 * null if memory is short.
 */
uint8_t *rl_transfer_buffer(const struct rl_incoming *incoming, uint8_t **spare);

/*
 * The payload is at the address that rl_transfer_buffer returned. `is_wanted` applies to packets
 * that begin a message. After the last packet, sets `ret_data` to the message, which the caller
 * owns, or to null if the message is not wanted. The caller keeps the client's descriptors, or all
 * descriptors if the packet is out of order.
 */
enum rl_transfer_progress rl_transfer_take(struct rl_incoming *incoming, uint8_t **spare,
                                           struct rl_channel_packet *received, bool is_wanted,
                                           RLDataRef *ret_data);

/* Frees the bytes. The remaining parts of the message may still arrive. */
void rl_transfer_stop_wanting(struct rl_incoming *incoming);

void rl_transfer_give_up(struct rl_incoming *incoming);

/* Maps a memory file privately; the caller unmaps it. Returns null if the file does not match. */
void *rl_transfer_map(int fd, size_t length);

#endif
