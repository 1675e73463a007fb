#ifndef RL_MACH_MESSAGE_H
#define RL_MACH_MESSAGE_H

#include <CRunLoop/RLMachPort.h>

enum rl_mach_received {
    RL_MACH_MESSAGE,
    RL_MACH_NOTHING,
    /* Memory is short, or a sandbox forbids receiving. A retry may succeed. */
    RL_MACH_REFUSED,
    RL_MACH_BROKEN,
    /* The other end is closed, and no message is queued. */
    RL_MACH_ENDED
};

struct rl_mach_message {
    RLMachMessageHeader *header;
    /* The size of the mapping if the message is in a memory file; 0 if the message is allocated. */
    size_t mapped_size;
};

/* Does not block. The caller frees `ret_message`, whose header is null if there is no message. */
enum rl_mach_received rl_mach_message_receive(int fd, struct rl_mach_message *ret_message);

/* Frees a message, and closes its reply port unless the client has taken the port over. */
void rl_mach_message_free(const struct rl_mach_message *message);

/* In a forked child, replaces a receiving end by a file that is never ready. Async-signal-safe. */
void rl_mach_message_deafen(int fd);

#endif
