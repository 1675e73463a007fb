/*
 * The C part of RunLoopNetworking against a foreign server: each call of libcurl's on a socket
 * fails, each allocation and each registration with the kernel that libcurl has asked for,
 * processes fork while requests run, and requests end or continue meanwhile.
 *
 * usage: transfers SMALL LARGE SECURED AUTHORITY
 *
 * The URLs of 1 KiB and of 1 MiB; one whose certificate nobody trusts; and a file with another
 * certificate.
 */

#define _GNU_SOURCE

#include "../../../../CSupport/Extras/CRunLoopNetworking/curl.h"

#include <CRunLoopNetworking.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *small, *large, *secured, *authority;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "transfers.c:%d: %s\n", __LINE__, #condition);                         \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* --- Calls that fail --- */

enum {
    SOCKET,
    CONNECT,
    SEND,
    RECV,
    SETSOCKOPT,
    GETSOCKOPT,
    GETSOCKNAME,
    GETPEERNAME,
    EPOLL_CTL,
    ALLOCATION,
    CALLS
};

/* Which call of a kind fails from now on, or fails once; of the thread that asked for it. */
static _Thread_local struct {
    int kind;
    int at;
    bool is_for_good;
    int error;
    int seen[CALLS];
} fault = {.kind = -1};

static bool fails(int kind)
{
    int number = fault.seen[kind]++;
    if (kind != fault.kind || number < fault.at || (number > fault.at && !fault.is_for_good)) {
        return false;
    }
    errno = fault.error;
    return true;
}

/* In place of the C library's, for libcurl too. */
#define WRAP(kind, result, name, parameters, arguments)                                            \
    result name parameters                                                                         \
    {                                                                                              \
        static result(*real) parameters;                                                           \
        void *address = dlsym(RTLD_NEXT, #name);                                                   \
        memcpy(&real, &address, sizeof address);                                                   \
        return fails(kind) ? -1 : real arguments;                                                  \
    }

/* clang-format off */
WRAP(SOCKET, int, socket, (int family, int type, int protocol), (family, type, protocol))
WRAP(CONNECT, int, connect, (int fd, const struct sockaddr *to, socklen_t size), (fd, to, size))
WRAP(SEND, ssize_t, send, (int fd, const void *bytes, size_t count, int flags),
     (fd, bytes, count, flags))
WRAP(RECV, ssize_t, recv, (int fd, void *bytes, size_t count, int flags),
     (fd, bytes, count, flags))
WRAP(SETSOCKOPT, int, setsockopt,
     (int fd, int level, int name, const void *value, socklen_t size),
     (fd, level, name, value, size))
WRAP(GETSOCKOPT, int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size),
     (fd, level, name, value, size))
WRAP(GETSOCKNAME, int, getsockname, (int fd, struct sockaddr *name, socklen_t *size),
     (fd, name, size))
WRAP(GETPEERNAME, int, getpeername, (int fd, struct sockaddr *name, socklen_t *size),
     (fd, name, size))
/* clang-format on */

/* The engine's. Only to add a descriptor needs something that the kernel may lack. */
int epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
    static int (*real)(int, int, int, struct epoll_event *);
    void *address = dlsym(RTLD_NEXT, "epoll_ctl");
    memcpy(&real, &address, sizeof address);
    return operation == EPOLL_CTL_ADD && fails(EPOLL_CTL) ? -1 : real(set, operation, fd, event);
}

/* OpenSSL's, by which it looks for certificates in a folder. */

static atomic_int looks_into_system;

int stat(const char *path, struct stat *result)
{
    static int (*real)(const char *, struct stat *);
    void *address = dlsym(RTLD_NEXT, "stat");
    memcpy(&real, &address, sizeof address);
    if (strncmp(path, "/etc/ssl/certs/", strlen("/etc/ssl/certs/")) == 0) looks_into_system++;
    return real(path, result);
}

/* Replaces functions of the C library when the C part is compiled. */

void *malloc_or_fail(size_t size)
{
    return fails(ALLOCATION) ? NULL : malloc(size);
}

void *calloc_or_fail(size_t count, size_t size)
{
    return fails(ALLOCATION) ? NULL : calloc(count, size);
}

void *realloc_or_fail(void *memory, size_t size)
{
    return fails(ALLOCATION) ? NULL : realloc(memory, size);
}

/* --- Requests --- */

enum { MANY = 50 };

