/* The internal functions for symbol names. RLRunLoopWrapping.h declares the public functions. */

#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/* Shortens a demangled name in place, with the function set by RLSymbolSetLanguage. */
void rl_symbol_shorten_name(char *name);

#endif
