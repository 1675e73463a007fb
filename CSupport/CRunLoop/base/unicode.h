/*
 * Steps through UTF-8 and UTF-16.
 */

#ifndef RL_UNICODE_H
#define RL_UNICODE_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes the UTF-8 sequence at `bytes` has, or 0 if it is none. A NUL ends every text. */
size_t rl_utf8_sequence_length(const unsigned char *bytes);

/* Writes a code point as UTF-8 with a NUL; a lone surrogate as the replacement character. */
void rl_utf8_encode(uint32_t code_point, char ret_bytes[5]);

/* What stands for a byte that is not UTF-8. */
enum { RL_REPLACEMENT_CHARACTER = 0xFFFD };

/* Goes through UTF-8 by code units of UTF-16. */
struct rl_utf16 {
    const unsigned char *next;
    /* The second half of a pair whose first half was the last one, or 0. */
    uint16_t pending;
};

static inline struct rl_utf16 rl_utf16_begin(const char *characters)
{
    return (struct rl_utf16){(const unsigned char *)characters, 0};
}

/* The next code unit, or -1 at the end. */
int rl_utf16_next(struct rl_utf16 *cursor);

#endif
