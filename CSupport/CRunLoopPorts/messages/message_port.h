/*
 * Message ports: the part that both kinds have, local ones (local_port.h) and remote ones
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
    /* Serves the port whose descriptor is ready. No lock held. */
    void (*serve)(void *port, RLRunLoopDescriptorEvents ready);
    /* Invalidates the port if its other side is gone. No lock held. Or null. */
    void (*check_peer)(struct rl_message_port *port);
    /* The descriptor by which loops and queues serve the port. */
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
    /* In a forked child: puts `inert` in the place of the parent's descriptors. */
    void (*leave_to_parent)(struct rl_message_port *port, int inert);
    /* Frees what has no references any more. Or null. */
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
    /* Null while a local port has none. Written with the port's and the table's lock held. */
    RLStringRef name;
    RLMessagePortInvalidationCallBack invalidation;
    /* Whether this callback has been called, or there was none. */
    bool has_reported_invalidation;
    /* The source that a loop serves; null until a client asks for it. */
    RLRunLoopSourceRef source;
    /* The source that a dispatch queue serves instead of a loop; or null. */
    struct rl_queue_source *queue_source;
    struct rl_client context;
};

static inline RLMessagePortRef rl_message_port_ref(struct rl_message_port *port)
{
    return (RLMessagePortRef)(void *)port;
}

/* The argument of a public function as a port; stops with a line if it is none. */
struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function);

/* Returns whether a name is one that ports can have; if not, hints at that for `function`. */
bool rl_message_port_takes_name(RLStringRef name, const char *function);

/* Makes a valid port of a kind, with a copy of the name or none. All else is zero. */
void *rl_message_port_create(const struct rl_message_port_kind *kind, RLStringRef name);

/*
 * Returns the port's source, which the caller owns; makes it if there is none or the client has
 * invalidated it. Null for a port that is invalid or served on a queue.
 */
RLRunLoopSourceRef rl_message_port_copy_source(struct rl_message_port *port, RLIndex order);

#endif
