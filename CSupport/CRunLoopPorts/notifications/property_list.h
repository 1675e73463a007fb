/*
 * The format of property lists: strings, numbers, booleans, data, dates, and arrays and
 * dictionaries of these, with strings as keys. Each value begins with a mark. Lengths and numbers
 * have the processor's byte order: bytes never leave the machine.
 */

#ifndef RL_PROPERTY_LIST_H
#define RL_PROPERTY_LIST_H

#include <CRunLoop/RLData.h>

/*
 * Appends a value, or a mark for null. Returns false if the value, or a value in it, is no property
 * list.
 */
bool rl_property_list_append(RLMutableDataRef data, RLTypeRef value);

/* The unread bytes. Malformed bytes end the reading. */
struct rl_property_list_reader {
    const uint8_t *next;
    const uint8_t *end;
    bool has_failed;
};

/* The caller owns the value; null for null and for malformed bytes. */
RLTypeRef rl_property_list_read(struct rl_property_list_reader *reader);

#endif
