/*
 * Streams. stream.c implements states, events and bytes, stream_schedule.c loops and queues, and
 * stream_face.c the objects and most public functions. Each class of streams has its own file,
 * which transfers the bytes.
 */

#ifndef RL_STREAM_H
#define RL_STREAM_H

#include "tls/tls.h"
#include "watch/alarm.h"
#include "watch/client.h"
#include "watch/dispatch_queue.h"
#include "watch/watch.h"

#include <CRunLoop/RLStream.h>

#include <sys/types.h>

struct rl_stream;

/* All functions are called without a lock. Errors are negative errno values or TLS errors. */
struct rl_stream_class {
    /*
     * Opens, or continues opening. If `waits` is true, blocks until the result is known. Returns 0
     * if the stream is open, -EINPROGRESS, or another negative errno value. A class without
     * descriptors opens in a single call.
     */
    int (*open)(struct rl_stream *stream, bool waits);
    /*
     * Reads or writes, and blocks until at least one byte is transferred. Returns the number of
     * bytes, 0 at EOF, or a negative errno value. A class with descriptors also sets `ret_awaited`
     * to the result of `awaits`.
     */
    ssize_t (*transfer)(struct rl_stream *stream, UInt8 *bytes, size_t length,
                        RLRunLoopDescriptorEvents *ret_awaited);
    /*
     * Reads like `transfer`, but without a copy. Returns null, with a length of 0, if the bytes are
     * not in memory. Null for a class whose bytes are never in memory.
     */
    const UInt8 *(*borrow)(struct rl_stream *stream, size_t most, size_t *ret_length);
    /*
     * Checks an open stream. Returns 1 if `transfer` would move bytes, 0 at EOF, -EAGAIN if
     * `transfer` would block, or another error, which `check` returns only once. `events` are the
     * events that the kernel has just reported, or 0 if the descriptor was not polled.
     */
    int (*check)(struct rl_stream *stream, RLRunLoopDescriptorEvents events);
    /*
     * Half-closes an open stream: sends the unsent bytes, then EOF. If `waits` is true, blocks
     * until everything is sent. Returns 0 if everything is sent, otherwise a value as from `check`.
     * Null for a class without peers.
     */
    int (*finish)(struct rl_stream *stream, bool waits);
    /* --- Null for a kind without a descriptor --- */
    /* Returns whether `transfer` would return without blocking. Consumes nothing. */
    bool (*is_ready)(struct rl_stream *stream);
    /*
     * Returns the events for which `transfer` must wait, possibly with RL_TLS_AWAITS_CHECK. Returns
     * 0 while opening waits for something other than the descriptor, such as a look-up; when this
     * ends, the class calls rl_stream_check.
     */
    RLRunLoopDescriptorEvents (*awaits)(struct rl_stream *stream);
    /*
     * `time_left` returns the number of seconds left for opening, or NaN if there is no limit.
     * `give_up` fails the stream when the time is over. Both are null for a class without limits.
     */
    RLTimeInterval (*time_left)(struct rl_stream *stream);
    void (*give_up)(struct rl_stream *stream);
    /* --- For all kinds --- */
    /* Closes the descriptor; the watch has ended. Called once, at the latest before `destroy`. */
    void (*close)(struct rl_stream *stream);
    void (*destroy)(struct rl_stream *stream);
    /* Returns null if the property does not exist or is not set. Both functions may be null. */
    RLTypeRef (*copy_property)(struct rl_stream *stream, RLStringRef name);
    bool (*set_property)(struct rl_stream *stream, RLStringRef name, RLTypeRef value);
};

/* A client. It exists while a callback runs or the stream refers to it. */
struct rl_stream_client {
    atomic_uint references;
    RLOptionFlags events;
    RLReadStreamClientCallBack read_callout;
    RLWriteStreamClientCallBack write_callout;
    /* Guarded by the stream's lock. */
    struct rl_client client;
};

