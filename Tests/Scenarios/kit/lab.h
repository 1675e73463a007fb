/*
 * The environment of one scenario: its trace, its threads, and its cleanup.
 *
 * Nothing here depends on an engine. Every thread that belongs to a scenario knows its lab, so
 * the functions take none. All may be called from any such thread.
 */

#ifndef SCENARIOKIT_LAB_H
#define SCENARIOKIT_LAB_H

#include <CHarness.h>

#include <stdbool.h>

/* Of the blocks runtime, whose header is not on every include path. */
extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

/** A piece of a scenario. */
typedef void (^action)(void);

/** The room itself. */
struct lab;

/** A thread that a scenario started. */
struct helper_thread;

/** A gate that is closed until it is opened; each opening lets one thread pass. */
struct gate;

/** The expected hints: null if they do not matter, else as `scenario.expected_hints`, or empty. */
typedef const char *hint_words;

/**
 * Runs a body on a fresh thread in a lab of its own, waits for the thread to be gone, and cleans
 * up.
 *
 * - Returns: The trace, which the caller frees; it ends in `hangs` if the body does not end.
 */
char *lab_run(void (*body)(void), hint_words expected_hints);

/** As lab_run, but on the calling thread, for programs that end soon after. */
char *lab_run_here(void (*body)(void), hint_words expected_hints);

/**
 * From here on, hints on threads without a lab count for the running lab, which is the process's
 * only one.
 */
void lab_be_alone(void);

/** Takes a hint of the engine, on the thread that it concerns. */
void lab_take_hint(const char *line);

/**
 * From here on, writes every entry to a descriptor at once, so that it is not lost when the
 * process dies.
 */
void lab_echo(int descriptor);

/** Adds an entry to the trace. The entry must not contain `;`. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Adds an entry that names a condition if it does not hold. */
#define check(condition) lab_check((condition), #condition, __LINE__)
/** @see check */
void lab_check(bool holds, const char *condition, int line);

/** Has something done when the body has returned, on its thread, last request first. */
void at_return(action cleanup);

/** Has something done when the scenario's thread is gone, last request first. */
void at_end(action cleanup);

/**
 * Fails the process of a scenario that would otherwise wait forever. Cleanup actions run before:
 * started processes end.
 */
_Noreturn void end_in_failure(void);

/** Starts a thread; it must be joined by join_thread. */
struct helper_thread *start_thread(action body);

/** The lab of the calling thread, for lab_join. */
struct lab *lab_here(void);

/** Adds a thread that other code has started to a lab. */
void lab_join(struct lab *lab);

/** Waits for the end of a thread. */
void join_thread(struct helper_thread *thread);

/** Does something on another thread and waits until that thread is gone. */
void elsewhere(action body);

/** Makes a closed gate. */
struct gate *make_gate(void);

/** Lets one thread pass, at once or later. */
void open_gate(struct gate *gate);

/** Waits for the gate to be opened. */
void pass_gate(struct gate *gate);

/** A new folder, which is removed with its contents at the end. */
const char *make_folder(void);

/** The beginning of the names of a process's folders, by its number. */
#define SCENARIO_FOLDERS "/tmp/corerunloop-test-%d-"

/**
 * Waits until the other end of a connection is closed: here, and in processes that are just being
 * started elsewhere and have it until they run their program.
 */
void await_hang_up(int end);

/** Keeps the processor busy until the monotonic clock has moved on by `seconds`. */
void stay_busy(double seconds);

#endif
