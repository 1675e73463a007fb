/*
 * This package's C engine.
 */

#include <CRunLoop/CRunLoop.h>

#define NAME(name) RL##name
#define CONSTANT(name) kRL##name
#define ENGINE engine_ours

#include "runloop.engine.h"
