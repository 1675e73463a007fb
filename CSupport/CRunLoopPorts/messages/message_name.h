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

/* The sizes in bytes of a port's name (MSGP-3) and of its file name. */
enum { RL_MESSAGE_NAME_MAX = 128, RL_MESSAGE_FILE_SIZE = 256 };

/* Converts a port's name to a file name, which is unique and contains no slash. */
void rl_message_name_encode(const char *name, char file[RL_MESSAGE_FILE_SIZE]);

/*
 * Returns the lock file's descriptor or a negative errno value: -EADDRINUSE if the name is taken.
 */
int rl_message_name_lock(int folder, const char *file);

/* Returns false if the directory was replaced or emptied since `lock` was locked. */
bool rl_message_name_is_locked(int folder, const char *file, int lock);

/*
 * Returns a name for a socket that does not have its port's name yet. The lock file's inode number
 * makes the name unique.
 */
void rl_message_name_temporary(int lock, char name[32]);

/* Removes the files of a name, whose lock the caller holds. */
void rl_message_name_remove(int folder, const char *file);

void rl_message_name_sweep(int folder);

/*
 * Calls `visit` for the names that are stored unescaped, and closes the folder. Any process of the
 * user may have created the files of these names.
 */
void rl_message_name_visit(int folder, void (*visit)(const char *name, void *context),
                           void *context);

#endif
