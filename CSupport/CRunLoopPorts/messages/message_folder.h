/* The directory of the names of message ports, which only their user can enter. */

#ifndef RL_MESSAGE_FOLDER_H
#define RL_MESSAGE_FOLDER_H

/*
 * Opens the directory, in the user's runtime directory or else in the one for temporary files, and
 * makes it if it does not exist. Returns a negative errno value if it is not safe.
 */
int rl_message_folder_open(void);

/* Warns that clients cannot find a name any more, and that it cannot be reclaimed. */
void rl_message_folder_explain_loss(const char *file, int failure);

/*
 * Warns, once per process, if the file system is the reason why a name cannot be made in the
 * folder.
 */
void rl_message_folder_explain_failure(int failure);

/* Warns, once per process and reason, if no port can have a name. */
void rl_message_folder_explain(const char *function);

#endif
