/*
 * Why no wake-up is lost: a client first makes its work visible (a signal, a block) and then reads
 * the word; the loop first changes the word (it begins a run, listens again, uses a wake-up, or
 * announces its sleep) and then looks for work. All four are sequentially consistent, so that at
 * least one of the two sees the other. A client whose wake-up is dropped has made its work visible
 * before the loop listens again, and the loop looks at everything after that. A stop counts even if
 * its wake-up is dropped: the loop looks for a stop before it sleeps.
 *
 * A nap is announced before the sleep. So a client that finds the loop asleep finds the nap too,
 * and ends it, even if the loop has not come to wait yet.
 */

#include "wait/wake.h"

#include "base/kernel.h"

enum { FLAGS = (1u << RL_WAKE_STAMP_SHIFT) - 1 };

void rl_wake_init(struct rl_wake *wake)
{
    atomic_init(&wake->word, 0);
    atomic_init(&wake->fd, -1);
    atomic_init(&wake->nap, 0);
    atomic_init(&wake->placements, 0);
}

int rl_wake_open(struct rl_wake *wake)
{
    int fd = atomic_load(&wake->fd);
    if (fd >= 0) return fd;
    fd = rl_kernel_make_event_counter();
    if (fd >= 0) atomic_store(&wake->fd, fd);
    return fd;
}

void rl_wake_write_port(struct rl_wake *wake)
{
    rl_wake_end_nap(wake);
    int fd = atomic_load(&wake->fd);
    if (fd < 0) return;
    rl_kernel_bump(fd);
}

void rl_wake_begin_nap(struct rl_wake *wake)
{
    atomic_store(&wake->nap, 1);
}

void rl_wake_nap(struct rl_wake *wake, int64_t deadline_ns)
{
    if (deadline_ns == RL_NEVER_NS) {
        rl_kernel_futex_wait(&wake->nap, 1);
    } else {
        int64_t left_ns = deadline_ns - rl_kernel_monotonic_ns();
        if (left_ns > 0) rl_kernel_futex_wait_for(&wake->nap, 1, left_ns);
    }
    atomic_store(&wake->nap, 0);
}

void rl_wake_end_nap(struct rl_wake *wake)
{
    if (atomic_load(&wake->nap) && atomic_exchange(&wake->nap, 0)) {
        rl_kernel_futex_wake_one(&wake->nap);
    }
}

/* Returns the word after a wake-up. */
static uint64_t word_after_wake_up(const struct rl_wake *wake, uint64_t word)
{
    if (word & RL_WAKE_HOSTED) word |= RL_WAKE_CALLED;
    if (!(word & RL_WAKE_LISTENING)) return word & RL_WAKE_RUNNING ? word | RL_WAKE_DROPPED : word;
    if (word & RL_WAKE_PENDING) return word;
    uint64_t stamp = atomic_load_explicit(&wake->placements, memory_order_relaxed);
    return (word & FLAGS) | RL_WAKE_PENDING | stamp << RL_WAKE_STAMP_SHIFT;
}

/* Writes to the port if the change asks for that. */
static void write_port_if_needed(struct rl_wake *wake, uint64_t before, uint64_t after)
{
    uint64_t set = after & ~before;
    bool ends_sleep = (set & RL_WAKE_PENDING) && (before & RL_WAKE_ASLEEP);
    if (ends_sleep || (set & RL_WAKE_CALLED)) rl_wake_write_port(wake);
}

void rl_wake_up(struct rl_wake *wake)
{
    uint64_t word = atomic_load(&wake->word), wanted;
    do {
        if (!(word & (RL_WAKE_RUNNING | RL_WAKE_HOSTED))) return;
        /*
         * The word is written back even if nothing changes: the thread that uses the pending
         * wake-up then sees what this client has stored before.
         */
        wanted = word_after_wake_up(wake, word);
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));
    write_port_if_needed(wake, word, wanted);
}

void rl_wake_stop(struct rl_wake *wake)
{
    uint64_t word = atomic_load(&wake->word), wanted;
    do {
        if (!(word & RL_WAKE_RUNNING)) return;
        wanted = word_after_wake_up(wake, word) | RL_WAKE_STOPPED;
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));
    write_port_if_needed(wake, word, wanted);
}

bool rl_wake_fall_asleep(struct rl_wake *wake)
{
    uint64_t word = atomic_load(&wake->word);
    do {
        if (word & RL_WAKE_PENDING) return false;
    } while (!atomic_compare_exchange_weak(&wake->word, &word, word | RL_WAKE_ASLEEP));
    return true;
}

void rl_wake_begin_hosting(struct rl_wake *wake)
{
    atomic_fetch_or(&wake->word, RL_WAKE_HOSTED);
}

void rl_wake_end_hosting(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(uint64_t)(RL_WAKE_HOSTED | RL_WAKE_CALLED));
}

void rl_wake_call_host(struct rl_wake *wake)
{
    if (atomic_load(&wake->word) & RL_WAKE_CALLED) return;
    bool was_called = atomic_fetch_or(&wake->word, RL_WAKE_CALLED) & RL_WAKE_CALLED;
    if (!was_called) rl_wake_write_port(wake);
}

void rl_wake_answer(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(uint64_t)RL_WAKE_CALLED);
}

/*
 * Empties the port. Returns whether there was a write. This may also take the write of a client
 * that calls meanwhile, but then the mark of its call is set.
 */
static bool take_writes(struct rl_wake *wake)
{
    int fd = atomic_load(&wake->fd);
    bool was_written = rl_kernel_take_count(fd, false) > 0;
    if (atomic_load(&wake->word) & RL_WAKE_CALLED) rl_kernel_bump(fd);
    return was_written;
}

/* Clears the mark first: a client that calls from here on writes to the port. */
void rl_wake_take_back(struct rl_wake *wake)
{
    if (!(atomic_load(&wake->word) & RL_WAKE_CALLED)) return;
    rl_wake_answer(wake);
    take_writes(wake);
}

bool rl_wake_take_late_call(struct rl_wake *wake)
{
    return !(atomic_load(&wake->word) & RL_WAKE_CALLED) && take_writes(wake);
}
