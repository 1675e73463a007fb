/*
 * The parts that test programs in C share; see CHarness.h.
 */

#include "CHarness.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of the blocks runtime, whose header is not on every include path. */
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

/* --- Failing ---------------------------------------------------------------------------------- */

void fail(const char *format, ...)
{
    va_list arguments;

    fflush(NULL);
    va_start(arguments, format);
    fprintf(stderr, "FAILED: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

/* --- Counting --------------------------------------------------------------------------------- */

void tally_add(struct tally *tally, bool has_passed)
{
    if (has_passed) {
        tally->passed++;
    } else {
        tally->failed++;
    }
}

int tally_end(const struct tally *tally)
{
    printf("%d passed, %d failed\n", tally->passed, tally->failed);
    return tally->failed == 0 && tally->passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- Tests in processes of their own ---------------------------------------------------------- */

void limit_process(int seconds)
{
    signal(SIGALRM, SIG_DFL);
    alarm((unsigned)seconds);
}

enum process_end await_process(pid_t process)
{
    int status = 0;

    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) fail("waitpid: %s", strerror(errno));
    }
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? PROCESS_HUNG : PROCESS_KILLED;
    }
    return WEXITSTATUS(status) == EXIT_SUCCESS ? PROCESS_SUCCEEDED : PROCESS_FAILED;
}

int open_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0);
}

static bool is_wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return count == 0;
}

static bool run_test(const struct test *test, int most_seconds)
{
    static const char *const ends[] = {
        [PROCESS_FAILED] = "its process exits in failure",
        [PROCESS_KILLED] = "a signal ends its process",
        [PROCESS_HUNG] = "it hangs",
    };
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        limit_process(most_seconds);
        test->body();
        exit(EXIT_SUCCESS);
    }
    if (child < 0) fail("fork: %s", strerror(errno));
    enum process_end end = await_process(child);
    if (end != PROCESS_SUCCEEDED) printf("FAILED: %s: %s\n", test->name, ends[end]);
    return end == PROCESS_SUCCEEDED;
}

void run_tests(const struct test *tests, int count, char **names, int most_seconds,
               struct tally *tally)
{
    for (const struct test *test = tests; test->name; test++) {
        if (is_wanted(test->name, count, names)) tally_add(tally, run_test(test, most_seconds));
    }
}

/* --- What there is ---------------------------------------------------------------------------- */

static int64_t ns_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ns(void)
{
    return ns_of(CLOCK_MONOTONIC);
}

double clock_now(void)
{
    return (double)clock_ns() / 1e9;
}

int64_t thread_time_ns(void)
{
    return ns_of(CLOCK_THREAD_CPUTIME_ID);
}

int64_t most_held_ns(void)
{
    const int64_t least = 50000000;
    int64_t began = thread_time_ns();

    for (volatile int count = 0; count < 25000000; count++) continue;
    int64_t used = thread_time_ns() - began;
    return used > least ? used : least;
}

int count_entries(const char *folder)
{
    DIR *directory = opendir(folder);
    int count = 0;

    if (!directory) fail("the folder %s: %s", folder, strerror(errno));
    while (readdir(directory)) count++;
    closedir(directory);
    return count - 2;
}

int count_descriptors(void)
{
    /* Not that of the folder itself. */
    return count_entries("/proc/self/fd") - 1;
}

/* --- Threads ---------------------------------------------------------------------------------- */

static void release_block(void *block)
{
    _Block_release(block);
}

static void *call_block(void *context)
{
    void (^body)(void) = (void (^)(void))context;

    pthread_cleanup_push(release_block, context);
    body();
    pthread_cleanup_pop(true);
    return NULL;
}

pthread_t begin_thread(void (^body)(void))
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, call_block, _Block_copy((const void *)body));

    if (error != 0) fail("a thread: %s", strerror(error));
    return thread;
}

void call_on_thread(void (^body)(void))
{
    pthread_join(begin_thread(body), NULL);
}

/* --- System calls ----------------------------------------------------------------------------- */

bool refuse_system_call(unsigned number, unsigned error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* --- Frames ----------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* The assembler makes no tables by itself. A block's function is its third word. */
__asm__(".text\n"
        ".globl call_without_tables\n"
        ".type call_without_tables, @function\n"
        "call_without_tables:\n"
        "    pushq %rbp\n"
        "    movq %rsp, %rbp\n"
        "    callq *16(%rdi)\n"
        "    popq %rbp\n"
        "    retq\n"
        ".size call_without_tables, . - call_without_tables\n");

#else

void call_without_tables(void (^body)(void))
{
    body();
}

#endif

static inline __attribute__((always_inline)) void call_from_within(void (^body)(void))
{
    body(); /* called from within */
}

void call_inlined(void (^body)(void))
{
    call_from_within(body); /* inlined */
}

/* --- Random numbers --------------------------------------------------------------------------- */

uint64_t random_next(struct random *random)
{
    /* splitmix64 */
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

unsigned random_below(struct random *random, unsigned bound)
{
    return (unsigned)(random_next(random) >> 32) % bound;
}
