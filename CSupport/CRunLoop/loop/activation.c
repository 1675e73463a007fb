/* The runs form a list that begins with the outermost run. The memory of ended runs is reused. */

#include "loop/activation.h"

#include "base/object.h"

#include <stdlib.h>

struct rl_activation *rl_activation_take(struct rl_activation **place)
{
    if (!*place) *place = rl_allocate(sizeof **place);
    struct rl_activation *run = *place;
    *run = (struct rl_activation){.inner = run->inner};
    return run;
}

void rl_activation_free_all(struct rl_activation **outermost)
{
    while (*outermost) {
        struct rl_activation *run = *outermost;
        *outermost = run->inner;
        free(run);
    }
}
