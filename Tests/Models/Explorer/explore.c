/*
 * Runs the threads of a scenario, as contexts of one thread, through every interleaving with a
 * bounded number of preemptions: each execution repeats the choices of the one before up to the
 * last that has an alternative, and takes that. Letting a store take effect is a choice and no
 * preemption.
 *
 * usage: explore SCENARIO
 */

#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 16, MOST_STORES = 16, MOST_CHOICES = 4096, MOST_STEPS = 4096 };

struct late_store {
    volatile void *to;
    uint64_t value;
    size_t size;
};

static struct thread {
    ucontext_t context;
    char stack[STACK_BYTES] __attribute__((aligned(16)));
    struct late_store stores[MOST_STORES];
    int store_count;
    bool (*is_over)(void *info);
    void *info;
    bool has_ended, is_pausing;
} threads[EXPLORE_MOST_THREADS];

static const struct explore_scenario *scenario;
static ucontext_t main_context;
static int thread_count, running, preemptions;

/* The choices of this execution; those before `choice_at` have been made. */
static struct choice {
    int chosen, count;
} choices[MOST_CHOICES];
static int choice_at, choice_count;

/* What has happened, to be printed. */
static struct step {
    int thread;
    const char *what, *file;
    int line;
} steps[MOST_STEPS];
static int step_count;

static void note(int thread, const char *what, const char *file, int line)
{
    if (step_count == MOST_STEPS) explore_fail("it goes on without end");
    steps[step_count++] = (struct step){thread, what, file, line};
}

void explore_fail(const char *what)
{
    for (int i = 0; i < step_count; i++) {
        const struct step *step = &steps[i];
        printf("  thread %d: %s", step->thread, step->what);
        if (step->file) printf(" (%s:%d)", step->file, step->line);
        printf("\n");
    }
    printf("%s: %s\n", scenario->name, what);
    exit(1);
}

int explore_choose(int count)
{
    if (count == 1) return 0;
    if (choice_at == choice_count) {
        if (choice_count == MOST_CHOICES) explore_fail("too many choices");
        choices[choice_count++] = (struct choice){0, count};
    }
    if (choices[choice_at].count != count) explore_fail("the scenario is not deterministic");
    return choices[choice_at++].chosen;
}

/* Goes on to the last choice that has an alternative. Returns false if all have been tried. */
static bool choose_next(void)
{
    while (choice_count > 0 &&
           choices[choice_count - 1].chosen + 1 == choices[choice_count - 1].count) {
        choice_count--;
    }
    if (choice_count == 0) return false;
    choices[choice_count - 1].chosen++;
    return true;
}

static void drain_one(struct thread *thread)
{
    struct late_store *first = &thread->stores[0];
    memcpy((void *)first->to, &first->value, first->size);
    memmove(first, first + 1, sizeof *first * (size_t)--thread->store_count);
    for (int i = 0; i < thread_count; i++) threads[i].is_pausing = false;
}

void explore_drain(void)
{
    while (threads[running].store_count > 0) drain_one(&threads[running]);
}

void explore_store(volatile void *to, const void *from, size_t size)
{
    struct thread *self = &threads[running];
    if (self->store_count == MOST_STORES) drain_one(self);
    struct late_store *store = &self->stores[self->store_count++];
    *store = (struct late_store){.to = to, .size = size};
    memcpy(&store->value, from, size);
}

void explore_forward(const volatile void *from, void *into, size_t size)
{
    const struct thread *self = &threads[running];
    for (int i = 0; i < self->store_count; i++) {
        if (self->stores[i].to == from) memcpy(into, &self->stores[i].value, size);
    }
}

static bool can_go_on(const struct thread *thread)
{
    return !thread->has_ended && (!thread->is_over || thread->is_over(thread->info));
}

