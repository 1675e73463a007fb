/*
 * Message port objects: the code that local and remote ports share. local_port.c and remote_port.c
 * implement the two kinds of ports, and message_request.c sends.
 */

#include "messages/message_port.h"

#include "base/hint.h"
#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "messages/message_name.h"
#include "messages/message_table.h"
#include "messages/type_numbers.h"
#include "values/value.h"

struct rl_message_port *rl_message_port_checked(RLMessagePortRef port, const char *function)
{
    rl_expect(port, RL_TYPE_MESSAGE_PORT, function, "port");
    return (struct rl_message_port *)(void *)port;
}

/* --- Creation -------------------------------------------------------------------------------- */

bool rl_message_port_takes_name(RLStringRef name, const char *function)
{
    (void)function;
    size_t length = strlen(rl_string_characters(name));
    bool is_usable = length > 0 && length <= RL_MESSAGE_NAME_MAX;
    RL_HINT(!is_usable, function,
            "the name has %zu bytes and is rejected: pass a name of 1 to %d bytes", length,
            (int)RL_MESSAGE_NAME_MAX);
    return is_usable;
}

void *rl_message_port_create(const struct rl_message_port_kind *kind, RLStringRef name)
{
    struct rl_message_port *port = rl_object_create(RL_TYPE_MESSAGE_PORT, kind->size);
    atomic_init(&port->is_valid, true);
    port->kind = kind;
    port->name = name ? RLStringCreateCopy(NULL, name) : NULL;
    return port;
}

/* --- Queries --------------------------------------------------------------------------------- */

Boolean RLMessagePortIsRemote(RLMessagePortRef port)
{
    return rl_message_port_checked(port, __func__)->kind->is_remote;
}

RLStringRef RLMessagePortGetName(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    rl_lock(&self->lock);
    RLStringRef name = self->name;
    rl_unlock(&self->lock);
    return name;
}

void RLMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->lock);
    const struct rl_constant_context *same = &self->context.constant;
    *context = (RLMessagePortContext){same->version, self->context.info, same->retain,
                                      same->release, same->copyDescription};
    rl_unlock(&self->lock);
}

Boolean RLMessagePortIsValid(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (self->kind->check_peer) self->kind->check_peer(self);
    return atomic_load(&self->is_valid);
}

/* --- Sources --------------------------------------------------------------------------------- */

static int get_port_descriptor(void *info)
{
    struct rl_message_port *port = info;
    return port->kind->descriptor(port);
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
        .perform = port->kind->serve,
    };
    return RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)&context);
}

RLRunLoopSourceRef rl_message_port_copy_source(struct rl_message_port *port, RLIndex order)
{
    RLRunLoopSourceRef invalid = NULL;
    rl_lock(&port->lock);
    bool is_valid = atomic_load(&port->is_valid) && !port->queue_source;
    if (is_valid && port->kind->watch) is_valid = port->kind->watch(port) == 0;
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

/* --- Queues ---------------------------------------------------------------------------------- */

static void serve_port_on_queue(void *owner)
{
    struct rl_message_port *port = owner;
    port->kind->serve(port, 0);
}

/* The source owns a duplicate of the port's descriptor, which it closes when it ends. */
static struct rl_queue_source *make_port_queue_source(struct rl_message_port *port,
                                                      struct rl_queue *queue)
{
    if (port->kind->watch) (void)port->kind->watch(port);
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
    rl_warn("RLMessagePortSetDispatchQueue", "port %p gets no queue, as it %s", (const void *)port,
            is_in_loops ? "has a run loop source: use either a source or a queue"
            : is_valid  ? "cannot open a descriptor: raise the limit of open files"
                        : "is invalid: set the queue before the port becomes invalid");
}

void RLMessagePortSetDispatchQueue(RLMessagePortRef ms, struct dispatch_queue_s *queue)
{
    struct rl_message_port *self = rl_message_port_checked(ms, __func__);
    struct rl_queue *wanted = queue ? rl_queue_create(__func__, queue, self, NULL, NULL) : NULL;
    set_queue(self, wanted);
    rl_queue_release(wanted);
}

/* --- Invalidation ---------------------------------------------------------------------------- */

static void call_invalidation(struct rl_message_port *port,
                              RLMessagePortInvalidationCallBack callback)
{
    rl_lock(&port->lock);
    void *info;
    bool is_held = rl_client_hold(&port->context, &info);
    rl_unlock(&port->lock);
    RL_CALLOUT(callback, rl_message_port_ref(port), info);
    if (is_held) rl_client_release_held(&port->context, info);
}

void RLMessagePortInvalidate(RLMessagePortRef port)
{
    struct rl_message_port *self = rl_message_port_checked(port, __func__);
    if (!atomic_exchange(&self->is_valid, false)) return;
    RLRetain(self);
    rl_message_table_remove(self);
    rl_lock(&self->lock);
    RLMessagePortInvalidationCallBack callback = self->invalidation;
    self->has_reported_invalidation = true;
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
    self->kind->close(self);
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
    bool has_reported_invalidation = self->has_reported_invalidation;
    rl_unlock(&self->lock);
    if (has_reported_invalidation && callback) call_invalidation(self, callback);
}

/* The last reference is gone, so the invalidation callback is not called. */
static void destroy_port(struct rl_object *object)
{
    struct rl_message_port *port = (struct rl_message_port *)object;
    atomic_store(&port->is_valid, false);
    rl_message_table_remove(port);
    port->kind->close(port);
    /* In a forked child, closes the inherited descriptors of the port. */
    if (port->kind->free) port->kind->free(port);
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
        port->kind->is_remote ? "remote" : "local", name ? rl_string_characters(name) : "(null)");
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
