/*
 * A host runs one resolution at a time, with the look-ups of host_lookup.c.
 *
 * A resolution ends when its answer arrives or when it is cancelled. A thread that waits for the
 * resolution gets the result at once. A result for a client is stored in the host until a loop
 * calls the client.
 *
 * Locks: the lock of a query or of the source is taken while a host's lock is held. No lock is held
 * while a look-up starts or a client is called.
 */

#include "base/system.h"

#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "sockets/host_lookup.h"
#include "sockets/type_numbers.h"
#include "values/text.h"
#include "watch/client.h"
#include "watch/weak_source.h"

#include <CRunLoop/RLHost.h>

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

const SInt32 kRLStreamErrorDomainNetDB = 12;

struct host_client {
    atomic_uint references;
    RLHostClientCallBack callout;
    struct rl_client client;
};

/*
 * The data of a look-up. They are separate from the host because the host may be destroyed before
 * the look-up ends.
 */
struct query {
    /* The host has one reference, and the look-up has one. */
    atomic_uint references;
    RLHostInfoType type;
    struct rl_lock lock;
    /* The host; null if it no longer wants the answer. */
    struct named_host *host;
};

struct result {
    bool is_there;
    RLStreamError error;
};

struct named_host {
    struct rl_object object;
    struct rl_lock lock;
    RLArrayRef known[2];
    /* The array that the last resolution replaced. It stays valid until the next resolution. */
    RLArrayRef replaced;
    /* Set once. */
    RLHostInfoType origin;
    struct query *query;
    /* The memory for the result that a waiting thread needs. Null if no thread waits. */
    struct result *waiting;
    bool is_unreported;
    RLHostInfoType unreported_type;
    RLStreamError unreported_error;
    /* The number of resolutions that have ended. A waiting thread sleeps on this futex. */
    atomic_uint ends;
    struct host_client *client;
    struct rl_weak_source source;
};

static struct named_host *checked_host(RLHostRef host, const char *function, const char *argument)
{
    rl_expect(host, RL_TYPE_HOST, function, argument);
    return (struct named_host *)(void *)host;
}

static RLStreamError posix_error(int error)
{
    return (RLStreamError){kRLStreamErrorDomainPOSIX, error};
}

/* --- Making ----------------------------------------------------------------------------------- */

static RLArrayRef array_of(RLTypeRef owned)
{
    RLArrayRef array = RLArrayCreate(NULL, &owned, 1, &kRLTypeArrayCallBacks);
    RLRelease(owned);
    return array;
}

static RLHostRef make_host(RLHostInfoType origin, RLArrayRef known)
{
    struct named_host *host = rl_object_create(RL_TYPE_HOST, sizeof *host);
    host->origin = origin;
    host->known[origin] = known;
    return (RLHostRef)(void *)host;
}

RLHostRef RLHostCreateWithName(RLAllocatorRef allocator, RLStringRef hostname)
{
    (void)allocator;
    rl_expect_string(hostname, __func__, "hostname");
    return make_host(kRLHostNames, array_of(RLStringCreateCopy(NULL, hostname)));
}

static bool read_address(RLDataRef data, struct rl_socket_name *ret_name)
{
    RLIndex length = RLDataGetLength(data);
    *ret_name = (struct rl_socket_name){0};
    if (length > (RLIndex)sizeof ret_name->storage) return false;
    memcpy(&ret_name->storage, RLDataGetBytePtr(data), (size_t)length);
    sa_family_t family = ret_name->storage.ss_family;
    if (family == AF_INET) ret_name->length = sizeof(struct sockaddr_in);
    if (family == AF_INET6) ret_name->length = sizeof(struct sockaddr_in6);
    return ret_name->length > 0 && length >= (RLIndex)ret_name->length;
}

RLHostRef RLHostCreateWithAddress(RLAllocatorRef allocator, RLDataRef addr)
{
    (void)allocator;
    struct rl_socket_name name;
    RL_EXPECT(addr, RL_TYPE_DATA);
    if (!read_address(addr, &name)) return NULL;
    return make_host(kRLHostAddresses, array_of(RLDataCreateCopy(NULL, addr)));
}

static RLArrayRef copy_known(struct named_host *host, RLHostInfoType type)
{
    rl_lock(&host->lock);
    RLArrayRef known = host->known[type] ? RLRetain(host->known[type]) : NULL;
    rl_unlock(&host->lock);
    return known;
}

