/*
 * Transfers on a loop: from readiness and time to libcurl, and back to what a transfer's owner
 * gave. All of it belongs to the thread of the loop, so that there is no lock.
 */

#define _GNU_SOURCE

#include "transfers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * How long the transfers of a group may deliver in one pass of the loop. Libcurl reads a hundred
 * times in one call, and a server can send chunks of a byte.
 */
enum { MOST_NS_IN_PASS = 5000000 };

/*
 * How often libcurl may read in one call what reaches no function: it takes the answer of a proxy
 * to CONNECT byte by byte, and one that never ends would keep the loop.
 */
enum { MOST_UNHEARD_READS = 32768 };

/* How often libcurl is asked about sockets for which there was no memory. */
enum { NS_BETWEEN_LOOKS = 10000000 };

const char *RLTransferGetProblem(void)
{
    return rl_curl_load();
}

Boolean RLTransferGroupIsInherited(RLTransferGroup group)
{
    return group->forks != rl_curl_forks();
}

/* --- What libcurl is told --- */

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

static void count_call(struct rl_transfer_group *group)
{
    group->call++;
    group->call_began_ns = monotonic_ns();
}

static void come_back_at_once(struct rl_transfer_group *group)
{
    RLRunLoopSourceSignal(group->source);
    RLRunLoopWakeUp(group->loop);
}

void rl_transfers_set_timer(struct rl_transfer_group *group)
{
    SInt64 due_ns = group->due_ns, now_ns = RLRunLoopGetClockNanoseconds(group->loop);
    if (!TAILQ_EMPTY(&group->held) || due_ns <= now_ns) {
        come_back_at_once(group);
        return;
    }
    if (group->lacks_socket && due_ns > now_ns + NS_BETWEEN_LOOKS) {
        due_ns = now_ns + NS_BETWEEN_LOOKS;
    }
    /* A timer that fires too early costs less than setting it for each request. */
    if (due_ns >= group->timer_ns) return;
    group->timer_ns = due_ns;
    RLRunLoopTimerSetNextFireTime(group->timer, due_ns);
}

/* The next transfer that has ended; null if there is none. */
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

/*
 * What an owner does when its transfer has ended is its own affair: it may run the loop, fork, or
 * destroy the group.
 */
static bool is_usable(RLTransferGroup group)
{
    return !group->is_destroyed && !RLTransferGroupIsInherited(group);
}

static void tell_end(struct rl_transfer *transfer, int result)
{
    transfer->group->is_acting = true;
    transfer->functions.ended(transfer->info, transfer->own_result ? transfer->own_result : result);
}

static void act(struct rl_transfer_group *group, int fd, int events)
{
    count_call(group);
    int running;
    rl_curl_begin_calls();
    rl_curl.curl_multi_socket_action(group->multi, fd, events, &running);
    rl_curl_end_calls();
}

/* Has libcurl look at all sockets, until no transfer is left that may have one unknown here. */
static void look(struct rl_transfer_group *group)
{
    count_call(group);
    int running;
    rl_curl_begin_calls();
    rl_curl.curl_multi_perform(group->multi, &running);
    rl_curl_end_calls();
    if (running == 0) group->lacks_socket = false;
}

/* Delivers what libcurl has kept for a paused transfer. If that fails, nothing else says so. */
static void go_on(struct rl_transfer *transfer)
{
    transfer->is_paused = false;
    rl_curl_begin_calls();
    int result = rl_curl.curl_easy_pause(transfer->easy, RL_CURLPAUSE_CONT);
    rl_curl_end_calls();
    /* It waits for another connection, after a redirect, and goes on when it has that. */
    if (result == RL_CURLE_BAD_FUNCTION_ARGUMENT) return;
    if (result != 0) tell_end(transfer, result);
}

/* Lets transfers deliver that have waited for this pass: each at least a part. */
static void resume_held(struct rl_transfer_group *group)
{
    struct rl_transfer *transfer;
    unsigned count = 0;
    TAILQ_FOREACH(transfer, &group->held, held_link) count++;
    count_call(group);
    /* The end of one may end others, and those that have had their share are held again. */
    for (; count > 0 && is_usable(group) && (transfer = TAILQ_FIRST(&group->held)); count--) {
        TAILQ_REMOVE(&group->held, transfer, held_link);
        transfer->is_held = false;
        go_on(transfer);
    }
}

