#ifndef RL_INSPECT_H
#define RL_INSPECT_H

#include <CRunLoop/CRunLoop.h>

#include <stdbool.h>

/* Dumps omit the loop of a hidden thread. */
bool rl_thread_is_hidden(SInt32 thread);

#endif
