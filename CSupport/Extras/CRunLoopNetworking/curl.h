/*
 * The functions of libcurl. They are looked up at run time, so a program without requests does not
 * need the library, and the build does not need libcurl's headers. The ABI of libcurl has been
 * stable since 7.16.
 */

#ifndef RL_CURL_H
#define RL_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rl_easy rl_easy;
typedef struct rl_multi rl_multi;
struct rl_curl_lines;

struct rl_curl_message {
    int kind;
    rl_easy *easy;
    union {
        void *pointer;
        int result;
    } data;
};

/* The beginning of the structure that curl_version_info returns. */
struct rl_curl_version {
    int age;
    const char *text;
    unsigned number;
    const char *host;
    int features;
    const char *tls_library;
};

/* The result of CURLINFO_TLS_SSL_PTR. */
struct rl_curl_tls_session {
    int library;
    void *session;
};

struct rl_curl_blob {
    void *bytes;
    size_t length;
    unsigned flags;
};

struct rl_zlib_stream {
    const void *next_in;
    unsigned avail_in;
    unsigned long total_in;
    void *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

/* The result type, the name and the parameters of each function. */
/* clang-format off */
#define RL_CURL_FUNCTIONS(each)                                                              \
    each(int, curl_global_init, (long))                                                      \
    each(const struct rl_curl_version *, curl_version_info, (int))                           \
    each(rl_easy *, curl_easy_init, (void))                                                  \
    each(int, curl_easy_setopt, (rl_easy *, int, ...))                                       \
    each(int, curl_easy_getinfo, (rl_easy *, int, ...))                                      \
    each(int, curl_easy_pause, (rl_easy *, int))                                             \
    each(const char *, curl_easy_strerror, (int))                                            \
    each(void, curl_easy_cleanup, (rl_easy *))                                               \
    each(struct rl_curl_lines *, curl_slist_append, (struct rl_curl_lines *, const char *))  \
    each(void, curl_slist_free_all, (struct rl_curl_lines *))                                \
    each(rl_multi *, curl_multi_init, (void))                                                \
    each(int, curl_multi_setopt, (rl_multi *, int, ...))                                     \
    each(int, curl_multi_add_handle, (rl_multi *, rl_easy *))                                \
    each(int, curl_multi_remove_handle, (rl_multi *, rl_easy *))                             \
    each(int, curl_multi_socket_action, (rl_multi *, int, int, int *))                       \
    each(int, curl_multi_perform, (rl_multi *, int *))                                       \
    each(struct rl_curl_message *, curl_multi_info_read, (rl_multi *, int *))                \
    each(int, curl_multi_cleanup, (rl_multi *))

#define RL_ZLIB_FUNCTIONS(each)                                                              \
    each(int, inflateInit2_, (struct rl_zlib_stream *, int, const char *, int))              \
    each(int, inflate, (struct rl_zlib_stream *, int))                                       \
    each(int, inflateReset, (struct rl_zlib_stream *))                                       \
    each(int, inflateEnd, (struct rl_zlib_stream *))
/* clang-format on */

#define RL_CURL_FIELD(result, name, parameters) result(*name) parameters;

struct rl_curl {
    RL_CURL_FUNCTIONS(RL_CURL_FIELD)
};

struct rl_zlib {
    RL_ZLIB_FUNCTIONS(RL_CURL_FIELD)
};

/* Constants of libcurl's headers that CRunLoopNetworking.h does not define. */
enum {
    RL_CURL_GLOBAL_DEFAULT = 3,
    RL_CURLVERSION_NOW = 9,
    RL_CURL_BLOB_COPY = 1,
    RL_CURLPAUSE_CONT = 0,
    RL_CURLE_BAD_FUNCTION_ARGUMENT = 43,
    RL_CURLMSG_DONE = 1,
    RL_CURL_PREREQFUNC_ABORT = 1,

    RL_CURL_POLL_IN = 1,
    RL_CURL_POLL_OUT = 2,
    RL_CURL_POLL_REMOVE = 4,
    RL_CURL_CSELECT_IN = 1,
    RL_CURL_CSELECT_OUT = 2,
    RL_CURL_CSELECT_ERR = 4,
    RL_CURL_SOCKET_TIMEOUT = -1,

