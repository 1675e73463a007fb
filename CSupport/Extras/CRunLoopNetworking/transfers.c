/*
 * Transfers: their options, and the callbacks that libcurl calls. Only the loop's thread uses the
 * data, so there is no lock.
 */

#define _GNU_SOURCE

#include "transfers.h"

#include <stdlib.h>
#include <string.h>

/*
 * The maximum number of reads without a callback in one call of libcurl. libcurl reads a proxy's
 * response to CONNECT byte by byte, and an endless response would keep the loop busy.
 */
enum { MOST_UNHEARD_READS = 32768 };

const char *RLTransferGetProblem(void)
{
    return rl_curl_load();
}

/* --- Callbacks of libcurl --- */

static size_t take_line(char *line, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    transfer->unheard_count = 0;
    /* A status line, such as "HTTP/1.1 200" or "HTTP/2 200". */
    const char *status = size * count > 12 && memcmp(line, "HTTP/", 5) == 0
                             ? memchr(line, ' ', size * count - 1)
                             : NULL;
    if (status) {
        transfer->is_version1 = line[5] == '1';
        rl_sockets_note_answer(transfer);
    }
    /* libcurl may now send the request again, to another URL or with credentials. */
    if (status && status[1] >= '3') transfer->may_be_sent = false;
    return transfer->functions.header(line, size, count, transfer->info);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    transfer->unheard_count = 0;
    size_t result = RL_CURL_WRITEFUNC_PAUSE;
    if (rl_group_admits_delivery(transfer)) {
        result = transfer->functions.body(bytes, size, count, transfer->info);
    }
    transfer->is_paused = result == RL_CURL_WRITEFUNC_PAUSE;
    if (transfer->is_paused) rl_sockets_note_pause(transfer);
    return result;
}

static size_t read_body(char *buffer, size_t size, size_t count, void *info)
{
    struct rl_transfer *transfer = info;
    transfer->unheard_count = 0;
    /* If libcurl calls begin_request, begin_request sets `may_be_sent`. */
    if (!transfer->reports_connection) transfer->may_be_sent = true;
    size_t result = transfer->functions.read(buffer, size, count, transfer->info);
    if (result == RL_CURL_READFUNC_PAUSE) {
        transfer->is_paused = true;
        rl_sockets_note_pause(transfer);
    }
    return result;
}

/* Returns true if the request must not be repeated and the server may have executed it. */
static bool refuse_retry(struct rl_transfer *transfer)
{
    if (!transfer->forbids_retry || !transfer->may_be_sent) return false;
    transfer->own_result = RL_CURLE_GOT_NOTHING;
    return true;
}

static int rewind_body(void *info, int64_t offset, int origin)
{
    struct rl_transfer *transfer = info;
    if (refuse_retry(transfer)) return 1;
    return transfer->functions.seek(transfer->info, offset, origin);
}

/* libcurl calls this for each of its reads, even between the bytes of a proxy's response. */
static int count_unheard(void *info, int64_t whole, int64_t received, int64_t whole_sent,
                         int64_t sent)
{
    (void)whole;
    (void)received;
    (void)whole_sent;
    (void)sent;
    struct rl_transfer *transfer = info;
    if (transfer->unheard_call != transfer->group->call) transfer->unheard_count = 0;
    transfer->unheard_call = transfer->group->call;
    if (++transfer->unheard_count < MOST_UNHEARD_READS) return 0;
    transfer->own_result = RL_CURLE_TOO_LARGE;
    return 1;
}

/* libcurl calls this before it looks up a host. */
static int look_up(void *resolver, void *reserved, void *info)
{
    (void)resolver;
    (void)reserved;
    struct rl_transfer *transfer = info;
    transfer->functions.connecting(transfer->info);
    return 0;
}

static enum rl_connection check_connection(struct rl_transfer *transfer,
                                           const struct rl_addresses *addresses)
{
    int64_t count = RLTransferGetNumber(transfer, RL_CURLINFO_NUM_CONNECTS);
    bool is_fresh = count > transfer->connection_count;
    transfer->connection_count = count;
    return rl_sockets_check(transfer, addresses, is_fresh);
}

/*
 * libcurl calls this directly before it sends a request. If this function aborts the request,
 * libcurl sends nothing and closes the connection. So a request that must not be repeated is sent
 * only on a connection that is new or was just checked.
 */
