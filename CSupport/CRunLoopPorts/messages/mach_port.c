/*
 * A Mach port is a watch on the receiving end of a socket pair, with a client. mach_message.c sends
 * and receives.
 *
 * The table lists the valid ports. Its lock is taken before the locks of watches.
 */

#include "base/fork.h"
#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "messages/mach_message.h"
#include "messages/type_numbers.h"
#include "report/describe.h"
#include "watch/client.h"
#include "watch/watch.h"

#include <bsd/sys/queue.h>
#include <sys/socket.h>

struct rl_mach_port {
    struct rl_object object;
    struct rl_watch watch;
    /* The descriptor that clients use as the port's name. */
    RLMachPortName name;
    /* The receiving end, or -1 unless this port created the pair and so also owns `name`. */
    int receiver;
    unsigned fork_number;
    RLMachPortCallBack callout;
    atomic_bool is_valid;
    atomic_bool has_complained, has_been_refused;
    /* Guarded by the watch's lock. */
    struct rl_client client;
    RLMachPortInvalidationCallBack invalidation;
    bool has_reported_invalidation;
    /* The link in the table, while the port is valid. Guarded by the table's lock. */
    LIST_ENTRY(rl_mach_port) link;
};

static struct rl_lock table_lock;
static LIST_HEAD(mach_ports, rl_mach_port) table;

static RLMachPortRef mach_port_ref(struct rl_mach_port *port)
{
    return (RLMachPortRef)(void *)port;
}

static struct rl_mach_port *checked_port(RLMachPortRef port, const char *function)
{
    rl_expect(port, RL_TYPE_MACH_PORT, function, "port");
    return (struct rl_mach_port *)(void *)port;
}

/* --- Forks ----------------------------------------------------------------------------------- */

static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table_lock);
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&table_lock);
}

/*
 * If the child kept the receiving ends open, sends would not fail after the parent has closed its
 * ends. Objects refer to the descriptor numbers, so the numbers stay in use.
 */
static void settle_child(void) RL_UNCHECKED_LOCKING
{
    struct rl_mach_port *port;
    LIST_FOREACH(port, &table, link) {
        if (port->receiver >= 0) rl_mach_message_deafen(port->receiver);
    }
    rl_unlock(&table_lock);
}

RL_REGISTER_FORK_TABLE(30, prepare_fork, unlock_after_fork, settle_child)

static bool is_of_this_process(const struct rl_mach_port *port)
{
    return port->receiver < 0 || port->fork_number == rl_fork_number();
}

/* --- Receiving ------------------------------------------------------------------------------- */

static void warn_of_foreign_packet(struct rl_mach_port *port)
{
    if (atomic_exchange(&port->has_complained, true)) return;
    rl_warn(
        "RLMachPort",
        "port %p dropped data that RLMachPortSend did not send: send to it only by RLMachPortSend",
        (const void *)port);
}

/* Prevents spinning: the message that recvmsg(2) failed to receive keeps the descriptor ready. */
static void pause_after_refusal(struct rl_mach_port *port)
{
    enum { PAUSE_NS = 5000000 };
    if (!atomic_exchange(&port->has_been_refused, true)) {
        rl_warn("RLMachPort",
                "cannot receive on port %p, retrying every 5 ms: raise the memory limit, or allow "
                "recvmsg(2) in the sandbox",
                (const void *)port);
    }
    rl_kernel_sleep(rl_kernel_monotonic_ns() + PAUSE_NS);
}

RL_CALLOUT_FUNCTION void rl_callout_mach_port(RLMachPortCallBack function, RLMachPortRef port,
                                              void *message, RLIndex size, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(port, message, size, info);
    RL_STAY_ON_THE_STACK;
}

static void deliver_mach_message(struct rl_mach_port *port, RLMachMessageHeader *message)
{
    rl_lock(&port->watch.lock);
    bool is_called = atomic_load(&port->is_valid) && port->callout;
    void *info = is_called ? rl_client_pin(&port->client) : NULL;
    rl_unlock(&port->watch.lock);
    if (!is_called) return;
    message->localPort = port->name;
    info = rl_client_retain_pinned(&port->client, info);
    rl_callout_mach_port(port->callout, mach_port_ref(port), message, (RLIndex)message->size, info);
    rl_client_release_retained(&port->client, info);
}

