/* What the transfers of a group and their sockets know of each other. */

#ifndef RL_TRANSFERS_H
#define RL_TRANSFERS_H

#include "curl.h"

#include <CRunLoopNetworking.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

LIST_HEAD(rl_curl_socket_list, rl_curl_socket);
TAILQ_HEAD(rl_transfer_list, rl_transfer);

struct rl_transfer_group {
    rl_multi *multi;
    RLRunLoopRef loop;
    RLRunLoopTimerRef timer;
    /* For what is due at once: a signal costs no system call. */
    RLRunLoopSourceRef source;
    /* For owners that run the loop. */
    RLRunLoopObserverRef observer;
    /* When libcurl wants to be called, and when the timer fires: maybe earlier. */
    SInt64 due_ns;
    SInt64 timer_ns;
    /* The latest call that may deliver, and when it began. */
    unsigned long call;
    int64_t call_began_ns;
    /* Paused until the next pass. */
    struct rl_transfer_list held;
    RLRunLoopMode *modes;
    RLIndex mode_count;
    bool keeps_connections;
    /* A socket of a transfer that runs is not in the loop, as there was no memory. */
    bool lacks_socket;
    /* By descriptor. */
    struct rl_curl_socket **sockets;
    size_t socket_count;
    struct rl_curl_socket_list idle;
    unsigned forks;
    /* The functions that call owners: they see to what is due, unless an owner runs the loop. */
    bool is_acting;
    /* How many there are, and whether the last one of them frees the group. */
    unsigned uses;
    bool is_destroyed;
};

struct rl_transfer {
    struct rl_transfer_group *group;
    rl_easy *easy;
    struct rl_curl_lines *lines;
    struct rl_curl_lines *rules;
    RLTransferFunctions functions;
    void *info;
    bool is_started;
    /* Libcurl says when it has a connection. */
    bool tells_connection;
    /* The last call in which it has delivered a part of its body. */
    unsigned long call;
    bool is_held;
    /* A function has paused it. */
    bool is_paused;
    /* Its method is not idempotent, and it may have been sent without an answer. */
    bool forbids_retry;
    bool may_be_sent;
    /* Its response comes by HTTP/1.1. */
    bool is_version1;
    /* How often libcurl has read in a call what no function has heard of. */
    unsigned long unheard_call;
    int unheard_count;
    /* Why it was ended here; 0 for no reason. */
    int own_result;
    /* The socket that was last opened for it, or that of the kept connection it has; -1 before. */
    int fd;
    /* Why it has got no socket, if it has asked for one in vain. */
    int socket_error;
    TAILQ_ENTRY(rl_transfer) held_link;
    char error[RL_CURL_ERROR_SIZE];
};

/* --- transfers.c --- */

/* Has libcurl see to a socket, and tells owners of the transfers that have ended. */
void rl_transfers_act(struct rl_transfer_group *group, int fd, int events);

/* Has the loop come back when libcurl wants that, or at once if a transfer waits for it. */
void rl_transfers_set_timer(struct rl_transfer_group *group);

/* --- sockets.c --- */

/* Have libcurl say which sockets it waits for, and open and close them here. */
bool rl_sockets_set_up(struct rl_transfer_group *group);
void rl_sockets_set_up_transfer(struct rl_transfer *transfer);

/* A transfer has ended, so that its connection may be idle. */
void rl_sockets_note_end(struct rl_transfer *transfer);

/*
 * A transfer is paused. Before libcurl 7.80 nothing says which connection it has: that may still
 * look idle, and so none does any more.
 */
void rl_sockets_note_pause(struct rl_transfer *transfer);

/*
 * Hangs up idle connections on which something has come, an end or bytes that nobody has asked for,
 * before a transfer begins. With TLS these may be lawful, but nothing here can tell. Returns
 * whether the connection of the transfer, by its own port, is one of them; it is, too, if OpenSSL
 * has bytes that libcurl has not read.
 */
bool rl_sockets_hang_up_unasked(struct rl_transfer *transfer, int own_port);

void rl_sockets_forget(struct rl_transfer_group *group);

#endif
