/* The table ensures that a handle has at most one socket object. It does not retain the objects. */

#include "sockets/socket.h"

#include "base/check.h"
#include "base/fork.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/swift_counts.h"
#include "report/describe.h"
#include "sockets/type_numbers.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

/* This lock is taken before the lock of a socket. */
static struct rl_lock table_lock;
/* The sockets, indexed by handle. table_lock guards the table. */
static struct rl_socket **table;
static int table_size;

struct rl_socket *rl_socket_checked(RLSocketRef socket, const char *function)
{
    rl_expect(socket, RL_TYPE_SOCKET, function, "socket");
    return (struct rl_socket *)(void *)socket;
}

static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table_lock);
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&table_lock);
}

RL_REGISTER_FORK_TABLE(10, prepare_fork, unlock_after_fork, unlock_after_fork)

static void grow_table(int fd)
{
    if (fd < table_size) return;
    int size = fd + 64 > table_size * 2 ? fd + 64 : table_size * 2;
    table = rl_reallocate(table, (size_t)size * sizeof table[0]);
    memset(&table[table_size], 0, (size_t)(size - table_size) * sizeof table[0]);
    table_size = size;
}

/* Returns a valid retained socket, or null. Call this with the table locked. */
static struct rl_socket *find_socket(int fd)
{
    struct rl_socket *known = table[fd];
    if (!known || rl_watch_descriptor(&known->watch) != fd) return NULL;
    return rl_object_try_retain(&known->object) ? known : NULL;
}

static void forget_socket(const struct rl_socket *self, int fd)
{
    rl_lock(&table_lock);
    if (fd >= 0 && table[fd] == self) table[fd] = NULL;
    rl_unlock(&table_lock);
}

/* If a sandbox hides the type, this function assumes SOCK_STREAM, the most common type. */
static int socket_type_of(int fd)
{
    static atomic_bool was_warned;
    int type = rl_socket_type(fd);
    if (type >= 0 || type == -ENOTSOCK || type == -EBADF) return type;
    if (!atomic_exchange(&was_warned, true)) {
        rl_warn("RLSocket",
                "cannot query the type of socket %d (%s), and assumes a stream: allow "
                "getsockopt(2) in the sandbox",
                fd, strerror(-type));
    }
    return SOCK_STREAM;
}

static struct rl_socket *make_socket(int fd, RLOptionFlags types, RLSocketCallBack callout)
{
    struct rl_socket *self = rl_object_create(RL_TYPE_SOCKET, sizeof *self);
    int type = socket_type_of(fd);
    rl_watch_init(&self->watch, &rl_socket_watch_class, &self->object, fd);
    self->callout = callout;
    self->types =
        types & (RL_SOCKET_READ_KINDS | kRLSocketConnectCallBack | kRLSocketWriteCallBack);
    self->read_kind = types & RL_SOCKET_READ_KINDS;
    self->is_stream = type == SOCK_STREAM;
    self->is_sequenced = type == SOCK_SEQPACKET;
    self->has_end = type == SOCK_STREAM || type < 0;
    self->awaits_connection = (types & kRLSocketConnectCallBack) && self->is_stream;
    self->flags = self->read_kind | kRLSocketCloseOnInvalidate;
    return self;
}

/* Returns a valid retained socket. If the handle has none, adds `offered`, which may be null. */
static struct rl_socket *find_or_add_socket(int fd, struct rl_socket *offered)
{
    rl_lock(&table_lock);
    grow_table(fd);
    struct rl_socket *known = find_socket(fd);
    if (!known && offered) known = table[fd] = offered;
    rl_unlock(&table_lock);
    return known;
}

RLSocketRef RLSocketCreateWithNative(RLAllocatorRef allocator, RLSocketNativeHandle sock,
                                     RLOptionFlags callBackTypes, RLSocketCallBack callout,
                                     const RLSocketContext *context)
{
    (void)allocator;
    RL_HINT(sock < 0, __func__,
            "argument `sock` is %d: check the result of socket(2); returning NULL", sock);
    if (sock < 0) return NULL;
    rl_fork_set_up();
    struct rl_socket *known = find_or_add_socket(sock, NULL);
    if (known) return rl_socket_ref(known);
    /*
     * Other threads must not find an incomplete socket, so the info is retained before the socket
     * is added to the table. No lock is held while `retain` runs, so another thread may create a
     * socket for the handle at the same time.
     */
    struct rl_socket *made = make_socket(sock, callBackTypes, callout);
    if (context) rl_client_begin_constant(&made->client, &RL_CONSTANT_CONTEXT(context));
    known = find_or_add_socket(sock, made);
    if (known == made) return rl_socket_ref(made);
    /* The existing socket object owns the handle. */
    made->flags &= ~(RLOptionFlags)kRLSocketCloseOnInvalidate;
    RLRelease(made);
    return rl_socket_ref(known);
}

