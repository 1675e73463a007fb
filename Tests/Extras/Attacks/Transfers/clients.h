/* Requests of the programs that attack the promises of HTTP, and what their checks share. */

#ifndef CLIENTS_H
#define CLIENTS_H

#include "peers.h"

#include <CRunLoopNetworking.h>

#include <stdio.h>
#include <stdlib.h>

/* The case under test, which a failed check prints. */
extern char subject[160];
extern int failures;
extern const char *certificate;
/* Before libcurl 7.80 a request that must not be repeated gets a connection of its own. */
extern bool is_old;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE_NAME__, __LINE__, subject, #condition);      \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

struct request {
    RLTransfer transfer;
    size_t sent_count;
    size_t sent_length;
    char body[64];
    size_t received;
    bool is_paused;
    bool is_over;
    int code;
};

struct method {
    const char *name;
    bool is_idempotent;
    size_t body_length;
};

/* The first one is GET. */
enum { METHODS = 8 };
extern const struct method methods[METHODS];
extern const char *const transport_names[TRANSPORTS];

RLTransferGroup make_group(void);
void request_begin(struct request *request, RLTransferGroup group, const struct server *server,
                   const struct method *method, const char *path);
/* Runs the loop until the request is over. */
void request_finish(const struct request *request);
/* Ends a request that may not be over. */
void request_end(struct request *request);
/* Whether a request has the response to its own path. */
bool fetch(RLTransferGroup group, const struct server *server, const char *path);
/* Waits for another thread. */
void wait_for(const atomic_int *value, int least);

/*
 * Connections to two servers with one local port: chosen here, or by the kernel in a network
 * namespace of the process's own.
 */
void share_ports(bool is_in_namespace);

#endif
