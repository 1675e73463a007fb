/*
 * The descriptions of loops, sources, observers and timers.
 */

#ifndef RL_DESCRIBE_H
#define RL_DESCRIBE_H

#include "base/object.h"
#include "values/text.h"

RLStringRef rl_describe_loop(RLTypeRef object);
RLStringRef rl_describe_source(RLTypeRef object);
RLStringRef rl_describe_observer(RLTypeRef object);
RLStringRef rl_describe_timer(RLTypeRef object);

/* Appends a function by name and address. */
void rl_describe_callout(struct rl_text *text, const void *function);

#endif
