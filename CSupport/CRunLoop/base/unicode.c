/* Literals may contain invalid UTF-8, so no function reads past a NUL, even inside a sequence. */

#include "base/unicode.h"

size_t rl_utf8_sequence_length(const unsigned char *bytes)
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

size_t rl_inner_sequence_length(const unsigned char *bytes)
{
    if (bytes[0] < 0x80) return 1;
    bool is_nul = bytes[0] == 0xC0 && bytes[1] == 0x80;
    if (is_nul) return 2;
    bool is_surrogate =
        bytes[0] == 0xED && bytes[1] >= 0xA0 && bytes[1] < 0xC0 && (bytes[2] & 0xC0) == 0x80;
    return is_surrogate ? 3 : rl_utf8_sequence_length(bytes);
}

size_t rl_inner_encode(uint32_t code_point, char ret_bytes[5])
{
    bool is_one_byte = code_point > 0 && code_point < 0x80;
    size_t length = is_one_byte ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        ret_bytes[i] = (char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    ret_bytes[0] = (char)(leads[length] | code_point);
    ret_bytes[length] = 0;
    return length;
}

int32_t rl_utf16_next_point(struct rl_utf16 *cursor)
{
    if (cursor->pending) {
        int32_t unit = cursor->pending;
        cursor->pending = 0;
        return unit;
    }
    const unsigned char *bytes = cursor->next;
    if (bytes[0] == 0) return -1;
    size_t length = rl_inner_sequence_length(bytes);
    if (length == 0) {
        cursor->next++;
        return RL_REPLACEMENT_CHARACTER;
    }
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    int32_t code_point = bytes[0] & masks[length];
    for (size_t i = 1; i < length; i++) code_point = code_point << 6 | (bytes[i] & 0x3F);
    cursor->next += length;
    return code_point;
}

int rl_utf16_next(struct rl_utf16 *cursor)
{
    int32_t code_point = rl_utf16_next_point(cursor);
    if (code_point < 0x10000) return code_point;
    code_point -= 0x10000;
    cursor->pending = (uint16_t)(0xDC00 | (code_point & 0x3FF));
    return 0xD800 | code_point >> 10;
}
