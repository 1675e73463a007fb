/*
 * Compares the engines on random programs, and shows the first difference.
 */

#include "random.h"

#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double shortest_limit = 0.02;

typedef char *(*tracer)(unsigned long seed, double limit, bool is_on_main);

/*
 * Returns the trace of a program on the main thread of a child of this process, which must not have
 * used an engine.
 */
static char *trace_in_child(tracer trace, unsigned long seed, double limit)
{
    int ends[2];
    char *text = NULL;
    size_t size = 0;
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        dprintf(ends[1], "%s", trace(seed, limit, true));
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    getdelim(&text, &size, '\0', output);
    fclose(output);
    waitpid(child, NULL, 0);
    return text;
}

static char *trace_with(tracer trace, unsigned long seed, double limit, bool is_on_main)
{
    return is_on_main ? trace_in_child(trace, seed, limit) : trace(seed, limit, false);
}

/* Prints the entries around the one in which two traces part. */
static void show_difference(unsigned long seed, const char *ours, const char *theirs)
{
    size_t same = 0;
    while (ours[same] && ours[same] == theirs[same]) same++;
    size_t from = same > 400 ? same - 400 : 0;
    fprintf(stderr, "seed %lu: the traces part after\n  …%.*s\n", seed, (int)(same - from),
            ours + from);
    fprintf(stderr, "  ours:      %.300s\n  reference: %.300s\n", ours + same, theirs + same);
}

static bool is_equal_with(unsigned long seed, double limit, bool is_on_main)
{
    char *ours = trace_with(random_trace_rl, seed, limit, is_on_main);
    char *theirs = trace_with(random_trace_cf, seed, limit, is_on_main);
    bool is_equal = strcmp(ours, theirs) == 0;
    if (!is_equal) show_difference(seed, ours, theirs);
    free(ours);
    free(theirs);
    return is_equal;
}

static bool is_equal(unsigned long seed, bool is_on_main)
{
    if (!random_trace_cf) {
        free(trace_with(random_trace_rl, seed, shortest_limit, is_on_main));
        return true;
    }
    /*
     * On a busy machine a short run may be over in one engine and not in the other, a long one not.
     */
    enum { TRIES = 3, TIMES_LONGER = 8 };
    double limit = shortest_limit;
    for (int tries = 0; tries < TRIES; tries++) {
        if (is_equal_with(seed, limit, is_on_main)) return true;
        limit *= TIMES_LONGER;
    }
    return false;
}

int random_check(long count, unsigned long first_seed, bool is_on_main)
{
    return check_in_workers((int)count, ^(int index) {
        return is_equal(first_seed + (unsigned long)index, is_on_main);
    });
}
