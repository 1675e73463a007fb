/*
 * Floods of requests, of replies and of Mach messages.
 */

#include "../messages/mach_words.h"
#include "../messages/message_words.h"
#include "../messages/raw_messages.h"
#include "../notifications/notification_words.h"
#include "flood_words.h"
#include "queues.h"
#include "scenario.h"

#include <poll.h>
#include <sys/un.h>

/* --- Requests --------------------------------------------------------------------------------- */

/* Another port of the loop is asked and answers, again and again. */
static void start_other_port(void)
{
    serve("neighbor", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local, (void)id;
        return echo(data);
    });
    RLMessagePortRef remote = remote_port("neighbor");
    take_turns(TURNS, ^{
        RLDataRef reply = NULL;
        SInt32 result =
            RLMessagePortSendRequest(remote, 1, NULL, 1e10, 1e10, string_named("REPLY"), &reply);
        check(result == kRLMessagePortSuccess && reply);
        if (reply) RLRelease(reply);
    });
}

static RLMessagePortRef serve_flooded_port(void)
{
    use_own_folder();
    start_other_port();
    return serve("flooded", ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        (void)local, (void)id, (void)data;
        take_portion();
        return NULL;
    });
}

static void set_no_wait(int handle)
{
    check(fcntl(handle, F_SETFL, O_NONBLOCK) == 0);
}

/* Sends a packet of the connection, or of one that takes its place when it is closed. */
static bool send_packet(int *connection, const void *packet, size_t length, int file)
{
    if (*connection < 0) *connection = raw_connect("flooded");
    set_no_wait(*connection);
    if (raw_send(*connection, packet, length, file, file >= 0) >= 0) return true;
    if (errno == EPIPE || errno == ECONNRESET) {
        close(*connection);
        *connection = -1;
        return true;
    }
    return await_room(*connection);
}

static flooder message_flooder(const struct raw_packet *packet, size_t length, int file)
{
    struct raw_packet *own = malloc(sizeof *own);
    int *connection = malloc(sizeof *connection);

    *own = *packet;
    *connection = -1;
    at_end(^{
        free(own);
        if (*connection >= 0) close(*connection);
        free(connection);
    });
    return flood_by(^bool {
        own->serial++;
        return send_packet(connection, own, length, file);
    });
}

FLOOD(flood_of_messages, "A message port delivers one message at a time", SMALL_UNITS, 1)
{
    serve_flooded_port();
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_request, .total = 4};
    return message_flooder(&packet, raw_header + 4, -1);
}

/* First parts of messages, each of which replaces the one before it. */
FLOOD(flood_of_parts, "Parts of messages that never become whole do not hold the loop", SMALL_UNITS,
      1)
{
    serve_flooded_port();
    take_portion();
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_request, .total = 150000};
    return message_flooder(&packet, raw_header + sizeof packet.payload, -1);
}

FLOOD(flood_of_garbage, "Peers of a message port that send garbage do not hold the loop",
      LARGE_UNITS, 1)
{
    serve_flooded_port();
    take_portion();
    const struct raw_packet packet = {.magic = 1};
    return message_flooder(&packet, 50, -1);
}

enum { LARGEST = 64 << 20 };

static int largest_file(size_t header)
{
    int file = seal(memory_file(header + LARGEST));

    at_end(^{ close(file); });
    return file;
}

FLOOD(flood_of_files, "Messages of the largest size do not hold the loop", HUGE_UNITS, 1)
{
    serve_flooded_port();
    const struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_request, .flags = raw_shared, .total = LARGEST};
    return message_flooder(&packet, raw_header, largest_file(0));
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
FLOOD(flood_of_messages_on_queue, "A message port on a dispatch queue holds neither", SMALL_UNITS,
      1)
{
    use_own_folder();
    start_other_port();
    struct dispatch_queue_s *queue = make_queue(NULL);
    RLMessagePortRef port =
        RLMessagePortCreateLocal(NULL, string_named("flooded"), no_reply, NULL, NULL);

    RLMessagePortSetDispatchQueue(port, queue);
    share_queue(queue);
    take_portion();
    at_return(^{
        RLMessagePortInvalidate(port);
        dispatch_barrier_sync(queue, ^{});
        RLRelease(port);
    });
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_request, .total = 4};
    return message_flooder(&packet, raw_header + 4, -1);
}
#endif

/* --- Replies ---------------------------------------------------------------------------------- */

/* Makes the loop send requests to the flooding port forever, in the mode of all others. */
static void keep_asking(bool may_fail)
{
    RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named("flooded"));
        RLDataRef reply = NULL;
        SInt32 result =
            RLMessagePortSendRequest(remote, 1, NULL, 10, 0.02, kRLRunLoopDefaultMode, &reply);
        check(may_fail || result == kRLMessagePortSuccess ||
              result == kRLMessagePortReceiveTimeout);
        if (reply) RLRelease(reply);
        RLRelease(remote);
        if (!atomic_load(&flood_is_over)) keep_asking(may_fail);
    });
}

/* The reply of a foreign port, and its receiver. */
struct replier {
    struct raw_packet packet;
    size_t length;
    int listener, connection;
};

