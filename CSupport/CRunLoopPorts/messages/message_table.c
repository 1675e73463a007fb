/*
 * The ports of this process by name, and their state in a forked child. The table's lock is taken
 * before the locks of ports.
 *
 * The table does not retain the ports. A port is removed when it is invalidated or destroyed. Each
 * name has at most one port of each kind. A local port is created under the lock. Creating a remote
 * port may block, so a thread creates it without the lock, and is listed as connecting to the name.
 */

#include "messages/message_table.h"

#include "base/fork.h"
#include "base/kernel.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "messages/local_port.h"
#include "values/value.h"

/* A thread that is creating a remote port. The entry is on the stack of the thread. */
struct connecting {
    TAILQ_ENTRY(connecting) link;
    const char *name;
};

static struct {
    struct rl_lock lock;
    TAILQ_HEAD(, rl_message_port) ports;
    TAILQ_HEAD(, connecting) connecting;
    /* Counts attempts to connect that have ended. Other threads wait on this futex. */
    atomic_uint ends;
} table = {
    .ports = TAILQ_HEAD_INITIALIZER(table.ports),
    .connecting = TAILQ_HEAD_INITIALIZER(table.connecting),
};

/* Locks the table and all its ports before a loop is locked. */
static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table.lock);
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) rl_lock(&port->lock);
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) rl_unlock(&port->lock);
    rl_unlock(&table.lock);
}

/*
 * The sockets and locks belong to the parent. Sources in the child's loops may still use the
 * descriptor numbers, so each number gets a descriptor that is never ready.
 */
static void settle_child(void) RL_UNCHECKED_LOCKING
{
    struct rl_message_port *port;
    int inert = TAILQ_EMPTY(&table.ports) ? -1 : rl_kernel_make_event_counter();
    TAILQ_FOREACH(port, &table.ports, link) {
        atomic_store(&port->is_valid, false);
        port->has_reported_invalidation = true;
        if (port->queue_source) rl_queue_source_leave_to_parent(port->queue_source, inert);
        port->kind->leave_to_parent(port, inert);
    }
    rl_kernel_close(&inert);
    /* The listed threads do not exist in the child. */
    TAILQ_INIT(&table.connecting);
    unlock_after_fork();
}

RL_REGISTER_FORK_TABLE(20, prepare_fork, unlock_after_fork, settle_child)

static struct rl_message_port *find_port(const char *name, bool is_remote)
{
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) {
        if (port->kind->is_remote != is_remote || !port->name) continue;
        if (!atomic_load(&port->is_valid)) continue;
        if (strcmp(rl_string_characters(port->name), name) == 0) return port;
    }
    return NULL;
}

bool rl_message_table_has_local(const char *name, RLMessagePortCallBack callback)
{
    rl_lock(&table.lock);
    const struct rl_message_port *port = find_port(name, false);
    bool has_local = port && ((const struct rl_local_port *)port)->callback == callback;
    rl_unlock(&table.lock);
    return has_local;
}

/*
 * Returns the thread of the loop that serves the port. If there are several loops, returns the
 * thread of the loop that was added last.
 */
static pid_t find_server_thread(struct rl_message_port *port)
{
    pid_t thread = 0;
    rl_lock(&port->lock);
    struct rl_item *item = (struct rl_item *)(void *)port->source;
    if (item) {
        rl_lock(&item->object.lock);
        if (item->memberships) thread = item->memberships->mode->loop->thread_id;
        rl_unlock(&item->object.lock);
    }
    rl_unlock(&port->lock);
    return thread;
}

pid_t rl_message_table_server_thread(const char *name)
{
    rl_lock(&table.lock);
    struct rl_message_port *port = find_port(name, false);
    pid_t thread = port ? find_server_thread(port) : 0;
    rl_unlock(&table.lock);
    return thread;
}

/* Removes the port and releases its name under one lock: a port that is gone must own no name. */
static void take_out_port(struct rl_message_port *port)
{
    if (!port->is_listed) return;
    TAILQ_REMOVE(&table.ports, port, link);
    port->is_listed = false;
    if (port->kind->give_up_name) port->kind->give_up_name(port);
}

static void add_port(struct rl_message_port *port)
{
    port->is_listed = true;
    TAILQ_INSERT_TAIL(&table.ports, port, link);
}

static struct rl_message_port *hold_port(const char *name, bool is_remote)
{
    struct rl_message_port *port = find_port(name, is_remote);
    if (!port || rl_object_try_retain(&port->object)) return port;
    /* The port is being destroyed, and would soon be removed anyway. */
    take_out_port(port);
    return NULL;
}

struct rl_message_port *
rl_message_table_find_or_add_local(const char *name, struct rl_message_port *(*make)(void *plan),
                                   void *plan, bool *ret_was_found)
{
    rl_fork_set_up();
    rl_lock(&table.lock);
    struct rl_message_port *port = hold_port(name, false);
    *ret_was_found = port;
    if (!port) port = make(plan);
    if (port && !*ret_was_found) add_port(port);
    rl_unlock(&table.lock);
    return port;
}

static bool is_connecting(const char *name)
{
    struct connecting *each;
    TAILQ_FOREACH(each, &table.connecting, link) {
        if (strcmp(each->name, name) == 0) return true;
    }
    return false;
}

/* Waits while other threads connect to the name. Returns a retained port, or null. */
static struct rl_message_port *hold_connected(const char *name) RL_REQUIRES(table.lock)
{
    struct rl_message_port *port;
    while (!(port = hold_port(name, true)) && is_connecting(name)) {
        unsigned ends = atomic_load(&table.ends);
        rl_unlock(&table.lock);
        rl_kernel_futex_wait(&table.ends, ends);
        rl_lock(&table.lock);
    }
    return port;
}

struct rl_message_port *
rl_message_table_find_or_add_remote(const char *name, struct rl_message_port *(*make)(void *plan),
                                    void *plan, bool *ret_was_found)
{
    struct connecting mine = {.name = name};
    rl_fork_set_up();
    rl_lock(&table.lock);
    struct rl_message_port *port = hold_connected(name);
    *ret_was_found = port;
    if (!port) {
        TAILQ_INSERT_TAIL(&table.connecting, &mine, link);
        rl_unlock(&table.lock);
        port = make(plan);
        rl_lock(&table.lock);
        TAILQ_REMOVE(&table.connecting, &mine, link);
        if (port) add_port(port);
        atomic_fetch_add(&table.ends, 1);
        rl_kernel_futex_wake_all(&table.ends);
    }
    rl_unlock(&table.lock);
    return port;
}

void rl_message_table_add(struct rl_message_port *port)
{
    rl_fork_set_up();
    rl_lock(&table.lock);
    add_port(port);
    rl_unlock(&table.lock);
}

void rl_message_table_remove(struct rl_message_port *port)
{
    rl_lock(&table.lock);
    take_out_port(port);
    rl_unlock(&table.lock);
}

bool rl_message_table_rename(struct rl_message_port *port, RLStringRef name,
                             bool (*set_name)(struct rl_message_port *port, RLStringRef name))
{
    rl_lock(&table.lock);
    struct rl_message_port *found = find_port(rl_string_characters(name), false);
    bool has_name = found ? found == port : set_name(port, name);
    rl_unlock(&table.lock);
    return has_name;
}
