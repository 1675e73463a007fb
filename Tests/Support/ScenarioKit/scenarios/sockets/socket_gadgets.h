/*
 * What scenarios of sockets are made of: sockets whose callbacks are traced, and addresses.
 */

#ifndef SCENARIOKIT_SOCKET_GADGETS_H
#define SCENARIOKIT_SOCKET_GADGETS_H

#include "words.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

/* What a socket calls; `data` is as in its callback. */
typedef void (^socket_action)(E(SocketRef) socket, unsigned long type, const void *data);

/* The info of a socket. */
struct socket_gadget {
    const char *name;
    bool quiet;
    socket_action called;
};

static const void *socket_retain(const void *info)
{
    note("%s retained", ((const struct socket_gadget *)info)->name);
    return info;
}

static void socket_release(const void *info)
{
    note("%s released", ((const struct socket_gadget *)info)->name);
}

static void socket_called(E(SocketRef) socket, E(SocketCallBackType) type, E(DataRef) address,
                          const void *data, void *info)
{
    struct socket_gadget *gadget = info;

    switch (gadget->quiet ? 0 : (unsigned long)type) {
    case 0: break;
    case K(SocketReadCallBack): note("%s read", gadget->name); break;
    case K(SocketAcceptCallBack):
        note("%s accept%s", gadget->name, address ? "" : " from nobody");
        break;
    case K(SocketDataCallBack):
        note("%s data %ld%s", gadget->name, (long)E(DataGetLength)(data), address ? "" : " bare");
        break;
    case K(SocketConnectCallBack):
        note("%s connect %s", gadget->name, data ? strerrorname_np(*(const int32_t *)data) : "ok");
        break;
    case K(SocketWriteCallBack): note("%s write", gadget->name); break;
    default: note("unknown type"); break;
    }
    if (gadget->called) gadget->called(socket, type, data);
}

/* The context of a socket with a name. */
static E(SocketContext) socket_context(const char *name, bool tells_references,
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
    return (E(SocketContext)){
        .info = gadget,
        .retain = tells_references ? socket_retain : NULL,
        .release = tells_references ? socket_release : NULL,
    };
}

/* Has a socket invalidated and released when the scenario returns. */
static E(SocketRef) kept_socket(E(SocketRef) socket)
{
    if (socket) {
        at_return(^{
            E(SocketInvalidate)(socket);
            E(Release)(socket);
        });
    }
    return socket;
}

/* A socket of a native handle, which it closes. */
static E(SocketRef) native_socket(const char *name, int handle, unsigned long types,
                                  socket_action called)
{
    E(SocketContext) context = socket_context(name, false, called);

    return kept_socket(E(SocketCreateWithNative)(NULL, handle, types, socket_called, &context));
}

/* A fresh TCP socket. */
static E(SocketRef) fresh_socket(const char *name, unsigned long types, socket_action called)
{
    E(SocketContext) context = socket_context(name, false, called);

    return kept_socket(E(SocketCreate)(NULL, 0, 0, 0, types, socket_called, &context));
}

/* Adds a socket to a mode of this thread's loop. */
static source_ref add_socket(E(SocketRef) socket, const char *mode)
{
    source_ref source = E(SocketCreateRunLoopSource)(NULL, socket, 0);

    add_source(source, mode);
    at_return(^{ E(Release)(source); });
    return source;
}

/* An address as data, released when the scenario returns. */
static E(DataRef) address_data(const void *address, size_t length)
{
    E(DataRef) data = E(DataCreate)(NULL, address, (long)length);

    at_return(^{ E(Release)(data); });
    return data;
}

/* A free port of this machine. */
static E(DataRef) loopback_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    return address_data(&address, sizeof(address));
}

/* A socket that listens at a free port, in the default mode. */
static E(SocketRef) listening_socket(const char *name, socket_action called,
                                     E(DataRef) *ret_address)
{
    E(SocketRef) socket = fresh_socket(name, K(SocketAcceptCallBack), called);

    check(E(SocketSetAddress)(socket, loopback_address()) == K(SocketSuccess));
    *ret_address = E(SocketCopyAddress)(socket);
    E(DataRef) address = *ret_address;
    at_return(^{ E(Release)(address); });
    add_socket(socket, "DEF");
    return socket;
}

/* A pair of connected handles; a socket takes the first one. */
static int *handle_pair(int type)
{
    int *ends = malloc(2 * sizeof(*ends));

    check(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0);
    at_end(^{
        if (ends[1] >= 0) close(ends[1]);
        free(ends);
    });
    return ends;
}

static void hang_up(int *ends)
{
    close(ends[1]);
    ends[1] = -1;
}

static void write_text(int handle, const char *text)
{
    check(write(handle, text, strlen(text)) == (ssize_t)strlen(text));
}

static E(DataRef) data_of_text(const char *text)
{
    return address_data(text, strlen(text));
}

#endif
