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

/*
 * The functions of a kind of port: local or remote. A function whose comment ends with "or null" is
 * optional.
 */
struct rl_message_port_kind {
    size_t size;
    bool is_remote;
    /* Serves a port whose descriptor is ready. Called without a lock. */
    void (*serve)(void *port, RLRunLoopDescriptorEvents ready);
    /* Invalidates the port if its peer is gone; or null. Called without a lock. */
    void (*check_peer)(struct rl_message_port *port);
    int (*descriptor)(struct rl_message_port *port);
    /* Creates the descriptor if it does not exist; or null. Called with the port locked. */
    int (*watch)(struct rl_message_port *port);
    /* Ends all connections. Called without a lock. */
    void (*close)(struct rl_message_port *port);
    /* Releases the name; or null. Called with the table locked. */
    void (*give_up_name)(struct rl_message_port *port);
    /* In a forked child, replaces the parent's descriptors with `inert`. */
    void (*leave_to_parent)(struct rl_message_port *port, int inert);
    /* Frees the kind's resources; or null. */
    void (*free)(struct rl_message_port *port);
};

/*
 * The port's lock is taken after the table's lock and before the locks of loops and items. It is
 * not held while client code runs.
 */
struct rl_message_port {
    struct rl_object object;
    struct rl_lock lock;
    const struct rl_message_port_kind *kind;
    atomic_bool is_valid;
    /* Guarded by the table's lock. */
    bool is_listed;
    TAILQ_ENTRY(rl_message_port) link;
    /* Null for a local port without a name. To change this, hold the port's and table's locks. */
    RLStringRef name;
    RLMessagePortInvalidationCallBack invalidation;
    /* True after an invalidation: an invalidation callback that is set later is called at once. */
    bool has_reported_invalidation;
    /* Null until a client requests the source. */
    RLRunLoopSourceRef source;
    /* The source that a dispatch queue serves instead of a loop; or null. */
    struct rl_queue_source *queue_source;
    struct rl_client context;
};

static inline RLMessagePortRef rl_message_port_ref(struct rl_message_port *port)
{
    return (RLMessagePortRef)(void *)port;
}

/* Stops the process if the argument of a public function is not a message port. */
struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function);

/* Prints a hint for `function` if the name is invalid. */
bool rl_message_port_takes_name(RLStringRef name, const char *function);

/* Copies `name`, which may be null. The fields after `struct rl_message_port` are zero. */
void *rl_message_port_create(const struct rl_message_port_kind *kind, RLStringRef name);

/*
 * Creates the source if there is none or the client has invalidated it. Returns null if the port is
 * invalid or has a queue.
 */
RLRunLoopSourceRef rl_message_port_copy_source(struct rl_message_port *port, RLIndex order);

#endif
