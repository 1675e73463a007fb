/*
 * Message ports as objects: making, naming, delivering, invalidating. Sending is in
 * message_request.c.
 */

#include "messages/message_port.h"

#include "base/hint.h"
#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "messages/message_folder.h"
#include "messages/type_numbers.h"
#include "values/value.h"

/* The request that a callback of this thread is called for; those of nested runs come first. */
struct delivery {
    const struct rl_message_port *port;
    struct rl_request *request;
    struct delivery *outer;
};

static _Thread_local struct delivery *delivery;

struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function)
{
    rl_expect(port, RL_TYPE_MESSAGE_PORT, function, "port");
    return (struct rl_message_port *)(void *)port;
}

/* --- Making ---------------------------------------------------------------------------------- */

struct plan {
    RLStringRef name;
    /* Of a remote port: until then it waits for the other side. */
    int64_t deadline_ns;
    RLMessagePortCallBack callback;
    struct rl_client context;
};

static bool is_usable(RLStringRef name, const char *function)
{
    (void)function;
    size_t length = strlen(rl_string_characters(name));
    bool is_usable = length > 0 && length <= RL_MESSAGE_NAME_MAX;
    RL_HINT(!is_usable, function, "refused: the name has %zu bytes, and must have 1 to %d", length,
            (int)RL_MESSAGE_NAME_MAX);
    return is_usable;
}

static struct rl_message_port *create_port(RLStringRef name, bool is_remote)
{
    struct rl_message_port *port = rl_object_create(RL_TYPE_MESSAGE_PORT, sizeof *port);
    atomic_init(&port->is_valid, true);
    port->is_remote = is_remote;
    port->name = name ? RLStringCreateCopy(NULL, name) : NULL;
    return port;
}

static struct rl_message_port *make_local(void *plan)
{
    const struct plan *wanted = plan;
    struct rl_message_port *port = create_port(wanted->name, false);
    int result = rl_message_server_open(&port->server);
    if (result == 0 && wanted->name) {
        result = rl_message_server_set_name(&port->server, rl_string_characters(wanted->name));
    }
    if (result == 0) {
        port->callback = wanted->callback;
        port->context = wanted->context;
        return port;
    }
    rl_message_server_close(&port->server);
    if (port->name) RLRelease(port->name);
    rl_object_free(&port->object);
    return NULL;
}

static struct rl_message_port *make_remote(void *plan)
{
    const struct plan *wanted = plan;
    struct rl_endpoint_identity identity;
    int fd =
        rl_endpoint_connect(rl_string_characters(wanted->name), wanted->deadline_ns, &identity);
    if (fd < 0) return NULL;
    struct rl_message_port *port = create_port(wanted->name, true);
    rl_message_client_open(port, fd, &identity);
    return port;
}

/* Returns the port of the plan, retained, and whether it was there; null if there can be none. */
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
    if (!callback) rl_client_error(__func__, "argument `callback` is null");
    if (shouldFreeInfo) *shouldFreeInfo = true;
    if (name && !is_usable(name, __func__)) return NULL;
    struct plan plan = {.name = name, .callback = callback};
    /* Clients are not called with the table locked, so the info is taken beforehand. */
    if (context) rl_client_begin_constant(&plan.context, &RL_CONSTANT_CONTEXT(context));
    bool was_found = false;
    struct rl_message_port *port = find_or_make_local(&plan, &was_found);
    bool is_taken = port && !was_found;
    if (!port && name) rl_message_folder_explain(__func__);
    if (!is_taken) rl_client_release_retained(&plan.context, plan.context.info);
    if (shouldFreeInfo) *shouldFreeInfo = !is_taken;
    return port ? rl_message_port_ref(port) : NULL;
}

