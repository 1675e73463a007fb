/*
 * Functions that run when the program is loaded. A folder uses them to register itself with the
 * folders below it. Each stands in a file that is always linked when its folder is used.
 */

#ifndef RL_AT_LOAD_H
#define RL_AT_LOAD_H

/*
 * The function runs before the constructors of clients, which have a later priority. So it may be
 * called before any other code of the engine.
 */
#define RL_AT_LOAD __attribute__((constructor(101)))

#endif
