#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/*
 * Shortens a demangled name in place, as the language requires that RLSymbolSetLanguage has
 * registered.
 */
void rl_symbol_shorten_name(char *name);

#endif
