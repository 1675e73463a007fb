/* Decompresses gzip bodies. libcurl's own decompression accepts a truncated body as complete. */

#include "curl.h"

#include <CRunLoopNetworking.h>

#include <limits.h>
#include <stdlib.h>

struct rl_gunzip {
    struct rl_zlib_stream stream;
    bool is_in_member;
};

enum {
    /* Accepts only the gzip format, with any window size. */
    WINDOW_BITS = 16 + 15,
    NO_FLUSH = 0,
    OK = 0,
    STREAM_END = 1,
    BUFFER_ERROR = -5,
};

Boolean RLGunzipIsAvailable(void)
{
    return !rl_curl_load() && rl_zlib.inflateInit2_;
}

RLGunzip RLGunzipCreate(void)
{
    if (!RLGunzipIsAvailable()) return NULL;
    struct rl_gunzip *gunzip = calloc(1, sizeof *gunzip);
    if (!gunzip) return NULL;
    struct rl_zlib_stream *stream = &gunzip->stream;
    /* zlib compares only the major version. */
    if (rl_zlib.inflateInit2_(stream, WINDOW_BITS, "1", sizeof *stream) == OK) return gunzip;
    free(gunzip);
    return NULL;
}

Boolean RLGunzipRead(RLGunzip gunzip, const void *bytes, size_t *length, void *buffer,
                     size_t *capacity)
{
    struct rl_zlib_stream *stream = &gunzip->stream;
    stream->next_in = bytes;
    stream->avail_in = *length < UINT_MAX ? (unsigned)*length : UINT_MAX;
    stream->next_out = buffer;
    stream->avail_out = *capacity < UINT_MAX ? (unsigned)*capacity : UINT_MAX;
    const unsigned length_before = stream->avail_in, capacity_before = stream->avail_out;
    int result = OK;
    while (result == OK && stream->avail_out > 0 &&
           (gunzip->is_in_member || stream->avail_in > 0)) {
        gunzip->is_in_member = true;
        result = rl_zlib.inflate(stream, NO_FLUSH);
        if (result != STREAM_END) continue;
        gunzip->is_in_member = false;
        result = rl_zlib.inflateReset(stream);
    }
    *length = length_before - stream->avail_in;
    *capacity = capacity_before - stream->avail_out;
    /* BUFFER_ERROR is not a failure: zlib has consumed the input and needs more. */
    return result == OK || result == BUFFER_ERROR;
}

Boolean RLGunzipIsInMember(RLGunzip gunzip)
{
    return gunzip->is_in_member;
}

void RLGunzipDestroy(RLGunzip gunzip)
{
    rl_zlib.inflateEnd(&gunzip->stream);
    free(gunzip);
}
