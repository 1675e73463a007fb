/* Converts the readiness of sockets to callbacks, in the order connect, read, write. */

#include "sockets/socket.h"

#include "base/check.h"
#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "loop/report.h"

#include <CRunLoop/RLRunLoopTimer.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The callbacks for one event. The info is retained at most once for the whole round. */
struct round {
    struct rl_socket *socket;
    bool is_retained;
    void *info;
};

/* The delay in seconds before a retry, and before the next check of a socket without a peer. */
#define RETRY_INTERVAL 0.1

/* The maximum numbers of bytes per data callback. */
enum { STREAM_CHUNK = 32768, DATAGRAM_CHUNK = 65535 };

/* If the client has no `retain`, the info counts as retained. */
static struct round begin_round(struct rl_socket *socket)
{
    return (struct round){.socket = socket,
                          .is_retained = !socket->client.can_retain,
                          .info = socket->client.constant.info};
}

/* Returns false if the socket is invalid. The first call of a round retains the info. */
static bool begin_call(struct round *round)
{
    struct rl_socket *self = round->socket;
    if (round->is_retained) return rl_watch_descriptor(&self->watch) >= 0;
    rl_lock(&self->watch.lock);
    bool is_valid = self->watch.fd >= 0;
    if (is_valid) round->info = rl_client_pin(&self->client);
    rl_unlock(&self->watch.lock);
    if (is_valid) round->info = rl_client_retain_pinned(&self->client, round->info);
    round->is_retained = is_valid;
    return is_valid;
}

RL_CALLOUT_FUNCTION void rl_callout_socket(RLSocketCallBack function, RLSocketRef socket,
                                           RLSocketCallBackType type, RLDataRef address,
                                           const void *data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(socket, type, address, data, info);
    RL_STAY_ON_THE_STACK;
}

/* Returns false if the socket has become invalid. */
static bool call_socket_client(struct round *round, RLSocketCallBackType type, RLDataRef address,
                               const void *data)
{
    struct rl_socket *self = round->socket;
    if (!self->callout || !begin_call(round)) return false;
    rl_callout_socket(self->callout, rl_socket_ref(self), type, address, data, round->info);
    return true;
}

static RLRunLoopDescriptorEvents wanted_events(const struct rl_socket *self, RLOptionFlags types)
{
    RLRunLoopDescriptorEvents events = 0;
    if (self->read_kind && (types & RL_SOCKET_READ_KINDS)) events |= kRLRunLoopDescriptorRead;
    bool awaits_connection =
        self->awaits_connection && !(self->disabled & kRLSocketConnectCallBack);
    if (self->awaits_space || awaits_connection) events |= kRLRunLoopDescriptorWrite;
    return events;
}

/* The two bits for reading form one number, so they are compared together. */
static RLOptionFlags own_types(const struct rl_socket *self, RLOptionFlags types)
{
    bool is_read = self->read_kind && (types & self->read_kind) == self->read_kind;
    types &= self->types & ~RL_SOCKET_READ_KINDS;
    return is_read ? types | self->read_kind : types;
}

void rl_socket_enable(struct rl_socket *self, RLOptionFlags types)
{
    rl_lock(&self->watch.lock);
    types = own_types(self, types);
    self->disabled &= ~types;
    if (types & kRLSocketWriteCallBack) self->awaits_space = true;
    RLRunLoopDescriptorEvents events = self->watch.fd < 0 ? 0 : wanted_events(self, types);
    rl_unlock(&self->watch.lock);
    rl_watch_want(&self->watch, events);
}

void rl_socket_disable(struct rl_socket *self, RLOptionFlags types)
{
    RLRunLoopDescriptorEvents unwanted = 0;
    rl_lock(&self->watch.lock);
    types = own_types(self, types);
    self->disabled |= types;
    if (types & kRLSocketWriteCallBack) self->awaits_space = false;
    if (types & RL_SOCKET_READ_KINDS) unwanted |= kRLRunLoopDescriptorRead;
    bool awaits_connection =
        self->awaits_connection && !(self->disabled & kRLSocketConnectCallBack);
    if (!self->awaits_space && !awaits_connection) unwanted |= kRLRunLoopDescriptorWrite;
    rl_unlock(&self->watch.lock);
    rl_watch_want_no_more(&self->watch, unwanted);
}

