/*
 * Loads OpenSSL, and makes a fork safe while other threads call OpenSSL. The library is never
 * unloaded, because it registers atexit handlers.
 */

#include "base/system.h"

#include "tls/openssl.h"

#include "base/check.h"
#include "base/fork.h"
#include "base/uncanceled.h"

#include <dlfcn.h>
#include <string.h>

struct rl_lock rl_openssl_lock;
/* The lock prefers writers, so a fork cannot starve. */
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#define FREE_LOCK PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define FREE_LOCK PTHREAD_RWLOCK_INITIALIZER
#endif
pthread_rwlock_t rl_openssl_calls = FREE_LOCK;
static atomic_bool is_loaded;
struct rl_openssl rl_openssl_functions;

/* Finds all functions. If a function is missing, prints a warning and returns false. */
static bool find_functions(void *library)
{
    const char *missing = NULL;
#define FIND(result, name, parameters)                                                             \
    {                                                                                              \
        void *address = dlsym(library, #name);                                                     \
        memcpy(&rl_openssl_functions.name, &address, sizeof address);                              \
        if (!address) missing = #name;                                                             \
    }
    RL_OPENSSL_FUNCTIONS(FIND)
#undef FIND
    if (missing) {
        rl_warn(
            "TLS",
            "libssl.so.3 has no function %s, so TLS is not available: install a complete OpenSSL 3",
            missing);
    }
    return !missing;
}

static bool load_openssl(void)
{
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        rl_warn(
            "TLS",
            "cannot load OpenSSL, so TLS is not available: %s: install OpenSSL 3 (Debian: libssl3)",
            dlerror());
    }
    if (!library || !find_functions(library)) return false;
    /*
     * OpenSSL's atexit handler must not free objects that threads still use. The option has no
     * effect if the program has initialized OpenSSL itself.
     */
    if (rl_openssl_functions.OPENSSL_init_ssl(RL_OPENSSL_INIT_NO_ATEXIT, NULL)) return true;
    rl_warn("TLS", "libssl.so.3 cannot be initialized, so TLS is not available: check OpenSSL's "
                   "configuration file");
    return false;
}

const struct rl_openssl *rl_openssl(void)
{
    if (atomic_load(&is_loaded)) return &rl_openssl_functions;
    rl_fork_set_up();
    /* Retries after a failure, because the process may only have been out of descriptors. */
    rl_lock(&rl_openssl_lock);
    if (!atomic_load(&is_loaded)) atomic_store(&is_loaded, RL_UNCANCELED(load_openssl()));
    rl_unlock(&rl_openssl_lock);
    return atomic_load(&is_loaded) ? &rl_openssl_functions : NULL;
}

/* --- Forks --- */

static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&rl_openssl_lock);
    (void)pthread_rwlock_wrlock(&rl_openssl_calls);
}

static void resume_in_parent(void) RL_UNCHECKED_LOCKING
{
    (void)pthread_rwlock_unlock(&rl_openssl_calls);
    rl_unlock(&rl_openssl_lock);
}

static void settle_child(void) RL_UNCHECKED_LOCKING
{
    /* Initializes the lock: unlocking would hand it to threads that exist only in the parent. */
    rl_openssl_calls = (pthread_rwlock_t)FREE_LOCK;
    rl_unlock(&rl_openssl_lock);
}

RL_REGISTER_FORK_TABLE(60, prepare_fork, resume_in_parent, settle_child)
