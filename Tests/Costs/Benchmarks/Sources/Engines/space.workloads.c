/*
 * What loops and their items take: memory, descriptors, and the time of a thread's life.
 */

#include "workloads.h"

#include <dirent.h>
#include <malloc.h>

double bytes_in_use(void)
{
    return (double)mallinfo2().uordblks;
}

static void *open_and_close(void *info)
{
    const struct engine *engine = info;
    engine->close(engine->open());
    return NULL;
}

/* What only the first loop, and the first allocation of a thread, takes is no loop's. */
DECLARE(run_loop_bytes)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, open_and_close, (void *)engine) == 0);
    pthread_join(thread, NULL);
    /* Volatile, or the compiler leaves both calls out. */
    void *volatile first = allocate(1);
    free(first);
    double before = bytes_in_use();
    void *loop = engine->open();
    samples_add(samples, bytes_in_use() - before);
    engine->close(loop);
}

DECLARE(run_source_bytes)
{
    void *loop = engine->open();
    void **sources = add_idle_sources(engine, loop, size);
    double before = bytes_in_use();
    void **more = add_idle_sources(engine, loop, size);
    samples_add(samples, (bytes_in_use() - before) / (double)size - sizeof more[0]);
    remove_sources(engine, loop, more, size);
    remove_sources(engine, loop, sources, size);
    engine->close(loop);
}

DECLARE(run_timer_bytes)
{
    void *loop = engine->open();
    void **timers = allocate(size * sizeof timers[0]);
    double before = bytes_in_use();
    for (size_t i = 0; i < size; i++) {
        timers[i] = engine->add_timer(loop, INT64_C(1000000000000), 0, &nothing);
    }
    samples_add(samples, (bytes_in_use() - before) / (double)size);
    for (size_t i = 0; i < size; i++) engine->remove_timer(loop, timers[i]);
    free(timers);
    engine->close(loop);
}

int open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    EXPECT(folder != NULL);
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* A loop that has slept once, in which there is one source. */
DECLARE(run_loop_descriptors)
{
    int before = open_descriptors();
    void *loop = engine->open();
    void *source = add_source(engine, loop, do_nothing, NULL);
    run_for(engine, loop, 0.001);
    samples_add(samples, open_descriptors() - before);
    remove_source(engine, loop, source);
    engine->close(loop);
}
