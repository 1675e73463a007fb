/*
 * OpenSSL reads and writes through functions of this file. If bytes do not fit into the socket,
 * this file keeps them until the next call, so OpenSSL's write succeeds. The number of kept bytes
 * is limited, but only a peer that reads nothing reaches the limit. So a session waits only for
 * bytes from the peer or for buffer space.
 */

#include "base/system.h"

#include "tls/tls.h"

#include "base/fork.h"
#include "base/object.h"
#include "base/socket_kernel.h"
#include "base/uncanceled.h"
#include "tls/openssl.h"
#include "tls/tls_context.h"
#include "tls/tls_error.h"
#include "values/value.h"

#include <CRunLoop/RLData.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The maximum length of a name that a handshake can request. */
    LONGEST_NAME = 255,
    /*
     * The maximum number of unsent bytes. Above it, nothing is read, because a peer may cause
     * responses without reading them.
     */
    MOST_UNSENT = 65536,
    /*
     * OpenSSL reads until it has bytes for the client, but a peer may send records without such
     * bytes. The call ends after this many bytes, and the bytes left in the socket make the loop
     * call again. The longest record is slightly shorter.
     */
    MOST_IN_VAIN = 17408,
    /*
     * A key update is short but costs much processor time. So the call also ends after this number
     * of messages that follow the handshake. OpenSSL consumes all its input before it returns, so
     * the input is passed in pieces, whose size grows until the maximum number of messages is
     * reached.
     */
    MOST_MESSAGES = 32,
    FIRST_PIECE = 2048,
    /* The maximum number of bytes that one call reads for a client, however fast the peer sends. */
    MOST_AT_ONCE = 1048576,
    /* The maximum number of bytes that a check of readiness reads ahead for the client. */
    MOST_AHEAD = 1024
};

struct rl_tls {
    const struct rl_openssl *openssl;
    SSL *ssl;
    /* Guards all fields, because two threads may read and write at the same time. */
    struct rl_lock lock;
    int fd;
    /*
     * The cancellation state before the call. Cancellation is disabled during calls, because
     * OpenSSL may read files.
     */
    int cancellation_before;
    /*
     * The number of forks at the creation. If it differs from the current number, the session
     * belongs to the parent.
     */
    unsigned fork_number;
    /* The bytes without client data that OpenSSL may still read before a call must wait. */
    ssize_t budget;
    /* After the handshake, the number of session messages since the last wait. */
    unsigned messages;
    ssize_t piece;
    int socket_error;
    /* The socket has reported EOF. */
    bool is_at_end;
    bool has_shaken_hands;
    /* The peer's close_notify has been read. The socket will report no event for it. */
    bool has_ended;
    /* A close_notify has been sent, or is among the unsent bytes. */
    bool has_sent_close;
    /* `is_finishing`: the output ends after the unsent bytes. `has_finished`: it has ended. */
    bool is_finishing, has_finished;
    int finish_error;
    /* The error that has ended both directions, or 0. */
    int failure;
    /* The bytes that did not fit into the socket, from the offset `sent` to the offset `count`. */
    unsigned char *unsent;
    size_t sent;
    size_t count;
    size_t ahead_count;
    UInt8 ahead[MOST_AHEAD];
};

/* --- The socket, as OpenSSL sees it --- */

static int read_from_socket(BIO *bio, char *bytes, int length)
{
    const struct rl_openssl *openssl = &rl_openssl_functions;
    struct rl_tls *tls = openssl->BIO_get_data(bio);
    openssl->BIO_clear_flags(bio, RL_BIO_FLAGS_RETRY);
    ssize_t received = -EAGAIN;
    ssize_t most = length < tls->budget ? length : tls->budget;
    if (most > tls->piece) most = tls->piece;
    if (tls->messages > MOST_MESSAGES) most = 0;
    if (most > 0) received = rl_socket_move(tls->fd, bytes, (size_t)most, false);
    if (received > 0) tls->budget -= received;
    if (received == tls->piece && tls->piece < MOST_IN_VAIN) tls->piece *= 2;
    if (received == -EAGAIN) {
        /* Ends the call here. The stream continues in the next pass. */
        tls->budget = MOST_IN_VAIN;
        tls->messages = 0;
        openssl->BIO_set_flags(bio, RL_BIO_FLAGS_READ_AGAIN);
    }
    if (received == 0) tls->is_at_end = true;
    if (received < 0 && received != -EAGAIN) tls->socket_error = (int)received;
    return received < 0 ? -1 : (int)received;
}

