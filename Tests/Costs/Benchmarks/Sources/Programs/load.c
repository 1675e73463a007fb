/*
 * The load of servers: a process whose connections ask for something all at once.
 */

#define _GNU_SOURCE

#include "load.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BACKLOG = 4096,
    /* What a process needs besides its connections. */
    SPARE_DESCRIPTORS = 64,
    LATENCIES = 1 << 17
};

int load_connect(const struct load *load)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    EXPECT(fd >= 0);
    EXPECT(setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) == 0);
    EXPECT(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    EXPECT(bind(fd, (const struct sockaddr *)&load->source, sizeof load->source) == 0);
    EXPECT(connect(fd, (const struct sockaddr *)&load->address, sizeof load->address) == 0);
    return fd;
}

static void read_all(int fd, char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = read(fd, bytes, size);
        EXPECT(count > 0);
        size -= (size_t)count;
    }
}

static void expect_end(int fd)
{
    char byte;
    EXPECT(read(fd, &byte, sizeof byte) == 0);
}

/* --- Echoes ----------------------------------------------------------------------------------- */

/* The connections from one to another ask all at once. */
static void ask(struct load *load, size_t from, size_t to, bool is_measured)
{
    struct report *report = load->report;
    for (size_t i = from; i < to; i++) {
        load->sent_ns[i] = now_ns();
        write_all(load->fds[i], load->bytes, load->byte_count);
    }
    for (size_t i = from; i < to; i++) {
        read_all(load->fds[i], load->bytes, load->byte_count);
        if (!is_measured || report->latency_count == LATENCIES) continue;
        report->latencies_ns[report->latency_count++] = (double)(now_ns() - load->sent_ns[i]);
    }
}

/* In portions, so that those that the server has not accepted yet have room in its queue. */
static void connect_all(struct load *load)
{
    for (size_t i = 0; i < load->connection_count; i++) {
        load->fds[i] = load_connect(load);
        size_t count = i + 1;
        if (count % 512 != 0 && count < load->connection_count) continue;
        ask(load, (count - 1) / 512 * 512, count, false);
    }
}

static void load_with_echoes(void *info)
{
    struct load *load = info;
    struct report *report = load->report;
    size_t count = load->connection_count;
    load->kept_fd = load_connect(load);
    write_all(load->kept_fd, load->bytes, load->byte_count);
    read_all(load->kept_fd, load->bytes, load->byte_count);

    double bytes = anonymous_bytes_of(load->server);
    connect_all(load);
    bytes = anonymous_bytes_of(load->server) - bytes;
    if (count >= 1000) report->bytes = bytes / (double)count;

    int64_t began_ns = now_ns(), used_ns = processor_ns_of(load->server);
    size_t rounds = 0;
    do {
        ask(load, 0, count, true);
        rounds++;
    } while (now_ns() - began_ns < LOAD_MEASURED_NS);
    used_ns = processor_ns_of(load->server) - used_ns;
    report->processor_ns = (double)used_ns / (double)(rounds * count);

    struct call_counter counter;
    if (count <= LOAD_COUNTED && call_counter_start(&counter, load->server, 0)) {
        rounds = LOAD_COUNTED / count;
        for (size_t i = 0; i < rounds; i++) ask(load, 0, count, false);
        report->system_calls = call_counter_stop(&counter) / (double)(rounds * count);
    }
}

/* --- Connections that come and go ------------------------------------------------------------- */

static void come_and_go(const struct load *load)
{
    for (size_t i = 0; i < load->connection_count; i++) load->fds[i] = load_connect(load);
    for (size_t i = 0; i < load->connection_count; i++) shutdown(load->fds[i], SHUT_WR);
    for (size_t i = 0; i < load->connection_count; i++) {
        expect_end(load->fds[i]);
        close(load->fds[i]);
    }
}

static void load_with_connections(void *info)
{
    struct load *load = info;
    size_t count = load->connection_count, rounds = 0;
    load->kept_fd = load_connect(load);
    come_and_go(load);

    int64_t began_ns = now_ns(), used_ns = processor_ns_of(load->server);
    do {
        come_and_go(load);
        rounds++;
    } while (now_ns() - began_ns < LOAD_MEASURED_NS);
    used_ns = processor_ns_of(load->server) - used_ns;
    load->report->processor_ns = (double)used_ns / (double)(rounds * count);

    struct call_counter counter;
    if (call_counter_start(&counter, load->server, 0)) {
        rounds = LOAD_COUNTED / count;
        for (size_t i = 0; i < rounds; i++) come_and_go(load);
        load->report->system_calls = call_counter_stop(&counter) / (double)(rounds * count);
    }
}

