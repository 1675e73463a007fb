/*
 * Secured streams that are served on dispatch queues, both ends of a connection: no loop runs.
 */

#include "../streams/stream_words.h"
#include "queues.h"
#include "scenario.h"
#include "tls_words.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)

/* A client on one queue, and a server whose streams have one each. */
struct tls_queues {
    struct tls_end client, server;
    struct dispatch_queue_s *queues[3];
};

/* Makes queues serve ends that have their clients, and opens them, the responding end first. */
static struct tls_queues open_on_queues(struct tls_end client, struct tls_end server)
{
    struct tls_queues served = {client, server, {0}};

    for (int index = 0; index < 3; index++) served.queues[index] = make_queue(NULL);
    RLReadStreamSetDispatchQueue(client.reader, served.queues[0]);
    RLWriteStreamSetDispatchQueue(client.writer, served.queues[0]);
    RLReadStreamSetDispatchQueue(server.reader, served.queues[1]);
    RLWriteStreamSetDispatchQueue(server.writer, served.queues[2]);
    open_tls_ends(server, client);
    return served;
}

static void leave_queues(const struct tls_queues *served)
{
    const struct tls_end ends[2] = {served->client, served->server};

    for (int index = 0; index < 2; index++) {
        RLReadStreamSetDispatchQueue(ends[index].reader, NULL);
        RLWriteStreamSetDispatchQueue(ends[index].writer, NULL);
    }
    for (int index = 0; index < 3; index++) dispatch_barrier_sync(served->queues[index], ^{});
}

static void tls_started_later_on_queues(void)
{
    RLDictionaryRef server_settings = server_with(pem_of_server);
    RLDictionaryRef client_settings = client_of(RLSTR("localhost"));
    struct gate *ended = make_gate();
    struct tls_end server, client;
    /* Each is of one queue. */
    __block int asked = 0, heard = 0, answered = 0;

    make_tls_ends(NULL, NULL, &server, &client);
    RLWriteStreamRef answers = server.writer, questions = client.writer;
    serve_writer(answers, NULL, NULL);
    serve_reader(server.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        write_tls_text(answers, answered == 0 ? "go ahead" : "all is secret");
        if (answered++ > 0) return;
        check(RLReadStreamSetProperty(called, kRLStreamPropertySSLSettings, server_settings));
    });
    serve_writer(questions, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        check(is_on_queue());
        /* One question for each answer, and one before. */
        if (event != kRLStreamEventCanAcceptBytes || asked > heard) return;
        write_tls_text(called, asked++ == 0 ? "STARTTLS" : "hello");
    });
    serve_reader(client.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        check(is_on_queue());
        if (event != kRLStreamEventHasBytesAvailable) return;
        read_text(called);
        if (heard++ > 0) {
            open_gate(ended);
            return;
        }
        check(RLWriteStreamSetProperty(questions, kRLStreamPropertySSLSettings, client_settings));
    });
    struct tls_queues served = open_on_queues(client, server);
    pass_gate(ended);
    leave_queues(&served);
}
SCENARIO(tls_started_later_on_queues,
         .title = "A connection that is served on dispatch queues is secured later (STARTTLS)",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "STARTTLS; go ahead; hello; all is secret")

/* Makes a stream write so much, and then close. */
static void write_on_queue(RLWriteStreamRef writer, long total)
{
    __block long written = 0;

    serve_writer(writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        UInt8 bytes[9000];
        check(is_on_queue() && event != kRLStreamEventErrorOccurred);
        if (event != kRLStreamEventCanAcceptBytes || written == total) return;
        for (size_t index = 0; index < sizeof bytes; index++) {
            bytes[index] = byte_at(written + (long)index);
        }
        long most = total - written < (long)sizeof bytes ? total - written : (long)sizeof bytes;
        long count = RLWriteStreamWrite(called, bytes, most);
        check(count > 0);
        written += count;
    });
}

/* Makes a stream read so much; then opens a gate. */
static void read_on_queue(RLReadStreamRef reader, long total, struct gate *ended)
{
    __block long received = 0;

    serve_reader(reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[30000];
        check(is_on_queue() && event != kRLStreamEventErrorOccurred);
        if (event != kRLStreamEventHasBytesAvailable) return;
        long count = RLReadStreamRead(called, bytes, sizeof bytes);
        for (long index = 0; index < count; index++) {
            check(bytes[index] == byte_at(received + index));
        }
        received += count;
        if (received >= total) open_gate(ended);
    });
}

static void tls_much_on_queues(void)
{
    enum { TOTAL = 1000000 };
    struct gate *ended[2] = {make_gate(), make_gate()};
    struct tls_end ends[2];

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &ends[0], &ends[1]);
    for (int index = 0; index < 2; index++) {
        write_on_queue(ends[index].writer, TOTAL);
        read_on_queue(ends[index].reader, TOTAL, ended[index]);
    }
    struct tls_queues served = open_on_queues(ends[1], ends[0]);
    for (int index = 0; index < 2; index++) pass_gate(ended[index]);
    leave_queues(&served);
}
SCENARIO(tls_much_on_queues,
         .title = "Much is passed both ways at once by secured streams on dispatch queues",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void tls_refused_on_queues(void)
{
    struct gate *ended[4] = {make_gate(), make_gate(), make_gate(), make_gate()};
    struct tls_end ends[2];

    make_tls_ends(server_with(pem_of_elsewhere), client_of(RLSTR("localhost")), &ends[0], &ends[1]);
    for (int index = 0; index < 2; index++) {
        struct gate *reader_ended = ended[2 * index], *writer_ended = ended[2 * index + 1];
        serve_reader(ends[index].reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
            if (event == kRLStreamEventErrorOccurred) open_gate(reader_ended);
        });
        serve_writer(ends[index].writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
            if (event == kRLStreamEventErrorOccurred) open_gate(writer_ended);
        });
    }
    struct tls_queues served = open_on_queues(ends[1], ends[0]);
    for (int index = 0; index < 4; index++) pass_gate(ended[index]);
    for (int index = 0; index < 2; index++) {
        note("%s", name_of_tls_error(RLReadStreamGetError(ends[index].reader)));
        note("%s", name_of_tls_error(RLWriteStreamGetError(ends[index].writer)));
    }
    leave_queues(&served);
}
SCENARIO(tls_refused_on_queues,
         .title = "All four streams on dispatch queues report that a certificate was rejected",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "peer: bad certificate; peer: bad certificate; other name; other name")

#endif
