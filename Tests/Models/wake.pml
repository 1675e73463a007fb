/*
 * What wakes a loop: wait/wake.h, wait/wake.c, and the use of both in run/run.c, run/pass.c, run/wait.c and run/host.c; change
 * them together. Each step names the function it stands for.
 *
 * The loop runs in one mode, and in callbacks nested in the same or in another one. Clients, each a thread, make
 * work for one of the modes and wake the loop up, or stop it. A wake-up is lost if the loop sleeps in the kernel,
 * nobody is going to write to its port any more, and there is work of the mode, a stop, or a wake-up that is
 * pending. Hosted, the loop's thread sleeps in its host instead (HOSTED): the work is lost if the host's descriptor
 * is not readable then; and the host spins if it is, again and again, with no work there. A loop that has no port
 * (WITHOUT_PORT) sleeps on a futex. A bare wake-up (BARE) has to be followed by the beginning of a pass, where observers
 * look at what they have been woken for. A client may remove the last item of a mode (EMPTIES), which ends a run.
 *
 * All steps are sequentially consistent, as all operations on the word are, and as clients make work visible by
 * exchanges.
 *
 * Must hold: CLIENTS=2
 * Must hold: CLIENTS=2 STOPS
 * Must hold: CLIENTS=1 ASKS_BEFORE_WAKING
 * Must hold: CLIENTS=3 DEPTH=1
 * Must hold: CLIENTS=1 DEPTH=3
 * Must hold: CLIENTS=2 WITHOUT_PORT STOPS
 * Must hold: CLIENTS=1 EMPTIES
 * Must hold: CLIENTS=2 EMPTIES DEPTH=1
 * Must hold: CLIENTS=2 WITHOUT_PORT EMPTIES DEPTH=1
 * Must hold: CLIENTS=2 HOSTED OUTSIDE
 * Must hold: CLIENTS=2 HOSTED
 * Must hold: CLIENTS=1 HOSTED ASKS_BEFORE_WAKING
 * Must hold: CLIENTS=2 BARE DEPTH=1
 * Must hold: CLIENTS=2 HOSTED BARE
 * Must hold: CLIENTS=1 HOSTED OUTSIDE BARE
 * Must hold: CLIENTS=1 HOSTED OUTSIDE OWN_WORK
 * Must fail: CLIENTS=1 NO_RING
 * Must fail: CLIENTS=1 RINGS_FIRST
 * Must fail: CLIENTS=1 WAKES_BEFORE_WORK
 * Must fail: CLIENTS=1 LISTENS_AFTER_LOOK
 * Must fail: CLIENTS=1 NO_LOOK_AFTER_NESTED_RUN
 * Must fail: CLIENTS=1 DROPPED_IS_FORGOTTEN
 * Must fail: CLIENTS=1 STOPS STOP_IS_FORGOTTEN
 * Must fail: CLIENTS=1 WITHOUT_PORT NO_TEST_FOR_PENDING
 * Must fail: CLIENTS=1 WITHOUT_PORT NAP_AFTER_TEST
 * Must fail: CLIENTS=1 ASKS_BEFORE_WAKING NO_LOOK_FOR_BLOCKS
 * Must fail: CLIENTS=1 EMPTIES DEPTH=1 CHECKS_ITEMS_BEFORE_RUN
 * Must fail: CLIENTS=1 EMPTIES DEPTH=1 CHECKS_ITEMS_BEFORE_LISTENING
 * Must fail: CLIENTS=1 EMPTIES NO_LOOK_FOR_ITEMS_AFTER_NESTED_RUN
 * Must fail: CLIENTS=2 HOSTED NO_LOOK_FOR_LATE_CALL
 * Must fail: CLIENTS=1 HOSTED OUTSIDE OWN_WORK NO_CALL_FOR_WORK
 * Must fail: CLIENTS=2 HOSTED OUTSIDE NO_LOOK_AFTER_TAKING_BACK
 * Must fail: CLIENTS=2 HOSTED OUTSIDE NO_CALL_BEFORE_CALLBACK
 * Must fail: CLIENTS=2 HOSTED BARE DEPTH=1 NO_CALL_FOR_WAKE_UP
 * Must fail: CLIENTS=2 HOSTED BARE DEPTH=1 NO_CALL_FOR_DROPPED
 * Must fail: CLIENTS=2 HOSTED BARE DEPTH=1 TAKES_BACK_LATE
 */

