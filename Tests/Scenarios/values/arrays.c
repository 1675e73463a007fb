/*
 * Arrays: RLArray.
 */

#include "scenario.h"
#include "value_words.h"

static const RLArrayCallBacks plain_array_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
};

static RLRange all_of(RLArrayRef array)
{
    return RLRangeMake(0, RLArrayGetCount(array));
}

static void array_references(void)
{
    const void *values[] = {plain(1), plain(2)};
    RLArrayRef array = RLArrayCreate(NULL, values, 2, &plain_array_callbacks);
    RLMutableArrayRef copy = RLArrayCreateMutableCopy(NULL, 0, array);

    note("made");
    RLRelease(array);
    RLArraySetValueAtIndex(copy, 0, plain(3));
    RLArraySetValueAtIndex(copy, 2, plain(4));
    RLArrayInsertValueAtIndex(copy, 1, plain(5));
    note_array(copy);
    RLArrayRemoveValueAtIndex(copy, 2);
    RLArrayRemoveAllValues(copy);
    check(RLArrayGetCount(copy) == 0);
    RLArrayAppendValue(copy, plain(6));
    RLRelease(copy);
}
SCENARIO(array_references,
         .title = "An array retains what enters it and releases what leaves it",
         .clauses = "object base",
         .expected = "+1; +2; +1; +2; made; -1; -2; +3; -1; +4; +5; [3 5 2 4]; -2; -3; -5; -4; "
                     "+6; -6")

static void array_of_objects(void)
{
    RLStringRef string = RLStringCreateWithCString(NULL, "element", kRLStringEncodingUTF8);
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);

    RLArrayAppendValue(array, string);
    RLRelease(string);
    note_text(RLArrayGetValueAtIndex(array, 0));
    check(RLArrayContainsValue(array, all_of(array), text("element")));
    check(!RLArrayContainsValue(array, all_of(array), text("other")));
    check(RLGetTypeID(array) == RLArrayGetTypeID());
    RLRelease(array);
}
SCENARIO(array_of_objects,
         .title = "An array of objects holds and compares them",
         .clauses = "object base",
         .expected = "\"element\"")

static void array_changes(void)
{
    RLMutableArrayRef array = plain_array(6);
    const void *values[] = {plain(7), plain(8), plain(9)};

    RLArrayReplaceValues(array, RLRangeMake(1, 2), values, 3);
    note_array(array);
    RLArrayReplaceValues(array, RLRangeMake(0, 4), values, 1);
    note_array(array);
    RLArrayExchangeValuesAtIndices(array, 0, 3);
    note_array(array);
    RLArrayAppendArray(array, array, RLRangeMake(1, 3));
    note_array(array);
    RLArrayRemoveValueAtIndex(array, 0);
    RLArrayInsertValueAtIndex(array, 0, plain(1));
    RLArrayInsertValueAtIndex(array, 7, plain(2));
    note_array(array);
}
SCENARIO(array_changes,
         .title = "A mutable array is replaced, exchanged, appended to itself and inserted into",
         .clauses = "object base",
         .expected = "[0 7 8 9 3 4 5]; [7 3 4 5]; [5 3 4 7]; [5 3 4 7 3 4 7]; "
                     "[1 3 4 7 3 4 7 2]")

static void array_search(void)
{
    const void *values[] = {plain(1), plain(12), plain(2), plain(3), plain(22)};
    RLArrayRef array = kept(RLArrayCreate(NULL, values, 5, &plain_array_callbacks));
    RLRange all = RLRangeMake(0, 5), end = RLRangeMake(3, 2), nothing = RLRangeMake(5, 0);

    check(RLArrayGetFirstIndexOfValue(array, all, plain(2)) == 1);
    check(RLArrayGetLastIndexOfValue(array, all, plain(2)) == 4);
    check(RLArrayGetFirstIndexOfValue(array, end, plain(2)) == 4);
    check(RLArrayGetFirstIndexOfValue(array, end, plain(1)) == kRLNotFound);
    check(RLArrayGetCountOfValue(array, all, plain(2)) == 3);
    check(RLArrayContainsValue(array, all, plain(3)));
    check(!RLArrayContainsValue(array, nothing, plain(3)));
    check(RLArrayGetLastIndexOfValue(array, nothing, plain(3)) == kRLNotFound);
}
SCENARIO(array_search,
         .title = "Elements are found by the callback that compares them",
         .clauses = "object base",
         .expected = "+1; +12; +2; +3; +22; -1; -12; -2; -3; -22")

static void note_element(const void *value, void *context)
{
    *(long *)context += (long)value;
    note("%ld", (long)value);
}

static void array_visits(void)
{
    const void *values[2] = {NULL, NULL};
    long sum = 0;
    RLArrayRef array = plain_array(5);

    RLArrayApplyFunction(array, RLRangeMake(1, 3), note_element, &sum);
    check(sum == 6);
    RLArrayGetValues(array, RLRangeMake(3, 2), values);
    check(values[0] == plain(3) && values[1] == plain(4));
}
SCENARIO(array_visits,
         .title = "The elements of a range are visited in order and copied out",
         .clauses = "object base",
         .expected = "1; 2; 3")

static RLComparisonResult by_last_digit(const void *first, const void *second, void *context)
{
    long left = (long)first % 10, right = (long)second % 10;
    *(bool *)context = true;
    return left < right    ? kRLCompareLessThan
           : left == right ? kRLCompareEqualTo
                           : kRLCompareGreaterThan;
}

