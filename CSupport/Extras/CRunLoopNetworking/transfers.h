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
    /* No function that calls owners (an acting function) is running. */
    RL_GROUP_IDLE,
    /* An acting function is running, and does the due work before it returns. */
    RL_GROUP_ACTING,
    /* An owner, called by an acting function, is running the loop, which does the due work. */
    RL_GROUP_NESTED,
    /* An owner has destroyed the group. The outermost function frees it. */
    RL_GROUP_DESTROYED
};

struct rl_transfer_group {
    enum rl_group_state state;
    rl_multi *multi;
    RLRunLoopRef loop;
    RLRunLoopTimerRef timer;
    /* The source that is signalled when work is due now. Signalling needs no system call. */
    RLRunLoopSourceRef source;
    /* An observer that detects that an owner runs the loop. */
    RLRunLoopObserverRef observer;
    /* The time of libcurl's next call, and the timer's fire time, which may be earlier. */
    SInt64 due_ns;
    SInt64 timer_ns;
    /*
     * `call` is the number of the current call that may deliver. `call_began_ns` is the time at
     * which it began.
     */
    unsigned long call;
    int64_t call_began_ns;
    /* The transfers that are paused until the next pass. */
    struct rl_transfer_list held;
    RLRunLoopMode *modes;
    RLIndex mode_count;
    bool keeps_connections;
    /* True if memory was short: libcurl then polls all sockets at intervals. */
    bool has_unregistered_socket;
    struct rl_curl_socket **sockets;
    size_t socket_count;
    struct rl_curl_socket_list connections;
    uint64_t transfer_count;
    unsigned forks;
};

struct rl_transfer {
    struct rl_transfer_group *group;
    /* Unique in the group, unlike the address of a transfer. */
    uint64_t number;
    rl_easy *easy;
    struct rl_curl_lines *lines;
    struct rl_curl_lines *rules;
    RLTransferFunctions functions;
    void *info;
    bool is_started;
    /* True if libcurl reports when the transfer has a connection. */
    bool reports_connection;
    /* The number of the last call in which a part of the body was delivered. */
    unsigned long call;
    bool is_held;
    bool is_paused;
    /* `may_be_sent` is true if the request may have been sent and has no response yet. */
    bool forbids_retry;
    bool may_be_sent;
    /* True if the transfer has had a usable connection. */
    bool has_begun;
    /* True if the transfer has ended without a usable connection and must be restarted. */
    bool needs_new_connection;
    /* The number of connections when libcurl last sent a request. */
    int64_t connection_count;
    bool is_version1;
    /*
     * `unheard_call` is the number of the last call of libcurl, `unheard_count` the number of reads
     * in it without a callback.
     */
    unsigned long unheard_call;
    int unheard_count;
    /* If this module has ended the transfer, the result; otherwise 0. */
    int own_result;
    /* The last socket that was opened or reused for the transfer; -1 if there is none. */
    int fd;
    /* The errno value of the last failure to create a socket for the transfer, or 0. */
    int socket_error;
    TAILQ_ENTRY(rl_transfer) held_link;
    char error[RL_CURL_ERROR_SIZE];
};

/* --- transfers.c --- */

/* Returns false if memory is short. */
bool rl_transfer_restart(struct rl_transfer *transfer);

/* --- groups.c --- */

/* Makes libcurl serve a socket, and then notifies the owners of finished transfers. */
void rl_group_act(struct rl_transfer_group *group, int fd, int events);

/* Continues a paused transfer, and notifies the owners of finished transfers. */
void rl_group_resume(struct rl_transfer *transfer);

/*
 * Call this before each call of libcurl that may deliver parts of bodies. It restarts the time
 * after which rl_group_admits_delivery returns false.
 */
void rl_group_count_call(struct rl_transfer_group *group);

/* Returns false if the delivery must wait for the next pass, which continues the transfer. */
bool rl_group_admits_delivery(struct rl_transfer *transfer);

/* Sets the timer after a change, unless an acting function will set it before it returns. */
void rl_group_note_change(struct rl_transfer_group *group);

/* --- sockets.c --- */

/* Makes libcurl report its sockets, and open and close them through sockets.c. */
bool rl_sockets_set_up(struct rl_transfer_group *group);
void rl_sockets_set_up_transfer(struct rl_transfer *transfer);

/* Call this when a transfer has ended, because its connection may then be idle. */
void rl_sockets_note_end(struct rl_transfer *transfer);

/*
 * With libcurl before 7.80, the connection of a paused transfer is unknown and may look idle. So
 * after this call, no connection counts as idle.
 */
void rl_sockets_note_pause(struct rl_transfer *transfer);

/*
 * Shuts down each idle connection that is at EOF or has bytes that belong to no request. With
 * libcurl before 7.80, the connection of a new transfer is not known, so this function checks all
 * connections.
 */
void rl_sockets_hang_up_unasked(struct rl_transfer_group *group);

enum rl_connection {
    /* The connection is new or multiplexed, or open and without pending bytes. */
    RL_CONNECTION_USABLE,
    /* EOF, or bytes that belong to no request. With TLS, such bytes may be legitimate. */
    RL_CONNECTION_UNUSABLE,
    /* No known connection has the addresses, or several connections have them. */
    RL_CONNECTION_UNKNOWN
};

/* Finds the connection that libcurl has selected for a request, and polls it unless it is new. */
enum rl_connection rl_sockets_check(struct rl_transfer *transfer,
                                    const struct rl_addresses *addresses, bool is_fresh);

/* Shuts down the transfer's connection, so that libcurl fails to send on it. */
void rl_sockets_hang_up_own(struct rl_transfer *transfer);

/* Call this when the connection of a transfer has responded and `is_version1` is set. */
void rl_sockets_note_answer(struct rl_transfer *transfer);

/* Makes libcurl poll all sockets while a transfer is left that may have an unregistered socket. */
void rl_sockets_poll_all(struct rl_transfer_group *group);

void rl_sockets_forget(struct rl_transfer_group *group);

#endif