static int begin_request(void *info, char *peer, char *own, int peer_port, int own_port)
{
    struct rl_transfer *transfer = info;
    struct rl_addresses addresses = {0};
    transfer->socket_error = 0;
    transfer->functions.connecting(transfer->info);
    if (refuse_retry(transfer)) return RL_CURL_PREREQFUNC_ABORT;
    /* If this call fails, the addresses match no connection. */
    (void)rl_addresses_parse(own, own_port, peer, peer_port, &addresses);
    enum rl_connection connection = check_connection(transfer, &addresses);
    if (connection == RL_CONNECTION_USABLE) {
        transfer->has_begun = transfer->may_be_sent = true;
        return 0;
    }
    if (!transfer->has_begun) {
        transfer->needs_new_connection = true;
        return RL_CURL_PREREQFUNC_ABORT;
    }
    /* After a redirect or a login the transfer cannot be restarted. */
    if (transfer->forbids_retry || connection == RL_CONNECTION_UNKNOWN) {
        transfer->own_result = RL_CURLE_GOT_NOTHING;
        return RL_CURL_PREREQFUNC_ABORT;
    }
    rl_sockets_hang_up_own(transfer);
    return 0;
}

/* --- From beginning to end --- */

static bool set_up_easy(struct rl_transfer *transfer)
{
    rl_easy *easy = transfer->easy = rl_curl.curl_easy_init();
    if (!easy) return false;
#define SET(option, value) rl_curl.curl_easy_setopt(easy, RL_CURLOPT_##option, value)
    SET(PRIVATE, transfer);
    SET(ERRORBUFFER, transfer->error);
    SET(NOSIGNAL, 1L);
    /*
     * Only newer versions of libcurl have this option. It keeps an unfinished look-up from delaying
     * the cleanup.
     */
    SET(QUICK_EXIT, 1L);
    SET(SUPPRESS_CONNECT_HEADERS, 1L);
    SET(PROTOCOLS, (long)(RL_CURLPROTO_HTTP | RL_CURLPROTO_HTTPS));
    SET(REDIR_PROTOCOLS, (long)(RL_CURLPROTO_HTTP | RL_CURLPROTO_HTTPS));
    SET(HEADERFUNCTION, take_line);
    SET(HEADERDATA, transfer);
    SET(WRITEFUNCTION, take_body);
    SET(WRITEDATA, transfer);
    SET(READFUNCTION, read_body);
    SET(READDATA, transfer);
    SET(SEEKFUNCTION, rewind_body);
    SET(SEEKDATA, transfer);
    SET(NOPROGRESS, 0L);
    SET(XFERINFOFUNCTION, count_unheard);
    SET(XFERINFODATA, transfer);
    rl_tls_bound_reads(easy);
    SET(RESOLVER_START_FUNCTION, look_up);
    SET(RESOLVER_START_DATA, transfer);
    /* libcurl has this option since version 7.80. */
    transfer->reports_connection = !SET(PREREQFUNCTION, begin_request);
    SET(PREREQDATA, transfer);
    rl_sockets_set_up_transfer(transfer);
    /* For libcurl, a limit of 0 connections means no limit. So reuse is forbidden instead. */
    if (!transfer->group->keeps_connections) SET(FORBID_REUSE, 1L);
#undef SET
    return true;
}

RLTransfer RLTransferCreate(RLTransferGroup group, const RLTransferFunctions *functions, void *info)
{
    if (RLTransferGroupIsInherited(group)) return NULL;
    struct rl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    *transfer = (struct rl_transfer){.group = group, .functions = *functions, .info = info};
    transfer->number = ++group->transfer_count;
    transfer->fd = -1;
    rl_curl_begin_calls();
    bool is_set_up = set_up_easy(transfer);
    rl_curl_end_calls();
    if (is_set_up) return transfer;
    free(transfer);
    return NULL;
}

Boolean RLTransferSetNumber(RLTransfer transfer, int option, int64_t value)
{
    /* Options from 30000 on have type curl_off_t, lower options have type long. */
    if (option >= 30000) return !rl_curl.curl_easy_setopt(transfer->easy, option, value);
    return !rl_curl.curl_easy_setopt(transfer->easy, option, (long)value);
}

