/*
 * Message ports: a server in the loop of this thread, whose clients are other threads.
 */

#define _GNU_SOURCE

#include "inject.h"
#include "workload.h"

#include <dispatch/dispatch.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 300000 };

static atomic_int received, invalid;

static RLDataRef answer(RLMessagePortRef local, SInt32 number, RLDataRef data, void *info)
{
    SInt32 descriptors[4];
    RLIndex count = RLMessagePortTakeDescriptors(local, descriptors, 4);
    for (RLIndex i = 0; i < count; i++) close(descriptors[i]);
    received++;
    RLIndex length = data ? RLDataGetLength(data) : 0;
    UInt8 *bytes = calloc(1, LARGE);
    RLDataRef reply = RLDataCreate(NULL, bytes, number == 2 ? LARGE : length % 1000 + 1);
    free(bytes);
    return reply;
}

static void note_invalid(RLMessagePortRef port, void *info)
{
    invalid++;
}

static RLDataRef make_data(size_t length)
{
    UInt8 *bytes = calloc(1, length);
    RLDataRef data = RLDataCreate(NULL, bytes, (RLIndex)length);
    free(bytes);
    return data;
}

/* Whether a request was answered. The interface reports errors; time-outs are errors too. */
static bool ask(RLMessagePortRef remote, SInt32 number, size_t length, bool wants_reply, int fd)
{
    RLDataRef data = make_data(length), reply = NULL;
    double patience = work_patience(fault_has_struck() ? 0.06 : 0.5);
    SInt32 result = RLMessagePortSendRequestWithDescriptors(
        remote, number, data, &fd, fd < 0 ? 0 : 1, number == 6 ? 0 : patience, patience,
        wants_reply ? kRLRunLoopDefaultMode : NULL, wants_reply ? &reply : NULL);
    RLRelease(data);
    bool is_done = result == kRLMessagePortSuccess;
    if (is_done && wants_reply) {
        is_done =
            reply && RLDataGetLength(reply) == (number == 2 ? LARGE : (RLIndex)length % 1000 + 1);
    }
    if (reply) RLRelease(reply);
    return work_did(is_done, "RLMessagePortSendRequest");
}

static void be_client(RLStringRef name, int fd)
{
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, name);
    if (!work_got(remote, "RLMessagePortCreateRemote")) return;
    RLMessagePortSetInvalidationCallBack(remote, note_invalid);
    RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);
    if (work_got(source, "RLMessagePortCreateInvalidationSource")) {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    }
    ask(remote, 1, 10, true, -1);
    ask(remote, 2, 20, true, -1);
    ask(remote, 3, 30, false, -1);
    ask(remote, 4, LARGE, true, -1);
    ask(remote, 5, 50, true, fd);
    /* There is no time for parts, and then more of them than there is room for. */
    ask(remote, 6, LARGE, true, fd);
    ask(remote, 7, 4 * LARGE, true, fd);
    if (source) {
        RLRunLoopSourceInvalidate(source);
        RLRelease(source);
    }
    RLMessagePortInvalidate(remote);
    RLRelease(remote);
}

void part_messages(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    received = 0;
    RLMessagePortRef local = RLMessagePortCreateLocal(NULL, RLSTR("server"), answer, NULL, NULL);
    if (!work_got(local, "RLMessagePortCreateLocal")) return;
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, local, 0);
    if (work_got(source, "RLMessagePortCreateRunLoopSource")) {
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        __block atomic_bool is_done = false;
        __block int fd;
        fault_spare(^{ fd = dup(STDERR_FILENO); });
        pthread_t helper = begin_thread(^{
            work_await_sleep(loop);
            be_client(RLSTR("server"), fd);
            is_done = true;
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ work_stop(loop); });
            RLRunLoopWakeUp(loop);
        });
        work_wait(^bool { return is_done; }, "the client comes to its end");
        pthread_join(helper, NULL);
        close(fd);
        work_should(received >= 7, "messages arrive");
        work_rest();
        RLRelease(source);
    }
    RLMessagePortInvalidate(local);
    RLRelease(local);
}

void work_leave_lock(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/corerunloop", work_folder());
    mkdir(path, 0700);
    strcat(path, "/lold");
    fault_spare(^{ close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600)); });
}

