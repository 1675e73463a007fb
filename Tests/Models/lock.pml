/*
 * The lock: base/lock.h and base/lock.c; change both together. Each step names the function it stands for.
 *
 * Threads take one of two locks and free it, as often as TURNS says. The locks have one count of sleepers
 * together, as locks in the same bucket have. No two threads may hold a lock at once; and none may sleep for ever,
 * which would be a state in which nothing can go on ("invalid end state"). What processors do to the order of
 * memory is in it where the engine relies on less than sequential consistency: rl_unlock's store may take effect at
 * any time after it. It waits in `late_store`, seen by its own thread's next locked instruction, by a barrier, and by
 * chance. A reading that comes early is the same thing.
 *
 * Left out: spinning, which is the first attempt made more often; and kernels without barriers, where a sleep is
 * short.
 *
 * Must hold: THREADS=2 TURNS=3
 * Must hold: THREADS=3 TURNS=4
 * Must hold: THREADS=4 TURNS=1 LOCKS=2
 * Must fail: THREADS=2 TURNS=2 NO_BARRIER
 * Must fail: THREADS=2 TURNS=2 COUNTED_AFTER_BARRIER
 * Must fail: THREADS=2 TURNS=2 NO_BARRIER_IN_WAKE
 * Must fail: THREADS=2 TURNS=2 NO_COMPARISON_IN_WAIT
 * Must fail: THREADS=2 TURNS=2 NO_LOOK_FOR_SLEEPERS
 * Must fail: THREADS=2 TURNS=2 TRIES_IN_TWO_STEPS
 */

#ifndef LOCKS
#define LOCKS 1
#endif

/* rl_lock.is_held. */
bool is_held[LOCKS];

/* rl_lock_sleepers, of the bucket that the locks are in. */
byte sleepers;

/* The lock, counted from 1, that the thread has freed by a store that no other thread sees yet. */
byte late_store[THREADS];

/* The lock, counted from 1, for which the thread sleeps in futex(2). */
byte sleeps_for[THREADS];

/* Between rl_lock and rl_unlock, as the threads know it. */
byte holders[LOCKS];

/* What waited takes effect. */
inline drain(thread) {
    if
    :: late_store[thread] > 0 -> is_held[late_store[thread] - 1] = false; late_store[thread] = 0
    :: else
    fi
}

/* rl_try_lock: an exchange, before which the thread's own stores have taken effect. */
inline try_lock() {
#ifdef TRIES_IN_TWO_STEPS
    atomic { drain(_pid); has = !is_held[wanted] }
    if
    :: has -> is_held[wanted] = true
    :: else
    fi
#else
    atomic { drain(_pid); has = !is_held[wanted]; is_held[wanted] = true }
#endif
}

/* rl_kernel_pass_barrier: membarrier(2) has each thread's stores take effect, one thread after the other. */
inline pass_barrier() {
    skip;
#ifndef NO_BARRIER
    other = 0;
    do
    :: other < THREADS -> atomic { drain(other); other++ }
    :: else -> break
    od;
    other = 0
#endif
}

/* rl_kernel_futex_wait: the kernel compares and goes to sleep as if at once. */
inline futex_wait() {
    atomic {
        drain(_pid);
        if
#ifndef NO_COMPARISON_IN_WAIT
        :: !is_held[wanted] -> skip
#endif
        :: else -> sleeps_for[_pid] = wanted + 1
        fi
    }
    sleeps_for[_pid] == 0
}

#define is_to_wake(thread) (sleeps_for[thread] == wanted + 1)

/* rl_unlock_slow, rl_kernel_futex_wake_one: a full barrier in the kernel, then any one of those who sleep. */
inline futex_wake_one() {
    atomic {
#ifndef NO_BARRIER_IN_WAKE
        drain(_pid);
#endif
        if
        :: is_to_wake(0) -> sleeps_for[0] = 0
        :: is_to_wake(1) -> sleeps_for[1] = 0
#if THREADS > 2
        :: is_to_wake(2) -> sleeps_for[2] = 0
#endif
#if THREADS > 3
        :: is_to_wake(3) -> sleeps_for[3] = 0
#endif
        :: else
        fi
    }
}

/* sleep_until_locked. */
inline sleep_until_locked() {
#ifdef COUNTED_AFTER_BARRIER
    pass_barrier();
    atomic { drain(_pid); sleepers++ }
#else
    atomic { drain(_pid); sleepers++ }
    pass_barrier();
#endif
    do
    :: true ->
        try_lock();
        if
        :: has -> break
        :: else -> futex_wait()
        fi
    od;
    atomic { drain(_pid); sleepers-- }
}

/* rl_lock. */
inline lock() {
    try_lock();
    if
    :: has
    :: else -> sleep_until_locked()
    fi;
    has = false
}

/* rl_unlock: a store, then a reading, in the order of the program alone. */
inline unlock() {
    late_store[_pid] = wanted + 1;
#ifndef NO_LOOK_FOR_SLEEPERS
    has_sleepers = sleepers > 0;
#endif
    if
    :: has_sleepers -> futex_wake_one()
    :: else
    fi;
    has_sleepers = false
}

active [THREADS] proctype user() {
    byte turn, other;
    bit wanted;
    bool has, has_sleepers;
    do
    :: turn < TURNS ->
        if
        :: wanted = 0
#if LOCKS > 1
        :: wanted = 1
#endif
        fi;
        lock();
        atomic { holders[wanted]++; assert(holders[wanted] == 1) }
        holders[wanted]--;
        unlock();
        wanted = 0;
        turn++
    :: else -> break
    od
}

/* Whatever waits takes effect some time. */
active proctype memory() {
end:
    do
    :: atomic { late_store[0] > 0 -> drain(0) }
    :: atomic { late_store[1] > 0 -> drain(1) }
#if THREADS > 2
    :: atomic { late_store[2] > 0 -> drain(2) }
#endif
#if THREADS > 3
    :: atomic { late_store[3] > 0 -> drain(3) }
#endif
    od
}
