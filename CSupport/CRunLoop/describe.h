/*
 * The descriptions of loops, sources, observers and timers.
 */

#ifndef RL_DESCRIBE_H
#define RL_DESCRIBE_H

#include "object.h"

RLStringRef rl_describe_loop(RLTypeRef object);
RLStringRef rl_describe_source(RLTypeRef object);
RLStringRef rl_describe_observer(RLTypeRef object);
RLStringRef rl_describe_timer(RLTypeRef object);

#endif
