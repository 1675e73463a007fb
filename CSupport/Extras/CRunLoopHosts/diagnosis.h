/*
 * One line on standard error for what is wrong, in the engine's manner.
 */

#ifndef RL_HOSTS_DIAGNOSIS_H
#define RL_HOSTS_DIAGNOSIS_H

/* Says that something will not work as asked. */
__attribute__((format(printf, 2, 3))) void rl_hosts_warn(const char *function, const char *format,
                                                         ...);

/* Says what the client did wrong and stops the process. */
__attribute__((format(printf, 2, 3), noreturn)) void rl_hosts_client_error(const char *function,
                                                                           const char *format, ...);

#endif