/* --- Much on one connection ------------------------------------------------------------------- */

static void send_much(const struct load *load, size_t mib_count)
{
    int fd = load_connect(load);
    size_t count = mib_count * (LOAD_MIB / LOAD_CAPACITY);
    for (size_t i = 0; i < count; i++) write_all(fd, load->bytes, LOAD_CAPACITY);
    shutdown(fd, SHUT_WR);
    expect_end(fd);
    close(fd);
}

static void load_with_much(void *info)
{
    struct load *load = info;
    load->kept_fd = load_connect(load);
    send_much(load, LOAD_BULK_MIBS / 16);
    int64_t used_ns = processor_ns_of(load->server);
    send_much(load, LOAD_BULK_MIBS);
    used_ns = processor_ns_of(load->server) - used_ns;
    load->report->processor_ns = (double)used_ns / LOAD_BULK_MIBS;
}

/* --- The server beside it --------------------------------------------------------------------- */

/* The kernel chooses the port. */
static int listen_on_loopback(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof *address;
    *address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    EXPECT(fd >= 0);
    EXPECT(bind(fd, (const struct sockaddr *)address, length) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)address, &length) == 0);
    EXPECT(listen(fd, BACKLOG) == 0);
    return fd;
}

/* One of 127.1.0.0/16, by the number of the process. */
static struct sockaddr_in own_source(void)
{
    uint32_t place = (uint32_t)getpid() % 65000 + 1;
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(UINT32_C(0x7F010000) + place)};
}

struct serving {
    server serve;
    struct service *service;
};

static void *serve(void *info)
{
    const struct serving *serving = info;
    serving->serve(serving->service);
    return NULL;
}

static void serve_on(enum serving_thread thread, struct serving *serving)
{
    if (thread == ON_MAIN_THREAD) {
        serve(serving);
        return;
    }
    pthread_t own;
    EXPECT(pthread_create(&own, NULL, serve, serving) == 0);
    EXPECT(pthread_join(own, NULL) == 0);
}

void load_serve(server serve, enum serving_thread thread, bool is_echo, void (*run)(void *load),
                struct load *load)
{
    struct service service = {.listening_fd = listen_on_loopback(&load->address),
                              .is_echo = is_echo,
                              .buffer = allocate(LOAD_CAPACITY),
                              .capacity = LOAD_CAPACITY};
    load->server = getpid();
    load->source = own_source();
    load->bytes = allocate(LOAD_CAPACITY);
    load->fds = allocate(load->connection_count * sizeof load->fds[0]);
    load->sent_ns = allocate(load->connection_count * sizeof load->sent_ns[0]);
    pid_t peer = peer_start(1, run, load);
    bind_to_processor(0);
    serve_on(thread, &(struct serving){serve, &service});
    peer_join(peer);
}

bool measure_echo(server serve, enum serving_thread thread, size_t byte_count,
                  size_t connection_count, struct report *report)
{
    struct rlimit files;
    EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0);
    if (files.rlim_max < connection_count + SPARE_DESCRIPTORS) {
        fprintf(stderr,
                "benchmarks: %zu connections need %zu descriptors in each process, which may have "
                "%llu (RLIMIT_NOFILE): left out\n",
                connection_count, connection_count + SPARE_DESCRIPTORS,
                (unsigned long long)files.rlim_max);
        return false;
    }
    files.rlim_cur = files.rlim_max;
    EXPECT(setrlimit(RLIMIT_NOFILE, &files) == 0);
    struct load load = {
        .byte_count = byte_count, .connection_count = connection_count, .report = report};
    load_serve(serve, thread, true, load_with_echoes, &load);
    return true;
}

void measure_accepting(server serve, enum serving_thread thread, size_t connection_count,
                       struct report *report)
{
    struct load load = {.connection_count = connection_count, .report = report};
    load_serve(serve, thread, false, load_with_connections, &load);
}

void measure_bulk(server serve, enum serving_thread thread, struct report *report)
{
    struct load load = {.connection_count = 1, .report = report};
    load_serve(serve, thread, false, load_with_much, &load);
}
