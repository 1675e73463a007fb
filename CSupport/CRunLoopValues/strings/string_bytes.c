/* Converts bytes in an encoding to strings, and strings to bytes. */

#include "strings/characters.h"

#include "base/hint.h"

#include <CRunLoop/RLAllocator.h>
#include <CRunLoop/RLData.h>

#include <stdlib.h>

bool rl_string_is_text(const char *characters, RLStringEncoding encoding)
{
    const unsigned char *next = (const unsigned char *)characters;
    while (*next) {
        size_t length = rl_utf8_sequence_length(next);
        if (length == 0 || (length > 1 && encoding != kRLStringEncodingUTF8)) return false;
        next += length;
    }
    return true;
}

static bool knows_encoding(RLStringEncoding encoding)
{
    return RLStringIsEncodingAvailable(encoding);
}

static RLIndex width_of(RLStringEncoding encoding)
{
    switch (encoding) {
    case kRLStringEncodingUTF16:
    case kRLStringEncodingUTF16BE:
    case kRLStringEncodingUTF16LE: return 2;
    case kRLStringEncodingUTF32:
    case kRLStringEncodingUTF32BE:
    case kRLStringEncodingUTF32LE: return 4;
    default: return 1;
    }
}

static bool is_native_big_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* --- From bytes --- */

static uint32_t load_unit(const UInt8 *bytes, RLIndex width, bool is_big_endian)
{
    uint32_t value = 0;
    for (RLIndex i = 0; i < width; i++) {
        value = value << 8 | bytes[is_big_endian ? i : width - 1 - i];
    }
    return value;
}

/* A NUL becomes the two-byte sequence that the internal encoding has for U+0000. */
static bool add_utf8(struct rl_text *text, const UInt8 *bytes, RLIndex count,
                     RLStringEncoding encoding)
{
    static const UInt8 mark[] = {0xEF, 0xBB, 0xBF};
    bool is_marked = count >= 3 && encoding == kRLStringEncodingUTF8 && !memcmp(bytes, mark, 3);
    const char *next = (const char *)bytes + (is_marked ? 3 : 0),
               *end = (const char *)bytes + count;
    size_t start = text->length;
    for (;;) {
        size_t length = strnlen(next, (size_t)(end - next));
        rl_text_add_bytes(text, next, length);
        next += length;
        if (!rl_string_is_text(text->characters + start, encoding)) return false;
        if (next == end) return true;
        rl_text_add_bytes(text, "\xC0\x80", 2);
        next++;
        start = text->length;
    }
}

static bool add_latin1(struct rl_text *text, const UInt8 *bytes, RLIndex count)
{
    for (RLIndex i = 0; i < count; i++) rl_text_add_units(text, &(UniChar){bytes[i]}, 1);
    return true;
}

static bool add_by_table(struct rl_text *text, const UInt8 *bytes, RLIndex count,
                         const UniChar *upper_half)
{
    for (RLIndex i = 0; i < count; i++) {
        UniChar character = bytes[i] < 0x80 ? bytes[i] : upper_half[bytes[i] - 0x80];
        if (bytes[i] >= 0x80 && character == 0) return false;
        rl_text_add_units(text, &character, 1);
    }
    return true;
}

/* Stores the byte order if the bytes begin with a byte order mark, and returns whether they do. */
static bool read_mark(const UInt8 *bytes, RLIndex count, RLIndex width, bool *is_big_endian)
{
    if (count < width) return false;
    bool is_big = load_unit(bytes, width, true) == 0xFEFF;
    bool is_little = load_unit(bytes, width, false) == 0xFEFF;
    if (is_big || is_little) *is_big_endian = is_big;
    return is_big || is_little;
}

/*
 * As in CF, a partial code unit at the end is ignored, and UTF-32 is big-endian unless a mark or
 * the encoding specifies the byte order.
 */
static bool add_wide(struct rl_text *text, const UInt8 *bytes, RLIndex count,
                     RLStringEncoding encoding, bool is_external)
{
    RLIndex width = width_of(encoding);
    bool has_order = encoding != kRLStringEncodingUTF16 && encoding != kRLStringEncodingUTF32;
    bool is_plain_16 = encoding == kRLStringEncodingUTF16 && !is_external;
    bool is_big_endian =
        is_plain_16 ? is_native_big_endian()
                    : encoding != kRLStringEncodingUTF16LE && encoding != kRLStringEncodingUTF32LE;
    bool is_marked = !has_order && !is_plain_16 && read_mark(bytes, count, width, &is_big_endian);
    for (RLIndex at = is_marked ? width : 0; at <= count - width; at += width) {
        uint32_t value = load_unit(bytes + at, width, is_big_endian);
        if (width == 4 && (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))) return false;
        char sequence[5];
        if (width == 4) {
            rl_text_add_bytes(text, sequence, rl_inner_encode(value, sequence));
        } else {
            rl_text_add_units(text, &(UniChar){(UniChar)value}, 1);
        }
    }
    return true;
}

