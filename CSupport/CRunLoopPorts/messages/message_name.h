/*
 * The files of a message port's name, in the directory of ports.
 *
 * A name has a socket, and a lock file whose lock is held as long as the port has the name; the
 * kernel frees it when the process dies. A process that gets the lock of a name may replace its
 * socket. The next process that makes a port removes the files of killed processes.
 *
 * Both have the sticky bit, so that cleaners of directories that follow the XDG specification spare
 * old files. Their owner checks once a minute whether another program has deleted them.
 */

#ifndef RL_MESSAGE_NAME_H
#define RL_MESSAGE_NAME_H

#include <stdbool.h>

/* The limits of a name (MSGP-3), and of its file's name, in bytes. */
enum { RL_MESSAGE_NAME_MAX = 128, RL_MESSAGE_FILE_SIZE = 256 };

/* Writes the file name of a port's name: injective, and never a path. */
void rl_message_name_encode(const char *name, char file[RL_MESSAGE_FILE_SIZE]);

/* Returns a descriptor or a negative errno value, -EADDRINUSE if the name is taken. */
int rl_message_name_lock(int folder, const char *file);

/*
 * Returns whether a lock is still the name's. It is not if the directory has been changed or
 * emptied.
 */
bool rl_message_name_is_locked(int folder, const char *file, int lock);

/*
 * Writes the temporary name of a socket before it gets that of a port. The name is unique, as it
 * contains the number of the lock's file.
 */
void rl_message_name_temporary(int lock, char name[32]);

/* Removes the files of a name, with its lock held. */
void rl_message_name_remove(int folder, const char *file);

void rl_message_name_sweep(int folder);

/*
 * Calls a function with each port's name that is stored unescaped in the folder, and closes the
 * folder. Any process of the user may have left such a name.
 */
void rl_message_name_visit(int folder, void (*visit)(const char *name, void *context),
                           void *context);

#endif