/* Accepts the connection of the loop, if there is none. Returns whether there is one. */
static bool await_asker(struct replier *replier)
{
    struct pollfd query = {.fd = replier->listener, .events = POLLIN};

    if (replier->connection >= 0) return true;
    poll(&query, 1, ROOM_WAIT_MS);
    replier->connection = accept4(replier->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return replier->connection >= 0;
}

static bool send_reply(struct replier *replier)
{
    struct raw_packet request;

    while (recv(replier->connection, &request, sizeof request, MSG_DONTWAIT) > 0) {
        replier->packet.serial = request.serial;
    }
    /* Every other reply is one that the loop waits for. */
    replier->packet.serial ^= UINT64_C(1) << 40;
    if (raw_send(replier->connection, &replier->packet, replier->length, -1, 0) >= 0) return true;
    if (errno != EPIPE && errno != ECONNRESET) return await_room(replier->connection);
    close(replier->connection);
    replier->connection = -1;
    return true;
}

static flooder reply_flooder(const struct raw_packet *packet, size_t length, bool may_fail)
{
    struct replier *replier = malloc(sizeof *replier);

    use_own_folder();
    start_other_port();
    struct sockaddr_un address = raw_address("flooded");
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    check(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    check(listen(listener, 8) == 0);
    *replier = (struct replier){*packet, length, listener, -1};
    at_end(^{
        close(listener);
        close(replier->connection);
        free(replier);
    });
    keep_asking(may_fail);
    /* No callback is called. */
    take_portion();
    return flood_by(^bool { return await_asker(replier) && send_reply(replier); });
}

FLOOD(flood_of_replies, "Replies do not hold a loop that asks, whether it waits for them or not",
      SMALL_UNITS, 1)
{
    const struct raw_packet packet = {.magic = raw_magic, .kind = raw_reply, .total = 4};
    return reply_flooder(&packet, raw_header + 4, false);
}

FLOOD(flood_of_reply_parts, "Nor do parts of replies that never become whole", SMALL_UNITS, 1)
{
    /* Sanitizers check all allocated memory. */
    const struct raw_packet packet = {
        .magic = raw_magic, .kind = raw_reply, .total = IS_SANITIZED ? 150000 : LARGEST};
    return reply_flooder(&packet, raw_header + sizeof packet.payload, false);
}

FLOOD(flood_of_reply_garbage, "Nor does what is no reply", LARGE_UNITS, 1)
{
    const struct raw_packet packet = {.magic = 1};
    return reply_flooder(&packet, 50, true);
}

/* --- Mach messages ---------------------------------------------------------------------------- */

static flooder mach_flooder(size_t length, int file)
{
    RLMachPortRef port = mach_port(^(RLMachMessageHeader *message) {
        (void)message;
        take_portion();
    });
    int sender = dup(RLMachPortGetPort(port));

    at_end(^{ close(sender); });
    set_no_wait(sender);
    if (length < raw_header) take_portion();
    return flood_by(^bool {
        const struct raw_packet packet = {
            .magic = raw_magic,
            .kind = raw_request,
            .flags = file >= 0 ? raw_shared : 0,
            .total = file >= 0 ? LARGEST : 0,
        };
        return raw_send(sender, &packet, length, file, file >= 0) >= 0 || await_room(sender);
    });
}

FLOOD(flood_of_mach_messages, "A Mach port delivers one message at a time", SMALL_UNITS, 1)
{
    return mach_flooder(raw_header, -1);
}

FLOOD(flood_of_mach_garbage, "What is no message of a Mach port does not hold the loop",
      SMALL_UNITS, 1)
{
    return mach_flooder(20, -1);
}

FLOOD(flood_of_mach_files, "Mach messages of the largest size do not hold the loop", HUGE_UNITS, 1)
{
    return mach_flooder(raw_header, largest_file(sizeof(RLMachMessageHeader)));
}

/* --- Notifications ---------------------------------------------------------------------------- */

FLOOD_IN(flood_of_notifications, main_thread, "NTFC-9",
         "Notifications of other processes are delivered one at a time", SMALL_UNITS, 1)
{
    /* As another process would send it: flags, a name of one byte, no object, no user info. */
    static const UInt8 packet[] = {0, 1, 1, 0, 0, 0, 'A', 0, 0};
    char name[64];

    use_own_folder();
    listen_far(distributed_center(), "A", NULL, 1,
               ^(RLStringRef called, const void *object, RLDictionaryRef info) {
                   (void)called, (void)object, (void)info;
                   take_portion();
               });
    snprintf(name, sizeof name, "corerunloop.notifications.%d", getpid());
    RLMessagePortRef remote = remote_port(name);
    RLDataRef data = RLDataCreate(NULL, packet, sizeof packet);
    at_end(^{ RLRelease(data); });
    /* No longer than for buffer space: after the flood, no thread reads. */
    const double wait = ROOM_WAIT_MS / 1e3;
    return flood_by(^bool {
        return RLMessagePortSendRequest(remote, 1, data, wait, 0, NULL, NULL) ==
               kRLMessagePortSuccess;
    });
}
