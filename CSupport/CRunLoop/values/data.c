/* The only client code that these functions call is a deallocator. There is no lock. */

#include "base/system.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/swift_counts.h"
#include "values/text.h"

#include <CRunLoop/RLAllocator.h>
#include <CRunLoop/RLData.h>
#include <stdlib.h>

struct rl_data {
    struct rl_object object;
    bool is_mutable;
    /* The allocator that frees the bytes; null if the bytes are from malloc. */
    RLAllocatorRef deallocator;
    RLIndex length;
    RLIndex capacity;
    /* The client's maximum length, or 0. */
    RLIndex limit;
    UInt8 *bytes;
};

static RLDataRef data_reference(struct rl_data *data)
{
    return (RLDataRef)(const void *)data;
}

static UInt8 *allocate_bytes(RLIndex count)
{
    if (count < RL_MANY_BYTES) return rl_allocate((size_t)count);
    UInt8 *bytes = rl_allocate_many_bytes((size_t)count);
    if (!bytes) {
        rl_client_error(
            "aligned_alloc",
            "no memory for %zu bytes: raise the memory limit of the process, or use less memory",
            (size_t)count);
    }
    return bytes;
}

/* Allocates at least one byte, so that the pointer is never null. */
static struct rl_data *create_empty_data(RLIndex capacity)
{
    struct rl_data *data = rl_object_create(RL_TYPE_DATA, sizeof *data);
    data->capacity = capacity > 0 ? capacity : 1;
    data->bytes = allocate_bytes(data->capacity);
    return data;
}

RLDataRef RLDataCreate(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length)
{
    (void)allocator;
    if (length < 0 || (length > 0 && !bytes)) return NULL;
    struct rl_data *data = create_empty_data(length);
    data->length = length;
    if (length > 0) memcpy(data->bytes, bytes, (size_t)length);
    return data_reference(data);
}

RLDataRef RLDataCreateWithBytesNoCopy(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length,
                                      RLAllocatorRef bytesDeallocator)
{
    if (!bytes) return RLDataCreate(allocator, bytes, length);
    if (length < 0) return NULL;
    struct rl_data *data = rl_object_create(RL_TYPE_DATA, sizeof *data);
    data->deallocator = RLRetain(bytesDeallocator ? bytesDeallocator : RLAllocatorGetDefault());
    data->length = data->capacity = length;
    /* Immutable objects never write to their bytes. */
    data->bytes = (UInt8 *)(uintptr_t)bytes;
    return data_reference(data);
}

static const struct rl_data *checked_data(RLDataRef data, const char *function)
{
    rl_expect(data, RL_TYPE_DATA, function, "data");
    return (const struct rl_data *)(const void *)data;
}

static struct rl_data *checked_mutable_data(RLMutableDataRef data, const char *function)
{
    rl_expect_mutable(data, checked_data(data, function)->is_mutable, function);
    return (struct rl_data *)(void *)data;
}

RLDataRef RLDataCreateCopy(RLAllocatorRef allocator, RLDataRef data)
{
    const struct rl_data *original = checked_data(data, __func__);
    if (!original->is_mutable) return RLRetain(data);
    return RLDataCreate(allocator, original->bytes, original->length);
}

/* At least doubles the memory, so that appending takes amortized constant time. */
static void reserve_bytes(struct rl_data *data, RLIndex length, const char *function)
{
    if (data->limit > 0 && length > data->limit) {
        rl_client_error(function,
                        "data %p has a capacity of %ld and cannot hold %ld bytes: create it with "
                        "capacity 0 for no limit",
                        (const void *)data, data->limit, length);
    }
    if (length <= data->capacity) return;
    RLIndex capacity = length < 32 ? 32 : length;
    if (capacity < data->capacity * 2) capacity = data->capacity * 2;
    data->bytes = rl_reallocate(data->bytes, (size_t)capacity);
    data->capacity = capacity;
}

RLMutableDataRef RLDataCreateMutable(RLAllocatorRef allocator, RLIndex capacity)
{
    (void)allocator;
    if (capacity < 0) return NULL;
    /* Few objects reach their maximum length, so memory is allocated with the first bytes. */
    struct rl_data *data = create_empty_data(0);
    data->is_mutable = true;
    data->limit = capacity;
    return (RLMutableDataRef)(void *)data;
}

