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
    /* The call, with its operation if it has several: "fcntl F_GETFL". */
    char call[48];
};

/* The content of a file, so that it outlives a killed process. faults.py reads it. */
struct fault_report {
    /* The size of this structure, which the reader compares. */
    uint32_t size;
    /* The current round; 3 at the end. */
    _Atomic uint32_t round;
    /* The number of injected faults. */
    _Atomic uint32_t strikes;
    /* The number of lines that the engine wrote to standard error, including failed writes. */
    _Atomic uint32_t lines;
    _Atomic uint32_t refused_lines;
    /* The number of errors that the interface reported. */
    _Atomic uint32_t errors;
    /*
     * The number of tried allocations while faults may strike, and the number of the engine's
     * blocks of memory.
     */
    _Atomic uint32_t allocations;
    _Atomic int32_t blocks;
    int32_t descriptors_before, descriptors_after;
    /* System calls of the rest after the work of the first round, during which nothing happens. */
    _Atomic uint32_t calls;
    uint32_t calls_at_rest;
    /* The first failed expectation, and the last action of the workload. */
    char unmet[120];
    char step[120];
    struct fault_site sites[FAULT_MOST_SITES];
};

extern struct fault_report *fault_report;

/* Whether faults may strike: in the first round, and when its objects are torn down. */
extern atomic_bool fault_is_armed;

/* Whether a call is refused for as long as the process lives, in the second round too. */
extern bool fault_is_lasting;

/* Set by parts for the libraries beside the engine, whose calls may be cancellation points. */
extern bool fault_lets_cancel;

/*
 * Makes the process run as on an older kernel, by its name: missing calls fail with an error.
 * Returns false if the name is unknown.
 */
bool fault_refuse_kernel(const char *name, int error);

/* The error with which the call that returns there is to fail, or 0. */
int fault_judge(const void *returns_to, const char *call);

/* Whether an allocation that returns there is to fail. */
bool fault_is_refused(const void *returns_to, const char *call);

/* Whether a fault may strike now. */
bool fault_may_strike(void);

/* Whether a fault of the run has struck. */
static inline bool fault_has_struck(void)
{
    return atomic_load(&fault_report->strikes) > 0;
}

#endif