RLMessagePortRef rl_message_port_connect(RLStringRef name, int64_t patience_ns,
                                         const char *function)
{
    struct plan plan = {.name = name, .deadline_ns = rl_kernel_monotonic_ns() + patience_ns};
    for (;;) {
        bool was_found = false;
        struct rl_message_port *port = rl_message_table_find_or_add_remote(
            rl_string_characters(name), make_remote, &plan, &was_found);
        if (!port) rl_message_folder_explain(function);
        if (!port) return NULL;
        /* The other side of a known port may be gone, and another process may have the name. */
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
    if (!is_usable(name, __func__)) return NULL;
    return rl_message_port_connect(name, RL_MESSAGE_PATIENCE_NS, __func__);
}

/* Takes what has come for a remote port, and invalidates it if its other side is gone. */
static void look_at_peer(struct rl_message_port *port)
{
    if (rl_message_client_look(port) == RL_CLIENT_GONE) {
        RLMessagePortInvalidate(rl_message_port_ref(port));
    }
}

/* --- Asking ---------------------------------------------------------------------------------- */

Boolean RLMessagePortIsRemote(RLMessagePortRef port)
{
    return rl_message_port_checked(port, __func__)->is_remote;
}

RLStringRef RLMessagePortGetName(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    rl_lock(&self->lock);
    RLStringRef name = self->name;
    rl_unlock(&self->lock);
    return name;
}

static bool set_name(struct rl_message_port *port, RLStringRef name)
{
    if (!atomic_load(&port->is_valid)) return false;
    rl_lock(&port->lock);
    bool has_name = rl_message_server_set_name(&port->server, rl_string_characters(name)) == 0;
    RLStringRef last = port->name;
    if (has_name) port->name = RLStringCreateCopy(NULL, name);
    rl_unlock(&port->lock);
    if (has_name && last) RLRelease(last);
    return has_name;
}

Boolean RLMessagePortSetName(RLMessagePortRef port, RLStringRef name)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!name) return false;
    rl_expect_string(name, __func__, "name");
    if (self->is_remote || !is_usable(name, __func__)) return false;
    if (rl_message_table_rename(self, name, set_name)) return true;
    rl_message_folder_explain(__func__);
    return false;
}

void RLMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!context) rl_client_error(__func__, "argument `context` is null");
    rl_lock(&self->lock);
    const struct rl_constant_context *same = &self->context.constant;
    *context = (RLMessagePortContext){same->version, self->context.info, same->retain,
                                      same->release, same->copyDescription};
    rl_unlock(&self->lock);
}

Boolean RLMessagePortIsValid(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (self->is_remote) look_at_peer(self);
    return atomic_load(&self->is_valid);
}

/* --- Receiving ------------------------------------------------------------------------------- */

static void look_for_end_of_peer(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    look_at_peer(info);
}

RL_CALLOUT_FUNCTION RLDataRef rl_callout_message(RLMessagePortCallBack function,
                                                 RLMessagePortRef port, SInt32 message_id,
                                                 RLDataRef data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    RLDataRef reply = function(port, message_id, data, info);
    RL_STAY_ON_THE_STACK;
    return reply;
}

/* Calls the client with a request. Returns its reply, which the caller owns. */
static RLDataRef call_message_client(struct rl_message_port *port, struct rl_request *request,
                                     void *info)
{
    struct delivery inner = {.port = port, .request = request, .outer = delivery};
    delivery = &inner;
    RLDataRef reply = rl_callout_message(port->callback, rl_message_port_ref(port),
                                         request->message_id, request->data, info);
    delivery = inner.outer;
    if (reply) rl_expect(reply, RL_TYPE_DATA, "RLMessagePortCallBack", "its result");
    return reply;
}

static void deliver_request(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    struct rl_message_port *port = info;
    struct rl_request request;
    rl_lock(&port->lock);
    bool has_request =
        atomic_load(&port->is_valid) && rl_message_server_next(&port->server, &request);
    /* From here on another thread may invalidate the port, which keeps the info in use. */
    void *client = NULL;
    bool is_held = has_request && rl_client_hold(&port->context, &client);
    rl_unlock(&port->lock);
    if (!has_request) return;

    RLDataRef reply = call_message_client(port, &request, client);
    if (is_held) rl_client_let_go(&port->context, client);
    RLRelease(request.data);
    rl_lock(&port->lock);
    rl_message_server_reply(&port->server, &request, reply);
    rl_unlock(&port->lock);
    if (reply) RLRelease(reply);
}