Boolean RLTransferSetText(RLTransfer transfer, int option, const char *text)
{
    return !rl_curl.curl_easy_setopt(transfer->easy, option, text);
}

Boolean RLTransferSetBytes(RLTransfer transfer, int option, const void *bytes, size_t length)
{
    if (!rl_curl_takes_certificates) return false;
    struct rl_curl_blob blob = {(void *)bytes, length, RL_CURL_BLOB_COPY};
    return !rl_curl.curl_easy_setopt(transfer->easy, option, &blob);
}

Boolean RLTransferSetAuthorities(RLTransfer transfer, const void *bytes, size_t length)
{
    /* Without this, libcurl would also read the system's directory of certificates. */
    return RLTransferSetBytes(transfer, RL_CURLOPT_CAINFO_BLOB, bytes, length) &&
           RLTransferSetText(transfer, RL_CURLOPT_CAPATH, "/dev/null");
}

void RLTransferForbidRetry(RLTransfer transfer)
{
    transfer->forbids_retry = true;
    /* libcurl repeats a request only on a reused connection, so a new connection is required. */
    if (!transfer->reports_connection) {
        rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_FRESH_CONNECT, 1L);
    }
}

static bool append_line(struct rl_curl_lines **lines, const char *line)
{
    struct rl_curl_lines *longer = rl_curl.curl_slist_append(*lines, line);
    if (longer) *lines = longer;
    return longer;
}

Boolean RLTransferAddLine(RLTransfer transfer, const char *line)
{
    return append_line(&transfer->lines, line);
}

Boolean RLTransferConnectTo(RLTransfer transfer, const char *rule)
{
    return append_line(&transfer->rules, rule);
}

Boolean RLTransferStart(RLTransfer transfer)
{
    /* If libcurl calls begin_request, begin_request does this. */
    if (!transfer->reports_connection) rl_sockets_hang_up_unasked(transfer->group);
    rl_curl_begin_calls();
    rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_HTTPHEADER, transfer->lines);
    rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_CONNECT_TO, transfer->rules);
    transfer->is_started = !rl_curl.curl_multi_add_handle(transfer->group->multi, transfer->easy);
    rl_curl_end_calls();
    if (!transfer->reports_connection) transfer->functions.connecting(transfer->info);
    return transfer->is_started;
}

bool rl_transfer_restart(struct rl_transfer *transfer)
{
    rl_multi *multi = transfer->group->multi;
    transfer->needs_new_connection = false;
    transfer->error[0] = 0;
    transfer->fd = -1;
    rl_curl_begin_calls();
    rl_curl.curl_multi_remove_handle(multi, transfer->easy);
    rl_curl.curl_easy_setopt(transfer->easy, RL_CURLOPT_FRESH_CONNECT, 1L);
    transfer->is_started = !rl_curl.curl_multi_add_handle(multi, transfer->easy);
    rl_curl_end_calls();
    return transfer->is_started;
}

void RLTransferResume(RLTransfer transfer)
{
    if (!RLTransferGroupIsInherited(transfer->group)) rl_group_resume(transfer);
}

int64_t RLTransferGetNumber(RLTransfer transfer, int info)
{
    long number = 0;
    rl_curl.curl_easy_getinfo(transfer->easy, info, &number);
    return number;
}

int RLTransferGetSystemError(RLTransfer transfer)
{
    if (transfer->socket_error) return transfer->socket_error;
    return (int)RLTransferGetNumber(transfer, RL_CURLINFO_OS_ERRNO);
}

const char *RLTransferGetWords(int code)
{
    return rl_curl.curl_easy_strerror(code);
}

const char *RLTransferGetError(RLTransfer transfer)
{
    return transfer->error;
}

void RLTransferEnd(RLTransfer transfer)
{
    if (transfer->is_held) TAILQ_REMOVE(&transfer->group->held, transfer, held_link);
    if (!RLTransferGroupIsInherited(transfer->group)) {
        rl_curl_begin_calls();
        if (transfer->is_started) {
            rl_curl.curl_multi_remove_handle(transfer->group->multi, transfer->easy);
        }
        rl_curl.curl_easy_cleanup(transfer->easy);
        rl_curl_end_calls();
        rl_curl.curl_slist_free_all(transfer->lines);
        rl_curl.curl_slist_free_all(transfer->rules);
    }
    free(transfer);
}