#ifndef DEPTH
#define DEPTH 2
#endif

/* --- The word ------------------------------------------------------------------------------------ */

/* The bits of rl_wake.word, by their names in wake.h; the last ones are those of a run. */
bool pending, called;
bool running, listening, stopped, dropped;

/* The eventfd: whether its count is above 0, and whether the set of a mode has yet to report a write to it. */
bool has_count;
bool has_edge[2];

/* rl_wake.nap. */
bool nap;

/* What there is to do, by mode: blocks that have come, and signalled sources. */
bool has_block[2], has_source[2];

/* What an observer of the common modes looks at when a pass begins. */
bool is_wanted;

/* Whether mode 0 has no item. */
bool is_empty;

/* rl_loop.is_waiting. */
bool is_waiting;

/* Clients that may still do something. */
byte clients = CLIENTS;

/* rl_wake_write_port. */
inline ring() {
#ifdef WITHOUT_PORT
    nap = false
#else
    atomic { has_count = true; has_edge[0] = true; has_edge[1] = true }
#endif
}

/* word_after_wake_up of wake.c, and the comparison after which the exchange continues: whether to write to the port. */
inline note_wake_up(ret_rings) {
#ifdef HOSTED
    ret_rings = !called;
    called = true;
#endif
    if
    :: listening && !pending ->
#ifndef NO_RING
        ret_rings = true;
#endif
        pending = true
    :: !listening && running -> dropped = true
    :: else
    fi
}

/* rl_wake_up; rl_wake_up_for_signal leaves out a step that changes nothing. */
inline wake_up() {
#ifdef RINGS_FIRST
    ring();
    atomic { note_wake_up(rings); rings = false }
#else
    atomic { note_wake_up(rings) }
#endif
    if
    :: rings -> ring()
    :: else
    fi;
    rings = false
}

/* rl_wake_stop. */
inline stop() {
    atomic {
        if
        :: running -> note_wake_up(rings); stopped = true
        :: else
        fi
    }
    if
    :: rings -> ring()
    :: else
    fi;
    rings = false
}

/* RLRunLoopPerformBlock (push of block.c) and RLRunLoopSourceSignal (mark_and_link of source.c). */
inline make_work() {
    if
    :: has_block[0] = true
    :: has_source[0] = true
    /* Clients are alike: it is enough if one of them may ask for the other mode. */
    :: _pid == 0 -> has_block[1] = true
    :: _pid == 0 -> has_source[1] = true
    fi
}

active [CLIENTS] proctype client() {
    bool rings;
    if
#ifdef WAKES_BEFORE_WORK
    :: true -> wake_up(); make_work()
#else
#ifdef BARE
    :: _pid == CLIENTS - 1 -> is_wanted = true; wake_up()
#endif
#ifdef STOPS
    :: _pid == CLIENTS - 1 -> stop()
#endif
#ifdef EMPTIES
    /* Removes the last item. */
    :: _pid == CLIENTS - 1 -> is_empty = true; wake_up()
#endif
#ifdef ASKS_BEFORE_WAKING
    /* Some wake a loop only if RLRunLoopIsWaiting returns true. */
    :: _pid == CLIENTS - 1 ->
        has_block[0] = true;
        if
        :: is_waiting -> wake_up()
        :: else
        fi
#endif
    :: else -> make_work(); wake_up()
#endif
    fi;
    clients--
}

/* --- The loop ------------------------------------------------------------------------------------ */

/* Where a run is; `polls` is the host that the thread is in before the run. */
mtype = {
    polls, begins, checks_items, takes_stop, listens, drains, performs, drains_again, reports_sleep, looks_for_missed,
    looks_for_work, looks, looks_in_kernel, looks_in_memory, looks_for_blocks, begins_nap, tests, is_in_kernel, has_woken,
    gets_up, reports_waking, serves, drains_last, decides, checks_items_again, reports_exit,
    ends
};