RLIndex RLMessagePortTakeDescriptors(RLMessagePortRef local, SInt32 *descriptors, RLIndex capacity)
{
    const struct rl_message_port *self = rl_message_port_checked(local, __func__);
    if (capacity < 0 || (capacity > 0 && !descriptors)) {
        rl_client_error(__func__, "there is no room for %ld descriptors", capacity);
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

/* --- Sources --------------------------------------------------------------------------------- */

static int get_port_descriptor(void *info)
{
    struct rl_message_port *port = info;
    return atomic_load(port->is_remote ? &port->client.watch_set : &port->server.poll_set);
}

static RLStringRef copy_description_of_port(const void *info)
{
    return RLCopyDescription(info);
}

static RLRunLoopSourceRef make_port_source(struct rl_message_port *port, RLIndex order)
{
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = port,
        .retain = RLRetain,
        .release = RLRelease,
        .copyDescription = copy_description_of_port,
        .getDescriptor = get_port_descriptor,
        .perform = port->is_remote ? look_for_end_of_peer : deliver_request,
    };
    return RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)&context);
}

/*
 * Returns the port's source, which the caller owns; makes it if there is none or the client has
 * invalidated it.
 */
static RLRunLoopSourceRef copy_source(struct rl_message_port *port, RLIndex order)
{
    RLRunLoopSourceRef invalid = NULL;
    rl_lock(&port->lock);
    bool is_valid = atomic_load(&port->is_valid) && !port->queue_source;
    if (is_valid && port->is_remote) is_valid = rl_message_client_watch(&port->client) == 0;
    if (is_valid && port->source && !RLRunLoopSourceIsValid(port->source)) {
        invalid = port->source;
        port->source = NULL;
    }
    if (is_valid && !port->source) port->source = make_port_source(port, order);
    RLRunLoopSourceRef source = is_valid ? (RLRunLoopSourceRef)RLRetain(port->source) : NULL;
    rl_unlock(&port->lock);
    if (invalid) RLRelease(invalid);
    return source;
}

RLRunLoopSourceRef RLMessagePortCreateRunLoopSource(RLAllocatorRef allocator,
                                                    RLMessagePortRef local, RLIndex order)
{
    (void)allocator;
    struct rl_message_port *self = rl_message_port_checked(local, __func__);
    RL_HINT(self->is_remote, __func__,
            "no source is made: port %p is remote, and only local ones receive", (void *)local);
    return self->is_remote ? NULL : copy_source(self, order);
}

RLRunLoopSourceRef RLMessagePortCreateInvalidationSource(RLAllocatorRef allocator,
                                                         RLMessagePortRef remote, RLIndex order)
{
    (void)allocator;
    struct rl_message_port *self = rl_message_port_checked(remote, __func__);
    return self->is_remote ? copy_source(self, order) : NULL;
}

/* --- Queues ---------------------------------------------------------------------------------- */

static void serve_port_on_queue(void *owner)
{
    struct rl_message_port *port = owner;
    if (port->is_remote) {
        look_at_peer(port);
    } else {
        deliver_request(port, 0);
    }
}

/*
 * Makes a source for a queue. It has a descriptor of its own, which stays open until the source has
 * ended.
 */
static struct rl_queue_source *make_port_queue_source(struct rl_message_port *port,
                                                      struct rl_queue *queue)
{
    if (port->is_remote) (void)rl_message_client_watch(&port->client);
    int fd = get_port_descriptor(port);
    if (fd >= 0) fd = rl_kernel_duplicate(fd);
    return fd < 0 ? NULL : rl_queue_source_create(fd, queue, port, serve_port_on_queue);
}

static void set_queue(struct rl_message_port *port, struct rl_queue *queue)
{
    rl_lock(&port->lock);
    bool is_valid = atomic_load(&port->is_valid);
    bool is_in_loops = queue && port->source && RLRunLoopSourceIsValid(port->source);
    struct rl_queue_source *old = NULL, *source = NULL;
    if (is_valid && !is_in_loops) {
        if (queue) source = make_port_queue_source(port, queue);
        old = port->queue_source;
        port->queue_source = source;
        if (source) rl_queue_source_begin(source);
    }
    rl_unlock(&port->lock);
    if (old) rl_queue_source_end(old);
    if (!queue || source) return;
    rl_warn("RLMessagePortSetDispatchQueue", "port %p %s: it gets no queue", (const void *)port,
            is_in_loops ? "has a run loop source already"
            : is_valid  ? "can have no more descriptors"
                        : "is invalid");
}

