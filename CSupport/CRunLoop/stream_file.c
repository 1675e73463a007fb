/*
 * Streams over regular files, which are always ready.
 */

#include "stream.h"

#include "kernel.h"
#include "socket_kernel.h"
#include "value.h"

#include <CRunLoop/RLNumber.h>

#include <errno.h>
#include <stdlib.h>

struct file {
    RLStringRef path;
    int fd;
    bool appends;
};

static int open_file(struct rl_stream *stream)
{
    struct file *file = stream->transport;
    file->fd = rl_file_open(rl_string_characters(file->path), stream->is_writer, file->appends);
    return file->fd < 0 ? file->fd : 0;
}

static ssize_t move(struct rl_stream *stream, UInt8 *bytes, size_t length)
{
    struct file *file = stream->transport;
    return stream->is_writer ? rl_file_write(file->fd, bytes, length)
                             : rl_file_read(file->fd, bytes, length);
}

static bool is_ready(struct rl_stream *stream)
{
    (void)stream;
    return true;
}

/* Only a read tells, as the file may have grown. */
static int find_end(struct rl_stream *stream)
{
    (void)stream;
    return 0;
}

static void close_file(struct rl_stream *stream)
{
    rl_kernel_close(&((struct file *)stream->transport)->fd);
}

static void destroy_file(struct rl_stream *stream)
{
    struct file *file = stream->transport;
    RLRelease(file->path);
    free(file);
}

static RLTypeRef copy_property(struct rl_stream *stream, RLStringRef name)
{
    const struct file *file = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertyAppendToFile)) {
        return RLRetain(file->appends ? kRLBooleanTrue : kRLBooleanFalse);
    }
    if (!rl_string_equal(name, kRLStreamPropertyFileCurrentOffset)) return NULL;
    int64_t offset = rl_file_offset(file->fd);
    return offset < 0 ? NULL : RLNumberCreate(NULL, kRLNumberSInt64Type, &offset);
}

static bool set_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct file *file = stream->transport;
    bool can_be_set = stream->is_writer && file->fd < 0 && value &&
                      RLGetTypeID(value) == RLBooleanGetTypeID() &&
                      rl_string_equal(name, kRLStreamPropertyAppendToFile);
    if (can_be_set) file->appends = RLBooleanGetValue(value);
    return can_be_set;
}

static const struct rl_stream_class file_class = {
    .open = open_file,
    .transfer = move,
    .is_ready = is_ready,
    .find_end = find_end,
    .close = close_file,
    .destroy = destroy_file,
    .copy_property = copy_property,
    .set_property = set_property,
};

static struct rl_stream *create(bool is_writer, RLStringRef path)
{
    struct file *file = rl_allocate(sizeof *file);
    file->path = RLRetain(path);
    file->fd = -1;
    return rl_stream_create(&file_class, is_writer, -1, file);
}

RLReadStreamRef RLReadStreamCreateWithPath(RLAllocatorRef alloc, RLStringRef path)
{
    (void)alloc;
    rl_expect_string(path, __func__, "path");
    return rl_read_stream_ref(create(false, path));
}

RLWriteStreamRef RLWriteStreamCreateWithPath(RLAllocatorRef alloc, RLStringRef path)
{
    (void)alloc;
    rl_expect_string(path, __func__, "path");
    return rl_write_stream_ref(create(true, path));
}
