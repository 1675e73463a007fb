/*
 * Transfers on a loop: from readiness and time to libcurl, and back to what a transfer's owner
 * gave. All of it belongs to the thread of the loop, so that there is no lock.
 */

#define _GNU_SOURCE

#include "curl.h"

#include <CRunLoopNetworking.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/*
 * A socket that libcurl waits for. That of a connection stays in the loop until it is closed, also
 * while it is idle: the next request finds it there, without a system call.
 */
struct rl_curl_socket {
    struct rl_transfer_group *group;
    RLRunLoopSourceRef source;
    int fd;
    /* What the loop waits for, and whether libcurl wants that. */
    RLRunLoopDescriptorEvents events;
    bool is_wanted;
    /* It was opened here, so that libcurl has it closed here too. */
    bool is_connection;
};

/* What libcurl says of an address to connect to: struct curl_sockaddr, as far as needed. */
struct rl_curl_address {
    int family;
    int type;
    int protocol;
};

TAILQ_HEAD(rl_transfer_list, rl_transfer);

/*
 * How long the transfers of a group may deliver in one pass of the loop. Libcurl reads a hundred
 * times in one call, and a server can send chunks of a byte.
 */
enum { MOST_NS_IN_PASS = 5000000 };

/* How often libcurl is asked about sockets for which there was no memory. */
enum { NS_BETWEEN_LOOKS = 10000000 };

struct rl_transfer_group {
    rl_multi *multi;
    RLRunLoopRef loop;
    RLRunLoopTimerRef timer;
    /* For what is due at once: a signal costs no system call. */
    RLRunLoopSourceRef source;
    /* For owners that run the loop. */
    RLRunLoopObserverRef observer;
    /* When libcurl wants to be called, and when the timer fires: maybe earlier. */
    SInt64 due_ns;
    SInt64 timer_ns;
    /* The latest call that may deliver, and when it began. */
    unsigned long call;
    int64_t call_began_ns;
    /* Paused until the next pass. */
    struct rl_transfer_list held;
    RLRunLoopMode *modes;
    RLIndex mode_count;
    bool keeps_connections;
    /* A socket of a transfer that runs is not in the loop, as there was no memory. */
    bool lacks_socket;
    /* By descriptor. */
    struct rl_curl_socket **sockets;
    size_t socket_count;
    unsigned forks;
    /* The functions that call owners: they see to what is due, unless an owner runs the loop. */
    bool is_acting;
    /* How many there are, and whether the last one of them frees the group. */
    unsigned uses;
    bool is_destroyed;
};

struct rl_transfer {
    struct rl_transfer_group *group;
    rl_easy *easy;
    struct rl_curl_lines *lines;
    struct rl_curl_lines *rules;
    RLTransferFunctions functions;
    void *info;
    bool is_started;
    /* Libcurl says when it has a connection. */
    bool tells_connection;
    /* The last call in which it has delivered a part of its body. */
    unsigned long call;
    bool is_held;
    /* Why it has got no socket, if it has asked for one in vain. */
    int socket_error;
    TAILQ_ENTRY(rl_transfer) held_link;
    char error[RL_CURL_ERROR_SIZE];
};

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

/* Has the loop come back when libcurl wants that, or at once if a transfer waits for it. */
static void set_timer(struct rl_transfer_group *group)
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
    transfer->functions.ended(transfer->info, result);
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
        set_timer(group);
    }
    if (--group->uses == 0 && group->is_destroyed) free(group);
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

/* What libcurl calls with a part of a body. */
static size_t deliver(char *bytes, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    struct rl_transfer_group *group = transfer->group;
    bool has_delivered = transfer->call == group->call;
    if (has_delivered && monotonic_ns() - group->call_began_ns > MOST_NS_IN_PASS) {
        if (!transfer->is_held) TAILQ_INSERT_TAIL(&group->held, transfer, held_link);
        transfer->is_held = true;
        return RL_CURL_WRITEFUNC_PAUSE;
    }
    transfer->call = group->call;
    return transfer->functions.body(bytes, size, count, transfer->info);
}

static RLRunLoopDescriptorEvents socket_events(void *info)
{
    return ((struct rl_curl_socket *)info)->events;
}

static int socket_descriptor(void *info)
{
    return ((struct rl_curl_socket *)info)->fd;
}

static void perform_socket(void *info, RLRunLoopDescriptorEvents ready)
{
    struct rl_curl_socket *socket = info;
    if (!socket->is_wanted || RLTransferGroupIsInherited(socket->group)) {
        /* A connection that was reset; the loop has taken it out, and would be told again. */
        if (socket->events == 0) return;
        /* Most likely the server has left; libcurl looks before it uses the connection again. */
        socket->events = 0;
        RLRunLoopSourceUpdateEvents(socket->source);
        return;
    }
    int events = 0;
    if (ready & (kRLRunLoopDescriptorRead | kRLRunLoopDescriptorHangUp)) {
        events |= RL_CURL_CSELECT_IN;
    }
    if (ready & kRLRunLoopDescriptorWrite) events |= RL_CURL_CSELECT_OUT;
    if (ready & kRLRunLoopDescriptorError) events |= RL_CURL_CSELECT_ERR;
    struct rl_transfer_group *group = socket->group;
    begin_use(group);
    act(group, socket->fd, events);
    end_use(group);
}

/* --- What libcurl asks for --- */

static bool make_place(struct rl_transfer_group *group, int fd)
{
    size_t count = group->socket_count;
    if ((size_t)fd < count) return true;
    size_t more = (size_t)fd + 1 > 2 * count ? (size_t)fd + 1 : 2 * count;
    struct rl_curl_socket **sockets = realloc(group->sockets, more * sizeof *sockets);
    if (!sockets) return false;
    memset(sockets + count, 0, (more - count) * sizeof *sockets);
    group->sockets = sockets;
    group->socket_count = more;
    return true;
}

