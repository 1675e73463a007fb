/*
 * Functions that run at load time, to register a folder with the folders below it. Define them in a
 * file that is linked with every use of the folder.
 */

#ifndef RL_AT_LOAD_H
#define RL_AT_LOAD_H

/* Runs before the constructors of clients, so it may be called before any other engine code. */
#define RL_AT_LOAD __attribute__((constructor(101)))

#endif
