/*
 * RL_AT_LOAD functions run at load time. A folder uses them to register its types and functions
 * with a lower folder, which cannot include the folder's headers. Define such a function in a file
 * that every program links that uses the folder.
 */

#ifndef RL_AT_LOAD_H
#define RL_AT_LOAD_H

/* Priority 101: runs before the constructors of clients, which may call the engine. */
#define RL_AT_LOAD __attribute__((constructor(101)))

#endif
