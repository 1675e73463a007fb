/*
 * Steps through UTF-8 and UTF-16.
 */

#ifndef RL_UNICODE_H
#define RL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the UTF-8 sequence at `bytes`, or 0 if it is none. A NUL ends every
 * text.
 */
size_t rl_utf8_sequence_length(const unsigned char *bytes);

/*
 * The inner text of strings is UTF-8 that ends with NUL and can hold all that UTF-16 can: half a
 * pair of surrogates is a sequence of three bytes, and the character NUL the sequence C0 80. A
 * whole pair is one sequence of four bytes, never two of three.
 */

/* Returns the length of the sequence of inner text at `bytes`, or 0 if it is none. */
size_t rl_inner_sequence_length(const unsigned char *bytes);

/* Writes a code point as a sequence of inner text with a NUL behind it. Returns its length. */
size_t rl_inner_encode(uint32_t code_point, char ret_bytes[5]);

/* Replaces a byte that is not UTF-8. */
enum { RL_REPLACEMENT_CHARACTER = 0xFFFD };

/* Goes through inner text by code units of UTF-16. */
struct rl_utf16 {
    const unsigned char *next;
    /* The second half of a pair whose first half was the last one, or 0. */
    uint16_t pending;
};

static inline struct rl_utf16 rl_utf16_begin(const char *characters)
{
    return (struct rl_utf16){(const unsigned char *)characters, 0};
}

/* Returns the next code unit, or -1 at the end. */
int rl_utf16_next(struct rl_utf16 *cursor);

/* Returns the next code point, or -1 at the end. A pending half of a pair counts as one. */
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
