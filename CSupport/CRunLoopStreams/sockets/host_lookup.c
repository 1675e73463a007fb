/*
 * Runs getaddrinfo(3) and getnameinfo(3) on threads, because these functions block. The requesters
 * are called without a lock.
 */

#include "base/system.h"

#include "sockets/host_lookup.h"

#include "base/fork.h"
#include "base/lock.h"
#include "base/object.h"
#include "base/thread.h"
#include "base/uncanceled.h"

#include <CRunLoop/RLTesting.h>

#include <bsd/sys/queue.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct lookup {
    STAILQ_ENTRY(lookup) link;
    const struct rl_lookup_requester *requester;
    void *context;
    int family;
    char service[16];
    /* The address to look up. If its length is 0, the name `host` is looked up. */
    struct rl_socket_name address;
    char host[];
};

/* Returns 0 or an EAI value. For EAI_SYSTEM, errno has the error. */
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
    lookup->requester->receive(lookup->context, answer);
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

static void run_lookup(struct lookup *lookup)
{
    char name[NI_MAXHOST];
    call_test();
    struct rl_lookup_answer answer =
        lookup->address.length > 0 ? find_name(lookup, name) : find_addresses(lookup);
    finish_lookup(lookup, &answer);
}

/* --- The queue -------------------------------------------------------------------------------- */

enum { MOST_THREADS = 4 };

/* Guards `thread_count` and `waiting`, the queue of look-ups that have no thread yet. */
static struct rl_lock queue_lock;
static unsigned thread_count;
static STAILQ_HEAD(lookup_queue, lookup) waiting = STAILQ_HEAD_INITIALIZER(waiting);

static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&queue_lock);
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&queue_lock);
}

static void settle_child(void) RL_UNCHECKED_LOCKING
{
    thread_count = 0;
    STAILQ_INIT(&waiting);
    rl_unlock(&queue_lock);
}

RL_REGISTER_FORK_TABLE(15, prepare_fork, unlock_after_fork, settle_child)

static struct lookup *take_next(void)
{
    rl_lock(&queue_lock);
    struct lookup *next = STAILQ_FIRST(&waiting);
    if (next) {
        STAILQ_REMOVE_HEAD(&waiting, link);
    } else {
        thread_count--;
    }
    rl_unlock(&queue_lock);
    return next;
}

static void *run_lookups(void *argument)
{
    run_lookup(argument);
    for (struct lookup *next; (next = take_next());) {
        struct rl_lookup_answer unwanted = {.failure = EAI_AGAIN};
        if (next->requester->is_waiting(next->context)) {
            run_lookup(next);
        } else {
            finish_lookup(next, &unwanted);
        }
    }
    return NULL;
}

/* If all threads are busy, queues the look-up and returns false. */
static bool claim_thread(struct lookup *lookup)
{
    rl_lock(&queue_lock);
    bool is_claimed = thread_count < MOST_THREADS;
    if (is_claimed) {
        thread_count++;
    } else {
        STAILQ_INSERT_TAIL(&waiting, lookup, link);
    }
    rl_unlock(&queue_lock);
    return is_claimed;
}

static struct lookup *make_lookup(const char *host, const struct rl_lookup_requester *requester,
                                  void *context)
{
    size_t size = strlen(host) + 1;
    struct lookup *lookup = rl_allocate(sizeof *lookup + size);
    lookup->requester = requester;
    lookup->context = context;
    memcpy(lookup->host, host, size);
    return lookup;
}

static void start_lookup(struct lookup *lookup)
{
    rl_fork_set_up();
    if (!claim_thread(lookup)) return;
    int error = rl_thread_start(run_lookups, lookup);
    if (error == 0) return;
    struct rl_lookup_answer answer = {.failure = EAI_SYSTEM, .error = error};
    finish_lookup(lookup, &answer);
    /* Queued look-ups also fail, unless another thread takes them first. */
    for (struct lookup *next; (next = take_next());) finish_lookup(next, &answer);
}

void rl_lookup_begin(const char *host, unsigned port, int family,
                     const struct rl_lookup_requester *requester, void *context)
{
    struct lookup *lookup = make_lookup(host, requester, context);
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

void rl_lookup_begin_name(const struct rl_socket_name *address,
                          const struct rl_lookup_requester *requester, void *context)
{
    struct lookup *lookup = make_lookup("", requester, context);
    lookup->address = *address;
    start_lookup(lookup);
}