static void forget_socket(struct rl_curl_socket *socket)
{
    socket->group->sockets[socket->fd] = NULL;
    RLRunLoopSourceInvalidate(socket->source);
    RLRelease(socket->source);
    free(socket);
}

static struct rl_curl_socket *make_socket(struct rl_transfer_group *group, int fd,
                                          bool is_connection)
{
    if (!make_place(group, fd)) return NULL;
    /* Libcurl has closed another one of this number by itself. */
    if (group->sockets[fd]) forget_socket(group->sockets[fd]);
    struct rl_curl_socket *socket = malloc(sizeof *socket);
    if (!socket) return NULL;
    *socket = (struct rl_curl_socket){.group = group, .fd = fd, .is_connection = is_connection};
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = socket,
        .getDescriptor = socket_descriptor,
        .getEvents = socket_events,
        .perform = perform_socket,
    };
    socket->source = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
    for (RLIndex i = 0; i < group->mode_count; i++) {
        RLRunLoopAddSource(group->loop, socket->source, group->modes[i]);
    }
    return group->sockets[fd] = socket;
}

static struct rl_curl_socket *find_socket(struct rl_transfer_group *group, int fd)
{
    return (size_t)fd < group->socket_count ? group->sockets[fd] : NULL;
}

/* What libcurl calls first for a host that it does not know, a new connection and a kept one. */

static int look_up(void *resolver, void *reserved, void *info)
{
    (void)resolver;
    (void)reserved;
    struct rl_transfer *transfer = info;
    transfer->functions.connecting(transfer->info);
    return 0;
}

static int open_socket(void *info, int purpose, const struct rl_curl_address *address)
{
    (void)purpose;
    struct rl_transfer *transfer = info;
    transfer->functions.connecting(transfer->info);
    int type = address->type | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int fd = socket(address->family, type, address->protocol);
    transfer->socket_error = fd < 0 ? errno : 0;
    if (fd < 0 || make_socket(transfer->group, fd, true)) return fd;
    close(fd);
    transfer->socket_error = ENOMEM;
    return -1;
}

static int begin_request(void *info, char *peer, char *own, int peer_port, int own_port)
{
    (void)peer;
    (void)own;
    (void)peer_port;
    (void)own_port;
    struct rl_transfer *transfer = info;
    transfer->socket_error = 0;
    transfer->functions.connecting(transfer->info);
    return 0;
}

static int close_socket(void *info, int fd)
{
    struct rl_curl_socket *socket = find_socket(info, fd);
    if (socket) forget_socket(socket);
    return close(fd);
}

static int socket_changed(rl_easy *easy, int fd, int what, void *info, void *known)
{
    (void)easy;
    (void)known;
    struct rl_curl_socket *socket = find_socket(info, fd);
    if (what == RL_CURL_POLL_REMOVE) {
        if (!socket) return 0;
        socket->is_wanted = false;
        /* Libcurl 7.88 closes a socket that was connecting, and has us close others only. */
        bool may_be_closed = socket->events == kRLRunLoopDescriptorWrite;
        if (!socket->is_connection || may_be_closed) forget_socket(socket);
        return 0;
    }
    if (!socket) socket = make_socket(info, fd, false);
    if (!socket) {
        /* An error would end the whole group, and newer versions of libcurl tell nobody. */
        ((struct rl_transfer_group *)info)->lacks_socket = true;
        if (!((struct rl_transfer_group *)info)->is_acting) set_timer(info);
        return 0;
    }
    RLRunLoopDescriptorEvents events = (what & RL_CURL_POLL_IN ? kRLRunLoopDescriptorRead : 0) |
                                       (what & RL_CURL_POLL_OUT ? kRLRunLoopDescriptorWrite : 0);
    socket->is_wanted = true;
    if (socket->events == events) return 0;
    socket->events = events;
    RLRunLoopSourceUpdateEvents(socket->source);
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
    if (!group->is_acting) set_timer(group);
    return 0;
}

/* --- Groups --- */

static bool set_up_multi(struct rl_transfer_group *group, long host_connections, long idle)
{
    rl_multi *multi = group->multi = rl_curl.curl_multi_init();
    if (!multi) return false;
    return !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_SOCKETFUNCTION, socket_changed) &&
           !rl_curl.curl_multi_setopt(multi, RL_CURLMOPT_SOCKETDATA, group) &&
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
    for (size_t fd = 0; fd < group->socket_count; fd++) {
        if (group->sockets[fd]) forget_socket(group->sockets[fd]);
    }
    free(group->sockets);
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
    SET(HEADERFUNCTION, transfer->functions.header);
    SET(HEADERDATA, transfer->info);
    SET(WRITEFUNCTION, deliver);
    SET(WRITEDATA, transfer);
    SET(READFUNCTION, transfer->functions.read);
    SET(READDATA, transfer->info);
    SET(SEEKFUNCTION, transfer->functions.seek);
    SET(SEEKDATA, transfer->info);
    SET(RESOLVER_START_FUNCTION, look_up);
    SET(RESOLVER_START_DATA, transfer);
    /* Since 7.80. */
    transfer->tells_connection = !SET(PREREQFUNCTION, begin_request);
    SET(PREREQDATA, transfer);
    SET(OPENSOCKETFUNCTION, open_socket);
    SET(OPENSOCKETDATA, transfer);
    SET(CLOSESOCKETFUNCTION, close_socket);
    SET(CLOSESOCKETDATA, transfer->group);
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
