/*
 * The files of a message port's name, in the directory of ports.
 *
 * A name has a socket, and a lock file whose lock is held as long as the port has the name; the
 * kernel frees it when the process dies. A process that gets the lock of a name may replace its
 * socket. What killed processes have left is removed by the next process that makes a port.
 *
 * Both have the sticky bit, by which cleaners of directories that follow the XDG specification
 * spare old files. Their owner checks once a minute that nothing else has deleted them.
 */

#ifndef RL_MESSAGE_NAME_H
#define RL_MESSAGE_NAME_H

#include <stdbool.h>

/* The most bytes of a name (MSGP-3), and of the name of a file for it. */
enum { RL_MESSAGE_NAME_MAX = 128, RL_MESSAGE_FILE_SIZE = 256 };

/*
 * Writes the name of the file for a port's name: different for different names, and never a path.
 */
void rl_message_name_encode(const char *name, char file[RL_MESSAGE_FILE_SIZE]);

/* Locks a name. Returns a descriptor or a negative errno value, -EADDRINUSE if it is taken. */
int rl_message_name_lock(int folder, const char *file);

/*
 * Returns whether a lock is still the name's. It is not if the directory has been changed or
 * emptied.
 */
bool rl_message_name_is_locked(int folder, const char *file, int lock);

/*
 * Writes the name that a socket has before it gets that of a port. No other socket has it, as it
 * contains the number of the lock's file.
 */
void rl_message_name_temporary(int lock, char name[32]);

/* Removes the files of a name, with its lock held. */
void rl_message_name_remove(int folder, const char *file);

/* Removes what killed processes have left of their ports. */
void rl_message_name_sweep(int folder);

/*
 * Calls a function with each name of a port that is written as it is in the folder, which is closed
 * then. The name may be any that a process of the user has left there.
 */
void rl_message_name_visit(int folder, void (*visit)(const char *name, void *context),
                           void *context);

#endif
