/* Serializes and parses property lists. The parsed bytes may come from any process of the user. */

#include "notifications/property_list.h"

#include "base/unicode.h"
#include "values/value.h"

#include <CRunLoop/RLDate.h>
#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLNumber.h>

/* The maximum nesting depth. The stack is limited, and a client's value may be circular. */
enum { DEEPEST = 64 };

/* The maximum size in bytes, at which writing stops. A circular value never ends. */
enum { MOST_WRITTEN = 1 << 20 };

enum mark { NOTHING, STRING, DATA, INTEGER, REAL, YES, NO, DATE, ARRAY, DICTIONARY };

/* --- Writing --------------------------------------------------------------------------------- */

static void append_mark(RLMutableDataRef data, enum mark mark)
{
    RLDataAppendBytes(data, &(UInt8){(UInt8)mark}, 1);
}

static bool append_bytes(RLMutableDataRef data, enum mark mark, const void *bytes, size_t length)
{
    append_mark(data, mark);
    uint32_t count = (uint32_t)length;
    if (count != length) return false;
    RLDataAppendBytes(data, (const UInt8 *)&count, sizeof count);
    RLDataAppendBytes(data, bytes, (RLIndex)length);
    return true;
}

static bool append_word(RLMutableDataRef data, enum mark mark, const void *word)
{
    append_mark(data, mark);
    RLDataAppendBytes(data, word, 8);
    return true;
}

static bool append_number(RLMutableDataRef data, RLNumberRef number)
{
    int64_t integer = 0;
    double real = 0;
    if (RLNumberIsFloatType(number)) {
        RLNumberGetValue(number, kRLNumberFloat64Type, &real);
        return append_word(data, REAL, &real);
    }
    RLNumberGetValue(number, kRLNumberSInt64Type, &integer);
    return append_word(data, INTEGER, &integer);
}

static bool append_nested(RLMutableDataRef data, RLTypeRef value, unsigned depth);

struct appending {
    RLMutableDataRef data;
    unsigned depth;
    bool has_failed;
};

static void append_element(const void *value, void *context)
{
    struct appending *self = context;
    if (self->has_failed) return;
    self->has_failed = !value || !append_nested(self->data, value, self->depth);
}

static void append_entry(const void *key, const void *value, void *context)
{
    struct appending *self = context;
    if (!key || rl_type_of(key) != RL_TYPE_STRING) self->has_failed = true;
    append_element(key, self);
    append_element(value, self);
}

static bool append_collection(RLMutableDataRef data, RLTypeRef value, unsigned depth)
{
    struct appending appending = {.data = data, .depth = depth};
    bool is_array = rl_is(value, RL_TYPE_ARRAY);
    RLIndex count = is_array ? RLArrayGetCount(value) : RLDictionaryGetCount(value);
    uint32_t elements = (uint32_t)count;
    append_mark(data, is_array ? ARRAY : DICTIONARY);
    RLDataAppendBytes(data, (const UInt8 *)&elements, sizeof elements);
    if (is_array) {
        RLArrayApplyFunction(value, RLRangeMake(0, count), append_element, &appending);
    } else {
        RLDictionaryApplyFunction(value, append_entry, &appending);
    }
    return !appending.has_failed && (RLIndex)elements == count;
}

static bool append_nested(RLMutableDataRef data, RLTypeRef value, unsigned depth)
{
    if (depth > DEEPEST || RLDataGetLength(data) > MOST_WRITTEN) return false;
    switch (rl_type_of(value)) {
    case RL_TYPE_STRING: {
        RLStringRef copy = RLStringCreateCopy(NULL, value);
        const char *characters = rl_string_characters(copy);
        bool is_done = append_bytes(data, STRING, characters, strlen(characters));
        RLRelease(copy);
        return is_done;
    }
    case RL_TYPE_DATA:
        return append_bytes(data, DATA, RLDataGetBytePtr(value), (size_t)RLDataGetLength(value));
    case RL_TYPE_NUMBER: return append_number(data, value);
    case RL_TYPE_BOOLEAN: append_mark(data, RLBooleanGetValue(value) ? YES : NO); return true;
    case RL_TYPE_DATE: return append_word(data, DATE, &(double){RLDateGetAbsoluteTime(value)});
    case RL_TYPE_ARRAY:
    case RL_TYPE_DICTIONARY: return append_collection(data, value, depth + 1);
    default: return false;
    }
}