/* Returns the thread that goes on, after stores that take effect first; -1 if all have ended. */
static int choose_thread(void)
{
    for (;;) {
        int options[2 * EXPLORE_MOST_THREADS], count = 0;
        bool has_all_ended = true, is_free = !can_go_on(&threads[running]);
        if (!is_free) options[count++] = running;
        for (int i = 0; i < thread_count; i++) {
            has_all_ended = has_all_ended && threads[i].has_ended;
            bool is_allowed = is_free || preemptions < scenario->preemptions;
            if (i != running && is_allowed && can_go_on(&threads[i])) options[count++] = i;
        }
        for (int i = 0; i < thread_count; i++) {
            if (threads[i].store_count > 0) options[count++] = EXPLORE_MOST_THREADS + i;
        }
        if (count == 0 && has_all_ended) return -1;
        if (count == 0) explore_fail("threads sleep, and nothing can wake them");
        int option = options[explore_choose(count)];
        if (option < EXPLORE_MOST_THREADS) {
            if (option != running && !is_free) preemptions++;
            return option;
        }
        note(option - EXPLORE_MOST_THREADS, "a store takes effect", NULL, 0);
        drain_one(&threads[option - EXPLORE_MOST_THREADS]);
    }
}

static void switch_thread(void)
{
    struct thread *self = &threads[running];
    int next = choose_thread();
    if (next == running) return;
    ucontext_t *to = &main_context;
    if (next >= 0) {
        running = next;
        to = &threads[next].context;
        for (int i = 0; i < thread_count; i++) threads[i].is_pausing = false;
    }
    if (swapcontext(&self->context, to) != 0) abort();
}

void explore_point(const char *what, const char *file, int line)
{
    if (!threads[running].is_pausing) switch_thread();
    note(running, what, file, line);
}

void explore_change(const char *what, const char *file, int line)
{
    threads[running].is_pausing = false;
    explore_point(what, file, line);
    explore_drain();
}

void explore_pass_barrier(void)
{
    for (int i = 0; i < thread_count; i++) {
        explore_point("barrier", NULL, 0);
        while (threads[i].store_count > 0) drain_one(&threads[i]);
    }
}

void explore_pause(void)
{
    threads[running].is_pausing = true;
}

void explore_wait(bool (*is_over)(void *info), void *info, const char *what)
{
    struct thread *self = &threads[running];
    note(running, what, NULL, 0);
    self->is_pausing = false;
    self->is_over = is_over;
    self->info = info;
    switch_thread();
    self->is_over = NULL;
}

static void run_thread(int number)
{
    scenario->threads[number]();
    threads[number].has_ended = true;
    note(number, "ends", NULL, 0);
    switch_thread();
}

static void run_once(void)
{
    choice_at = step_count = preemptions = thread_count = running = 0;
    scenario->begin();
    for (int i = 0; i < EXPLORE_MOST_THREADS && scenario->threads[i]; i++) {
        struct thread *thread = &threads[thread_count++];
        thread->store_count = 0;
        thread->is_over = NULL;
        thread->has_ended = thread->is_pausing = false;
        if (getcontext(&thread->context) != 0) abort();
        thread->context.uc_stack.ss_sp = thread->stack;
        thread->context.uc_stack.ss_size = STACK_BYTES;
        makecontext(&thread->context, (void (*)(void))run_thread, 1, i);
    }
    /* Any of them may be the first. */
    running = explore_choose(thread_count);
    if (swapcontext(&main_context, &threads[running].context) != 0) abort();
    if (scenario->end) scenario->end();
}

int main(int count, char **words)
{
    for (size_t i = 0; count == 2 && i < explore_scenario_count; i++) {
        if (strcmp(explore_scenarios[i].name, words[1]) != 0) continue;
        scenario = &explore_scenarios[i];
        long executions = 0;
        do {
            run_once();
            executions++;
        } while (choose_next());
        printf("%ld executions\n", executions);
        return 0;
    }
    fprintf(stderr, "usage: explore SCENARIO\n");
    return 2;
}