RLSocketRef RLSocketCreate(RLAllocatorRef allocator, SInt32 protocolFamily, SInt32 socketType,
                           SInt32 protocol, RLOptionFlags callBackTypes, RLSocketCallBack callout,
                           const RLSocketContext *context)
{
    SInt32 family = protocolFamily <= 0 ? PF_INET : protocolFamily;
    if (family == PF_INET && socketType <= 0) socketType = SOCK_STREAM;
    if (family == PF_INET && protocol <= 0) {
        if (socketType == SOCK_STREAM) protocol = IPPROTO_TCP;
        if (socketType == SOCK_DGRAM) protocol = IPPROTO_UDP;
    }
    int fd = rl_socket_make(family, socketType, protocol);
    if (fd >= 0) {
        return RLSocketCreateWithNative(allocator, fd, callBackTypes, callout, context);
    }
    RL_HINT(true, __func__,
            "cannot create a socket: %s: check the arguments and the limit of open files; "
            "returning NULL",
            strerror(-fd));
    errno = -fd;
    return NULL;
}

RLSocketError rl_socket_error_of(ssize_t result)
{
    if (result >= 0) return kRLSocketSuccess;
    errno = (int)-result;
    return result == -ETIMEDOUT ? kRLSocketTimeout : kRLSocketError;
}

void rl_socket_forget_addresses(struct rl_socket *self)
{
    rl_lock(&self->watch.lock);
    RLDataRef address = self->address, peer_address = self->peer_address;
    self->address = self->peer_address = NULL;
    rl_unlock(&self->watch.lock);
    if (address) RLRelease(address);
    if (peer_address) RLRelease(peer_address);
}

RLSocketError RLSocketSetAddress(RLSocketRef socket, RLDataRef address)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    if (!address) return rl_socket_error_of(-EFAULT);
    int fd = rl_watch_begin_use(&self->watch);
    if (fd < 0) return rl_socket_error_of(fd);
    int result = rl_socket_bind(fd, RLDataGetBytePtr(address), (size_t)RLDataGetLength(address));
    if (result == 0) (void)rl_socket_listen(fd);
    rl_watch_end_use(&self->watch);
    if (result < 0) return rl_socket_error_of(result);
    rl_socket_forget_addresses(self);
    rl_socket_resume(self);
    return kRLSocketSuccess;
}

RLSocketRef RLSocketCreateWithSocketSignature(RLAllocatorRef allocator,
                                              const RLSocketSignature *signature,
                                              RLOptionFlags callBackTypes, RLSocketCallBack callout,
                                              const RLSocketContext *context)
{
    if (!signature) rl_client_error(__func__, "argument `signature` must not be null");
    RLSocketRef socket = RLSocketCreate(allocator, signature->protocolFamily, signature->socketType,
                                        signature->protocol, callBackTypes, callout, context);
    if (!socket) return NULL;
    if (RLSocketSetAddress(socket, signature->address) == kRLSocketSuccess) return socket;
    RLSocketInvalidate(socket);
    RLRelease(socket);
    return NULL;
}

static void invalidate_socket(struct rl_socket *self)
{
    rl_lock(&self->watch.lock);
    bool closes = self->flags & kRLSocketCloseOnInvalidate;
    rl_unlock(&self->watch.lock);
    int fd = rl_watch_end(&self->watch);
    forget_socket(self, fd);
    if (closes) rl_kernel_close(&fd);
    rl_alarm_end(&self->retry, &self->watch.lock);
    rl_client_end(&self->client, &self->watch.lock);
}

void RLSocketInvalidate(RLSocketRef socket)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    RLRetain(self);
    invalidate_socket(self);
    RLRelease(self);
}

Boolean RLSocketIsValid(RLSocketRef socket)
{
    return rl_watch_descriptor(&rl_socket_checked(socket, __func__)->watch) >= 0;
}