/* Names that are given, changed and taken, a server on a queue, and a server that goes. */
void part_names(void)
{
    work_leave_lock();
    received = invalid = 0;
    RLMessagePortRef local = RLMessagePortCreateLocal(NULL, RLSTR("first"), answer, NULL, NULL);
    if (!work_got(local, "RLMessagePortCreateLocal")) return;
    work_did(RLMessagePortSetName(local, RLSTR("a name/with a slash")), "RLMessagePortSetName");
    RLMessagePortRef other = RLMessagePortCreateLocal(NULL, NULL, answer, NULL, NULL);
    if (work_got(other, "RLMessagePortCreateLocal")) {
        work_must(!RLMessagePortSetName(other, RLMessagePortGetName(local)),
                  "a name is taken once");
        work_did(RLMessagePortSetName(other, RLSTR("second")), "RLMessagePortSetName");
        RLMessagePortInvalidate(other);
        RLRelease(other);
    }
    dispatch_queue_t queue = dispatch_queue_create("faults", NULL);
    RLMessagePortSetDispatchQueue(local, (struct dispatch_queue_s *)queue);
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLMessagePortGetName(local));
    if (work_got(remote, "RLMessagePortCreateRemote")) {
        RLMessagePortSetInvalidationCallBack(remote, note_invalid);
        ask(remote, 1, 10, true, -1);
        RLRunLoopSourceRef source = RLMessagePortCreateInvalidationSource(NULL, remote, 0);
        if (work_got(source, "RLMessagePortCreateInvalidationSource")) {
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
        }
        RLMessagePortInvalidate(local);
        /* A client that does not notice in the loop notices when it sends. */
        for (int turn = 1; turn < 2000 && !invalid; turn++) {
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, true);
            if (!source || turn % 20 == 0) {
                RLMessagePortSendRequest(remote, 1, NULL, 0.05, 0.05, NULL, NULL);
            }
        }
        work_must(invalid == 1, "the end of a server is reported");
        if (source) {
            RLRunLoopSourceInvalidate(source);
            RLRelease(source);
        }
        RLRelease(remote);
    }
    RLMessagePortInvalidate(local);
    RLRelease(local);
    dispatch_sync_f(queue, NULL, free);
    dispatch_release(queue);
}

/* --- Crowds ----------------------------------------------------------------------------------- */

/* Three times as many as a port takes of one process. */
enum { CROWD = 12, DISMISSED = 7 };

/* A silent connection. */
static int connect_to_port(const char *file)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    __block int fd;
    fault_spare(^{ fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); });
    snprintf(address.sun_path, sizeof address.sun_path, "%s/corerunloop/%s", work_folder(), file);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

/* Makes earlier connections yield: most of these yield, too, to the last ones. */
static void crowd(const char *file)
{
    int fds[CROWD];
    for (int i = 0; i < CROWD; i++) fds[i] = connect_to_port(file);
    struct pollfd query = {.fd = fds[DISMISSED], .events = POLLIN};
    double patience = work_patience(fault_has_struck() ? 0.06 : 1.5);
    bool is_notified = poll(&query, 1, (int)(patience * 1000)) > 0;
    work_should(is_notified || fault_has_struck(), "an idle connection yields");
    for (int i = 0; i < CROWD; i++) {
        if (fds[i] >= 0) close(fds[i]);
    }
}

/* Sends to an unserved port until it is full. */
static void fill(RLMessagePortRef remote)
{
    RLDataRef data = make_data(30000);
    SInt32 result = kRLMessagePortSuccess;
    for (int i = 0; i < 500 && result == kRLMessagePortSuccess; i++) {
        result = RLMessagePortSendRequest(remote, 1, data, 0.01, 0, NULL, NULL);
    }
    RLRelease(data);
    if (result != kRLMessagePortSendTimeout) work_failed("RLMessagePortSendRequest");
}

