/*
 * A TLS session over a connected socket that other code owns. The two streams of a connection share
 * a session. No call blocks: the outcome of a call contains the events to wait for.
 *
 * Errors are negative errno values, such as -EAGAIN, as in socket_kernel.h, or values of
 * RLStreamErrorSSL, which are less than all negative errno values.
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
    bool validates;
    /* The expected name of the peer, or null. A client also sends it as SNI. */
    RLStringRef peer_name;
    /* This side's certificates as PEM data, its own certificate first, and the key; or null. */
    RLArrayRef certificates;
    /*
     * The authorities that are trusted instead of the system's certificate authorities, as PEM
     * data; or null. A server with authorities requests certificates from its clients.
     */
    RLArrayRef authorities;
};

/* Returns whether the name is a valid host name or address. */
bool rl_tls_is_name(RLStringRef name);

/* Returns whether OpenSSL accepts the certificates, the key and the authorities. */
bool rl_tls_are_usable(const struct rl_tls_settings *settings);

/* If OpenSSL is missing or the settings are invalid, sets `ret_error` and returns null. */
struct rl_tls *rl_tls_create(const struct rl_tls_settings *settings, int *ret_error);
void rl_tls_destroy(struct rl_tls *tls);

/* The progress only increases. */
enum rl_tls_progress { RL_TLS_SHAKING_HANDS, RL_TLS_SECURED, RL_TLS_FAILED };

struct rl_tls_outcome {
    ssize_t result;
    enum rl_tls_progress progress;
    /* The socket events that reading, or writing, must wait for. */
    RLRunLoopDescriptorEvents awaited;
};

/*
 * A flag in addition to the awaited events: call rl_tls_check. The socket reports no event for
 * bytes that were received earlier, for a handshake that has not begun, or for a failure.
 */
#define RL_TLS_AWAITS_CHECK ((RLRunLoopDescriptorEvents)1 << 16)

/* First continues the handshake. EOF is an error if the peer has sent no close_notify. */
struct rl_tls_outcome rl_tls_move(struct rl_tls *tls, int fd, UInt8 *bytes, size_t length,
                                  bool is_writer);

/* The result is 1 if rl_tls_move would transfer bytes, otherwise the result of rl_tls_move. */
struct rl_tls_outcome rl_tls_check(struct rl_tls *tls, int fd, bool is_writer);

/* Does not call OpenSSL. The result is 0, or the error that made the session fail. */
struct rl_tls_outcome rl_tls_outcome(struct rl_tls *tls, bool is_writer);

/* If the handshake is not finished, makes it fail with `error`, a negative errno value. */
enum rl_tls_progress rl_tls_give_up(struct rl_tls *tls, int error);

/*
 * After the handshake, sends the unsent bytes, a close_notify and FIN. The result is -EAGAIN if
 * bytes are left to send; each later call of a function of this session sends more of them. Sends
 * nothing in a forked child.
 */
struct rl_tls_outcome rl_tls_finish_writing(struct rl_tls *tls, int fd);

/*
 * Sends a close_notify. Returns -EAGAIN if bytes are left to send. Sends nothing in a forked child,
 * because the session continues in the parent.
 */
int rl_tls_end(struct rl_tls *tls, int fd);

/* Returns DER data, the peer's own certificate first. Returns null before the handshake. */
RLArrayRef rl_tls_copy_peer_certificates(struct rl_tls *tls);

#endif
