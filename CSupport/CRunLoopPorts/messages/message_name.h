/*
 * The files of a message port's name, in the directory of ports.
 *
 * A name has a socket and a lock file. The port holds the lock as long as it has the name, and the
 * kernel releases the lock when the process dies. A process that gets the lock may replace the
 * socket. The first port that a process creates removes the files of killed processes.
 *
 * Both files have the sticky bit, so cleaners that follow the XDG specification do not delete them
 * by age. The owner checks once a minute whether another program has deleted them.
 */

#ifndef RL_MESSAGE_NAME_H
#define RL_MESSAGE_NAME_H

#include <stdbool.h>

/* The limits in bytes of a port's name (MSGP-3) and of its file name. */
enum { RL_MESSAGE_NAME_MAX = 128, RL_MESSAGE_FILE_SIZE = 256 };

/* Encodes a port's name as a file name, which is unique for the name and contains no slash. */
void rl_message_name_encode(const char *name, char file[RL_MESSAGE_FILE_SIZE]);

/*
 * Creates and locks the lock file. Returns its descriptor or a negative errno value: -EADDRINUSE if
 * the name is taken.
 */
int rl_message_name_lock(int folder, const char *file);

/*
 * Returns whether `lock` is still the lock file of the name. It is not if the directory was
 * replaced or emptied.
 */
bool rl_message_name_is_locked(int folder, const char *file, int lock);

/*
 * Writes a temporary name for a socket that does not have its port's name yet. The name contains
 * the inode number of the lock file, so it is unique.
 */
void rl_message_name_temporary(int lock, char name[32]);

/* Removes the files of a name. The caller holds the lock. */
void rl_message_name_remove(int folder, const char *file);

void rl_message_name_sweep(int folder);

/*
 * Calls `visit` with each port name that is stored unescaped in the folder, and closes the folder.
 * Any process of the user may have created such a file.
 */
void rl_message_name_visit(int folder, void (*visit)(const char *name, void *context),
                           void *context);

#endif
