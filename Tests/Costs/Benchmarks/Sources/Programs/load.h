/*
 * What loads of servers have in common.
 */

#ifndef LOAD_H
#define LOAD_H

#include "peer.h"

#include <netinet/in.h>

enum {
    LOAD_CAPACITY = 65536,
    /* How long is measured, and how many operations are counted under strace. */
    LOAD_MEASURED_NS = 300000000,
    LOAD_COUNTED = 1000,
    LOAD_MIB = 1 << 20,
    LOAD_BULK_MIBS = 256
};

/* A process whose connections ask for something. */
struct load {
    pid_t server;
    struct sockaddr_in address, source;
    /* Open all the time, as a server ends with its last connection. */
    int kept_fd;
    size_t byte_count, connection_count;
    int *fds;
    int64_t *sent_ns;
    char *bytes;
    struct report *report;
};

/* Connects from an address of this process's own, so that ports of earlier ones are not missed. */
int load_connect(const struct load *load);

/* Has a server serve a load, which runs in a process beside this one. */
void load_serve(server serve, enum serving_thread thread, bool is_echo, void (*run)(void *load),
                struct load *load);

#endif
