/*
 * Runs the main loop with a word instead of the main queue's tail that is always right, or wrong,
 * and checks that work of the main queue is served anyway.
 *
 * usage: believing list | believing WORD WORK
 */

#include "base/dispatch.h"
#include "run/main_queue_tail.h"

#include <CRunLoop/CRunLoop.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/*
 * The number of passes in which the queue is checked whatever the word is, and a pass that skips
 * it.
 */
enum { MOST_PASSES = 66 };

static void *_Atomic never_null = &never_null;
static void *_Atomic always_null;

static const struct word {
    const char *name;
    void *_Atomic *word;
} words[] = {{"unknown", NULL}, {"never-null", &never_null}, {"always-null", &always_null}};

static const struct word *word = &words[0];

/* Replaces the engine's function. */
void *_Atomic *rl_main_queue_find_tail(void)
{
    return word->word;
}

static int served, passes;

static void serve(void *context)
{
    (void)context;
    served++;
    RLRunLoopStop(RLRunLoopGetCurrent());
}

static void add_work(void)
{
    dispatch_async_f(&_dispatch_main_q, NULL, serve);
}

static RLRunLoopSourceRef add_source(void (*perform)(void *))
{
    static RLRunLoopSourceRef source;
    RLRunLoopSourceContext context = {.info = &source, .perform = perform};
    source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    return source;
}

static void count_pass(void *info)
{
    (void)info;
    passes++;
}

/* Makes the loop find the tail, and serves work that was queued before. */
static bool begin(void)
{
    add_work();
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
    return served == 1;
}

static bool poll(void)
{
    add_source(count_pass);
    add_work();
    for (passes = 0; passes < 1000 && served < 2; passes++) {
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    }
    return served == 2 && passes <= MOST_PASSES;
}

static bool poll_busily(void)
{
    RLRunLoopSourceRef source = add_source(count_pass);
    add_work();
    while (passes < 1000 && served < 2) {
        RLRunLoopSourceSignal(source);
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
    }
    return served == 2 && passes <= MOST_PASSES;
}

/* Adds the work in its first call, and is ready in each pass. */
static void resume(void *info)
{
    if (passes++ == 0) add_work();
    RLRunLoopSourceSignal(*(RLRunLoopSourceRef *)info);
    RLRunLoopWakeUp(RLRunLoopGetCurrent());
    if (passes == 1000) RLRunLoopStop(RLRunLoopGetCurrent());
}

static bool run_busily(void)
{
    RLRunLoopSourceSignal(add_source(resume));
    RLRunLoopRun();
    return served == 2 && passes <= MOST_PASSES;
}

static void *add_work_to_sleeper(void *loop)
{
    while (!RLRunLoopIsWaiting(loop)) {}
    add_work();
    return NULL;
}

static bool sleep_until_work(void)
{
    pthread_t thread;
    add_source(count_pass);
    pthread_create(&thread, NULL, add_work_to_sleeper, RLRunLoopGetCurrent());
    RLRunLoopRunResult result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, false);
    pthread_join(thread, NULL);
    return served == 2 && result == kRLRunLoopRunStopped;
}

static const struct work {
    const char *name;
    bool (*is_served)(void);
} works[] = {
    {"poll", poll},
    {"poll-busily", poll_busily},
    {"run-busily", run_busily},
    {"sleep", sleep_until_work},
};

int main(int argc, char **argv)
{
    bool lists = argc == 2 && strcmp(argv[1], "list") == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (size_t j = 0; j < sizeof works / sizeof *works; j++) {
            if (lists) printf("%s %s\n", words[i].name, works[j].name);
            if (argc != 3 || strcmp(argv[1], words[i].name) || strcmp(argv[2], works[j].name)) {
                continue;
            }
            word = &words[i];
            bool is_right = begin() && works[j].is_served();
            printf("believing %s: %s: %d served in %d passes\n", word->name, works[j].name, served,
                   passes);
            return is_right ? 0 : 1;
        }
    }
    return lists ? 0 : 2;
}
