/*
 * Functions that run when the program is loaded. Through them each part registers itself with lower
 * parts, from the file that is linked whenever the part is used.
 */

#ifndef RL_AT_LOAD_H
#define RL_AT_LOAD_H

/*
 * Runs before the constructors of clients, which have a later priority, and so may use all parts.
 */
#define RL_AT_LOAD __attribute__((constructor(101)))

#endif
