#ifndef RL_MESSAGE_TABLE_H
#define RL_MESSAGE_TABLE_H

#include "messages/message_port.h"

#include <sys/types.h>

/*
 * Return a retained valid port: an existing port, or the port that `make` returns; null if `make`
 * fails. A local port is made with the table locked. Making a remote port may take long; only
 * threads that want the same name wait.
 */
struct rl_message_port *
rl_message_table_find_or_add_local(const char *name, struct rl_message_port *(*make)(void *plan),
                                   void *plan, bool *ret_was_found);
struct rl_message_port *
rl_message_table_find_or_add_remote(const char *name, struct rl_message_port *(*make)(void *plan),
                                    void *plan, bool *ret_was_found);

bool rl_message_table_has_local(const char *name, RLMessagePortCallBack callback);

/* Returns 0 if no loop of this process serves the local port. */
pid_t rl_message_table_server_thread(const char *name);

/* Adds a port without a name. */
void rl_message_table_add(struct rl_message_port *port);

/* Removes a port that is invalid or about to be destroyed, and releases its name. */
void rl_message_table_remove(struct rl_message_port *port);

/* Calls `set_name` with the table locked, unless another local port has the name. */
bool rl_message_table_rename(struct rl_message_port *port, RLStringRef name,
                             bool (*set_name)(struct rl_message_port *port, RLStringRef name));

#endif
