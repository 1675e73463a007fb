/* Packets over a SOCK_SEQPACKET socket. No function blocks. */

#ifndef RL_MESSAGE_CHANNEL_H
#define RL_MESSAGE_CHANNEL_H

#include "messages/message_wire.h"

#include <CRunLoop/RLDate.h>

#include <sys/types.h>

/* The maximum number of the client's descriptors, plus one for a memory file. */
enum { RL_CHANNEL_MOST_DESCRIPTORS = RL_WIRE_MOST_DESCRIPTORS + 1 };

enum rl_channel_result {
    RL_CHANNEL_DONE,
    RL_CHANNEL_AGAIN,
    RL_CHANNEL_CLOSED,
    /* The system did not deliver a packet; a retry may succeed. */
    RL_CHANNEL_REFUSED,
    /* A received packet is invalid, or a packet cannot be sent. The channel may still work. */
    RL_CHANNEL_FAILED
};

/* A packet, whose payload is in the caller's buffer. */
struct rl_channel_packet {
    struct rl_wire_packet packet;
    /* The caller closes the descriptors. */
    int descriptors[RL_CHANNEL_MOST_DESCRIPTORS];
    unsigned descriptor_count;
};

/*
 * A packet is sent and received as a whole or not at all. `buffer` has space for the largest
 * payload; if `buffer` is null, nothing is received.
 */
enum rl_channel_result rl_channel_receive(int fd, uint8_t *buffer,
                                          struct rl_channel_packet *ret_packet);
enum rl_channel_result rl_channel_send(int fd, const struct rl_wire_packet *packet,
                                       const int *descriptors);

/* Converts a time-out to a monotonic time. Ten days or more, or NaN, stands for no limit. */
int64_t rl_channel_deadline(RLTimeInterval seconds);

/* Closes descriptors that a peer has sent, without blocking. */
void rl_channel_close(const int *descriptors, unsigned count);

/* Prevents the peer from sending; queued packets can still be received. */
void rl_channel_stop_receiving(int fd);

/* Returns whether the peer has the same user. `ret_process` is 0 for another PID namespace. */
bool rl_channel_is_ours(int fd, pid_t *ret_process);

/*
 * Identifies the peer's process across PID namespaces. Returns 0 if the kernel cannot identify the
 * process.
 */
uint64_t rl_channel_peer(int fd, pid_t process);

#endif
