/*
 * Property lists as bytes: strings, numbers, truth values, data, dates, and arrays and dictionaries
 * of these, whose keys are strings. A mark comes first, lengths and numbers in the order of the
 * processor: bytes never leave the machine.
 */

#ifndef RL_PROPERTY_LIST_H
#define RL_PROPERTY_LIST_H

#include <CRunLoop/RLData.h>

/* Appends a value, or a mark for null. False if it, or something in it, is no property list. */
bool rl_property_list_append(RLMutableDataRef data, RLTypeRef value);

/* Bytes that are still to be read. What is wrong with them ends the reading. */
struct rl_property_list_reader {
    const uint8_t *next;
    const uint8_t *end;
    bool has_failed;
};

/* Reads a value, which the caller owns; null for null and where the bytes are no value. */
RLTypeRef rl_property_list_read(struct rl_property_list_reader *reader);

#endif
