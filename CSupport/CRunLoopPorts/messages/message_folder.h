/* The directory that has the names of message ports. Only its user can enter it. */

#ifndef RL_MESSAGE_FOLDER_H
#define RL_MESSAGE_FOLDER_H

/*
 * Opens the directory, which is in the user's runtime directory, or else in the directory for
 * temporary files; the directory is created if it is missing. Returns a negative errno value if the
 * directory cannot be used or is not safe.
 */
int rl_message_folder_open(void);

/* Warns that clients no longer find a name, and that its port cannot claim it again. */
void rl_message_folder_explain_loss(const char *file, int failure);

/* Warns, once per process, if the file system prevents the creation of names. */
void rl_message_folder_explain_failure(int failure);

/* Warns, once per process and reason, if message ports cannot have names at all. */
void rl_message_folder_explain(const char *function);

#endif
