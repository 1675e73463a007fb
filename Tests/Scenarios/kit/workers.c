#include "workers.h"

#include "CHarness.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_PER_PROCESSOR = 2, MOST_WORKERS = 64 };

struct worker {
    pid_t process;
    /* The name of its check. */
    atomic_int index;
};

/* The workers' shared data. */
struct board {
    atomic_int next, passed, failed;
    struct worker workers[MOST_WORKERS];
};

static void work(struct board *board, struct worker *self, int count, bool (^check)(int index))
{
    int index = 0;
    while ((index = atomic_fetch_add(&board->next, 1)) < count) {
        atomic_store(&self->index, index);
        atomic_fetch_add(check(index) ? &board->passed : &board->failed, 1);
        fflush(stdout);
    }
}

/* Starts a worker, which does not outlive this process. */
static void start_worker(struct board *board, struct worker *worker, int count,
                         bool (^check)(int index))
{
    pid_t parent = getpid();
    /* The worker must not write to the field, which is shared. */
    pid_t process = fork();
    if (process < 0) fail("no worker");
    if (process > 0) {
        worker->process = process;
        return;
    }
    /* Without the limit of a child: the checks may take longer. */
    alarm(0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    work(board, worker, count, check);
    exit(EXIT_SUCCESS);
}

/* Waits for a worker, whose death is a failure of its check. */
static void await_worker(struct board *board, struct worker *worker)
{
    int status = 0;
    waitpid(worker->process, &status, 0);
    if (status == 0) return;
    printf("check %d ended its process with status %#x\n", (int)worker->index, (unsigned)status);
    atomic_fetch_add(&board->failed, 1);
}

int check_in_workers(int count, bool (^check)(int index))
{
    long workers = WORKERS_PER_PROCESSOR * sysconf(_SC_NPROCESSORS_ONLN);
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) fail("no shared memory");
    if (workers > count) workers = count;
    if (workers > MOST_WORKERS) workers = MOST_WORKERS;
    for (long i = 0; i < workers; i++) start_worker(board, &board->workers[i], count, check);
    for (long i = 0; i < workers; i++) await_worker(board, &board->workers[i]);
    int left = count - board->passed - board->failed;
    if (left > 0) printf("%d were not checked\n", left);
    struct tally tally = {.passed = board->passed, .failed = board->failed};
    munmap(board, sizeof *board);
    return tally_end(&tally);
}
