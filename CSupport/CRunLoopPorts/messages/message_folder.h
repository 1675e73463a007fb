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

/* Says why a name cannot be made there, if that is due to the file system: once per process. */
void rl_message_folder_explain_failure(int failure);

/* Says why no port can have a name, if that is so: once per process and reason. */
void rl_message_folder_explain(const char *function);

#endif
