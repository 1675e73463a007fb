/*
 * The C headers that the headers of Apple's platforms bring along and CF code takes for granted.
 * Not for Swift, which has its own modules for them. Ours, no CF counterpart.
 */

#ifndef CRUNLOOP_RLCHEADERS_H
#define CRUNLOOP_RLCHEADERS_H

#if !defined(__building_module)
#define RL_IS_MODULE 0
#else
#define RL_IS_MODULE __building_module(CRunLoop)
#endif

#if !RL_IS_MODULE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#undef RL_IS_MODULE

#endif