static void report_ends(struct rl_transfer_group *group)
{
    int result;
    struct rl_transfer *transfer;
    while (is_usable(group) && (transfer = next_end(group, &result))) {
        tell_end(transfer, result);
    }
}

static void act_if_due(struct rl_transfer_group *group)
{
    if (!is_usable(group)) return;
    if (group->due_ns > RLRunLoopGetClockNanoseconds(group->loop)) return;
    group->due_ns = INT64_MAX;
    act(group, RL_CURL_SOCKET_TIMEOUT, 0);
}

static void begin_use(struct rl_transfer_group *group)
{
    group->uses++;
    group->is_acting = true;
}

static void end_use(struct rl_transfer_group *group)
{
    report_ends(group);
    /* What owners have begun. Once: others have their turn, too, if it ends at once. */
    act_if_due(group);
    report_ends(group);
    if (is_usable(group)) {
        group->is_acting = false;
        rl_transfers_set_timer(group);
    }
    if (--group->uses == 0 && group->is_destroyed) free(group);
}

void rl_transfers_act(struct rl_transfer_group *group, int fd, int events)
{
    begin_use(group);
    act(group, fd, events);
    end_use(group);
}

/* An owner runs the loop, which goes on with the other transfers. */
static void enter_loop(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)activity;
    struct rl_transfer_group *group = info;
    if (!group->is_acting || !is_usable(group)) return;
    group->is_acting = false;
    come_back_at_once(group);
}

static void do_what_is_due(void *info)
{
    struct rl_transfer_group *group = info;
    if (!is_usable(group)) return;
    begin_use(group);
    resume_held(group);
    act_if_due(group);
    if (is_usable(group) && group->lacks_socket) look(group);
    end_use(group);
}

static void fire(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    struct rl_transfer_group *group = info;
    group->timer_ns = INT64_MAX;
    /* A timer does not fire in what it calls, and owners may run the loop there. */
    come_back_at_once(group);
}

/* --- What libcurl calls for a transfer --- */

static size_t take_line(char *line, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    transfer->unheard_count = 0;
    /* HTTP/1.1 200 or HTTP/2 200 */
    const char *status = size * count > 12 && memcmp(line, "HTTP/", 5) == 0
                             ? memchr(line, ' ', size * count - 1)
                             : NULL;
    if (status) transfer->is_version1 = line[5] == '1';
    /* An answer that may have it sent again, to another place or with credentials. */
    if (status && status[1] >= '3') transfer->may_be_sent = false;
    return transfer->functions.header(line, size, count, transfer->info);
}

static size_t deliver(char *bytes, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    struct rl_transfer_group *group = transfer->group;
    transfer->unheard_count = 0;
    bool has_delivered = transfer->call == group->call;
    size_t result = RL_CURL_WRITEFUNC_PAUSE;
    if (has_delivered && monotonic_ns() - group->call_began_ns > MOST_NS_IN_PASS) {
        if (!transfer->is_held) TAILQ_INSERT_TAIL(&group->held, transfer, held_link);
        transfer->is_held = true;
    } else {
        transfer->call = group->call;
        result = transfer->functions.body(bytes, size, count, transfer->info);
    }
    transfer->is_paused = result == RL_CURL_WRITEFUNC_PAUSE;
    if (transfer->is_paused) rl_sockets_note_pause(transfer);
    return result;
}

static size_t read_body(char *buffer, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    transfer->unheard_count = 0;
    /* Else begin_request says so. */
    if (!transfer->tells_connection) transfer->may_be_sent = true;
    size_t result = transfer->functions.read(buffer, size, count, transfer->info);
    if (result == RL_CURL_READFUNC_PAUSE) {
        transfer->is_paused = true;
        rl_sockets_note_pause(transfer);
    }
    return result;
}

/* Refuses to have a request sent again that the server may have executed. */
static bool refuse_retry(struct rl_transfer *transfer)
{
    if (!transfer->forbids_retry || !transfer->may_be_sent) return false;
    transfer->own_result = RL_CURLE_GOT_NOTHING;
    return true;
}

static int rewind_body(void *info, int64_t offset, int origin)
{
    struct rl_transfer *transfer = info;
    if (refuse_retry(transfer)) return 1;
    return transfer->functions.seek(transfer->info, offset, origin);
}

