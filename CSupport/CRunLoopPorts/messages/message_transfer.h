/*
 * Messages that may not fit into one packet: how they are sent, and how they are put together.
 *
 * A large message goes in parts. These cost no more than to copy their bytes in and out of the
 * socket, but need a receiver that reads meanwhile. If there is none, or no time to find that out,
 * a request goes as a whole, in a memory file. Where the system gives none, parts are all there is.
 * A reply always goes in parts.
 *
 * Nothing here waits, locks or calls clients.
 */

#ifndef RL_MESSAGE_TRANSFER_H
#define RL_MESSAGE_TRANSFER_H

#include "messages/message_channel.h"

#include <CRunLoop/RLData.h>

/* Makes room to send some parts, as far as the system allows. Returns how many bytes. */
int rl_transfer_widen(int fd);

/* --- Sending --------------------------------------------------------------------------------- */

/* Makes a packet the part that begins at its offset; of a small message, that is all of it. */
void rl_transfer_cut(struct rl_wire_packet *packet, const uint8_t *bytes);

/* A request on its way. */
struct rl_outgoing {
    /* The message as a whole, with the offset of its next part; or the packet that is all of it. */
    struct rl_wire_packet packet;
    const uint8_t *bytes;
    /* The memory file, once there is one, and then the client's. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    /* -1 if the message is one packet or goes in parts. */
    int memory_file;
    bool goes_in_parts;
    /* The system has refused a memory file. */
    bool needs_parts;
    /* The number of parts that the socket has room for, as far as is known. */
    int room;
    /* Until when it is worth waiting for room, if there is none. */
    int64_t moment_ns;
};

/* Returns whether a message is too large for a packet and no memory file yet. */
static inline bool rl_transfer_is_large(const struct rl_outgoing *message)
{
    return message->packet.total > RL_WIRE_PAYLOAD_SIZE && message->memory_file < 0;
}

/* Begins to send a message over a connection, from its first byte. */
void rl_transfer_begin(struct rl_outgoing *message, uint64_t serial, bool goes_in_parts);

/*
 * Sends as much as fits the socket's buffer. RL_CHANNEL_DONE: all of the message.
 * RL_CHANNEL_AGAIN: the caller waits for space, until `moment_ns` at most, and calls again; a
 * message in parts with a stalled receiver becomes a memory file then. RL_CHANNEL_FAILED with
 * `needs_parts`: the message has to begin anew, in parts.
 */
enum rl_channel_result rl_transfer_send(struct rl_outgoing *message, int fd, int buffer_size,
                                        int64_t deadline_ns);

/* Closes the memory file, which the receiver has by now, if there is one. */
void rl_transfer_end(struct rl_outgoing *message);

/*
 * Makes a memory file with these bytes, which cannot be changed any more. Returns its descriptor or
 * a negative errno value.
 */
int rl_transfer_share(const void *bytes, size_t length);

/* --- Receiving ------------------------------------------------------------------------------- */

/* A message of several parts that is coming in. All zero between such messages. */
struct rl_incoming {
    /* Room for all of it and for another packet; null if the message is not wanted. */
    uint8_t *bytes;
    uint32_t received;
    struct rl_wire_packet first;
    bool is_under_way;
};

enum rl_transfer_progress {
    RL_TRANSFER_MORE,
    RL_TRANSFER_COMPLETE,
    /* The packet does not belong here, or there is no memory. */
    RL_TRANSFER_BROKEN
};

/*
 * Returns where to put the payload of the next packet: where it belongs if it is the next part,
 * else `spare`, which is made if it is null. Both have room for any payload. Null if there is no
 * memory.
 */
uint8_t *rl_transfer_room(const struct rl_incoming *incoming, uint8_t **spare);

/*
 * Takes a packet with its payload at the address that rl_transfer_room returned. `is_wanted` counts
 * for packets that begin a message. Gives the data of a complete message, which the caller owns;
 * null if it is not wanted. Leaves the client's descriptors to the caller, and all of them if the
 * packet does not belong here.
 */
enum rl_transfer_progress rl_transfer_take(struct rl_incoming *incoming, uint8_t **spare,
                                           struct rl_channel_packet *received, bool is_wanted,
                                           RLDataRef *ret_data);

/* Gives up the bytes of a message that is no longer wanted; its other parts may still come. */
void rl_transfer_stop_wanting(struct rl_incoming *incoming);

/* Gives up the message that is under way, if any. */
void rl_transfer_give_up(struct rl_incoming *incoming);

/*
 * Returns the bytes of a peer's memory file, for the caller to unmap; null if it is not as
 * promised. The bytes are mapped and not copied, so that the largest file delays no one. What the
 * caller writes there is its own.
 */
void *rl_transfer_map(int fd, size_t length);

#endif