/* struct rl_activation, and what rl_pass_make and those that it calls have on the stack. */
typedef activation {
    mtype at;
    bit mode;
    bool is_poll, is_listening, has_taken_wake_up, has_lost_wake_up;
    bool outer_running, outer_listening, outer_stopped, outer_dropped;
    bool looks_only, is_other_event, is_time_up;
    /* RLRunLoopRunHosted has begun it. */
    bool is_for_host;
};

activation runs[DEPTH];

/* The innermost run. */
byte depth;

/* Whether the loop's thread has queued its block. */
bool has_queued;

/* Passes for a host that had nothing to do, one after the other. */
byte idle_passes;

#define run runs[depth]
#define is_over (is_empty && run.mode == 0 && !run.is_poll)
#define is_work_of(a_mode) (has_block[a_mode] || has_source[a_mode])

/* Of the outermost run only a host asks whether it was woken. */
#ifdef HOSTED
#define notes_wake_ups true
#else
#define notes_wake_ups (depth > 0)
#endif

#ifdef WITHOUT_PORT
#define is_readable(a_mode) (!nap)
#else
#define is_readable(a_mode) (has_edge[a_mode] && has_count)
#endif

/* RLRunLoopRunInMode, or a host that is run. */
inline begin(place, its_mode, polls_only) {
    run.at = place;
    run.mode = its_mode;
    run.is_poll = polls_only;
    run.is_listening = true;
    run.has_taken_wake_up = false;
    run.has_lost_wake_up = false;
    run.is_for_host = false
}

/* Nothing is left of it. */
inline leave() {
    begin(0, 0, false);
    run.is_listening = false;
    run.outer_running = false; run.outer_listening = false;
    run.outer_stopped = false; run.outer_dropped = false;
    depth--
}

inline finish_pass() {
    run.looks_only = false;
    run.is_time_up = false
}

/* rl_block_drain, as far as blocks have come. */
inline drain_blocks(next) {
    if
    :: atomic { has_block[run.mode] -> has_block[run.mode] = false; run.at = next }
        callback()
    :: atomic { else -> run.at = next }
    fi
}

/* rl_wake_call_host. */
inline call_host() {
    atomic {
        if
        :: !called -> called = true; rings = true
        :: else
        fi
    }
    if
    :: rings -> ring()
    :: else
    fi;
    rings = false
}

/*
 * Client code (pass_callout.c): it may run the loop nested, with a limit that is reached at any time, or the host; and
 * queue a block, once, for which the loop's own thread wakes nobody (OWN_WORK).
 */
inline callback() {
#ifdef HOSTED
#ifndef NO_CALL_BEFORE_CALLBACK
    call_host();
#endif
#endif
    if
    :: atomic { depth + 1 < DEPTH -> depth++; begin(begins, 0, false) }
    :: atomic { depth + 1 < DEPTH -> depth++; begin(begins, 1, false) }
#ifdef HOSTED
    :: atomic { depth + 1 < DEPTH -> depth++; begin(polls, 0, true) }
#endif
#ifdef OWN_WORK
    :: atomic { !has_queued -> has_queued = true; has_block[0] = true; idle_passes = 0 }
        call_host()
#endif
    :: true
    fi
}

/* rl_pass_stop_listening of pass.c: rl_wake_ignore. */
inline stop_listening() {
    atomic {
        if
        :: run.is_listening -> listening = false; run.is_listening = false
        :: else
        fi
    }
}

/* rl_pass_notify_without_listening of pass.h, where there may be observers. */
inline notify_without_listening() {
    if
    :: stop_listening(); callback()
    :: true
    fi
}

/* rl_wake_consume, and what wait_for_event of pass.c notes of it. */
inline consume() {
    atomic {
        pending = false; listening = false;
        run.is_listening = false; run.has_taken_wake_up = notes_wake_ups
    }
}