static void send_again(RLMessagePortRef remote)
{
    ask(remote, 1, 10, true, -1);
    crowd("ncrowded");
    ask(remote, 1, 10, true, -1);
    crowd("ncrowded");
    /* At once, or not at all. */
    SInt32 result = RLMessagePortSendRequest(remote, 1, NULL, 0, 0, NULL, NULL);
    if (result != kRLMessagePortSuccess && result != kRLMessagePortSendTimeout) {
        work_failed("RLMessagePortSendRequest");
    }
    /* When this is answered, all others have been accepted. */
    ask(remote, 1, 10, true, -1);
    fault_hide_peers(true);
    crowd("ncrowded");
    fault_hide_peers(false);
}

/* The name is another port's by now. */
static void send_to_other(RLMessagePortRef local, RLMessagePortRef remote)
{
    crowd("ncrowded");
    if (!work_did(RLMessagePortSetName(local, RLSTR("moved")), "RLMessagePortSetName")) return;
    RLMessagePortRef other = RLMessagePortCreateLocal(NULL, RLSTR("crowded"), answer, NULL, NULL);
    if (!work_got(other, "RLMessagePortCreateLocal")) return;
    SInt32 result = RLMessagePortSendRequest(remote, 1, NULL, work_patience(0.2), 0, NULL, NULL);
    work_should(result == kRLMessagePortIsInvalid || fault_has_struck(),
                "a name that was given anew is another port's");
    RLMessagePortRef full = RLMessagePortCreateRemote(NULL, RLSTR("crowded"));
    if (work_got(full, "RLMessagePortCreateRemote")) {
        fill(full);
        RLRelease(full);
    }
    RLMessagePortInvalidate(other);
    RLRelease(other);
}

void part_crowds(void)
{
    RLMessagePortRef local = RLMessagePortCreateLocal(NULL, RLSTR("crowded"), answer, NULL, NULL);
    if (!work_got(local, "RLMessagePortCreateLocal")) return;
    dispatch_queue_t queue = dispatch_queue_create("faults", NULL);
    RLMessagePortSetDispatchQueue(local, (struct dispatch_queue_s *)queue);
    RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, RLSTR("crowded"));
    if (work_got(remote, "RLMessagePortCreateRemote")) {
        send_again(remote);
        send_to_other(local, remote);
        RLMessagePortInvalidate(remote);
        RLRelease(remote);
    }
    RLMessagePortInvalidate(local);
    RLRelease(local);
    dispatch_sync_f(queue, NULL, free);
    dispatch_release(queue);
}

/* --- Mach ports ------------------------------------------------------------------------------ */

static atomic_int delivered, ended;

static void deliver(RLMachPortRef port, void *message, RLIndex size, void *info)
{
    RLMachMessageHeader *header = message;
    if (header->replyPort >= 0) {
        RLMachMessageHeader reply = {.size = sizeof reply, .replyPort = -1};
        SInt32 result = RLMachPortSend(header->replyPort, &reply, 10);
        if (result != kRLMachPortSuccess) work_failed("RLMachPortSend");
    }
    delivered++;
    work_stop(RLRunLoopGetCurrent());
}

static void note_end(RLMachPortRef port, void *info)
{
    ended++;
    work_stop(RLRunLoopGetCurrent());
}

static RLMachPortRef serve_mach(RLMachPortRef port)
{
    if (!work_got(port, "RLMachPortCreate")) return NULL;
    RLMachPortSetInvalidationCallBack(port, note_end);
    RLRunLoopSourceRef source = RLMachPortCreateRunLoopSource(NULL, port, 0);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRelease(source);
    return port;
}

/* Sends a message, and waits until it and, if it has one, the answer to it have come. */
static void send_mach(RLMachPortName port, UInt32 length, RLMachPortName reply_port)
{
    RLMachMessageHeader *message = calloc(1, sizeof *message + length);
    *message = (RLMachMessageHeader){.size = sizeof *message + length, .replyPort = reply_port};
    int before = delivered, most = reply_port >= 0 ? 2 : 1;
    SInt32 result = RLMachPortSend(port, message, 10);
    if (result != kRLMachPortSuccess) work_failed("RLMachPortSend");
    free(message);
    work_wait_served(^bool { return delivered >= before + most; }, "a message of a Mach port");
}

