/*
 * Remote ports: their creation, and the detection that the peer has ended. message_client.c handles
 * the connections, and message_request.c sends.
 */

#include "messages/remote_port.h"

#include "base/kernel.h"
#include "messages/message_folder.h"
#include "messages/message_table.h"
#include "values/value.h"

/* --- The end of the peer --------------------------------------------------------------------- */

static void check_peer(struct rl_message_port *port)
{
    if (rl_message_client_receive_all(port) == RL_CLIENT_GONE) {
        RLMessagePortInvalidate(rl_message_port_ref(port));
    }
}

static void serve_remote_port(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    check_peer(info);
}

RLRunLoopSourceRef RLMessagePortCreateInvalidationSource(RLAllocatorRef allocator,
                                                         RLMessagePortRef remote, RLIndex order)
{
    (void)allocator;
    struct rl_message_port *self = rl_message_port_checked(remote, __func__);
    return self->kind->is_remote ? rl_message_port_copy_source(self, order) : NULL;
}

/* --- The kind -------------------------------------------------------------------------------- */

static int remote_descriptor(struct rl_message_port *port)
{
    return atomic_load(&rl_remote_port_of(port)->client.watch_set);
}

static int watch_remote(struct rl_message_port *port)
{
    return rl_message_client_watch(&rl_remote_port_of(port)->client);
}

static void close_remote(struct rl_message_port *port)
{
    rl_lock(&port->lock);
    rl_message_client_end(&rl_remote_port_of(port)->client);
    rl_unlock(&port->lock);
}

static void leave_remote_to_parent(struct rl_message_port *port, int inert)
{
    rl_message_client_leave_to_parent(&rl_remote_port_of(port)->client, inert);
}

static void free_remote(struct rl_message_port *port)
{
    rl_message_client_free(&rl_remote_port_of(port)->client);
}

static const struct rl_message_port_kind remote_kind = {
    .size = sizeof(struct rl_remote_port),
    .is_remote = true,
    .serve = serve_remote_port,
    .check_peer = check_peer,
    .descriptor = remote_descriptor,
    .watch = watch_remote,
    .close = close_remote,
    .leave_to_parent = leave_remote_to_parent,
    .free = free_remote,
};

/* --- Creation -------------------------------------------------------------------------------- */

struct plan {
    RLStringRef name;
    int64_t deadline_ns;
};

static struct rl_message_port *make_remote(void *plan)
{
    const struct plan *wanted = plan;
    struct rl_endpoint_identity identity;
    int fd =
        rl_endpoint_connect(rl_string_characters(wanted->name), wanted->deadline_ns, &identity);
    if (fd < 0) return NULL;
    struct rl_message_port *port = rl_message_port_create(&remote_kind, wanted->name);
    rl_message_client_open(port, fd, &identity);
    return port;
}

RLMessagePortRef rl_remote_port_connect(RLStringRef name, int64_t patience_ns, const char *function)
{
    struct plan plan = {.name = name, .deadline_ns = rl_kernel_monotonic_ns() + patience_ns};
    for (;;) {
        bool was_found = false;
        struct rl_message_port *port = rl_message_table_find_or_add_remote(
            rl_string_characters(name), make_remote, &plan, &was_found);
        if (!port) rl_message_folder_explain(function);
        if (!port) return NULL;
        /* If the port existed already, its peer may be gone, and the name may have a new owner. */
        if (!was_found || RLMessagePortIsValid(rl_message_port_ref(port))) {
            return rl_message_port_ref(port);
        }
        RLRelease(port);
    }
}

RLMessagePortRef RLMessagePortCreateRemote(RLAllocatorRef allocator, RLStringRef name)
{
    (void)allocator;
    rl_expect_string(name, __func__, "name");
    RLStringRef copy = RLStringCreateCopy(NULL, name);
    bool is_usable = rl_message_port_takes_name(copy, __func__);
    RLMessagePortRef port =
        is_usable ? rl_remote_port_connect(copy, RL_MESSAGE_PATIENCE_NS, __func__) : NULL;
    RLRelease(copy);
    return port;
}
