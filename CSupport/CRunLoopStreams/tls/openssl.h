/*
 * The functions of OpenSSL that TLS needs. They are looked up at run time, so a program without TLS
 * does not need the library, and the build does not need OpenSSL's headers. The ABI of OpenSSL 3 is
 * stable.
 */

#ifndef RL_OPENSSL_H
#define RL_OPENSSL_H

#include "base/lock.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ssl_method_st SSL_METHOD;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_st SSL;
typedef struct bio_method_st BIO_METHOD;
typedef struct bio_st BIO;
typedef struct x509_st X509;
typedef struct x509_store_st X509_STORE;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct stack_st OPENSSL_STACK;

typedef int rl_openssl_password_callback(char *buffer, int size, int is_written, void *context);
typedef void rl_openssl_message_callback(int is_sent, int version, int type, const void *bytes,
                                         size_t length, SSL *ssl, void *context);

/* Passes the result type, the name and the parameters of each function to the macro `each`. */
/* clang-format off */
#define RL_OPENSSL_FUNCTIONS(each)                                                            \
    each(int, OPENSSL_init_ssl, (uint64_t, const void *))                                     \
    each(const SSL_METHOD *, TLS_method, (void))                                              \
    each(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *))                                        \
    each(void, SSL_CTX_free, (SSL_CTX *))                                                     \
    each(int, SSL_CTX_up_ref, (SSL_CTX *))                                                    \
    each(long, SSL_CTX_ctrl, (SSL_CTX *, int, long, void *))                                  \
    each(uint64_t, SSL_CTX_set_options, (SSL_CTX *, uint64_t))                                \
    each(void, SSL_CTX_set_verify, (SSL_CTX *, int, void *))                                  \
    each(int, SSL_CTX_set_default_verify_paths, (SSL_CTX *))                                  \
    each(X509_STORE *, SSL_CTX_get_cert_store, (const SSL_CTX *))                             \
    each(int, SSL_CTX_use_certificate, (SSL_CTX *, X509 *))                                   \
    each(int, SSL_CTX_use_PrivateKey, (SSL_CTX *, EVP_PKEY *))                                \
    each(int, SSL_CTX_check_private_key, (const SSL_CTX *))                                   \
    each(int, SSL_CTX_add_client_CA, (SSL_CTX *, X509 *))                                     \
    each(void, SSL_CTX_set_default_read_buffer_len, (SSL_CTX *, size_t))                      \
    each(int, SSL_CTX_set_session_id_context, (SSL_CTX *, const unsigned char *, unsigned))   \
    each(SSL *, SSL_new, (SSL_CTX *))                                                         \
    each(void, SSL_free, (SSL *))                                                             \
    each(void, SSL_set_bio, (SSL *, BIO *, BIO *))                                            \
    each(void, SSL_set_connect_state, (SSL *))                                                \
    each(void, SSL_set_accept_state, (SSL *))                                                 \
    each(long, SSL_ctrl, (SSL *, int, long, void *))                                          \
    each(void, SSL_set_msg_callback, (SSL *, rl_openssl_message_callback *))                  \
    each(int, SSL_set1_host, (SSL *, const char *))                                           \
    each(void, SSL_set_hostflags, (SSL *, unsigned))                                          \
    each(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *))                                        \
    each(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *, const char *))             \
    each(int, SSL_do_handshake, (SSL *))                                                      \
    each(int, SSL_read_ex, (SSL *, void *, size_t, size_t *))                                 \
    each(int, SSL_write_ex, (SSL *, const void *, size_t, size_t *))                          \
    each(int, SSL_has_pending, (const SSL *))                                                 \
    each(int, SSL_shutdown, (SSL *))                                                          \
    each(int, SSL_get_error, (const SSL *, int))                                              \
    each(int, SSL_get_verify_mode, (const SSL *))                                             \
    each(long, SSL_get_verify_result, (const SSL *))                                          \
    each(X509 *, SSL_get1_peer_certificate, (const SSL *))                                    \
    each(OPENSSL_STACK *, SSL_get_peer_cert_chain, (const SSL *))                             \
    each(int, OPENSSL_sk_num, (const OPENSSL_STACK *))                                        \
    each(void *, OPENSSL_sk_value, (const OPENSSL_STACK *, int))                              \
    each(int, BIO_get_new_index, (void))                                                      \
    each(BIO_METHOD *, BIO_meth_new, (int, const char *))                                     \
    each(int, BIO_meth_set_read, (BIO_METHOD *, int (*)(BIO *, char *, int)))                 \
    each(int, BIO_meth_set_write, (BIO_METHOD *, int (*)(BIO *, const char *, int)))          \
    each(int, BIO_meth_set_ctrl, (BIO_METHOD *, long (*)(BIO *, int, long, void *)))          \
    each(BIO *, BIO_new, (const BIO_METHOD *))                                                \
    each(BIO *, BIO_new_mem_buf, (const void *, int))                                         \
    each(int, BIO_free, (BIO *))                                                              \
    each(void, BIO_set_data, (BIO *, void *))                                                 \
    each(void *, BIO_get_data, (BIO *))                                                       \
    each(void, BIO_set_flags, (BIO *, int))                                                   \
    each(void, BIO_clear_flags, (BIO *, int))                                                 \
    each(X509 *, PEM_read_bio_X509, (BIO *, X509 **, rl_openssl_password_callback *, void *)) \
    each(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO *, EVP_PKEY **,                            \
         rl_openssl_password_callback *, void *))                                             \
    each(int, X509_STORE_add_cert, (X509_STORE *, X509 *))                                    \
    each(int, X509_STORE_set_flags, (X509_STORE *, unsigned long))                            \
    each(void, X509_free, (X509 *))                                                           \
    each(int, i2d_X509, (const X509 *, unsigned char **))                                     \
    each(void, CRYPTO_free, (void *, const char *, int))                                      \
    each(void, EVP_PKEY_free, (EVP_PKEY *))                                                   \
    each(unsigned long, ERR_peek_last_error, (void))                                          \
    each(void, ERR_clear_error, (void))