static void count_message(int is_sent, int version, int type, const void *bytes, size_t length,
                          SSL *ssl, void *context)
{
    (void)version, (void)bytes, (void)length, (void)ssl;
    struct rl_tls *tls = context;
    if (is_sent || type != RL_SSL3_RT_HANDSHAKE || !tls->has_shaken_hands) return;
    if (++tls->messages > MOST_MESSAGES) tls->piece = FIRST_PIECE;
}

static bool has_much_unsent(const struct rl_tls *tls)
{
    return tls->count - tls->sent > MOST_UNSENT;
}

static void keep_unsent(struct rl_tls *tls, const char *bytes, size_t length)
{
    tls->count -= tls->sent;
    if (tls->sent > 0) memmove(tls->unsent, tls->unsent + tls->sent, tls->count);
    tls->sent = 0;
    tls->unsent = rl_reallocate(tls->unsent, tls->count + length);
    memcpy(tls->unsent + tls->count, bytes, length);
    tls->count += length;
}

/* Sends the unsent bytes and, if the output ends, FIN. Returns 0 if nothing is left to send. */
static int send_unsent(struct rl_tls *tls)
{
    while (tls->sent < tls->count) {
        ssize_t sent =
            rl_socket_send(tls->fd, NULL, 0, tls->unsent + tls->sent, tls->count - tls->sent);
        if (sent < 0) return (int)sent;
        tls->sent += (size_t)sent;
    }
    if (tls->is_finishing && tls->has_sent_close && !tls->has_finished) {
        tls->has_finished = true;
        /* Fails if the peer has reset the connection. The peer's last bytes can still be read. */
        tls->finish_error = rl_socket_finish_sending(tls->fd);
    }
    return 0;
}

static int send_or_keep(BIO *bio, const char *bytes, int length)
{
    const struct rl_openssl *openssl = &rl_openssl_functions;
    struct rl_tls *tls = openssl->BIO_get_data(bio);
    /* Clears the flags of the last read, which would make a failure look like a retry. */
    openssl->BIO_clear_flags(bio, RL_BIO_FLAGS_RETRY);
    ssize_t sent = send_unsent(tls);
    if (sent == 0) sent = rl_socket_send(tls->fd, NULL, 0, bytes, (size_t)length);
    if (sent == -EAGAIN && has_much_unsent(tls)) {
        openssl->BIO_set_flags(bio, RL_BIO_FLAGS_WRITE_AGAIN);
        return -1;
    }
    if (sent < 0 && sent != -EAGAIN) {
        tls->socket_error = (int)sent;
        return -1;
    }
    if (sent < 0) sent = 0;
    if (sent < length) keep_unsent(tls, bytes + sent, (size_t)(length - sent));
    return length;
}

static long answer_control(BIO *bio, int command, long number, void *pointer)
{
    (void)number, (void)pointer;
    const struct rl_tls *tls = rl_openssl_functions.BIO_get_data(bio);
    if (command == RL_BIO_CTRL_EOF) return tls->is_at_end;
    return command == RL_BIO_CTRL_FLUSH;
}

static BIO_METHOD *make_method(const struct rl_openssl *openssl)
{
    int kind = openssl->BIO_get_new_index() | RL_BIO_TYPE_SOURCE_SINK;
    BIO_METHOD *method = openssl->BIO_meth_new(kind, "CRunLoop");
    if (!method) return NULL;
    openssl->BIO_meth_set_read(method, read_from_socket);
    openssl->BIO_meth_set_write(method, send_or_keep);
    openssl->BIO_meth_set_ctrl(method, answer_control);
    return method;
}

static const BIO_METHOD *method_of_sockets(const struct rl_openssl *openssl)
{
    static BIO_METHOD *method;
    rl_lock(&rl_openssl_lock);
    if (!method) method = make_method(openssl);
    const BIO_METHOD *result = method;
    rl_unlock(&rl_openssl_lock);
    return result;
}

static bool attach_bio(struct rl_tls *tls, const BIO_METHOD *method)
{
    BIO *bio = method ? tls->openssl->BIO_new(method) : NULL;
    if (!bio) return false;
    tls->openssl->BIO_set_data(bio, tls);
    tls->openssl->SSL_set_bio(tls->ssl, bio, bio);
    tls->openssl->SSL_set_msg_callback(tls->ssl, count_message);
    tls->openssl->SSL_ctrl(tls->ssl, RL_SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, tls);
    return true;
}

/* --- Making and ending --- */

static void lock_for_calls(struct rl_tls *tls) RL_ACQUIRES(tls->lock)
{
    rl_lock(&tls->lock);
    tls->cancellation_before = rl_cancellation_disable();
    (void)pthread_rwlock_rdlock(&rl_openssl_calls);
}

