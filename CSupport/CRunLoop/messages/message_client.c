/*
 * Receiving replies, and waking the loops that wait for them.
 *
 * A thread that finds a packet takes it, even if it is for another thread or an outer run: it
 * stores the packet with the wait, and wakes the loop that waits.
 */

#include "base/system.h"

#include "messages/message_client.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/object.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* What one call receives at most before others have their turn. */
    PACKETS_AT_ONCE = 64,
    /* More than any system lets wait in a socket. */
    MOST_WAITING = 4096
};

/* Tells the other side that a loop or queue watches the connection for its end. */
static void announce_watching(const struct rl_message_client *client,
                              struct rl_remote_connection *connection)
{
    const struct rl_wire_packet packet = {.kind = RL_WIRE_STAY};
    bool is_watched = atomic_load(&client->watch_set) >= 0;
    if (!is_watched || connection->is_announced || connection->gives_way) return;
    connection->is_announced = rl_channel_send(connection->fd, &packet, NULL) == RL_CHANNEL_DONE;
}

static void make_current(struct rl_message_client *client, int fd)
{
    struct rl_remote_connection *connection = rl_allocate(sizeof *connection);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    connection->fd = fd;
    connection->buffer_size = rl_channel_widen(fd);
    connection->references = 1;
    TAILQ_INIT(&connection->waits);
    TAILQ_INSERT_TAIL(&client->connections, connection, link);
    client->current = connection;
}

void rl_message_client_open(struct rl_message_client *client, int fd,
                            const struct rl_endpoint_identity *identity)
{
    TAILQ_INIT(&client->connections);
    client->identity = *identity;
    atomic_init(&client->watch_set, -1);
    make_current(client, fd);
}

static void destroy_connection(struct rl_message_client *client,
                               struct rl_remote_connection *connection)
{
    TAILQ_REMOVE(&client->connections, connection, link);
    rl_kernel_close(&connection->fd);
    rl_wire_give_up(&connection->assembly);
    free(connection->spare);
    free(connection);
}

struct rl_remote_connection *rl_message_client_begin_use(struct rl_message_client *client)
{
    struct rl_remote_connection *connection = client->current;
    if (!connection) return NULL;
    connection->references++;
    announce_watching(client, connection);
    return connection;
}

void rl_message_client_end_use(struct rl_message_client *client,
                               struct rl_remote_connection *connection)
{
    if (--connection->references == 0) destroy_connection(client, connection);
}

void rl_message_client_begin_wait(struct rl_remote_connection *connection,
                                  struct rl_reply_wait *wait)
{
    wait->serial = ++connection->last_serial;
    TAILQ_INSERT_TAIL(&connection->waits, wait, link);
}

static struct rl_reply_wait *find_wait(struct rl_remote_connection *connection, uint64_t serial)
{
    struct rl_reply_wait *wait;
    TAILQ_FOREACH(wait, &connection->waits, link) {
        if (wait->serial == serial && !wait->is_over) return wait;
    }
    return NULL;
}

void rl_message_client_end_wait(struct rl_remote_connection *connection, struct rl_reply_wait *wait)
{
    TAILQ_REMOVE(&connection->waits, wait, link);
    struct rl_wire_assembly *assembly = &connection->assembly;
    if (assembly->is_under_way && assembly->first.serial == wait->serial) {
        rl_wire_stop_wanting(assembly);
    }
}

static void perform_waker(void *info)
{
    (void)info;
}

/* Has the run of a waiting thread, which serves one source and then returns, serve one. */
static void wake_waiting(struct rl_reply_wait *wait)
{
    RLRunLoopSourceContext context = {.info = wait, .perform = perform_waker};
    wait->waker = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(wait->loop, wait->waker, wait->mode);
    RLRunLoopSourceSignalAndWakeUp(wait->waker, wait->loop);
}

static void end_wait_with(struct rl_reply_wait *wait, SInt32 result, RLDataRef reply)
{
    wait->result = result;
    wait->reply = reply;
    wait->is_over = true;
    if (!wait->is_awake) wake_waiting(wait);
}

/* Ends the wait for a reply that is complete: its last packet, and its bytes. */
static void deliver_reply(struct rl_remote_connection *connection,
                          const struct rl_wire_packet *last, uint8_t *bytes)
{
    struct rl_reply_wait *wait = find_wait(connection, last->serial);
    if (!wait) {
        RL_ASSERT(!bytes);
    } else if (last->flags & RL_WIRE_HAS_FAILED) {
        end_wait_with(wait, kRLMessagePortTransportError, NULL);
    } else {
        RLDataRef reply =
            RLDataCreateWithBytesNoCopy(NULL, bytes, (RLIndex)last->total, kRLAllocatorMalloc);
        end_wait_with(wait, kRLMessagePortSuccess, reply);
    }
}

