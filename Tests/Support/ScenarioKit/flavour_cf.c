/*
 * The scenarios of the reference.
 */

#if !defined(SCENARIO_WITHOUT_CF)

#define ENGINE_IS_CF

#include "flavour.h"

const struct scenario *const *const *families_of_cf(void)
{
    return families;
}

#endif
