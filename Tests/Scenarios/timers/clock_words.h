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

#endif
