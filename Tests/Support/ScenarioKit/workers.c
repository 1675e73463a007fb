#include "workers.h"

#include "CHarness.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_PER_PROCESSOR = 2 };

/* What the workers share. */
struct board {
    atomic_int next, passed, failed;
};

static void work(struct board *board, int count, bool (^check)(int index))
{
    int index = 0;
    while ((index = atomic_fetch_add(&board->next, 1)) < count) {
        atomic_fetch_add(check(index) ? &board->passed : &board->failed, 1);
        fflush(stdout);
    }
}

int check_in_workers(int count, bool (^check)(int index))
{
    long workers = WORKERS_PER_PROCESSOR * sysconf(_SC_NPROCESSORS_ONLN);
    struct board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) fail("no shared memory");
    if (workers > count) workers = count;
    for (long worker = 0; worker < workers; worker++) {
        pid_t process = fork();
        if (process < 0) fail("no worker");
        if (process == 0) {
            work(board, count, check);
            exit(EXIT_SUCCESS);
        }
    }
    int status = 0;
    pid_t process = 0;
    while ((process = wait(&status)) > 0) {
        if (status == 0) continue;
        printf("worker %d ended with status %#x\n", process, (unsigned)status);
        atomic_fetch_add(&board->failed, 1);
    }
    struct tally tally = {.passed = board->passed, .failed = board->failed};
    munmap(board, sizeof *board);
    return tally_end(&tally);
}
