#include "loop/own_loop.h"

#include <stddef.h>

_Thread_local struct rl_loop *rl_own_loop = NULL;
