/*
 * Groups of transfers on a loop. A group passes readiness and timeouts to libcurl, and finished
 * transfers to their owners. Only the loop's thread uses the data, so there is no lock.
 */

#define _GNU_SOURCE

#include "transfers.h"

#include <stdlib.h>
#include <time.h>

/*
 * The time limit for the deliveries of a group in one pass of the loop. It is needed because one
 * call of libcurl reads up to a hundred times, and a server can send chunks of one byte.
 */
enum { MOST_NS_IN_PASS = 5000000 };

/* The interval at which sockets that could not be registered are polled. */
enum { POLL_INTERVAL_NS = 10000000 };

Boolean RLTransferGroupIsInherited(RLTransferGroup group)
{
    return group->forks != rl_curl_forks();
}

/* --- Time --- */

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

void rl_group_count_call(struct rl_transfer_group *group)
{
    group->call++;
    group->call_began_ns = monotonic_ns();
}

static void come_back_at_once(struct rl_transfer_group *group)
{
    RLRunLoopSourceSignal(group->source);
    RLRunLoopWakeUp(group->loop);
}

/* Sets the timer for the next call of libcurl. If work is due now, signals the source instead. */
static void set_timer(struct rl_transfer_group *group)
{
    SInt64 due_ns = group->due_ns, now_ns = RLRunLoopGetClockNanoseconds(group->loop);
    if (!TAILQ_EMPTY(&group->held) || due_ns <= now_ns) {
        come_back_at_once(group);
        return;
    }
    if (group->has_unregistered_socket && due_ns > now_ns + POLL_INTERVAL_NS) {
        due_ns = now_ns + POLL_INTERVAL_NS;
    }
    /* The timer may fire early, which costs less than setting it for each request. */
    if (due_ns >= group->timer_ns) return;
    group->timer_ns = due_ns;
    RLRunLoopTimerSetNextFireTime(group->timer, due_ns);
}

void rl_group_note_change(struct rl_transfer_group *group)
{
    if (group->state != RL_GROUP_ACTING) set_timer(group);
}

static int time_changed(rl_multi *multi, long milliseconds, void *info)
{
    (void)multi;
    struct rl_transfer_group *group = info;
    group->due_ns = INT64_MAX;
    if (milliseconds >= 0) {
        group->due_ns = RLRunLoopGetClockNanoseconds(group->loop) + (SInt64)milliseconds * 1000000;
    }
    rl_group_note_change(group);
    return 0;
}

/* --- Calls of libcurl and of owners --- */

static struct rl_transfer *next_end(struct rl_transfer_group *group, int *result)
{
    struct rl_transfer *transfer = NULL;
    int rest;
    struct rl_curl_message *message;
    rl_curl_begin_calls();
    while (!transfer && (message = rl_curl.curl_multi_info_read(group->multi, &rest))) {
        if (message->kind != RL_CURLMSG_DONE) continue;
        *result = message->data.result;
        rl_curl.curl_easy_getinfo(message->easy, RL_CURLINFO_PRIVATE, &transfer);
        rl_sockets_note_end(transfer);
    }
    rl_curl_end_calls();
    return transfer;
}

/* Check this after each call of an owner, who may run the loop, fork, or destroy the group. */
static bool is_usable(RLTransferGroup group)
{
    return group->state != RL_GROUP_DESTROYED && !RLTransferGroupIsInherited(group);
}

static void notify_end(struct rl_transfer *transfer, int result)
{
    transfer->group->state = RL_GROUP_ACTING;
    transfer->functions.ended(transfer->info, transfer->own_result ? transfer->own_result : result);
}

static void call_libcurl(struct rl_transfer_group *group, int fd, int events)
{
    rl_group_count_call(group);
    int running;
    rl_curl_begin_calls();
    rl_curl.curl_multi_socket_action(group->multi, fd, events, &running);
    rl_curl_end_calls();
}

