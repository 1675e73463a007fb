/*
 * Bound streams: the reader reads the bytes that are written to the writer, through a ring buffer
 * in memory.
 *
 * A stream that may have changed the readiness of the other stream calls rl_stream_check for it,
 * with the pair unlocked. The pair does not retain its streams, so each can be destroyed alone.
 */

#include "sockets/stream.h"

#include "base/kernel.h"

#include <errno.h>
#include <stdlib.h>

struct pair {
    /* Each of the two streams has one reference. */
    atomic_uint references;
    /* The futex of waiting threads. It changes together with each of the following fields. */
    atomic_uint changes;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* The reader and the writer, not retained. Each removes itself when it is destroyed. */
    struct rl_stream *streams[2];
    bool is_closed[2];
    /* A ring buffer of `size` bytes. `count` bytes are used, from `start` on. */
    UInt8 *bytes;
    size_t size;
    size_t start;
    size_t count;
};

static void notify_other(struct rl_stream *stream)
{
    struct pair *pair = stream->transport;
    atomic_fetch_add(&pair->changes, 1);
    rl_kernel_futex_wake_all(&pair->changes);
    rl_lock(&pair->lock);
    struct rl_stream *other = pair->streams[!stream->is_writer];
    if (other && !rl_object_try_retain(&other->object)) other = NULL;
    rl_unlock(&pair->lock);
    if (!other) return;
    rl_stream_check(other);
    RLRelease(other);
}

static int open_bound(struct rl_stream *stream, bool waits)
{
    (void)stream, (void)waits;
    return 0;
}

static size_t lesser_of(size_t first, size_t second)
{
    return first < second ? first : second;
}

static size_t take_from_ring(struct pair *pair, UInt8 *bytes, size_t length)
{
    size_t taken = lesser_of(length, pair->count),
           piece = lesser_of(taken, pair->size - pair->start);
    memcpy(bytes, pair->bytes + pair->start, piece);
    memcpy(bytes + piece, pair->bytes, taken - piece);
    pair->start = (pair->start + taken) % pair->size;
    pair->count -= taken;
    return taken;
}

static size_t put_into_ring(struct pair *pair, const UInt8 *bytes, size_t length)
{
    size_t put = lesser_of(length, pair->size - pair->count);
    size_t end = (pair->start + pair->count) % pair->size, piece = lesser_of(put, pair->size - end);
    memcpy(pair->bytes + end, bytes, piece);
    memcpy(pair->bytes, bytes + piece, put - piece);
    pair->count += put;
    return put;
}

/*
 * Returns a number of bytes, 0 at EOF, or a negative errno value. Call this with the pair locked.
 */
static ssize_t try_to_move(struct pair *pair, bool is_writer, UInt8 *bytes, size_t length)
{
    if (pair->is_closed[is_writer]) return -EBADF;
    bool is_other_closed = pair->is_closed[!is_writer];
    if (is_writer && is_other_closed) return -EPIPE;
    size_t moved =
        is_writer ? put_into_ring(pair, bytes, length) : take_from_ring(pair, bytes, length);
    return moved > 0 || is_other_closed ? (ssize_t)moved : -EAGAIN;
}

static ssize_t move_bound_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length,
                                RLRunLoopDescriptorEvents *ret_awaited)
{
    (void)ret_awaited;
    struct pair *pair = stream->transport;
    for (;;) {
        unsigned changes = atomic_load(&pair->changes);
        rl_lock(&pair->lock);
        ssize_t moved = try_to_move(pair, stream->is_writer, bytes, length);
        rl_unlock(&pair->lock);
        if (moved > 0) notify_other(stream);
        if (moved != -EAGAIN) return moved;
        rl_kernel_futex_wait(&pair->changes, changes);
    }
}

/* A writer whose reader is closed counts as ready, because a write fails at once. */
static int check_bound(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    (void)events;
    struct pair *pair = stream->transport;
    rl_lock(&pair->lock);
    bool is_other_closed = pair->is_closed[!stream->is_writer];
    bool is_ready =
        stream->is_writer ? pair->count < pair->size || is_other_closed : pair->count > 0;
    rl_unlock(&pair->lock);
    if (is_ready) return 1;
    return is_other_closed ? 0 : -EAGAIN;
}

static int finish_bound(struct rl_stream *stream, bool waits)
{
    (void)waits;
    struct pair *pair = stream->transport;
    rl_lock(&pair->lock);
    pair->is_closed[stream->is_writer] = true;
    rl_unlock(&pair->lock);
    notify_other(stream);
    return 0;
}

static void close_bound(struct rl_stream *stream)
{
    (void)finish_bound(stream, false);
}

static void destroy_bound(struct rl_stream *stream)
{
    struct pair *pair = stream->transport;
    rl_lock(&pair->lock);
    pair->streams[stream->is_writer] = NULL;
    rl_unlock(&pair->lock);
    if (atomic_fetch_sub(&pair->references, 1) > 1) return;
    free(pair->bytes);
    free(pair);
}

static const struct rl_stream_class bound_class = {
    .open = open_bound,
    .transfer = move_bound_bytes,
    .check = check_bound,
    .finish = finish_bound,
    .close = close_bound,
    .destroy = destroy_bound,
};

void RLStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream,
                             RLWriteStreamRef *writeStream, RLIndex transferBufferSize)
{
    (void)alloc;
    if (!readStream || !writeStream) {
        rl_client_error(__func__, "argument `%s` must not be null",
                        readStream ? "writeStream" : "readStream");
    }
    if (transferBufferSize <= 0) {
        rl_client_error(__func__, "argument `transferBufferSize` (%ld) must be greater than 0",
                        transferBufferSize);
    }
    struct pair *pair = rl_allocate(sizeof *pair);
    atomic_init(&pair->references, 2);
    pair->size = (size_t)transferBufferSize;
    pair->bytes = rl_allocate(pair->size);
    pair->streams[0] = rl_stream_create(&bound_class, false, -1, pair);
    pair->streams[1] = rl_stream_create(&bound_class, true, -1, pair);
    *readStream = rl_read_stream_ref(pair->streams[0]);
    *writeStream = rl_write_stream_ref(pair->streams[1]);
}
