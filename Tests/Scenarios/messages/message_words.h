/*
 * Words for scenarios about message ports: ports that log, and servers in other processes.
 *
 * A server process is forked before its parent has a port, and reports to it by a pipe.
 */

#ifndef SCENARIOKIT_MESSAGE_WORDS_H
#define SCENARIOKIT_MESSAGE_WORDS_H

#include "words.h"

#include <CRunLoop/RLMessagePort.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/un.h>

/** The action of a local port for a message: returns an owned reply, or null. */
typedef RLDataRef (^message_body)(RLMessagePortRef local, int id, RLDataRef data);

static inline RLDataRef message_perform(RLMessagePortRef local, SInt32 id, RLDataRef data,
                                        void *info)
{
    return ((message_body)info)(local, id, data);
}

static inline RLDataRef bytes(const char *characters)
{
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)characters, (long)strlen(characters));

    at_return(^{ RLRelease(data); });
    return data;
}

/** Makes a local port and serves it in the default mode of this thread's loop. */
static inline RLMessagePortRef serve(const char *name, message_body body)
{
    RLMessagePortContext context = {
        .info = copied((const void *)body), .retain = NULL, .release = release_block};
    RLMessagePortRef port =
        RLMessagePortCreateLocal(NULL, string_named(name), message_perform, &context, NULL);

    if (!port) {
        note("no port %s", name);
        return NULL;
    }
    RLRunLoopSourceRef source = RLMessagePortCreateRunLoopSource(NULL, port, 0);
    add_source(source, "DEF");
    RLRelease(source);
    at_return(^{
        RLMessagePortInvalidate(port);
        RLRelease(port);
    });
    return port;
}

static inline RLMessagePortRef remote_port(const char *name)
{
    RLMessagePortRef port = RLMessagePortCreateRemote(NULL, string_named(name));

    if (port) at_return(^{ RLRelease(port); });
    return port;
}

static inline const char *name_of_send(int result)
{
    static const char *const names[] = {"Success",   "SendTimeout",    "ReceiveTimeout",
                                        "IsInvalid", "TransportError", "BecameInvalid"};
    return result <= 0 && result >= -5 ? names[-result] : "unknown";
}

/** Sends a request and waits in mode "REPLY"; the reply is the scenario's. */
static inline int ask(RLMessagePortRef remote, int id, RLDataRef data, RLDataRef *ret_reply)
{
    RLDataRef reply = NULL;
    int result =
        RLMessagePortSendRequest(remote, id, data, 600, 600, string_named("REPLY"), &reply);

    if (reply) at_return(^{ RLRelease(reply); });
    if (ret_reply) *ret_reply = reply;
    return result;
}

/** A reply of the same bytes, in an object of its own. */
static inline RLDataRef echo(RLDataRef data)
{
    return RLDataCreate(NULL, RLDataGetBytePtr(data), RLDataGetLength(data));
}

/** A process with an action; it is killed at the scenario's end. `ready` notifies the parent. */
static inline pid_t start_process(void (^body)(void (^ready)(void)))
{
    int report[2];

    check(pipe2(report, O_CLOEXEC) == 0);
    pid_t process = fork();
    int reporter = report[1];
    if (process == 0) {
        close(report[0]);
        body(^{
            if (write(reporter, "r", 1) != 1) _exit(1);
        });
        _exit(0);
    }
    char byte;
    close(report[1]);
    bool is_ready = read(report[0], &byte, 1) == 1;
    check(is_ready);
    /* There is no server: the rest would wait until its time is over. */
    if (!is_ready) end_in_failure();
    close(report[0]);
    at_end(^{
        /* Unless the scenario has seen its end. */
        if (waitpid(process, NULL, WNOHANG) != 0) return;
        kill(process, SIGKILL);
        waitpid(process, NULL, 0);
    });
    return process;
}

/** A process that serves a port until it is killed. */
static inline pid_t start_server(const char *name, message_body body)
{
    return start_process(^(void (^ready)(void)) {
        if (!serve(name, body)) _exit(1);
        ready();
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e10, false);
    });
}

/** Pipes by which processes notify each other. */
static inline void await_byte(int descriptor)
{
    char byte;

    check(read(descriptor, &byte, 1) == 1);
}

static inline void send_byte(int descriptor)
{
    check(write(descriptor, "x", 1) == 1);
}

/** Waits for the death of a process that was ordered to die. */
static inline void kill_and_wait(pid_t process)
{
    check(kill(process, SIGKILL) == 0);
    check(waitpid(process, NULL, 0) == process);
}

/** Data of a given length; each byte is a function of its index. */
static inline RLDataRef pattern(long length)
{
    UInt8 *memory = malloc(length > 0 ? (size_t)length : 1);

    for (long index = 0; index < length; index++) memory[index] = (UInt8)(index * 7 + index / 251);
    return RLDataCreateWithBytesNoCopy(NULL, memory, length, kRLAllocatorDefault);
}

/* Of the engine's resources. */

static inline RLDataRef no_reply(RLMessagePortRef local, SInt32 id, RLDataRef data, void *info)
{
    return NULL;
}

static inline RLMessagePortRef make_local(const char *name)
{
    RLMessagePortRef port =
        RLMessagePortCreateLocal(NULL, name ? string_named(name) : NULL, no_reply, NULL, NULL);

    if (port) {
        at_return(^{
            RLMessagePortInvalidate(port);
            RLRelease(port);
        });
    }
    return port;
}

static inline int count_files(const char *folder)
{
    char command[PATH_MAX], answer[32] = "";

    snprintf(command, sizeof(command), "find '%s' -not -type d | wc -l", folder);
    FILE *output = popen(command, "r");
    check(fgets(answer, sizeof(answer), output) != NULL);
    pclose(output);
    return atoi(answer);
}

/** A server that echoes, and reports on itself: 100 its descriptors, 101 its used kilobytes. */
static inline pid_t start_echo(const char *name)
{
    return start_server(name, ^RLDataRef(RLMessagePortRef local, int id, RLDataRef data) {
        if (id == 99) return pattern(1 << 20);
        if (id < 100) return echo(data);
        long number = id == 100 ? count_descriptors() : (long)(mallinfo2().uordblks / 1024);
        return RLDataCreate(NULL, (const UInt8 *)&number, sizeof(number));
    });
}

static inline long ask_number(RLMessagePortRef remote, int id)
{
    RLDataRef reply = NULL;
    long number = -1;

    if (ask(remote, id, NULL, &reply) != 0 || !reply) return -1;
    memcpy(&number, RLDataGetBytePtr(reply), sizeof(number));
    return number;
}

/** A process that sends a message, which needs no reply, and stays. */
static inline void start_sender(const char *name, int id)
{
    start_process(^(void (^ready)(void)) {
        RLMessagePortRef remote = RLMessagePortCreateRemote(NULL, string_named(name));
        if (RLMessagePortSendRequest(remote, id, NULL, 10, 1, NULL, NULL) != 0) _exit(1);
        ready();
        pause();
    });
}

static inline void port_invalidated(RLMessagePortRef port, void *info)
{
    note("notified, %s", info ? (const char *)info : "no info");
    check(!RLMessagePortIsValid(port));
    if (!info) return;
    /* The name is free already. */
    RLMessagePortRef next =
        RLMessagePortCreateLocal(NULL, string_named("order"), no_reply, NULL, NULL);
    check(next && next != port);
    if (next) RLRelease(next);
}

#endif