RLMutableDataRef RLDataCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLDataRef data)
{
    const struct rl_data *original = checked_data(data, __func__);
    if (capacity < 0) return NULL;
    RLMutableDataRef reference = RLDataCreateMutable(allocator, capacity);
    struct rl_data *copy = (struct rl_data *)(void *)reference;
    reserve_bytes(copy, original->length, __func__);
    memcpy(copy->bytes, original->bytes, (size_t)original->length);
    copy->length = original->length;
    return reference;
}

RLIndex RLDataGetLength(RLDataRef data)
{
    return checked_data(data, __func__)->length;
}

const UInt8 *RLDataGetBytePtr(RLDataRef data)
{
    return checked_data(data, __func__)->bytes;
}

UInt8 *RLDataGetMutableBytePtr(RLMutableDataRef data)
{
    return checked_mutable_data(data, __func__)->bytes;
}

void RLDataGetBytes(RLDataRef data, RLRange range, UInt8 *buffer)
{
    const struct rl_data *source = checked_data(data, __func__);
    rl_expect_range(data, range, source->length, __func__);
    if (range.length == 0) return;
    if (!buffer) rl_client_error(__func__, "argument `buffer` must not be null");
    memcpy(buffer, source->bytes + range.location, (size_t)range.length);
}

static void set_length(struct rl_data *data, RLIndex length, const char *function)
{
    if (length < 0) {
        rl_client_error(function,
                        "the length of data %p cannot become %ld: pass a length of 0 or more",
                        (const void *)data, length);
    }
    if (length > data->length) {
        reserve_bytes(data, length, function);
        memset(data->bytes + data->length, 0, (size_t)(length - data->length));
    }
    data->length = length;
}

void RLDataSetLength(RLMutableDataRef data, RLIndex length)
{
    set_length(checked_mutable_data(data, __func__), length, __func__);
}

/* On overflow, returns a length that no allocation can satisfy. */
static RLIndex add_lengths(RLIndex first, RLIndex second)
{
    RLIndex result;
    return __builtin_add_overflow(first, second, &result) ? INTPTR_MAX : result;
}

void RLDataIncreaseLength(RLMutableDataRef data, RLIndex extraLength)
{
    struct rl_data *target = checked_mutable_data(data, __func__);
    set_length(target, add_lengths(target->length, extraLength), __func__);
}

/* The bytes must not be in the object's own memory. */
static void replace_by_other_bytes(struct rl_data *data, RLRange range, const UInt8 *bytes,
                                   RLIndex length, const char *function)
{
    RLIndex tail = data->length - range.location - range.length;
    RLIndex total = add_lengths(data->length - range.length, length);
    reserve_bytes(data, total, function);
    UInt8 *place = data->bytes + range.location;
    memmove(place + length, place + range.length, (size_t)tail);
    if (length > 0) memcpy(place, bytes, (size_t)length);
    data->length = total;
}

static void replace_bytes(RLMutableDataRef reference, RLRange range, const UInt8 *bytes,
                          RLIndex length, const char *function)
{
    struct rl_data *data = (struct rl_data *)(void *)reference;
    rl_expect_range(reference, range, data->length, function);
    if (length < 0 || (length > 0 && !bytes)) {
        rl_client_error(function,
                        "the number of bytes (%ld) must not be negative, and their address (%p) "
                        "must not be null",
                        length, (const void *)bytes);
    }
    uintptr_t distance = (uintptr_t)bytes - (uintptr_t)data->bytes;
    if (length == 0 || distance >= (uintptr_t)data->capacity) {
        replace_by_other_bytes(data, range, bytes, length, function);
        return;
    }
    UInt8 *copy = rl_allocate((size_t)length);
    memcpy(copy, bytes, (size_t)length);
    replace_by_other_bytes(data, range, copy, length, function);
    free(copy);
}

