/*
 * Secured connections through a relay, which cuts the forwarded bytes in pieces, changes them, or
 * ends.
 */

#include "scenario.h"
#include "tls_relay.h"

static void tls_pieces(void)
{
    pass_through_tls(1, 1);
    pass_through_tls(1000, 3);
    pass_through_tls(100000, 1000);
    /* 100 MB take longer, under the sanitizers above all: see Docs/Maintaining/Testing.md. */
    const char *most = getenv("RL_TLS_BYTES");
    pass_through_tls(most ? atol(most) : 5000000, 16384);
}
SCENARIO(tls_pieces,
         .title = "Bytes come through whole, in whatever pieces they travel",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 1 of 1; none; = Stopped; 1000 of 1000; none; "
                     "= Stopped; 100000 of 100000; none; = Stopped; 5000000 of 5000000; none")

/* Makes the client write one record, which the server reads in pieces of a given size. */
static void read_record_by(long most)
{
    enum { LENGTH = 3000 };
    struct tls_end server, client;
    RLWriteStreamRef writer;
    __block long count = 0, events = 0;
    __block bool is_written = false;

    make_tls_ends(server_with(pem_of_server), client_of(RLSTR("localhost")), &server, &client);
    writer = client.writer;
    serve_writer(server.writer, NULL, NULL);
    serve_reader(client.reader, NULL, NULL);
    serve_writer(writer, NULL, ^(RLWriteStreamRef called, unsigned long event) {
        UInt8 bytes[LENGTH];
        if (event != kRLStreamEventCanAcceptBytes || is_written) return;
        is_written = true;
        for (int index = 0; index < LENGTH; index++) bytes[index] = (UInt8)(index / 7);
        check(RLWriteStreamWrite(called, bytes, LENGTH) == LENGTH);
        RLWriteStreamClose(called);
        RLReadStreamClose(client.reader);
    });
    serve_reader(server.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        UInt8 bytes[LENGTH + 1];
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
        if (event != kRLStreamEventHasBytesAvailable) return;
        events++;
        check(RLReadStreamHasBytesAvailable(called));
        long length = RLReadStreamRead(called, bytes, most);
        for (long index = 0; index < length; index++) {
            check(bytes[index] == (UInt8)((count + index) / 7));
        }
        count += length;
    });
    open_tls_ends(server, client);
    run("DEF", 20, false);
    note("%ld by %ld: %ld", count, most, events);
    finish(server);
}

static void tls_record_in_parts(void)
{
    const long parts[] = {7, 1000, 1024, 1025, 2999, 3000, 3001};
    for (size_t index = 0; index < sizeof parts / sizeof parts[0]; index++) {
        read_record_by(parts[index]);
    }
}
SCENARIO(tls_record_in_parts,
         .title = "A client reads a record by as many bytes as it likes, and learns of those left",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; 3000 by 7: 429; = Stopped; 3000 by 1000: 3; "
                     "= Stopped; 3000 by 1024: 3; = Stopped; 3000 by 1025: 3; "
                     "= Stopped; 3000 by 2999: 2; = Stopped; 3000 by 3000: 1; "
                     "= Stopped; 3000 by 3001: 1")

/* Ends connections after each number of bytes in one direction, up to that which is enough. */
static void cut_tls(int from)
{
    const char *error, *server_error;
    long limit = 0;

    for (;; limit++) {
        struct tls_relay relay = {.limits = {TLS_WITHOUT_LIMIT, TLS_WITHOUT_LIMIT}, .changed = -1};
        relay.limits[from] = limit;
        error = disturb_tls(relay, &server_error);
        if (strcmp(error, "none") == 0) break;
        if (!is_end_of_connection(error)) note("%ld: %s", limit, error);
    }
    note_answer("cuts", limit > 400);
}

static void tls_cut(void)
{
    cut_tls(0);
    cut_tls(1);
}
SCENARIO(tls_cut,
         .title = "A handshake that is cut at any byte is an error for both ends, and neither end hangs",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "cuts: yes; cuts: yes")

/*
 * Changes bytes of the server, one in each connection: each third, or by the step in RL_TLS_STEP.
 */
static void tls_changed(void)
{
    const char *error = "", *server_error, *wanted = getenv("RL_TLS_STEP");
    long step = wanted ? atol(wanted) : 3, refused = 0;

    for (long index = 5; index < 2000 && strcmp(error, "none") != 0; index += step) {
        struct tls_relay relay = {.limits = {TLS_WITHOUT_LIMIT, TLS_WITHOUT_LIMIT},
                                  .changed = index};
        error = disturb_tls(relay, &server_error);
        refused++;
    }
    note_answer("refused", refused * step > 1200);
}
SCENARIO(tls_changed,
         .title = "A byte that is changed on its way is an error, in the handshake and after it",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "refused: yes")