/* Receives only one message per call, so that other items of the loop are served too. */
static void receive_mach_message(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    (void)events;
    struct rl_mach_port *port = (struct rl_mach_port *)watch->owner;
    int fd = rl_watch_begin_use(watch);
    if (fd < 0) return;
    struct rl_mach_message message;
    enum rl_mach_received received = rl_mach_message_receive(fd, &message);
    rl_watch_end_use(watch);
    if (received == RL_MACH_ENDED) {
        RLMachPortInvalidate(mach_port_ref(port));
        return;
    }
    if (received == RL_MACH_BROKEN) warn_of_foreign_packet(port);
    if (received == RL_MACH_REFUSED) pause_after_refusal(port);
    /* Wants the next event before the callback, so a nested run can receive the next message. */
    rl_watch_want(watch, kRLRunLoopDescriptorRead);
    if (!message.header) return;
    deliver_mach_message(port, message.header);
    rl_mach_message_free(&message);
}

/* --- Creation -------------------------------------------------------------------------------- */

static const struct rl_watch_class watch_class = {.happened = receive_mach_message};

/* Returns a retained port, or null. Call this with the table locked. */
static struct rl_mach_port *find_mach_port(RLMachPortName name)
{
    struct rl_mach_port *port;
    LIST_FOREACH(port, &table, link) {
        if (port->name != name && port->receiver != name) continue;
        if (rl_object_try_retain(&port->object)) return port;
    }
    return NULL;
}

/* Returns a retained port. */
static struct rl_mach_port *find_or_make_mach_port(RLMachPortName name, int receiver,
                                                   RLMachPortCallBack callout, bool *ret_was_found)
{
    rl_fork_set_up();
    rl_lock(&table_lock);
    struct rl_mach_port *port = find_mach_port(name);
    *ret_was_found = port != NULL;
    if (!port) {
        port = rl_object_create(RL_TYPE_MACH_PORT, sizeof *port);
        int fd = receiver >= 0 ? receiver : name;
        rl_watch_init(&port->watch, &watch_class, &port->object, fd);
        port->watch.wanted = kRLRunLoopDescriptorRead;
        port->name = name;
        port->receiver = receiver;
        port->fork_number = rl_fork_number();
        port->callout = callout;
        atomic_init(&port->is_valid, true);
        LIST_INSERT_HEAD(&table, port, link);
    }
    rl_unlock(&table_lock);
    return port;
}

static RLMachPortRef create_mach_port(RLMachPortName name, int receiver, RLMachPortCallBack callout,
                                      const RLMachPortContext *context, Boolean *shouldFreeInfo)
{
    bool was_found = false;
    struct rl_mach_port *port = find_or_make_mach_port(name, receiver, callout, &was_found);
    if (shouldFreeInfo) *shouldFreeInfo = was_found;
    if (context && !was_found) {
        rl_client_begin_constant(&port->client, &RL_CONSTANT_CONTEXT(context));
    }
    return mach_port_ref(port);
}

RLMachPortRef RLMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout,
                               const RLMachPortContext *context, Boolean *shouldFreeInfo)
{
    (void)allocator;
    RLMachPortName receiver, sender;
    if (shouldFreeInfo) *shouldFreeInfo = true;
    if (!RLMachPortCreatePair(&receiver, &sender)) return NULL;
    return create_mach_port(sender, receiver, callout, context, shouldFreeInfo);
}

RLMachPortRef RLMachPortCreateWithPort(RLAllocatorRef allocator, RLMachPortName port,
                                       RLMachPortCallBack callout, const RLMachPortContext *context,
                                       Boolean *shouldFreeInfo)
{
    (void)allocator;
    if (shouldFreeInfo) *shouldFreeInfo = true;
    if (port < 0 || rl_socket_type(port) != SOCK_SEQPACKET) {
        rl_warn(
            __func__,
            "descriptor %d is not a Mach port: pass one from RLMachPortCreatePair; returning NULL",
            port);
        return NULL;
    }
    return create_mach_port(port, -1, callout, context, shouldFreeInfo);
}

/* --- Queries --------------------------------------------------------------------------------- */

RLMachPortName RLMachPortGetPort(RLMachPortRef port)
{
    return checked_port(port, __func__)->name;
}

Boolean RLMachPortIsValid(RLMachPortRef port)
{
    struct rl_mach_port *self = checked_port(port, __func__);
    return atomic_load(&self->is_valid) && is_of_this_process(self);
}

void RLMachPortGetContext(RLMachPortRef port, RLMachPortContext *context)
{
    struct rl_mach_port *self = checked_port(port, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->watch.lock);
    const struct rl_constant_context *client = &self->client.constant;
    *context = (RLMachPortContext){0, self->client.info, client->retain, client->release,
                                   client->copyDescription};
    rl_unlock(&self->watch.lock);
}

