/*
 * The format of property lists: strings, numbers, booleans, data, dates, and arrays and
 * dictionaries of these, with strings as keys. Each value begins with a mark for its type. Lengths
 * and numbers are in the machine's byte order, because the bytes never leave the machine.
 */

#ifndef RL_PROPERTY_LIST_H
#define RL_PROPERTY_LIST_H

#include <CRunLoop/RLData.h>

/*
 * Appends a value. Null is appended as a mark. Returns false if the value, or a value nested in it,
 * is not a property list.
 */
bool rl_property_list_append(RLMutableDataRef data, RLTypeRef value);

/* The bytes that are not read yet. Reading stops at malformed bytes. */
struct rl_property_list_reader {
    const uint8_t *next;
    const uint8_t *end;
    bool has_failed;
};

/* Returns a value that the caller owns. Returns null for a null value, and for malformed bytes. */
RLTypeRef rl_property_list_read(struct rl_property_list_reader *reader);

#endif
