/*
 * HTTP's promises, against servers whose faults libcurl ignores: they end a connection at each
 * moment and count executed requests, send unrequested bytes at each moment, and send endless bytes
 * that reach no callback. Docs/HTTP.md has the table.
 *
 * usage: promises CERTIFICATE KEY [ports]
 *
 * With `ports` only connections with one local port, in a network namespace of the process.
 */

#define _GNU_SOURCE

#include "../../../../CSupport/Extras/CRunLoopNetworking/curl.h"
#include "clients.h"

#include <CHarness.h>
#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

bool is_old;

/* --- Connections that end: nothing is executed twice --- */

static const char *const moments[] = {
    "before the request",        "after a byte of it", "after its head",
    "after all of it",           "in the status line", "after the status line",
    "in the body of the answer", "after the answer",
};

enum { MOMENTS = sizeof moments / sizeof *moments };

/* The first connection ends at the moment in its second request; later ones answer all. */
static void end_at_moment(struct peer *peer)
{
    struct server *server = peer->server;
    int moment = server->variant / 2;
    bool ends = peer->number == 1;
    if (server->variant % 2) peer_reset_at_end(peer);
    if (ends) {
        if (!peer_read_request(peer)) return;
        /* The test counts the other requests. */
        server->heads = server->requests = 0;
        peer_answer(peer, "");
        char byte;
        size_t length;
        if (moment == 0 || (moment == 1 && peer_read(peer, &byte, 1))) return;
        if (!peer_read_head(peer, &length) || moment == 2) return;
        if (!peer_read_body(peer, length)) return;
        server->requests++;
        if (moment == 4) peer_send(peer, "HTTP/1.1 2");
        if (moment == 5) peer_send(peer, "HTTP/1.1 200 OK\r\n");
        if (moment == 6) peer_send(peer, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n123");
        if (moment == 7) peer_answer(peer, "");
        return;
    }
    while (peer_read_request(peer)) peer_answer(peer, "");
}

static void check_executions(struct server *server, const struct method *method)
{
    server_start(server);
    RLTransferGroup group = make_group();
    EXPECT(fetch(group, server, "/first"));
    /* Time is the subject: until it is closed. */
    while (server->variant / 2 == 0 && server->connections >> 16 > 0) usleep(200);
    struct request request;
    request_begin(&request, group, server, method, "/counted");
    request_finish(&request);
    /* That a cut head is no response is seen to above libcurl. */
    bool is_cut = server->variant / 2 == 5;
    EXPECT(request.code != 0 || is_cut || strcmp(request.body, "/counted") == 0);
    int most = method->is_idempotent ? 2 : 1;
    if (server->transport == HTTP2) {
        EXPECT(server->requests <= most);
    } else {
        EXPECT(server->heads <= most);
        /*
         * Requests that may be repeated are, and one that was never sent is no failure. But libcurl
         * does not repeat a request when it cannot send the rest of it.
         */
        int moment = server->variant / 2;
        bool was_cut = (moment == 1 || moment == 2) && request.code == RL_CURLE_SEND_ERROR;
        if (method->is_idempotent ? moment < 4 : moment == 0) EXPECT(request.code == 0 || was_cut);
        if (!method->is_idempotent && moment == 3 && !is_old) EXPECT(request.code != 0);
    }
    if (method->is_idempotent || !is_old) EXPECT(fetch(group, server, "/last"));
    RLTransferGroupDestroy(group);
    server_stop(server);
}

static void count_executions(void)
{
    for (int transport = PLAIN; transport <= TLS; transport++) {
        for (int i = 0; i < MOMENTS * 2 * METHODS; i++) {
            int moment = i / 2 % MOMENTS;
            const struct method *method = &methods[i / 2 / MOMENTS];
            snprintf(subject, sizeof subject, "%s %s %zu ends by %s %s", transport_names[transport],
                     method->name, method->body_length, i % 2 ? "a reset" : "a close",
                     moments[moment]);
            struct server server = {transport, .serve = end_at_moment,
                                    .variant = i % (MOMENTS * 2)};
            check_executions(&server, method);
        }
    }
}

static const char *const answers[] = {
    "GOAWAY below",   "GOAWAY with it",    "REFUSED_STREAM",
    "INTERNAL_ERROR", "HTTP_1_1_REQUIRED", "a close",
};

enum { ANSWERS = sizeof answers / sizeof *answers };

static void refuse_stream(struct peer *peer)
{
    struct server *server = peer->server;
    uint32_t stream;
    for (int i = 0; (stream = peer_read_stream(peer)); i++) {
        if (peer->number > 1 || i != 1) {
            bool is_first = peer->number == 1 && i == 0;
            if (is_first) server->requests = 0;
            peer_answer_stream(peer, stream, is_first ? "/first" : server->info);
            continue;
        }
        /* Proven not to be processed. */
        if (server->variant == 0 || server->variant == 2) server->requests = 0;
        if (server->variant == 0) peer_goaway(peer, stream - 2);
        if (server->variant == 1) peer_goaway(peer, stream);
        if (server->variant == 2) peer_number(peer, FRAME_RST_STREAM, stream, REFUSED_STREAM);
        if (server->variant == 3) peer_number(peer, FRAME_RST_STREAM, stream, INTERNAL_ERROR);
        if (server->variant == 4) peer_number(peer, FRAME_RST_STREAM, stream, HTTP_1_1_REQUIRED);
        if (server->variant == 1 || server->variant == 5) return;
    }
}

static void refuse_streams(void)
{
    for (int i = 0; i < ANSWERS * METHODS; i++) {
        const struct method *method = &methods[i / ANSWERS];
        snprintf(subject, sizeof subject, "HTTP/2 %s %zu gets %s", method->name,
                 method->body_length, answers[i % ANSWERS]);
        struct server server = {HTTP2, refuse_stream, "/counted", .variant = i % ANSWERS};
        server_start(&server);
        RLTransferGroup group = make_group();
        EXPECT(fetch(group, &server, "/first"));
        struct request request;
        request_begin(&request, group, &server, method, "/counted");
        request_finish(&request);
        EXPECT(server.requests <= (method->is_idempotent ? 2 : 1));
        EXPECT(request.code != 0 || strcmp(request.body, "/counted") == 0);
        RLTransferGroupDestroy(group);
        server_stop(&server);
    }
}

/* --- Bytes that nobody has asked for: they are in no response --- */

static const char *const extras[] = {
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL",
    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "\r\n\r\n",
    "x",
    "HTTP/1.1 100 Continue\r\n\r\n",
};

enum { EXTRAS = sizeof extras / sizeof *extras };

/* Bytes come with the answer, right after it, or when the test requests them. */
static void send_more(struct peer *peer)
{
    struct server *server = peer->server;
    const char *extra = extras[server->variant % EXTRAS];
    int when = server->variant / EXTRAS;
    for (int i = 0; peer_read_request(peer); i++) {
        bool sends_more = peer->number == 1 && i == 0;
        peer_answer(peer, sends_more && when == 0 ? extra : "");
        if (!sends_more) continue;
        if (when > 1) wait_for(&server->steps, 1);
        if (when > 0) peer_send(peer, extra);
        server->steps = 2;
    }
}

static void send_extras(void)
{
    static const char *const times[] = {"with the answer", "after it", "idle", "idle, unseen"};
    for (int i = 0; i < 2 * 4 * EXTRAS * 2; i++) {
        int variant = i / 4, when = variant / EXTRAS;
        enum transport transport = i % 2 ? TLS : PLAIN;
        const struct method *method = &methods[i / 2 % 2 ? 3 : 0];
        snprintf(subject, sizeof subject, "%s bytes %d %s, then %s", transport_names[transport],
                 variant % EXTRAS, times[when], method->name);
        struct server server = {transport, .serve = send_more, .variant = variant};
        server_start(&server);
        RLTransferGroup group = make_group();
        EXPECT(fetch(group, &server, "/1"));
        if (when > 1) server.steps = 1;
        wait_for(&server.steps, 2);
        if (when == 2) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
        struct request request;
        request_begin(&request, group, &server, method, "/2");
        request_finish(&request);
        EXPECT(request.code == 0 && strcmp(request.body, "/2") == 0);
        EXPECT(fetch(group, &server, "/3"));
        RLTransferGroupDestroy(group);
        server_stop(&server);
    }
}

static void redirect(struct peer *peer)
{
    char text[160];
    snprintf(text, sizeof text,
             "HTTP/1.1 307 Elsewhere\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n",
             (const char *)peer->server->info);
    while (peer_read_request(peer)) peer_send(peer, text);
}

/* A redirect to a connection with such bytes is followed on another one, or not at all. */
static void redirect_to_extras(void)
{
    for (int i = 0; i < 2 * 4 * EXTRAS * METHODS; i++) {
        int variant = i / 2 % (4 * EXTRAS);
        enum transport transport = i % 2 ? TLS : PLAIN;
        const struct method *method = &methods[i / 2 / (4 * EXTRAS)];
        snprintf(subject, sizeof subject, "%s %s %zu to a connection with bytes %d",
                 transport_names[transport], method->name, method->body_length, variant);
        struct server server = {transport, .serve = send_more, .variant = variant};
        server_start(&server);
        char url[80];
        snprintf(url, sizeof url, "%s://127.0.0.1:%d/2", transport ? "https" : "http", server.port);
        struct server first = {transport, .serve = redirect, .info = url};
        server_start(&first);
        RLTransferGroup group = make_group();
        EXPECT(fetch(group, &server, "/1"));
        if (variant / EXTRAS > 1) server.steps = 1;
        wait_for(&server.steps, 2);
        server.requests = 0;
        struct request request;
        request_begin(&request, group, &first, method, "/");
        request_finish(&request);
        bool is_refused = !method->is_idempotent && request.code == RL_CURLE_GOT_NOTHING;
        EXPECT(is_refused || (request.code == 0 && strcmp(request.body, "/2") == 0));
        EXPECT(server.requests == !is_refused && first.requests == 1);
        EXPECT(fetch(group, &server, "/3"));
        RLTransferGroupDestroy(group);
        server_stop(&server);
        server_stop(&first);
    }
}

/* Bytes that may arrive on an idle connection of TLS and HTTP/2. */
static void send_lawful(struct peer *peer)
{
    struct server *server = peer->server;
    uint32_t stream;
    if (server->transport == HTTP2) {
        while ((stream = peer_read_stream(peer))) {
            peer_answer_stream(peer, stream, "/same");
            peer_frame(peer, FRAME_PING, 0, 0, "12345678", 8);
            peer_frame(peer, FRAME_SETTINGS, 0, 0, "", 0);
            peer_number(peer, FRAME_WINDOW_UPDATE, 0, 1000);
            server->steps++;
        }
        return;
    }
    while (peer_read_request(peer)) {
        peer_answer(peer, "");
        if (server->transport == TLS) {
            SSL_new_session_ticket(peer->ssl);
            SSL_key_update(peer->ssl, SSL_KEY_UPDATE_NOT_REQUESTED);
            SSL_do_handshake(peer->ssl);
        }
        server->steps++;
    }
}

static void keep_connections(void)
{
    for (int i = 0; i < 2 * TRANSPORTS; i++) {
        enum transport transport = i / 2;
        snprintf(subject, sizeof subject, "%s idle%s", transport_names[transport],
                 i % 2 ? " for a while" : "");
        struct server server = {transport, .serve = send_lawful};
        server_start(&server);
        RLTransferGroup group = make_group();
        for (int k = 1; k < 10; k++) {
            EXPECT(fetch(group, &server, "/same"));
            wait_for(&server.steps, k);
            if (i % 2) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
        }
        /* With TLS a new connection is made instead, which costs time only. */
        if (transport != TLS) EXPECT((server.connections & 0xffff) == 1);
        RLTransferGroupDestroy(group);
        server_stop(&server);
    }
}

static void send_half(struct peer *peer)
{
    struct server *server = peer->server;
    if (!peer_read_request(peer)) return;
    if (peer->number > 1) {
        peer_answer(peer, "");
        return;
    }
    peer_send(peer, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n123");
    wait_for(&server->steps, 1);
    peer_send(peer, "456");
    server->steps = 2;
    char byte;
    peer_read(peer, &byte, 1);
}

/* Bytes that arrive while a transfer is paused are its own. */
static void pause_in_body(void)
{
    for (int transport = PLAIN; transport <= TLS; transport++) {
        snprintf(subject, sizeof subject, "%s paused", transport_names[transport]);
        struct server server = {transport, .serve = send_half};
        server_start(&server);
        RLTransferGroup group = make_group();
        struct request request;
        request_begin(&request, group, &server, &methods[0], "/");
        request.is_paused = true;
        do {
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.05, false);
        } while (server.requests == 0);
        server.steps = 1;
        wait_for(&server.steps, 2);
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
        EXPECT(fetch(group, &server, "/other"));
        request.is_paused = false;
        RLTransferResume(request.transfer);
        request_finish(&request);
        EXPECT(request.code == 0 && strcmp(request.body, "123456") == 0);
        RLTransferGroupDestroy(group);
        server_stop(&server);
    }
}

/* --- Floods: no call keeps the loop --- */

static const char *const floods[] = {
    "KeyUpdate",        "records without bytes",
    "WINDOW_UPDATE",    "PRIORITY",
    "SETTINGS",         "PING",
    "DATA of a byte",   "interim heads",
    "chunks of a byte", "lines of a head",
    "lines of a proxy", "a proxy's body",
    "a proxy's heads",
};

enum { FLOODS = sizeof floods / sizeof *floods, FIRST_OF_PROXY = 10 };

static enum transport transport_of(int flood)
{
    if (flood < 2) return TLS;
    return flood < 7 ? HTTP2 : PLAIN;
}

static void fill(uint8_t *bytes, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)text[i % strlen(text)];
}

