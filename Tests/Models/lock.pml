/*
 * The lock: base/lock.h and base/lock.c; change both together. Each step names the function it stands for.
 *
 * Threads take the lock and free it, in the two ways that there are, as often as TURNS says. No two may hold
 * it at once; and none may sleep for ever, which would be a state in which nothing can go on ("invalid end
 * state"). What processors do to the order of memory is in it where the engine relies on less than sequential
 * consistency: rl_unlock_quickly's store may take effect at any time after it. It waits in `is_store_late`,
 * seen by its own thread's next locked instruction, by a barrier, and by chance. A reading that comes early is
 * the same thing.
 *
 * Left out: spinning, which is the first attempt made more often; MOST_SLEEPERS; and kernels without barriers,
 * where a sleep is short.
 *
 * Must hold: THREADS=2 TURNS=3
 * Must hold: THREADS=3 TURNS=1
 * Must hold: THREADS=3 TURNS=3
 * Must hold: THREADS=4 TURNS=1
 * Must fail: THREADS=2 TURNS=2 NO_BARRIER
 * Must fail: THREADS=2 TURNS=2 COUNTED_AFTER_BARRIER
 * Must fail: THREADS=2 TURNS=2 NO_BARRIER_IN_WAKE
 * Must fail: THREADS=2 TURNS=2 NO_COMPARISON_IN_WAIT
 * Must fail: THREADS=2 TURNS=2 NO_LOOK_FOR_SLEEPERS
 * Must fail: THREADS=2 TURNS=2 TRIES_IN_TWO_STEPS
 * Must fail: THREADS=3 TURNS=1 NO_COUNT_FROM_WORD
 */

/* struct rl_lock. */
bool is_held;
byte sleepers;

/* The thread has freed the lock by a plain store that no other one sees yet. */
bool is_store_late[THREADS];

/* The thread sleeps in futex(2). */
bool is_asleep[THREADS];

/* Between rl_lock and rl_unlock, as the threads know it. */
byte holders;

/* What waited takes effect. */
inline drain(thread) {
    if
    :: is_store_late[thread] -> is_held = false; is_store_late[thread] = false
    :: else
    fi
}

/* rl_try_lock: an exchange, before which the thread's own stores have taken effect. */
inline try_lock(ret_has) {
#ifdef TRIES_IN_TWO_STEPS
    atomic { drain(_pid); ret_has = !is_held }
    if
    :: ret_has -> is_held = true
    :: else
    fi
#else
    atomic { drain(_pid); ret_has = !is_held; is_held = true }
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
        :: is_held != seen_held || sleepers != seen_sleepers -> skip
#endif
        :: else -> is_asleep[_pid] = true
        fi
    }
    !is_asleep[_pid]
}

/* rl_unlock_slow, rl_kernel_futex_wake_one: a full barrier in the kernel, then any one of those who sleep. */
inline futex_wake_one() {
    atomic {
#ifndef NO_BARRIER_IN_WAKE
        drain(_pid);
#endif
        if
        :: is_asleep[0] -> is_asleep[0] = false
        :: is_asleep[1] -> is_asleep[1] = false
#if THREADS > 2
        :: is_asleep[2] -> is_asleep[2] = false
#endif
#if THREADS > 3
        :: is_asleep[3] -> is_asleep[3] = false
#endif
        :: else
        fi
    }
}

/* sleep_until_locked. */
inline sleep_until_locked() {
#ifndef COUNTED_AFTER_BARRIER
    atomic { drain(_pid); sleepers++ }
#endif
    pass_barrier();
    do
    :: true ->
        try_lock(has);
        if
        :: has -> break
        :: else
        fi;
        atomic { seen_held = is_held; seen_sleepers = sleepers }
        if
        :: !seen_held -> skip
        :: else ->
#ifdef COUNTED_AFTER_BARRIER
            atomic { drain(_pid); sleepers++; seen_sleepers = sleepers }
#endif
            futex_wait();
#ifdef COUNTED_AFTER_BARRIER
            atomic { drain(_pid); sleepers-- }
#endif
        fi;
        atomic { seen_held = false; seen_sleepers = 0 }
    od;
    atomic { seen_held = false; seen_sleepers = 0 }
#ifndef COUNTED_AFTER_BARRIER
    atomic { drain(_pid); sleepers-- }
#endif
}

/* rl_lock. */
inline lock() {
    try_lock(has);
    if
    :: has
    :: else -> sleep_until_locked()
    fi;
    has = false
}

/* rl_unlock: one exchange frees the lock and tells of sleepers. */
inline unlock() {
    atomic {
        drain(_pid);
        is_held = false;
#ifndef NO_COUNT_FROM_WORD
        seen_sleepers = sleepers
#endif
    }
    if
    :: seen_sleepers > 0 -> futex_wake_one()
    :: else
    fi;
    seen_sleepers = 0
}

/* rl_unlock_quickly: a store, then a reading, in the order of the program alone. */
inline unlock_quickly() {
    is_store_late[_pid] = true;
#ifndef NO_LOOK_FOR_SLEEPERS
    seen_sleepers = sleepers;
#endif
    if
    :: seen_sleepers > 0 -> futex_wake_one()
    :: else
    fi;
    seen_sleepers = 0
}

active [THREADS] proctype user() {
    byte turn, other, seen_sleepers;
    bool has, seen_held;
    do
    :: turn < TURNS ->
        lock();
        atomic { holders++; assert(holders == 1) }
        holders--;
        if
        :: unlock()
        :: unlock_quickly()
        fi;
        turn++
    :: else -> break
    od
}

/* Whatever waits takes effect some time. */
active proctype memory() {
end:
    do
    :: atomic { is_store_late[0] -> drain(0) }
    :: atomic { is_store_late[1] -> drain(1) }
#if THREADS > 2
    :: atomic { is_store_late[2] -> drain(2) }
#endif
#if THREADS > 3
    :: atomic { is_store_late[3] -> drain(3) }
#endif
    od
}
