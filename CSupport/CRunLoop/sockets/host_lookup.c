/*
 * getaddrinfo(3), and the thread that waits in it. Nothing here locks.
 */

#include "base/system.h"

#include "sockets/host_lookup.h"

#include "base/object.h"
#include "base/thread.h"
#include "base/uncanceled.h"

#include <CRunLoop/RLTesting.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct lookup {
    rl_lookup_receiver receiver;
    void *context;
    int family;
    char service[16];
    char host[];
};

/* Looks up a name. Returns an EAI value; for EAI_SYSTEM, the error is in errno. */
static int resolve_host(const struct lookup *lookup, const char *host, int flags,
                        struct addrinfo **ret_found)
{
    struct addrinfo hints = {
        .ai_family = lookup->family,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_V4MAPPED | AI_ALL | flags,
    };
    return RL_UNCANCELED(getaddrinfo(host, lookup->service, &hints, ret_found));
}

#if defined(RL_TESTING)

static _Atomic(void (*)(void)) before_lookup;
static _Atomic(const char *) first_address;

void RLTestingSetBeforeLookup(void (*function)(void))
{
    atomic_store(&before_lookup, function);
}

void RLTestingSetFirstAddress(const char *address)
{
    atomic_store(&first_address, address);
}

static void call_test(void)
{
    void (*function)(void) = atomic_load(&before_lookup);
    if (function) function();
}

/* Puts the address of a test before those that were found. */
static void add_test_address(const struct lookup *lookup, struct addrinfo **found)
{
    struct addrinfo *first = NULL;
    const char *address = atomic_load(&first_address);
    if (!address || resolve_host(lookup, address, AI_NUMERICHOST, &first) != 0) return;
    struct addrinfo *last = first;
    while (last->ai_next) last = last->ai_next;
    last->ai_next = *found;
    *found = first;
}

#else

static void call_test(void)
{
}

static void add_test_address(const struct lookup *lookup, struct addrinfo **found)
{
    (void)lookup, (void)found;
}

#endif

static void finish_lookup(struct lookup *lookup, int result, struct addrinfo *found)
{
    int failure = result == EAI_SYSTEM ? -errno : result != 0 ? -EHOSTUNREACH : 0;
    lookup->receiver(lookup->context, failure, found);
    free(lookup);
}

static void *run_lookup(void *argument)
{
    struct lookup *lookup = argument;
    struct addrinfo *found = NULL;
    call_test();
    int result = resolve_host(lookup, lookup->host, 0, &found);
    add_test_address(lookup, &found);
    finish_lookup(lookup, result, found);
    return NULL;
}

void rl_lookup_begin(const char *host, unsigned port, int family, rl_lookup_receiver receiver,
                     void *context)
{
    size_t size = strlen(host) + 1;
    struct lookup *lookup = rl_allocate(sizeof *lookup + size);
    lookup->receiver = receiver;
    lookup->context = context;
    lookup->family = family;
    snprintf(lookup->service, sizeof lookup->service, "%u", port);
    memcpy(lookup->host, host, size);
    struct addrinfo *found = NULL;
    int result = resolve_host(lookup, lookup->host, AI_NUMERICHOST, &found);
    if (result == EAI_NONAME) {
        errno = rl_thread_start(run_lookup, lookup);
        if (errno == 0) return;
        result = EAI_SYSTEM;
    }
    finish_lookup(lookup, result, found);
}
