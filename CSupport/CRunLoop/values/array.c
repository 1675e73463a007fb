/*
 * The elements are in a separate memory block. A removal at the front only advances `values`, so an
 * array is also a cheap queue.
 *
 * Every change first retains new elements, then changes the array, then releases old elements, so
 * the callbacks see a consistent array and may change it. There is no lock.
 */

#include "base/sort.h"
#include "base/swift_counts.h"
#include "values/collection.h"

#include <CRunLoop/RLArray.h>
#include <stdlib.h>

struct rl_array {
    struct rl_object object;
    bool is_mutable;
    RLIndex count;
    /* The size of `storage` in elements. */
    RLIndex capacity;
    RLArrayCallBacks callbacks;
    const void **storage;
    /* Points to the first element in `storage`. */
    const void **values;
};

struct batch {
    RLIndex count;
    const void **values;
    const void *few[4];
};

const RLArrayCallBacks kRLTypeArrayCallBacks = {
    .version = 0,
    .retain = rl_element_retain,
    .release = rl_element_release,
    .copyDescription = RLCopyDescription,
    .equal = RLEqual,
};

static RLArrayRef array_reference(const struct rl_array *array)
{
    return (RLArrayRef)(const void *)array;
}

static RLMutableArrayRef mutable_array_reference(struct rl_array *array)
{
    return (RLMutableArrayRef)(void *)array;
}

static struct rl_array *create_array(RLIndex capacity, const RLArrayCallBacks *callbacks)
{
    struct rl_array *array = rl_object_create(RL_TYPE_ARRAY, sizeof *array);
    if (callbacks) array->callbacks = *callbacks;
    array->capacity = capacity;
    array->storage = array->values = rl_allocate_list((size_t)capacity, sizeof array->values[0]);
    return array;
}

static const void *retain_element(const struct rl_array *array, const void *value)
{
    RLArrayRetainCallBack callback = array->callbacks.retain;
    return callback ? callback(kRLAllocatorDefault, value) : value;
}

static void release_element(const struct rl_array *array, const void *value)
{
    if (array->callbacks.release) array->callbacks.release(kRLAllocatorDefault, value);
}

static struct rl_array *create_array_with(const void *const *values, RLIndex count,
                                          RLIndex capacity, const RLArrayCallBacks *callbacks)
{
    struct rl_array *array = create_array(count > capacity ? count : capacity, callbacks);
    for (RLIndex i = 0; i < count; i++) array->values[i] = retain_element(array, values[i]);
    array->count = count;
    return array;
}

RLArrayRef RLArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                         const RLArrayCallBacks *callBacks)
{
    (void)allocator;
    if (count < 0 || (count > 0 && !values)) return NULL;
    return array_reference(create_array_with(values, count, count, callBacks));
}

static const struct rl_array *checked_array(RLArrayRef array, const char *function)
{
    rl_expect(array, RL_TYPE_ARRAY, function, "array");
    return (const struct rl_array *)(const void *)array;
}

static struct rl_array *checked_mutable_array(RLMutableArrayRef array, const char *function)
{
    rl_expect_mutable(array, checked_array(array, function)->is_mutable, function);
    return (struct rl_array *)(void *)array;
}

static void expect_index(const struct rl_array *array, RLIndex index, RLIndex limit,
                         const char *function)
{
    if (RL_LIKELY(index >= 0 && index < limit)) return;
    rl_client_error(
        function,
        "index %ld is out of bounds of array %p with %ld elements: 0 <= index < %ld must hold",
        index, (const void *)array, array->count, limit);
}

RLArrayRef RLArrayCreateCopy(RLAllocatorRef allocator, RLArrayRef array)
{
    (void)allocator;
    const struct rl_array *original = checked_array(array, __func__);
    if (!original->is_mutable) return RLRetain(array);
    return array_reference(create_array_with(original->values, original->count, original->count,
                                             &original->callbacks));
}