RLRunLoopSourceRef RLMachPortCreateRunLoopSource(RLAllocatorRef allocator, RLMachPortRef port,
                                                 RLIndex order)
{
    (void)allocator;
    struct rl_mach_port *self = checked_port(port, __func__);
    if (!RLMachPortIsValid(port)) return NULL;
    return rl_watch_copy_source(&self->watch, order);
}

/* --- Invalidation ---------------------------------------------------------------------------- */

static void call_mach_invalidation(struct rl_mach_port *port,
                                   RLMachPortInvalidationCallBack callout)
{
    rl_lock(&port->watch.lock);
    /* If the port is invalid, it has already released its info. */
    bool has_info = port->client.info;
    void *info = has_info ? rl_client_pin(&port->client) : NULL;
    rl_unlock(&port->watch.lock);
    if (has_info) info = rl_client_retain_pinned(&port->client, info);
    RL_CALLOUT(callout, mach_port_ref(port), info);
    if (has_info) rl_client_release_retained(&port->client, info);
}

/* Keeps the name open: a thread may be about to send, so the number must not be reused. */
static void end_mach_port(struct rl_mach_port *port)
{
    rl_watch_end(&port->watch);
    if (port->receiver >= 0) rl_kernel_close(&(int){port->receiver});
    rl_client_end(&port->client, &port->watch.lock);
}

static void remove_mach_port(struct rl_mach_port *port)
{
    rl_lock(&table_lock);
    LIST_REMOVE(port, link);
    rl_unlock(&table_lock);
}

void RLMachPortInvalidate(RLMachPortRef port)
{
    struct rl_mach_port *self = checked_port(port, __func__);
    if (!atomic_exchange(&self->is_valid, false)) return;
    RLRetain(self);
    remove_mach_port(self);
    rl_lock(&self->watch.lock);
    RLMachPortInvalidationCallBack callout = self->invalidation;
    self->has_reported_invalidation = true;
    rl_unlock(&self->watch.lock);
    if (callout) call_mach_invalidation(self, callout);
    end_mach_port(self);
    RLRelease(self);
}

RLMachPortInvalidationCallBack RLMachPortGetInvalidationCallBack(RLMachPortRef port)
{
    struct rl_mach_port *self = checked_port(port, __func__);
    rl_lock(&self->watch.lock);
    RLMachPortInvalidationCallBack callout = self->invalidation;
    rl_unlock(&self->watch.lock);
    return callout;
}

void RLMachPortSetInvalidationCallBack(RLMachPortRef port, RLMachPortInvalidationCallBack callout)
{
    struct rl_mach_port *self = checked_port(port, __func__);
    rl_lock(&self->watch.lock);
    bool is_late = self->has_reported_invalidation && callout;
    bool had_one = self->invalidation != NULL;
    if (!is_late) self->invalidation = callout;
    rl_unlock(&self->watch.lock);
    if (is_late && had_one) {
        rl_warn(__func__,
                "port %p is already invalid and has called its former callback, so the new "
                "callback is never called: set it before the port becomes invalid",
                (void *)port);
    } else if (is_late) {
        call_mach_invalidation(self, callout);
    }
}

static void destroy_mach_port(struct rl_object *object)
{
    struct rl_mach_port *port = (struct rl_mach_port *)object;
    if (atomic_exchange(&port->is_valid, false)) {
        remove_mach_port(port);
        end_mach_port(port);
    }
    if (port->receiver >= 0) rl_kernel_close(&port->name);
    rl_object_free(object);
}

static RLStringRef describe_mach_port(RLTypeRef object)
{
    struct rl_mach_port *port = (struct rl_mach_port *)(uintptr_t)object;
    struct rl_text text = {0};
    rl_watch_describe(&port->watch, &text, "RLMachPort");
    rl_text_add(&text, ", port = %d, ", port->name);
    rl_describe_callout(&text, (const void *)(uintptr_t)port->callout);
    rl_text_add(&text, ", context = ");
    rl_client_describe(&port->client, &port->watch.lock, &text, "RLMachPort");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class mach_port_class = {
    .name = "RLMachPort",
    .destroy = destroy_mach_port,
    .copy_description = describe_mach_port,
};

RL_REGISTER_CLASS(RLMachPort, RL_TYPE_MACH_PORT, mach_port_class)
RL_DEFINE_SWIFT_COUNTS(mach_port, RLMachPortRef)