bool rl_property_list_append(RLMutableDataRef data, RLTypeRef value)
{
    if (value) return append_nested(data, value, 0);
    append_mark(data, NOTHING);
    return true;
}

/* --- Reading --------------------------------------------------------------------------------- */

static const uint8_t *take_bytes(struct rl_property_list_reader *reader, size_t length)
{
    if (reader->has_failed || (size_t)(reader->end - reader->next) < length) {
        reader->has_failed = true;
        return NULL;
    }
    reader->next += length;
    return reader->next - length;
}

static uint32_t take_count(struct rl_property_list_reader *reader)
{
    uint32_t count = 0;
    const uint8_t *bytes = take_bytes(reader, sizeof count);
    if (bytes) memcpy(&count, bytes, sizeof count);
    return count;
}

/* The bytes are text in the internal encoding (base/unicode.h). */
static RLTypeRef read_string(const char *bytes, size_t length)
{
    /* A string with an embedded NUL would be truncated. */
    if (memchr(bytes, 0, length)) return NULL;
    RLStringRef string = rl_string_create(bytes, length);
    const char *next = rl_string_characters(string);
    size_t step = 1;
    while (*next && step > 0) {
        step = rl_inner_sequence_length((const unsigned char *)next);
        next += step;
    }
    if (step > 0) return string;
    RLRelease(string);
    return NULL;
}

static RLTypeRef read_bytes(struct rl_property_list_reader *reader, enum mark mark)
{
    uint32_t length = take_count(reader);
    const uint8_t *bytes = take_bytes(reader, length);
    if (!bytes) return NULL;
    if (mark == DATA) return RLDataCreate(NULL, bytes, length);
    return read_string((const char *)bytes, length);
}

static RLTypeRef read_word(struct rl_property_list_reader *reader, enum mark mark)
{
    const uint8_t *bytes = take_bytes(reader, 8);
    if (!bytes) return NULL;
    if (mark == INTEGER) return RLNumberCreate(NULL, kRLNumberSInt64Type, bytes);
    if (mark == REAL) return RLNumberCreate(NULL, kRLNumberFloat64Type, bytes);
    double date;
    memcpy(&date, bytes, sizeof date);
    return RLDateCreate(NULL, date);
}

static RLTypeRef read_nested(struct rl_property_list_reader *reader, unsigned depth);

static RLTypeRef read_array(struct rl_property_list_reader *reader, unsigned depth)
{
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    for (uint32_t left = take_count(reader); left > 0 && !reader->has_failed; left--) {
        RLTypeRef element = read_nested(reader, depth);
        if (element) RLArrayAppendValue(array, element);
        if (element) RLRelease(element);
    }
    return array;
}

static RLTypeRef read_dictionary(struct rl_property_list_reader *reader, unsigned depth)
{
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    for (uint32_t left = take_count(reader); left > 0 && !reader->has_failed; left--) {
        RLTypeRef key = read_nested(reader, depth);
        RLTypeRef value = key ? read_nested(reader, depth) : NULL;
        if (key && !rl_is(key, RL_TYPE_STRING)) reader->has_failed = true;
        if (value && !reader->has_failed) RLDictionarySetValue(dictionary, key, value);
        if (key) RLRelease(key);
        if (value) RLRelease(value);
    }
    return dictionary;
}

/* Returns null only if reading has failed. */
static RLTypeRef read_nested(struct rl_property_list_reader *reader, unsigned depth)
{
    const uint8_t *mark = depth <= DEEPEST ? take_bytes(reader, 1) : NULL;
    RLTypeRef value = NULL;
    switch (mark ? *mark : NOTHING) {
    case STRING:
    case DATA: value = read_bytes(reader, *mark); break;
    case INTEGER:
    case REAL:
    case DATE: value = read_word(reader, *mark); break;
    case YES: value = RLRetain(kRLBooleanTrue); break;
    case NO: value = RLRetain(kRLBooleanFalse); break;
    case ARRAY: value = read_array(reader, depth + 1); break;
    case DICTIONARY: value = read_dictionary(reader, depth + 1); break;
    }
    if (!value) reader->has_failed = true;
    return value;
}

RLTypeRef rl_property_list_read(struct rl_property_list_reader *reader)
{
    if (reader->next < reader->end && *reader->next == NOTHING) {
        reader->next++;
        return NULL;
    }
    return read_nested(reader, 0);
}
