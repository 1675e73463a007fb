/*
 * Connects, receives replies, and wakes the loops that wait for the replies.
 *
 * A thread may receive a packet that another thread or an outer run waits for. It stores the reply
 * in the use (struct rl_client_use) that waits, and wakes the loop of this use.
 */

#include "base/system.h"

#include "messages/remote_port.h"

#include "base/kernel.h"
#include "base/object.h"
#include "values/value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* A limit, so that other connections are served too. */
    PACKETS_AT_ONCE = 64,
    /* A limit that is larger than the queue of any socket. */
    MOST_WAITING = 4096,
    /* The maximum number of connections to try, if each connection yields (message_wire.h). */
    MOST_TRIES = 4
};

static struct rl_message_client *client_of(struct rl_message_port *port)
{
    return &rl_remote_port_of(port)->client;
}

/* --- Connections ----------------------------------------------------------------------------- */

/* Notifies the peer that a loop or queue watches the connection to detect the end of the port. */
static void announce_watching(struct rl_remote_connection *connection)
{
    const struct rl_wire_packet packet = {.kind = RL_WIRE_STAY};
    bool is_watched = atomic_load(&client_of(connection->port)->watch_set) >= 0;
    if (!is_watched || connection->is_announced || connection->state != RL_CLIENT_OPEN) return;
    connection->is_announced = rl_channel_send(connection->fd, &packet, NULL) == RL_CHANNEL_DONE;
}

static void make_current(struct rl_message_port *port, int fd)
{
    struct rl_remote_connection *connection = rl_allocate(sizeof *connection);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    connection->port = port;
    connection->fd = fd;
    connection->buffer_size = rl_transfer_widen(fd);
    TAILQ_INIT(&connection->uses);
    TAILQ_INSERT_TAIL(&client_of(port)->connections, connection, link);
    client_of(port)->current = connection;
}

void rl_message_client_open(struct rl_message_port *port, int fd,
                            const struct rl_endpoint_identity *identity)
{
    struct rl_message_client *client = client_of(port);
    TAILQ_INIT(&client->connections);
    client->identity = *identity;
    atomic_init(&client->watch_set, -1);
    make_current(port, fd);
}

static void destroy_connection(struct rl_message_client *client,
                               struct rl_remote_connection *connection)
{
    TAILQ_REMOVE(&client->connections, connection, link);
    rl_kernel_close(&connection->fd);
    rl_transfer_give_up(&connection->incoming);
    free(connection->spare);
    free(connection);
}

static void destroy_if_unused(struct rl_message_client *client,
                              struct rl_remote_connection *connection)
{
    if (connection == client->current || !TAILQ_EMPTY(&connection->uses)) return;
    destroy_connection(client, connection);
}

/* --- Replies --------------------------------------------------------------------------------- */

static struct rl_client_use *find_waiting(struct rl_remote_connection *connection, uint64_t serial)
{
    struct rl_client_use *use;
    TAILQ_FOREACH(use, &connection->uses, link) {
        if (use->serial == serial && use->loop && !atomic_load(&use->is_over)) return use;
    }
    return NULL;
}

static void perform_waker(void *info)
{
    (void)info;
}

/* Adds a signalled source, so that the run of the waiting thread returns. */
static void wake_waiting(struct rl_client_use *use)
{
    RLRunLoopSourceContext context = {.info = use, .perform = perform_waker};
    use->waker = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(use->loop, use->waker, use->mode);
    RLRunLoopSourceSignalAndWakeUp(use->waker, use->loop);
}

/* A loop that receives its own reply is awake, so it needs no wake-up. */
static void end_wait(struct rl_client_use *use, const struct rl_client_use *own, SInt32 result,
                     RLDataRef reply)
{
    use->result = result;
    use->reply = reply;
    atomic_store(&use->is_over, true);
    if (use != own) wake_waiting(use);
}

static void end_all_waits(struct rl_remote_connection *connection, const struct rl_client_use *own)
{
    struct rl_client_use *use;
    TAILQ_FOREACH(use, &connection->uses, link) {
        if (!use->loop || atomic_load(&use->is_over)) continue;
        end_wait(use, own, kRLMessagePortBecameInvalidError, NULL);
    }
}

/* Returns false if the packet violates the protocol. */
static bool take_reply(struct rl_remote_connection *connection, struct rl_channel_packet *received,
                       const struct rl_client_use *own)
{
    RLDataRef reply;
    struct rl_client_use *use = find_waiting(connection, received->packet.serial);
    enum rl_transfer_progress progress =
        rl_transfer_take(&connection->incoming, &connection->spare, received, use != NULL, &reply);
    if (!reply) return progress != RL_TRANSFER_BROKEN;
    if (use && !(received->packet.flags & RL_WIRE_HAS_FAILED)) {
        end_wait(use, own, kRLMessagePortSuccess, reply);
        return true;
    }
    if (use) end_wait(use, own, kRLMessagePortTransportError, NULL);
    /* A misbehaving peer has sent a second reply between the parts of the first reply. */
    RLRelease(reply);
    return true;
}

