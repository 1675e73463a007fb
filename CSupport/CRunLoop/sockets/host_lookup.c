/*
 * getaddrinfo(3) and getnameinfo(3), and the thread that waits in them. Nothing here locks.
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
    /* To look up its name; of no length to look up the host. */
    struct rl_socket_name address;
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

static void finish_lookup(struct lookup *lookup, const struct rl_lookup_answer *answer)
{
    lookup->receiver(lookup->context, answer);
    free(lookup);
}

static struct rl_lookup_answer answer_of(int failure, struct addrinfo *addresses)
{
    int error = failure == EAI_SYSTEM ? errno : 0;
    return (struct rl_lookup_answer){.failure = failure, .error = error, .addresses = addresses};
}

static struct rl_lookup_answer find_addresses(const struct lookup *lookup)
{
    struct addrinfo *found = NULL;
    int failure = resolve_host(lookup, lookup->host, 0, &found);
    add_test_address(lookup, &found);
    return answer_of(failure, found);
}

static struct rl_lookup_answer find_name(const struct lookup *lookup, char name[NI_MAXHOST])
{
    const struct sockaddr *address = (const struct sockaddr *)&lookup->address.storage;
    int failure = RL_UNCANCELED(
        getnameinfo(address, lookup->address.length, name, NI_MAXHOST, NULL, 0, NI_NAMEREQD));
    struct rl_lookup_answer answer = answer_of(failure, NULL);
    answer.name = name;
    return answer;
}

static void *run_lookup(void *argument)
{
    struct lookup *lookup = argument;
    char name[NI_MAXHOST];
    call_test();
    struct rl_lookup_answer answer =
        lookup->address.length > 0 ? find_name(lookup, name) : find_addresses(lookup);
    finish_lookup(lookup, &answer);
    return NULL;
}

static struct lookup *make_lookup(const char *host, rl_lookup_receiver receiver, void *context)
{
    size_t size = strlen(host) + 1;
    struct lookup *lookup = rl_allocate(sizeof *lookup + size);
    lookup->receiver = receiver;
    lookup->context = context;
    memcpy(lookup->host, host, size);
    return lookup;
}

static void start_lookup(struct lookup *lookup)
{
    errno = rl_thread_start(run_lookup, lookup);
    if (errno == 0) return;
    struct rl_lookup_answer answer = answer_of(EAI_SYSTEM, NULL);
    finish_lookup(lookup, &answer);
}

void rl_lookup_begin(const char *host, unsigned port, int family, rl_lookup_receiver receiver,
                     void *context)
{
    struct lookup *lookup = make_lookup(host, receiver, context);
    lookup->family = family;
    snprintf(lookup->service, sizeof lookup->service, "%u", port);
    struct addrinfo *found = NULL;
    int failure = resolve_host(lookup, lookup->host, AI_NUMERICHOST, &found);
    if (failure == EAI_NONAME) {
        start_lookup(lookup);
        return;
    }
    struct rl_lookup_answer answer = answer_of(failure, found);
    finish_lookup(lookup, &answer);
}

void rl_lookup_begin_name(const struct rl_socket_name *address, rl_lookup_receiver receiver,
                          void *context)
{
    struct lookup *lookup = make_lookup("", receiver, context);
    lookup->address = *address;
    start_lookup(lookup);
}