struct request {
    RLTransfer transfer;
    int *left;
    int code;
    int error;
    bool has_connection;
    size_t received;
};

static void connecting(void *info)
{
    ((struct request *)info)->has_connection = true;
}

static size_t take_line(char *line, size_t size, size_t count, void *info)
{
    (void)line;
    CHECK(((struct request *)info)->has_connection);
    return size * count;
}

static bool is_paused, has_paused;

static size_t take_body(char *bytes, size_t size, size_t count, void *info)
{
    (void)bytes;
    has_paused = is_paused;
    if (is_paused) return RL_CURL_WRITEFUNC_PAUSE;
    ((struct request *)info)->received += size * count;
    return size * count;
}

static void end(struct request *request)
{
    if (request->transfer) RLTransferEnd(request->transfer);
    request->transfer = NULL;
}

static void (*at_end)(void);

static void ended(void *info, int code)
{
    struct request *request = info;
    request->code = code;
    request->error = RLTransferGetSystemError(request->transfer);
    end(request);
    if (at_end) at_end();
    if (--*request->left == 0) RLRunLoopStop(RLRunLoopGetCurrent());
}

static bool prepare(struct request *request, RLTransferGroup group, const char *url, int *left)
{
    static const RLTransferFunctions functions = {
        .connecting = connecting,
        .header = take_line,
        .body = take_body,
        .ended = ended,
    };
    *request = (struct request){.left = left};
    request->transfer = RLTransferCreate(group, &functions, request);
    if (!request->transfer) return false;
    CHECK(RLTransferSetText(request->transfer, RL_CURLOPT_URL, url));
    return true;
}

static bool may_begin(struct request *request, RLTransferGroup group, const char *url, int *left)
{
    if (!prepare(request, group, url, left)) return false;
    CHECK(RLTransferStart(request->transfer));
    return true;
}

static void begin(struct request *request, RLTransferGroup group, const char *url, int *left)
{
    CHECK(may_begin(request, group, url, left));
}

static RLTransferGroup make_group(void)
{
    RLTransferGroup group = RLTransferGroupCreate(0, 32);
    CHECK(group && RLTransferGroupAddMode(group, kRLRunLoopDefaultMode));
    return group;
}

/* Runs the loop until all requests have ended, which they do long before this. */
static void run(const int *left)
{
    while (*left > 0) {
        CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 300, false) == kRLRunLoopRunStopped);
    }
}

static int fetch(RLTransferGroup group)
{
    struct request request;
    int left = 1;
    if (!may_begin(&request, group, small, &left)) return -1;
    run(&left);
    /* Without memory a request may fail, but does not seem to be complete. */
    CHECK(request.code != 0 || request.received == 1024);
    return request.code;
}

static void begin_many(struct request *requests, RLTransferGroup group, int *left)
{
    *left = MANY;
    for (int i = 0; i < MANY; i++) begin(&requests[i], group, i % 2 ? small : large, left);
}

static void check_many(const struct request *requests)
{
    for (int i = 0; i < MANY; i++) {
        CHECK(requests[i].code == 0 && requests[i].received == (i % 2 ? 1024 : 1048576));
    }
}

/* --- What happens to them --- */

/* "hello" is in two members. */
static void decompress_without_memory(void)
{
    static const unsigned char bytes[] = {
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72,  205, 1, 0,   27, 241, 11, 229, 3, 0, 0, 0,
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 201, 7,   0, 157, 74, 156, 85, 2,   0, 0, 0};
    memset(&fault, 0, sizeof fault);
    fault.kind = ALLOCATION;
    CHECK(RLGunzipIsAvailable() && !RLGunzipCreate() && fault.seen[ALLOCATION] == 1);
    fault.kind = -1;
    RLGunzip gunzip = RLGunzipCreate();
    CHECK(gunzip);
    char buffer[8];
    size_t length = sizeof bytes, capacity = sizeof buffer;
    CHECK(RLGunzipRead(gunzip, bytes, &length, buffer, &capacity));
    CHECK(length == sizeof bytes && capacity == 5 && memcmp(buffer, "hello", 5) == 0);
    CHECK(!RLGunzipIsInMember(gunzip));
    RLGunzipDestroy(gunzip);
}