/* Libcurl calls this for all that it reads, and between the bytes of a proxy's answer. */
static int count_unheard(void *info, int64_t whole, int64_t received, int64_t whole_sent,
                         int64_t sent)
{
    (void)whole;
    (void)received;
    (void)whole_sent;
    (void)sent;
    struct rl_transfer *transfer = info;
    if (transfer->unheard_call != transfer->group->call) transfer->unheard_count = 0;
    transfer->unheard_call = transfer->group->call;
    if (++transfer->unheard_count < MOST_UNHEARD_READS) return 0;
    transfer->own_result = RL_CURLE_TOO_LARGE;
    return 1;
}

/* Libcurl calls this first for a host that it does not know. */
static int look_up(void *resolver, void *reserved, void *info)
{
    (void)resolver;
    (void)reserved;
    struct rl_transfer *transfer = info;
    transfer->functions.connecting(transfer->info);
    return 0;
}

/* Libcurl calls this last before it sends a request. */
static int begin_request(void *info, char *peer, char *own, int peer_port, int own_port)
{
    (void)peer;
    (void)own;
    (void)peer_port;
    struct rl_transfer *transfer = info;
    transfer->socket_error = 0;
    transfer->functions.connecting(transfer->info);
    if (refuse_retry(transfer)) return RL_CURL_PREREQFUNC_ABORT;
    transfer->may_be_sent = true;
    if (rl_sockets_hang_up_unasked(transfer, own_port)) {
        /* Then libcurl sends nothing on it. */
        rl_tls_drop_pending(transfer->easy);
        transfer->may_be_sent = false;
    }
    return 0;
}

static int time_changed(rl_multi *multi, long milliseconds, void *info)
{
    (void)multi;
    struct rl_transfer_group *group = info;
    group->due_ns = INT64_MAX;
    if (milliseconds >= 0) {
        group->due_ns = RLRunLoopGetClockNanoseconds(group->loop) + (SInt64)milliseconds * 1000000;
    }
    if (!group->is_acting) rl_transfers_set_timer(group);
    return 0;
}

/* --- Groups --- */

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
    group->timer =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + never, never, 0, 0, fire, &context);
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
    group->is_destroyed = true;
    if (group->uses == 0) free(group);
}

/* --- Transfers --- */

static bool set_up_easy(struct rl_transfer *transfer)
{
    rl_easy *easy = transfer->easy = rl_curl.curl_easy_init();
    if (!easy) return false;
#define SET(option, value) rl_curl.curl_easy_setopt(easy, RL_CURLOPT_##option, value)
    SET(PRIVATE, transfer);
    SET(ERRORBUFFER, transfer->error);
    SET(NOSIGNAL, 1L);
    /* Known to newer versions only: a look-up that goes on is left alone at the end. */
    SET(QUICK_EXIT, 1L);
    SET(SUPPRESS_CONNECT_HEADERS, 1L);
    SET(PROTOCOLS, (long)(RL_CURLPROTO_HTTP | RL_CURLPROTO_HTTPS));
    SET(REDIR_PROTOCOLS, (long)(RL_CURLPROTO_HTTP | RL_CURLPROTO_HTTPS));
    SET(HEADERFUNCTION, take_line);
    SET(HEADERDATA, transfer);
    SET(WRITEFUNCTION, deliver);
    SET(WRITEDATA, transfer);
    SET(READFUNCTION, read_body);
    SET(READDATA, transfer);
    SET(SEEKFUNCTION, rewind_body);
    SET(SEEKDATA, transfer);
    SET(NOPROGRESS, 0L);
    SET(XFERINFOFUNCTION, count_unheard);
    SET(XFERINFODATA, transfer);
    rl_tls_bound_reads(easy);
    SET(RESOLVER_START_FUNCTION, look_up);
    SET(RESOLVER_START_DATA, transfer);
    /* Since 7.80. */
    transfer->tells_connection = !SET(PREREQFUNCTION, begin_request);
    SET(PREREQDATA, transfer);
    rl_sockets_set_up_transfer(transfer);
    /* For libcurl a bound of 0 is none. */
    if (!transfer->group->keeps_connections) SET(FORBID_REUSE, 1L);
#undef SET
    return true;
}

RLTransfer RLTransferCreate(RLTransferGroup group, const RLTransferFunctions *functions, void *info)
{
    if (RLTransferGroupIsInherited(group)) return NULL;
    struct rl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    *transfer = (struct rl_transfer){.group = group, .functions = *functions, .info = info};
    transfer->fd = -1;
    rl_curl_begin_calls();
    bool is_set_up = set_up_easy(transfer);
    rl_curl_end_calls();
    if (is_set_up) return transfer;
    free(transfer);
    return NULL;
}