RLMutableArrayRef RLArrayCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                       const RLArrayCallBacks *callBacks)
{
    (void)allocator;
    /* The capacity is a hint: memory is allocated with the first elements. */
    if (capacity < 0) return NULL;
    struct rl_array *array = create_array(0, callBacks);
    array->is_mutable = true;
    return mutable_array_reference(array);
}

RLMutableArrayRef RLArrayCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                           RLArrayRef array)
{
    (void)allocator;
    const struct rl_array *original = checked_array(array, __func__);
    if (capacity < 0) return NULL;
    struct rl_array *copy =
        create_array_with(original->values, original->count, original->count, &original->callbacks);
    copy->is_mutable = true;
    return mutable_array_reference(copy);
}

RLIndex RLArrayGetCount(RLArrayRef array)
{
    return checked_array(array, __func__)->count;
}

const void *RLArrayGetValueAtIndex(RLArrayRef array, RLIndex index)
{
    const struct rl_array *items = checked_array(array, __func__);
    expect_index(items, index, items->count, __func__);
    return items->values[index];
}

static const struct rl_array *checked_range(RLArrayRef array, RLRange range, const char *function)
{
    const struct rl_array *items = checked_array(array, function);
    rl_expect_range(array, range, items->count, function);
    return items;
}

void RLArrayGetValues(RLArrayRef array, RLRange range, const void **values)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    if (range.length == 0) return;
    if (!values) rl_client_error(__func__, "argument `values` must not be null");
    memcpy(values, items->values + range.location, (size_t)range.length * sizeof values[0]);
}

static bool is_equal_at(const struct rl_array *array, RLIndex index, const void *value,
                        const char *function)
{
    RLIndex count = array->count;
    const void *element = array->values[index];
    RLArrayEqualCallBack equal = array->callbacks.equal;
    bool is_equal = element == value || (equal && equal(element, value));
    rl_expect_unchanged(array, array->count == count, function);
    return is_equal;
}

/*
 * Searches from `from` in steps of `step` until `end`, which is excluded. Returns kRLNotFound if
 * the value is not found.
 */
static RLIndex find_value(const struct rl_array *array, RLIndex from, RLIndex end, RLIndex step,
                          const void *value, const char *function)
{
    for (RLIndex i = from; i != end; i += step) {
        if (is_equal_at(array, i, value, function)) return i;
    }
    return kRLNotFound;
}

RLIndex RLArrayGetFirstIndexOfValue(RLArrayRef array, RLRange range, const void *value)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    return find_value(items, range.location, range.location + range.length, 1, value, __func__);
}

RLIndex RLArrayGetLastIndexOfValue(RLArrayRef array, RLRange range, const void *value)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    return find_value(items, range.location + range.length - 1, range.location - 1, -1, value,
                      __func__);
}

Boolean RLArrayContainsValue(RLArrayRef array, RLRange range, const void *value)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    return find_value(items, range.location, range.location + range.length, 1, value, __func__) >=
           0;
}

RLIndex RLArrayGetCountOfValue(RLArrayRef array, RLRange range, const void *value)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    RLIndex count = 0;
    for (RLIndex i = range.location; i < range.location + range.length; i++) {
        count += is_equal_at(items, i, value, __func__);
    }
    return count;
}

void RLArrayApplyFunction(RLArrayRef array, RLRange range, RLArrayApplierFunction applier,
                          void *context)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    RLIndex count = items->count;
    if (!applier) rl_client_error(__func__, "argument `applier` must not be null");
    for (RLIndex i = range.location; i < range.location + range.length; i++) {
        applier(items->values[i], context);
        rl_expect_unchanged(array, items->count == count, __func__);
    }
}

