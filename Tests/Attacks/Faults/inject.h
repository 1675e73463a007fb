/*
 * Injected faults: which call of the engine is to fail, and what a run leaves for its judge.
 *
 * The engine's objects are linked with the names of the C library's calls changed to those of
 * wrappers (`fault_call_…`), so that only the engine's own calls can fail. A site is the place that
 * a wrapper returns to; nobody lists them.
 */

#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FAULT_MOST_SITES = 1024 };

/* A call that was made: where, what, and how often. */
struct fault_site {
    _Atomic uint64_t address;
    _Atomic uint32_t hits;
    _Atomic uint32_t failures;
    /* The call, and what it was asked for if that makes it another one: "fcntl F_GETFL". */
    char call[48];
};

/* Lies in a file, so that it is there when the process was killed. faults.py reads it. */
struct fault_report {
    /* How many bytes this is: the reader's look must agree. */
    uint32_t size;
    /* The round that is under way; 3 when all is over. */
    _Atomic uint32_t round;
    /* How often a fault struck. */
    _Atomic uint32_t strikes;
    /*
     * How many lines the engine wrote to standard error, those that could not be written included.
     */
    _Atomic uint32_t lines;
    _Atomic uint32_t refused_lines;
    /* How often the interface told of an error. */
    _Atomic uint32_t errors;
    /*
     * How many allocations were tried while faults may strike, and how many blocks of memory the
     * engine has.
     */
    _Atomic uint32_t allocations;
    _Atomic int32_t blocks;
    int32_t descriptors_before, descriptors_after;
    /* System calls of the rest after the work of the first round, during which nothing happens. */
    _Atomic uint32_t calls;
    uint32_t calls_at_rest;
    /* The first expectation that was not met, and what the workload was doing at the end. */
    char unmet[120];
    char step[120];
    struct fault_site sites[FAULT_MOST_SITES];
};

extern struct fault_report *fault_report;

/* Whether faults may strike: in the first round, and when what was made in it is taken down. */
extern atomic_bool fault_is_armed;

/* Whether a call is refused for as long as the process lives, in the second round too. */
extern bool fault_is_lasting;

/* Set by parts for the libraries beside the engine, whose calls may be cancellation points. */
extern bool fault_lets_cancel;

/*
 * Has the process run as on an older kernel, by its name, and its missing calls fail with an error.
 * Returns false if there is no kernel of that name.
 */
bool fault_refuse_kernel(const char *name, int error);

/* The error with which the call that returns there is to fail, or 0. */
int fault_judge(const void *returns_to, const char *call);

/* Whether an allocation that returns there is to fail. */
bool fault_is_refused(const void *returns_to, const char *call);

/* Whether a fault of the run has struck. */
static inline bool fault_has_struck(void)
{
    return atomic_load(&fault_report->strikes) > 0;
}

#endif
