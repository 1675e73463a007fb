#define _GNU_SOURCE

#include "clients.h"

#include <dlfcn.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The next connections, of this number, have this port; the kernel chooses other ports. */
static in_port_t shared_port;
static int shared_count;

/* In place of the C library's, for libcurl. */
int connect(int fd, const struct sockaddr *to, socklen_t size)
{
    static int (*real)(int, const struct sockaddr *, socklen_t);
    void *address = dlsym(RTLD_NEXT, "connect");
    memcpy(&real, &address, sizeof address);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (shared_count > 0) {
        socklen_t own_size = sizeof own;
        own.sin_port = shared_port;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
        if (bind(fd, (struct sockaddr *)&own, own_size) != 0) abort();
        getsockname(fd, (struct sockaddr *)&own, &own_size);
        shared_port = own.sin_port;
        shared_count--;
    }
    return real(fd, to, size);
}

static void set_port_range(int first, int last)
{
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "w");
    if (!file || fprintf(file, "%d %d", first, last) < 0 || fclose(file) != 0) abort();
}

/* Returns the first of some ports that no server had: the kernel still keeps ended connections. */
static int take_server_ports(int count)
{
    static int next = 10000;
    next += count;
    return next - count;
}

static bool has_namespace;
enum { SHARED_PORT = 60000 };

static void start_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (ioctl(fd, SIOCSIFFLAGS, &request) != 0) abort();
    close(fd);
}

static void start_servers(struct server *first, struct server *second)
{
    enum { SERVER_PORTS = 8 };
    int port = take_server_ports(SERVER_PORTS);
    if (has_namespace) set_port_range(port, port + SERVER_PORTS - 1);
    server_start(first);
    server_start(second);
    if (has_namespace) set_port_range(SHARED_PORT, SHARED_PORT + 1);
    shared_port = 0;
    shared_count = has_namespace ? 0 : 2;
}

static int pairs_with_one_port;

/* The kernel may choose a different port for each. */
static void note_ports(const struct server *first, const struct server *second)
{
    bool is_one = first->peer_port == second->peer_port;
    pairs_with_one_port += is_one;
    EXPECT(is_one || has_namespace);
}

static const char unasked[] = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL";
static const char *const idle_events[] = {"nothing", "an end", "bytes"};

enum { IDLE_EVENTS = sizeof idle_events / sizeof *idle_events };

/* On the first connection the event follows the answer, after a signal of the test. */
static void answer_then_act(struct peer *peer)
{
    struct server *server = peer->server;
    while (peer_read_request(peer)) {
        peer_answer(peer, "");
        if (peer->number > 1 || server->steps == 2) continue;
        wait_for(&server->steps, 1);
        if (server->variant == 2) peer_send(peer, unasked);
        server->steps = 2;
        if (server->variant == 1) return;
    }
}

/* The first connection ends instead of its second answer. */
static void answer_once(struct peer *peer)
{
    for (int i = 0; peer_read_request(peer); i++) {
        if (peer->number == 1 && i > 0) return;
        peer_answer(peer, "");
    }
}

static void answer_all(struct peer *peer)
{
    while (peer_read_request(peer)) peer_answer(peer, "");
}

/* An event on one connection does not affect the other: no request is executed twice. */
static void check_shared_executions(struct server *first, struct server *second,
                                    const struct method *method)
{
    start_servers(first, second);
    RLTransferGroup group = make_group();
    EXPECT(fetch(group, first, "/first") && fetch(group, second, "/second"));
    note_ports(first, second);
    first->steps = 1;
    wait_for(&first->steps, 2);
    second->requests = 0;
    struct request request;
    request_begin(&request, group, second, method, "/counted");
    request_finish(&request);
    EXPECT(second->requests == (method->is_idempotent ? 2 : 1));
    if (!is_old || method->is_idempotent) EXPECT((request.code == 0) == method->is_idempotent);
    /* Two ports may not be enough for a third connection to one server. */
    if (has_namespace) set_port_range(SHARED_PORT, SHARED_PORT + 9);
    EXPECT(fetch(group, first, "/again"));
    RLTransferGroupDestroy(group);
    server_stop(first);
    server_stop(second);
}

/* A connection is still checked after the other one with its port has been used again. */
static void check_shared_answers(struct server *first, struct server *second,
                                 const struct method *method)
{
    start_servers(first, second);
    RLTransferGroup group = make_group();
    EXPECT(fetch(group, first, "/first") && fetch(group, second, "/second"));
    note_ports(first, second);
    EXPECT(fetch(group, second, "/third"));
    first->steps = 1;
    wait_for(&first->steps, 2);
    struct request request;
    request_begin(&request, group, first, method, "/fourth");
    request_finish(&request);
    EXPECT(request.code == 0 && strcmp(request.body, "/fourth") == 0);
    EXPECT((second->connections & 0xffff) == 1);
    RLTransferGroupDestroy(group);
    server_stop(first);
    server_stop(second);
}

void share_ports(bool is_in_namespace)
{
    has_namespace = is_in_namespace;
    if (has_namespace) start_loopback();
    for (int i = 0; i < TLS * 2 * IDLE_EVENTS * METHODS; i++) {
        enum transport transport = i % 2 ? TLS : PLAIN;
        int event = i / 2 % IDLE_EVENTS;
        const struct method *method = &methods[i / 2 / IDLE_EVENTS];
        snprintf(subject, sizeof subject, "%s %s %zu beside %s on a connection of its port",
                 transport_names[transport], method->name, method->body_length, idle_events[event]);
        struct server first = {transport, .serve = answer_then_act, .variant = event};
        struct server second = {transport, .serve = answer_once};
        check_shared_executions(&first, &second, method);
        snprintf(subject, sizeof subject, "%s %s %zu after %s and a request from its port",
                 transport_names[transport], method->name, method->body_length, idle_events[event]);
        first = (struct server){transport, .serve = answer_then_act, .variant = event};
        second = (struct server){transport, .serve = answer_all};
        check_shared_answers(&first, &second, method);
    }
    EXPECT(pairs_with_one_port > 0);
}
