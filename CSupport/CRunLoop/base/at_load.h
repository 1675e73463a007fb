/*
 * Functions that are called when the program is loaded. So each part registers what the parts below
 * it must know, in the file that is linked whenever the part is used.
 */

#ifndef RL_AT_LOAD_H
#define RL_AT_LOAD_H

/* Before the functions of clients, which have a later priority, and so may use all parts. */
#define RL_AT_LOAD __attribute__((constructor(101)))

#endif
