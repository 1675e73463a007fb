/*
 * Hosts as objects: what their names and addresses are.
 */

#ifndef RL_NAMED_HOST_H
#define RL_NAMED_HOST_H

#include "base/object.h"

extern const struct rl_class rl_named_host_class;

#endif
