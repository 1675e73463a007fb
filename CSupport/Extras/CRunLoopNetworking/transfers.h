/* The data of groups, transfers and sockets. */

#ifndef RL_TRANSFERS_H
#define RL_TRANSFERS_H

#include "addresses.h"
#include "curl.h"

#include <CRunLoopNetworking.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

LIST_HEAD(rl_curl_socket_list, rl_curl_socket);
TAILQ_HEAD(rl_transfer_list, rl_transfer);

enum rl_group_state {
    /* No function that calls owners runs. */
    RL_GROUP_IDLE,
    /* Such a function runs, and does the due work before it returns. */
    RL_GROUP_ACTING,
    /* In such a function an owner runs the loop, which does the due work. */
    RL_GROUP_NESTED,
    /* An owner has destroyed the group in such a function. The outermost function frees it. */
    RL_GROUP_DESTROYED
};

struct rl_transfer_group {
    enum rl_group_state state;
    rl_multi *multi;
    RLRunLoopRef loop;
    RLRunLoopTimerRef timer;
    /* Signaled for immediate work: a signal costs no system call. */
    RLRunLoopSourceRef source;
    /* For owners that run the loop. */
    RLRunLoopObserverRef observer;
    /* The moment of libcurl's next call, and the timer's moment, which may be earlier. */
    SInt64 due_ns;
    SInt64 timer_ns;
    /* The current call that may deliver, and its beginning. */
    unsigned long call;
    int64_t call_began_ns;
    /* The transfers that are paused until the next pass. */
    struct rl_transfer_list held;
    RLRunLoopMode *modes;
    RLIndex mode_count;
    bool keeps_connections;
    /* A socket may be missing in the loop for lack of memory: libcurl polls all at intervals. */
    bool has_unregistered_socket;
    struct rl_curl_socket **sockets;
    size_t socket_count;
    struct rl_curl_socket_list connections;
    uint64_t transfer_count;
    unsigned forks;
};

struct rl_transfer {
    struct rl_transfer_group *group;
    /* Unlike its address, this number is unique in the group. */
    uint64_t number;
    rl_easy *easy;
    struct rl_curl_lines *lines;
    struct rl_curl_lines *rules;
    RLTransferFunctions functions;
    void *info;
    bool is_started;
    /* Libcurl reports when the transfer has a connection. */
    bool reports_connection;
    /* The last call that has delivered a part of its body. */
    unsigned long call;
    bool is_held;
    bool is_paused;
    /* Its method is not idempotent, and it may have been sent without a response. */
    bool forbids_retry;
    bool may_be_sent;
    /* It has had a usable connection. */
    bool has_begun;
    /* It has ended before that, as it may not use a kept connection: restart it on a new one. */
    bool needs_new_connection;
    /* The number of connections that libcurl had made for it at the last request. */
    int64_t connection_count;
    bool is_version1;
    /* The number of libcurl's reads in a call that reached no callback. */
    unsigned long unheard_call;
    int unheard_count;
    /* The result with which this module ended it; 0 for none. */
    int own_result;
    /* The last socket that was opened for it, or that of its kept connection; -1 before. */
    int fd;
    /* The error of the last failure to make a socket for it; 0 for none. */
    int socket_error;
    TAILQ_ENTRY(rl_transfer) held_link;
    char error[RL_CURL_ERROR_SIZE];
};

/* --- transfers.c --- */

/* Restarts a transfer that needs a new connection. Returns false without memory. */
bool rl_transfer_restart(struct rl_transfer *transfer);

/* --- groups.c --- */

/* Makes libcurl serve a socket, and notifies the owners of finished transfers. */
void rl_group_act(struct rl_transfer_group *group, int fd, int events);

/* Continues a paused transfer, and does the rest of rl_group_act. */
void rl_group_resume(struct rl_transfer *transfer);

/* Call this before libcurl may deliver: begins the time budget of deliveries. */
void rl_group_count_call(struct rl_transfer_group *group);

/* Returns whether a transfer may deliver in this pass. If not, it is resumed in the next one. */
bool rl_group_admits_delivery(struct rl_transfer *transfer);

/* Sets the timer after a change, unless a function runs that does so before it returns. */
void rl_group_note_change(struct rl_transfer_group *group);

/* --- sockets.c --- */

/* Makes libcurl report its sockets, and open and close them through sockets.c. */
bool rl_sockets_set_up(struct rl_transfer_group *group);
void rl_sockets_set_up_transfer(struct rl_transfer *transfer);

/* Call this when a transfer has ended: its connection may be idle. */
void rl_sockets_note_end(struct rl_transfer *transfer);

/*
 * Call this when a transfer is paused. Before libcurl 7.80 its connection is unknown and may look
 * idle, so that no connection counts as idle any more.
 */
void rl_sockets_note_pause(struct rl_transfer *transfer);

/*
 * Hangs up idle connections with EOF or with bytes that belong to no request. Before libcurl 7.80,
 * for a transfer whose connection is not known yet.
 */
void rl_sockets_hang_up_unasked(struct rl_transfer_group *group);

enum rl_connection {
    /* It is new, multiplexed, or was just found open and without bytes. */
    RL_CONNECTION_USABLE,
    /* It has ended, or has bytes that belong to no request. With TLS these may be legitimate. */
    RL_CONNECTION_UNUSABLE,
    /* No connection here, or more than one, has the addresses. */
    RL_CONNECTION_UNKNOWN
};

/* Finds the connection that libcurl has chosen for a request, and polls it unless it is new. */
enum rl_connection rl_sockets_check(struct rl_transfer *transfer,
                                    const struct rl_addresses *addresses, bool is_fresh);

/* Makes libcurl fail to send on the connection of a transfer. */
void rl_sockets_hang_up_own(struct rl_transfer *transfer);

/* Call this when the connection of a transfer has responded: by HTTP/1.1 or not. */
void rl_sockets_note_answer(struct rl_transfer *transfer);

/* Makes libcurl poll all sockets, until no transfer is left that may have an unregistered one. */
void rl_sockets_poll_all(struct rl_transfer_group *group);

void rl_sockets_forget(struct rl_transfer_group *group);

#endif
