/*
 * Strings as data and back.
 */

#include "base/unicode.h"
#include "values/value.h"

#include <CRunLoop/RLData.h>

RLStringRef RLStringCreateFromExternalRepresentation(RLAllocatorRef allocator, RLDataRef data,
                                                     RLStringEncoding encoding)
{
    rl_expect(data, RL_TYPE_DATA, __func__, "data");
    return RLStringCreateWithBytes(allocator, RLDataGetBytePtr(data), RLDataGetLength(data),
                                   encoding, true);
}

/* Copies what is valid in an encoding, and a byte for each code unit that is not. */
static RLDataRef create_lossy(const char *characters, RLStringEncoding encoding, UInt8 loss_byte)
{
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    const unsigned char *next = (const unsigned char *)characters;
    while (*next) {
        size_t length = rl_utf8_sequence_length(next);
        bool is_kept = length == 1 || (length > 1 && encoding == kRLStringEncodingUTF8);
        RLIndex lost_units = is_kept ? 0 : length == 4 ? 2 : 1;
        if (is_kept) RLDataAppendBytes(data, next, (RLIndex)length);
        for (RLIndex i = 0; i < lost_units; i++) RLDataAppendBytes(data, &loss_byte, 1);
        next += length > 0 ? length : 1;
    }
    return data;
}

RLDataRef RLStringCreateExternalRepresentation(RLAllocatorRef allocator, RLStringRef string,
                                               RLStringEncoding encoding, UInt8 lossByte)
{
    rl_expect_string(string, __func__, "string");
    const char *characters = rl_string_characters(string);
    if (!rl_string_knows_encoding(encoding)) return NULL;
    if (rl_string_is_text(characters, encoding)) {
        return RLDataCreate(allocator, (const UInt8 *)characters, (RLIndex)strlen(characters));
    }
    return lossByte ? create_lossy(characters, encoding, lossByte) : NULL;
}