static void flood(struct peer *peer)
{
    struct server *server = peer->server;
    uint32_t stream = 0, one = htonl(1);
    size_t length;
    if (server->transport == HTTP2) {
        if (!(stream = peer_read_stream(peer))) return;
    } else if (!peer_read_head(peer, &length)) {
        return;
    }
    static const char *const texts[] = {"HTTP/1.1 100 Continue\r\n\r\n", "1\r\nx\r\n", "X: y\r\n",
                                        "X: y\r\n", "x"};
    uint8_t bytes[16000], *at = bytes;
    int kind = server->variant;
    if (kind == 6) peer_frame(peer, FRAME_HEADERS, 4, stream, "\x88", 1);
    if (kind == 8) peer_send(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    if (kind == 9) peer_send(peer, "HTTP/1.1 200 OK\r\n");
    if (kind >= FIRST_OF_PROXY) peer_send(peer, "HTTP/1.1 407 Who is it\r\n");
    if (kind == 11) peer_send(peer, "Content-Length: 1000000000\r\n\r\n");
    if (kind == 12) {
        fill(bytes, sizeof bytes, "Content-Length: 0\r\n\r\nHTTP/1.1 407 Who is it\r\n");
    }
    if (kind >= 7 && kind < 12) fill(bytes, sizeof bytes, texts[kind - 7]);
    while (kind >= 2 && kind < 7 && at < bytes + sizeof bytes - 32) {
        if (kind == 2) at = frame_put(at, FRAME_WINDOW_UPDATE, 0, 0, &one, 4);
        if (kind == 3) at = frame_put(at, FRAME_PRIORITY, 0, stream, "\0\0\0\0\1", 5);
        if (kind == 4) at = frame_put(at, FRAME_SETTINGS, 0, 0, "", 0);
        if (kind == 5) at = frame_put(at, FRAME_PING, 1, 0, "12345678", 8);
        if (kind == 6) at = frame_put(at, FRAME_DATA, 0, stream, "x", 1);
    }
    size_t whole = kind < 7 ? (size_t)(at - bytes) : sizeof bytes / 6 * 6;
    if (kind == 7) whole = sizeof bytes / 25 * 25;
    if (kind == 12) whole = sizeof bytes / 43 * 43;
    bool continues = true;
    while (continues && !server->is_over) {
        if (kind == 0) {
            continues = SSL_key_update(peer->ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 &&
                        SSL_do_handshake(peer->ssl) == 1;
        } else if (kind == 1) {
            continues = SSL_new_session_ticket(peer->ssl) == 1 && SSL_do_handshake(peer->ssl) == 1;
        } else {
            continues = peer_write(peer, bytes, whole);
        }
        server->steps++;
    }
}

static struct pulse {
    int64_t last_ns;
    int64_t longest_ns;
    int count;
} pulse;

/* The time that the thread has worked since: that of other processes does not count. */
static void beat(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
    int64_t now = thread_time_ns();
    if (now - pulse.last_ns > pulse.longest_ns) pulse.longest_ns = now - pulse.last_ns;
    pulse.last_ns = now;
    pulse.count++;
}

/* Returns the longest time between two beats. */
static int64_t endure(int kind, RLRunLoopTimerRef timer)
{
    struct server server = {transport_of(kind), .serve = flood, .variant = kind};
    server_start(&server);
    RLTransferGroup group = make_group();
    struct server proxied = {TLS, .port = 1};
    struct request request;
    char proxy[40];
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", server.port);
    if (kind >= FIRST_OF_PROXY) setenv("https_proxy", proxy, 1);
    request_begin(&request, group, kind < FIRST_OF_PROXY ? &server : &proxied, &methods[0], "/");
    pulse = (struct pulse){.last_ns = thread_time_ns()};
    int64_t start = pulse.last_ns;
    for (int k = 0; k < 50 && !request.is_over && thread_time_ns() - start < 300000000; k++) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.02, false);
    }
    unsetenv("https_proxy");
    beat(timer, NULL);
    request_end(&request);
    RLTransferGroupDestroy(group);
    server_stop(&server);
    return pulse.longest_ns;
}

