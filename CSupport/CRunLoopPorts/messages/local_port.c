/* Local ports: creation, names, and delivery of requests. message_server.c handles connections. */

#include "messages/local_port.h"

#include "base/hint.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "messages/message_folder.h"
#include "messages/message_table.h"
#include "messages/type_numbers.h"
#include "values/value.h"

/* A request whose callback is running on this thread. Nested callbacks form a list. */
struct delivery {
    const struct rl_message_port *port;
    struct rl_request *request;
    struct delivery *outer;
};

static _Thread_local struct delivery *delivery;

static struct rl_local_port *local_of(struct rl_message_port *port)
{
    return (struct rl_local_port *)port;
}

/* Unlocks the port, and then frees the replies that have ended. */
static void unlock_local(struct rl_message_port *port) RL_RELEASES(port->lock)
{
    struct rl_reply_list ended = TAILQ_HEAD_INITIALIZER(ended);
    TAILQ_CONCAT(&ended, &local_of(port)->server.ended, link);
    rl_unlock(&port->lock);
    rl_connection_free_replies(&ended);
}

/* --- Receiving ------------------------------------------------------------------------------- */

RL_CALLOUT_FUNCTION RLDataRef rl_callout_message(RLMessagePortCallBack function,
                                                 RLMessagePortRef port, SInt32 message_id,
                                                 RLDataRef data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    RLDataRef reply = function(port, message_id, data, info);
    RL_STAY_ON_THE_STACK;
    return reply;
}

/* Returns a reply that the caller owns. */
static RLDataRef call_message_client(struct rl_message_port *port, struct rl_request *request,
                                     void *info)
{
    struct delivery inner = {.port = port, .request = request, .outer = delivery};
    delivery = &inner;
    RLDataRef reply = rl_callout_message(local_of(port)->callback, rl_message_port_ref(port),
                                         request->message_id, request->data, info);
    delivery = inner.outer;
    if (reply) rl_expect(reply, RL_TYPE_DATA, "RLMessagePortCallBack", "its result");
    return reply;
}

static void deliver_request(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct rl_message_port *port = info;
    struct rl_message_server *server = &local_of(port)->server;
    struct rl_request request;
    rl_lock(&port->lock);
    bool has_request = atomic_load(&port->is_valid) && rl_message_server_next(server, &request);
    /* Holds the info, because another thread may invalidate the port after the unlock. */
    void *client = NULL;
    bool is_held = has_request && rl_client_hold(&port->context, &client);
    unlock_local(port);
    if (!has_request) return;

    RLDataRef reply = call_message_client(port, &request, client);
    if (is_held) rl_client_release_held(&port->context, client);
    RLRelease(request.data);
    rl_lock(&port->lock);
    rl_message_server_reply(server, &request, reply);
    unlock_local(port);
    if (reply) RLRelease(reply);
}

RLIndex RLMessagePortTakeDescriptors(RLMessagePortRef local, SInt32 *descriptors, RLIndex capacity)
{
    const struct rl_message_port *self = rl_message_port_checked(local, __func__);
    if (capacity < 0 || (capacity > 0 && !descriptors)) {
        rl_client_error(__func__,
                        "argument `capacity` (%ld) must not be negative, and `descriptors` (%p) "
                        "must not be null",
                        capacity, (const void *)descriptors);
    }
    struct delivery *mine = delivery;
    while (mine && mine->port != self) mine = mine->outer;
    if (!mine) return 0;
    struct rl_request *request = mine->request;
    unsigned count = request->descriptor_count;
    if ((RLIndex)count > capacity) count = (unsigned)capacity;
    memcpy(descriptors, request->descriptors, count * sizeof(int));
    request->descriptor_count -= count;
    memmove(request->descriptors, request->descriptors + count,
            request->descriptor_count * sizeof(int));
    return (RLIndex)count;
}

RLRunLoopSourceRef RLMessagePortCreateRunLoopSource(RLAllocatorRef allocator,
                                                    RLMessagePortRef local, RLIndex order)
{
    (void)allocator;
    struct rl_message_port *self = rl_message_port_checked(local, __func__);
    RL_HINT(self->kind->is_remote, __func__,
            "port %p is a remote port, which cannot receive: pass a local port; returning NULL",
            (void *)local);
    return self->kind->is_remote ? NULL : rl_message_port_copy_source(self, order);
}

/* --- The kind -------------------------------------------------------------------------------- */

static int local_descriptor(struct rl_message_port *port)
{
    return atomic_load(&local_of(port)->server.poll_set);
}

