/*
 * Runs the tests: all of them, or those whose names are given.
 */

#define _GNU_SOURCE

#include "hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A test that hangs has failed. */
enum { MOST_SECONDS = 60 };

static bool is_wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return count == 0;
}

static bool run(const struct test *test)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        test->body();
        exit(EXIT_SUCCESS);
    }
    waitpid(child, &status, 0);
    bool has_passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!has_passed) printf("%s: failed with status %#x\n", test->name, status);
    return has_passed;
}

int main(int argc, char **argv)
{
    const struct test *const lists[] = {glib_host_tests, glib_source_tests, uv_host_tests,
                                        epoll_tests};
    int passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const struct test *test = lists[i]; test->name; test++) {
            if (!is_wanted(test->name, argc - 1, argv + 1)) continue;
            *(run(test) ? &passed : &failed) += 1;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
