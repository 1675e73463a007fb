/*
 * Finds out who called the engine, from the frames on the stack.
 */

#include "base/system.h"

#include "base/caller.h"

#include "base/uncanceled.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdatomic.h>

static _Atomic(char *(*)(const void *address)) place_finder;

void RLSetPlaceFinder(char *(*copyPlace)(const void *address))
{
    atomic_store(&place_finder, copyPlace);
}

char *rl_caller_copy_place(struct rl_caller caller)
{
    char *(*copy_place)(const void *) = atomic_load(&place_finder);
    const void *address = copy_place ? rl_caller_address(caller) : NULL;
    return address ? RL_UNCANCELED(copy_place(address)) : NULL;
}

char *RLCopyPlaceOfCaller(void)
{
    return rl_caller_copy_place(RL_CALLER());
}

#if RL_HAS_HINTS

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The Swift layer has this, if it is linked. */
void rl_swift_leave_out_files(char *name) __attribute__((weak));

static bool has_swift_layer(void)
{
    return &rl_swift_leave_out_files;
}

/* --- The stack -------------------------------------------------------------------------------- */

/* What the frame pointer points to on x86 and arm64; elsewhere only direct callers are known. */
struct frame {
    const struct frame *caller;
    const void *address;
};

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
enum { HAS_FRAME_POINTERS = true };
#else
enum { HAS_FRAME_POINTERS = false };
#endif

/* Where clang puts the engine's functions: see check.h. The linker makes these symbols. */
extern const char __start_crunloop_text[] __attribute__((weak, visibility("hidden")));
extern const char __stop_crunloop_text[] __attribute__((weak, visibility("hidden")));

static bool is_in_engine(const void *address)
{
    return (const char *)address >= __start_crunloop_text &&
           (const char *)address < __stop_crunloop_text;
}

/*
 * Returns whether there is memory, which the stack of a coroutine may not have behind it. The
 * kernel reads a word, and moves none of those that wait for it to change.
 */
static bool is_readable(uintptr_t address)
{
    int error_before = errno;
    long result = syscall(SYS_futex, address, FUTEX_CMP_REQUEUE_PRIVATE, 0, NULL, address, 0);
    bool is_read = result == 0 || errno != EFAULT;
    errno = error_before;
    return is_read;
}

/*
 * Returns the frame of the caller, or null. Code that has no frame pointers leaves anything there.
 */
__attribute__((no_sanitize("address", "thread"))) static const struct frame *
frame_above(const struct frame *frame)
{
    if (!HAS_FRAME_POINTERS) return NULL;
    const uintptr_t page = 4096;
    /* Swift marks the frames of asynchronous functions. */
    uintptr_t above = (uintptr_t)frame->caller & (uintptr_t)~(UINT64_C(1) << 60);
    if (above <= (uintptr_t)frame || above % sizeof *frame != 0) return NULL;
    bool is_on_same_page = (above ^ (uintptr_t)frame) < page;
    return is_on_same_page || is_readable(above) ? (const struct frame *)above : NULL;
}

/* --- Ways ------------------------------------------------------------------------------------- */

enum { FREE, IN_THE_MAKING, MADE };
enum { MOST_CALLS = 12, MOST_WAYS = 16384, MOST_TRIES = 32 };

/* The way by which the engine was called: addresses outside of it, the innermost first. */
struct rl_calls {
    /* FREE, IN_THE_MAKING or MADE. */
    atomic_int state;
    int count;
    const void *addresses[MOST_CALLS];
    /* The client's, if it was asked for; the way itself if none of them is. */
    _Atomic(const void *) clients;
};

static struct rl_calls ways[MOST_WAYS];

/* Returns the same place for the same way; null if there is no room. */
static struct rl_calls *keep(const void *const *addresses, int count)
{
    size_t size = (size_t)count * sizeof addresses[0];
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uintptr_t)addresses[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        struct rl_calls *way = &ways[((hash >> 32) + i) % MOST_WAYS];
        int state = FREE;
        if (atomic_compare_exchange_strong(&way->state, &state, IN_THE_MAKING)) {
            memcpy(way->addresses, addresses, size);
            way->count = count;
            atomic_store(&way->state, MADE);
            return way;
        }
        bool is_same = state == MADE && way->count == count;
        if (is_same && memcmp(way->addresses, addresses, size) == 0) return way;
    }
    return NULL;
}

