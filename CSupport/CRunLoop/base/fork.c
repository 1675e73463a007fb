/*
 * The order in which a fork takes the locks of tables and of what is in them, which is the order of locks;
 * and in which the child takes possession. A lock that another thread held would stay locked in the
 * child for ever.
 */

#include "base/fork.h"

#include "base/lock.h"
#include "messages/message_port.h"
#include "run/loop_table.h"
#include "sockets/socket.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint number;

static void prepare(void)
{
    rl_socket_table_prepare_fork();
    rl_message_table_prepare_fork();
    rl_loop_table_prepare_fork();
}

static void go_on_in_parent(void)
{
    rl_loop_table_unlock_after_fork();
    rl_message_table_unlock_after_fork();
    rl_socket_table_unlock_after_fork();
}

static void settle_child(void)
{
    atomic_fetch_add(&number, 1);
    rl_lock_forget_sleepers();
    rl_loop_table_settle_child();
    rl_message_table_settle_child();
    rl_socket_table_unlock_after_fork();
}

static void set_up(void)
{
    pthread_atfork(prepare, go_on_in_parent, settle_child);
}

void rl_fork_set_up(void)
{
    pthread_once(&once, set_up);
}

unsigned rl_fork_number(void)
{
    return atomic_load(&number);
}
