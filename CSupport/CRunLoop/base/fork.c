/*
 * The atfork handlers. Before a fork, all tables and their objects are locked in the lock order,
 * because a lock that another thread holds during the fork would stay locked in the child. In the
 * child, the tables are settled and unlocked in the reverse order.
 */

#include "base/fork.h"

#include "base/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint number;

enum { MOST_TABLES = 16 };
static const struct rl_fork_table *tables[MOST_TABLES];
static size_t table_count;

void rl_fork_register(const struct rl_fork_table *table)
{
    RL_ASSERT(table_count < MOST_TABLES);
    size_t at = table_count++;
    for (; at > 0 && tables[at - 1]->order > table->order; at--) tables[at] = tables[at - 1];
    tables[at] = table;
}

static void prepare_fork(void)
{
    for (size_t i = 0; i < table_count; i++) tables[i]->prepare();
}

static void resume_in_parent(void)
{
    for (size_t i = table_count; i-- > 0;) tables[i]->resume_in_parent();
}

static void settle_child(void)
{
    atomic_fetch_add(&number, 1);
    for (size_t i = table_count; i-- > 0;) tables[i]->settle_child();
}

static void set_up_fork_handlers(void)
{
    pthread_atfork(prepare_fork, resume_in_parent, settle_child);
}

void rl_fork_set_up(void)
{
    pthread_once(&once, set_up_fork_handlers);
}

unsigned rl_fork_number(void)
{
    return atomic_load(&number);
}
