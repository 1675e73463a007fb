/*
 * Short words for values: strings, bytes and collections. Compiled anew for each engine, hence all
 * static.
 */

#ifndef SCENARIOKIT_VALUE_WORDS_H
#define SCENARIOKIT_VALUE_WORDS_H

#include "words.h"

/** Has an object released when the scenario returns. */
static inline const void *kept(const void *object)
{
    if (object) at_return(^{ E(Release)(object); });
    return object;
}

/** As kept, for a reference that is not const. */
static inline E(ErrorRef) kept_error(E(ErrorRef) error)
{
    kept(error);
    return error;
}

/** A string that lives until the scenario returns. */
static inline E(StringRef) text(const char *characters)
{
    return kept(E(StringCreateWithCString)(NULL, characters, K(StringEncodingUTF8)));
}

/** Logs the characters of a string, in quotes. */
static inline void note_text(E(StringRef) string)
{
    char buffer[512];

    if (!string) {
        note("none");
    } else if (E(StringGetCString)(string, buffer, sizeof buffer, K(StringEncodingUTF8))) {
        note("\"%s\"", buffer);
    } else {
        note("too long");
    }
}

/** A number that lives until the scenario returns. */
static inline E(NumberRef) whole(int64_t value)
{
    return kept(E(NumberCreate)(NULL, K(NumberSInt64Type), &value));
}

/** @see whole */
static inline E(NumberRef) real(double value)
{
    return kept(E(NumberCreate)(NULL, K(NumberDoubleType), &value));
}

/** The next of a sequence of numbers below `limit` that looks random and is the same each time. */
static inline int64_t next_number(uint64_t *state, int64_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int64_t)((*state >> 33) % (uint64_t)limit);
}

/** A pointer that stands for a number, for collections without objects. */
static inline const void *plain(long number)
{
    return (const void *)number;
}

/*
 * Callbacks that log what they are asked to do with plain numbers. Two numbers are equal if their
 * last digits are.
 */

static inline const void *plain_retain(E(AllocatorRef) allocator, const void *value)
{
    note("+%ld", (long)value);
    return value;
}

static inline void plain_release(E(AllocatorRef) allocator, const void *value)
{
    note("-%ld", (long)value);
}

static inline Boolean plain_equal(const void *first, const void *second)
{
    return (long)first % 10 == (long)second % 10;
}

static inline E(HashCode) plain_hash(const void *value)
{
    return (E(HashCode))((long)value % 10);
}

#endif
