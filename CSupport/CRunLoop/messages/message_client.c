/*
 * Receiving replies, and telling those who wait for them.
 *
 * Whoever finds a packet takes it, whether it is for him or for another thread or an outer run: it
 * is stored with the wait, and the loop that waits is woken.
 */

#include "base/system.h"

#include "messages/message_client.h"

#include "base/check.h"
#include "base/kernel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* What one call receives at most before others have their turn. */
enum { PACKETS_AT_ONCE = 64 };

void rl_message_client_open(struct rl_message_client *client, int fd)
{
    fcntl(fd, F_SETFL, O_NONBLOCK);
    atomic_init(&client->fd, fd);
    TAILQ_INIT(&client->waits);
}

static void close_if_unused(struct rl_message_client *client)
{
    if (!client->is_ended || client->users > 0) return;
    int fd = atomic_exchange(&client->fd, -1);
    rl_kernel_close(&fd);
    rl_wire_stop_wanting(&client->assembly);
}

bool rl_message_client_begin_use(struct rl_message_client *client)
{
    if (client->is_ended) return false;
    client->users++;
    return true;
}

void rl_message_client_end_use(struct rl_message_client *client)
{
    client->users--;
    close_if_unused(client);
}

void rl_message_client_begin_wait(struct rl_message_client *client, struct rl_reply_wait *wait)
{
    wait->serial = ++client->last_serial;
    TAILQ_INSERT_TAIL(&client->waits, wait, link);
}

static struct rl_reply_wait *find_wait(struct rl_message_client *client, uint64_t serial)
{
    struct rl_reply_wait *wait;
    TAILQ_FOREACH(wait, &client->waits, link) {
        if (wait->serial == serial && !wait->is_over) return wait;
    }
    return NULL;
}

void rl_message_client_end_wait(struct rl_message_client *client, struct rl_reply_wait *wait)
{
    TAILQ_REMOVE(&client->waits, wait, link);
    struct rl_wire_assembly *assembly = &client->assembly;
    if (assembly->is_under_way && assembly->first.serial == wait->serial) {
        rl_wire_stop_wanting(assembly);
    }
}

static void end_wait_with(struct rl_reply_wait *wait, SInt32 result, RLDataRef reply)
{
    wait->result = result;
    wait->reply = reply;
    wait->is_over = true;
    if (wait->is_awake) return;
    RLRunLoopSourceSignalAndWakeUp(wait->waker, wait->loop);
}

static void deliver(struct rl_message_client *client)
{
    struct rl_wire_packet first = client->assembly.first;
    bool is_wanted = client->assembly.is_wanted;
    uint8_t *bytes = rl_wire_take(&client->assembly);
    struct rl_reply_wait *wait = is_wanted ? find_wait(client, first.serial) : NULL;
    if (!wait) {
        RL_ASSERT(!bytes);
    } else if (first.flags & RL_WIRE_HAS_FAILED) {
        end_wait_with(wait, kRLMessagePortTransportError, NULL);
    } else {
        RLDataRef reply =
            RLDataCreateWithBytesNoCopy(NULL, bytes, (RLIndex)first.total, kRLAllocatorDefault);
        end_wait_with(wait, kRLMessagePortSuccess, reply);
    }
}

/* Apart from its caller's stack, which nested runs may make deep. */
__attribute__((noinline)) static enum rl_channel_result
receive_packet(struct rl_message_client *client)
{
    struct rl_channel_packet received;
    struct rl_wire_assembly *assembly = &client->assembly;
    enum rl_channel_result result = rl_channel_receive(atomic_load(&client->fd), &received);
    if (result != RL_CHANNEL_DONE) return result;
    rl_channel_close(received.descriptors, received.descriptor_count);
    bool is_wanted = rl_wire_begins(assembly) && find_wait(client, received.packet.serial) != NULL;
    enum rl_wire_progress progress = rl_wire_add(assembly, &received.packet, is_wanted);
    if (progress == RL_WIRE_COMPLETE) deliver(client);
    return progress == RL_WIRE_BROKEN ? RL_CHANNEL_FAILED : RL_CHANNEL_DONE;
}

bool rl_message_client_receive(struct rl_message_client *client)
{
    if (client->is_ended) return false;
    for (int i = 0; i < PACKETS_AT_ONCE; i++) {
        enum rl_channel_result result = receive_packet(client);
        if (result == RL_CHANNEL_AGAIN) return true;
        if (result != RL_CHANNEL_DONE) return false;
    }
    return true;
}

void rl_message_client_end(struct rl_message_client *client)
{
    if (client->is_ended) return;
    client->is_ended = true;
    struct rl_reply_wait *wait;
    TAILQ_FOREACH(wait, &client->waits, link) {
        if (!wait->is_over) end_wait_with(wait, kRLMessagePortBecameInvalidError, NULL);
    }
    /* Whoever waits for room to send is woken by this. */
    shutdown(atomic_load(&client->fd), SHUT_RDWR);
    close_if_unused(client);
}

void rl_message_client_free(struct rl_message_client *client)
{
    client->is_ended = true;
    close_if_unused(client);
}

void rl_message_client_leave_to_parent(struct rl_message_client *client, int inert)
{
    client->is_ended = true;
    if (inert >= 0 && atomic_load(&client->fd) >= 0) {
        dup3(inert, atomic_load(&client->fd), O_CLOEXEC);
    }
}
