/*
 * Why no wake-up is lost: a client first makes its work visible (a signal, a block) and then reads the
 * word; the loop first writes to the word (it begins a run, uses a wake-up up or takes one back, or
 * announces its sleep) and then looks for work. At least one of the two sees the other, as all four
 * steps are sequentially consistent: the client's first one counts the signal or pushes the block. A wake-up that is taken back was one that
 * the loop was to ignore; it looks at everything after that.
 */

#include "wait/wake.h"

#include "base/kernel.h"

enum { FLAGS = (1u << RL_WAKE_STAMP_SHIFT) - 1 };

void rl_wake_init(struct rl_wake *wake)
{
    atomic_init(&wake->word, 0);
    atomic_init(&wake->fd, -1);
    atomic_init(&wake->is_ignoring, false);
    atomic_init(&wake->placements, 0);
}

/* What makes a wake-up count: nothing, while they are ignored. */
static uint64_t flags_of_listening(const struct rl_wake *wake)
{
    return rl_wake_is_ignoring(wake) ? 0 : RL_WAKE_LISTENING;
}

static void post(struct rl_wake *wake, uint64_t listening, uint64_t needed, uint64_t extra)
{
    uint64_t word = atomic_load(&wake->word), wanted;
    do {
        if (!(word & needed)) return;
        wanted = word | extra;
        if (word & RL_WAKE_HOSTED) wanted |= RL_WAKE_CALLED;
        if ((word & listening) && !(word & RL_WAKE_PENDING)) {
            uint64_t stamp = atomic_load_explicit(&wake->placements, memory_order_relaxed);
            wanted = (wanted & FLAGS) | RL_WAKE_PENDING | stamp << RL_WAKE_STAMP_SHIFT;
        }
    } while (!atomic_compare_exchange_weak(&wake->word, &word, wanted));

    bool is_new = (wanted & RL_WAKE_PENDING) && !(word & RL_WAKE_PENDING);
    bool is_call = (wanted & RL_WAKE_CALLED) && !(word & RL_WAKE_CALLED);
    if (is_call || (is_new && (word & RL_WAKE_ASLEEP))) rl_kernel_bump(atomic_load(&wake->fd));
}

void rl_wake_up(struct rl_wake *wake)
{
    uint64_t listening = flags_of_listening(wake);
    post(wake, listening, listening | RL_WAKE_HOSTED, 0);
}

void rl_wake_take_back_ignored(struct rl_wake *wake)
{
    /* Before the look: who still sees the wake-ups ignored, and leaves none, is found by it. */
    atomic_store(&wake->is_ignoring, false);
    uint64_t word = atomic_load(&wake->word);
    while ((word & (RL_WAKE_PENDING | RL_WAKE_STOPPED)) == RL_WAKE_PENDING) {
        uint64_t wanted = word & ~(uint64_t)RL_WAKE_PENDING;
        if (atomic_compare_exchange_weak(&wake->word, &word, wanted)) break;
    }
}

/* Never ignored: one that comes when the pass has been decided about is to end the next wait. */
void rl_wake_stop(struct rl_wake *wake)
{
    post(wake, RL_WAKE_LISTENING, RL_WAKE_RUNNING, RL_WAKE_STOPPED);
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
    if (!was_called) rl_kernel_bump(atomic_load(&wake->fd));
}

void rl_wake_answer(struct rl_wake *wake)
{
    atomic_fetch_and(&wake->word, ~(uint64_t)RL_WAKE_CALLED);
}

/*
 * The mark goes first: who calls from here on writes to the port. That write may be read away with
 * the old one, but then the mark tells of it.
 */
void rl_wake_take_back(struct rl_wake *wake)
{
    if (!(atomic_load(&wake->word) & RL_WAKE_CALLED)) return;
    rl_wake_answer(wake);
    int fd = atomic_load(&wake->fd);
    rl_kernel_take_count(fd, false);
    if (atomic_load(&wake->word) & RL_WAKE_CALLED) rl_kernel_bump(fd);
}
