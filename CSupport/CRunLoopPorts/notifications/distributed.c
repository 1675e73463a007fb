/*
 * The port of this process, which its main loop serves, and the ports of other processes to which
 * this process has posted.
 *
 * A thread that posts retains the port, so it holds the lock only while it uses the list of peers.
 * A process sends no notification to itself over a socket: the main thread could block on a full
 * buffer, and only the main thread empties this buffer.
 */

#include "notifications/distributed.h"

#include "base/fork.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "messages/message_folder.h"
#include "messages/message_name.h"
#include "messages/message_table.h"
#include "messages/remote_port.h"
#include "notifications/property_list.h"
#include "values/value.h"

#include <CRunLoop/RLMessagePort.h>
#include <CRunLoop/RLRunLoop.h>

#include <bsd/sys/queue.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PREFIX "corerunloop.notifications."

enum {
    NAME_SIZE = 64,
    /* Processes in different PID namespaces may have the same id, so each tries several names. */
    MOST_NAMESAKES = 16,
    MOST_PEERS = 256,
    /* The maximum number of names per post, including names of killed processes. */
    MOST_NAMES = 4096,
    /* The maximum size in bytes. A notification must fit into one packet of message ports. */
    MOST_BYTES = 64 << 10,
    /* A process queues its own notifications while its main loop does not run. */
    MOST_OWN = 1024,
    MESSAGE_ID = 1
};

struct peer {
    TAILQ_ENTRY(peer) link;
    char name[NAME_SIZE];
    RLMessagePortRef port;
    /* The number of the last post that found the name in the folder. */
    uint64_t seen;
    /* The last notification did not fit into the peer's queue: posts do not wait for it. */
    bool is_behind;
};

TAILQ_HEAD(peer_list, peer);

static struct {
    struct rl_lock lock;
    struct peer_list peers;
    uint64_t posts;
    /*
     * The number of forks when the structure was set up. If it differs from the current number, the
     * structure belongs to the parent.
     */
    unsigned fork_number;
    bool listens;
    RLMessagePortRef port;
} own = {.peers = TAILQ_HEAD_INITIALIZER(own.peers)};

static atomic_uint own_waiting;

void rl_distributed_prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&own.lock);
}

void rl_distributed_unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&own.lock);
}

static void free_peers(struct peer_list *list)
{
    struct peer *each;
    while ((each = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, each, link);
        RLRelease(each->port);
        free(each);
    }
}

/* Releases the invalid ports that a forked child has inherited. */
static void leave_to_parent(void)
{
    struct peer_list peers = TAILQ_HEAD_INITIALIZER(peers);
    RLMessagePortRef port = NULL;
    rl_fork_set_up();
    rl_lock(&own.lock);
    if (own.fork_number != rl_fork_number()) {
        TAILQ_CONCAT(&peers, &own.peers, link);
        port = own.port;
        own.port = NULL;
        own.listens = false;
        own.fork_number = rl_fork_number();
    }
    rl_unlock(&own.lock);
    free_peers(&peers);
    if (port) RLRelease(port);
}

/* --- Receiving ------------------------------------------------------------------------------- */

static void deliver_bytes(RLDataRef data)
{
    static atomic_bool has_warned;
    const uint8_t *bytes = RLDataGetBytePtr(data);
    /* Ignores a notification above the limit, which a peer may send. */
    RLIndex length = RLDataGetLength(data) <= MOST_BYTES ? RLDataGetLength(data) : 0;
    struct rl_property_list_reader reader = {.next = bytes, .end = bytes + length};
    unsigned flags = reader.next < reader.end ? *reader.next++ : 0;
    RLTypeRef name = rl_property_list_read(&reader), object = rl_property_list_read(&reader),
              info = rl_property_list_read(&reader);
    bool is_valid = !reader.has_failed && reader.next == reader.end && name &&
                    rl_is(name, RL_TYPE_STRING) && (!object || rl_is(object, RL_TYPE_STRING)) &&
                    (!info || rl_is(info, RL_TYPE_DICTIONARY));
    if (is_valid) {
        rl_notification_center_deliver(flags, name, object, info, (size_t)length);
    } else if (!atomic_exchange(&has_warned, true)) {
        rl_warn("RLNotificationCenter",
                "dropped an invalid message of another process: post notifications only by "
                "RLNotificationCenterPostNotification");
    }
    if (name) RLRelease(name);
    if (object) RLRelease(object);
    if (info) RLRelease(info);
}