static void close_local(struct rl_message_port *port)
{
    rl_lock(&port->lock);
    rl_message_server_close(&local_of(port)->server);
    unlock_local(port);
}

static void give_up_local_name(struct rl_message_port *port)
{
    /* Needs the lock, because a loop may be reclaiming the name at the same time. */
    rl_lock(&port->lock);
    rl_endpoint_give_up_name(&local_of(port)->server.endpoint);
    rl_unlock(&port->lock);
}

static void leave_local_to_parent(struct rl_message_port *port, int inert)
{
    rl_message_server_leave_to_parent(&local_of(port)->server, inert);
}

static const struct rl_message_port_kind local_kind = {
    .size = sizeof(struct rl_local_port),
    .serve = deliver_request,
    .descriptor = local_descriptor,
    .close = close_local,
    .give_up_name = give_up_local_name,
    .leave_to_parent = leave_local_to_parent,
};

/* --- Creation and names ---------------------------------------------------------------------- */

struct plan {
    RLStringRef name;
    RLMessagePortCallBack callback;
    struct rl_client context;
};

static struct rl_message_port *make_local(void *plan)
{
    const struct plan *wanted = plan;
    struct rl_local_port *port = rl_message_port_create(&local_kind, wanted->name);
    int result = rl_message_server_open(&port->server);
    if (result == 0 && wanted->name) {
        result = rl_message_server_set_name(&port->server, rl_string_characters(wanted->name));
    }
    if (result == 0) {
        port->callback = wanted->callback;
        port->port.context = wanted->context;
        return &port->port;
    }
    rl_message_server_close(&port->server);
    if (port->port.name) RLRelease(port->port.name);
    rl_object_free(&port->port.object);
    return NULL;
}

/* Returns a retained port, or null on failure. */
static struct rl_message_port *find_or_make_local(struct plan *plan, bool *ret_was_found)
{
    if (plan->name) {
        return rl_message_table_find_or_add_local(rl_string_characters(plan->name), make_local,
                                                  plan, ret_was_found);
    }
    struct rl_message_port *port = make_local(plan);
    *ret_was_found = false;
    if (port) rl_message_table_add(port);
    return port;
}

RLMessagePortRef RLMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name,
                                          RLMessagePortCallBack callback,
                                          RLMessagePortContext *context, Boolean *shouldFreeInfo)
{
    (void)allocator;
    if (name) rl_expect_string(name, __func__, "name");
    if (!callback) rl_client_error(__func__, "argument `callback` must not be null");
    if (shouldFreeInfo) *shouldFreeInfo = true;
    struct plan plan = {.callback = callback};
    if (name) plan.name = RLStringCreateCopy(NULL, name);
    if (name && !rl_message_port_takes_name(plan.name, __func__)) {
        RLRelease(plan.name);
        return NULL;
    }
    /* Retains the info first, because client code must not run under the table's lock. */
    if (context) rl_client_begin_constant(&plan.context, &RL_CONSTANT_CONTEXT(context));
    bool was_found = false;
    struct rl_message_port *port = find_or_make_local(&plan, &was_found);
    bool is_taken = port && !was_found;
    if (!port && name) rl_message_folder_explain(__func__);
    if (!is_taken) rl_client_release_retained(&plan.context, plan.context.info);
    if (shouldFreeInfo) *shouldFreeInfo = !is_taken;
    if (name) RLRelease(plan.name);
    return port ? rl_message_port_ref(port) : NULL;
}

static bool set_port_name(struct rl_message_port *port, RLStringRef name)
{
    if (!atomic_load(&port->is_valid)) return false;
    rl_lock(&port->lock);
    bool has_name =
        rl_message_server_set_name(&local_of(port)->server, rl_string_characters(name)) == 0;
    RLStringRef last = port->name;
    if (has_name) port->name = RLRetain(name);
    rl_unlock(&port->lock);
    if (has_name && last) RLRelease(last);
    return has_name;
}

Boolean RLMessagePortSetName(RLMessagePortRef port, RLStringRef name)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!name) return false;
    rl_expect_string(name, __func__, "name");
    if (self->kind->is_remote) return false;
    RLStringRef copy = RLStringCreateCopy(NULL, name);
    bool is_usable = rl_message_port_takes_name(copy, __func__);
    bool is_set = is_usable && rl_message_table_rename(self, copy, set_port_name);
    /* Listening under another name may have dropped connections. */
    rl_lock(&self->lock);
    unlock_local(self);
    if (is_usable && !is_set) rl_message_folder_explain(__func__);
    RLRelease(copy);
    return is_set;
}
