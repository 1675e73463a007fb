/* One-line diagnostics on standard error, in the engine's format. */

#ifndef RL_HOSTS_DIAGNOSIS_H
#define RL_HOSTS_DIAGNOSIS_H

/* Warns that a call will not work as requested. */
__attribute__((format(printf, 2, 3))) void rl_hosts_warn(const char *function, const char *format,
                                                         ...);

/* Prints a client's mistake and stops the process. */
__attribute__((format(printf, 2, 3), noreturn)) void rl_hosts_client_error(const char *function,
                                                                           const char *format, ...);

#endif