static enum rl_channel_result receive_packet(struct rl_remote_connection *connection,
                                             const struct rl_client_use *own)
{
    struct rl_channel_packet received;
    uint8_t *buffer = rl_transfer_buffer(&connection->incoming, &connection->spare);
    enum rl_channel_result result = rl_channel_receive(connection->fd, buffer, &received);
    if (result != RL_CHANNEL_DONE) return result;
    rl_channel_close(received.descriptors, received.descriptor_count);
    if (received.packet.kind == RL_WIRE_YIELD) {
        connection->state = RL_CLIENT_YIELDS;
        return RL_CHANNEL_DONE;
    }
    bool is_right = received.packet.kind == RL_WIRE_REPLY && take_reply(connection, &received, own);
    return is_right ? RL_CHANNEL_DONE : RL_CHANNEL_FAILED;
}

static enum rl_client_state receive_some(struct rl_remote_connection *connection, int most,
                                         const struct rl_client_use *own)
{
    enum rl_channel_result result = RL_CHANNEL_DONE;
    if (connection->state == RL_CLIENT_GONE) return RL_CLIENT_GONE;
    for (int i = 0; result == RL_CHANNEL_DONE && i < most; i++) {
        if (own && atomic_load(&own->is_over)) break;
        result = receive_packet(connection, own);
    }
    bool yields = connection->state == RL_CLIENT_YIELDS;
    if (yields && result == RL_CHANNEL_CLOSED) end_all_waits(connection, own);
    if (yields && result != RL_CHANNEL_FAILED) return RL_CLIENT_YIELDS;
    bool is_open = result == RL_CHANNEL_DONE || result == RL_CHANNEL_AGAIN;
    return is_open ? RL_CLIENT_OPEN : RL_CLIENT_GONE;
}

enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               const struct rl_client_use *own)
{
    rl_lock(&connection->port->lock);
    enum rl_client_state state = receive_some(connection, PACKETS_AT_ONCE, own);
    rl_unlock(&connection->port->lock);
    return state;
}

enum rl_client_state rl_message_client_find_reason(struct rl_remote_connection *connection)
{
    rl_lock(&connection->port->lock);
    enum rl_client_state state = receive_some(connection, MOST_WAITING, NULL);
    rl_unlock(&connection->port->lock);
    return state == RL_CLIENT_OPEN ? RL_CLIENT_GONE : state;
}

/* --- Watching -------------------------------------------------------------------------------- */

static int add_to_set(struct rl_message_client *client)
{
    return rl_kernel_poll_add(atomic_load(&client->watch_set), client->current->fd, RL_KERNEL_READ,
                              0);
}

static void remove_from_set(struct rl_message_client *client,
                            const struct rl_remote_connection *connection)
{
    int set = atomic_load(&client->watch_set);
    if (set >= 0 && client->current == connection) rl_kernel_poll_remove(set, connection->fd);
}

int rl_message_client_watch(struct rl_message_client *client)
{
    if (!client->current || atomic_load(&client->watch_set) >= 0) return 0;
    int set = rl_kernel_make_poll_set();
    if (set < 0) return set;
    atomic_store(&client->watch_set, set);
    int result = add_to_set(client);
    if (result == 0) {
        announce_watching(client->current);
        return 0;
    }
    atomic_store(&client->watch_set, -1);
    rl_kernel_close(&set);
    return result;
}

static void close_set(struct rl_message_client *client)
{
    int set = atomic_exchange(&client->watch_set, -1);
    rl_kernel_close(&set);
}

/* --- The current connection ------------------------------------------------------------------ */

static void replace_current(struct rl_message_port *port, int fd)
{
    struct rl_message_client *client = client_of(port);
    remove_from_set(client, client->current);
    make_current(port, fd);
    if (atomic_load(&client->watch_set) >= 0) (void)add_to_set(client);
    announce_watching(client->current);
}

/* Returns RL_CLIENT_OPEN if the port has a new connection, made by any thread. */
static enum rl_client_state connect_again(struct rl_remote_connection *connection,
                                          int64_t deadline_ns)
{
    struct rl_message_port *port = connection->port;
    struct rl_message_client *client = client_of(port);
    rl_lock(&port->lock);
    bool is_current = client->current == connection;
    rl_unlock(&port->lock);
    if (!is_current) return RL_CLIENT_OPEN;
    int64_t most_ns = rl_kernel_monotonic_ns() + RL_MESSAGE_PATIENCE_NS;
    int fd =
        rl_endpoint_connect_again(rl_string_characters(port->name),
                                  deadline_ns < most_ns ? deadline_ns : most_ns, &client->identity);
    if (fd < 0 && rl_endpoint_is_gone(fd)) return RL_CLIENT_GONE;
    rl_lock(&port->lock);
    if (fd >= 0 && client->current == connection) {
        replace_current(port, fd);
    } else if (fd >= 0) {
        rl_kernel_close(&(int){fd});
    } else {
        /* The next use reconnects. Until then, the connection's end must not keep a loop busy. */
        remove_from_set(client, connection);
    }
    rl_unlock(&port->lock);
    if (fd >= 0) return RL_CLIENT_OPEN;
    return fd == -EAGAIN ? RL_CLIENT_YIELDS : RL_CLIENT_REFUSED;
}

