/*
 * Streams: the data and functions that several files share. stream.c implements states, events and
 * bytes, stream_schedule.c loops and queues, and stream_face.c the objects and most public
 * functions. Each kind of stream has its own file, which transfers the bytes.
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

/*
 * A kind of stream. Its functions are called with no lock held. Errors are negative errno values or
 * TLS errors.
 */
struct rl_stream_class {
    /*
     * Opens, or continues opening; if `waits`, blocks until the result is known. Returns 0 if the
     * stream is open, -EINPROGRESS, or another negative errno value. A kind without a descriptor
     * opens in a single call.
     */
    int (*open)(struct rl_stream *stream, bool waits);
    /*
     * Reads or writes, and blocks until at least one byte is transferred. Returns the number of
     * bytes, 0 at EOF, or a negative errno value. A kind with a descriptor also sets `ret_awaited`
     * to the result of `awaits`.
     */
    ssize_t (*transfer)(struct rl_stream *stream, UInt8 *bytes, size_t length,
                        RLRunLoopDescriptorEvents *ret_awaited);
    /*
     * Reads like `transfer`, but without a copy. Returns null, with a length of 0, if the bytes are
     * not in memory. Null if a kind never has its bytes in memory.
     */
    const UInt8 *(*borrow)(struct rl_stream *stream, size_t most, size_t *ret_length);
    /*
     * Checks the readiness of an open stream. Returns 1 if `transfer` would move bytes, 0 at the
     * end of the stream, -EAGAIN if `transfer` would block, or another error, which is not returned
     * again. `events` are the events that the kernel has just reported, or 0 if it was not polled.
     */
    int (*check)(struct rl_stream *stream, RLRunLoopDescriptorEvents events);
    /*
     * Half-closes an open stream: sends the unsent bytes, then EOF; if `waits`, blocks until
     * everything is sent. Returns 0 when everything is sent, else a value as from `check`. Null for
     * a kind without a peer.
     */
    int (*finish)(struct rl_stream *stream, bool waits);
    /* --- Null for a kind without a descriptor --- */
    /*
     * Returns whether `transfer` would return bytes, EOF or an error without blocking. Consumes
     * nothing.
     */
    bool (*is_ready)(struct rl_stream *stream);
    /*
     * Returns the events for which `transfer` must wait, possibly with RL_TLS_AWAITS_CHECK. Returns
     * 0 while opening waits for something other than the descriptor; the kind calls rl_stream_check
     * after that.
     */
    RLRunLoopDescriptorEvents (*awaits)(struct rl_stream *stream);
    /*
     * `time_left` returns the number of seconds left for opening, or NaN if there is no limit.
     * `give_up` fails the stream when the time is over. Both are null for a kind without limits.
     */
    RLTimeInterval (*time_left)(struct rl_stream *stream);
    void (*give_up)(struct rl_stream *stream);
    /* --- For all kinds --- */
    /*
     * Releases the resources. Called once, at the latest before `destroy`. The watch has ended, and
     * leaves its descriptor to the kind.
     */
    void (*close)(struct rl_stream *stream);
    void (*destroy)(struct rl_stream *stream);
    /*
     * `copy_property` returns null if the property does not exist or is not set; the function is
     * null for a kind without properties. `set_property` is null if no property can be set.
     */
    RLTypeRef (*copy_property)(struct rl_stream *stream, RLStringRef name);
    bool (*set_property)(struct rl_stream *stream, RLStringRef name, RLTypeRef value);
};