/*
 * Delivers the bytes that libcurl has kept. If this fails, notifies the owner, because libcurl
 * reports the failure only here.
 */
static void resume_transfer(struct rl_transfer *transfer)
{
    transfer->is_paused = false;
    rl_curl_begin_calls();
    int result = rl_curl.curl_easy_pause(transfer->easy, RL_CURLPAUSE_CONT);
    rl_curl_end_calls();
    /* The transfer has no connection, for example after a redirect, and continues later. */
    if (result == RL_CURLE_BAD_FUNCTION_ARGUMENT) return;
    if (result != 0) notify_end(transfer, result);
}

/* Continues the held transfers. Each transfer delivers at least a part of its body. */
static void resume_held(struct rl_transfer_group *group)
{
    struct rl_transfer *transfer;
    unsigned count = 0;
    TAILQ_FOREACH(transfer, &group->held, held_link) count++;
    rl_group_count_call(group);
    /*
     * The end of a transfer may end other transfers, and a transfer that exceeds the time limit is
     * held again. So this loop visits only as many transfers as were held.
     */
    for (; count > 0 && is_usable(group) && (transfer = TAILQ_FIRST(&group->held)); count--) {
        TAILQ_REMOVE(&group->held, transfer, held_link);
        transfer->is_held = false;
        resume_transfer(transfer);
    }
}

static void report_ends(struct rl_transfer_group *group)
{
    int result;
    struct rl_transfer *transfer;
    while (is_usable(group) && (transfer = next_end(group, &result))) {
        if (transfer->needs_new_connection) {
            if (rl_transfer_restart(transfer)) continue;
            result = RL_CURLE_OUT_OF_MEMORY;
        }
        notify_end(transfer, result);
    }
}

static void act_if_due(struct rl_transfer_group *group)
{
    if (!is_usable(group)) return;
    if (group->due_ns > RLRunLoopGetClockNanoseconds(group->loop)) return;
    group->due_ns = INT64_MAX;
    call_libcurl(group, RL_CURL_SOCKET_TIMEOUT, 0);
}

static enum rl_group_state begin_use(struct rl_transfer_group *group)
{
    enum rl_group_state before = group->state;
    group->state = RL_GROUP_ACTING;
    return before;
}

static void end_use(struct rl_transfer_group *group, enum rl_group_state before)
{
    report_ends(group);
    /* Delivers only once, so that transfers that end at once do not starve other work. */
    act_if_due(group);
    report_ends(group);
    if (group->state == RL_GROUP_DESTROYED) {
        if (before == RL_GROUP_IDLE) free(group);
        return;
    }
    group->state = before == RL_GROUP_IDLE ? RL_GROUP_IDLE : RL_GROUP_NESTED;
    if (is_usable(group)) set_timer(group);
}

void rl_group_act(struct rl_transfer_group *group, int fd, int events)
{
    enum rl_group_state before = begin_use(group);
    call_libcurl(group, fd, events);
    end_use(group, before);
}

void rl_group_resume(struct rl_transfer *transfer)
{
    struct rl_transfer_group *group = transfer->group;
    enum rl_group_state before = begin_use(group);
    rl_group_count_call(group);
    resume_transfer(transfer);
    end_use(group, before);
}

bool rl_group_admits_delivery(struct rl_transfer *transfer)
{
    struct rl_transfer_group *group = transfer->group;
    bool has_delivered = transfer->call == group->call;
    if (has_delivered && monotonic_ns() - group->call_began_ns > MOST_NS_IN_PASS) {
        if (!transfer->is_held) TAILQ_INSERT_TAIL(&group->held, transfer, held_link);
        transfer->is_held = true;
        return false;
    }
    transfer->call = group->call;
    return true;
}

/* --- Calls of the loop --- */

/* If a callback of an owner runs the loop nested, this run continues the other transfers. */
static void enter_loop(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)activity;
    struct rl_transfer_group *group = info;
    if (group->state != RL_GROUP_ACTING || !is_usable(group)) return;
    group->state = RL_GROUP_NESTED;
    come_back_at_once(group);
}

