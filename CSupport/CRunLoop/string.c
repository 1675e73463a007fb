/*
 * Immutable UTF-8 strings: literals marked by RLSTR, or objects with their characters inside.
 */

#define _GNU_SOURCE

#include "value.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct rl_string {
    struct rl_object object;
    char characters[];
};

const char *rl_string_characters(RLStringRef string)
{
    if (rl_string_is_constant(string)) {
        return (const char *)string + sizeof RL_CONSTANT_STRING_MARK - 1;
    }
    return ((const struct rl_string *)(const void *)string)->characters;
}

RLStringRef rl_string_create(const char *characters, size_t length)
{
    struct rl_string *string = rl_object_create(RL_TYPE_STRING, sizeof *string + length + 1);
    memcpy(string->characters, characters, length);
    return (RLStringRef)(const void *)string;
}

RLStringRef rl_string_format(const char *format, ...)
{
    char *characters = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&characters, format, arguments);
    va_end(arguments);
    if (length < 0) rl_client_error("vasprintf", "no memory for a description");
    RLStringRef string = rl_string_create(characters, (size_t)length);
    free(characters);
    return string;
}

bool rl_string_equal(RLStringRef first, RLStringRef second)
{
    return first == second ||
           strcmp(rl_string_characters(first), rl_string_characters(second)) == 0;
}

void rl_expect_string(RLStringRef string, const char *function, const char *argument)
{
    if (RL_UNLIKELY(rl_type_of(string) != RL_TYPE_STRING)) {
        rl_expect_failed(string, RL_TYPE_STRING, function, argument);
    }
}

static Boolean strings_are_equal(RLTypeRef first, RLTypeRef second)
{
    return rl_string_equal(first, second);
}

static RLHashCode hash_string(RLTypeRef object)
{
    const char *characters = rl_string_characters(object);
    return rl_hash_bytes(characters, strlen(characters));
}

static RLStringRef copy_string(RLTypeRef object)
{
    return RLRetain(object);
}

const struct rl_class rl_string_class = {
    .name = "RLString",
    .destroy = rl_object_free,
    .equal = strings_are_equal,
    .hash = hash_string,
    .copy_description = copy_string,
};

RLTypeID RLStringGetTypeID(void)
{
    return RL_TYPE_STRING;
}

/* How many bytes the UTF-8 sequence at `bytes` has, or 0 if it is none. */
static size_t sequence_length(const unsigned char *bytes)
{
    if (bytes[0] < 0x80) return 1;
    size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    }
    bool is_overlong =
        (bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xF0 && bytes[1] < 0x90);
    bool is_outside =
        (bytes[0] == 0xED && bytes[1] > 0x9F) || (bytes[0] == 0xF4 && bytes[1] > 0x8F);
    return is_overlong || is_outside ? 0 : length;
}

static bool is_valid(const char *characters, RLStringEncoding encoding)
{
    const unsigned char *next = (const unsigned char *)characters;
    while (*next) {
        size_t length = sequence_length(next);
        if (length == 0 || (length > 1 && encoding == kRLStringEncodingASCII)) return false;
        next += length;
    }
    return true;
}

static bool is_known(RLStringEncoding encoding)
{
    return encoding == kRLStringEncodingUTF8 || encoding == kRLStringEncodingASCII;
}

RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                      RLStringEncoding encoding)
{
    (void)allocator;
    if (!characters || !is_known(encoding) || !is_valid(characters, encoding)) return NULL;
    return rl_string_create(characters, strlen(characters));
}

RLStringRef RLStringCreateCopy(RLAllocatorRef allocator, RLStringRef string)
{
    (void)allocator;
    rl_expect_string(string, __func__, "string");
    return RLRetain(string);
}

const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding)
{
    rl_expect_string(string, __func__, "string");
    const char *characters = rl_string_characters(string);
    return is_known(encoding) && is_valid(characters, encoding) ? characters : NULL;
}

Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                           RLStringEncoding encoding)
{
    const char *characters = RLStringGetCStringPtr(string, encoding);
    if (!characters || !buffer || size <= 0) return false;
    size_t length = strlen(characters);
    if (length >= (size_t)size) return false;
    memcpy(buffer, characters, length + 1);
    return true;
}

RLIndex RLStringGetLength(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    RLIndex units = 0;
    for (const char *next = rl_string_characters(string); *next; next++) {
        unsigned char byte = (unsigned char)*next;
        if ((byte & 0xC0) == 0x80) continue;
        units += byte >= 0xF0 ? 2 : 1;
    }
    return units;
}
