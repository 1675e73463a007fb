/* File streams. A file stream always counts as ready, so a read from an empty pipe blocks. */

#include "sockets/stream.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

RLStringRef const kRLStreamPropertyAppendToFile = RLSTR("kRLStreamPropertyAppendToFile");
RLStringRef const kRLStreamPropertyFileCurrentOffset = RLSTR("kRLStreamPropertyFileCurrentOffset");

struct file {
    /* Set once. */
    char *path;
    /* Guards the fields below. */
    struct rl_lock lock;
    /* -1 if the file is not open. Calls may block, so the last user closes the descriptor. */
    int fd;
    unsigned users;
    bool is_closed;
    bool appends;
    /* The initial offset that the client has set, or -1. */
    int64_t offset;
};

/* Keeps the descriptor open until end_use. Fails if the stream is closed, or not open yet. */
static int begin_use(struct file *file)
{
    rl_lock(&file->lock);
    int fd = file->is_closed || file->fd < 0 ? -EBADF : file->fd;
    if (fd >= 0) file->users++;
    rl_unlock(&file->lock);
    return fd;
}

static void end_use(struct file *file)
{
    rl_lock(&file->lock);
    if (--file->users == 0 && file->is_closed) rl_kernel_close(&file->fd);
    rl_unlock(&file->lock);
}

static int open_at(struct rl_stream *stream, bool appends, int64_t offset)
{
    const struct file *file = stream->transport;
    int fd = rl_file_open(file->path, stream->is_writer, appends);
    if (fd < 0 || appends || offset < 0) return fd;
    int result = rl_file_seek(fd, offset);
    if (result == 0) return fd;
    rl_kernel_close(&fd);
    return result;
}

static int open_file(struct rl_stream *stream, bool waits)
{
    (void)waits;
    struct file *file = stream->transport;
    rl_lock(&file->lock);
    bool appends = file->appends;
    int64_t offset = file->offset;
    rl_unlock(&file->lock);
    int fd = open_at(stream, appends, offset);
    int result = fd < 0 ? fd : 0;
    rl_lock(&file->lock);
    /* Another thread may have closed the stream meanwhile: the last user closes the file. */
    if (file->is_closed) {
        rl_kernel_close(&fd);
    } else {
        file->fd = fd < 0 ? -1 : fd;
    }
    rl_unlock(&file->lock);
    return result;
}

static ssize_t move_file_bytes(struct rl_stream *stream, UInt8 *bytes, size_t length,
                               RLRunLoopDescriptorEvents *ret_awaited)
{
    (void)ret_awaited;
    struct file *file = stream->transport;
    int fd = begin_use(file);
    if (fd < 0) return fd;
    ssize_t moved =
        stream->is_writer ? rl_file_write(fd, bytes, length) : rl_file_read(fd, bytes, length);
    end_use(file);
    return moved;
}

/* Only a read detects EOF, because the file may grow. */
static int check_file(struct rl_stream *stream, RLRunLoopDescriptorEvents events)
{
    (void)stream, (void)events;
    return 1;
}

static void close_file(struct rl_stream *stream)
{
    struct file *file = stream->transport;
    rl_lock(&file->lock);
    file->is_closed = true;
    if (file->users == 0) rl_kernel_close(&file->fd);
    rl_unlock(&file->lock);
}

static void destroy_file(struct rl_stream *stream)
{
    struct file *file = stream->transport;
    free(file->path);
    free(file);
}

static RLTypeRef copy_offset(struct file *file)
{
    rl_lock(&file->lock);
    int64_t offset = file->is_closed ? -1 : file->offset;
    rl_unlock(&file->lock);
    int fd = begin_use(file);
    if (fd >= 0) {
        offset = rl_file_offset(fd);
        end_use(file);
    }
    return offset < 0 ? NULL : RLNumberCreate(NULL, kRLNumberSInt64Type, &offset);
}

