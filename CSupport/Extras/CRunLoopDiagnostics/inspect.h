/* The inspector's thread, whose loop dumps omit. */

#ifndef RL_INSPECT_H
#define RL_INSPECT_H

#include <CRunLoop/CRunLoop.h>

#include <stdbool.h>

/* Returns whether dumps omit the loop of a thread. */
bool rl_thread_is_hidden(SInt32 thread);

#endif
