/*
 * The names of functions. RLRunLoopWrapping.h declares the rest.
 */

#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/* Shortens a readable name in place, as the language of RLSymbolSetLanguage does. */
void rl_symbol_shorten_name(char *name);

#endif