/* rl_wait_set_take, for a set that reports a write; rl_wake_answer, if it is the host's. */
inline take_ring() {
    has_edge[run.mode] = false;
#ifdef HOSTED
    if
    :: run.mode == 0 -> called = false
    :: else
    fi
#endif
}

/* rl_wake_take_back: rl_wake_answer, rl_kernel_take_count, and another look. */
inline take_back() {
    if
    :: called ->
        called = false;
        has_count = false;
#ifndef NO_LOOK_AFTER_TAKING_BACK
        if
        :: called || pending -> ring()
        :: else
        fi
#endif
    :: else
    fi
}

/* rl_host_is_called: rl_wake_take_late_call, where no pass asks the kernel. */
inline take_late_call() {
#ifndef OUTSIDE
#ifndef NO_LOOK_FOR_LATE_CALL
    if
    :: run.is_for_host && is_readable(0) && !called ->
        has_count = false;
        if
        :: called || pending -> ring()
        :: else
        fi
    :: else
    fi;
#endif
#endif
    skip
}

/* rl_host_end_run. */
inline rest() {
#ifdef HOSTED
    if
    :: depth == 0 -> is_waiting = true
    :: else
    fi;
#ifndef NO_CALL_FOR_WAKE_UP
    if
    :: pending || run.has_taken_wake_up -> call_host()
    :: else
    fi;
#endif
#ifndef NO_CALL_FOR_WORK
    if
    :: is_work_of(0) -> call_host()
    :: else
    fi
#endif
#else
    skip
#endif
}

/* rl_wake_begin_run. */
inline begin_run() {
    atomic {
        run.outer_running = running; run.outer_listening = listening;
        run.outer_stopped = stopped; run.outer_dropped = dropped;
        running = true; listening = true; stopped = false; dropped = false
    }
}

/* end_run and end_nested_run of run.c, and rl_wake_end_run. */
inline end_run() {
#ifdef HOSTED
#ifndef TAKES_BACK_LATE
    take_back();
#endif
#endif
    atomic {
#ifndef DROPPED_IS_FORGOTTEN
#ifndef NO_CALL_FOR_DROPPED
        run.has_taken_wake_up = notes_wake_ups && (run.has_taken_wake_up || dropped);
#endif
#endif
        running = run.outer_running; listening = run.outer_listening; stopped = run.outer_stopped;
        dropped = run.outer_dropped || (dropped && run.outer_running);
        if
        :: depth > 0 && run.has_taken_wake_up ->
#ifdef HOSTED
            runs[depth - 1].has_taken_wake_up = true;
#else
            runs[depth - 1].has_taken_wake_up = depth > 1;
#endif
            if
            :: runs[depth - 1].is_listening -> runs[depth - 1].has_lost_wake_up = true
            :: else
            fi
        :: else
        fi
    }
#ifdef TAKES_BACK_LATE
    take_back();
#endif
    rest()
}

/* No client does anything any more, and the loop waits without limit: that must be right. */
inline check_sleep() {
    assert(!pending);
    assert(!stopped);
    assert(!is_wanted);
    assert(!is_over);
    assert(!is_work_of(run.mode))
}

/* Before a pass for the host. */
inline count_idle_passes() {
    atomic {
        if
        :: clients == 0 && depth == 0 && !is_work_of(0) && !is_wanted -> idle_passes++
        :: else -> idle_passes = 0
        fi;
        assert(idle_passes <= 2)
    }
}

/*
 * Each step is one access to what is shared; what goes before and after is the loop's own.
 */
