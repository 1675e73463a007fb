/*
 * Includes the headers of the C library that CoreFoundation's umbrella header for Linux includes,
 * with three exceptions: <termios.h> and <sys/sysmacros.h>, whose macros define names such as ECHO,
 * and <fts.h>, which does not compile in strict modes of C. Swift does not use this file: it
 * imports the C library as a module. Ours, no CF counterpart.
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
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <execinfo.h>
#include <malloc.h>
#endif

#include <CRunLoop/RLTargetConditionals.h>
#endif

#undef RL_IS_MODULE

#endif
