/*
 * Runs the threads of a scenario, as contexts of one thread, through every interleaving with a
 * bounded number of preemptions: each execution repeats the choices of the one before up to the
 * last that has an alternative, and takes that. Committing a store is a choice and no preemption; a
 * store that overtakes another, and a load that returns an old value, count as one.
 *
 * usage: explore SCENARIO
 */

#include "explorer.h"

#include <limits.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CHOICES = 4096, MOST_STEPS = 4096 };

struct thread threads[EXPLORE_MOST_THREADS];
const struct explore_scenario *scenario;
int thread_count, running, preemptions;
bool is_exploring;

static ucontext_t main_context;

/* The choices of this execution; those before `choice_at` have been made. */
static struct choice {
    int chosen, count;
} choices[MOST_CHOICES];
static int choice_at, choice_count;

/* The destructors of threads' values. */
static void (*destructors[MOST_KEYS])(void *value);
static int key_count;

/* The thread-local variables of the engine's files; the linker defines the symbols. */
extern char locals_begin[] __asm__("__start_explore_locals") __attribute__((weak));
extern char locals_end[] __asm__("__stop_explore_locals") __attribute__((weak));
static char first_locals[LOCALS_BYTES];

/* The steps so far, which a failure prints. */
static struct step {
    int thread;
    const char *what, *file;
    int line;
} steps[MOST_STEPS];
static int step_count;

void explorer_note(int thread, const char *what, const char *file, int line)
{
    if (step_count == MOST_STEPS) explore_fail("it continues without end");
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
    fflush(stdout);
    _exit(1);
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

/* Advances to the last choice that has an alternative. Returns false if all have been tried. */
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

/* --- Choosing --------------------------------------------------------------------------------- */

static bool can_continue(const struct thread *thread)
{
    return !thread->has_ended && (!thread->is_over || thread->is_over(thread->info));
}

/* Returns whether stores took effect that had not. */
static bool drain_threads(void)
{
    bool has_drained = false;
    for (int i = 0; i < thread_count; i++) {
        has_drained |= threads[i].store_count > 0;
        memory_drain(&threads[i]);
    }
    return has_drained;
}

/* Returns the thread that continues; -1 if all have ended. */
static int choose_thread(void)
{
    for (;;) {
        int options[EXPLORE_MOST_THREADS], count = 0;
        bool has_all_ended = true, is_free = !can_continue(&threads[running]);
        if (!is_free) options[count++] = running;
        for (int i = 0; i < thread_count; i++) {
            has_all_ended = has_all_ended && threads[i].has_ended;
            bool is_allowed = is_free || preemptions < scenario->preemptions;
            if (i != running && is_allowed && can_continue(&threads[i])) options[count++] = i;
        }
        if (has_all_ended) return -1;
        if (count > 0) {
            int next = options[explore_choose(count)];
            if (next != running && !is_free) preemptions++;
            return next;
        }
        if (!drain_threads()) explore_fail("threads sleep, and nothing can wake them");
    }
}

static void exchange_locals(char *out, const char *in)
{
    size_t size = (size_t)(locals_end - locals_begin);
    if (size > LOCALS_BYTES) abort();
    if (size > 0 && out) memcpy(out, locals_begin, size);
    if (size > 0) memcpy(locals_begin, in, size);
}

static void switch_thread(void)
{
    struct thread *self = &threads[running];
    int next = choose_thread();
    if (next == running) return;
    ucontext_t *to = &main_context;
    exchange_locals(self->locals, next >= 0 ? threads[next].locals : first_locals);
    if (next >= 0) {
        running = next;
        to = &threads[next].context;
        for (int i = 0; i < thread_count; i++) threads[i].is_pausing = false;
    }
    if (swapcontext(&self->context, to) != 0) abort();
}

int explore_thread(void)
{
    return running;
}

void explore_point(const char *what, const char *file, int line)
{
    if (is_exploring && !threads[running].is_pausing) switch_thread();
    explorer_note(running, what, file, line);
}

void explore_change(const char *what, const char *file, int line)
{
    threads[running].is_pausing = false;
    explore_point(what, file, line);
    explore_drain();
}

void explore_pause(void)
{
    threads[running].is_pausing = true;
}

/* Continues when the condition holds, and has then seen all changes. */
static void sleep_until(bool (*is_over)(void *info), void *info)
{
    struct thread *self = &threads[running];
    self->is_over = is_over;
    self->info = info;
    switch_thread();
    self->is_over = NULL;
    memory_see_all(self);
}

static bool has_another_continued(void *thread)
{
    return !((struct thread *)thread)->is_pausing;
}

void explore_yield(void)
{
    explorer_note(running, "lets others continue", NULL, 0);
    threads[running].is_pausing = true;
    sleep_until(has_another_continued, &threads[running]);
}

void explore_wait(bool (*is_over)(void *info), void *info, const char *what)
{
    explorer_note(running, what, NULL, 0);
    threads[running].is_pausing = false;
    sleep_until(is_over, info);
}

/* --- What threads have from the system -------------------------------------------------------- */

#ifndef EXPLORES_lock
static bool is_free(void *lock)
{
    return ((struct rl_lock *)lock)->state == RL_LOCK_FREE;
}

/*
 * Other threads may continue before a lock is taken: it makes no difference whether they do so
 * before it is freed.
 */
void explore_lock(struct rl_lock *lock, const char *file, int line) RL_UNCHECKED_LOCKING
{
    explore_change("locks", file, line);
    if (!is_free(lock)) explore_wait(is_free, lock, "waits for the lock");
    lock->state = RL_LOCK_HELD;
    memory_see_all(&threads[running]);
}

void explore_unlock(struct rl_lock *lock) RL_UNCHECKED_LOCKING
{
    explore_check(lock->state == RL_LOCK_HELD);
    explore_drain();
    lock->state = RL_LOCK_FREE;
}
#endif

int explore_key_create(pthread_key_t *key, void (*destroy)(void *value))
{
    if (key_count == MOST_KEYS) abort();
    destructors[key_count] = destroy;
    *key = (pthread_key_t)key_count++;
    return 0;
}

int explore_set_value(pthread_key_t key, const void *value)
{
    threads[running].values[key] = (void *)(uintptr_t)value;
    return 0;
}

void explore_once(pthread_once_t *once, void (*begin)(void))
{
    explore_point("once", NULL, 0);
    if (*once == 1) return;
    *once = 1;
    begin();
}

static void destroy_values(void)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        for (int key = 0; key < key_count; key++) {
            void *value = threads[running].values[key];
            threads[running].values[key] = NULL;
            if (value) destructors[key](value);
        }
    }
}

