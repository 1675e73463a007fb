/* The engine's own functions on symbol names. RLRunLoopWrapping.h declares the public ones. */

#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/* Shortens a demangled name in place, by the function of RLSymbolSetLanguage. */
void rl_symbol_shorten_name(char *name);

#endif
