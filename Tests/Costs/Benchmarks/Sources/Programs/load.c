/*
 * The load of servers: a process whose connections ask for something all at once.
 */

#define _GNU_SOURCE

#include "../Engines/support.h"
#include "include/Programs.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKLOG = 4096, CAPACITY = 65536, MEASURED_NS = 300000000 };

/* A process whose connections ask for something. */
struct load {
    pid_t server;
    struct sockaddr_in address, source;
    size_t byte_count, connection_count;
    /* One more stays open, as a server ends with its last connection. */
    int *fds;
    char *bytes;
    /* In memory that both processes share. */
    struct report *report;
};

pid_t peer_start(int processor, void (*run)(void *info), void *info)
{
    signal(SIGPIPE, SIG_IGN);
    pid_t parent = getpid(), peer = fork();
    EXPECT(peer >= 0);
    if (peer > 0) return peer;
    EXPECT(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent);
    bind_to_processor(processor_count() > processor ? processor : 0);
    run(info);
    _exit(0);
}

static int64_t processor_ns_of(pid_t process)
{
    clockid_t clock;
    EXPECT(clock_getcpuclockid(process, &clock) == 0);
    return clock_ns(clock);
}

/* The memory of a process that belongs to no file. */
static double anonymous_bytes_of(pid_t process)
{
    char path[64], line[256];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    FILE *file = fopen(path, "re");
    while (file && kilobytes < 0 && fgets(line, sizeof line, file)) {
        sscanf(line, "Anonymous: %ld", &kilobytes);
    }
    EXPECT(kilobytes >= 0 && fclose(file) == 0);
    return (double)kilobytes * 1024;
}

/* Connects from an address of this process's own, so that ports of earlier ones are not missed. */
static int connect_once(const struct load *load)
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

/* Calls for as long as is measured. Returns the server's processor time for one connection. */
static double measure(const struct load *load, void (*ask)(const struct load *load))
{
    int64_t began_ns = now_ns(), used_ns = processor_ns_of(load->server);
    size_t count = 0;
    do {
        ask(load);
        count += load->connection_count;
    } while (now_ns() - began_ns < MEASURED_NS);
    return (double)(processor_ns_of(load->server) - used_ns) / (double)count;
}

/* --- Echoes ----------------------------------------------------------------------------------- */

/* The connections from one to another ask all at once. */
static void ask_some(const struct load *load, size_t from, size_t to)
{
    size_t size = load->byte_count;
    for (size_t i = from; i < to; i++) {
        EXPECT(send(load->fds[i], load->bytes, size, 0) == (ssize_t)size);
    }
    for (size_t i = from; i < to; i++) {
        EXPECT(recv(load->fds[i], load->bytes, size, MSG_WAITALL) == (ssize_t)size);
    }
}

static void ask_all(const struct load *load)
{
    ask_some(load, 0, load->connection_count);
}

static void load_with_echoes(void *info)
{
    struct load *load = info;
    size_t count = load->connection_count;
    load->fds[count] = connect_once(load);
    ask_some(load, count, count + 1);
    double bytes = anonymous_bytes_of(load->server);
    for (size_t i = 0; i < count; i++) {
        load->fds[i] = connect_once(load);
        /* In portions, for which the server's queue has room. */
        if ((i + 1) % 512 == 0 || i + 1 == count) ask_some(load, i / 512 * 512, i + 1);
    }
    bytes = anonymous_bytes_of(load->server) - bytes;
    if (count >= 1000) load->report->bytes = bytes / (double)count;
    load->report->processor_ns = measure(load, ask_all);
}

/* --- Connections that come and go ------------------------------------------------------------- */

static void come_and_go(const struct load *load)
{
    for (size_t i = 0; i < load->connection_count; i++) load->fds[i] = connect_once(load);
    for (size_t i = 0; i < load->connection_count; i++) shutdown(load->fds[i], SHUT_WR);
    for (size_t i = 0; i < load->connection_count; i++) {
        EXPECT(read(load->fds[i], load->bytes, 1) == 0);
        close(load->fds[i]);
    }
}

static void load_with_connections(void *info)
{
    struct load *load = info;
    load->fds[load->connection_count] = connect_once(load);
    come_and_go(load);
    load->report->processor_ns = measure(load, come_and_go);
}

/* --- The server beside it --------------------------------------------------------------------- */

int listen_on_loopback(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof *address;
    *address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    EXPECT(bind(fd, (const struct sockaddr *)address, length) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)address, &length) == 0);
    EXPECT(listen(fd, BACKLOG) == 0);
    return fd;
}

static struct report measure_under(struct load load, server serve, bool is_echo,
                                   void (*run)(void *load))
{
    struct service service = {
        .is_echo = is_echo, .buffer = allocate(CAPACITY), .capacity = CAPACITY};
    raise_descriptor_limit();
    service.listening_fd = listen_on_loopback(&load.address);
    load.server = getpid();
    /* One of 127.1.0.0/16, by the number of the process. */
    load.source = (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(UINT32_C(0x7F010001) + (uint32_t)getpid() % 65000)};
    load.bytes = allocate(CAPACITY);
    load.fds = allocate((load.connection_count + 1) * sizeof load.fds[0]);
    load.report =
        mmap(NULL, sizeof *load.report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(load.report != MAP_FAILED);
    load.report->bytes = __builtin_nan("");
    pid_t peer = peer_start(1, run, &load);
    bind_to_processor(0);
    serve(&service);
    int status;
    EXPECT(waitpid(peer, &status, 0) == peer && status == 0);
    return *load.report;
}

struct report measure_echo(server serve, size_t byte_count, size_t connection_count)
{
    struct load load = {.byte_count = byte_count, .connection_count = connection_count};
    return measure_under(load, serve, true, load_with_echoes);
}

struct report measure_accepting(server serve, size_t connection_count)
{
    struct load load = {.connection_count = connection_count};
    return measure_under(load, serve, false, load_with_connections);
}