static enum rl_channel_result receive_packet(struct rl_remote_connection *connection)
{
    struct rl_channel_packet received;
    const struct rl_wire_packet *packet = &received.packet;
    uint8_t *room = rl_wire_room(&connection->assembly, &connection->spare), *bytes;
    enum rl_channel_result result = rl_channel_receive(connection->fd, room, &received);
    if (result != RL_CHANNEL_DONE) return result;
    rl_channel_close(received.descriptors, received.descriptor_count);
    if (packet->kind == RL_WIRE_GIVE_WAY) connection->gives_way = true;
    if (packet->kind == RL_WIRE_GIVE_WAY) return RL_CHANNEL_DONE;
    if (packet->kind != RL_WIRE_REPLY) return RL_CHANNEL_FAILED;
    bool is_wanted = rl_wire_begins(packet) && find_wait(connection, packet->serial) != NULL;
    enum rl_wire_progress progress =
        rl_wire_add(&connection->assembly, &connection->spare, packet, is_wanted, &bytes);
    if (progress == RL_WIRE_COMPLETE) deliver_reply(connection, packet, bytes);
    return progress == RL_WIRE_BROKEN ? RL_CHANNEL_FAILED : RL_CHANNEL_DONE;
}

static void end_remote_connection(struct rl_remote_connection *connection)
{
    if (connection->is_ended) return;
    connection->is_ended = true;
    struct rl_reply_wait *wait;
    TAILQ_FOREACH(wait, &connection->waits, link) {
        if (!wait->is_over) end_wait_with(wait, kRLMessagePortBecameInvalidError, NULL);
    }
    /* This wakes a thread that waits for room to send. */
    shutdown(connection->fd, SHUT_RDWR);
}

enum rl_client_state rl_message_client_state(const struct rl_remote_connection *connection)
{
    if (connection->gives_way) return RL_CLIENT_GIVES_WAY;
    return connection->is_ended ? RL_CLIENT_GONE : RL_CLIENT_GOES_ON;
}

enum rl_client_state rl_message_client_receive(struct rl_remote_connection *connection,
                                               bool takes_all, const struct rl_reply_wait *wait)
{
    enum rl_channel_result result = RL_CHANNEL_DONE;
    int most = takes_all ? MOST_WAITING : PACKETS_AT_ONCE;
    for (int i = 0; result == RL_CHANNEL_DONE && i < most; i++) {
        if (wait && wait->is_over) break;
        result = connection->is_ended ? RL_CHANNEL_CLOSED : receive_packet(connection);
    }
    if (connection->gives_way && result == RL_CHANNEL_CLOSED) end_remote_connection(connection);
    if (connection->gives_way && result != RL_CHANNEL_FAILED) return RL_CLIENT_GIVES_WAY;
    bool goes_on = result == RL_CHANNEL_DONE || result == RL_CHANNEL_AGAIN;
    return goes_on ? RL_CLIENT_GOES_ON : RL_CLIENT_GONE;
}

uint64_t rl_message_client_begin_parts(struct rl_remote_connection *connection)
{
    if (connection->is_sending_parts) return 0;
    connection->is_sending_parts = true;
    return ++connection->last_serial;
}

void rl_message_client_end_parts(struct rl_remote_connection *connection)
{
    connection->is_sending_parts = false;
}

static int add_to_set(struct rl_message_client *client)
{
    return rl_kernel_poll_add(atomic_load(&client->watch_set), client->current->fd, RL_KERNEL_READ,
                              0);
}

void rl_message_client_unwatch(struct rl_message_client *client,
                               const struct rl_remote_connection *connection)
{
    int set = atomic_load(&client->watch_set);
    if (set >= 0 && client->current == connection) rl_kernel_poll_remove(set, connection->fd);
}

void rl_message_client_replace(struct rl_message_client *client,
                               struct rl_remote_connection *replaced, int fd)
{
    if (client->current != replaced) {
        rl_kernel_close(&fd);
        return;
    }
    rl_message_client_unwatch(client, replaced);
    make_current(client, fd);
    rl_message_client_end_use(client, replaced);
    if (atomic_load(&client->watch_set) >= 0) (void)add_to_set(client);
    announce_watching(client, client->current);
}

int rl_message_client_watch(struct rl_message_client *client)
{
    if (!client->current || atomic_load(&client->watch_set) >= 0) return 0;
    int set = rl_kernel_make_poll_set();
    if (set < 0) return set;
    atomic_store(&client->watch_set, set);
    int result = add_to_set(client);
    if (result == 0) {
        announce_watching(client, client->current);
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

void rl_message_client_end(struct rl_message_client *client)
{
    struct rl_remote_connection *connection;
    TAILQ_FOREACH(connection, &client->connections, link) end_remote_connection(connection);
    connection = client->current;
    client->current = NULL;
    if (connection) rl_message_client_end_use(client, connection);
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
        connection->is_ended = true;
        if (inert >= 0) dup3(inert, connection->fd, O_CLOEXEC);
    }
    int set = atomic_load(&client->watch_set);
    if (inert >= 0 && set >= 0) dup3(inert, set, O_CLOEXEC);
}
