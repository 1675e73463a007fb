/*
 * Message ports: the common part of both kinds, local ones (local_port.h) and remote ones
 * (remote_port.h).
 */

#ifndef RL_MESSAGE_PORT_H
#define RL_MESSAGE_PORT_H

#include "base/lock.h"
#include "base/object.h"
#include "watch/client.h"
#include "watch/dispatch_queue.h"

#include <CRunLoop/RLMessagePort.h>

#include <bsd/sys/queue.h>
#include <stddef.h>

struct rl_message_port;

/* The functions in which local and remote ports differ. */
struct rl_message_port_kind {
    size_t size;
    bool is_remote;
    /* Serves a port with a ready descriptor. No lock held. */
    void (*serve)(void *port, RLRunLoopDescriptorEvents ready);
    /* Invalidates the port if its peer is gone. No lock held. Or null. */
    void (*check_peer)(struct rl_message_port *port);
    /* Returns the descriptor for loops and queues. */
    int (*descriptor)(struct rl_message_port *port);
    /*
     * Makes that descriptor if there is none. Returns 0 or a negative errno value. Port locked. Or
     * null.
     */
    int (*watch)(struct rl_message_port *port);
    /* Ends all connections. Port locked. */
    void (*close)(struct rl_message_port *port);
    /* Table locked. Or null. */
    void (*give_up_name)(struct rl_message_port *port);
    /* For a forked child: replaces the parent's descriptors by `inert`. */
    void (*leave_to_parent)(struct rl_message_port *port, int inert);
    /* Frees the kind's resources with the port. Or null. */
    void (*free)(struct rl_message_port *port);
};

/*
 * The lock comes before those of loops and items in the order of locks, and after that of the table
 * of ports. It is not held while client code runs.
 */
struct rl_message_port {
    struct rl_object object;
    struct rl_lock lock;
    const struct rl_message_port_kind *kind;
    atomic_bool is_valid;
    /* Guarded by the table's lock. */
    bool is_listed;
    TAILQ_ENTRY(rl_message_port) link;
    /* Null for a local port without a name. Written with the port's and the table's lock held. */
    RLStringRef name;
    RLMessagePortInvalidationCallBack invalidation;
    /* The invalidation callback has been called, or was null then. */
    bool has_reported_invalidation;
    /* The source for loops; null until a client requests it. */
    RLRunLoopSourceRef source;
    /* The source that a dispatch queue serves instead of a loop; or null. */
    struct rl_queue_source *queue_source;
    struct rl_client context;
};

static inline RLMessagePortRef rl_message_port_ref(struct rl_message_port *port)
{
    return (RLMessagePortRef)(void *)port;
}

/* Stops the process if a public function's argument is no port. */
struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function);

/* Returns whether a name is valid for ports; if not, prints a hint for `function`. */
bool rl_message_port_takes_name(RLStringRef name, const char *function);

/* Makes a valid port of a kind, with a copy of the name, which may be null. The rest is zeroed. */
void *rl_message_port_create(const struct rl_message_port_kind *kind, RLStringRef name);

/*
 * Returns the port's source, which the caller owns; makes it if there is none or the client has
 * invalidated it. Null for a port that is invalid or has a queue.
 */
RLRunLoopSourceRef rl_message_port_copy_source(struct rl_message_port *port, RLIndex order);

#endif
