/*
 * Streams: the data and functions that several files share. stream.c has the states, events and
 * bytes, stream_schedule.c the loops and queues, stream_face.c the objects and most public
 * functions. Each kind of stream, which transfers the bytes, has its own file.
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
 * A kind of stream. These functions are called with no lock held. Errors are negative errno values,
 * or those of TLS.
 */
struct rl_stream_class {
    /*
     * Opens, or continues opening; if `waits`, blocks until the result. Returns 0 if the stream is
     * open, -EINPROGRESS, or another negative errno value. A kind without a descriptor opens in one
     * call.
     */
    int (*open)(struct rl_stream *stream, bool waits);
    /*
     * Reads or writes; blocks until it can. Returns the number of bytes, 0 at EOF, or a negative
     * errno value; a kind with a descriptor also returns the new result of `awaits`.
     */
    ssize_t (*transfer)(struct rl_stream *stream, UInt8 *bytes, size_t length,
                        RLRunLoopDescriptorEvents *ret_awaited);
    /*
     * Reads like `transfer`, but without a copy. Returns null, with a length of 0, if the bytes are
     * not in memory. Null for a kind that never has them there.
     */
    const UInt8 *(*borrow)(struct rl_stream *stream, size_t most, size_t *ret_length);
    /*
     * Checks the readiness of an open stream. Returns 1 if `transfer` would move bytes, 0 at the
     * end of the stream, -EAGAIN if `transfer` would block, or another error, which is not reported
     * again. `events` are those just reported by the kernel; 0 if it was not polled.
     */
    int (*check)(struct rl_stream *stream, RLRunLoopDescriptorEvents events);
    /*
     * Half-closes an open stream: sends the unsent bytes, then EOF; if `waits`, blocks until all is
     * sent. Returns 0 then, or as `check`. Null for a kind without a peer.
     */
    int (*finish)(struct rl_stream *stream, bool waits);
    /* --- Null for a kind without a descriptor --- */
    /*
     * Returns whether `transfer` would return at once, with bytes, EOF or an error. Consumes none
     * of them.
     */
    bool (*is_ready)(struct rl_stream *stream);
    /*
     * Returns the events that `transfer` needs before it can continue, possibly with
     * RL_TLS_AWAITS_CHECK; 0 while opening waits for something other than the descriptor, after
     * which the kind calls rl_stream_check.
     */
    RLRunLoopDescriptorEvents (*awaits)(struct rl_stream *stream);
    /*
     * Returns the seconds that are left for opening; NaN without a limit. Fails the stream when
     * they are over. Both null for a kind without limits.
     */
    RLTimeInterval (*time_left)(struct rl_stream *stream);
    void (*give_up)(struct rl_stream *stream);
    /* --- For all kinds --- */
    /*
     * Releases the resources; called once, at the latest before `destroy`. The watch has ended, and
     * leaves its descriptor to the kind.
     */
    void (*close)(struct rl_stream *stream);
    void (*destroy)(struct rl_stream *stream);
    /*
     * Returns null if there is no such property. The function is null for a kind without
     * properties; `set_property` is null if no property can be set.
     */
    RLTypeRef (*copy_property)(struct rl_stream *stream, RLStringRef name);
    bool (*set_property)(struct rl_stream *stream, RLStringRef name, RLTypeRef value);
};

/* The client of a stream. Lives while a callback runs or the stream refers to it. */
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
    /* Set once, like the next fields. */
    const struct rl_stream_class *class;
    void *transport;
    bool is_writer;
    /* The watch on a descriptor reports readiness. If false, `check` finds it. */
    bool is_watched;
    struct rl_watch watch;
    /* The stream has been in a loop or on a queue, which must not block on it. */
    atomic_bool was_scheduled;
    /* The client's callback is running; the last write may have filled the buffer of the kind. */
    atomic_bool is_notifying, has_filled;
    atomic_bool is_finishing;
    /* Guards what follows. */
    struct rl_lock lock;
    /* Read without the lock too. */
    _Atomic(RLStreamStatus) status;
    int error;
    unsigned removals;
    struct rl_stream_client *client;
    /*
     * Readiness is on record three times, each for another reader: a wait slot's interest for the
     * kernel, a watch's wanted events for the loops, and these for the client. The events that have
     * occurred and were not delivered; whether the client knows, or is about to be notified, that
     * the stream is ready.
     */
    RLOptionFlags pending;
    bool is_announced;
    /* The queue that delivers events instead of loops; or null. Stays after closing. */
    struct rl_queue *queue;
    /* The source that serves the watch on that queue; or null. */
    struct rl_queue_source *queue_source;
    /* The version-0 source that delivers events. */
    struct rl_weak_source signal_source;
    /* The timers that fail a stream which opens too slowly: in loops, and on the queue. */
    struct rl_alarm alarm;
    struct rl_queue_source *queue_alarm;
};

/* Makes a stream of a kind with its data. `fd` is -1 for a stream without a descriptor. */
struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport);

/* --- For the kinds of streams. From any thread, with no lock held. ---------------------------- */

/*
 * Checks a stream's readiness: continues opening, and notifies the client of an open stream that is
 * ready.
 */
void rl_stream_check(struct rl_stream *stream);

/*
 * Marks an open stream with a descriptor as not ready. Its loop then checks it again, instead of
 * the caller, which may be about to change more.
 */
void rl_stream_recheck(struct rl_stream *stream);

/*
 * Sets the stream's alarms to the time limit of the class. Call this whenever
 * that time, or the place where the stream is served, may have changed.
 */
void rl_stream_set_alarm(struct rl_stream *stream);

/* --- Between stream.c and stream_schedule.c, with no lock held -------------------------------- */

/*
 * Prepares the client's next event: the stream is open, or ready. `awaited` is the result of the
 * transfer just before; or 0.
 */
void rl_stream_await(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited);

/* On this thread. */
void rl_stream_notify_client(struct rl_stream *stream);

/* Fails a stream that is not closed, with a positive errno value or an error of TLS. */
void rl_stream_fail(struct rl_stream *stream, int error);

/* Signals the loops or the queue of the stream to deliver the pending events. */
void rl_stream_signal(struct rl_stream *stream);

void rl_stream_leave_loops(struct rl_stream *stream);

/* Removes a closed stream from loops and queues, and ends its watch. */
void rl_stream_leave(struct rl_stream *stream);

/* --- For the public functions, which hold no lock --------------------------------------------- */

/* Returns false if the stream was opened before, or failed at once. */
bool rl_stream_open(struct rl_stream *stream);

/*
 * Closes a stream that was opened; the client stays. The caller holds a reference, as callbacks may
 * release theirs.
 */
void rl_stream_close(struct rl_stream *stream);

/* Like rl_stream_close, whether or not the stream was opened. */
void rl_stream_end(struct rl_stream *stream);

/*
 * Half-closes a writer. If it has ever been in a loop or on a queue, unsent bytes are sent there.
 * Returns whether the stream is finished, or will be.
 */
bool rl_stream_finish(struct rl_stream *stream);

/* Takes over the client, which may be null. */
void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client);

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);
void rl_stream_unschedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);

/* Returns the id of the thread whose loop has the stream, if the caller's loop does not; or 0. */
pid_t rl_stream_foreign_thread(struct rl_stream *stream);

/* Takes over the queue, which may be null. */
void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue);

/* Returns the dispatch queue, retained, or null. */
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
