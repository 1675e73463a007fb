/*
 * Loads libcurl, and makes a fork safe while other threads call libcurl. The library is never
 * unloaded, because it registers atexit handlers.
 */

#define _GNU_SOURCE

#include "curl.h"

#include <CRunLoopNetworking.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum {
    OLDEST_VERSION = 0x074400,
    /* libcurl's first version whose writes to TLS sockets never raise SIGPIPE. */
    FIRST_WITHOUT_SIGPIPE = 0x075800,
    /* OpenSSL's option to free nothing at exit(3), when threads may still make requests. */
    OPENSSL_INIT_NO_ATEXIT = 0x00080000,
};

struct rl_curl rl_curl;
struct rl_zlib rl_zlib;
bool rl_curl_takes_certificates;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_loaded;
static bool may_raise_sigpipe;
static atomic_uint forks;

/*
 * Calls of libcurl hold the read lock, and a fork takes the write lock. The lock prefers writers,
 * so a fork cannot starve.
 */
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#define FREE_LOCK PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define FREE_LOCK PTHREAD_RWLOCK_INITIALIZER
#endif
static pthread_rwlock_t calls = FREE_LOCK;
/*
 * The nesting depth of calls on this thread. A fork inside a call does not take the lock, which
 * this thread holds.
 */
static _Thread_local unsigned depth;
static _Thread_local sigset_t signals_before;
/* True if a SIGPIPE was pending before the call, so it must stay pending. */
static _Thread_local bool was_pending;
static _Thread_local int cancel_state_before;

/* --- Forks --- */

static void prepare_fork(void)
{
    if (depth == 0) (void)pthread_rwlock_wrlock(&calls);
}

static void resume_in_parent(void)
{
    if (depth == 0) (void)pthread_rwlock_unlock(&calls);
}

static void settle_child(void)
{
    calls = (pthread_rwlock_t)FREE_LOCK;
    if (depth > 0) (void)pthread_rwlock_rdlock(&calls);
    loading = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    /* The fork handlers are registered as the last step of loading, so libcurl is loaded now. */
    atomic_store(&is_loaded, true);
    atomic_fetch_add(&forks, 1);
}

unsigned rl_curl_forks(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

/* --- Loading --- */

static void *open_library(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    return library ? library : dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
}

static bool find_functions(void *library)
{
    bool has_all = true;
#define FIND(result, name, parameters)                                                             \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&rl_curl.name, &address, sizeof address);                                           \
        has_all = has_all && address;                                                              \
    }
    RL_CURL_FUNCTIONS(FIND)
#undef FIND
    return has_all;
}

/* libcurl itself needs zlib, so zlib is nearly always installed. */
static void find_zlib(void)
{
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(result, name, parameters)                                                             \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&rl_zlib.name, &address, sizeof address);                                           \
    }
    RL_ZLIB_FUNCTIONS(FIND)
#undef FIND
}

/* Keeps OpenSSL from freeing its objects at exit(), if libcurl is built with OpenSSL. */
static void keep_openssl_at_exit(void *library)
{
    int (*set_up)(uint64_t, const void *) = NULL;
    void *address = dlsym(library, "OPENSSL_init_ssl");
    memcpy(&set_up, &address, sizeof address);
    if (set_up) (void)set_up(OPENSSL_INIT_NO_ATEXIT, NULL);
}

/* `name` is libcurl's name of its TLS library. Libraries forked from OpenSSL count as OpenSSL. */
static bool is_openssl(const char *name)
{
    static const char *const names[] = {"OpenSSL", "LibreSSL", "BoringSSL", "quictls", "AWS-LC"};
    /* Skips the alternative libraries that libcurl lists first, in parentheses. */
    while (name && *name == '(') {
        name = strchr(name, ' ');
        if (name) name++;
    }
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    }
    return false;
}

static const char *load_libraries(void)
{
    void *library = open_library();
    if (!library) return "there is no libcurl.so.4: install the package libcurl4";
    if (!find_functions(library)) return "the package libcurl4 is too old: 7.68 is needed";
    const struct rl_curl_version *info = rl_curl.curl_version_info(RL_CURLVERSION_NOW);
    unsigned version = info->number;
    if (version < OLDEST_VERSION) return "the package libcurl4 is too old: 7.68 is needed";
    find_zlib();
    keep_openssl_at_exit(library);
    rl_tls_load(library);
    if (rl_curl.curl_global_init(RL_CURL_GLOBAL_DEFAULT)) return "libcurl4 cannot be set up";
    rl_curl_takes_certificates = is_openssl(info->tls_library);
    may_raise_sigpipe = version < FIRST_WITHOUT_SIGPIPE;
    /* Registers the engine's handlers first: a fork then waits for libcurl before locking loops. */
    (void)RLRunLoopGetMain();
    if (pthread_atfork(prepare_fork, resume_in_parent, settle_child)) return "no memory is left";
    return NULL;
}

const char *rl_curl_load(void)
{
    if (atomic_load(&is_loaded)) return NULL;
    /* Loading has cancellation points, and cancellation would leave the mutex locked. */
    int state_before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_before);
    pthread_mutex_lock(&loading);
    const char *problem = atomic_load(&is_loaded) ? NULL : load_libraries();
    if (!problem) atomic_store(&is_loaded, true);
    pthread_mutex_unlock(&loading);
    pthread_setcancelstate(state_before, &state_before);
    return problem;
}

/* --- Calls --- */

static void block_sigpipe(void)
{
    sigset_t sigpipe;
    sigemptyset(&sigpipe);
    sigaddset(&sigpipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe, &signals_before);
    sigset_t pending;
    was_pending = sigismember(&signals_before, SIGPIPE) > 0 && sigpending(&pending) == 0 &&
                  sigismember(&pending, SIGPIPE) > 0;
}

static void unblock_sigpipe(void)
{
    sigset_t sigpipe;
    sigemptyset(&sigpipe);
    sigaddset(&sigpipe, SIGPIPE);
    if (!was_pending) {
        while (sigtimedwait(&sigpipe, NULL, &(struct timespec){0}) > 0) {}
    }
    pthread_sigmask(SIG_SETMASK, &signals_before, NULL);
}

Boolean RLTransferIsInCall(void)
{
    return depth > 0;
}

void rl_curl_begin_calls(void)
{
    if (depth++ > 0) return;
    /* libcurl has cancellation points, and cancellation would leave the lock held. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_before);
    (void)pthread_rwlock_rdlock(&calls);
    if (may_raise_sigpipe) block_sigpipe();
    rl_tls_begin_call();
}

void rl_curl_end_calls(void)
{
    if (--depth > 0) return;
    if (may_raise_sigpipe) unblock_sigpipe();
    (void)pthread_rwlock_unlock(&calls);
    pthread_setcancelstate(cancel_state_before, &(int){0});
}
