/*
 * Message ports: what the API, the requests and forks share.
 */

#ifndef RL_MESSAGE_PORT_H
#define RL_MESSAGE_PORT_H

#include "base/lock.h"
#include "base/object.h"
#include "messages/message_client.h"
#include "messages/message_server.h"
#include "watch/client.h"
#include "watch/dispatch_queue.h"

#include <CRunLoop/RLMessagePort.h>

/*
 * The lock comes before those of loops and items in the order of locks, and after that of the table
 * of ports. It is not held while client code runs.
 */
struct rl_message_port {
    struct rl_object object;
    struct rl_lock lock;
    /* Of a remote port: held by the thread that connects again. Taken before the port's lock. */
    struct rl_lock connecting;
    atomic_bool is_valid;
    bool is_remote;
    /* Guarded by the table's lock. */
    bool is_listed;
    TAILQ_ENTRY(rl_message_port) link;
    /* Null while a local port has none. Written with the port's and the table's lock held. */
    RLStringRef name;
    RLMessagePortInvalidationCallBack invalidation;
    /* Whether this callback has been called, or there was none. */
    bool is_told;
    /* The source that a loop serves; null until a client asks for it. */
    RLRunLoopSourceRef source;
    /* What serves the port on a dispatch queue in place of a loop; or null. */
    struct rl_queue_source *queue_source;
    RLMessagePortCallBack callback;
    struct rl_client context;
    union {
        struct rl_message_server server;
        struct rl_message_client client;
    };
};

static inline RLMessagePortRef rl_message_port_ref(struct rl_message_port *port)
{
    return (RLMessagePortRef)(void *)port;
}

/* The argument of a public function as a port; stops with a line if it is none. */
struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function);

/*
 * RLMessagePortCreateRemote, which waits so long for a process that accepts nobody; `function` is
 * for a line.
 */
RLMessagePortRef rl_message_port_connect(RLStringRef name, int64_t patience_ns,
                                         const char *function);

/* --- The table of the ports of this process -------------------------------------------------- */

/*
 * Finds a valid port and retains it, or lists the one that `make` makes. Null if it made none. A
 * local port is made with the table locked. A remote one may take its time, as only threads that
 * want the same name wait for it.
 */
struct rl_message_port *
rl_message_table_find_or_add_local(const char *name, struct rl_message_port *(*make)(void *plan),
                                   void *plan, bool *ret_was_found);
struct rl_message_port *
rl_message_table_find_or_add_remote(const char *name, struct rl_message_port *(*make)(void *plan),
                                    void *plan, bool *ret_was_found);

/* Returns whether a valid local port of this process has the name and the callback. */
bool rl_message_table_has_local(const char *name, RLMessagePortCallBack callback);

/* Lists a port without a name. */
void rl_message_table_add(struct rl_message_port *port);

/* Takes a port out and gives its name up: it is invalid, or about to be destroyed. */
void rl_message_table_remove(struct rl_message_port *port);

/* Has `set_name` called with the table locked, unless another local port has the name. */
bool rl_message_table_rename(struct rl_message_port *port, RLStringRef name,
                             bool (*set_name)(struct rl_message_port *port, RLStringRef name));

#endif
