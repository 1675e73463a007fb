/*
 * The scenarios of our engine.
 */

#include "flavour.h"

const struct scenario *const *const *families_of_rl(void)
{
    return families;
}