/* clang-format on */

#define RL_OPENSSL_FIELD(result, name, parameters) result(*name) parameters;

struct rl_openssl {
    RL_OPENSSL_FUNCTIONS(RL_OPENSSL_FIELD)
};

/* These constants are copied from OpenSSL's headers, where they are macros or part of the ABI. */
enum {
    RL_OPENSSL_INIT_NO_ATEXIT = 0x00080000,

    RL_SSL_ERROR_WANT_READ = 2,
    RL_SSL_ERROR_WANT_WRITE = 3,
    RL_SSL_ERROR_SYSCALL = 5,
    RL_SSL_ERROR_ZERO_RETURN = 6,

    RL_SSL_VERIFY_NONE = 0,
    RL_SSL_VERIFY_PEER = 1,
    RL_SSL_VERIFY_FAIL_IF_NO_PEER_CERT = 2,

    RL_SSL_CTRL_SET_MSG_CALLBACK_ARG = 16,
    RL_SSL_CTRL_MODE = 33,
    RL_SSL_CTRL_SET_READ_AHEAD = 41,
    RL_SSL_CTRL_SET_HOST_NAME = 55,
    RL_SSL_CTRL_CHAIN_CERT = 89,
    RL_SSL_CTRL_SET_MIN_PROTO_VERSION = 123,

    RL_SSL_MODE_ENABLE_PARTIAL_WRITE = 0x1,
    RL_SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 0x2,
    RL_SSL_MODE_RELEASE_BUFFERS = 0x10,

    RL_TLS1_2_VERSION = 0x303,
    RL_SSL3_RT_HANDSHAKE = 22,

    RL_PEM_R_NO_START_LINE = 108,
    RL_ERR_REASON_MASK = 0x7fffff,

    RL_BIO_TYPE_SOURCE_SINK = 0x400,
    RL_BIO_FLAGS_READ_AGAIN = 0x1 | 0x8,
    RL_BIO_FLAGS_WRITE_AGAIN = 0x2 | 0x8,
    RL_BIO_FLAGS_RETRY = 0xf,
    RL_BIO_CTRL_EOF = 2,
    RL_BIO_CTRL_FLUSH = 11,
};

/*
 * Checks only the certificate's alternative names, not the subject's common name, and rejects
 * partial wildcards.
 */
#define RL_X509_CHECK_FLAGS (0x4u | 0x20u)

/* With this flag, a trusted certificate ends the chain, even if it is not self-signed. */
#define RL_X509_V_FLAG_PARTIAL_CHAIN 0x80000ul

#define RL_SSL_OP_NO_RENEGOTIATION ((uint64_t)1 << 30)

/* Complete after OpenSSL is loaded, and constant from then on. */
extern struct rl_openssl rl_openssl_functions;

/* If OpenSSL 3 cannot be loaded, prints a warning and returns null. Thread-safe. */
const struct rl_openssl *rl_openssl(void);

/*
 * Guards the objects that all sessions share. A thread may hold a session's lock when it takes this
 * lock; no other lock of the engine is taken inside.
 */
extern struct rl_lock rl_openssl_lock;

/*
 * Calls of sessions hold the read lock, and a fork takes the write lock. Otherwise locks inside
 * OpenSSL could stay locked in the child.
 */
extern pthread_rwlock_t rl_openssl_calls;

#endif