static void array_sorting(void)
{
    static const long numbers[] = {9, 5, 8, 1, 7, 2, 6, 3, 4, 0};
    bool was_asked = false;
    RLMutableArrayRef array = plain_array(0);

    for (int i = 0; i < 10; i++) RLArrayAppendValue(array, plain(numbers[i]));
    RLArraySortValues(array, RLRangeMake(1, 4), by_last_digit, &was_asked);
    note_array(array);
    RLArraySortValues(array, all_of(array), by_last_digit, &was_asked);
    note_array(array);
    RLArraySortValues(array, RLRangeMake(3, 0), by_last_digit, &was_asked);
    check(was_asked);
}
SCENARIO(array_sorting,
         .title = "A range of an array is sorted",
         .clauses = "object base",
         .expected = "[9 1 5 7 8 2 6 3 4 0]; [0 1 2 3 4 5 6 7 8 9]")

static void array_sorting_long(void)
{
    enum { count = 5000 };
    bool was_asked = false;
    long wrong = 0;
    RLMutableArrayRef array = plain_array(0);

    for (long i = 0; i < count; i++) RLArrayAppendValue(array, plain(i * 7919 % count));
    RLArraySortValues(array, all_of(array), by_last_digit, &was_asked);
    for (long i = 0; i < count; i++) {
        wrong += (long)RLArrayGetValueAtIndex(array, i) % 10 != i / (count / 10);
    }
    check(wrong == 0);
}
SCENARIO(array_sorting_long,
         .title = "Five thousand elements are sorted",
         .clauses = "object base")

static void array_as_queue(void)
{
    enum { total = 20000, backlog = 100 };
    RLMutableArrayRef queue = plain_array(0);
    long wrong = 0;

    for (long next = 0; next < total + backlog; next++) {
        if (next < total) RLArrayAppendValue(queue, plain(next));
        if (next < backlog) continue;
        wrong += RLArrayGetValueAtIndex(queue, 0) != plain(next - backlog);
        RLArrayRemoveValueAtIndex(queue, 0);
    }
    check(wrong == 0);
    check(RLArrayGetCount(queue) == 0);
}
SCENARIO(array_as_queue,
         .title = "An array is a queue when elements leave at its front",
         .clauses = "object base")

/* One change of an array by chance. */
static void change_array(RLMutableArrayRef array, uint64_t *random, long number)
{
    const void *values[3] = {plain(number), plain(number + 1), plain(number + 2)};
    long count = RLArrayGetCount(array);
    long at = next_number(random, count + 1), length = next_number(random, count - at + 1);
    switch (next_number(random, 8)) {
    case 0: RLArrayAppendValue(array, values[0]); break;
    case 1: RLArrayInsertValueAtIndex(array, at, values[0]); break;
    case 2: RLArraySetValueAtIndex(array, at, values[0]); break;
    case 3: RLArrayReplaceValues(array, RLRangeMake(at, length % 5), values, number % 4); break;
    case 4: RLArrayAppendArray(array, array, RLRangeMake(at, length % 7)); break;
    case 5:
        if (at < count) RLArrayExchangeValuesAtIndices(array, at, 0);
        break;
    default:
        if (at < count) RLArrayRemoveValueAtIndex(array, number % 3 ? at : 0);
        break;
    }
}

static void array_churn(void)
{
    uint64_t random = 1, sum = 0;
    RLMutableArrayRef array = plain_array(0);

    for (long round = 0; round < 20000; round++) {
        change_array(array, &random, round);
        long count = RLArrayGetCount(array);
        long at = next_number(&random, count + 1);
        if (at < count) sum = sum * 31 + (uint64_t)(long)RLArrayGetValueAtIndex(array, at);
        if (round % 1000 == 999 && count > 50) {
            RLArrayReplaceValues(array, RLRangeMake(10, count - 20), NULL, 0);
        }
    }
    note_array(array);
    note("%llx", (unsigned long long)sum);
}
SCENARIO(array_churn,
         .title = "Twenty thousand changes of an array leave what they should",
         .clauses = "object base",
         .expected = "[19627 19489 19487 19297 19516 19540 19812 19542 19196 19537 19687 19777 "
                     "19767 19995 19333 19634 19997 19911 19719 19878]; b5118f68508c767")

static void array_equality(void)
{
    const void *values[] = {plain(1), plain(2)}, *others[] = {plain(11), plain(12)};
    static const RLArrayCallBacks callbacks = {.equal = plain_equal};
    RLArrayRef array = kept(RLArrayCreate(NULL, values, 2, &callbacks));
    RLArrayRef equal = kept(RLArrayCreate(NULL, others, 2, &callbacks));
    RLArrayRef longer = plain_array(3), shorter = plain_array(2), same = plain_array(2);

    check(RLEqual(array, equal) && RLHash(array) == RLHash(equal));
    check(RLEqual(shorter, same) && !RLEqual(shorter, longer));
    check(!RLEqual(array, kept(RLArrayCreate(NULL, values, 2, NULL))));
    check(!RLEqual(array, text("no array")));
    RLArrayRef copy = kept(RLArrayCreateCopy(NULL, longer));
    check(RLEqual(copy, longer));
    RLArrayAppendValue((RLMutableArrayRef)(void *)longer, plain(9));
    check(RLArrayGetCount(copy) == 3 && RLArrayGetCount(longer) == 4);
    check(!RLEqual(copy, longer));
}
SCENARIO(array_equality,
         .title = "Arrays are equal if they compare alike and their elements are equal",
         .clauses = "object base")