/* --- Executions ------------------------------------------------------------------------------- */

static void run_thread(int number)
{
    scenario->threads[number]();
    destroy_values();
    threads[number].has_ended = true;
    explorer_note(number, "ends", NULL, 0);
    switch_thread();
}

static void begin_thread(int number)
{
    struct thread *thread = &threads[number];
    thread->store_count = thread->fences = thread->seen = thread->read = 0;
    thread->is_over = NULL;
    thread->has_ended = thread->is_pausing = false;
    memset(thread->values, 0, sizeof thread->values);
    memcpy(thread->locals, first_locals, sizeof first_locals);
    if (getcontext(&thread->context) != 0) abort();
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&thread->context, (void (*)(void))run_thread, 1, number);
}

static void run_once(void)
{
    choice_at = step_count = preemptions = thread_count = running = key_count = 0;
    memory_forget();
    size_t allocated = __sanitizer_get_current_allocated_bytes();
    while (thread_count < EXPLORE_MOST_THREADS && scenario->threads[thread_count]) {
        begin_thread(thread_count++);
    }
    scenario->begin();
    explore_drain();
    memory_forget();
    threads[0].seen = threads[0].read = 0;
    exchange_locals(threads[0].locals, first_locals);
    is_exploring = true;
    /* Any of them may be the first. */
    running = explore_choose(thread_count);
    exchange_locals(NULL, threads[running].locals);
    if (swapcontext(&main_context, &threads[running].context) != 0) abort();
    is_exploring = false;
    drain_threads();
    running = 0;
    if (scenario->end) scenario->end();
    if (__sanitizer_get_current_allocated_bytes() != allocated) explore_fail("memory is not freed");
}

/* Called when memory is used that has been freed. */
void __asan_on_error(void)
{
    explore_fail(__asan_get_report_description());
}

int main(int count, char **words)
{
    if (locals_end > locals_begin) {
        memcpy(first_locals, locals_begin, (size_t)(locals_end - locals_begin));
    }
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