static void fail_calls(void)
{
    static const int errors[] = {ENOMEM, ECONNRESET, EMFILE, EINTR};
    bool sends_rest = rl_curl.curl_version_info(RL_CURLVERSION_NOW)->number >= 0x074600;
    for (int kind = 0; kind < CALLS; kind++) {
        for (int variant = 0; variant < 8 * 4; variant++) {
            /* Older versions of libcurl wait for ever if a socket does not take a head at once. */
            if (kind == SEND && errors[variant % 4] == EINTR && !sends_rest) continue;
            RLTransferGroup group = make_group();
            memset(&fault, 0, sizeof fault);
            fault.at = variant / 8;
            fault.error = errors[variant % 4];
            /* Other errors of epoll_ctl mean that the descriptor cannot be polled. */
            if (kind == EPOLL_CTL) fault.error = variant % 2 ? ENOMEM : ENOSPC;
            /* No call is interrupted for ever, and the loop registers until the kernel has room. */
            fault.is_for_good = variant / 4 % 2 && fault.error != EINTR && kind != EPOLL_CTL;
            fault.kind = kind;
            int code = fetch(group);
            CHECK(fault.seen[kind] > 0);
            CHECK(code == 0 || kind != EPOLL_CTL);
            fault.kind = -1;
            CHECK(fetch(group) == 0);
            RLTransferGroupDestroy(group);
        }
    }
}

static atomic_bool is_enough;
static atomic_int forks;

static void *fork_often(void *info)
{
    (void)info;
    /* The loop of the child's only thread. */
    RLRunLoopGetCurrent();
    while (!is_enough) {
        pid_t child = fork();
        if (child == 0) {
            RLTransferGroup group = make_group();
            int code = fetch(group);
            RLTransferGroupDestroy(group);
            _exit(code);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        forks++;
    }
    return NULL;
}

/* Another thread forks while requests run; the child makes its own. */
static void fork_elsewhere(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fork_often, NULL) == 0);
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    while (forks < 40) {
        begin_many(requests, group, &left);
        run(&left);
        check_many(requests);
    }
    is_enough = true;
    pthread_join(thread, NULL);
    RLTransferGroupDestroy(group);
}

/*
 * The thread of the requests forks: the requests continue in the parent, and the child leaves them
 * alone.
 */
static void fork_in_the_midst(void)
{
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    for (int round = 0; round < 10; round++) {
        begin_many(requests, group, &left);
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, true);
        pid_t child = fork();
        if (child == 0) {
            CHECK(RLTransferGroupIsInherited(group));
            /* Ready descriptors must have no effect in the child. */
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.02, false);
            for (int i = 0; i < MANY; i++) end(&requests[i]);
            RLTransferGroupDestroy(group);
            group = make_group();
            _exit(fetch(group));
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        run(&left);
        check_many(requests);
    }
    RLTransferGroupDestroy(group);
}

static pid_t child_of_end;
static int ends;

static void *fork_once(void *info)
{
    pid_t other = fork();
    if (other == 0) _exit(0);
    CHECK(waitpid(other, NULL, 0) == other);
    return info;
}

static void fork_twice(void)
{
    if (ends++ > 0) return;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fork_once, NULL) == 0);
    pthread_join(thread, NULL);
    child_of_end = fork();
    if (child_of_end == 0) RLRunLoopStop(RLRunLoopGetCurrent());
}

/*
 * The first of those that end in one call of libcurl waits for a thread that forks, and forks too:
 * its child hears of no other end.
 */
static void fork_at_an_end(void)
{
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    at_end = fork_twice;
    memset(&fault, 0, sizeof fault);
    fault.kind = SOCKET;
    fault.error = EMFILE;
    fault.is_for_good = true;
    begin_many(requests, group, &left);
    CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 300, false) == kRLRunLoopRunStopped);
    if (child_of_end == 0) _exit(ends != 1);
    fault.kind = -1;
    at_end = NULL;
    CHECK(left == 0);
    int status;
    CHECK(waitpid(child_of_end, &status, 0) == child_of_end && status == 0);
    RLTransferGroupDestroy(group);
}

static int *left_at_end;

static void run_until_one_is_left(void)
{
    at_end = NULL;
    while (*left_at_end > 1) {
        CHECK(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 300, true) == kRLRunLoopRunHandledSource);
    }
}