RLHostRef RLHostCreateCopy(RLAllocatorRef alloc, RLHostRef host)
{
    (void)alloc;
    struct named_host *self = checked_host(host, __func__, "host");
    RLHostRef copy = make_host(self->origin, copy_known(self, self->origin));
    RLHostInfoType other = self->origin == kRLHostNames ? kRLHostAddresses : kRLHostNames;
    ((struct named_host *)(void *)copy)->known[other] = copy_known(self, other);
    return copy;
}

static RLArrayRef get_known(struct named_host *host, RLHostInfoType type, Boolean *ret_is_known)
{
    rl_lock(&host->lock);
    RLArrayRef known = host->known[type];
    rl_unlock(&host->lock);
    if (ret_is_known) *ret_is_known = known != NULL;
    return known;
}

RLArrayRef RLHostGetAddressing(RLHostRef theHost, Boolean *hasBeenResolved)
{
    return get_known(checked_host(theHost, __func__, "theHost"), kRLHostAddresses, hasBeenResolved);
}

RLArrayRef RLHostGetNames(RLHostRef theHost, Boolean *hasBeenResolved)
{
    return get_known(checked_host(theHost, __func__, "theHost"), kRLHostNames, hasBeenResolved);
}

/* --- The look-up under way ------------------------------------------------------------------ */

static void release_query(struct query *query)
{
    if (atomic_fetch_sub(&query->references, 1) == 1) free(query);
}

/* Call this with the host locked. */
static void forget_query(struct named_host *host)
{
    struct query *query = host->query;
    if (!query) return;
    host->query = NULL;
    rl_lock(&query->lock);
    query->host = NULL;
    rl_unlock(&query->lock);
    release_query(query);
}

/* --- The client ------------------------------------------------------------------------------- */

static void drop_client(struct host_client *client)
{
    if (atomic_fetch_sub(&client->references, 1) == 1) free(client);
}

static void set_client(struct named_host *host, struct host_client *client)
{
    rl_lock(&host->lock);
    struct host_client *old = host->client;
    host->client = client;
    if (!client) host->is_unreported = false;
    /* If there is no client, only a waiting thread needs the result. */
    if (!client && !host->waiting) forget_query(host);
    rl_unlock(&host->lock);
    if (!old) return;
    rl_client_end(&old->client, &host->lock);
    drop_client(old);
}

Boolean RLHostSetClient(RLHostRef theHost, RLHostClientCallBack clientCB,
                        RLHostClientContext *clientContext)
{
    struct named_host *self = checked_host(theHost, __func__, "theHost");
    struct host_client *client = NULL;
    if (clientCB) {
        client = rl_allocate(sizeof *client);
        atomic_init(&client->references, 1);
        client->callout = clientCB;
    }
    if (client && clientContext) {
        rl_client_begin_constant(&client->client, &RL_CONSTANT_CONTEXT(clientContext));
    }
    set_client(self, client);
    return true;
}

RL_CALLOUT_FUNCTION void rl_callout_host(RLHostClientCallBack function, RLHostRef host,
                                         RLHostInfoType type, const RLStreamError *error,
                                         void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(host, type, error, info);
    RL_STAY_ON_THE_STACK;
}

static void notify_client(void *info)
{
    struct named_host *host = info;
    rl_lock(&host->lock);
    struct host_client *client = host->is_unreported ? host->client : NULL;
    RLHostInfoType type = host->unreported_type;
    RLStreamError error = host->unreported_error;
    host->is_unreported = false;
    void *client_info = NULL;
    if (client) {
        atomic_fetch_add(&client->references, 1);
        client_info = rl_client_pin(&client->client);
    }
    rl_unlock(&host->lock);
    if (!client) return;
    client_info = rl_client_retain_pinned(&client->client, client_info);
    rl_callout_host(client->callout, (RLHostRef)(void *)host, type, &error, client_info);
    rl_client_release_retained(&client->client, client_info);
    drop_client(client);
}

/* --- The end of a resolution ------------------------------------------------------------------ */

/* Call this with the host locked. */
static void note_end(struct named_host *host, RLHostInfoType type, RLStreamError error)
{
    if (host->waiting) {
        *host->waiting = (struct result){true, error};
        host->waiting = NULL;
    } else if (host->client) {
        host->is_unreported = true;
        host->unreported_type = type;
        host->unreported_error = error;
    }
    atomic_fetch_add(&host->ends, 1);
}

