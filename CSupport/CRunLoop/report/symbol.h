#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/* Shortens a demangled name in place with the language of RLSymbolSetLanguage. */
void rl_symbol_shorten_name(char *name);

#endif
