/*
 * A peer's bytes after the handshake, changed in every way that a man in the middle can: the same
 * for a seed. RL_TLS_MUTATIONS is the number of connections.
 */

#include "../streams/stream_words.h"
#include "scenario.h"
#include "tls_words.h"

#include <sys/ioctl.h>

struct tls_record {
    UInt8 bytes[17000];
    size_t length;
};

enum { MOST_RECORDS = 24, MOST_TEXT = 20000 };

/* A connection whose two ends are joined by hand. */
struct tls_joint {
    struct tls_end ends[2];
    /* The other ends of their sockets. */
    int handles[2];
    UInt8 text[MOST_TEXT];
    long length;
    struct tls_record records[MOST_RECORDS];
    size_t count;
    unsigned seed;
};

static unsigned tls_below(struct tls_joint *joint, unsigned limit)
{
    return (unsigned)rand_r(&joint->seed) % limit;
}

/* Passes on what an end has sent. */
static void pass_on(const struct tls_joint *joint, int from)
{
    UInt8 bytes[20000];
    ssize_t count;

    while ((count = recv(joint->handles[from], bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
        check(send(joint->handles[!from], bytes, (size_t)count, MSG_NOSIGNAL) == count);
    }
}

static void begin_joint(struct tls_joint *joint, RLDictionaryRef server, RLDictionaryRef client)
{
    bool is_over = false;

    for (int index = 0; index < 2; index++) {
        int handles[2];
        check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
        joint->handles[index] = handles[1];
        struct tls_end *end = &joint->ends[index];
        RLStreamCreatePairWithSocket(NULL, handles[0], &end->reader, &end->writer);
        check(RLReadStreamSetProperty(end->reader, kRLStreamPropertyShouldCloseNativeSocket,
                                      kRLBooleanTrue));
        check(RLReadStreamSetProperty(end->reader, kRLStreamPropertySSLSettings,
                                      index == 0 ? server : client));
        check(RLReadStreamOpen(end->reader) && RLWriteStreamOpen(end->writer));
    }
    for (int look = 0; look < 20 && !is_over; look++) {
        bool client_has_room = RLWriteStreamCanAcceptBytes(joint->ends[1].writer);
        pass_on(joint, 1);
        is_over = RLWriteStreamCanAcceptBytes(joint->ends[0].writer) && client_has_room;
        pass_on(joint, 0);
    }
    check(is_over);
}

static void end_joint(struct tls_joint *joint)
{
    for (int index = 0; index < 2; index++) {
        finish(joint->ends[index]);
        RLRelease(joint->ends[index].reader);
        RLRelease(joint->ends[index].writer);
        close(joint->handles[index]);
    }
}

/* Makes an end write some texts and close; takes its bytes as records. */
static void take_records(struct tls_joint *joint, int from)
{
    int pieces = 1 + (int)tls_below(joint, 6);

    for (int piece = 0; piece < pieces; piece++) {
        long length = 1 + (long)tls_below(joint, MOST_TEXT / 8);
        for (long index = 0; index < length; index++) {
            joint->text[joint->length + index] = (UInt8)tls_below(joint, 256);
        }
        check(RLWriteStreamWrite(joint->ends[from].writer, joint->text + joint->length, length) ==
              length);
        joint->length += length;
    }
    RLReadStreamClose(joint->ends[from].reader);
    RLWriteStreamClose(joint->ends[from].writer);
    UInt8 head[5];
    while (recv(joint->handles[from], head, sizeof head, MSG_WAITALL) == sizeof head) {
        struct tls_record *record = &joint->records[joint->count++];
        size_t length = (size_t)head[3] << 8 | head[4];
        memcpy(record->bytes, head, sizeof head);
        record->length = sizeof head + length;
        check(recv(joint->handles[from], record->bytes + sizeof head, length, MSG_WAITALL) ==
              (ssize_t)length);
    }
}

/* Inserts a record of random bytes with a valid header instead of another or before it. */
static void make_record(struct tls_joint *joint, struct tls_record *record)
{
    const UInt8 kinds[] = {20, 21, 22, 23, 24, (UInt8)tls_below(joint, 256)};
    size_t length = tls_below(joint, 4) ? tls_below(joint, 60) : tls_below(joint, 16990);

    record->bytes[0] = kinds[tls_below(joint, sizeof kinds)];
    record->bytes[1] = 3;
    record->bytes[2] = (UInt8)tls_below(joint, 5);
    record->bytes[3] = (UInt8)(length >> 8);
    record->bytes[4] = (UInt8)length;
    for (size_t index = 0; index < length; index++) {
        record->bytes[5 + index] = (UInt8)tls_below(joint, 256);
    }
    record->length = 5 + length;
}

/* Changes the sent bytes in one way. */
static void change_records(struct tls_joint *joint)
{
    size_t place = tls_below(joint, (unsigned)joint->count);
    struct tls_record *record = &joint->records[place], other = *record;
    size_t index = tls_below(joint, (unsigned)record->length);

    switch (tls_below(joint, 9)) {
    case 0: record->bytes[index] ^= (UInt8)(1u << tls_below(joint, 8)); break;
    case 1: record->bytes[tls_below(joint, 5)] = (UInt8)tls_below(joint, 256); break;
    case 2:
        joint->count = place + 1;
        record->length = index;
        break;
    case 3: record->length = 0; break;
    case 4:
        joint->records[joint->count] = other;
        joint->count++;
        break;
    case 5:
        *record = joint->records[0];
        joint->records[0] = other;
        break;
    case 6: make_record(joint, record); break;
    case 7:
        memmove(record + 1, record, (joint->count - place) * sizeof *record);
        joint->count++;
        make_record(joint, record);
        break;
    default: break;
    }
}

/* Sends the changed records, and reads them: every read byte was written. */
static void read_changed(struct tls_joint *joint, int from)
{
    struct tls_end end = joint->ends[!from];
    UInt8 bytes[9000];
    long received = 0, count;

    for (size_t place = 0; place < joint->count; place++) {
        const struct tls_record *record = &joint->records[place];
        ssize_t length = (ssize_t)record->length;
        check(send(joint->handles[!from], record->bytes, record->length, MSG_NOSIGNAL) == length);
    }
    check(shutdown(joint->handles[!from], SHUT_WR) == 0);
    while ((count = RLReadStreamRead(end.reader, bytes, 1 + (long)tls_below(joint, sizeof bytes))) >
           0) {
        check(received + count <= joint->length);
        check(memcmp(bytes, joint->text + received, (size_t)count) == 0);
        received += count;
    }
    /* EOF is reported only after all bytes. */
    check(count < 0 || received == joint->length);
    if (count < 0) check(RLReadStreamGetError(end.reader).error != 0);
    check(RLReadStreamGetStatus(end.reader) ==
          (count < 0 ? kRLStreamStatusError : kRLStreamStatusAtEnd));
}

static void tls_mutations(void)
{
    const char *wanted = getenv("RL_TLS_MUTATIONS");
    long count = wanted ? atol(wanted) : 300;
    RLDictionaryRef server = server_with(pem_of_server), client = client_of(RLSTR("localhost"));
    struct tls_joint *joint = malloc(sizeof *joint);

    for (long seed = 0; seed < count; seed++) {
        memset(joint, 0, offsetof(struct tls_joint, text));
        joint->length = 0;
        joint->count = 0;
        joint->seed = (unsigned)seed;
        int from = (int)tls_below(joint, 2);
        begin_joint(joint, server, client);
        take_records(joint, from);
        change_records(joint);
        read_changed(joint, from);
        end_joint(joint);
    }
    free(joint);
}
SCENARIO(tls_mutations,
         .title = "Whatever follows the handshake, only written bytes are read, and the end comes after all bytes",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

/* --- Records that come in pieces -------------------------------------------------------------- */

/* Runs the loop for a time without input: it sleeps. The time itself is tested. */
static void run_without_spinning(void)
{
    enum { MOST_PASSES = 20 };
    RLRunLoopStatistics before, after;

    do {
        RLRunLoopGetStatistics(this_loop(), &before);
        check(RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.1, false) == kRLRunLoopRunTimedOut);
        RLRunLoopGetStatistics(this_loop(), &after);
        check(after.passes - before.passes < MOST_PASSES);
        /* On a busy machine one callback may take all of the time. */
    } while (after.sleeps == before.sleeps);
}

/* Takes what an end has sent; returns its length. */
static size_t take_sent(const struct tls_joint *joint, int from, UInt8 *bytes, size_t size)
{
    ssize_t count = recv(joint->handles[from], bytes, size, MSG_DONTWAIT);

    check(count > 0);
    return count > 0 ? (size_t)count : 0;
}

static void send_to(const struct tls_joint *joint, int to, const UInt8 *bytes, size_t length)
{
    check(send(joint->handles[to], bytes, length, MSG_NOSIGNAL) == (ssize_t)length);
}

/* Serves an end in the loop, which stops at a full stop, at the end, and at an error. */
static void serve_in_bits(struct tls_end end)
{
    enum { MOST_HEARD = 64 };
    char *text = calloc(1, MOST_HEARD);

    at_end(^{ free(text); });
    serve_writer(end.writer, NULL, NULL);
    serve_reader(end.reader, NULL, ^(RLReadStreamRef called, unsigned long event) {
        size_t length = strlen(text);
        if (event & (kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered)) stop();
        if (event != kRLStreamEventHasBytesAvailable) return;
        /* Less than the available bytes, so that it checks for the rest each time. */
        check(RLReadStreamRead(called, (UInt8 *)text + length, 3) > 0);
        if (!strchr(text, '.')) return;
        note("%s", text);
        memset(text, 0, MOST_HEARD);
        stop();
    });
}

/* An end is notified of records only when they are complete. */
static void hear_pieces(struct tls_joint *joint, int from)
{
    struct tls_end speaker = joint->ends[from], listener = joint->ends[!from];
    UInt8 bytes[1000];

    serve_in_bits(listener);
    run_without_spinning();
    for (int piece = 0; piece < 4; piece++) {
        write_tls_text(speaker.writer, "in two.");
        size_t length = take_sent(joint, from, bytes, sizeof bytes);
        const size_t cuts[] = {1, 5, 6, length - 1};
        send_to(joint, !from, bytes, cuts[piece]);
        run_without_spinning();
        send_to(joint, !from, bytes + cuts[piece], length - cuts[piece]);
        run("DEF", 20, false);
    }
    /* A piece that comes with a whole record. */
    write_tls_text(speaker.writer, "whole.");
    size_t whole = take_sent(joint, from, bytes, sizeof bytes);
    write_tls_text(speaker.writer, "half.");
    size_t length = whole + take_sent(joint, from, bytes + whole, sizeof bytes - whole);
    send_to(joint, !from, bytes, whole + 10);
    run("DEF", 20, false);
    run_without_spinning();
    send_to(joint, !from, bytes + whole + 10, length - whole - 10);
    run("DEF", 20, false);
    /* A piece of what no session has sent. */
    const UInt8 strange[5 + 64] = {23, 3, 3, 0, 64};
    send_to(joint, !from, strange, 5);
    run_without_spinning();
    if (from == 0) {
        send_to(joint, !from, strange + 5, 64);
    } else {
        check(shutdown(joint->handles[!from], SHUT_WR) == 0);
    }
    run("DEF", 20, false);
    note("%s", name_of_tls_error(RLReadStreamGetError(listener.reader)));
}

static void tls_half_record(void)
{
    RLDictionaryRef server = server_with(pem_of_server), client = client_of(RLSTR("localhost"));
    struct tls_joint *joint = calloc(1, sizeof *joint);

    for (int from = 0; from < 2; from++) {
        begin_joint(joint, server, client);
        hear_pieces(joint, from);
        end_joint(joint);
    }
    free(joint);
}
SCENARIO(tls_half_record,
         .title = "A loop sleeps while the rest of a record is on its way, and then has its bytes",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "in two.; = Stopped; in two.; = Stopped; in two.; = Stopped; "
                     "in two.; = Stopped; whole.; = Stopped; half.; = Stopped; = Stopped; changed; "
                     "in two.; = Stopped; in two.; = Stopped; in two.; = Stopped; "
                     "in two.; = Stopped; whole.; = Stopped; half.; = Stopped; = Stopped; truncated")

static void tls_half_handshake(void)
{
    static const UInt8 piece[] = {22, 3, 1, 2, 0, 1};
    int handles[2];

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    struct tls_end server = make_tls_end(handles[0], server_with(pem_of_server));
    serve_in_bits(server);
    check(RLReadStreamOpen(server.reader) && RLWriteStreamOpen(server.writer));
    check(send(handles[1], piece, sizeof piece, MSG_NOSIGNAL) == sizeof piece);
    run_without_spinning();
    close(handles[1]);
    run("DEF", 20, false);
    note("%s", name_of_tls_error(RLReadStreamGetError(server.reader)));
}
SCENARIO(tls_half_handshake,
         .title = "A loop sleeps while the rest of a handshake is on its way",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped; ended in the handshake")

/* Returns whether the client can send its bytes while the loop reads. */
static bool sends(const struct raw_client *client)
{
    enum { MOST_PASSES = 10 };
    bool is_done = client->shake_hands(client->ssl) == 1;

    for (int pass = 0; pass < MOST_PASSES && !is_done; pass++) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        is_done = client->shake_hands(client->ssl) == 1;
    }
    return is_done;
}

static void tls_answers_not_read(void)
{
    enum { MOST_QUESTIONS = 20000, IN_BOTH_DIRECTIONS = 1 };
    int handles[2], questions = 0;
    UInt8 bytes[4096];
    bool is_held_back = false;

    need_openssl();
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, handles) == 0);
    struct tls_end server = make_tls_end(handles[0], server_with(pem_of_server));
    struct raw_client client = make_raw_client(handles[1]);
    shake_hands_with(&client, server);
    /* In a loop, where it waits. */
    serve_in_bits(server);
    while (questions++ < MOST_QUESTIONS && !is_held_back) {
        check(client.ask_for_new_keys(client.ssl, IN_BOTH_DIRECTIONS) == 1);
        is_held_back = !sends(&client);
    }
    note("%s", is_held_back ? "held back" : "read on and on");
    if (!is_held_back) return;
    run_without_spinning();
    while (!sends(&client)) check(recv(handles[1], bytes, sizeof bytes, 0) > 0);
    note("continues when they are taken");
    close(handles[1]);
}
SCENARIO(tls_answers_not_read,
         .title = "From a peer that wants new keys again and again, and reads none, no more is read",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "held back; continues when they are taken")

static void tls_records_in_vain(void)
{
    enum { UPDATES = 4000, RECORD = 27, PORTION = 65536, IN_ONE_DIRECTION = 0 };
    int handles[2], updates = 0, most = 0;

    need_openssl();
    connect_by_tcp(handles);
    struct tls_end server = make_tls_end(handles[0], server_with(pem_of_server));
    struct raw_client client = make_raw_client(handles[1]);
    shake_hands_with(&client, server);
    while (updates < UPDATES && client.ask_for_new_keys(client.ssl, IN_ONE_DIRECTION) == 1 &&
           client.shake_hands(client.ssl) == 1) {
        updates++;
    }
    /* Inside the kernel they are on their way for a moment. */
    while (bytes_in(handles[0]) < updates * RECORD) sched_yield();
    note("%d records", updates);
    serve_in_bits(server);
    for (int left = bytes_in(handles[0]); left > 0;) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        int now = bytes_in(handles[0]);
        if (left - now > most) most = left - now;
        left = now;
    }
    note("%s", most < PORTION ? "in portions" : "in one call");
    close(handles[1]);
}
SCENARIO(tls_records_in_vain,
         .title = "Records without bytes are read in portions, and the loop continues in between",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "4000 records; in portions")