void rl_socket_resume(struct rl_socket *self)
{
    rl_lock(&self->watch.lock);
    bool is_watched = self->watch.modes > 0 && self->watch.fd >= 0;
    RLRunLoopDescriptorEvents events =
        is_watched ? wanted_events(self, self->types & ~self->disabled) : 0;
    rl_unlock(&self->watch.lock);
    rl_watch_want(&self->watch, events);
}

/* Returns 0, an errno value, or -1 if the socket has neither a peer nor an error. */
static SInt32 find_connect_result(struct rl_socket *self)
{
    struct rl_socket_name peer;
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return -1;
    SInt32 error = -rl_socket_take_error(fd);
    /* A sandbox may forbid getpeername; any error except ENOTCONN counts as connected. */
    bool is_connected = rl_socket_get_peer(fd, &peer) || errno != ENOTCONN;
    rl_watch_end_use(&self->watch);
    return error == 0 && !is_connected ? -1 : error;
}

/* Serves the end of a connection attempt. Returns whether to report writability as well. */
static bool serve_connection(struct round *round)
{
    struct rl_socket *self = round->socket;
    rl_lock(&self->watch.lock);
    bool leaves_errors = self->flags & kRLSocketLeaveErrors;
    bool is_disabled = self->disabled & kRLSocketConnectCallBack;
    bool is_awaited = self->awaits_connection && !is_disabled && self->watch.fd >= 0;
    rl_unlock(&self->watch.lock);
    if (!is_awaited) return true;
    SInt32 error = leaves_errors ? 0 : find_connect_result(self);
    if (error < 0) return true;

    rl_lock(&self->watch.lock);
    self->awaits_connection = false;
    if (error != 0) self->awaits_space = false;
    rl_unlock(&self->watch.lock);
    call_socket_client(round, kRLSocketConnectCallBack, NULL, error != 0 ? &error : NULL);
    return error == 0;
}

static void serve_writable(struct round *round)
{
    struct rl_socket *self = round->socket;
    rl_lock(&self->watch.lock);
    bool is_awaited = self->awaits_space;
    self->awaits_space = false;
    rl_unlock(&self->watch.lock);
    if (!is_awaited) return;
    call_socket_client(round, kRLSocketWriteCallBack, NULL, NULL);

    rl_lock(&self->watch.lock);
    bool comes_again = (self->flags & kRLSocketAutomaticallyReenableWriteCallBack) &&
                       !(self->disabled & kRLSocketWriteCallBack) && self->watch.modes > 0;
    rl_unlock(&self->watch.lock);
    if (comes_again) rl_socket_enable(self, kRLSocketWriteCallBack);
}

enum outcome {
    SERVED,
    /* The client was not called, and the events stay wanted. */
    IDLE,
    /* Stop watching: no event follows until the client enables the callback again. */
    OVER,
    /* EOF: the socket is invalidated. */
    ENDED
};

/* Returns whether an error is likely to persist, so that the handle stays ready. */
static bool is_refusal(int error)
{
    return error == -EMFILE || error == -ENFILE || error == -ENOBUFS || error == -ENOMEM ||
           error == -EPERM || error == -ENOSYS;
}

static void warn_of_refused_accept(const char *deed, int error)
{
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_warn("RLSocket",
            "cannot %s: %s, retrying every %g s: check the limit of open files (%ld), the memory "
            "and the sandbox",
            deed, strerror(-error), RETRY_INTERVAL, sysconf(_SC_OPEN_MAX));
}

static void resume_serving(RLRunLoopTimerRef timer, void *info)
{
    struct rl_socket *self = info;
    (void)timer;
    rl_alarm_forget(&self->retry, &self->watch.lock);
    rl_socket_resume(self);
}

static void pause_serving(struct rl_socket *self)
{
    struct rl_source *source = rl_watch_hold_source(&self->watch);
    if (!source) return;
    rl_alarm_set(&self->retry, &self->watch.lock, source, RETRY_INTERVAL, resume_serving, self);
    RLRelease(source);
}

/* Undelivered bytes or connections keep the handle ready, so an immediate retry would spin. */
static void pause_reading(struct rl_socket *self, const char *deed, int error)
{
    warn_of_refused_accept(deed, error);
    pause_serving(self);
}

static RLDataRef data_of(const struct rl_socket_name *name)
{
    return RLDataCreate(NULL, (const UInt8 *)&name->storage, (RLIndex)name->length);
}