/* Call this without a lock. */
static void report_end(struct named_host *host)
{
    rl_kernel_futex_wake_all(&host->ends);
    rl_weak_source_signal(&host->source, &host->lock);
}

static RLArrayRef copy_addresses(const struct addrinfo *found)
{
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    for (; found; found = found->ai_next) {
        RLDataRef data =
            RLDataCreate(NULL, (const UInt8 *)found->ai_addr, (RLIndex)found->ai_addrlen);
        RLArrayAppendValue(array, data);
        RLRelease(data);
    }
    return array;
}

static RLStreamError error_of(const struct rl_lookup_answer *answer)
{
    if (answer->failure == 0) return (RLStreamError){0, 0};
    if (answer->failure == EAI_SYSTEM) return posix_error(answer->error);
    return (RLStreamError){kRLStreamErrorDomainNetDB, answer->failure};
}

/* Does nothing if the host has cancelled the query. */
static void end_query(struct named_host *host, struct query *query, RLArrayRef found,
                      RLStreamError error)
{
    rl_lock(&host->lock);
    bool is_wanted = host->query == query;
    RLArrayRef unwanted = found;
    if (is_wanted && found) {
        unwanted = host->replaced;
        host->replaced = host->known[query->type];
        host->known[query->type] = found;
    }
    if (is_wanted) forget_query(host);
    if (is_wanted) note_end(host, query->type, error);
    rl_unlock(&host->lock);
    if (unwanted) RLRelease(unwanted);
    if (is_wanted) report_end(host);
}

/* Runs on the look-up's thread or on the requesting thread. */
static void take_answer(void *context, const struct rl_lookup_answer *answer)
{
    struct query *query = context;
    rl_lock(&query->lock);
    struct named_host *host = query->host;
    if (host && !rl_object_try_retain(&host->object)) host = NULL;
    rl_unlock(&query->lock);
    if (host) {
        RLArrayRef found = NULL;
        if (answer->failure == 0) {
            found = answer->name ? array_of(rl_string_format("%s", answer->name))
                                 : copy_addresses(answer->addresses);
        }
        end_query(host, query, found, error_of(answer));
        RLRelease(host);
    }
    if (answer->addresses) freeaddrinfo(answer->addresses);
    release_query(query);
}

static bool is_query_wanted(void *context)
{
    struct query *query = context;
    rl_lock(&query->lock);
    bool result = query->host;
    rl_unlock(&query->lock);
    return result;
}

static const struct rl_lookup_requester requester = {is_query_wanted, take_answer};

/* --- Resolving -------------------------------------------------------------------------------- */

static struct query *make_query(struct named_host *host, RLHostInfoType type)
{
    struct query *query = rl_allocate(sizeof *query);
    atomic_init(&query->references, 2);
    query->type = type;
    query->host = host;
    return query;
}

/* Call this without a lock. */
static void begin_lookup(const struct named_host *host, struct query *query)
{
    RLTypeRef origin = RLArrayGetValueAtIndex(host->known[host->origin], 0);
    struct rl_socket_name address;
    if (host->origin == kRLHostNames) {
        rl_lookup_begin(rl_string_characters(origin), 0, AF_UNSPEC, &requester, query);
    } else {
        (void)read_address(origin, &address);
        rl_lookup_begin_name(&address, &requester, query);
    }
}

/*
 * Returns false if another resolution is unfinished or unreported. Stores null in `ret_query` if
 * the result is known already.
 */
static bool begin_query(struct named_host *host, RLHostInfoType type, struct result *result,
                        struct query **ret_query, bool *ret_waits)
{
    rl_lock(&host->lock);
    bool can_begin = !host->query && !host->is_unreported;
    *ret_waits = can_begin && !host->client;
    *ret_query = NULL;
    if (*ret_waits) host->waiting = result;
    if (can_begin && type != host->origin) *ret_query = host->query = make_query(host, type);
    if (can_begin && type == host->origin) note_end(host, type, (RLStreamError){0, 0});
    rl_unlock(&host->lock);
    return can_begin;
}

static void await_end(struct named_host *host, const struct result *result)
{
    for (;;) {
        unsigned ends = atomic_load(&host->ends);
        rl_lock(&host->lock);
        bool is_there = result->is_there;
        rl_unlock(&host->lock);
        if (is_there) return;
        rl_kernel_futex_wait(&host->ends, ends);
    }
}

