/*
 * Decides which calls of the engine fail. `FAULTS` in the environment has a list of
 * `ADDRESS/CALL/ERROR/MODE`, separated by commas:
 *
 * - `once` the first call fails, `always` all of them; an interruption (EINTR) passes every 20th
 *   call, as signals do not arrive forever.
 * - The call `allocation` with a number in place of the address: the allocation of that number
 *   fails.
 * - `refused` refuses a call at all places, from the process's start to its end, as a filter of
 *   system calls does; ADDRESS is 0, and CALL also the name of an older kernel (see refuse.c).
 * - The call `descriptors`: the process has reached its limit for real, `once` until the end of the
 *   first round, `late` from the moment that the workload chooses.
 */

#define _GNU_SOURCE

#include "inject.h"

#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum mode { ONCE, ALWAYS, LATE, REFUSED };

struct fault {
    uint64_t address;
    char call[48];
    int error;
    enum mode mode;
    atomic_uint hits;
};

static struct fault faults[4];
static unsigned fault_count;
bool fault_is_lasting;
struct fault_report *fault_report;
atomic_bool fault_is_armed = true;

/* --- Deciding --------------------------------------------------------------------------------- */

static enum mode mode_named(const char *name)
{
    if (strcmp(name, "once") == 0) return ONCE;
    if (strcmp(name, "late") == 0) return LATE;
    return strcmp(name, "refused") == 0 ? REFUSED : ALWAYS;
}

static void refuse(const struct fault *fault)
{
    fault_is_lasting = true;
    if (fault_refuse_kernel(fault->call, fault->error)) atomic_fetch_add(&fault_report->strikes, 1);
}

static void read_faults(char *text)
{
    char *rest = NULL;
    for (char *each = strtok_r(text, ",", &rest); each; each = strtok_r(NULL, ",", &rest)) {
        struct fault *fault = &faults[fault_count];
        char mode[16];
        unsigned long address;
        if (sscanf(each, "%lx/%47[^/]/%d/%15s", &address, fault->call, &fault->error, mode) != 4) {
            fprintf(stderr, "faults: cannot read %s\n", each);
            _exit(2);
        }
        fault->address = address;
        fault->mode = mode_named(mode);
        if (fault->mode == REFUSED) refuse(fault);
        if (++fault_count == sizeof faults / sizeof faults[0]) break;
    }
}

/* Before the constructors of the engine. */
static __attribute__((constructor(101))) void begin(void)
{
    const char *path = getenv("FAULTS_REPORT"), *wanted = getenv("FAULTS");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0 && ftruncate(fd, sizeof *fault_report) != 0) _exit(2);
    fault_report = mmap(NULL, sizeof *fault_report, PROT_READ | PROT_WRITE,
                        fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (fault_report == MAP_FAILED) _exit(2);
    if (fd >= 0) close(fd);
    fault_report->size = sizeof *fault_report;
    char *text = strdup(wanted ? wanted : "");
    read_faults(text);
    free(text);
}

/* The entry of a site; an address has an entry for each function that is called at it. */
static struct fault_site *site_of(uint64_t address, const char *call)
{
    for (unsigned i = 0; i < FAULT_MOST_SITES; i++) {
        struct fault_site *site = &fault_report->sites[i];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&site->address, &found, address)) {
            snprintf(site->call, sizeof site->call, "%s", call);
            return site;
        }
        /* Another thread may be writing the name just now: both then count here. */
        if (found == address && (!site->call[0] || strcmp(site->call, call) == 0)) return site;
    }
    fprintf(stderr, "faults: too many sites\n");
    _exit(2);
}

bool fault_may_strike(void)
{
    return fault_count > 0 && (atomic_load(&fault_is_armed) || fault_is_lasting);
}

static bool strikes(struct fault *fault)
{
    unsigned hit = atomic_fetch_add(&fault->hits, 1) + 1;
    if (fault->mode == ONCE) return hit == 1;
    return fault->error != EINTR || hit % 20 != 0;
}

bool fault_lets_cancel;