static void unlock_after_calls(struct rl_tls *tls) RL_RELEASES(tls->lock)
{
    (void)pthread_rwlock_unlock(&rl_openssl_calls);
    rl_cancellation_restore(tls->cancellation_before);
    rl_unlock(&tls->lock);
}

static bool is_address(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

bool rl_tls_is_name(RLStringRef name)
{
    RLStringRef copy = RLStringCreateCopy(NULL, name);
    const char *characters = rl_string_characters(copy);
    size_t length = strlen(characters);
    bool is_name = length > 0 && characters[0] != '.' && length <= LONGEST_NAME;
    RLRelease(copy);
    return is_name;
}

/* A name is sent to the server and checked. An address is only checked. */
static bool expect_peer(struct rl_tls *tls, const struct rl_tls_settings *settings)
{
    const struct rl_openssl *openssl = tls->openssl;
    if (!settings->peer_name) return true;
    const char *name = rl_string_characters(settings->peer_name);
    if (is_address(name)) {
        X509_VERIFY_PARAM *parameters = openssl->SSL_get0_param(tls->ssl);
        return openssl->X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1;
    }
    size_t length = rl_tls_is_name(settings->peer_name) ? strlen(name) : 0;
    /* Removes the trailing dot of a fully qualified name: names in certificates have none. */
    if (length > 0 && name[length - 1] == '.') length--;
    char bare[LONGEST_NAME + 1] = "";
    memcpy(bare, name, length);
    bool is_requested =
        settings->is_server || openssl->SSL_ctrl(tls->ssl, RL_SSL_CTRL_SET_HOST_NAME, 0, bare) == 1;
    /* An empty name would match every certificate. */
    openssl->SSL_set_hostflags(tls->ssl, RL_X509_CHECK_FLAGS);
    return bare[0] != '\0' && is_requested && openssl->SSL_set1_host(tls->ssl, bare) == 1;
}

bool rl_tls_is_available(void)
{
    return rl_openssl();
}

bool rl_tls_are_usable(const struct rl_tls_settings *settings)
{
    const struct rl_openssl *openssl = rl_openssl();
    SSL_CTX *context = openssl ? rl_tls_context_copy(openssl, settings) : NULL;
    if (context) openssl->SSL_CTX_free(context);
    return context;
}

struct rl_tls *rl_tls_create(const struct rl_tls_settings *settings, int *ret_error)
{
    const struct rl_openssl *openssl = rl_openssl();
    *ret_error = kRLStreamErrorSSLModuleAttach;
    if (!openssl) return NULL;
    SSL_CTX *context = rl_tls_context_copy(openssl, settings);
    *ret_error = kRLStreamErrorSSLBadConfiguration;
    if (!context) return NULL;
    const BIO_METHOD *method = method_of_sockets(openssl);
    struct rl_tls *tls = rl_allocate(sizeof *tls);
    tls->openssl = openssl;
    tls->fork_number = rl_fork_number();
    tls->budget = MOST_IN_VAIN;
    tls->piece = FIRST_PIECE;
    lock_for_calls(tls);
    tls->ssl = openssl->SSL_new(context);
    openssl->SSL_CTX_free(context);
    bool is_made = tls->ssl && attach_bio(tls, method) && expect_peer(tls, settings);
    if (is_made && settings->is_server) openssl->SSL_set_accept_state(tls->ssl);
    if (is_made && !settings->is_server) openssl->SSL_set_connect_state(tls->ssl);
    unlock_after_calls(tls);
    if (is_made) *ret_error = 0;
    if (!is_made) rl_tls_destroy(tls);
    return is_made ? tls : NULL;
}

void rl_tls_destroy(struct rl_tls *tls)
{
    lock_for_calls(tls);
    if (tls->ssl) tls->openssl->SSL_free(tls->ssl);
    unlock_after_calls(tls);
    free(tls->unsent);
    free(tls);
}

/* --- Calls --- */

/*
 * Converts the result of an OpenSSL call: 0 is EOF, and errors are negative. Call this with the
 * session locked.
 */
static int meaning_of(struct rl_tls *tls, int result)
{
    int error = tls->openssl->SSL_get_error(tls->ssl, result);
    switch (error) {
    case RL_SSL_ERROR_WANT_READ:
    case RL_SSL_ERROR_WANT_WRITE: return -EAGAIN;
    case RL_SSL_ERROR_ZERO_RETURN: tls->has_ended = true; return 0;
    default: break;
    }
    /* The socket's error may have occurred only while the alert about another failure was sent. */
    if (error == RL_SSL_ERROR_SYSCALL && tls->socket_error != 0) {
        tls->failure = tls->socket_error;
    } else {
        tls->failure = rl_tls_error(tls->openssl, tls->ssl, tls->has_shaken_hands);
    }
    return tls->failure;
}

static int begin_tls_call(struct rl_tls *tls, int fd)
{
    tls->fd = fd;
    tls->socket_error = 0;
    if (tls->failure != 0) return tls->failure;
    int result = send_unsent(tls);
    if (result < 0 && result != -EAGAIN) tls->failure = result;
    tls->openssl->ERR_clear_error();
    return tls->failure;
}

/* Sends a close_notify. Returns 0 if everything is sent. */
static int send_close(struct rl_tls *tls)
{
    /* If much is unsent, there is no space for a close_notify either. */
    if (has_much_unsent(tls)) return -EAGAIN;
    if (!tls->has_sent_close) (void)tls->openssl->SSL_shutdown(tls->ssl);
    tls->has_sent_close = true;
    return send_unsent(tls);
}

static int shake_hands(struct rl_tls *tls)
{
    if (tls->has_shaken_hands) return 0;
    int result = tls->openssl->SSL_do_handshake(tls->ssl);
    if (result != 1) return meaning_of(tls, result);
    tls->has_shaken_hands = true;
    return 0;
}

static ssize_t begin_secured_call(struct rl_tls *tls, int fd) RL_ACQUIRES(tls->lock)
{
    lock_for_calls(tls);
    int result = begin_tls_call(tls, fd);
    if (result == 0) result = shake_hands(tls);
    /* A reader does not wait for unsent output, but fails if the output fails. */
    if (result == 0 && tls->is_finishing && !tls->has_sent_close) {
        int sent = send_close(tls);
        if (sent < 0 && sent != -EAGAIN) result = tls->failure = sent;
    }
    return result;
}

static bool has_bytes(const struct rl_tls *tls)
{
    return tls->ahead_count > 0 || tls->openssl->SSL_has_pending(tls->ssl) == 1;
}

static enum rl_tls_progress progress_of(const struct rl_tls *tls)
{
    if (tls->failure != 0) return RL_TLS_FAILED;
    return tls->has_shaken_hands ? RL_TLS_SECURED : RL_TLS_SHAKING_HANDS;
}

static struct rl_tls_outcome outcome_of(const struct rl_tls *tls, bool is_writer, ssize_t result)
{
    bool has_unsent = tls->sent < tls->count;
    bool awaits_space = has_unsent || (is_writer && tls->has_shaken_hands);
    bool awaits_bytes = (!is_writer || !tls->has_shaken_hands) && !has_much_unsent(tls);
    enum rl_tls_progress progress = progress_of(tls);
    bool awaits_check =
        progress != RL_TLS_SECURED || (!is_writer && (tls->has_ended || has_bytes(tls)));
    RLRunLoopDescriptorEvents awaited = (awaits_bytes ? kRLRunLoopDescriptorRead : 0) |
                                        (awaits_space ? kRLRunLoopDescriptorWrite : 0) |
                                        (awaits_check ? RL_TLS_AWAITS_CHECK : 0);
    return (struct rl_tls_outcome){result, progress, awaited};
}

static struct rl_tls_outcome end_secured_call(struct rl_tls *tls, bool is_writer, ssize_t result)
    RL_RELEASES(tls->lock)
{
    struct rl_tls_outcome outcome = outcome_of(tls, is_writer, result);
    unlock_after_calls(tls);
    return outcome;
}

/* Reads the bytes of a record. Returns their number, 0 at EOF, or an error. */
static ssize_t read_record(struct rl_tls *tls, UInt8 *bytes, size_t length)
{
    size_t count = 0;
    int success = tls->openssl->SSL_read_ex(tls->ssl, bytes, length, &count);
    if (success != 1) return meaning_of(tls, success);
    tls->budget += (ssize_t)count;
    return (ssize_t)count;
}

/* Reads bytes; first returns the bytes that were read ahead. */
static ssize_t read_records(struct rl_tls *tls, UInt8 *bytes, size_t length)
{
    size_t total = length < tls->ahead_count ? length : tls->ahead_count;
    memcpy(bytes, tls->ahead, total);
    tls->ahead_count -= total;
    memmove(tls->ahead, tls->ahead + total, tls->ahead_count);
    while (total == 0 || (total < length && total < MOST_AT_ONCE && has_bytes(tls))) {
        ssize_t count = read_record(tls, bytes + total, length - total);
        /* If a failure follows some bytes, the next call returns the failure. */
        if (count <= 0) return total > 0 ? (ssize_t)total : count;
        total += (size_t)count;
    }
    return (ssize_t)total;
}

static ssize_t write_record(struct rl_tls *tls, const UInt8 *bytes, size_t length)
{
    size_t count = 0;
    if (tls->sent < tls->count) return -EAGAIN;
    int success = tls->openssl->SSL_write_ex(tls->ssl, bytes, length, &count);
    return success == 1 ? (ssize_t)count : meaning_of(tls, success);
}

struct rl_tls_outcome rl_tls_move(struct rl_tls *tls, int fd, UInt8 *bytes, size_t length,
                                  bool is_writer)
{
    ssize_t result = begin_secured_call(tls, fd);
    if (result == 0) {
        result = is_writer ? write_record(tls, bytes, length) : read_records(tls, bytes, length);
    }
    return end_secured_call(tls, is_writer, result);
}

/* Reads ahead, so that the client's next small read need not call OpenSSL. */
static ssize_t read_ahead(struct rl_tls *tls)
{
    if (tls->ahead_count > 0) return 1;
    ssize_t count = read_record(tls, tls->ahead, MOST_AHEAD);
    if (count > 0) tls->ahead_count = (size_t)count;
    return count > 0 ? 1 : count;
}

struct rl_tls_outcome rl_tls_check(struct rl_tls *tls, int fd, bool is_writer)
{
    ssize_t result = begin_secured_call(tls, fd);
    if (result == 0 && is_writer) result = tls->sent < tls->count ? -EAGAIN : 1;
    if (result == 0 && !is_writer) result = read_ahead(tls);
    return end_secured_call(tls, is_writer, result);
}

struct rl_tls_outcome rl_tls_outcome(struct rl_tls *tls, bool is_writer)
{
    rl_lock(&tls->lock);
    struct rl_tls_outcome outcome = outcome_of(tls, is_writer, tls->failure);
    rl_unlock(&tls->lock);
    return outcome;
}

enum rl_tls_progress rl_tls_give_up(struct rl_tls *tls, int error)
{
    rl_lock(&tls->lock);
    if (!tls->has_shaken_hands && tls->failure == 0) tls->failure = error;
    enum rl_tls_progress progress = progress_of(tls);
    rl_unlock(&tls->lock);
    return progress;
}

struct rl_tls_outcome rl_tls_finish_writing(struct rl_tls *tls, int fd)
{
    if (tls->fork_number != rl_fork_number()) {
        return (struct rl_tls_outcome){0, RL_TLS_SHAKING_HANDS, 0};
    }
    rl_lock(&tls->lock);
    tls->is_finishing = true;
    rl_unlock(&tls->lock);
    ssize_t result = begin_secured_call(tls, fd);
    if (result == 0) result = tls->has_finished ? tls->finish_error : -EAGAIN;
    return end_secured_call(tls, true, result);
}

int rl_tls_end(struct rl_tls *tls, int fd)
{
    if (tls->fork_number != rl_fork_number()) return 0;
    lock_for_calls(tls);
    int result = begin_tls_call(tls, fd);
    if (result == 0) result = tls->has_shaken_hands ? send_close(tls) : send_unsent(tls);
    unlock_after_calls(tls);
    return result;
}

/* --- The peer --- */

static void add_certificate(struct rl_tls *tls, RLMutableArrayRef array, const X509 *certificate)
{
    unsigned char *bytes = NULL;
    int length = tls->openssl->i2d_X509(certificate, &bytes);
    if (length <= 0) return;
    RLDataRef data = RLDataCreate(NULL, bytes, length);
    RLArrayAppendValue(array, data);
    RLRelease(data);
    tls->openssl->CRYPTO_free(bytes, __FILE__, __LINE__);
}

RLArrayRef rl_tls_copy_peer_certificates(struct rl_tls *tls)
{
    const struct rl_openssl *openssl = tls->openssl;
    lock_for_calls(tls);
    X509 *own = openssl->SSL_get1_peer_certificate(tls->ssl);
    OPENSSL_STACK *chain = openssl->SSL_get_peer_cert_chain(tls->ssl);
    RLMutableArrayRef array = own ? RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks) : NULL;
    if (own) add_certificate(tls, array, own);
    /*
     * If the peer is a server, OpenSSL's chain includes the peer's own certificate. If the peer is
     * a client, it does not.
     */
    int count = own && chain ? openssl->OPENSSL_sk_num(chain) : 0;
    for (int i = 0; i < count; i++) {
        const X509 *certificate = openssl->OPENSSL_sk_value(chain, i);
        if (certificate != own) add_certificate(tls, array, certificate);
    }
    if (own) openssl->X509_free(own);
    unlock_after_calls(tls);
    return array;
}
