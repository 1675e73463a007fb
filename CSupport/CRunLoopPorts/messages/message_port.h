/*
 * Message ports: the data that local ports (local_port.h) and remote ports (remote_port.h) share.
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

/* The functions that differ between local and remote ports. Those marked "or null" are optional. */
struct rl_message_port_kind {
    size_t size;
    bool is_remote;
    /* Serves a port whose descriptor is ready. No lock held. */
    void (*serve)(void *port, RLRunLoopDescriptorEvents ready);
    /* Invalidates the port if its peer is gone, or null. No lock held. */
    void (*check_peer)(struct rl_message_port *port);
    /* Returns the descriptor that loops and queues watch. */
    int (*descriptor)(struct rl_message_port *port);
    /*
     * Creates that descriptor if it does not exist, or null. Returns 0 or a negative errno value.
     * Port locked.
     */
    int (*watch)(struct rl_message_port *port);
    /* Ends all connections. Port locked. */
    void (*close)(struct rl_message_port *port);
    /* Releases the name, or null. Table locked. */
    void (*give_up_name)(struct rl_message_port *port);
    /* Replaces the parent's descriptors with `inert`, in a forked child. */
    void (*leave_to_parent)(struct rl_message_port *port, int inert);
    /* Frees the kind's resources when the port is freed, or null. */
    void (*free)(struct rl_message_port *port);
};

/*
 * In the lock order, this lock comes after the lock of the table and before the locks of loops and
 * items. It is not held while client code runs.
 */
struct rl_message_port {
    struct rl_object object;
    struct rl_lock lock;
    const struct rl_message_port_kind *kind;
    atomic_bool is_valid;
    /* Guarded by the table's lock. */
    bool is_listed;
    TAILQ_ENTRY(rl_message_port) link;
    /*
     * Null for a local port without a name. Written with the locks of both the port and the table
     * held.
     */
    RLStringRef name;
    RLMessagePortInvalidationCallBack invalidation;
    /* The invalidation was reported: the callback has been called, or there was none. */
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

/*
 * Returns the port, or stops the process if the argument of a public function is not a message
 * port.
 */
struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function);

/* Returns whether a name is valid for ports; if not, prints a hint for `function`. */
bool rl_message_port_takes_name(RLStringRef name, const char *function);

/*
 * Creates a valid port of a kind, with a copy of the name, which may be null. The other fields are
 * zero.
 */
void *rl_message_port_create(const struct rl_message_port_kind *kind, RLStringRef name);

/*
 * Returns the port's source, which the caller owns. Creates it if there is none or if the client
 * has invalidated it. Returns null if the port is invalid or has a queue.
 */
RLRunLoopSourceRef rl_message_port_copy_source(struct rl_message_port *port, RLIndex order);

#endif