static RLTypeRef copy_file_property(struct rl_stream *stream, RLStringRef name)
{
    struct file *file = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertyFileCurrentOffset)) return copy_offset(file);
    if (!rl_string_equal(name, kRLStreamPropertyAppendToFile)) return NULL;
    rl_lock(&file->lock);
    bool appends = file->appends;
    rl_unlock(&file->lock);
    return RLRetain(appends ? kRLBooleanTrue : kRLBooleanFalse);
}

static bool set_offset(struct file *file, RLTypeRef value)
{
    int64_t offset;
    bool is_offset = value && RLGetTypeID(value) == RLNumberGetTypeID() &&
                     RLNumberGetValue(value, kRLNumberSInt64Type, &offset) && offset >= 0;
    if (!is_offset) return false;
    rl_lock(&file->lock);
    bool can_be_set = !file->is_closed && !file->appends;
    if (can_be_set) file->offset = offset;
    rl_unlock(&file->lock);
    int fd = can_be_set ? begin_use(file) : -1;
    if (fd < 0) return can_be_set;
    can_be_set = rl_file_seek(fd, offset) == 0;
    end_use(file);
    return can_be_set;
}

static bool set_file_property(struct rl_stream *stream, RLStringRef name, RLTypeRef value)
{
    struct file *file = stream->transport;
    if (rl_string_equal(name, kRLStreamPropertyFileCurrentOffset)) return set_offset(file, value);
    bool is_known = stream->is_writer && value && RLGetTypeID(value) == RLBooleanGetTypeID() &&
                    rl_string_equal(name, kRLStreamPropertyAppendToFile);
    if (!is_known) return false;
    rl_lock(&file->lock);
    bool can_be_set = file->fd < 0;
    if (can_be_set) file->appends = RLBooleanGetValue(value);
    rl_unlock(&file->lock);
    return can_be_set;
}

static const struct rl_stream_class file_class = {
    .open = open_file,
    .transfer = move_file_bytes,
    .check = check_file,
    .close = close_file,
    .destroy = destroy_file,
    .copy_property = copy_file_property,
    .set_property = set_file_property,
};

static struct rl_stream *create_file_stream(bool is_writer, const char *path)
{
    struct file *file = rl_allocate(sizeof *file);
    file->path = strcpy(rl_allocate(strlen(path) + 1), path);
    file->fd = -1;
    file->offset = -1;
    return rl_stream_create(&file_class, is_writer, -1, file);
}

RLReadStreamRef RLReadStreamCreateWithPath(RLAllocatorRef alloc, RLStringRef path)
{
    (void)alloc;
    rl_expect_string(path, __func__, "path");
    RLStringRef copy = RLStringCreateCopy(NULL, path);
    struct rl_stream *stream = create_file_stream(false, rl_string_characters(copy));
    RLRelease(copy);
    return rl_read_stream_ref(stream);
}

RLWriteStreamRef RLWriteStreamCreateWithPath(RLAllocatorRef alloc, RLStringRef path)
{
    (void)alloc;
    rl_expect_string(path, __func__, "path");
    RLStringRef copy = RLStringCreateCopy(NULL, path);
    struct rl_stream *stream = create_file_stream(true, rl_string_characters(copy));
    RLRelease(copy);
    return rl_write_stream_ref(stream);
}

/* The path may contain any bytes. It is not longer than the URL, which has percent escapes. */
static struct rl_stream *create_url_stream(bool is_writer, RLURLRef url, const char *function)
{
    rl_expect(url, RL_TYPE_URL, function, "fileURL");
    size_t size = strlen(rl_string_characters(RLURLGetString(url))) + 1;
    char *path = rl_allocate(size);
    bool fits = RLURLGetFileSystemRepresentation(url, true, (UInt8 *)path, (RLIndex)size);
    RL_ASSERT(fits);
    struct rl_stream *stream = create_file_stream(is_writer, path);
    free(path);
    return stream;
}

RLReadStreamRef RLReadStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL)
{
    (void)alloc;
    return rl_read_stream_ref(create_url_stream(false, fileURL, __func__));
}

RLWriteStreamRef RLWriteStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL)
{
    (void)alloc;
    return rl_write_stream_ref(create_url_stream(true, fileURL, __func__));
}