RLSocketNativeHandle RLSocketGetNative(RLSocketRef socket)
{
    return rl_watch_descriptor(&rl_socket_checked(socket, __func__)->watch);
}

/* After an invalidation, returns the last known address. */
static RLDataRef copy_socket_address(struct rl_socket *self, RLDataRef *memory,
                                     bool (*get)(int, struct rl_socket_name *))
{
    struct rl_socket_name name;
    int fd = rl_watch_begin_use(&self->watch);
    bool has_name = fd >= 0 && get(fd, &name);
    if (fd >= 0) rl_watch_end_use(&self->watch);
    RLDataRef fresh =
        has_name ? RLDataCreate(NULL, (const UInt8 *)&name.storage, name.length) : NULL;
    rl_lock(&self->watch.lock);
    RLDataRef old = fresh ? *memory : NULL;
    if (fresh) *memory = fresh;
    RLDataRef result = *memory ? RLRetain(*memory) : NULL;
    rl_unlock(&self->watch.lock);
    if (old) RLRelease(old);
    return result;
}

RLDataRef RLSocketCopyAddress(RLSocketRef socket)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    return copy_socket_address(self, &self->address, rl_socket_get_name);
}

RLDataRef RLSocketCopyPeerAddress(RLSocketRef socket)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    return copy_socket_address(self, &self->peer_address, rl_socket_get_peer);
}

void RLSocketGetContext(RLSocketRef socket, RLSocketContext *context)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->watch.lock);
    const struct rl_constant_context *client = &self->client.constant;
    *context = (RLSocketContext){0, self->client.info, client->retain, client->release,
                                 client->copyDescription};
    rl_unlock(&self->watch.lock);
}

RLRunLoopSourceRef RLSocketCreateRunLoopSource(RLAllocatorRef allocator, RLSocketRef socket,
                                               RLIndex order)
{
    (void)allocator;
    RLRunLoopSourceRef source =
        rl_watch_copy_source(&rl_socket_checked(socket, __func__)->watch, order);
    RL_HINT(!source, __func__,
            "argument `socket` (%p) is invalid: create the source before you invalidate the "
            "socket; returning NULL",
            (void *)socket);
    return source;
}

RLOptionFlags RLSocketGetSocketFlags(RLSocketRef socket)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    rl_lock(&self->watch.lock);
    RLOptionFlags flags = self->flags;
    rl_unlock(&self->watch.lock);
    return flags;
}

void RLSocketSetSocketFlags(RLSocketRef socket, RLOptionFlags flags)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    rl_lock(&self->watch.lock);
    self->flags = flags & 0xFF;
    rl_unlock(&self->watch.lock);
}

static bool is_scheduled(struct rl_socket *self)
{
    rl_lock(&self->watch.lock);
    bool result = self->watch.modes > 0;
    rl_unlock(&self->watch.lock);
    return result;
}

void RLSocketEnableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    if (is_scheduled(self)) rl_socket_enable(self, callBackTypes);
}

void RLSocketDisableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes)
{
    struct rl_socket *self = rl_socket_checked(socket, __func__);
    if (is_scheduled(self)) rl_socket_disable(self, callBackTypes);
}

static void destroy_socket(struct rl_object *object)
{
    struct rl_socket *self = (struct rl_socket *)object;
    invalidate_socket(self);
    rl_socket_forget_addresses(self);
    rl_object_free(object);
}

static RLStringRef describe_socket(RLTypeRef object)
{
    struct rl_socket *self = (struct rl_socket *)(uintptr_t)object;
    struct rl_text text = {0};
    rl_watch_describe(&self->watch, &text, "RLSocket");
    rl_text_add(&text, ", callback types = 0x%lx, flags = 0x%lx, ", self->types,
                RLSocketGetSocketFlags(rl_socket_ref(self)));
    rl_describe_callout(&text, (const void *)(uintptr_t)self->callout);
    rl_text_add(&text, ", context = ");
    rl_client_describe(&self->client, &self->watch.lock, &text, "RLSocket");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class socket_class = {
    .name = "RLSocket",
    .destroy = destroy_socket,
    .copy_description = describe_socket,
};

RL_REGISTER_CLASS(RLSocket, RL_TYPE_SOCKET, socket_class)
RL_DEFINE_SWIFT_COUNTS(socket, RLSocketRef)
