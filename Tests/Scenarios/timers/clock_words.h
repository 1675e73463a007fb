/*
 * Words for scenarios with clocks that tests own.
 */

#ifndef SCENARIOS_CLOCK_WORDS_H
#define SCENARIOS_CLOCK_WORDS_H

#include "words.h"

#include <CRunLoop/RLTesting.h>

static const long long second_ns = 1000000000;

/** A clock that stands at one second, and by which the thread's loop goes. */
static inline RLTestClockRef own_clock(void)
{
    RLTestClockRef clock = RLTestClockCreate();

    RLTestClockSetNanoseconds(clock, second_ns);
    RLTestClockAddLoop(clock, this_loop());
    return clock;
}

/**
 * Until the scenario returns, the thread's loop does not wait for its timers and the limits of its
 * runs: its clock advances instead. So no timer becomes due while callbacks run.
 */
static inline void use_virtual_time(void)
{
    RLTestClockRef clock = own_clock();

    RLTestClockSetAutomatic(clock, true);
    at_return(^{ RLTestClockEnd(clock); });
}

#endif
