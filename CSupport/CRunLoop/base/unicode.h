#ifndef RL_UNICODE_H
#define RL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns 0 if the sequence is invalid. The text must end with NUL. */
size_t rl_utf8_sequence_length(const unsigned char *bytes);

/*
 * The internal encoding of strings extends UTF-8, to represent invalid UTF-16 too. An unpaired
 * surrogate is a sequence of three bytes, and U+0000 is C0 80. A surrogate pair is one sequence of
 * four bytes, never two sequences of three. The text ends with NUL.
 */

/* Returns 0 if the sequence is invalid. */
size_t rl_inner_sequence_length(const unsigned char *bytes);

/* Adds a NUL. Returns the length without the NUL. */
size_t rl_inner_encode(uint32_t code_point, char ret_bytes[5]);

enum { RL_REPLACEMENT_CHARACTER = 0xFFFD };

/* Iterates over the UTF-16 code units of a string in the internal encoding. */
struct rl_utf16 {
    const unsigned char *next;
    /* The low surrogate of a pair whose high surrogate was returned last; otherwise 0. */
    uint16_t pending;
};

static inline struct rl_utf16 rl_utf16_begin(const char *characters)
{
    return (struct rl_utf16){(const unsigned char *)characters, 0};
}

/* Returns -1 at the end. */
int rl_utf16_next(struct rl_utf16 *cursor);

/*
 * Like rl_utf16_next, but returns a code point: a surrogate pair is combined. A pending low
 * surrogate is returned alone.
 */
int32_t rl_utf16_next_point(struct rl_utf16 *cursor);

static inline bool rl_is_high_surrogate(int32_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

static inline bool rl_is_low_surrogate(int32_t unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

static inline uint32_t rl_join_surrogates(int32_t high, int32_t low)
{
    return 0x10000 + ((uint32_t)(high - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
}

#endif
