/*
 * The inspector's thread, whose loop is nobody's business.
 */

#ifndef RL_INSPECT_H
#define RL_INSPECT_H

#include <CRunLoop/CRunLoop.h>

#include <stdbool.h>

/* Returns whether the loop of a thread is in no dump. */
bool rl_thread_is_hidden(SInt32 thread);

#endif
