/*
 * base/lock.c and base/lock.h: no two threads hold a lock at once, and none sleeps for ever.
 * Spinning is one attempt more.
 *
 * Explores: CSupport/CRunLoop/base/lock.c
 */

#include "explore.h"

#include "base/kernel.h"
#include "base/lock.h"

#include <string.h>

static struct rl_lock lock;
static int holders;

/* The futex that each thread sleeps on; cleared by who wakes it. */
static struct sleeper {
    atomic_uint *word;
} sleepers[EXPLORE_MOST_THREADS];

static bool is_awake(void *info)
{
    return !((struct sleeper *)info)->word;
}

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected)
{
    explore_change("futex_wait", __FILE_NAME__, __LINE__);
    explore_access(word);
    if (__c11_atomic_load(word, __ATOMIC_SEQ_CST) != expected) return;
    struct sleeper *self = &sleepers[0];
    while (self->word) self++;
    self->word = word;
    explore_wait(is_awake, self, "sleeps");
}

void rl_kernel_futex_wake_one(atomic_uint *word)
{
    EXPLORE_POINT("futex_wake");
    explore_drain();
    struct sleeper *found[EXPLORE_MOST_THREADS];
    int sleeper_count = 0;
    for (int i = 0; i < EXPLORE_MOST_THREADS; i++) {
        if (sleepers[i].word == word) found[sleeper_count++] = &sleepers[i];
    }
    if (sleeper_count > 0) found[explore_choose(sleeper_count)]->word = NULL;
}

static void begin(void)
{
    memset(&lock, 0, sizeof lock);
    memset(sleepers, 0, sizeof sleepers);
    holders = 0;
}

static void take_once(void)
{
    rl_lock(&lock);
    explore_check(++holders == 1);
    EXPLORE_POINT("holds the lock");
    explore_check(holders-- == 1);
    rl_unlock(&lock);
}

static void take_twice(void)
{
    take_once();
    take_once();
}

const struct explore_scenario explore_scenarios[] = {
    {"two_threads", 3, begin, {take_twice, take_twice}, NULL},
    {"three_threads", 2, begin, {take_once, take_once, take_once}, NULL},
};
const size_t explore_scenario_count = sizeof explore_scenarios / sizeof *explore_scenarios;