Boolean RLTransferSetNumber(RLTransfer transfer, int option, int64_t value)
{
    /* Libcurl's curl_off_t from this number on, long below. */
    if (option >= 30000) return !rl_curl.curl_easy_setopt(transfer->easy, option, value);
    return !rl_curl.curl_easy_setopt(transfer->easy, option, (long)value);
}

Boolean RLTransferSetText(RLTransfer transfer, int option, const char *text)
{
    return !rl_curl.curl_easy_setopt(transfer->easy, option, text);
}

Boolean RLTransferSetBytes(RLTransfer transfer, int option, const void *bytes, size_t length)
{
    if (!rl_curl_takes_certificates) return false;
    struct rl_curl_blob blob = {(void *)bytes, length, RL_CURL_BLOB_COPY};
    return !rl_curl.curl_easy_setopt(transfer->easy, option, &blob);
}

Boolean RLTransferSetAuthorities(RLTransfer transfer, const void *bytes, size_t length)
{
    /* Beside the bytes libcurl looks into a folder: that of the system, also if it is told none. */
    return RLTransferSetBytes(transfer, RL_CURLOPT_CAINFO_BLOB, bytes, length) &&
           RLTransferSetText(transfer, RL_CURLOPT_CAPATH, "/dev/null");
}

void RLTransferForbidRetry(RLTransfer transfer)
{
    transfer->forbids_retry = true;
    /* Libcurl sends a request again if the connection was not made for it. */
    if (!transfer->tells_connection) {
        rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_FRESH_CONNECT, 1L);
    }
}

static bool append(struct rl_curl_lines **lines, const char *line)
{
    struct rl_curl_lines *longer = rl_curl.curl_slist_append(*lines, line);
    if (longer) *lines = longer;
    return longer;
}

Boolean RLTransferAddLine(RLTransfer transfer, const char *line)
{
    return append(&transfer->lines, line);
}

Boolean RLTransferConnectTo(RLTransfer transfer, const char *rule)
{
    return append(&transfer->rules, rule);
}

Boolean RLTransferStart(RLTransfer transfer)
{
    /* Else begin_request does so. */
    if (!transfer->tells_connection) (void)rl_sockets_hang_up_unasked(transfer, 0);
    rl_curl_begin_calls();
    rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_HTTPHEADER, transfer->lines);
    rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_CONNECT_TO, transfer->rules);
    transfer->is_started = !rl_curl.curl_multi_add_handle(transfer->group->multi, transfer->easy);
    rl_curl_end_calls();
    if (!transfer->tells_connection) transfer->functions.connecting(transfer->info);
    return transfer->is_started;
}

void RLTransferResume(RLTransfer transfer)
{
    struct rl_transfer_group *group = transfer->group;
    if (RLTransferGroupIsInherited(group)) return;
    begin_use(group);
    count_call(group);
    go_on(transfer);
    end_use(group);
}

int64_t RLTransferGetNumber(RLTransfer transfer, int info)
{
    long number = 0;
    rl_curl.curl_easy_getinfo(transfer->easy, info, &number);
    return number;
}

int RLTransferGetSystemError(RLTransfer transfer)
{
    if (transfer->socket_error) return transfer->socket_error;
    return (int)RLTransferGetNumber(transfer, RL_CURLINFO_OS_ERRNO);
}

const char *RLTransferGetWords(int code)
{
    return rl_curl.curl_easy_strerror(code);
}

const char *RLTransferGetError(RLTransfer transfer)
{
    return transfer->error;
}

void RLTransferEnd(RLTransfer transfer)
{
    if (transfer->is_held) TAILQ_REMOVE(&transfer->group->held, transfer, held_link);
    if (!RLTransferGroupIsInherited(transfer->group)) {
        rl_curl_begin_calls();
        if (transfer->is_started) {
            rl_curl.curl_multi_remove_handle(transfer->group->multi, transfer->easy);
        }
        rl_curl.curl_easy_cleanup(transfer->easy);
        rl_curl_end_calls();
        rl_curl.curl_slist_free_all(transfer->lines);
        rl_curl.curl_slist_free_all(transfer->rules);
    }
    free(transfer);
}
