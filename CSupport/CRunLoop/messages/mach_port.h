/*
 * Mach ports: what the engine's tables need to know of them.
 */

#ifndef RL_MACH_PORT_H
#define RL_MACH_PORT_H

#include "base/object.h"

extern const struct rl_class rl_mach_port_class;

/*
 * Locks the table of Mach ports for a fork, see fork.h. The ports of the parent receive nothing in
 * the child.
 */
void rl_mach_table_prepare_fork(void);
void rl_mach_table_unlock_after_fork(void);
void rl_mach_table_settle_child(void);

#endif
