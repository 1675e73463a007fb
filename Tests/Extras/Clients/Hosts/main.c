/*
 * Runs the tests: all of them, or those whose names are given.
 */

#include "hosts.h"

/* A test that hangs has failed. */
enum { MOST_SECONDS = 300 };

int main(int argc, char **argv)
{
    const struct test *const lists[] = {glib_host_tests, glib_source_tests, uv_host_tests,
                                        epoll_tests};
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        run_tests(lists[i], argc - 1, argv + 1, MOST_SECONDS, &tally);
    }
    return tally_end(&tally);
}