struct rl_stream {
    struct rl_object object;
    /* Set once, as are the next fields. */
    const struct rl_stream_class *class;
    void *transport;
    bool is_writer;
    /* True if the watch reports readiness. If false, only `check` detects readiness. */
    bool is_watched;
    struct rl_watch watch;
    /* True if the stream has ever been in a loop or on a queue: closing must not block then. */
    atomic_bool was_scheduled;
    /* The client's callback is running; the last write may have filled the buffer. */
    atomic_bool is_notifying, has_filled;
    atomic_bool is_finishing;
    /*
     * Counts transfers, with the lock held. A check that began before the last transfer is
     * outdated.
     */
    atomic_uint transfers;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* Threads read the status also without the lock. */
    _Atomic(RLStreamStatus) status;
    int error;
    unsigned removals;
    struct rl_stream_client *client;
    /*
     * `pending` has the undelivered events. `is_announced` is true if the client was notified that
     * the stream is ready, or is about to be notified. The wait slot and the watch record readiness
     * separately.
     */
    RLOptionFlags pending;
    bool is_announced;
    /* The queue that delivers events instead of loops, or null. Closing does not reset it. */
    struct rl_queue *queue;
    /* The source that serves the watch on `queue`, or null. */
    struct rl_queue_source *queue_source;
    /* A version-0 source that delivers events. */
    struct rl_weak_source signal_source;
    /* Fail a stream whose opening takes too long: `alarm` in loops, `queue_alarm` on `queue`. */
    struct rl_alarm alarm;
    struct rl_queue_source *queue_alarm;
};

/* `transport` is the data of the class. `fd` is -1 for a stream without a descriptor. */
struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport);

/* --- For the kinds of streams. Thread-safe; called with no lock held. ------------------------- */

/* Continues opening, or notifies the client if the open stream is ready. */
void rl_stream_check(struct rl_stream *stream);

/*
 * Marks an open stream with a descriptor as not ready; its loop then checks the stream. The caller
 * must not check the stream itself, because the client may set more properties before the check.
 */
void rl_stream_recheck(struct rl_stream *stream);

/* Call this whenever the result of `time_left` or the stream's loops or queue may have changed. */
void rl_stream_set_alarm(struct rl_stream *stream);

/* --- Between stream.c and stream_schedule.c, with no lock held -------------------------------- */

/* Prepares the next event. `awaited` is the result of the preceding transfer, or 0. */
void rl_stream_await(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited);

/* Delivers the pending events on the calling thread. */
void rl_stream_notify_client(struct rl_stream *stream);

/* Reports kRLStreamEventInterrupted on the calling thread to a client that wants it. */
void rl_stream_interrupt_client(struct rl_stream *stream);

/* Does nothing if the stream is closed. `error` is a positive errno value or a TLS error. */
void rl_stream_fail(struct rl_stream *stream, int error);

/* Makes the stream's loops or queue deliver the pending events. */
void rl_stream_signal(struct rl_stream *stream);

void rl_stream_leave_loops(struct rl_stream *stream);

/* Removes a closed stream from loops and queues, and ends its watch. */
void rl_stream_leave(struct rl_stream *stream);

/* --- For the public functions; called with no lock held --------------------------------------- */

/* Returns false if the stream was opened before, or failed at once. */
bool rl_stream_open(struct rl_stream *stream);

/* The client stays. The caller must hold a reference: callbacks may release other references. */
void rl_stream_close(struct rl_stream *stream);

/* Like rl_stream_close, but also for a stream that was not opened. */
void rl_stream_end(struct rl_stream *stream);

/*
 * Half-closes a writer. A stream that has ever been in a loop or on a queue sends the remaining
 * bytes there. Returns true if the stream is finished or will be finished.
 */
bool rl_stream_finish(struct rl_stream *stream);

/* Takes ownership of `client`, which may be null. */
void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client);

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);
void rl_stream_unschedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);

/*
 * Returns a thread whose loop has the stream. Returns 0 if there is none, or if the calling
 * thread's loop has the stream.
 */
pid_t rl_stream_foreign_thread(struct rl_stream *stream);

/* Takes ownership of `queue`, which may be null. */
void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue);

/* Returns a retained queue, or null. */
struct dispatch_queue_s *rl_stream_copy_queue(struct rl_stream *stream);

bool rl_stream_is_ready(struct rl_stream *stream);
RLStreamStatus rl_stream_get_status(struct rl_stream *stream);
RLStreamError rl_stream_get_error(struct rl_stream *stream);

static inline RLReadStreamRef rl_read_stream_ref(struct rl_stream *stream)
{
    return (RLReadStreamRef)(void *)stream;
}

static inline RLWriteStreamRef rl_write_stream_ref(struct rl_stream *stream)
{
    return (RLWriteStreamRef)(void *)stream;
}

#endif
