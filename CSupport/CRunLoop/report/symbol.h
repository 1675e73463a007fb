#ifndef RL_SYMBOL_H
#define RL_SYMBOL_H

/* Shortens a demangled name in place, if RLSymbolSetLanguage has set a language. */
void rl_symbol_shorten_name(char *name);

#endif
