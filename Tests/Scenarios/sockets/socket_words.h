/*
 * The parts of scenarios of sockets: sockets whose callbacks are traced, and addresses.
 */

#ifndef SCENARIOKIT_SOCKET_WORDS_H
#define SCENARIOKIT_SOCKET_WORDS_H

#include "words.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

/* The callback of a socket; `data` is as in its callback. */
typedef void (^socket_action)(RLSocketRef socket, unsigned long type, const void *data);

/* The info of a socket. */
struct socket_gadget {
    const char *name;
    bool quiet;
    socket_action called;
};

static inline const void *socket_retain(const void *info)
{
    note("%s retained", ((const struct socket_gadget *)info)->name);
    return info;
}

static inline void socket_release(const void *info)
{
    note("%s released", ((const struct socket_gadget *)info)->name);
}

static inline void socket_called(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                                 const void *data, void *info)
{
    struct socket_gadget *gadget = info;

    switch (gadget->quiet ? 0 : (unsigned long)type) {
    case 0: break;
    case kRLSocketReadCallBack: note("%s read", gadget->name); break;
    case kRLSocketAcceptCallBack:
        note("%s accept%s", gadget->name, address ? "" : " from nobody");
        break;
    case kRLSocketDataCallBack:
        note("%s data %ld%s", gadget->name, (long)RLDataGetLength(data), address ? "" : " bare");
        break;
    case kRLSocketConnectCallBack:
        note("%s connect %s", gadget->name, data ? strerrorname_np(*(const int32_t *)data) : "ok");
        break;
    case kRLSocketWriteCallBack: note("%s write", gadget->name); break;
    default: note("unknown type"); break;
    }
    if (gadget->called) gadget->called(socket, type, data);
}

/* The context of a socket with a name. */
static inline RLSocketContext socket_context(const char *name, bool logs_references,
                                             socket_action called)
{
    struct socket_gadget *gadget = calloc(1, sizeof(*gadget));

    gadget->name = name;
    gadget->quiet = name == NULL;
    gadget->called = copied((const void *)called);
    at_end(^{
        release_block((const void *)gadget->called);
        free(gadget);
    });
    return (RLSocketContext){
        .info = gadget,
        .retain = logs_references ? socket_retain : NULL,
        .release = logs_references ? socket_release : NULL,
    };
}

/* Invalidates and releases a socket when the scenario returns. */
static inline RLSocketRef kept_socket(RLSocketRef socket)
{
    if (socket) {
        at_return(^{
            RLSocketInvalidate(socket);
            RLRelease(socket);
        });
    }
    return socket;
}

/* A socket of a native handle, which it closes. */
static inline RLSocketRef native_socket(const char *name, int handle, unsigned long types,
                                        socket_action called)
{
    RLSocketContext context = socket_context(name, false, called);

    return kept_socket(RLSocketCreateWithNative(NULL, handle, types, socket_called, &context));
}

/* A fresh TCP socket. */
static inline RLSocketRef fresh_socket(const char *name, unsigned long types, socket_action called)
{
    RLSocketContext context = socket_context(name, false, called);

    return kept_socket(RLSocketCreate(NULL, 0, 0, 0, types, socket_called, &context));
}

/* Adds a socket to a mode of this thread's loop. */
static inline RLRunLoopSourceRef add_socket(RLSocketRef socket, const char *mode)
{
    RLRunLoopSourceRef source = RLSocketCreateRunLoopSource(NULL, socket, 0);

    add_source(source, mode);
    at_return(^{ RLRelease(source); });
    return source;
}

/* An address as data, released when the scenario returns. */
static inline RLDataRef address_data(const void *address, size_t length)
{
    RLDataRef data = RLDataCreate(NULL, address, (long)length);

    at_return(^{ RLRelease(data); });
    return data;
}

/* A free port of this machine. */
static inline RLDataRef loopback_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    return address_data(&address, sizeof(address));
}

/* A socket that listens at a free port, in the default mode. */
static inline RLSocketRef listening_socket(const char *name, socket_action called,
                                           RLDataRef *ret_address)
{
    RLSocketRef socket = fresh_socket(name, kRLSocketAcceptCallBack, called);

    check(RLSocketSetAddress(socket, loopback_address()) == kRLSocketSuccess);
    *ret_address = RLSocketCopyAddress(socket);
    RLDataRef address = *ret_address;
    at_return(^{ RLRelease(address); });
    add_socket(socket, "DEF");
    return socket;
}

/* A pair of connected handles; a socket takes the first one. */
static inline int *handle_pair(int type)
{
    int *ends = malloc(2 * sizeof(*ends));

    check(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0);
    at_end(^{
        if (ends[1] >= 0) close(ends[1]);
        free(ends);
    });
    return ends;
}

static inline void hang_up(int *ends)
{
    close(ends[1]);
    ends[1] = -1;
}

static inline void write_text(int handle, const char *text)
{
    check(write(handle, text, strlen(text)) == (ssize_t)strlen(text));
}

static inline RLDataRef data_of_text(const char *text)
{
    return address_data(text, strlen(text));
}

/** An address without a listener: one that was in use a moment ago. */
static inline RLDataRef dead_address(void)
{
    RLSocketRef socket = RLSocketCreate(NULL, 0, 0, 0, 0, NULL, NULL);

    check(RLSocketSetAddress(socket, loopback_address()) == kRLSocketSuccess);
    RLDataRef address = RLSocketCopyAddress(socket);
    RLSocketInvalidate(socket);
    RLRelease(socket);
    at_return(^{ RLRelease(address); });
    return address;
}

/** A unique Unix name; its handle is not closed. */
static inline RLDataRef unix_name(const char *what, int type, int *ret_handle)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "scenario of %s %d", what,
             getpid());
    RLDataRef name = address_data(&address, offsetof(struct sockaddr_un, sun_path) + 1 +
                                                strlen(address.sun_path + 1));
    *ret_handle = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    check(bind(*ret_handle, (const struct sockaddr *)RLDataGetBytePtr(name),
               (socklen_t)RLDataGetLength(name)) == 0);
    return name;
}

static inline int port_of(RLDataRef address)
{
    return ntohs(((const struct sockaddr_in *)RLDataGetBytePtr(address))->sin_port);
}

#endif
