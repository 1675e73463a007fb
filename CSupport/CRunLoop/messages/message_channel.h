/*
 * Packets over a SOCK_SEQPACKET socket, without ever waiting; and data in memory files.
 */

#ifndef RL_MESSAGE_CHANNEL_H
#define RL_MESSAGE_CHANNEL_H

#include "messages/message_wire.h"

#include <sys/types.h>

/* The client's descriptors and a memory file. */
enum { RL_CHANNEL_MOST_DESCRIPTORS = RL_WIRE_MOST_DESCRIPTORS + 1 };

enum rl_channel_result {
    RL_CHANNEL_DONE,
    /* Not now. */
    RL_CHANNEL_AGAIN,
    /* The other side is gone. */
    RL_CHANNEL_CLOSED,
    /* The system refuses to say what has come; it may say so later. */
    RL_CHANNEL_REFUSED,
    /* What came is no packet, or what goes cannot be sent; the channel may be all right. */
    RL_CHANNEL_FAILED
};

/* A packet that came in; its payload is in the caller's room. */
struct rl_channel_packet {
    struct rl_wire_packet packet;
    /* The caller's to close. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    unsigned descriptor_count;
};

/*
 * A packet is sent and received as a whole or not at all. There is room for the largest payload;
 * without room, nothing is received.
 */
enum rl_channel_result rl_channel_receive(int fd, uint8_t *room,
                                          struct rl_channel_packet *ret_packet);
enum rl_channel_result rl_channel_send(int fd, const struct rl_wire_packet *packet,
                                       const int *descriptors);

/*
 * Gives what is sent a buffer for some parts of messages, as far as the system allows. Returns its
 * size.
 */
int rl_channel_widen(int fd);

/*
 * Returns how many parts of messages can be sent at this moment so that there is room for one
 * packet more; a negative number if that cannot be told.
 */
int rl_channel_room_for_parts(int fd, int buffer_size);

/*
 * Makes a memory file with these bytes, which cannot be changed any more. Returns its descriptor or
 * a negative errno value.
 */
int rl_channel_share(const void *bytes, size_t length);

/*
 * Returns the bytes of a peer's memory file, for the caller to unmap; null if it is not as
 * promised. They are mapped and not copied, so that the largest ones hold nobody. What the caller
 * writes is its own.
 */
void *rl_channel_map_shared(int fd, size_t length);

/* Closes descriptors that came from a peer, so that none of them makes the caller wait. */
void rl_channel_close(const int *descriptors, unsigned count);

/* Ends what the peer can send to us. What it has sent can still be received. */
void rl_channel_stop_receiving(int fd);

/*
 * Returns whether the process at the other end is of our user; if so, its number: 0 in another
 * namespace.
 */
bool rl_channel_is_ours(int fd, pid_t *ret_process);

/*
 * Returns a number for the process at the other end, whatever its namespace; 0 if the kernel cannot
 * tell it from others of other namespaces.
 */
uint64_t rl_channel_peer(int fd, pid_t process);

#endif
