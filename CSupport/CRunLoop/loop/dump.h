/*
 * The class of loops, whose description is the dump.
 */

#ifndef RL_DUMP_H
#define RL_DUMP_H

#include "base/object.h"

extern const struct rl_class rl_loop_class;

#endif
