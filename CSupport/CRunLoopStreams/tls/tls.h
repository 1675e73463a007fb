/*
 * A TLS session over a connected socket that other code owns. The two streams of a connection share
 * a session. No call blocks: the outcome of a call has the events to wait for.
 *
 * Results are negative errno values, as in socket_kernel.h, including -EAGAIN, or the negative
 * values of RLStreamErrorSSL, which are lower.
 */

#ifndef RL_TLS_H
#define RL_TLS_H

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLString.h>

#include <stdbool.h>
#include <sys/types.h>

struct rl_tls;

/* If OpenSSL cannot be loaded, warns and returns false. */
bool rl_tls_is_available(void);

struct rl_tls_settings {
    bool is_server;
    /* Whether the peer's certificates and name are checked. */
    bool validates;
    /* The peer's name, which a client also sends; or null. */
    RLStringRef peer_name;
    /* Data in PEM: this side's certificates, its own first, and their key; or null. */
    RLArrayRef certificates;
    /*
     * Data in PEM: the authorities that are trusted instead of the system's; or null. A server with
     * authorities requests certificates from its clients.
     */
    RLArrayRef authorities;
};

/* Returns whether a text is a valid name or address of a peer. */
bool rl_tls_is_name(RLStringRef name);

/* Returns whether OpenSSL accepts certificates, key and authorities. */
bool rl_tls_are_usable(const struct rl_tls_settings *settings);

/* Returns null, with the reason, if OpenSSL is missing or the settings are invalid. */
struct rl_tls *rl_tls_create(const struct rl_tls_settings *settings, int *ret_error);
void rl_tls_destroy(struct rl_tls *tls);

/* The progress of a session, which only grows. */
enum rl_tls_progress { RL_TLS_SHAKING_HANDS, RL_TLS_SECURED, RL_TLS_FAILED };

/* The result of a call, and the session's state after it. */
struct rl_tls_outcome {
    ssize_t result;
    enum rl_tls_progress progress;
    /* The events of the socket that reading, or writing, needs before it can continue. */
    RLRunLoopDescriptorEvents awaited;
};

/*
 * An extra awaited bit: a check of readiness may find something that no event of the socket
 * reports, such as bytes that were received earlier, a handshake that has not begun, or a failure.
 */
#define RL_TLS_AWAITS_CHECK ((RLRunLoopDescriptorEvents)1 << 16)

/*
 * Reads or writes like a socket, except that EOF without the peer's close_notify is an error.
 * Continues the handshake first, if it is not over.
 */
struct rl_tls_outcome rl_tls_move(struct rl_tls *tls, int fd, UInt8 *bytes, size_t length,
                                  bool is_writer);

/*
 * Checks readiness. The result is 1 if rl_tls_move would transfer bytes; otherwise it is that of
 * rl_tls_move.
 */
struct rl_tls_outcome rl_tls_check(struct rl_tls *tls, int fd, bool is_writer);

/* Makes no call of OpenSSL. The result is 0, or the session's failure. */
struct rl_tls_outcome rl_tls_outcome(struct rl_tls *tls, bool is_writer);

/* Fails an unfinished handshake with a negative errno value. Returns the progress. */
enum rl_tls_progress rl_tls_give_up(struct rl_tls *tls, int error);

/*
 * Ends the output: after the handshake sends the unsent bytes, a close_notify and FIN. Returns
 * -EAGAIN if a part of them is unsent: each later call of any function sends more. In a forked
 * child it sends nothing.
 */
struct rl_tls_outcome rl_tls_finish_writing(struct rl_tls *tls, int fd);

/*
 * Sends a close_notify. Returns -EAGAIN if a part of it is unsent. In a forked child it sends
 * nothing, as the session continues in the parent.
 */
int rl_tls_end(struct rl_tls *tls, int fd);

/* Returns the peer's certificates, data in DER, its own first; null before the handshake. */
RLArrayRef rl_tls_copy_peer_certificates(struct rl_tls *tls);

#endif
