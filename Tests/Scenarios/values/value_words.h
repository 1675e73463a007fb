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
    if (object) at_return(^{ RLRelease(object); });
    return object;
}

/** As kept, for a reference that is not const. */
static inline RLErrorRef kept_error(RLErrorRef error)
{
    kept(error);
    return error;
}

/** A string that lives until the scenario returns. */
static inline RLStringRef text(const char *characters)
{
    return kept(RLStringCreateWithCString(NULL, characters, kRLStringEncodingUTF8));
}

/** Logs the characters of a string, in quotes. */
static inline void note_text(RLStringRef string)
{
    char buffer[512];

    if (!string) {
        note("none");
    } else if (RLStringGetCString(string, buffer, sizeof buffer, kRLStringEncodingUTF8)) {
        note("\"%s\"", buffer);
    } else {
        note("too long");
    }
}

/** A number that lives until the scenario returns. */
static inline RLNumberRef whole(int64_t value)
{
    return kept(RLNumberCreate(NULL, kRLNumberSInt64Type, &value));
}

/** @see whole */
static inline RLNumberRef real(double value)
{
    return kept(RLNumberCreate(NULL, kRLNumberDoubleType, &value));
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
 * Callbacks that log their calls with plain numbers. Two numbers are equal if their last digits
 * are.
 */

static inline const void *plain_retain(RLAllocatorRef allocator, const void *value)
{
    note("+%ld", (long)value);
    return value;
}

static inline void plain_release(RLAllocatorRef allocator, const void *value)
{
    note("-%ld", (long)value);
}

static inline Boolean plain_equal(const void *first, const void *second)
{
    return (long)first % 10 == (long)second % 10;
}

static inline RLHashCode plain_hash(const void *value)
{
    return (RLHashCode)((long)value % 10);
}

/** Mutable, of the numbers from 0 on, without callbacks. */
static inline RLMutableArrayRef plain_array(long count)
{
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, NULL);
    kept(array);
    for (long i = 0; i < count; i++) RLArrayAppendValue(array, plain(i));
    return array;
}

/** Logs plain numbers. */
static inline void note_array(RLArrayRef array)
{
    char line[512] = "";
    size_t length = 0;
    for (long i = 0; i < RLArrayGetCount(array) && length < sizeof line; i++) {
        length += (size_t)snprintf(line + length, sizeof line - length, " %ld",
                                   (long)RLArrayGetValueAtIndex(array, i));
    }
    note("[%s]", line[0] ? line + 1 : "");
}

static inline RLDataRef data_of(const char *characters)
{
    return kept(RLDataCreate(NULL, (const UInt8 *)characters, (long)strlen(characters)));
}

/** Mutable bytes without limit. */
static inline RLMutableDataRef changing_data(const char *characters)
{
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    kept(data);
    RLDataAppendBytes(data, (const UInt8 *)characters, (long)strlen(characters));
    return data;
}

static inline RLMutableSetRef plain_set(long count)
{
    RLMutableSetRef set = RLSetCreateMutable(NULL, 0, NULL);
    kept(set);
    for (long i = 0; i < count; i++) RLSetAddValue(set, plain(i));
    return set;
}

#endif
