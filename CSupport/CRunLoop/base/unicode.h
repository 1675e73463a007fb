
#ifndef RL_UNICODE_H
#define RL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the UTF-8 sequence at `bytes`, or 0 if it is invalid. A NUL ends every
 * text.
 */
size_t rl_utf8_sequence_length(const unsigned char *bytes);

/*
 * The inner text of strings: UTF-8 that ends with NUL and can represent all UTF-16, invalid UTF-16
 * too. An unpaired surrogate is a sequence of three bytes, and the character NUL is the sequence C0
 * 80. A surrogate pair is one sequence of four bytes, never two of three.
 */

/* Returns the length of the inner sequence at `bytes`, or 0 if it is invalid. */
size_t rl_inner_sequence_length(const unsigned char *bytes);

/* Writes a code point as inner text, with a NUL. Returns its length. */
size_t rl_inner_encode(uint32_t code_point, char ret_bytes[5]);

enum { RL_REPLACEMENT_CHARACTER = 0xFFFD };

/* Iterates over inner text by UTF-16 code units. */
struct rl_utf16 {
    const unsigned char *next;
    /* The low surrogate of a pair whose high surrogate was returned last, or 0. */
    uint16_t pending;
};

static inline struct rl_utf16 rl_utf16_begin(const char *characters)
{
    return (struct rl_utf16){(const unsigned char *)characters, 0};
}

/* Returns the next code unit, or -1 at the end. */
int rl_utf16_next(struct rl_utf16 *cursor);

/* Returns the next code point, or -1 at the end. A pending low surrogate counts as a code point. */
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