static void do_what_is_due(void *info)
{
    struct rl_transfer_group *group = info;
    if (!is_usable(group)) return;
    enum rl_group_state before = begin_use(group);
    resume_held(group);
    act_if_due(group);
    if (is_usable(group) && group->has_unregistered_socket) rl_sockets_poll_all(group);
    end_use(group, before);
}

static void fire_timer(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    struct rl_transfer_group *group = info;
    group->timer_ns = INT64_MAX;
    /* A timer does not fire during its own callback, in which owners may run the loop. */
    come_back_at_once(group);
}

/* --- From beginning to end --- */

static bool set_up_multi(struct rl_transfer_group *group, long host_connections, long idle)
{
    rl_multi *multi = group->multi = rl_curl.curl_multi_init();
    if (!multi) return false;
    return rl_sockets_set_up(group) &&
           !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_TIMERFUNCTION, time_changed) &&
           !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_TIMERDATA, group) &&
           !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_MAX_HOST_CONNECTIONS, host_connections) &&
           !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_MAXCONNECTS, idle);
}

RLTransferGroup RLTransferGroupCreate(RLIndex hostConnections, RLIndex idleConnections)
{
    if (rl_curl_load()) return NULL;
    struct rl_transfer_group *group = calloc(1, sizeof *group);
    if (!group) return NULL;
    group->forks = rl_curl_forks();
    group->due_ns = group->timer_ns = INT64_MAX;
    TAILQ_INIT(&group->held);
    group->keeps_connections = idleConnections > 0;
    group->loop = (RLRunLoopRef)RLRetain(RLRunLoopGetCurrent());
    RLRunLoopTimerContext context = {.info = group};
    RLTimeInterval never = 1e8;
    group->timer = RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + never, never, 0, 0,
                                        fire_timer, &context);
    RLRunLoopSourceContext source = {.info = group, .perform = do_what_is_due};
    group->source = RLRunLoopSourceCreate(NULL, 0, &source);
    RLRunLoopObserverContext observer = {.info = group};
    group->observer =
        RLRunLoopObserverCreate(NULL, kRLRunLoopEntry, true, 0, enter_loop, &observer);
    rl_curl_begin_calls();
    bool is_set_up = set_up_multi(group, hostConnections, idleConnections);
    rl_curl_end_calls();
    if (is_set_up) return group;
    RLTransferGroupDestroy(group);
    return NULL;
}

Boolean RLTransferGroupAddMode(RLTransferGroup group, RLRunLoopMode mode)
{
    size_t count = (size_t)group->mode_count + 1;
    RLRunLoopMode *modes = realloc(group->modes, count * sizeof *modes);
    if (!modes) return false;
    group->modes = modes;
    modes[group->mode_count++] = RLRetain(mode);
    RLRunLoopAddTimer(group->loop, group->timer, mode);
    RLRunLoopAddSource(group->loop, group->source, mode);
    RLRunLoopAddObserver(group->loop, group->observer, mode);
    return true;
}

void RLTransferGroupDestroy(RLTransferGroup group)
{
    if (!RLTransferGroupIsInherited(group)) {
        rl_curl_begin_calls();
        if (group->multi) rl_curl.curl_multi_cleanup(group->multi);
        rl_curl_end_calls();
    }
    rl_sockets_forget(group);
    RLRunLoopTimerInvalidate(group->timer);
    RLRelease(group->timer);
    RLRunLoopSourceInvalidate(group->source);
    RLRelease(group->source);
    RLRunLoopObserverInvalidate(group->observer);
    RLRelease(group->observer);
    for (RLIndex i = 0; i < group->mode_count; i++) RLRelease(group->modes[i]);
    free(group->modes);
    RLRelease(group->loop);
    bool is_idle = group->state == RL_GROUP_IDLE;
    group->state = RL_GROUP_DESTROYED;
    if (is_idle) free(group);
}