static bool add_encoded(struct rl_text *text, const UInt8 *bytes, RLIndex count,
                        RLStringEncoding encoding, bool is_external)
{
    /* Makes the text's memory even if there are no bytes. */
    rl_text_add_bytes(text, "", 0);
    if (count == 0) return true;
    if (width_of(encoding) > 1) return add_wide(text, bytes, count, encoding, is_external);
    if (encoding == kRLStringEncodingISOLatin1) return add_latin1(text, bytes, count);
    const UniChar *upper_half = rl_string_upper_half(encoding);
    if (upper_half) return add_by_table(text, bytes, count, upper_half);
    return add_utf8(text, bytes, count, encoding);
}

/* A fast path for bytes that are already in the internal encoding. Returns null for other bytes. */
static RLStringRef create_plain(const UInt8 *bytes, RLIndex count, RLStringEncoding encoding)
{
    bool begins_with_mark = count > 0 && bytes[0] == 0xEF;
    if (width_of(encoding) > 1 || begins_with_mark) return NULL;
    if (count > 0 && memchr(bytes, 0, (size_t)count)) return NULL;
    RLStringRef string = rl_string_create(count > 0 ? (const char *)bytes : "", (size_t)count);
    if (rl_string_is_text(rl_string_characters(string), encoding)) return string;
    RLRelease(string);
    return NULL;
}

RLStringRef RLStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count,
                                    RLStringEncoding encoding, Boolean isExternalRepresentation)
{
    (void)allocator;
    if (count < 0 || (count > 0 && !bytes) || !knows_encoding(encoding)) return NULL;
    RLStringRef plain = create_plain(bytes, count, encoding);
    if (plain) return plain;
    struct rl_text text = {0};
    if (add_encoded(&text, bytes, count, encoding, isExternalRepresentation)) {
        return rl_text_finish(&text);
    }
    free(text.characters);
    RL_HINT(true, __func__,
            "the %ld bytes are not valid in encoding 0x%08x: pass the encoding of the bytes; "
            "returning NULL",
            (long)count, encoding);
    return NULL;
}

RLStringRef RLStringCreateWithBytesNoCopy(RLAllocatorRef allocator, const UInt8 *bytes,
                                          RLIndex count, RLStringEncoding encoding,
                                          Boolean isExternalRepresentation,
                                          RLAllocatorRef contentsDeallocator)
{
    RLStringRef string =
        RLStringCreateWithBytes(allocator, bytes, count, encoding, isExternalRepresentation);
    if (string) RLAllocatorDeallocate(contentsDeallocator, (void *)(uintptr_t)bytes);
    return string;
}

/* Fails for wide encodings: a C string ends at the first zero byte, even inside a code unit. */
RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                      RLStringEncoding encoding)
{
    if (!characters || width_of(encoding) > 1) return NULL;
    return RLStringCreateWithBytes(allocator, (const UInt8 *)characters,
                                   (RLIndex)strlen(characters), encoding, false);
}

RLStringRef RLStringCreateWithCStringNoCopy(RLAllocatorRef allocator, const char *characters,
                                            RLStringEncoding encoding,
                                            RLAllocatorRef contentsDeallocator)
{
    RLStringRef string = RLStringCreateWithCString(allocator, characters, encoding);
    if (string) RLAllocatorDeallocate(contentsDeallocator, (void *)(uintptr_t)characters);
    return string;
}

RLStringRef RLStringCreateFromExternalRepresentation(RLAllocatorRef allocator, RLDataRef data,
                                                     RLStringEncoding encoding)
{
    rl_expect(data, RL_TYPE_DATA, __func__, "data");
    return RLStringCreateWithBytes(allocator, RLDataGetBytePtr(data), RLDataGetLength(data),
                                   encoding, true);
}

RLStringRef RLStringCreateWithFileSystemRepresentation(RLAllocatorRef allocator, const char *buffer)
{
    return RLStringCreateWithCString(allocator, buffer, kRLStringEncodingUTF8);
}

/* --- To bytes --- */

