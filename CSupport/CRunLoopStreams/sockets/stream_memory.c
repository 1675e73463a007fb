#include "sockets/stream.h"

#include "sockets/type_numbers.h"
#include "values/value.h"

#include <CRunLoop/RLAllocator.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <stdlib.h>

RLStringRef const kRLStreamPropertyDataWritten = RLSTR("kRLStreamPropertyDataWritten");

struct memory {
    /* Guarded by the stream's lock, as are the fields below. */
    UInt8 *bytes;
    size_t length;
    size_t position;
    /* The allocator that frees the bytes if the stream owns them; otherwise null. */
    RLAllocatorRef deallocator;
    /* The written bytes, if the client has supplied no buffer. */
    RLMutableDataRef written;
};

static int open_memory(struct rl_stream *stream, bool waits)
{
    (void)stream, (void)waits;
    return 0;
}

static ssize_t move_memory_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length,
                                 RLRunLoopDescriptorEvents *ret_awaited)
{
    (void)ret_awaited;
    struct memory *memory = stream->transport;
    ssize_t moved = (ssize_t)length;
    rl_lock(&stream->lock);
    size_t left = memory->length - memory->position;
    if (memory->written) {
        RLDataAppendBytes(memory->written, bytes, (RLIndex)length);
    } else if (stream->is_writer && length > left) {
        moved = -ENOMEM;
    } else {
        if (length > left) moved = (ssize_t)left;
        UInt8 *place = memory->bytes + memory->position;
        if (moved > 0 && stream->is_writer) memcpy(place, bytes, (size_t)moved);
        if (moved > 0 && !stream->is_writer) memcpy(bytes, place, (size_t)moved);
        memory->position += (size_t)moved;
    }
    rl_unlock(&stream->lock);
    return moved;
}

static const UInt8 *borrow_memory_bytes(struct rl_stream *stream, size_t most, size_t *ret_length)
{
    struct memory *memory = stream->transport;
    rl_lock(&stream->lock);
    size_t left = memory->length - memory->position;
    const UInt8 *bytes = left > 0 ? memory->bytes + memory->position : NULL;
    *ret_length = left < most ? left : most;
    memory->position += *ret_length;
    rl_unlock(&stream->lock);
    return bytes;
}

/* A full buffer stays full, so a full writer is never ready again. It does not report an end. */
static int check_memory(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    (void)events;
    struct memory *memory = stream->transport;
    rl_lock(&stream->lock);
    bool is_used_up = !memory->written && memory->position == memory->length;
    rl_unlock(&stream->lock);
    if (!is_used_up) return 1;
    return stream->is_writer ? -EAGAIN : 0;
}

static void close_memory(struct rl_stream *stream)
{
    (void)stream;
}

static void destroy_memory(struct rl_stream *stream)
{
    struct memory *memory = stream->transport;
    if (memory->deallocator) {
        RLAllocatorDeallocate(memory->deallocator, memory->bytes);
        RLRelease(memory->deallocator);
    }
    if (memory->written) RLRelease(memory->written);
    free(memory);
}

static RLTypeRef copy_memory_property(struct rl_stream *stream, RLStringRef name)
{
    struct memory *memory = stream->transport;
    if (!memory->written || !rl_string_equal(name, kRLStreamPropertyDataWritten)) return NULL;
    rl_lock(&stream->lock);
    RLDataRef copy =
        RLDataCreate(NULL, RLDataGetBytePtr(memory->written), RLDataGetLength(memory->written));
    rl_unlock(&stream->lock);
    return copy;
}

static const struct rl_stream_class memory_class = {
    .open = open_memory,
    .transfer = move_memory_bytes,
    .borrow = borrow_memory_bytes,
    .check = check_memory,
    .close = close_memory,
    .destroy = destroy_memory,
    .copy_property = copy_memory_property,
};

Boolean RLStreamIsFull(RLTypeRef stream)
{
    rl_expect(stream, RL_TYPE_WRITE_STREAM, __func__, "stream");
    struct rl_stream *self = (struct rl_stream *)(uintptr_t)stream;
    return self->class == &memory_class && check_memory(self, 0) == -EAGAIN;
}

static struct rl_stream *create_memory_stream(bool is_writer, UInt8 *bytes, RLIndex length,
                                              RLAllocatorRef deallocator)
{
    struct memory *memory = rl_allocate(sizeof *memory);
    memory->bytes = bytes;
    memory->length = (size_t)length;
    if (deallocator) memory->deallocator = RLRetain(deallocator);
    return rl_stream_create(&memory_class, is_writer, -1, memory);
}

RLReadStreamRef RLReadStreamCreateWithBytesNoCopy(RLAllocatorRef alloc, const UInt8 *bytes,
                                                  RLIndex length, RLAllocatorRef bytesDeallocator)
{
    (void)alloc;
    if (length < 0 || (length > 0 && !bytes)) return NULL;
    /* A reader never modifies its bytes. */
    UInt8 *memory = (UInt8 *)(uintptr_t)bytes;
    RLAllocatorRef deallocator = bytesDeallocator ? bytesDeallocator : RLAllocatorGetDefault();
    return rl_read_stream_ref(create_memory_stream(false, memory, length, deallocator));
}

RLWriteStreamRef RLWriteStreamCreateWithBuffer(RLAllocatorRef alloc, UInt8 *buffer,
                                               RLIndex bufferCapacity)
{
    (void)alloc;
    if (bufferCapacity < 0 || !buffer) return NULL;
    return rl_write_stream_ref(create_memory_stream(true, buffer, bufferCapacity, NULL));
}

RLWriteStreamRef RLWriteStreamCreateWithAllocatedBuffers(RLAllocatorRef alloc,
                                                         RLAllocatorRef bufferAllocator)
{
    (void)alloc, (void)bufferAllocator;
    struct rl_stream *stream = create_memory_stream(true, NULL, 0, NULL);
    ((struct memory *)stream->transport)->written = RLDataCreateMutable(NULL, 0);
    return rl_write_stream_ref(stream);
}