static void fill_batch(struct batch *batch, const void *const *values, RLIndex count)
{
    bool is_few = count <= (RLIndex)(sizeof batch->few / sizeof batch->few[0]);
    batch->count = count;
    batch->values = is_few ? batch->few : rl_allocate_list((size_t)count, sizeof values[0]);
    if (count > 0) memcpy(batch->values, values, (size_t)count * sizeof values[0]);
}

static void free_batch(struct batch *batch)
{
    if (batch->values != batch->few) free(batch->values);
}

/* Makes space for `count` elements in total. */
static void reserve_elements(struct rl_array *array, RLIndex count)
{
    RLIndex gap = array->values - array->storage;
    if (count <= array->capacity - gap) return;
    /*
     * If the gap at the front is at least as large as all elements together, the elements move into
     * the gap. So on average, a removal at the front moves at most one element.
     */
    const void **storage = array->storage;
    bool is_gap_enough = count <= array->capacity && gap >= array->count;
    if (!is_gap_enough) {
        array->capacity = count < 4 ? 4 : count * 2;
        storage = rl_allocate_list((size_t)array->capacity, sizeof storage[0]);
    }
    if (array->count > 0) {
        memmove(storage, array->values, (size_t)array->count * sizeof storage[0]);
    }
    if (storage != array->storage) free(array->storage);
    array->storage = array->values = storage;
}

/* Calls no client code. */
static void splice_elements(struct rl_array *array, RLRange range, const struct batch *fresh)
{
    if (range.location == 0 && fresh->count == 0) {
        array->values += range.length;
        array->count -= range.length;
        return;
    }
    RLIndex tail = array->count - range.location - range.length;
    RLIndex count = array->count - range.length + fresh->count;
    reserve_elements(array, count);
    const void **place = array->values + range.location;
    memmove(place + fresh->count, place + range.length, (size_t)tail * sizeof place[0]);
    if (fresh->count > 0) memcpy(place, fresh->values, (size_t)fresh->count * sizeof place[0]);
    array->count = count;
}

static void replace_elements(struct rl_array *array, RLRange range, const void *const *values,
                             RLIndex count, const char *function)
{
    rl_expect_range(array, range, array->count, function);
    struct batch fresh, old;
    fill_batch(&fresh, values, count);
    RLIndex before = array->count;
    for (RLIndex i = 0; i < count; i++) fresh.values[i] = retain_element(array, fresh.values[i]);
    rl_expect_unchanged(array, array->count == before, function);
    fill_batch(&old, array->values + range.location, range.length);
    splice_elements(array, range, &fresh);
    free_batch(&fresh);
    for (RLIndex i = 0; i < old.count; i++) release_element(array, old.values[i]);
    free_batch(&old);
}

void RLArrayAppendValue(RLMutableArrayRef array, const void *value)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    replace_elements(items, RLRangeMake(items->count, 0), &value, 1, __func__);
}

void RLArrayAppendArray(RLMutableArrayRef array, RLArrayRef otherArray, RLRange otherRange)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    const struct rl_array *others = checked_range(otherArray, otherRange, __func__);
    replace_elements(items, RLRangeMake(items->count, 0), others->values + otherRange.location,
                     otherRange.length, __func__);
}

void RLArrayInsertValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    expect_index(items, index, items->count + 1, __func__);
    replace_elements(items, RLRangeMake(index, 0), &value, 1, __func__);
}

void RLArraySetValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    expect_index(items, index, items->count + 1, __func__);
    replace_elements(items, RLRangeMake(index, index < items->count), &value, 1, __func__);
}

void RLArrayRemoveValueAtIndex(RLMutableArrayRef array, RLIndex index)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    expect_index(items, index, items->count, __func__);
    replace_elements(items, RLRangeMake(index, 1), NULL, 0, __func__);
}

void RLArrayRemoveAllValues(RLMutableArrayRef array)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    replace_elements(items, RLRangeMake(0, items->count), NULL, 0, __func__);
}

