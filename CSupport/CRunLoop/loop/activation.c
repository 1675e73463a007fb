/*
 * The memory of runs: a list from the outermost run inwards, as long as runs have ever been nested.
 */

#include "loop/activation.h"

#include "loop/loop.h"

#include <stdlib.h>

struct rl_activation *rl_activation_take(struct rl_loop *loop)
{
    struct rl_activation *outer = loop->activation;
    struct rl_activation **place = outer ? &outer->inner : &loop->activations;
    if (!*place) *place = rl_allocate(sizeof **place);
    struct rl_activation *run = *place;
    *run = (struct rl_activation){.inner = run->inner};
    return run;
}

void rl_activation_free_all(struct rl_loop *loop)
{
    while (loop->activations) {
        struct rl_activation *run = loop->activations;
        loop->activations = run->inner;
        free(run);
    }
}
