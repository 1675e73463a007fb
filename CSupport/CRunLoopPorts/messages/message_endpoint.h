/* The sockets of message ports: listeners with names, and connections to them. */

#ifndef RL_MESSAGE_ENDPOINT_H
#define RL_MESSAGE_ENDPOINT_H

#include "messages/message_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A listener and its name. The descriptors are -1 if no name is claimed. */
struct rl_endpoint {
    int listener;
    int lock;
    uint64_t socket;
    /* The file name; empty if the endpoint has no name. */
    char file[RL_MESSAGE_FILE_SIZE];
};

/*
 * Listens under the name that rl_message_name_encode converted to `file`. Returns -EADDRINUSE if
 * the name is taken.
 */
int rl_endpoint_claim(struct rl_endpoint *endpoint, const char *file);

/*
 * Returns 0 if clients find the endpoint by its name. Returns -ESTALE if its files were deleted or
 * replaced, or another negative errno value if the directory cannot be opened.
 */
int rl_endpoint_check(const struct rl_endpoint *endpoint);

/* Claims another name; connections stay open. Returns the same values as rl_endpoint_claim. */
int rl_endpoint_rename(struct rl_endpoint *endpoint, const char *file);

/* Releases the name; the listener stays open. */
void rl_endpoint_give_up_name(struct rl_endpoint *endpoint);

/* Identifies a listener, even after another listener has taken its name. */
struct rl_endpoint_identity {
    uint64_t device;
    uint64_t inode;
    pid_t process;
};

/*
 * Connects to a process of the same user. Waits until the deadline if the backlog is full. Returns
 * a descriptor, or a negative errno value, which rl_endpoint_is_gone interprets.
 */
int rl_endpoint_connect(const char *name, int64_t deadline_ns,
                        struct rl_endpoint_identity *ret_identity);

/* Like rl_endpoint_connect, but fails unless the listener has this identity. */
int rl_endpoint_connect_again(const char *name, int64_t deadline_ns,
                              const struct rl_endpoint_identity *identity);

/* Returns whether the failure of a connect function means that no process listens. */
bool rl_endpoint_is_gone(int failure);

#endif