static RLDataRef receive_notification(RLMessagePortRef local, SInt32 message_id, RLDataRef data,
                                      void *info)
{
    (void)local, (void)message_id, (void)info;
    deliver_bytes(data);
    return NULL;
}

/* Returns null if the system cannot create a port. */
static RLMessagePortRef make_own_port(void)
{
    for (int i = 0; i < MOST_NAMESAKES; i++) {
        char name[NAME_SIZE];
        int length = snprintf(name, NAME_SIZE, PREFIX "%ld", (long)getpid());
        if (i > 0) snprintf(name + length, (size_t)(NAME_SIZE - length), ".%d", i);
        RLStringRef string = rl_string_format("%s", name);
        Boolean was_there = false;
        RLMessagePortRef port =
            RLMessagePortCreateLocal(NULL, string, receive_notification, NULL, &was_there);
        RLRelease(string);
        if (port && !was_there) return port;
        if (port) RLRelease(port);
    }
    return NULL;
}

void rl_distributed_listen(void)
{
    leave_to_parent();
    rl_lock(&own.lock);
    /* Set even if no port can be made: a process needs none for its own notifications. */
    own.listens = true;
    bool has_port = own.port;
    rl_unlock(&own.lock);
    if (has_port) return;
    /* If the creation fails, the next observer tries again. */
    RLMessagePortRef port = make_own_port();
    RLRunLoopSourceRef source = port ? RLMessagePortCreateRunLoopSource(NULL, port, 0) : NULL;
    rl_lock(&own.lock);
    bool is_first = source && !own.port;
    if (is_first) own.port = port;
    rl_unlock(&own.lock);
    if (is_first) RLRunLoopAddSource(RLRunLoopGetMain(), source, kRLRunLoopCommonModes);
    /* Another thread has set a port before. */
    if (!is_first && port) RLMessagePortInvalidate(port);
    if (!is_first && port) RLRelease(port);
    if (source) RLRelease(source);
}

/* --- Posting --------------------------------------------------------------------------------- */

struct posting {
    RLDataRef data;
    uint64_t number;
    /* The deadline for waiting for receivers whose queues are full. */
    int64_t deadline_ns;
    unsigned names, receivers;
};

static struct peer *find_peer(const char *name) RL_REQUIRES(own.lock)
{
    struct peer *each;
    TAILQ_FOREACH(each, &own.peers, link) {
        if (strcmp(each->name, name) == 0) return each;
    }
    return NULL;
}

static RLMessagePortRef hold_peer(const char *name, uint64_t post, bool *ret_is_behind)
{
    rl_lock(&own.lock);
    struct peer *peer = find_peer(name);
    if (peer && peer->seen < post) peer->seen = post;
    RLMessagePortRef port = peer ? (RLMessagePortRef)(uintptr_t)RLRetain(peer->port) : NULL;
    *ret_is_behind = peer && peer->is_behind;
    rl_unlock(&own.lock);
    return port;
}

