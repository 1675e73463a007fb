/*
 * Streams: what stream.c, which keeps status, client and schedule, shares with the kinds of
 * streams, which move the bytes, and with stream_face.c, which has the public functions.
 */

#ifndef RL_STREAM_H
#define RL_STREAM_H

#include "watch/client.h"
#include "watch/dispatch_queue.h"
#include "watch/watch.h"

#include <CRunLoop/RLStream.h>

struct rl_stream;

/* A kind of stream. None of these is called with a lock held. */
struct rl_stream_class {
    /* Begins to open: 0 if it is open, -EINPROGRESS, or why it is not. */
    int (*open)(struct rl_stream *stream);
    /*
     * How opening goes, as `open`; waits for its end if so asked. Null if it is never in progress.
     */
    int (*continue_opening)(struct rl_stream *stream, bool waits);
    /* Whether opening waits for something else than the descriptor, after which it calls
     * rl_stream_proceed. Null if it never does. */
    bool (*is_preparing)(struct rl_stream *stream);
    /* Reads or writes, waiting until that is possible; 0 is the end, negative an error. */
    ssize_t (*transfer)(struct rl_stream *stream, UInt8 *bytes, size_t length);
    /*
     * Reads as `transfer`, but leaves the bytes where they are: null, with a number of 0, if they
     * are not in memory. Null for a kind that never has them there.
     */
    const UInt8 *(*borrow)(struct rl_stream *stream, size_t most, size_t *ret_length);
    /* Whether `transfer` would not wait. */
    bool (*is_ready)(struct rl_stream *stream);
    /* 1 if everything was read, as far as can be told without reading, otherwise 0; or an error,
     * which nobody will see again. */
    int (*find_end)(struct rl_stream *stream);
    /* Gives up what is open; called once, at the latest before `destroy`. */
    void (*close)(struct rl_stream *stream);
    void (*destroy)(struct rl_stream *stream);
    /* Null if there is no such property. */
    RLTypeRef (*copy_property)(struct rl_stream *stream, RLStringRef name);
    bool (*set_property)(struct rl_stream *stream, RLStringRef name, RLTypeRef value);
};

/* The client of a stream. Lives as long as a callback runs or the stream refers to it. */
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
    /* These never change. */
    const struct rl_stream_class *class;
    void *transport;
    bool is_writer;
    /* Whether readiness comes from a descriptor, through the watch; else it is always ready. */
    bool is_watched;
    struct rl_watch watch;
    /* Guards what follows. */
    struct rl_lock lock;
    RLStreamStatus status;
    int error;
    /* Or null. */
    struct rl_stream_client *client;
    /* What has happened and was not told. */
    RLOptionFlags pending;
    /* The client knows that the stream is ready, or is about to be told. */
    bool is_announced;
    /* The queue that the client is told on, not by loops; or null. Stays after closing. */
    struct rl_queue *queue;
    /* What serves the watch on that queue; or null. */
    struct rl_queue_source *queue_source;
    /* The version-0 source that tells. */
    struct rl_weak_source signal_source;
};

/* A stream of a kind with what belongs to it; `fd` is -1 for one that is always ready. */
struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport);

/* Looks how opening goes. From any thread, with no lock held. */
void rl_stream_proceed(struct rl_stream *stream);

/*
 * Looks what a stream without a descriptor can do now, and has it told. From any thread, with no
 * lock held.
 */
void rl_stream_look(struct rl_stream *stream);

/* For the public functions, which hold no lock. */

/* False if it was opened before, or failed at once. */
bool rl_stream_open(struct rl_stream *stream);

/* Closes for good; the client stays. The caller holds a reference, as callbacks may drop theirs. */
void rl_stream_close(struct rl_stream *stream);

/* `foreign` are events of the other direction, which are not told. */
struct rl_stream_client *rl_stream_client_create(RLOptionFlags events, RLOptionFlags foreign,
                                                 const RLStreamClientContext *context);

/* Takes over the client, which may be null. */
void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client);

void rl_stream_schedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);
void rl_stream_unschedule(struct rl_stream *stream, RLRunLoopRef loop, RLRunLoopMode mode);

/* Takes over the queue, which may be null. */
void rl_stream_set_queue(struct rl_stream *stream, struct rl_queue *queue);

/* The dispatch queue with a reference for the caller, or null. */
struct dispatch_queue_s *rl_stream_copy_queue(struct rl_stream *stream);

/* Moves bytes, and waits if it must; 0 at the end, -1 if the stream fails or is not open. */
RLIndex rl_stream_transfer(struct rl_stream *stream, UInt8 *bytes, RLIndex length);

/* As rl_stream_transfer for bytes that stay in memory; null if there are none there. */
const UInt8 *rl_stream_borrow(struct rl_stream *stream, RLIndex most, RLIndex *ret_length);

bool rl_stream_is_ready(struct rl_stream *stream);
RLStreamStatus rl_stream_get_status(struct rl_stream *stream);
RLStreamError rl_stream_get_error(struct rl_stream *stream);

/* Whether a property is one that secures: then it is said, for a function, that there is none. */
bool rl_stream_refuses_security(RLStringRef name, const char *function);

static inline RLReadStreamRef rl_read_stream_ref(struct rl_stream *stream)
{
    return (RLReadStreamRef)(void *)stream;
}

static inline RLWriteStreamRef rl_write_stream_ref(struct rl_stream *stream)
{
    return (RLWriteStreamRef)(void *)stream;
}

extern const struct rl_class rl_read_stream_class, rl_write_stream_class;

#endif
