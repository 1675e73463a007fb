/*
 * Limits the reads that OpenSSL makes in a call of libcurl. Records without response data reach no
 * callback of libcurl, so a server could keep one call reading forever.
 */

#define _GNU_SOURCE

#include "curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum {
    SSL_CB_HANDSHAKE_START = 0x10,
    BIO_CB_READ = 2,
    BIO_CB_WRITE = 3,
    BIO_CB_RETURN = 0x80,
    BIO_FLAGS_READ = 1,
    BIO_FLAGS_SHOULD_RETRY = 8,
    CURLSSLBACKEND_OPENSSL = 1,
};

/*
 * The time limit of the reads in one call of libcurl. When this time has passed since the first
 * read, reads return no bytes.
 */
enum { MOST_NS_OF_READS = 5000000 };

typedef struct rl_bio rl_bio;
typedef void info_function(const void *ssl, int where, int value);
typedef long bio_function(rl_bio *bio, int operation, const char *bytes, size_t length, int number,
                          long other, int result, size_t *processed);

static struct {
    void (*SSL_CTX_set_info_callback)(void *context, info_function *function);
    rl_bio *(*SSL_get_rbio)(const void *ssl);
    void (*BIO_set_callback_ex)(rl_bio *bio, bio_function *function);
    void (*BIO_set_flags)(rl_bio *bio, int flags);
    int (*SSL_has_pending)(const void *ssl);
    int (*SSL_read)(void *ssl, void *bytes, int count);
} openssl;

static bool has_openssl;
/* The time of the first read in this thread's current call of libcurl, or 0. */
static _Thread_local int64_t first_read_ns;
/* True while this file reads from OpenSSL, which must not use the socket meanwhile. */
static _Thread_local bool is_without_socket;

void rl_tls_load(void *library)
{
    has_openssl = true;
#define FIND(name)                                                                                 \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&openssl.name, &address, sizeof address);                                           \
        has_openssl = has_openssl && address;                                                      \
    }
    FIND(SSL_CTX_set_info_callback)
    FIND(SSL_get_rbio)
    FIND(BIO_set_callback_ex)
    FIND(BIO_set_flags)
    FIND(SSL_has_pending)
    FIND(SSL_read)
#undef FIND
}

void rl_tls_begin_call(void)
{
    first_read_ns = 0;
}

static long bound_read(rl_bio *bio, int operation, const char *bytes, size_t length, int number,
                       long other, int result, size_t *processed)
{
    (void)bytes;
    (void)length;
    (void)number;
    (void)other;
    (void)processed;
    if (operation == (BIO_CB_READ | BIO_CB_RETURN) && result == 0) {
        /* libcurl 7.87 to 8.9 treats EOF as close_notify, so an error is returned instead. */
        errno = 0;
        return -1;
    }
    if (operation & BIO_CB_RETURN) return result;
    if (is_without_socket && (operation == BIO_CB_READ || operation == BIO_CB_WRITE)) return -1;
    if (operation != BIO_CB_READ) return 1;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t now_ns = time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
    if (first_read_ns == 0) first_read_ns = now_ns;
    if (now_ns - first_read_ns < MOST_NS_OF_READS) return 1;
    /* Pretends that the socket is empty. The loop reports it as readable in the next pass. */
    openssl.BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    return -1;
}

static void begin_handshake(const void *ssl, int where, int value)
{
    (void)value;
    if (!(where & SSL_CB_HANDSHAKE_START)) return;
    rl_bio *bio = openssl.SSL_get_rbio(ssl);
    if (bio) openssl.BIO_set_callback_ex(bio, bound_read);
}

/* libcurl calls this with the SSL context of a new connection. */
static int set_up_context(rl_easy *easy, void *context, void *info)
{
    (void)easy;
    (void)info;
    openssl.SSL_CTX_set_info_callback(context, begin_handshake);
    return 0;
}

void rl_tls_bound_reads(rl_easy *easy)
{
    if (!has_openssl) return;
    rl_curl.curl_easy_setopt(easy, RL_CURLOPT_SSL_CTX_FUNCTION, set_up_context);
}

static void *find_session(rl_easy *easy)
{
    struct rl_curl_tls_session *session = NULL;
    if (!has_openssl) return NULL;
    rl_curl.curl_easy_getinfo(easy, RL_CURLINFO_TLS_SSL_PTR, &session);
    return session && session->library == CURLSSLBACKEND_OPENSSL ? session->session : NULL;
}

bool rl_tls_has_pending(rl_easy *easy)
{
    void *session = find_session(easy);
    return session && openssl.SSL_has_pending(session);
}

void rl_tls_drop_pending(rl_easy *easy)
{
    void *session = find_session(easy);
    if (!session) return;
    char bytes[4096];
    is_without_socket = true;
    while (openssl.SSL_read(session, bytes, sizeof bytes) > 0) {}
    is_without_socket = false;
}
