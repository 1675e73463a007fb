/*
 * The scenarios of the reference.
 */

#if !defined(SCENARIO_WITHOUT_CF)

#define ENGINE_IS_CF

#include "flavour.h"

#endif
