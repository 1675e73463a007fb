#define _GNU_SOURCE

#include "clients.h"

#include <string.h>
#include <unistd.h>

char subject[160];
int failures;
const char *certificate;

static void connecting(void *info)
{
    (void)info;
}

static size_t take_line(char *line, size_t size, size_t count, void *info)
{
    (void)line;
    (void)info;
    return size * count;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *info)
{
    struct request *request = info;
    if (request->is_paused) return RL_CURL_WRITEFUNC_PAUSE;
    for (size_t i = 0; i < size * count; i++) {
        size_t at = request->received++;
        if (at < sizeof request->body - 1) request->body[at] = bytes[i];
    }
    return size * count;
}

static size_t give_body(char *buffer, size_t size, size_t count, void *info)
{
    struct request *request = info;
    size_t left = request->sent_length - request->sent_count;
    if (left > size * count) left = size * count;
    memset(buffer, 'b', left);
    request->sent_count += left;
    return left;
}

static int rewind_body(void *info, int64_t offset, int origin)
{
    (void)origin;
    if (offset != 0) return 1;
    ((struct request *)info)->sent_count = 0;
    return 0;
}

void request_end(struct request *request)
{
    if (request->transfer) RLTransferEnd(request->transfer);
    request->transfer = NULL;
}

static void ended(void *info, int code)
{
    struct request *request = info;
    request->code = code;
    request->is_over = true;
    request_end(request);
    RLRunLoopStop(RLRunLoopGetCurrent());
}

const struct method methods[METHODS] = {
    {"GET", true, 0},   {"PUT", true, 3},    {"DELETE", true, 0}, {"POST", false, 3},
    {"POST", false, 0}, {"PATCH", false, 3}, {"LOCK", false, 0},  {"POST", false, 200000},
};

void request_begin(struct request *request, RLTransferGroup group, const struct server *server,
                   const struct method *method, const char *path)
{
    static const RLTransferFunctions functions = {
        .connecting = connecting,
        .header = take_line,
        .body = take_body,
        .read = give_body,
        .seek = rewind_body,
        .ended = ended,
    };
    *request = (struct request){.sent_length = method->body_length};
    RLTransfer transfer = request->transfer = RLTransferCreate(group, &functions, request);
    char url[80];
    snprintf(url, sizeof url, "%s://127.0.0.1:%d%s", server->transport ? "https" : "http",
             server->port, path);
    RLTransferSetText(transfer, RL_CURLOPT_URL, url);
    /* Reading all authorities of the system takes longer than all else. */
    enum { CAINFO = 10065 };
    RLTransferSetText(transfer, CAINFO, certificate);
    RLTransferSetNumber(transfer, RL_CURLOPT_SSL_VERIFYPEER, 0);
    RLTransferSetNumber(transfer, RL_CURLOPT_SSL_VERIFYHOST, 0);
    RLTransferSetNumber(transfer, RL_CURLOPT_FOLLOWLOCATION, 1);
    if (!method->is_idempotent) RLTransferForbidRetry(transfer);
    if (method->body_length > 0) RLTransferAddLine(transfer, "Expect:");
    if (strcmp(method->name, "POST") == 0) {
        RLTransferSetNumber(transfer, RL_CURLOPT_POST, 1);
        RLTransferSetNumber(transfer, RL_CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)method->body_length);
    } else if (strcmp(method->name, "GET") != 0) {
        if (method->body_length > 0) RLTransferSetNumber(transfer, RL_CURLOPT_UPLOAD, 1);
        RLTransferSetNumber(transfer, RL_CURLOPT_INFILESIZE_LARGE, (int64_t)method->body_length);
        RLTransferSetText(transfer, RL_CURLOPT_CUSTOMREQUEST, method->name);
    }
    if (!RLTransferStart(transfer)) abort();
}

void request_finish(const struct request *request)
{
    for (int i = 0; !request->is_over && i < 100; i++) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1, false);
    }
    EXPECT(request->is_over);
}

RLTransferGroup make_group(void)
{
    RLTransferGroup group = RLTransferGroupCreate(0, 32);
    RLTransferGroupAddMode(group, kRLRunLoopDefaultMode);
    return group;
}

/* Whether a request has the response to its own path. */
bool fetch(RLTransferGroup group, const struct server *server, const char *path)
{
    struct request request;
    request_begin(&request, group, server, &methods[0], path);
    request_finish(&request);
    return request.code == 0 && strcmp(request.body, path) == 0;
}

void wait_for(const atomic_int *value, int least)
{
    /* Time is the subject: until another thread has counted. */
    while (*value < least) usleep(200);
}

const char *const transport_names[TRANSPORTS] = {"plain", "TLS", "HTTP/2"};