/* Returns true if the peer is gone and no bytes are left, even if empty packets are queued. */
static bool is_after_packets(int fd)
{
    return rl_socket_has_hung_up(fd) && !rl_kernel_has_bytes(fd);
}

/* Checks a readable handle for EOF. Never returns IDLE. */
static enum outcome find_end(struct rl_socket *self)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return OVER;
    bool is_at_end = self->is_stream || self->is_sequenced
                         ? is_after_packets(fd)
                         : self->has_end && !rl_kernel_has_bytes(fd);
    rl_watch_end_use(&self->watch);
    return is_at_end ? ENDED : SERVED;
}

static enum outcome serve_readable(struct round *round, RLRunLoopDescriptorEvents events)
{
    struct rl_socket *self = round->socket;
    const RLRunLoopDescriptorEvents over = kRLRunLoopDescriptorHangUp | kRLRunLoopDescriptorError;
    /* For sockets, the kernel reports EOF as a hang-up, so other events need no check. */
    bool may_have_ended = (events & over) || !(self->is_stream || self->is_sequenced);
    enum outcome outcome = may_have_ended ? find_end(self) : SERVED;
    if (outcome == OVER) return OVER;
    call_socket_client(round, kRLSocketReadCallBack, NULL, NULL);
    return outcome == ENDED ? OVER : SERVED;
}

/* The buffer belongs to the loop, because threads may have small stacks. */
static UInt8 *receive_buffer(void)
{
    struct rl_loop *loop = rl_own_loop;
    if (!loop->receive_buffer) loop->receive_buffer = rl_allocate(DATAGRAM_CHUNK);
    return loop->receive_buffer;
}

static ssize_t receive_chunk(struct rl_socket *self, RLDataRef *ret_data,
                             struct rl_socket_name *ret_sender, bool *ret_is_end)
{
    UInt8 *chunk = receive_buffer();
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return fd;
    size_t size = self->is_stream ? STREAM_CHUNK : DATAGRAM_CHUNK;
    ssize_t length = rl_socket_receive(fd, chunk, size, ret_sender);
    *ret_is_end =
        self->is_stream ? length <= 0 : self->is_sequenced && length == 0 && is_after_packets(fd);
    rl_watch_end_use(&self->watch);
    if (length >= 0) *ret_data = RLDataCreate(NULL, chunk, length);
    return length;
}

static RLDataRef copy_sender(struct rl_socket *self, const struct rl_socket_name *sender)
{
    if (!self->is_stream || sender->length > 0) return data_of(sender);
    rl_lock(&self->watch.lock);
    RLDataRef peer = self->peer_address ? RLRetain(self->peer_address) : NULL;
    rl_unlock(&self->watch.lock);
    if (!peer) peer = RLSocketCopyPeerAddress(rl_socket_ref(self));
    return peer ? peer : data_of(sender);
}

static enum outcome serve_data(struct round *round)
{
    struct rl_socket *self = round->socket;
    struct rl_socket_name sender = {.length = 0};
    RLDataRef data = NULL;
    bool is_end = false;
    ssize_t length = receive_chunk(self, &data, &sender, &is_end);
    if (length == -EAGAIN) return IDLE;
    if (length == -ENOTCONN || length == -ENOTSOCK) return OVER;
    if (is_refusal((int)length)) {
        pause_reading(self, "receive", (int)length);
        return OVER;
    }
    if (length < 0) {
        if (self->is_sequenced) return IDLE;
        /* A stream has ended. For datagrams, the error means that an earlier datagram was lost. */
        data = RLDataCreate(NULL, NULL, 0);
        sender.length = 0;
    }
    RLDataRef address = copy_sender(self, &sender);
    call_socket_client(round, kRLSocketDataCallBack, address, data);
    RLRelease(address);
    RLRelease(data);
    return is_end ? ENDED : SERVED;
}

static int accept_connection(struct rl_socket *self, struct rl_socket_name *ret_peer)
{
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return fd;
    /* If another process accepts the connection first, this call must not block. */
    if (!atomic_exchange(&self->accepts_at_once, true)) rl_socket_set_blocking(fd, false);
    int accepted = rl_socket_accept(fd, ret_peer);
    rl_watch_end_use(&self->watch);
    return accepted;
}