/* A thread that is canceled in a call would leave the engine in the middle: see uncanceled.h. */
static void expect_uncanceled(const char *call)
{
    static const char cancellation_points[] =
        " accept4 close connect dlopen epoll_wait getaddrinfo getnameinfo open openat poll ppoll "
        "preadv2 "
        "read recv recvfrom recvmsg sendmsg sendto waitid write ";
    char name[48];
    int state, disabled;
    snprintf(name, sizeof name, " %.*s ", (int)strcspn(call, " "), call);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_setcancelstate(state, &disabled);
    if (state == PTHREAD_CANCEL_DISABLE || fault_lets_cancel) return;
    if (!strstr(cancellation_points, name)) return;
    fprintf(stderr, "faults: a thread could be canceled in %s\n", call);
    _exit(2);
}

/* A call that is refused is so whatever it asks for. */
static bool is_met(const struct fault *fault, uint64_t address, const char *call)
{
    if (fault->mode != REFUSED) {
        return fault->address == address && strcmp(fault->call, call) == 0;
    }
    size_t length = strlen(fault->call);
    return strncmp(fault->call, call, length) == 0 && (call[length] == '\0' || call[length] == ' ');
}

int fault_judge(const void *returns_to, const char *call)
{
    expect_uncanceled(call);
    uint64_t address = (uint64_t)(uintptr_t)returns_to;
    struct fault_site *site = site_of(address, call);
    atomic_fetch_add(&site->hits, 1);
    atomic_fetch_add(&fault_report->calls, 1);
    if (!atomic_load(&fault_is_armed) && !fault_is_lasting) return 0;
    for (unsigned i = 0; i < fault_count; i++) {
        struct fault *fault = &faults[i];
        if (!is_met(fault, address, call) || !strikes(fault)) continue;
        atomic_fetch_add(&site->failures, 1);
        atomic_fetch_add(&fault_report->strikes, 1);
        return fault->error;
    }
    return 0;
}

bool fault_is_refused(const void *returns_to, const char *call)
{
    unsigned number =
        atomic_load(&fault_is_armed) ? atomic_fetch_add(&fault_report->allocations, 1) + 1 : 0;
    atomic_fetch_add(&site_of((uint64_t)(uintptr_t)returns_to, call)->hits, 1);
    for (unsigned i = 0; i < fault_count; i++) {
        if (strcmp(faults[i].call, "allocation") != 0 || faults[i].address != number) continue;
        atomic_fetch_add(&fault_report->strikes, 1);
        return true;
    }
    return false;
}

/* --- The limit of descriptors ----------------------------------------------------------------- */

static struct rlimit usual_limit;

static void set_limit(enum mode mode)
{
    for (unsigned i = 0; i < fault_count; i++) {
        if (strcmp(faults[i].call, "descriptors") != 0 || faults[i].mode != mode) continue;
        if (usual_limit.rlim_cur == 0) getrlimit(RLIMIT_NOFILE, &usual_limit);
        int next = fcntl(STDERR_FILENO, F_DUPFD, 0);
        close(next);
        struct rlimit limit = {.rlim_cur = (rlim_t)next, .rlim_max = usual_limit.rlim_max};
        setrlimit(RLIMIT_NOFILE, &limit);
        atomic_fetch_add(&fault_report->strikes, 1);
    }
}

void fault_begin_round(void)
{
    set_limit(ONCE);
}

void fault_spare(void (^block)(void))
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    bool is_limited = usual_limit.rlim_cur != 0;
    if (is_limited) setrlimit(RLIMIT_NOFILE, &usual_limit);
    block();
    if (!is_limited || limit.rlim_cur == usual_limit.rlim_cur) return;
    set_limit(ONCE);
    set_limit(LATE);
}

void fault_begin_late(void)
{
    if (atomic_load(&fault_is_armed) && usual_limit.rlim_cur == 0) set_limit(LATE);
}

void fault_end_round(void)
{
    atomic_store(&fault_is_armed, false);
    if (usual_limit.rlim_cur != 0) setrlimit(RLIMIT_NOFILE, &usual_limit);
}