active proctype loop() {
    bool rings;
#ifdef HOSTED
    atomic { begin(polls, 0, true) }
    /* RLRunLoopBeginHosting. */
    rest();
#else
    atomic { begin(begins, 0, false) }
#endif
    do
    /* RLRunLoopRunHosted, if the descriptor is readable. */
    :: atomic { run.at == polls && is_readable(0) -> count_idle_passes(); run.is_for_host = true; run.at = begins }
    :: atomic { run.at == polls && depth > 0 -> leave() }
    :: atomic { run.at == polls && clients == 0 && !is_readable(0) -> assert(!is_work_of(0) && !is_wanted); break }

    /* begin_run of run.c, make_passes. */
#ifdef CHECKS_ITEMS_BEFORE_RUN
    :: atomic { run.at == begins -> is_waiting = is_waiting && depth > 0; run.at = checks_items }
    :: atomic { run.at == checks_items && is_over -> begin_run(); run.at = ends }
    :: atomic { run.at == checks_items && !is_over -> run.at = checks_items_again }
    :: atomic { run.at == checks_items_again -> begin_run(); run.at = takes_stop }
#else
    :: atomic { run.at == begins -> is_waiting = is_waiting && depth > 0; begin_run(); run.at = checks_items }
    :: atomic { run.at == checks_items && is_over -> run.at = ends }
    :: atomic { run.at == checks_items && !is_over -> run.at = takes_stop }
#endif
    :: atomic { run.at == takes_stop && stopped -> stopped = false; run.at = reports_exit }
    :: atomic { run.at == takes_stop && !stopped -> run.at = listens }

    /* rl_pass_make. */
    :: atomic {
            run.at == listens ->
#ifndef LISTENS_AFTER_LOOK
            listening = true; run.is_listening = true;
#endif
            is_wanted = false;
            run.has_lost_wake_up = false;
            run.looks_only = run.is_poll;
            run.at = drains
        }
    :: run.at == drains -> drain_blocks(performs)
    :: atomic {
            run.at == performs && has_source[run.mode] ->
            has_source[run.mode] = false;
            run.looks_only = true;
            run.at = drains_again
        }
        callback()
    :: atomic { run.at == performs && !has_source[run.mode] -> run.at = reports_sleep }
    :: run.at == drains_again -> drain_blocks(reports_sleep)

    /* wait_for_event of pass.c. */
    :: atomic {
            run.at == reports_sleep ->
#ifdef LISTENS_AFTER_LOOK
            listening = true; run.is_listening = true;
#endif
            run.is_time_up = run.looks_only;
            run.at = looks_for_missed
        }
        if
        :: !run.looks_only -> callback()
        :: true
        fi
    /* has_missed_work. */
    :: atomic {
            run.at == looks_for_missed ->
#ifndef STOP_IS_FORGOTTEN
            run.is_time_up = run.is_time_up || stopped;
#endif
            run.at = looks_for_work
        }
    :: atomic {
            run.at == looks_for_work ->
#ifndef NO_LOOK_AFTER_NESTED_RUN
            run.is_time_up = run.is_time_up || (run.has_lost_wake_up && is_work_of(run.mode));
#endif
#ifndef NO_LOOK_FOR_ITEMS_AFTER_NESTED_RUN
            run.is_time_up = run.is_time_up || (run.has_lost_wake_up && is_over);
#endif
            run.at = looks
        }

    /* rl_wait_for_event: a poll, or a sleep without one if the set is there. */
    :: atomic { run.at == looks -> run.at = looks_in_kernel }
#ifndef WITHOUT_PORT
    :: atomic { run.at == looks && !run.is_time_up -> is_waiting = true; run.at = looks_for_blocks }
#endif
    /* poll_set, where the mode has descriptors; an event without a pending wake-up is stale. */
    :: atomic {
            run.at == looks_in_kernel ->
#ifdef OUTSIDE
            if
            :: is_readable(run.mode) -> take_ring()
            :: else -> has_edge[run.mode] = false
            fi;
#endif
            run.at = looks_in_memory
        }
    /* The same event, or poll_memory. */
    :: atomic { run.at == looks_in_memory && pending -> consume(); run.at = reports_waking }
    :: atomic { run.at == looks_in_memory && !pending && run.is_time_up -> run.at = reports_waking }
    :: atomic { run.at == looks_in_memory && !pending && !run.is_time_up -> is_waiting = true; run.at = looks_for_blocks }
    /* has_unannounced_block. */
    :: atomic {
            run.at == looks_for_blocks ->
            if
#ifndef NO_LOOK_FOR_BLOCKS
            :: has_block[run.mode] -> consume(); run.at = reports_waking
#endif
            :: else -> run.at = begins_nap
            fi
        }

    /* prepare_sleep: rl_wake_begin_nap, where there is no set. */
#ifdef WITHOUT_PORT
#ifdef NAP_AFTER_TEST
    :: atomic { run.at == begins_nap && !pending -> run.at = tests }
    :: atomic { run.at == begins_nap && pending -> run.at = has_woken }
    :: atomic { run.at == tests -> nap = true; run.at = is_in_kernel }
#else
    :: atomic { run.at == begins_nap -> nap = true; run.at = tests }
    /* rl_wake_nap. */
#ifdef NO_TEST_FOR_PENDING
    :: atomic { run.at == tests -> run.at = is_in_kernel }
#else
    :: atomic { run.at == tests && !pending -> run.at = is_in_kernel }
    :: atomic { run.at == tests && pending -> run.at = has_woken }
#endif
#endif
#else
    :: atomic { run.at == begins_nap -> run.at = is_in_kernel }
#endif
    /* rl_kernel_poll_wait: a write, something else (a timer, a descriptor), or the limit of the run. */
    :: atomic { run.at == is_in_kernel && is_readable(run.mode) -> take_ring(); run.at = has_woken }
    :: atomic { run.at == is_in_kernel -> run.is_other_event = true; run.at = has_woken }
    :: atomic { run.at == is_in_kernel -> run.is_time_up = true; run.at = has_woken }
    :: atomic { run.at == is_in_kernel && clients == 0 && !is_readable(run.mode) -> check_sleep(); break }
    /* accept_event, and poll_memory after a stale event. */
    :: atomic {
            run.at == has_woken ->
            if
            :: !run.is_other_event && pending -> consume(); run.at = reports_waking
            :: else -> run.at = gets_up
            fi
        }
    :: atomic {
            run.at == gets_up ->
            if
            :: run.is_time_up || run.is_other_event -> run.at = reports_waking
            :: else -> run.at = begins_nap
            fi
        }

    /* The rest of wait_for_event and of rl_pass_make. */
    :: atomic { run.at == reports_waking -> is_waiting = false; run.at = serves }
        if
        :: !run.looks_only -> notify_without_listening()
        :: else
        fi
    :: atomic { run.at == serves && !run.is_other_event -> run.at = drains_last }
    :: atomic { run.at == serves && run.is_other_event -> run.is_other_event = false; run.at = drains_last }
        stop_listening();
        callback()
    :: run.at == drains_last ->
        if
        :: atomic { has_block[run.mode] -> stop_listening() }
            drain_blocks(decides)
        :: atomic { else -> run.at = decides }
        fi
    :: atomic { run.at == decides -> finish_pass(); run.at = reports_exit }
    :: atomic { run.at == decides && !run.is_poll && stopped -> finish_pass(); stopped = false; run.at = reports_exit }
#ifdef CHECKS_ITEMS_BEFORE_LISTENING
    :: atomic { run.at == decides && !run.is_poll && !stopped -> finish_pass(); run.at = (is_over -> reports_exit : listens) }
#else
    :: atomic {
            run.at == decides && !run.is_poll && !stopped ->
            finish_pass();
#ifndef LISTENS_AFTER_LOOK
            listening = true; run.is_listening = true;
#endif
            run.at = checks_items_again
        }
    :: atomic { run.at == checks_items_again && is_over -> run.at = reports_exit }
    :: atomic { run.at == checks_items_again && !is_over -> run.at = listens }
#endif

    /* make_passes, end_run of run.c. */
    :: run.at == reports_exit -> run.at = ends; notify_without_listening()
    :: run.at == ends ->
        end_run();
        take_late_call();
        atomic {
            if
            :: depth > 0 -> leave()
#ifdef HOSTED
            :: else -> begin(polls, 0, true)
#else
            :: else -> begin(begins, 0, false)
#endif
            fi
        }
    od
}
