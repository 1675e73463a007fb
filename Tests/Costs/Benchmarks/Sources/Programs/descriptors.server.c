/*
 * Sources of version 2 over descriptors that do not block.
 */

#include "../Engines/support.h"
#include "include/Programs.h"

#include <CRunLoop/CRunLoop.h>
#include <unistd.h>

struct connection {
    struct service *service;
    int fd;
    RLRunLoopSourceRef source;
};

static int get_descriptor(void *info)
{
    const struct connection *connection = info;
    return connection->fd;
}

static void free_connection(const void *info)
{
    free((void *)info);
}

static void add_descriptor(struct service *service, int fd,
                           void (*perform)(void *, RLRunLoopDescriptorEvents))
{
    struct connection *connection = allocate(sizeof *connection);
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = connection,
                                       .release = free_connection,
                                       .getDescriptor = get_descriptor,
                                       .perform = perform};
    RLRunLoopSourceRef source =
        RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
    *connection = (struct connection){service, fd, source};
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    /* The loop holds it. */
    RLRelease(source);
}

static void read_and_answer(void *info, RLRunLoopDescriptorEvents ready)
{
    const struct connection *connection = info;
    struct service *service = connection->service;
    int fd = connection->fd;
    if (service_serve(service, fd)) return;
    RLRunLoopSourceInvalidate(connection->source);
    close(fd);
    if (service_remove(service)) RLRunLoopStop(RLRunLoopGetCurrent());
}

static void accept_connection(void *info, RLRunLoopDescriptorEvents ready)
{
    const struct connection *listening = info;
    int fd = service_accept(listening->service);
    if (fd >= 0) add_descriptor(listening->service, fd, read_and_answer);
}

static void serve(struct service *service)
{
    add_descriptor(service, service->listening_fd, accept_connection);
    RLRunLoopRun();
}

const server descriptor_server = serve;