    RL_CURLMOPT_MAXCONNECTS = 6,
    RL_CURLMOPT_MAX_HOST_CONNECTIONS = 7,
    RL_CURLMOPT_SOCKETDATA = 10002,
    RL_CURLMOPT_TIMERDATA = 10005,
    RL_CURLMOPT_SOCKETFUNCTION = 20001,
    RL_CURLMOPT_TIMERFUNCTION = 20004,

    RL_CURLOPT_NOPROGRESS = 43,
    RL_CURLOPT_FRESH_CONNECT = 74,
    RL_CURLOPT_FORBID_REUSE = 75,
    RL_CURLOPT_NOSIGNAL = 99,
    RL_CURLOPT_PROTOCOLS = 181,
    RL_CURLOPT_REDIR_PROTOCOLS = 182,
    RL_CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    RL_CURLOPT_QUICK_EXIT = 322,
    RL_CURLOPT_WRITEDATA = 10001,
    RL_CURLOPT_READDATA = 10009,
    RL_CURLOPT_ERRORBUFFER = 10010,
    RL_CURLOPT_HTTPHEADER = 10023,
    RL_CURLOPT_HEADERDATA = 10029,
    RL_CURLOPT_XFERINFODATA = 10057,
    RL_CURLOPT_CAPATH = 10097,
    RL_CURLOPT_PRIVATE = 10103,
    RL_CURLOPT_OPENSOCKETDATA = 10164,
    RL_CURLOPT_SEEKDATA = 10168,
    RL_CURLOPT_CLOSESOCKETDATA = 10209,
    RL_CURLOPT_CONNECT_TO = 10243,
    RL_CURLOPT_RESOLVER_START_DATA = 10273,
    RL_CURLOPT_PREREQDATA = 10313,
    RL_CURLOPT_WRITEFUNCTION = 20011,
    RL_CURLOPT_READFUNCTION = 20012,
    RL_CURLOPT_HEADERFUNCTION = 20079,
    RL_CURLOPT_SSL_CTX_FUNCTION = 20108,
    RL_CURLOPT_OPENSOCKETFUNCTION = 20163,
    RL_CURLOPT_SEEKFUNCTION = 20167,
    RL_CURLOPT_CLOSESOCKETFUNCTION = 20208,
    RL_CURLOPT_XFERINFOFUNCTION = 20219,
    RL_CURLOPT_RESOLVER_START_FUNCTION = 20272,
    RL_CURLOPT_PREREQFUNCTION = 20312,
    RL_CURLOPT_CAINFO_BLOB = 40309,

    RL_CURLINFO_PRIVATE = 0x100000 + 21,
    RL_CURLINFO_OS_ERRNO = 0x200000 + 25,
    RL_CURLINFO_NUM_CONNECTS = 0x200000 + 26,
    RL_CURLINFO_TLS_SSL_PTR = 0x400000 + 45,

    RL_CURLPROTO_HTTP = 1,
    RL_CURLPROTO_HTTPS = 2,
    RL_CURL_ERROR_SIZE = 256,
};

/* Complete after rl_curl_load has returned null, and constant from then on. */
extern struct rl_curl rl_curl;
/* Set together with rl_curl; all members are null if zlib is not installed. */
extern struct rl_zlib rl_zlib;
/* False if libcurl uses GnuTLS, because libcurl then ignores certificates in memory. */
extern bool rl_curl_takes_certificates;

/* Returns null, or the reason why libcurl cannot be used. Any thread with a loop may call this. */
const char *rl_curl_load(void);

void rl_tls_load(void *library);

/*
 * Limits the time for which one call of libcurl reads from TLS connections: after this time, reads
 * return no bytes, so libcurl returns to the loop. With GnuTLS, no limit is set.
 */
void rl_tls_bound_reads(rl_easy *easy);

/* Call this before each call of libcurl on this thread. */
void rl_tls_begin_call(void);

/* Returns whether OpenSSL has buffered bytes of the connection that libcurl has not read. */
bool rl_tls_has_pending(rl_easy *easy);

/* Drops the buffered bytes, so the connection can no longer be used. */
void rl_tls_drop_pending(rl_easy *easy);

/* Returns the number of forks between the process that loaded libcurl and this process. */
unsigned rl_curl_forks(void);

/*
 * Call these before and after calls of libcurl. Pairs of calls may be nested. A fork in another
 * thread waits for the end of the calls, because locks inside libcurl and its libraries would stay
 * locked in the child.
 */
void rl_curl_begin_calls(void);
void rl_curl_end_calls(void);

#endif