static void fill_mach(RLMachPortName port)
{
    RLMachMessageHeader message = {.size = sizeof message, .replyPort = -1};
    SInt32 result = kRLMachPortSuccess;
    for (int i = 0; i < 100000 && result == kRLMachPortSuccess; i++) {
        result = RLMachPortSend(port, &message, 0.001);
    }
    if (result != kRLMachPortSendTimedOut) work_failed("RLMachPortSend");
}

void part_mach(void)
{
    RLMachPortRef port = serve_mach(RLMachPortCreate(NULL, deliver, NULL, NULL));
    if (port) {
        RLMachPortName name = RLMachPortGetPort(port);
        send_mach(name, 10, -1);
        send_mach(name, LARGE, -1);
        send_mach(name, 10, name);
        /* Invalid messages and invalid receivers. */
        RLMachMessageHeader message = {.size = sizeof message, .replyPort = 1 << 20};
        work_must(RLMachPortSend(name, &message, 0) != kRLMachPortSuccess, "a reply port");
        work_must(RLMachPortSend(1 << 20, &message, 0) != kRLMachPortSuccess, "a port");
        /* The fork handler closes the child's copies of the receiving ends. */
        pid_t child = fork();
        if (child == 0) _exit(0);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        work_must(status == 0, "a child forked beside a Mach port");
        work_rest();
        fill_mach(name);
        RLMachPortInvalidate(port);
        work_should(ended > 0, "an invalidation callback");
        RLRelease(port);
    }
    RLMachPortName receiver, sender;
    if (!work_did(RLMachPortCreatePair(&receiver, &sender), "RLMachPortCreatePair")) return;
    port = serve_mach(RLMachPortCreateWithPort(NULL, receiver, deliver, NULL, NULL));
    if (port) {
        send_mach(sender, 10, -1);
        work_should(send(sender, "", 0, MSG_NOSIGNAL) == 0, "an empty packet");
        send_mach(sender, 10, -1);
    }
    int before = ended;
    close(sender);
    if (port) {
        work_wait_served(^bool { return ended > before; }, "the end of a Mach port");
        RLMachPortInvalidate(port);
        RLRelease(port);
    }
    close(receiver);
}

/* --- Notifications ---------------------------------------------------------------------------- */

static void hear(RLNotificationCenterRef center, void *count, RLStringRef name, const void *object,
                 RLDictionaryRef info)
{
    (*(int *)count)++;
    work_stop(RLRunLoopGetMain());
}

static RLDataRef receive_other(RLMessagePortRef local, SInt32 number, RLDataRef data, void *info)
{
    received++;
    work_stop(RLRunLoopGetMain());
    return NULL;
}

/* To itself, which needs nothing, and to another process, which may miss some. */
void part_notifications(void)
{
    static int heard;
    RLNotificationCenterRef center = RLNotificationCenterGetDistributedCenter();
    RLNotificationCenterAddObserver(center, &heard, hear, RLSTR("A"), NULL,
                                    RLNotificationSuspensionBehaviorHold);
    /* Stands for another process; its name begins as theirs. */
    received = 0;
    RLMessagePortRef local = RLMessagePortCreateLocal(
        NULL, RLSTR("corerunloop.notifications.other"), receive_other, NULL, NULL);
    RLRunLoopSourceRef source = local ? RLMessagePortCreateRunLoopSource(NULL, local, 0) : NULL;
    if (source) RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    heard = 0;
    for (int i = 0; i < 3; i++) {
        RLNotificationCenterPostNotification(center, RLSTR("A"), RLSTR("x"), NULL, false);
    }
    work_wait(^bool { return heard == 3; }, "notifications of the process itself");
    if (work_got(source, "RLMessagePortCreateRunLoopSource") && work_is_strict()) {
        work_wait(^bool { return received == 3; }, "notifications of another process");
    }
    RLNotificationCenterRemoveEveryObserver(center, &heard);
    if (source) RLRunLoopSourceInvalidate(source);
    if (source) RLRelease(source);
    if (local) RLMessagePortInvalidate(local);
    if (local) RLRelease(local);
    /* The name is gone: so is the connection. */
    RLNotificationCenterPostNotification(center, RLSTR("B"), NULL, NULL, false);
    work_rest();
}