void RLMessagePortSetDispatchQueue(RLMessagePortRef ms, struct dispatch_queue_s *queue)
{
    struct rl_message_port *self = rl_message_port_checked(ms, __func__);
    struct rl_queue *wanted = queue ? rl_queue_create(__func__, queue, self, NULL, NULL) : NULL;
    set_queue(self, wanted);
    rl_queue_release(wanted);
}

/* --- Invalidating ---------------------------------------------------------------------------- */

static void call_invalidation(struct rl_message_port *port,
                              RLMessagePortInvalidationCallBack callback)
{
    rl_lock(&port->lock);
    void *info;
    bool is_held = rl_client_hold(&port->context, &info);
    rl_unlock(&port->lock);
    RL_CALLOUT(callback, rl_message_port_ref(port), info);
    if (is_held) rl_client_let_go(&port->context, info);
}

static void close_connections(struct rl_message_port *port)
{
    rl_lock(&port->lock);
    if (port->is_remote) {
        rl_message_client_end(&port->client);
    } else {
        rl_message_server_close(&port->server);
    }
    rl_unlock(&port->lock);
}

void RLMessagePortInvalidate(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!atomic_exchange(&self->is_valid, false)) return;
    RLRetain(self);
    rl_message_table_remove(self);
    rl_lock(&self->lock);
    RLMessagePortInvalidationCallBack callback = self->invalidation;
    self->is_told = true;
    rl_unlock(&self->lock);
    if (callback) call_invalidation(self, callback);

    rl_lock(&self->lock);
    RLRunLoopSourceRef source = self->source;
    self->source = NULL;
    struct rl_queue_source *queue_source = self->queue_source;
    self->queue_source = NULL;
    rl_unlock(&self->lock);
    if (queue_source) rl_queue_source_end(queue_source);
    rl_client_end(&self->context, &self->lock);
    if (source) RLRunLoopSourceInvalidate(source);
    if (source) RLRelease(source);
    close_connections(self);
    RLRelease(self);
}

RLMessagePortInvalidationCallBack RLMessagePortGetInvalidationCallBack(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    rl_lock(&self->lock);
    RLMessagePortInvalidationCallBack callback = self->invalidation;
    rl_unlock(&self->lock);
    return callback;
}

void RLMessagePortSetInvalidationCallBack(RLMessagePortRef port,
                                          RLMessagePortInvalidationCallBack callback)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    rl_lock(&self->lock);
    self->invalidation = callback;
    bool is_told = self->is_told;
    rl_unlock(&self->lock);
    if (is_told && callback) call_invalidation(self, callback);
}

/* Destroys a port. It has no references, so its invalidation callback is not called. */
static void destroy_port(struct rl_object *object)
{
    struct rl_message_port *port = (struct rl_message_port *)object;
    atomic_store(&port->is_valid, false);
    rl_message_table_remove(port);
    close_connections(port);
    /* In a forked child, this closes what is left of the parent's port. */
    if (port->is_remote) rl_message_client_free(&port->client);
    rl_client_end(&port->context, &port->lock);
    if (port->name) RLRelease(port->name);
    rl_object_free(object);
}

static RLStringRef describe_port(RLTypeRef object)
{
    struct rl_message_port *port = (struct rl_message_port *)(uintptr_t)object;
    rl_lock(&port->lock);
    RLStringRef name = port->name ? RLRetain(port->name) : NULL;
    rl_unlock(&port->lock);
    RLStringRef text = rl_string_format(
        "<RLMessagePort %p [%p]>{valid = %s, type = %s, name = %s}", object,
        (const void *)kRLAllocatorDefault, atomic_load(&port->is_valid) ? "Yes" : "No",
        port->is_remote ? "remote" : "local", name ? rl_string_characters(name) : "(null)");
    if (name) RLRelease(name);
    return text;
}

static const struct rl_class message_port_class = {
    .name = "RLMessagePort",
    .destroy = destroy_port,
    .copy_description = describe_port,
};

RL_REGISTER_CLASS(RLMessagePort, RL_TYPE_MESSAGE_PORT, message_port_class)
RL_DEFINE_SWIFT_COUNTS(message_port, RLMessagePortRef)