void RLArrayReplaceValues(RLMutableArrayRef array, RLRange range, const void **newValues,
                          RLIndex newCount)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    if (newCount < 0 || (newCount > 0 && !newValues)) {
        rl_client_error(__func__,
                        "argument `newCount` (%ld) must not be negative, and `newValues` (%p) must "
                        "not be null",
                        newCount, (void *)newValues);
    }
    replace_elements(items, range, newValues, newCount, __func__);
}

void RLArrayExchangeValuesAtIndices(RLMutableArrayRef array, RLIndex first, RLIndex second)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    expect_index(items, first, items->count, __func__);
    expect_index(items, second, items->count, __func__);
    const void *value = items->values[first];
    items->values[first] = items->values[second];
    items->values[second] = value;
}

void RLArraySortValues(RLMutableArrayRef array, RLRange range, RLComparatorFunction comparator,
                       void *context)
{
    struct rl_array *items = checked_mutable_array(array, __func__);
    rl_expect_range(array, range, items->count, __func__);
    if (!comparator) rl_client_error(__func__, "argument `comparator` must not be null");
    struct batch sorted;
    RLIndex count = items->count;
    fill_batch(&sorted, items->values + range.location, range.length);
    rl_sort(sorted.values, (size_t)sorted.count, comparator, context);
    rl_expect_unchanged(array, items->count == count, __func__);
    if (sorted.count > 0) {
        memcpy(items->values + range.location, sorted.values,
               (size_t)sorted.count * sizeof sorted.values[0]);
    }
    free_batch(&sorted);
}

RLIndex RLArrayBSearchValues(RLArrayRef array, RLRange range, const void *value,
                             RLComparatorFunction comparator, void *context)
{
    const struct rl_array *items = checked_range(array, range, __func__);
    if (!comparator) rl_client_error(__func__, "argument `comparator` must not be null");
    RLIndex start = range.location, end = start + range.length, count = items->count;
    while (start < end) {
        RLIndex middle = start + (end - start) / 2;
        bool is_smaller = comparator(items->values[middle], value, context) == kRLCompareLessThan;
        rl_expect_unchanged(array, items->count == count, __func__);
        if (is_smaller) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    return start;
}

static void destroy_array(struct rl_object *object)
{
    struct rl_array *array = (struct rl_array *)object;
    for (RLIndex i = 0; i < array->count; i++) release_element(array, array->values[i]);
    free(array->storage);
    rl_object_free(object);
}

static Boolean arrays_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_array *left = first, *right = second;
    if (left->count != right->count || left->callbacks.equal != right->callbacks.equal) {
        return false;
    }
    for (RLIndex i = 0; i < left->count; i++) {
        if (!is_equal_at(left, i, right->values[i], "RLEqual")) return false;
        rl_expect_unchanged(right, right->count == left->count, "RLEqual");
    }
    return true;
}

static RLHashCode hash_array(RLTypeRef object)
{
    return (RLHashCode)((const struct rl_array *)object)->count;
}

static RLStringRef describe_array(RLTypeRef object)
{
    const struct rl_array *array = object;
    RLIndex count = array->count;
    struct rl_text text = {0};
    rl_text_add(&text, "<RLArray %p>{count = %ld, values = (", object, count);
    for (RLIndex i = 0; i < count; i++) {
        rl_text_add(&text, "\n\t%ld : ", i);
        rl_element_describe(&text, array->callbacks.copyDescription, array->values[i]);
        rl_expect_unchanged(object, array->count == count, "RLCopyDescription");
    }
    rl_text_add(&text, "\n)}");
    return rl_text_finish(&text);
}

static const struct rl_class array_class = {
    .name = "RLArray",
    .destroy = destroy_array,
    .equal = arrays_are_equal,
    .hash = hash_array,
    .copy_description = describe_array,
};

RL_REGISTER_CLASS(RLArray, RL_TYPE_ARRAY, array_class)
RL_DEFINE_SWIFT_COUNTS(array, RLArrayRef)