__attribute__((no_sanitize("address", "thread"))) struct rl_caller
rl_caller_find(const void *address, const void *innermost)
{
    const void *addresses[MOST_CALLS];
    int count = 0;
    const struct frame *frame = innermost;
    while (frame && count < MOST_CALLS) {
        /* The engine calls its client there, who has called it in turn. */
        if (count > 0 && is_in_engine(address)) break;
        /* A call ends before the address to which it returns. */
        if (!is_in_engine(address)) addresses[count++] = (const char *)address - 1;
        if (count > 0 && !has_swift_layer()) break;
        frame = frame_above(frame);
        if (frame) address = frame->address;
    }
    return (struct rl_caller){count > 0 ? keep(addresses, count) : NULL};
}

/* --- The client's part ------------------------------------------------------------------------ */

enum whose { OURS, CLIENTS, NOBODYS };

/* Modules that call the engine for a client, and the library whose functions they pass closures. */
static const char *const own_modules[] = {
    "CFCompatibility",
    "CoreRunLoop",
    "RunLoopConcurrency",
    "RunLoopDiagnostics",
    "RunLoopDisplay",
    "RunLoopFoundation",
    "RunLoopHosts",
    "RunLoopKit",
    "RunLoopNetworking",
    "RunLoopTestTraits",
    "RunLoopTesting",
    "RunLoopXCTest",
    "Swift",
};

static const char *after(const char *name, const char *words)
{
    const char *found = strstr(name, words);
    return found ? found + strlen(words) : NULL;
}

/*
 * Returns whether a function of Swift's is of a module of ours, as in `closure #1 in Module.f()`
 * and `(extension in Module):Other.f()`.
 */
static bool is_own_function(const char *name)
{
    const char *inner;
    while ((inner = after(name, " in ")) || (inner = after(name, " partial function for "))) {
        name = inner;
    }
    size_t end = strcspn(name, ".)");
    for (size_t i = 0; i < sizeof own_modules / sizeof own_modules[0]; i++) {
        size_t length = strlen(own_modules[i]);
        if (length > end || memcmp(name + end - length, own_modules[i], length) != 0) continue;
        if (length == end || strchr(" (:<", name[end - length - 1])) return true;
    }
    return false;
}

static bool begins_with(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

static enum whose whose_function(const char *name)
{
    /* Where threads, queues and tasks begin. */
    if (strcmp(name, "start_thread") == 0) return NOBODYS;
    static const char *const beginnings[] = {"swift_", "_swift_", "swift::", "_dispatch_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        if (begins_with(name, beginnings[i])) return NOBODYS;
    }
    /* The compiler makes these, to call other functions. */
    bool is_made =
        begins_with(name, "reabstraction thunk ") || begins_with(name, "protocol witness for ");
    return is_made || is_own_function(name) ? OURS : CLIENTS;
}

static enum whose whose_code(const void *address)
{
    UInt64 offset;
    char *file;
    char *name = RLSymbolCopyName(address, &offset, &file);
    const char *last_part = file ? strrchr(file, '/') : NULL;
    bool is_runtime = last_part && begins_with(last_part, "/libswift");
    enum whose whose = name && !is_runtime ? whose_function(name) : NOBODYS;
    free(name);
    free(file);
    return whose;
}

const void *rl_caller_address(struct rl_caller caller)
{
    struct rl_calls *calls = caller.calls;
    if (!calls) return NULL;
    if (!has_swift_layer()) return calls->addresses[0];
    const void *address = atomic_load(&calls->clients);
    enum whose whose = address ? CLIENTS : OURS;
    for (int i = 0; i < calls->count && whose == OURS; i++) {
        address = calls->addresses[i];
        whose = whose_code(address);
    }
    if (whose != CLIENTS) address = calls;
    atomic_store(&calls->clients, address);
    return address == calls ? NULL : address;
}

#endif
