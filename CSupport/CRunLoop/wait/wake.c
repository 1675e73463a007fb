/*
 * No wake-up is lost: a client first makes its work visible (a signal, a block) and then reads the
 * word. The loop first changes the word (it begins a run, listens again, or uses a wake-up) and
 * then checks for work. All four steps are sequentially consistent, so the client sees the changed
 * word or the loop sees the work. If a wake-up is dropped, the loop checks for all work after it
 * listens again. A stop counts even if its wake-up is dropped: the loop checks for a stop before it
 * sleeps.
 *
 * The port is edge-triggered, so each wait set reports each write once. The client that sets
 * `pending` writes to the port afterwards, and only the loop clears `pending`. So while a wake-up
 * is pending, each set of the loop has an event of the port or is about to have one. An event
 * without a pending wake-up is stale. Only take_writes empties the port; if a wake-up is pending,
 * it writes to the port again.
 *
 * The loop begins a nap before it reads the word, so a client that writes the word later ends the
 * nap.
 */

#include "wait/wake.h"

#include "base/kernel.h"

void rl_wake_init(struct rl_wake *wake)
{
    atomic_init(&wake->word, 0);
    atomic_init(&wake->fd, -1);
    atomic_init(&wake->nap, 0);
}

int rl_wake_open(struct rl_wake *wake)
{
    int fd = atomic_load(&wake->fd);
    if (fd >= 0) return fd;
    fd = rl_kernel_make_event_counter();
    if (fd < 0) return fd;
    atomic_store(&wake->fd, fd);
    /* A client may have woken the loop before the port existed. */
    if (rl_wake_is_pending(wake)) rl_kernel_bump(fd);
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
    if (rl_wake_is_pending(wake)) {
        /* The bit may have been set before the nap began, so the word is checked. */
    } else if (deadline_ns == RL_NEVER_NS) {
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

static unsigned word_after_wake_up(unsigned word)
{
    if (word & RL_WAKE_HOSTED) word |= RL_WAKE_CALLED;
    if (word & RL_WAKE_LISTENING) return word | RL_WAKE_PENDING;
    return word & RL_WAKE_RUNNING ? word | RL_WAKE_DROPPED : word;
}

static void write_port_after_change(struct rl_wake *wake, unsigned before, unsigned after)
{
    unsigned set = after & ~before;
    if (set & (RL_WAKE_PENDING | RL_WAKE_CALLED)) rl_wake_write_port(wake);
}

void rl_wake_up(struct rl_wake *wake)
{
    unsigned word = atomic_load(&wake->word), wanted;
    do {
        if (!(word & (RL_WAKE_RUNNING | RL_WAKE_HOSTED))) return;
        /* Written even if unchanged: the loop then sees all earlier stores of this client. */
        wanted = word_after_wake_up(word);
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));
    write_port_after_change(wake, word, wanted);
}

void rl_wake_stop(struct rl_wake *wake)
{
    unsigned word = atomic_load(&wake->word), wanted;
    do {
        if (!(word & RL_WAKE_RUNNING)) return;
        wanted = word_after_wake_up(word) | RL_WAKE_STOPPED;
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));
    write_port_after_change(wake, word, wanted);
}

void rl_wake_begin_hosting(struct rl_wake *wake)
{
    atomic_fetch_or(&wake->word, RL_WAKE_HOSTED);
}

void rl_wake_end_hosting(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(unsigned)(RL_WAKE_HOSTED | RL_WAKE_CALLED));
}

void rl_wake_call_host(struct rl_wake *wake)
{
    if (atomic_load(&wake->word) & RL_WAKE_CALLED) return;
    bool was_called = atomic_fetch_or(&wake->word, RL_WAKE_CALLED) & RL_WAKE_CALLED;
    if (!was_called) rl_wake_write_port(wake);
}

void rl_wake_answer(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(unsigned)RL_WAKE_CALLED);
}

/*
 * Empties the port, and returns whether it had been written to. Writes to the port again if a
 * wake-up is pending, or if a client has called the host in the meantime.
 */
static bool take_writes(struct rl_wake *wake)
{
    int fd = atomic_load(&wake->fd);
    bool was_written = rl_kernel_take_count(fd, false) > 0;
    unsigned word = atomic_load(&wake->word);
    if (word & (RL_WAKE_CALLED | RL_WAKE_PENDING)) rl_kernel_bump(fd);
    return was_written;
}

/* Clears the bit first, so a later call of the host writes to the port again. */
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
