/*
 * What descriptions keep of functions, whose names take long to find: whether they may still say
 * so.
 */

#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

#include <stdint.h>

/*
 * Returns a number for the library or program at an address; 0 if there is none. Most likely it is
 * another one once the library was unloaded and something else is there.
 */
uint64_t rl_symbol_mark(const void *address);

#endif
