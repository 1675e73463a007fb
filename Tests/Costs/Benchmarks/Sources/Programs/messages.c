/*
 * Messages between two processes on one processor, which this one directs.
 */

#define _GNU_SOURCE

#include "peer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LATENCIES = 1 << 17, MOST_COUNTED = 500 };

/* Lies in memory that all three processes share. */
struct direction {
    const struct messenger *messenger;
    struct exchange exchange;
    struct report *report;
    /* How many messages to send next is written to the first. */
    int order_fds[2];
    /* Who has sent the last one and got its answer, or has received it, says so. */
    int done_fds[2];
};

void exchange_receive(struct exchange *exchange, size_t byte_count)
{
    EXPECT(byte_count == exchange->byte_count);
    exchange->received_count++;
    if (exchange->is_answered || exchange->received_count < exchange->awaited_count) return;
    EXPECT(write(exchange->done_fd, "", 1) == 1);
}

static void receive(void *info)
{
    struct direction *direction = info;
    direction->messenger->receive(&direction->exchange);
}

static void send_so_many(struct direction *direction, void *sender, size_t count)
{
    struct report *report = direction->report;
    for (size_t i = 0; i < count; i++) {
        int64_t began_ns = now_ns();
        direction->messenger->send(sender);
        /* How long it takes to hand a message over is not how long it takes to arrive. */
        if (!direction->exchange.is_answered || report->latency_count == LATENCIES) continue;
        report->latencies_ns[report->latency_count++] = (double)(now_ns() - began_ns);
    }
}

static void send(void *info)
{
    struct direction *direction = info;
    void *sender = direction->messenger->open(&direction->exchange);
    size_t count;
    while (read(direction->order_fds[0], &count, sizeof count) == sizeof count) {
        send_so_many(direction, sender, count);
        if (direction->exchange.is_answered) EXPECT(write(direction->done_fds[1], "", 1) == 1);
    }
}

/* Has messages sent, and waits for the last one's answer or receipt. */
static void order(struct direction *direction, size_t count)
{
    char byte;
    direction->exchange.awaited_count += count;
    direction->report->latency_count = 0;
    EXPECT(write(direction->order_fds[1], &count, sizeof count) == sizeof count);
    EXPECT(read(direction->done_fds[0], &byte, 1) == 1);
}

/* Fewer of those that take long. */
static size_t measured_count(size_t byte_count)
{
    if (byte_count <= 64) return 20000;
    if (byte_count <= 1 << 16) return 4000;
    return byte_count <= 1 << 20 ? 400 : 16;
}

static void direct(struct direction *direction, pid_t sender, pid_t receiver)
{
    struct report *report = direction->report;
    size_t count = measured_count(direction->exchange.byte_count);
    order(direction, count / 4);

    size_t counted = count / 4 < MOST_COUNTED ? count / 4 : MOST_COUNTED;
    struct call_counter counter;
    if (call_counter_start(&counter, sender, receiver)) {
        order(direction, counted);
        report->system_calls = call_counter_stop(&counter) / (double)counted;
    }

    int64_t used_ns = processor_ns_of(sender) + processor_ns_of(receiver);
    order(direction, count);
    used_ns = processor_ns_of(sender) + processor_ns_of(receiver) - used_ns;
    report->processor_ns = (double)used_ns / (double)count;
}

void measure_messages(const struct messenger *messenger, size_t byte_count, bool is_answered,
                      struct report *report)
{
    struct direction *direction =
        mmap(NULL, sizeof *direction, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(direction != MAP_FAILED);
    direction->messenger = messenger;
    direction->report = report;
    EXPECT(pipe2(direction->order_fds, O_CLOEXEC) == 0 &&
           pipe2(direction->done_fds, O_CLOEXEC) == 0);
    struct exchange *exchange = &direction->exchange;
    *exchange = (struct exchange){.is_answered = is_answered,
                                  .bytes = allocate(byte_count),
                                  .byte_count = byte_count,
                                  .done_fd = direction->done_fds[1]};
    snprintf(exchange->name, sizeof exchange->name, "benchmarks-%d", getpid());
    pid_t receiver = peer_start(0, receive, direction), sender = peer_start(0, send, direction);
    direct(direction, sender, receiver);
    /* The other one would be told, by some kinds of sockets. */
    peer_kill(receiver);
    peer_kill(sender);
}
