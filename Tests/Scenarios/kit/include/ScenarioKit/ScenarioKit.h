/*
 * The scenario kit: the expected behavior of run loops, as small programs.
 *
 * A scenario is written once, in C, as a client of our engine (RL). Compiled again behind
 * `reference.h`, which renames symbols, it runs on the reference in the toolchain's libFoundation
 * (CF): the folders that `reference` links to are. Running it yields a trace, a text that lists
 * what happened in order. The trace of RL must be the expected one; so must the trace of CF, unless
 * the scenario names a deviation. That makes each scenario a unit test of the engine, and a
 * conformance test of the expectation.
 *
 * HOW TO WRITE ONE
 *
 * It is one edit in one file, which lies in the folder of its subject and compiles alone. A new
 * file includes `scenario.h`, and is in no list.
 *
 * 1. Write a static function without parameters. It runs on a fresh thread whose run loop nobody
 *    used before (or on the main thread of a process of its own, see `main_thread`). It uses the
 *    engine's functions, and the tools of `gadgets.h` (things that log by themselves), `words.h`
 *    (short words), and the header of words beside it:
 *
 *        static void stop_against_handled(void)
 *        {
 *            RLRunLoopSourceRef source = SOURCE("A", .perform = ^{ stop(); });
 *            add_source(source, "DEF");
 *            signal_source(source);
 *            run("DEF", 1, true);
 *        }
 *        SCENARIO(stop_against_handled,
 *                 .title = "A handled source wins over a stop when the caller wants to return",
 *                 .clauses = "RUN-15 RUN-20",
 *                 .expected = "A; = HandledSource")
 *
 * 2. Declare its purpose and its expected trace below it, with `SCENARIO` as above, which also
 *    lists it: `scenario-runner rl stop_against_handled` runs it.
 *    `STOPS` declares a scenario of a single call that must stop the process.
 *
 * What gadgets log: a source "A" logs `A` when it performs, and on request `A joins M`, `A leaves
 * M`, `A retained`, `A released`; a timer `t` logs `t`; an observer `o` logs `o Entry`; `watch`
 * logs the bare activities; `run` logs the result as `= TimedOut`; `note` logs anything. The mode
 * names "DEF" and "COM" stand for the default and the common modes, in both directions. Never log
 * a time or an address; `check(condition)` logs only when it fails.
 *
 * Order comes from events, not from sleeping: other threads are joined (`elsewhere`), stopped at
 * gates, or wait for the loop to sleep (`wait_until_asleep`). On a busy machine, some milliseconds
 * pass between any two calls. So a short limit ends only a run in which no further event is
 * expected; otherwise the last event stops a run of ten seconds, which a lost wake-up does not end
 * earlier. Timers that must not be due at once run in virtual time (`use_virtual_time`). Times are
 * checked only from below.
 *
 * Hints of debug builds (Docs/Diagnostics.md) are part of the trace, as `hint: …`, unless the
 * scenario declares them by `expected_hints`; if a declared hint does not come, the trace has
 * `silent: …`.
 *
 * Objects that gadgets make live until the scenario returns; their infos until its thread is
 * gone. A scenario that leaves items in its loop thereby also tests the end of a thread.
 */

#ifndef SCENARIOKIT_H
#define SCENARIOKIT_H

#include <stdbool.h>

/** The implementations that a scenario can run on. */
enum scenario_engine {
    /** Ours. */
    scenario_engine_rl = 0,
    /** The reference in libFoundation. */
    scenario_engine_cf = 1
};

/** One scenario of one engine. All texts are constant. */
struct scenario {
    /** A name, unique and fit for a command line. */
    const char *name;
    /** The path of the file that it stands in, whose folder is its subject. */
    const char *file;
    /** The tested behavior, as a sentence. */
    const char *title;
    /** The clauses of Docs/Specification.md that it proves, separated by blanks. */
    const char *clauses;
    /** The expected trace: entries separated by `; `. Null for none: it uses `check`. */
    const char *expected;
    /** If CF differs on purpose: which deviation and why. Null if both engines must agree. */
    const char *deviation;
    /** With `deviation`: the trace that CF must leave. Null if CF is not run. */
    const char *reference;
    /**
     * The hints of our engine in debug builds, for calls that are allowed and pointless: a few
     * words of each line, separated by `; `, with a `?` in front of hints that depend on timing.
     * Null without hints.
     */
    const char *expected_hints;
    /** Whether only our engine can run it, as it uses functions that the reference lacks. */
    bool rl_only;
    /** Whether it needs the main thread, and so a process of its own. */
    bool main_thread;
    /**
     * Whether it needs its own process because it forks, kills, counts process-wide, or uses the
     * number of a closed descriptor, which other threads may get.
     */
    bool own_process;
    /** Whether the process must be killed by a signal at the end of the trace. */
    bool dies;
    /** The program. */
    void (*body)(void);
};

/** The number of scenarios. */
int scenario_count(void);

/**
 * A scenario by its number, from 0.
 *
 * - Returns: The scenario, or null if the engine does not have it.
 */
const struct scenario *scenario_at(enum scenario_engine engine, int number);

/** The number of the scenario called `name`, or -1. */
int scenario_number(const char *name);

/**
 * Whether the trace of the scenario on this engine is known and can be compared: always on RL,
 * and on CF unless the reference cannot show it.
 */
bool scenario_is_comparable(enum scenario_engine engine, int number);

/** The trace that the scenario must leave on this engine. */
const char *scenario_expected(enum scenario_engine engine, int number);

/**
 * The `main` of the runner.
 *
 * - `runner list`: prints the names of all scenarios, their clauses and titles.
 * - `runner rl NAME`, `runner cf NAME`: runs one scenario in this process, on the main thread if it
 *   needs that, and prints its trace.
 * - `runner check [rl|cf] [PREFIX]`: runs and compares those whose names begin so, printing every
 *   difference and `N passed, N failed`; on RL alone if this build has no CF. `timers/` selects a
 *   subject, `timers/fire` a prefix in it.
 * - `runner random [COUNT [SEED]]`, `runner random-main …`: runs the random programs of consecutive
 *   seeds on both engines, and prints the first difference of each and how many were equal; the
 *   latter on main threads, whose loops serve the main queue. Without CF, only runs them.
 *
 * `check` uses several processes. A scenario that needs its own is run by the executable
 * `scenario-runner` beside the running one, or by the one that the environment variable
 * SCENARIO_RUNNER names; any other is run on a fresh thread. A scenario that rests for half a
 * minute, or keeps all processors busy for as long, is abandoned, and its trace ends in `hangs`.
 * One that dies by a signal ends in `dies`.
 *
 * - Returns: The exit status: 0 if all went well.
 */
int scenario_main(int argument_count, char **arguments);

#endif