static enum outcome serve_connections(struct round *round)
{
    struct rl_socket *self = round->socket;
    struct rl_socket_name peer;
    int accepted = accept_connection(self, &peer);
    if (accepted >= 0) {
        RLSocketNativeHandle handle = accepted;
        RLDataRef address = data_of(&peer);
        bool is_taken = call_socket_client(round, kRLSocketAcceptCallBack, address, &handle);
        if (!is_taken) rl_kernel_close(&accepted);
        RLRelease(address);
        return SERVED;
    }
    /* A security module forbids accept(2) with EACCES, which is not in is_refusal. */
    if (is_refusal(accepted) || accepted == -EACCES) {
        pause_reading(self, "accept connections", accepted);
        return OVER;
    }
    /* With these errors, the handle does not listen. Other errors concern one connection. */
    return accepted == -EINVAL || accepted == -ENOTSOCK || accepted == -EOPNOTSUPP ? OVER : IDLE;
}

static void serve_reading(struct round *round, RLRunLoopDescriptorEvents events)
{
    struct rl_socket *self = round->socket;
    enum outcome outcome = OVER;
    switch (self->read_kind) {
    case kRLSocketReadCallBack: outcome = serve_readable(round, events); break;
    case kRLSocketAcceptCallBack: outcome = serve_connections(round); break;
    default: outcome = serve_data(round); break;
    }
    if (outcome == ENDED) RLSocketInvalidate(rl_socket_ref(self));
    if (outcome != SERVED && outcome != IDLE) return;

    rl_lock(&self->watch.lock);
    bool is_automatic = (self->flags & self->read_kind) == self->read_kind;
    bool comes_again = (is_automatic || outcome == IDLE) && self->watch.fd >= 0 &&
                       !(self->disabled & RL_SOCKET_READ_KINDS) && self->watch.modes > 0;
    if (comes_again) rl_watch_want_again(&self->watch, kRLRunLoopDescriptorRead);
    rl_unlock(&self->watch.lock);
}

/*
 * Returns true if the socket has not begun to connect, or if connecting has failed. The kernel
 * reports such a socket as hung up and writable, although it has no EOF to read and no error.
 */
static bool is_without_peer(struct rl_socket *self, RLRunLoopDescriptorEvents events)
{
    const RLRunLoopDescriptorEvents of_note = kRLRunLoopDescriptorRead | kRLRunLoopDescriptorError;
    bool can_connect =
        (self->is_stream || self->is_sequenced) && self->read_kind != kRLSocketAcceptCallBack;
    if (!(events & kRLRunLoopDescriptorHangUp) || !can_connect) return false;
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return false;
    RLRunLoopDescriptorEvents now = rl_socket_poll_now(fd);
    rl_watch_end_use(&self->watch);
    return (now & kRLRunLoopDescriptorHangUp) && !(now & of_note);
}

static void serve_socket(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    struct rl_socket *self = rl_socket_of(watch);
    /*
     * The client may call connect(2), which causes no event, so the state is checked again later.
     */
    if (is_without_peer(self, events)) return pause_serving(self);
    struct round round = begin_round(self);
    bool is_writable = events & kRLRunLoopDescriptorWrite;
    if (is_writable) is_writable = serve_connection(&round);
    if (events & kRLRunLoopDescriptorRead) serve_reading(&round, events);
    if (is_writable) serve_writable(&round);
    if (round.is_retained) rl_client_release_retained(&round.socket->client, round.info);
}

static void socket_scheduled(struct rl_watch *watch)
{
    struct rl_socket *self = rl_socket_of(watch);
    rl_socket_enable(self, self->types);
}

static void socket_unscheduled(struct rl_watch *watch)
{
    struct rl_socket *self = rl_socket_of(watch);
    rl_lock(&watch->lock);
    self->awaits_space = false;
    rl_unlock(&watch->lock);
    rl_watch_want_no_more(watch, kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite);
    rl_alarm_forget(&self->retry, &self->watch.lock);
}

/* Ends a pause, because its timer is not in the mode that the source has just entered. */
static void socket_joined(struct rl_watch *watch)
{
    struct rl_socket *self = rl_socket_of(watch);
    rl_lock(&watch->lock);
    bool is_paused = self->retry.timers;
    rl_unlock(&watch->lock);
    if (is_paused) rl_socket_resume(self);
}

const struct rl_watch_class rl_socket_watch_class = {
    .happened = serve_socket,
    .scheduled = socket_scheduled,
    .joined = socket_joined,
    .unscheduled = socket_unscheduled,
};
