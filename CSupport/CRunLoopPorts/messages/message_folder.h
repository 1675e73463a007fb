/*
 * The directory in which the names of message ports live, which only their user can enter.
 */

#ifndef RL_MESSAGE_FOLDER_H
#define RL_MESSAGE_FOLDER_H

/*
 * Opens this directory in the user's runtime directory, or else among the temporary files, and
 * makes it if need be. A negative errno value if it is not safe.
 */
int rl_message_folder_open(void);

/*
 * Warns that clients do not find a name any more, and that it cannot be taken again.
 */
void rl_message_folder_explain_loss(const char *file, int failure);

/* Warns, once per process, if the file system is why a name cannot be made in the folder. */
void rl_message_folder_explain_failure(int failure);

/* Warns, once per process and reason, if no port can have a name. */
void rl_message_folder_explain(const char *function);

#endif