void RLDataAppendBytes(RLMutableDataRef data, const UInt8 *bytes, RLIndex length)
{
    struct rl_data *target = checked_mutable_data(data, __func__);
    replace_bytes(data, RLRangeMake(target->length, 0), bytes, length, __func__);
}

void RLDataReplaceBytes(RLMutableDataRef data, RLRange range, const UInt8 *newBytes,
                        RLIndex newLength)
{
    checked_mutable_data(data, __func__);
    replace_bytes(data, range, newBytes, newLength, __func__);
}

void RLDataDeleteBytes(RLMutableDataRef data, RLRange range)
{
    checked_mutable_data(data, __func__);
    replace_bytes(data, range, NULL, 0, __func__);
}

/* Returns kRLNotFound if the bytes are not found. `count` must be at least 1. */
static RLIndex find_bytes(const struct rl_data *data, const UInt8 *bytes, RLIndex count,
                          RLRange range, bool is_backwards)
{
    RLIndex last = range.location + range.length - count;
    if (last < range.location) return kRLNotFound;
    if (!is_backwards) {
        const UInt8 *place =
            memmem(data->bytes + range.location, (size_t)range.length, bytes, (size_t)count);
        return place ? place - data->bytes : kRLNotFound;
    }
    for (RLIndex at = last; at >= range.location; at--) {
        if (memcmp(data->bytes + at, bytes, (size_t)count) == 0) return at;
    }
    return kRLNotFound;
}

RLRange RLDataFind(RLDataRef theData, RLDataRef dataToFind, RLRange searchRange,
                   RLDataSearchFlags compareOptions)
{
    const struct rl_data *data = checked_data(theData, __func__);
    const struct rl_data *word = checked_data(dataToFind, __func__);
    rl_expect_range(theData, searchRange, data->length, __func__);
    RLRange nowhere = {kRLNotFound, 0}, range = searchRange;
    if (word->length == 0 || word->length > range.length) return nowhere;
    bool is_backwards = compareOptions & kRLDataSearchBackwards;
    if (compareOptions & kRLDataSearchAnchored) {
        if (is_backwards) range.location += range.length - word->length;
        range.length = word->length;
    }
    RLIndex place = find_bytes(data, word->bytes, word->length, range, is_backwards);
    return place == kRLNotFound ? nowhere : RLRangeMake(place, word->length);
}

static void destroy_data(struct rl_object *object)
{
    struct rl_data *data = (struct rl_data *)object;
    if (data->deallocator) {
        RLAllocatorDeallocate(data->deallocator, data->bytes);
        RLRelease(data->deallocator);
    } else {
        free(data->bytes);
    }
    rl_object_free(object);
}

static Boolean data_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_data *left = first, *right = second;
    return left->length == right->length &&
           memcmp(left->bytes, right->bytes, (size_t)left->length) == 0;
}

static RLHashCode hash_data(RLTypeRef object)
{
    const struct rl_data *data = object;
    return rl_hash_bytes(data->bytes, (size_t)data->length);
}

static void add_hexadecimal(struct rl_text *text, const struct rl_data *data, RLIndex from,
                            RLIndex to)
{
    for (RLIndex i = from; i < to; i++) rl_text_add(text, "%02x", data->bytes[i]);
}

static RLStringRef describe_data(RLTypeRef object)
{
    enum { all = 24, at_the_start = 16, at_the_end = 8 };
    const struct rl_data *data = object;
    struct rl_text text = {0};
    rl_text_add(&text, "<RLData %p>{length = %ld, capacity = %ld, bytes = 0x", object, data->length,
                data->capacity);
    if (data->length <= all) {
        add_hexadecimal(&text, data, 0, data->length);
    } else {
        add_hexadecimal(&text, data, 0, at_the_start);
        rl_text_add(&text, " ... ");
        add_hexadecimal(&text, data, data->length - at_the_end, data->length);
    }
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class data_class = {
    .name = "RLData",
    .destroy = destroy_data,
    .equal = data_are_equal,
    .hash = hash_data,
    .copy_description = describe_data,
};

RL_REGISTER_CLASS(RLData, RL_TYPE_DATA, data_class)
RL_DEFINE_SWIFT_COUNTS(data, RLDataRef)
