/*
 * wait/wake.c and wait/wake.h, in a loop that is reduced to the calls that run/run.c, run/pass.c,
 * run/wait.c and run/host.c make, in their order; wake.pml has all of it. The loop ends when it
 * has done what each client asked for: a wake-up that is lost leaves it asleep. Clients mark their
 * work by exchanges, as the engine does.
 *
 * Explores: CSupport/CRunLoop/wait/wake.c
 */

#include "explore.h"

#include "base/kernel.h"
#include "wait/wake.h"

static struct rl_wake wake;
/* The count of the eventfd. */
static uint64_t count;
static atomic_int work;
static int wanted, done, idle_passes, clients;

int rl_kernel_make_event_counter(void)
{
    return 3;
}

void rl_kernel_bump(int fd)
{
    explore_check(fd == 3);
    explore_change("writes to the port", __FILE_NAME__, __LINE__);
    count++;
}

uint64_t rl_kernel_take_count(int fd, bool may_block)
{
    explore_check(fd == 3 && !may_block);
    explore_change("reads the port", __FILE_NAME__, __LINE__);
    uint64_t taken = count;
    count = 0;
    return taken;
}

/* Whether the loop waits for the futex. */
static bool naps;

static bool is_awake(void *unused)
{
    (void)unused;
    return !naps;
}

void rl_kernel_futex_wait(atomic_uint *word, unsigned expected)
{
    explore_change("futex_wait", __FILE_NAME__, __LINE__);
    explore_access(word);
    if (__c11_atomic_load(word, __ATOMIC_SEQ_CST) != expected) return;
    naps = true;
    explore_wait(is_awake, NULL, "naps");
}

void rl_kernel_futex_wake_one(atomic_uint *word)
{
    (void)word;
    explore_change("futex_wake", __FILE_NAME__, __LINE__);
    naps = false;
}

static bool is_readable(void *unused)
{
    (void)unused;
    return count > 0;
}

static void begin_for(int clients_now)
{
    wake = (struct rl_wake){.fd = 3};
    count = 0;
    naps = false;
    work = 0;
    wanted = clients = clients_now;
    done = idle_passes = 0;
}

static void begin_one(void)
{
    begin_for(1);
}

static void begin_two(void)
{
    begin_for(2);
}

/* The kernel has no descriptor for the loop. */
static void begin_without_port(void)
{
    begin_for(2);
    wake.fd = -1;
}

static void client(void)
{
    atomic_fetch_add(&work, 1);
    rl_wake_up(&wake);
    clients--;
}

static void signalling_client(void)
{
    atomic_fetch_add(&work, 1);
    rl_wake_up_for_signal(&wake);
    clients--;
}

static void stopping_client(void)
{
    rl_wake_stop(&wake);
    clients--;
}

/* Returns whether there was work. */
static bool do_work(void)
{
    int taken = atomic_exchange(&work, 0);
    done += taken;
    return taken > 0;
}

/* sleep_until_event of wait.c, without a limit. */
static void sleep_until_woken(void)
{
    bool has_port = atomic_load(&wake.fd) >= 0;
    do {
        if (!has_port) {
            rl_wake_begin_nap(&wake);
            rl_wake_nap(&wake, RL_NEVER_NS);
        } else {
            explore_wait(is_readable, NULL, "sleeps in the kernel");
            rl_kernel_take_count(3, false);
        }
    } while (!rl_wake_consume(&wake));
}

static void loop(void)
{
    unsigned outer = rl_wake_begin_run(&wake);
    while (done < wanted) {
        rl_wake_listen(&wake);
        if (do_work()) continue;
        sleep_until_woken();
    }
    rl_wake_end_run(&wake, outer);
}

/* The first sleep makes the port. */
static void loop_that_opens(void)
{
    unsigned outer = rl_wake_begin_run(&wake);
    while (done < wanted) {
        rl_wake_listen(&wake);
        if (do_work()) continue;
        explore_check(rl_wake_open(&wake) == 3);
        sleep_until_woken();
    }
    rl_wake_end_run(&wake, outer);
}

/* A stop is kept during a run, and the client's stop begins with it. */
static void loop_until_stopped(void)
{
    while (!rl_wake_is_stopped(&wake)) {
        rl_wake_listen(&wake);
        if (do_work()) continue;
        if (!rl_wake_is_stopped(&wake)) sleep_until_woken();
    }
    explore_check(rl_wake_consume_stop(&wake));
}

static void begin_stopped(void)
{
    begin_for(2);
    wake.word = RL_WAKE_RUNNING | RL_WAKE_LISTENING;
}

/*
 * A callback runs the loop in a mode without that work, which drops wake-ups while it serves
 * something else.
 */
static void loop_with_nested_run(void)
{
    unsigned outer = rl_wake_begin_run(&wake);
    bool has_nested = false;
    while (done < wanted) {
        rl_wake_listen(&wake);
        if (do_work()) continue;
        if (!has_nested) {
            has_nested = true;
            unsigned around = rl_wake_begin_run(&wake);
            bool has_used = rl_wake_consume(&wake);
            rl_wake_ignore(&wake);
            if (rl_wake_end_run(&wake, around) || has_used) continue;
        }
        sleep_until_woken();
    }
    rl_wake_end_run(&wake, outer);
}

/* rl_host_end_run. */
static void rest(void)
{
    if (rl_wake_is_pending(&wake) || atomic_load(&work) > 0) rl_wake_call_host(&wake);
}

/* make_hosted_pass of run.c, without nested runs. The port must not stay readable with nothing to
 * do. */
static void make_hosted_pass(void)
{
    if (clients == 0 && atomic_load(&work) == 0) explore_check(++idle_passes <= 2);
    unsigned outer = rl_wake_begin_run(&wake);
    rl_wake_listen(&wake);
    do_work();
    rl_wake_consume(&wake);
    rl_wake_take_back(&wake);
    rl_wake_end_run(&wake, outer);
    if (count > 0) rl_wake_take_late_call(&wake);
    rest();
}

static void host(void)
{
    rl_wake_begin_hosting(&wake);
    rest();
    while (done < wanted || clients > 0) {
        explore_wait(is_readable, NULL, "the host polls the port");
        make_hosted_pass();
    }
    while (count > 0) make_hosted_pass();
    rl_wake_end_hosting(&wake);
}

const struct explore_scenario explore_scenarios[] = {
    {"one_client", 4, begin_one, {loop, client}, NULL},
    {"two_clients", 3, begin_two, {loop, client, signalling_client}, NULL},
    {"without_port", 3, begin_without_port, {loop, client, signalling_client}, NULL},
    {"first_sleep", 3, begin_without_port, {loop_that_opens, client, signalling_client}, NULL},
    {"stop", 3, begin_stopped, {loop_until_stopped, client, stopping_client}, NULL},
    {"nested_run", 3, begin_two, {loop_with_nested_run, client, client}, NULL},
    {"one_client_of_host", 4, begin_one, {host, client}, NULL},
    {"two_clients_of_host", 2, begin_two, {host, client, client}, NULL},
};
const size_t explore_scenario_count = sizeof explore_scenarios / sizeof *explore_scenarios;