static RLStreamError resolve_host(struct named_host *host, RLHostInfoType type)
{
    struct result result = {0};
    struct query *query;
    bool waits;
    if (type != kRLHostAddresses && type != kRLHostNames) return posix_error(EINVAL);
    if (!begin_query(host, type, &result, &query, &waits)) return posix_error(EALREADY);
    if (query) begin_lookup(host, query);
    if (waits) {
        await_end(host, &result);
    } else if (!query) {
        report_end(host);
    }
    return result.error;
}

Boolean RLHostStartInfoResolution(RLHostRef theHost, RLHostInfoType info, RLStreamError *error)
{
    struct named_host *self = checked_host(theHost, __func__, "theHost");
    RLRetain(self);
    RLStreamError result = resolve_host(self, info);
    RLRelease(self);
    if (error) *error = result;
    return result.domain == 0;
}

void RLHostCancelInfoResolution(RLHostRef theHost, RLHostInfoType info)
{
    struct named_host *self = checked_host(theHost, __func__, "theHost");
    rl_lock(&self->lock);
    bool is_canceled = self->query && self->query->type == info;
    if (self->is_unreported && self->unreported_type == info) self->is_unreported = false;
    if (is_canceled) {
        forget_query(self);
        if (self->waiting) note_end(self, info, posix_error(ECANCELED));
    }
    rl_unlock(&self->lock);
    if (is_canceled) rl_kernel_futex_wake_all(&self->ends);
}

/* --- Loops ------------------------------------------------------------------------------------ */

static const void *retain_host(const void *info)
{
    return RLRetain(info);
}

static void release_host(const void *info)
{
    struct named_host *host = (struct named_host *)(uintptr_t)info;
    rl_weak_source_forget(&host->source, &host->lock);
    RLRelease(host);
}

static struct rl_source *make_source(void *host)
{
    RLRunLoopSourceContext context = {
        .info = host, .retain = retain_host, .release = release_host, .perform = notify_client};
    return (struct rl_source *)(void *)RLRunLoopSourceCreate(NULL, 0, &context);
}

void RLHostScheduleWithRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode)
{
    struct named_host *self = checked_host(theHost, __func__, "theHost");
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    rl_lock(&self->lock);
    struct rl_source *source = rl_weak_source_hold_or_make(&self->source, make_source, self);
    rl_unlock(&self->lock);
    RLRunLoopAddSource(runLoop, (RLRunLoopSourceRef)(void *)source, runLoopMode);
    RLRelease(source);
    /* A resolution that ended before the source was added has not woken this loop. */
    rl_lock(&self->lock);
    bool is_unreported = self->is_unreported;
    rl_unlock(&self->lock);
    if (is_unreported) rl_weak_source_signal(&self->source, &self->lock);
}

void RLHostUnscheduleFromRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode)
{
    struct named_host *self = checked_host(theHost, __func__, "theHost");
    rl_expect_string(runLoopMode, __func__, "runLoopMode");
    struct rl_source *source = rl_weak_source_hold(&self->source, &self->lock);
    if (!source) return;
    RLRunLoopRemoveSource(runLoop, (RLRunLoopSourceRef)(void *)source, runLoopMode);
    RLRelease(source);
}

/* --- The class -------------------------------------------------------------------------------- */

static void destroy_host(struct rl_object *object)
{
    struct named_host *host = (struct named_host *)object;
    set_client(host, NULL);
    for (int type = 0; type < 2; type++) {
        if (host->known[type]) RLRelease(host->known[type]);
    }
    if (host->replaced) RLRelease(host->replaced);
    rl_object_free(object);
}

static RLStringRef describe_host(RLTypeRef object)
{
    struct named_host *host = (struct named_host *)(uintptr_t)object;
    struct rl_text text = {0};
    rl_text_add(&text, "<RLHost %p>{", object);
    for (int type = 0; type < 2; type++) {
        RLArrayRef known = copy_known(host, (RLHostInfoType)type);
        rl_text_add(&text, type == kRLHostNames ? ", names = " : "addresses = ");
        rl_text_add_string(&text, known ? RLCopyDescription(known) : NULL);
        if (known) RLRelease(known);
    }
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class named_host_class = {
    .name = "RLHost",
    .destroy = destroy_host,
    .copy_description = describe_host,
};

RL_REGISTER_CLASS(RLHost, RL_TYPE_HOST, named_host_class)
RL_DEFINE_SWIFT_COUNTS(host, RLHostRef)
