/*
 * The ports of this process, by name, under a lock that comes before those of the ports; and what
 * happens to them in a forked child.
 *
 * The table holds no references: a port leaves it when it is invalidated or destroyed. Making a
 * port for a name happens with the lock held, so that there is one at most.
 */

#include "kernel.h"
#include "message_port.h"
#include "value.h"

#include <pthread.h>

static struct {
    struct rl_lock lock;
    TAILQ_HEAD(, rl_message_port) ports;
} table = {.ports = TAILQ_HEAD_INITIALIZER(table.ports)};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void lock_all(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table.lock);
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) rl_lock(&port->lock);
}

static void unlock_all(void) RL_UNCHECKED_LOCKING
{
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) rl_unlock(&port->lock);
    rl_unlock(&table.lock);
}

/*
 * Sockets and locks are the parent's. Sources may still be in the child's loops, which know their
 * descriptors by number: something that is never ready takes these numbers.
 */
static void leave_all_to_parent(void) RL_UNCHECKED_LOCKING
{
    struct rl_message_port *port;
    int inert = TAILQ_EMPTY(&table.ports) ? -1 : rl_kernel_make_event_counter();
    TAILQ_FOREACH(port, &table.ports, link) {
        atomic_store(&port->is_valid, false);
        port->is_told = true;
        if (port->is_remote) {
            rl_message_client_leave_to_parent(&port->client, inert);
        } else {
            rl_message_server_leave_to_parent(&port->server, inert);
        }
    }
    rl_kernel_close(&inert);
    unlock_all();
}

static void set_up(void)
{
    pthread_atfork(lock_all, unlock_all, leave_all_to_parent);
}

static struct rl_message_port *find(const char *name, bool is_remote)
{
    struct rl_message_port *port;
    TAILQ_FOREACH(port, &table.ports, link) {
        if (port->is_remote != is_remote || !port->name || !atomic_load(&port->is_valid)) continue;
        if (strcmp(rl_string_characters(port->name), name) == 0) return port;
    }
    return NULL;
}

/* With the table locked, so that the name is not found taken by a port that is not there. */
static void take_out(struct rl_message_port *port)
{
    if (!port->is_listed) return;
    TAILQ_REMOVE(&table.ports, port, link);
    port->is_listed = false;
    if (!port->is_remote) rl_endpoint_give_up_name(&port->server.endpoint);
}

static void add(struct rl_message_port *port)
{
    port->is_listed = true;
    TAILQ_INSERT_TAIL(&table.ports, port, link);
}

struct rl_message_port *rl_message_table_find_or_add(const char *name, bool is_remote,
                                                     struct rl_message_port *(*make)(void *plan),
                                                     void *plan, bool *ret_was_found)
{
    pthread_once(&once, set_up);
    rl_lock(&table.lock);
    struct rl_message_port *port = find(name, is_remote);
    *ret_was_found = port && rl_object_try_retain(&port->object);
    /* It is being destroyed, and about to take itself out. */
    if (port && !*ret_was_found) take_out(port);
    if (!*ret_was_found) {
        port = make(plan);
        if (port) add(port);
    }
    rl_unlock(&table.lock);
    return port;
}

void rl_message_table_add(struct rl_message_port *port)
{
    pthread_once(&once, set_up);
    rl_lock(&table.lock);
    add(port);
    rl_unlock(&table.lock);
}

void rl_message_table_remove(struct rl_message_port *port)
{
    rl_lock(&table.lock);
    take_out(port);
    rl_unlock(&table.lock);
}

bool rl_message_table_rename(struct rl_message_port *port, RLStringRef name,
                             bool (*set_name)(struct rl_message_port *port, RLStringRef name))
{
    rl_lock(&table.lock);
    struct rl_message_port *found = find(rl_string_characters(name), false);
    bool has_name = found ? found == port : set_name(port, name);
    rl_unlock(&table.lock);
    return has_name;
}