static void flood_loop(void)
{
    RLRunLoopTimerContext context = {0};
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent(), 0.001, 0, 0, beat, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    for (int i = 0; i < FLOODS; i++) {
        snprintf(subject, sizeof subject, "a flood of %s", floods[i]);
        int64_t most = most_held_ns(), longest = endure(i, timer);
        /* The kernel's work for others may count, too. */
        for (int tries = 1; tries < 3 && longest >= most; tries++) longest = endure(i, timer);
        printf("%s: %.1f ms at most, of %.1f\n", subject, (double)longest / 1e6,
               (double)most / 1e6);
        EXPECT(longest < most);
    }
    RLRunLoopTimerInvalidate(timer);
    RLRelease(timer);
}

static void give_up(int number)
{
    (void)number;
    (void)!write(STDERR_FILENO, subject, strlen(subject));
    static const char text[] = ": no end\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 1;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, give_up);
    alarm(600);
    RLRunLoopGetCurrent();
    const char *problem = RLTransferGetProblem();
    if (problem) fprintf(stderr, "promises: %s\n", problem);
    is_old = rl_curl.curl_version_info(RL_CURLVERSION_NOW)->number < 0x075000;
    certificate = argv[1];
    peers_set_up(argv[1], argv[2]);
    if (argc > 3) {
        share_ports(true);
        return failures > 0;
    }
    count_executions();
    refuse_streams();
    send_extras();
    redirect_to_extras();
    keep_connections();
    pause_in_body();
    share_ports(false);
    flood_loop();
    return failures > 0;
}