/* Begins to use the current connection, whatever its state. Returns the state. */
static enum rl_client_state use_current(struct rl_message_port *port, bool receives_first,
                                        struct rl_client_use *use)
{
    enum rl_client_state state = RL_CLIENT_GONE;
    /* Discards a reply to an earlier attempt, whose request was not sent. */
    if (use->reply) RLRelease(use->reply);
    use->reply = NULL;
    use->result = kRLMessagePortReceiveTimeout;
    atomic_store(&use->is_over, false);
    rl_lock(&port->lock);
    struct rl_remote_connection *connection =
        atomic_load(&port->is_valid) ? client_of(port)->current : NULL;
    use->connection = connection;
    if (connection) {
        use->serial = ++connection->last_serial;
        TAILQ_INSERT_TAIL(&connection->uses, use, link);
        announce_watching(connection);
        state =
            receives_first ? receive_some(connection, PACKETS_AT_ONCE, NULL) : connection->state;
    }
    rl_unlock(&port->lock);
    return state;
}

enum rl_client_state rl_message_client_begin_use(struct rl_message_port *port, bool receives_first,
                                                 int64_t deadline_ns, struct rl_client_use *use)
{
    enum rl_client_state state = RL_CLIENT_OPEN;
    for (int i = 0; state == RL_CLIENT_OPEN && i < MOST_TRIES; i++) {
        state = use_current(port, receives_first, use);
        if (state == RL_CLIENT_OPEN) return RL_CLIENT_OPEN;
        if (state == RL_CLIENT_YIELDS) {
            rl_lock(&rl_remote_port_of(port)->connecting);
            state = connect_again(use->connection, deadline_ns);
            rl_unlock(&rl_remote_port_of(port)->connecting);
        }
        rl_message_client_end_use(use);
    }
    return state == RL_CLIENT_OPEN ? RL_CLIENT_YIELDS : state;
}

void rl_message_client_end_use(struct rl_client_use *use)
{
    struct rl_remote_connection *connection = use->connection;
    if (!connection) return;
    struct rl_message_port *port = connection->port;
    rl_lock(&port->lock);
    TAILQ_REMOVE(&connection->uses, use, link);
    struct rl_incoming *incoming = &connection->incoming;
    bool is_coming = incoming->is_under_way && incoming->first.serial == use->serial;
    if (is_coming) rl_transfer_stop_wanting(incoming);
    destroy_if_unused(client_of(port), connection);
    rl_unlock(&port->lock);
    use->connection = NULL;
    if (use->waker) RLRunLoopSourceInvalidate(use->waker);
    if (use->waker) RLRelease(use->waker);
    use->waker = NULL;
}

enum rl_client_state rl_message_client_receive_all(struct rl_message_port *port)
{
    struct rl_client_use use = {0};
    int64_t deadline_ns = rl_kernel_monotonic_ns() + RL_MESSAGE_PATIENCE_NS;
    enum rl_client_state state = rl_message_client_begin_use(port, true, deadline_ns, &use);
    rl_message_client_end_use(&use);
    return state;
}

/* --- The end --------------------------------------------------------------------------------- */

void rl_message_client_end(struct rl_message_client *client)
{
    struct rl_remote_connection *connection;
    TAILQ_FOREACH(connection, &client->connections, link) {
        /* A forked child skips the connections, which belong to the parent and are already GONE. */
        if (connection->state == RL_CLIENT_GONE) continue;
        connection->state = RL_CLIENT_GONE;
        end_all_waits(connection, NULL);
        /* Wakes a thread that waits for buffer space. */
        shutdown(connection->fd, SHUT_RDWR);
    }
    connection = client->current;
    client->current = NULL;
    if (connection) destroy_if_unused(client, connection);
    close_set(client);
}

void rl_message_client_free(struct rl_message_client *client)
{
    struct rl_remote_connection *connection;
    while ((connection = TAILQ_FIRST(&client->connections))) destroy_connection(client, connection);
    close_set(client);
}

void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert)
{
    struct rl_remote_connection *connection;
    client->current = NULL;
    TAILQ_FOREACH(connection, &client->connections, link) {
        connection->state = RL_CLIENT_GONE;
        if (inert >= 0) dup3(inert, connection->fd, O_CLOEXEC);
    }
    int set = atomic_load(&client->watch_set);
    if (inert >= 0 && set >= 0) dup3(inert, set, O_CLOEXEC);
}
