/*
 * Forking while other threads use the engine.
 */

#ifndef RL_FORK_H
#define RL_FORK_H

/*
 * To be called before anything is made that a fork has to see to. One registration for all of it: the C
 * library prepares in the reverse order of registrations, and which part of the engine a program uses
 * first must not decide in which order its locks are taken.
 */
void rl_fork_set_up(void);

/*
 * How many forks lie behind this process, of those after the set-up. What was made at another number is
 * the parent's: where the kernel or libdispatch have one of it for both, the child must not change it.
 */
unsigned rl_fork_number(void);

#endif