/* Returns the string's own text if it is also valid in the encoding, or null. */
static const char *find_plain(RLStringRef string, RLStringEncoding encoding)
{
    if (!knows_encoding(encoding) || width_of(encoding) > 1) return NULL;
    const char *characters = rl_string_characters(string);
    return rl_string_is_text(characters, encoding) ? characters : NULL;
}

const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding)
{
    rl_expect_string(string, __func__, "string");
    /* If another thread changed a mutable string, it would free the returned characters. */
    return rl_string_is_mutable(string) ? NULL : find_plain(string, encoding);
}

/* If `bytes` is null, the bytes are only counted. */
struct sink {
    UInt8 *bytes;
    RLIndex size;
    RLIndex used;
};

static bool put_bytes(struct sink *sink, const void *bytes, RLIndex count)
{
    if (sink->bytes && count > sink->size - sink->used) return false;
    if (sink->bytes) memcpy(sink->bytes + sink->used, bytes, (size_t)count);
    sink->used += count;
    return true;
}

static bool put_unit(struct sink *sink, uint32_t value, RLIndex width, bool is_big_endian)
{
    UInt8 bytes[4];
    for (RLIndex i = 0; i < width; i++) {
        RLIndex shift = 8 * (is_big_endian ? width - 1 - i : i);
        bytes[i] = (UInt8)(value >> shift);
    }
    return put_bytes(sink, bytes, width);
}

static void put_single(struct sink *sink, uint32_t point, RLStringEncoding encoding)
{
    UInt8 byte = (UInt8)point;
    const UniChar *upper_half = rl_string_upper_half(encoding);
    uint32_t limit = encoding == kRLStringEncodingISOLatin1 ? 0x100 : 0x80;
    if (point < limit) {
        put_bytes(sink, &byte, 1);
        return;
    }
    for (uint32_t i = 0; upper_half && i < 0x80; i++) {
        byte = (UInt8)(0x80 + i);
        if (upper_half[i] == point) put_bytes(sink, &byte, 1);
    }
}

/* Returns the length in bytes, or 0 if the encoding does not contain the code point. */
static RLIndex encode_point(uint32_t point, RLStringEncoding encoding, bool is_big_endian,
                            UInt8 ret_bytes[5])
{
    struct sink sink = {.bytes = ret_bytes, .size = 5};
    RLIndex width = width_of(encoding);
    bool is_half = point >= 0xD800 && point < 0xE000;
    if (width == 4) {
        if (!is_half) put_unit(&sink, point, width, is_big_endian);
    } else if (width == 2 && point >= 0x10000) {
        put_unit(&sink, 0xD800 | (point - 0x10000) >> 10, width, is_big_endian);
        put_unit(&sink, 0xDC00 | (point & 0x3FF), width, is_big_endian);
    } else if (width == 2) {
        put_unit(&sink, point, width, is_big_endian);
    } else if (encoding != kRLStringEncodingUTF8 || point == 0) {
        put_single(&sink, point, encoding);
    } else if (!is_half) {
        sink.used = (RLIndex)rl_inner_encode(point, (char *)ret_bytes);
    }
    return sink.used;
}

/*
 * Writes the loss byte once for each code unit that the encoding cannot express. As in CF, Mac
 * Roman gets one byte for a surrogate pair. Returns false if there is no loss byte or no space.
 */
static bool put_lost(struct sink *sink, RLIndex units, RLStringEncoding encoding,
                     bool is_big_endian, UInt8 loss_byte)
{
    if (!loss_byte || encoding == kRLStringEncodingUTF8) return false;
    if (width_of(encoding) == 4) return put_unit(sink, loss_byte, 4, is_big_endian);
    const UInt8 bytes[] = {loss_byte, loss_byte};
    return put_bytes(sink, bytes, encoding == kRLStringEncodingMacRoman ? 1 : units);
}

/*
 * Stops at a code point that the encoding does not contain, or that does not fit. Returns the
 * number of code units before it.
 */