/* The client of a stream. It exists while a callback runs or the stream refers to it. */
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
    /*
     * The stream has a descriptor, whose watch reports readiness. If false, only `check` detects
     * readiness.
     */
    bool is_watched;
    struct rl_watch watch;
    /*
     * The stream has been in a loop or on a queue. From then on, closing and finishing must not
     * block.
     */
    atomic_bool was_scheduled;
    /*
     * `is_notifying`: the client's callback is running. `has_filled`: the last write may have
     * filled the buffer of the kind.
     */
    atomic_bool is_notifying, has_filled;
    atomic_bool is_finishing;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* Also read without the lock. */
    _Atomic(RLStreamStatus) status;
    int error;
    unsigned removals;
    struct rl_stream_client *client;
    /*
     * The events that have occurred and were not delivered, and whether the client was notified, or
     * is about to be, that the stream is ready. The interest of a wait slot and the wanted events
     * of a watch are separate records of readiness, for the kernel and for the loops.
     */
    RLOptionFlags pending;
    bool is_announced;
    /* The queue that delivers events instead of loops, or null. Kept after closing. */
    struct rl_queue *queue;
    /* The source that serves the watch on that queue; or null. */
    struct rl_queue_source *queue_source;
    /* The version-0 source that delivers events. */
    struct rl_weak_source signal_source;
    /* The timers that fail a stream if opening takes too long: in loops, and on the queue. */
    struct rl_alarm alarm;
    struct rl_queue_source *queue_alarm;
};

/*
 * Creates a stream of a kind. `transport` is the data of the kind. `fd` is -1 for a stream without
 * a descriptor.
 */
struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport);

/* --- For the kinds of streams. Thread-safe; called with no lock held. ------------------------- */

/*
 * Continues opening, or checks the readiness of an open stream and notifies the client if it is
 * ready.
 */
void rl_stream_check(struct rl_stream *stream);

/*
 * Marks an open stream with a descriptor as not ready. Its loop then checks the stream again. The
 * caller does not check it, because it may be about to change more.
 */
void rl_stream_recheck(struct rl_stream *stream);

/*
 * Sets the stream's alarms to the time that `time_left` returns. Call this whenever that time, or
 * the loops or queue that serve the stream, may have changed.
 */
void rl_stream_set_alarm(struct rl_stream *stream);

/* --- Between stream.c and stream_schedule.c, with no lock held -------------------------------- */

/*
 * Prepares the client's next event: the stream has opened, or is ready. `awaited` is the result of
 * the preceding transfer, or 0.
 */
void rl_stream_await(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited);

/* Delivers the pending events on the calling thread. */
void rl_stream_notify_client(struct rl_stream *stream);

/* Fails a stream unless it is closed. `error` is a positive errno value or a TLS error. */
void rl_stream_fail(struct rl_stream *stream, int error);

/* Signals the loops or the queue of the stream, which then deliver the pending events. */
void rl_stream_signal(struct rl_stream *stream);

void rl_stream_leave_loops(struct rl_stream *stream);

/* Removes a closed stream from loops and queues, and ends its watch. */
void rl_stream_leave(struct rl_stream *stream);

/* --- For the public functions; called with no lock held --------------------------------------- */

/* Returns false if the stream was opened before, or failed at once. */
bool rl_stream_open(struct rl_stream *stream);

/*
 * Closes a stream that was opened; the client stays. The caller must hold a reference, because
 * callbacks may release theirs.
 */
void rl_stream_close(struct rl_stream *stream);

/* Like rl_stream_close, whether or not the stream was opened. */
void rl_stream_end(struct rl_stream *stream);

/*
 * Half-closes a writer. If the stream has ever been in a loop or on a queue, the loop or queue
 * sends the remaining bytes. Returns whether the stream is finished or will be.
 */
bool rl_stream_finish(struct rl_stream *stream);

/* Sets the client, which may be null, and takes ownership of it. */
void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client);

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);
void rl_stream_unschedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);

/*
 * Returns the id of the thread whose loop has the stream, or 0 if there is none or the caller's
 * loop has the stream.
 */
pid_t rl_stream_foreign_thread(struct rl_stream *stream);

/* Sets the queue, which may be null, and takes ownership of it. */
void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue);

/* Returns the retained dispatch queue, or null. */
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