/* The first one to end runs the loop until all others have ended. */
static void run_at_an_end(void)
{
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    left_at_end = &left;
    /* All in one call. */
    memset(&fault, 0, sizeof fault);
    fault.kind = SOCKET;
    fault.error = EMFILE;
    fault.is_for_good = true;
    begin_many(requests, group, &left);
    at_end = run_until_one_is_left;
    run(&left);
    fault.kind = -1;
    for (int i = 0; i < MANY; i++) CHECK(requests[i].error == EMFILE);
    /* In the same way libcurl's own limits of time. */
    static const int timeout_ms = 155;
    is_paused = true;
    begin_many(requests, group, &left);
    for (int i = 0; i < MANY; i++) RLTransferSetNumber(requests[i].transfer, timeout_ms, 20 + i);
    at_end = run_until_one_is_left;
    run(&left);
    is_paused = false;
    RLTransferGroupDestroy(group);
}

static void *request_canceled(void *info)
{
    CHECK(pthread_cancel(pthread_self()) == 0);
    const char *problem = RLTransferGetProblem();
    if (problem) fprintf(stderr, "transfers: %s\n", problem);
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    begin_many(requests, group, &left);
    run(&left);
    check_many(requests);
    RLTransferGroupDestroy(group);
    *(bool *)info = true;
    pthread_testcancel();
    return NULL;
}

/* A thread that is to end does so neither while it loads libcurl nor in its functions. */
static void cancel_before(void)
{
    bool is_through = false;
    pthread_t thread;
    void *result;
    CHECK(pthread_create(&thread, NULL, request_canceled, &is_through) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && is_through);
}

/*
 * A transfer that waits for a connection has nothing to continue; after a redirect libcurl does not
 * report that.
 */
static void continue_without_connection(void)
{
    RLTransferGroup group = RLTransferGroupCreate(1, 32);
    CHECK(group && RLTransferGroupAddMode(group, kRLRunLoopDefaultMode));
    struct request requests[2];
    int left = 2;
    is_paused = true;
    begin(&requests[0], group, large, &left);
    while (!has_paused) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, true);
    begin(&requests[1], group, small, &left);
    RLTransferResume(requests[1].transfer);
    CHECK(left == 2);
    is_paused = false;
    RLTransferResume(requests[0].transfer);
    run(&left);
    CHECK(requests[0].code == 0 && requests[1].code == 0);
    RLTransferGroupDestroy(group);
}

/* Returns how often OpenSSL looked among the system's authorities. */
static int fetch_untrusted(RLTransferGroup group, const char *text)
{
    struct request request;
    int left = 1;
    CHECK(prepare(&request, group, secured, &left));
    if (text) CHECK(RLTransferSetAuthorities(request.transfer, text, strlen(text)));
    CHECK(RLTransferStart(request.transfer));
    looks_into_system = 0;
    run(&left);
    CHECK(request.code == RL_CURLE_PEER_FAILED_VERIFICATION);
    return looks_into_system;
}

/* Authorities of one's own are all that is trusted, by a libcurl that takes them: 7.77. */
static void trust_other(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    void *address = dlsym(library, "curl_version");
    const char *(*get_version)(void) = NULL;
    int major = 0, minor = 0;
    memcpy(&get_version, &address, sizeof address);
    CHECK(sscanf(get_version(), "libcurl/%d.%d", &major, &minor) == 2);
    dlclose(library);
    if (major == 7 && minor < 77) return;

    char text[8192];
    FILE *file = fopen(authority, "r");
    CHECK(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    RLTransferGroup group = make_group();
    CHECK(fetch_untrusted(group, NULL) > 0);
    CHECK(fetch_untrusted(group, text) == 0);
    RLTransferGroupDestroy(group);
}

static void end_in_the_midst(void)
{
    RLTransferGroup group = make_group();
    struct request requests[MANY];
    int left;
    for (int round = 0; round < 20; round++) {
        begin_many(requests, group, &left);
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001 * round, true);
        for (int i = 0; i < MANY; i++) end(&requests[i]);
    }
    CHECK(fetch(group) == 0);
    RLTransferGroupDestroy(group);
}

int main(int argc, char **argv)
{
    CHECK(argc == 5);
    small = argv[1];
    large = argv[2];
    secured = argv[3];
    authority = argv[4];
    RLRunLoopGetCurrent();
    cancel_before();
    decompress_without_memory();
    fail_calls();
    fork_elsewhere();
    fork_in_the_midst();
    fork_at_an_end();
    run_at_an_end();
    continue_without_connection();
    end_in_the_midst();
    trust_other();
    return 0;
}