static RLIndex convert_units(RLStringRef string, RLRange range, RLStringEncoding encoding,
                             UInt8 loss_byte, bool is_external, struct sink *sink)
{
    bool is_big_endian =
        encoding == kRLStringEncodingUTF16BE || encoding == kRLStringEncodingUTF32BE ||
        ((encoding == kRLStringEncodingUTF16 || encoding == kRLStringEncodingUTF32) &&
         is_native_big_endian());
    bool is_marked =
        is_external && (encoding == kRLStringEncodingUTF16 || encoding == kRLStringEncodingUTF32);
    if (is_marked && !put_unit(sink, 0xFEFF, width_of(encoding), is_big_endian)) return 0;
    struct rl_utf16 cursor = rl_string_seek(string, range.location);
    RLIndex done = 0;
    while (done < range.length) {
        struct rl_utf16 before = cursor;
        int32_t point = rl_utf16_next_point(&cursor);
        RLIndex units = point >= 0x10000 ? 2 : 1;
        if (units > range.length - done) {
            cursor = before;
            point = rl_utf16_next(&cursor);
            units = 1;
        }
        UInt8 bytes[5];
        RLIndex count = encode_point((uint32_t)point, encoding, is_big_endian, bytes);
        bool is_done = count > 0 ? put_bytes(sink, bytes, count)
                                 : put_lost(sink, units, encoding, is_big_endian, loss_byte);
        if (!is_done) break;
        done += units;
    }
    return done;
}

RLIndex RLStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding,
                         UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer,
                         RLIndex maxBufLen, RLIndex *usedBufLen)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    rl_string_expect_range(string, range, __func__);
    struct sink sink = {.bytes = buffer, .size = maxBufLen > 0 ? maxBufLen : 0};
    RLIndex units = 0;
    if (knows_encoding(encoding)) {
        units = convert_units(string, range, encoding, lossByte, isExternalRepresentation, &sink);
    }
    rl_string_unlock(string);
    if (usedBufLen) *usedBufLen = sink.used;
    return units;
}

static RLDataRef create_data(RLStringRef string, RLStringEncoding encoding, UInt8 loss_byte)
{
    const char *plain = find_plain(string, encoding);
    if (plain) return RLDataCreate(NULL, (const UInt8 *)plain, (RLIndex)strlen(plain));
    RLRange all = {0, rl_string_count(string)};
    struct sink sink = {0};
    RLIndex units = convert_units(string, all, encoding, loss_byte, true, &sink);
    if (units < all.length && !loss_byte) return NULL;
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    RLDataSetLength(data, sink.used);
    sink = (struct sink){.bytes = RLDataGetMutableBytePtr(data), .size = sink.used};
    convert_units(string, all, encoding, loss_byte, true, &sink);
    return data;
}

RLDataRef RLStringCreateExternalRepresentation(RLAllocatorRef allocator, RLStringRef string,
                                               RLStringEncoding encoding, UInt8 lossByte)
{
    (void)allocator;
    rl_expect_string(string, __func__, "string");
    if (!knows_encoding(encoding)) return NULL;
    rl_string_lock(string);
    RLDataRef data = create_data(string, encoding, lossByte);
    rl_string_unlock(string);
    return data;
}

static bool write_c_string(RLStringRef string, char *buffer, RLIndex size,
                           RLStringEncoding encoding)
{
    const char *plain = find_plain(string, encoding);
    if (plain) {
        size_t length = strlen(plain);
        bool fits = length < (size_t)size;
        if (fits) memcpy(buffer, plain, length + 1);
        return fits;
    }
    RLRange all = {0, rl_string_count(string)};
    struct sink sink = {0};
    RLIndex units = convert_units(string, all, encoding, 0, false, &sink);
    if (units < all.length || sink.used >= size) return false;
    sink = (struct sink){.bytes = (UInt8 *)buffer, .size = size};
    convert_units(string, all, encoding, 0, false, &sink);
    buffer[sink.used] = 0;
    return true;
}

Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                           RLStringEncoding encoding)
{
    rl_expect_string(string, __func__, "string");
    if (!knows_encoding(encoding) || !buffer || size <= 0) return false;
    rl_string_lock(string);
    bool fits = write_c_string(string, buffer, size, encoding);
    rl_string_unlock(string);
    return fits;
}

RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding)
{
    /* UTF-8 needs up to three bytes per code unit, but only four for a surrogate pair. */
    RLIndex size, factor = encoding == kRLStringEncodingUTF8 ? 3 : width_of(encoding);
    if (length < 0 || !knows_encoding(encoding)) return kRLNotFound;
    return __builtin_mul_overflow(length, factor, &size) ? kRLNotFound : size;
}

Boolean RLStringGetFileSystemRepresentation(RLStringRef string, char *buffer, RLIndex maxBufLen)
{
    return RLStringGetCString(string, buffer, maxBufLen, kRLStringEncodingUTF8);
}

RLIndex RLStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string)
{
    return RLStringGetMaximumSizeForEncoding(RLStringGetLength(string), kRLStringEncodingUTF8) + 1;
}