/* Returns a port that the caller owns, or null if no process has the name. */
static RLMessagePortRef meet_peer(const char *name, uint64_t post)
{
    RLStringRef string = rl_string_format("%s", name);
    /* Does not wait for a peer whose backlog is full. */
    RLMessagePortRef port = rl_remote_port_connect(string, 0, "RLNotificationCenter");
    RLRelease(string);
    if (!port) return NULL;
    struct peer *made = rl_allocate(sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->port = (RLMessagePortRef)(uintptr_t)RLRetain(port);
    made->seen = post;
    struct peer_list unused = TAILQ_HEAD_INITIALIZER(unused);
    rl_lock(&own.lock);
    /* Another thread may have added the same peer. */
    struct peer_list *list = find_peer(name) ? &unused : &own.peers;
    TAILQ_INSERT_TAIL(list, made, link);
    rl_unlock(&own.lock);
    free_peers(&unused);
    return port;
}

/* Records whether the peer is behind, and removes a peer whose port is invalid. */
static void note_result(const char *name, RLMessagePortRef port, SInt32 result)
{
    struct peer_list gone = TAILQ_HEAD_INITIALIZER(gone);
    rl_lock(&own.lock);
    struct peer *peer = find_peer(name);
    if (peer && peer->port == port) {
        peer->is_behind = result == kRLMessagePortSendTimeout;
        if (result == kRLMessagePortIsInvalid) {
            TAILQ_REMOVE(&own.peers, peer, link);
            TAILQ_INSERT_TAIL(&gone, peer, link);
        }
    }
    rl_unlock(&own.lock);
    free_peers(&gone);
}

static void send_to_name(const char *name, void *context)
{
    struct posting *self = context;
    bool is_meant = strncmp(name, PREFIX, sizeof PREFIX - 1) == 0 && strlen(name) < NAME_SIZE &&
                    !rl_message_table_has_local(name, receive_notification);
    if (!is_meant || self->names == MOST_NAMES || self->receivers == MOST_PEERS) return;
    self->names++;
    SInt32 result = kRLMessagePortIsInvalid;
    /* If the process of the name is gone, another process may have the name: retries once. */
    for (int i = 0; i < 2 && result == kRLMessagePortIsInvalid; i++) {
        bool is_behind = false;
        RLMessagePortRef port = hold_peer(name, self->number, &is_behind);
        if (!port) port = meet_peer(name, self->number);
        if (!port) return;
        double left = (double)(self->deadline_ns - rl_kernel_monotonic_ns()) / 1e9;
        result = RLMessagePortSendRequest(port, MESSAGE_ID, self->data,
                                          is_behind || left < 0 ? 0 : left, 0, NULL, NULL);
        note_result(name, port, result);
        RLRelease(port);
    }
    self->receivers++;
}

static void forget_absent(uint64_t post)
{
    struct peer_list gone = TAILQ_HEAD_INITIALIZER(gone);
    struct peer *each, *next;
    rl_lock(&own.lock);
    for (each = TAILQ_FIRST(&own.peers); each; each = next) {
        next = TAILQ_NEXT(each, link);
        if (each->seen >= post) continue;
        TAILQ_REMOVE(&own.peers, each, link);
        TAILQ_INSERT_TAIL(&gone, each, link);
    }
    rl_unlock(&own.lock);
    free_peers(&gone);
}

void rl_distributed_perform(void (*function)(void *info), void *info)
{
    RLRunLoopRef main = RLRunLoopGetMain();
    RLRunLoopPerformFunction(main, kRLRunLoopCommonModes, function, info);
    RLRunLoopWakeUp(main);
}

static void deliver_own(void *data)
{
    atomic_fetch_sub(&own_waiting, 1);
    /* A forked child inherits the parent's queue, but has no observer of its own yet. */
    leave_to_parent();
    rl_lock(&own.lock);
    bool listens = own.listens;
    rl_unlock(&own.lock);
    if (listens) deliver_bytes(data);
    RLRelease(data);
}

static void post_to_self(RLDataRef data)
{
    if (atomic_fetch_add(&own_waiting, 1) >= MOST_OWN) {
        atomic_fetch_sub(&own_waiting, 1);
        return;
    }
    rl_distributed_perform(deliver_own, (void *)(uintptr_t)RLRetain(data));
}

static void post_bytes(RLDataRef data)
{
    const int64_t patience_ns = 1000000000;
    struct posting posting = {.data = data, .deadline_ns = rl_kernel_monotonic_ns() + patience_ns};
    leave_to_parent();
    rl_lock(&own.lock);
    bool listens = own.listens;
    posting.number = ++own.posts;
    rl_unlock(&own.lock);
    if (listens) post_to_self(data);
    int folder = rl_message_folder_open();
    if (folder < 0) {
        rl_message_folder_explain("RLNotificationCenter");
        return;
    }
    rl_message_name_visit(folder, send_to_name, &posting);
    forget_absent(posting.number);
}

void rl_distributed_post(unsigned flags, RLStringRef name, RLStringRef object, RLDictionaryRef info,
                         const char *function)
{
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    RLDataAppendBytes(data, &(UInt8){(UInt8)flags}, 1);
    rl_property_list_append(data, name);
    rl_property_list_append(data, object);
    if (!rl_property_list_append(data, info) && RLDataGetLength(data) <= MOST_BYTES) {
        rl_client_error(function,
                        "argument `userInfo` is not a property list: pass only strings, numbers, "
                        "Booleans, data, dates, and arrays and dictionaries of these");
    }
    if (RLDataGetLength(data) <= MOST_BYTES) {
        post_bytes(data);
    } else {
        rl_warn(function,
                "the notification has %ld bytes and is not posted: post 64 KiB at most, or use a "
                "message port",
                RLDataGetLength(data));
    }
    RLRelease(data);
}
