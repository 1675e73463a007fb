/*
 * Words for scenarios about modes.
 */

#ifndef SCENARIOS_MODE_WORDS_H
#define SCENARIOS_MODE_WORDS_H

#include "words.h"

static inline int count_modes(void)
{
    RLArrayRef modes = RLRunLoopCopyAllModes(this_loop());
    int count = (int)RLArrayGetCount(modes);

    RLRelease(modes);
    return count;
}

#endif
