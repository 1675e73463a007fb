/*
 * Arrays: RLArray.
 */

#include "value_words.h"

static const E(ArrayCallBacks) plain_array_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
};

/* Mutable, of the numbers from 0 on, without callbacks. */
static E(MutableArrayRef) plain_array(long count)
{
    E(MutableArrayRef) array = E(ArrayCreateMutable)(NULL, 0, NULL);
    kept(array);
    for (long i = 0; i < count; i++) E(ArrayAppendValue)(array, plain(i));
    return array;
}

static E(Range) all_of(E(ArrayRef) array)
{
    return E(RangeMake)(0, E(ArrayGetCount)(array));
}

/* Logs plain numbers. */
static void note_array(E(ArrayRef) array)
{
    char line[512] = "";
    size_t length = 0;
    for (long i = 0; i < E(ArrayGetCount)(array) && length < sizeof line; i++) {
        length += (size_t)snprintf(line + length, sizeof line - length, " %ld",
                                   (long)E(ArrayGetValueAtIndex)(array, i));
    }
    note("[%s]", line[0] ? line + 1 : "");
}

static void array_references(void)
{
    const void *values[] = {plain(1), plain(2)};
    E(ArrayRef) array = E(ArrayCreate)(NULL, values, 2, &plain_array_callbacks);
    E(MutableArrayRef) copy = E(ArrayCreateMutableCopy)(NULL, 0, array);

    note("made");
    E(Release)(array);
    E(ArraySetValueAtIndex)(copy, 0, plain(3));
    E(ArraySetValueAtIndex)(copy, 2, plain(4));
    E(ArrayInsertValueAtIndex)(copy, 1, plain(5));
    note_array(copy);
    E(ArrayRemoveValueAtIndex)(copy, 2);
    E(ArrayRemoveAllValues)(copy);
    check(E(ArrayGetCount)(copy) == 0);
    E(ArrayAppendValue)(copy, plain(6));
    E(Release)(copy);
}
SCENARIO(array_references,
         .title = "An array retains what enters it and releases what leaves it",
         .clauses = "object base",
         .expected = "+1; +2; +1; +2; made; -1; -2; +3; -1; +4; +5; [3 5 2 4]; -2; -3; -5; -4; "
                     "+6; -6")

static void array_of_objects(void)
{
    E(StringRef) string = E(StringCreateWithCString)(NULL, "element", K(StringEncodingUTF8));
    E(MutableArrayRef) array = E(ArrayCreateMutable)(NULL, 0, &K(TypeArrayCallBacks));

    E(ArrayAppendValue)(array, string);
    E(Release)(string);
    note_text(E(ArrayGetValueAtIndex)(array, 0));
    check(E(ArrayContainsValue)(array, all_of(array), text("element")));
    check(!E(ArrayContainsValue)(array, all_of(array), text("other")));
    check(E(GetTypeID)(array) == E(ArrayGetTypeID)());
    E(Release)(array);
}
SCENARIO(array_of_objects,
         .title = "An array of objects holds and compares them",
         .clauses = "object base",
         .expected = "\"element\"")

static void array_changes(void)
{
    E(MutableArrayRef) array = plain_array(6);
    const void *values[] = {plain(7), plain(8), plain(9)};

    E(ArrayReplaceValues)(array, E(RangeMake)(1, 2), values, 3);
    note_array(array);
    E(ArrayReplaceValues)(array, E(RangeMake)(0, 4), values, 1);
    note_array(array);
    E(ArrayExchangeValuesAtIndices)(array, 0, 3);
    note_array(array);
    E(ArrayAppendArray)(array, array, E(RangeMake)(1, 3));
    note_array(array);
    E(ArrayRemoveValueAtIndex)(array, 0);
    E(ArrayInsertValueAtIndex)(array, 0, plain(1));
    E(ArrayInsertValueAtIndex)(array, 7, plain(2));
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
    E(ArrayRef) array = kept(E(ArrayCreate)(NULL, values, 5, &plain_array_callbacks));
    E(Range) all = E(RangeMake)(0, 5), end = E(RangeMake)(3, 2), nothing = E(RangeMake)(5, 0);

    check(E(ArrayGetFirstIndexOfValue)(array, all, plain(2)) == 1);
    check(E(ArrayGetLastIndexOfValue)(array, all, plain(2)) == 4);
    check(E(ArrayGetFirstIndexOfValue)(array, end, plain(2)) == 4);
    check(E(ArrayGetFirstIndexOfValue)(array, end, plain(1)) == K(NotFound));
    check(E(ArrayGetCountOfValue)(array, all, plain(2)) == 3);
    check(E(ArrayContainsValue)(array, all, plain(3)));
    check(!E(ArrayContainsValue)(array, nothing, plain(3)));
    check(E(ArrayGetLastIndexOfValue)(array, nothing, plain(3)) == K(NotFound));
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
    E(ArrayRef) array = plain_array(5);

    E(ArrayApplyFunction)(array, E(RangeMake)(1, 3), note_element, &sum);
    check(sum == 6);
    E(ArrayGetValues)(array, E(RangeMake)(3, 2), values);
    check(values[0] == plain(3) && values[1] == plain(4));
}
SCENARIO(array_visits,
         .title = "The elements of a range are visited in order and copied out",
         .clauses = "object base",
         .expected = "1; 2; 3")

static E(ComparisonResult) by_last_digit(const void *first, const void *second, void *context)
{
    long left = (long)first % 10, right = (long)second % 10;
    *(bool *)context = true;
    return left < right    ? K(CompareLessThan)
           : left == right ? K(CompareEqualTo)
                           : K(CompareGreaterThan);
}

static void array_sorting(void)
{
    static const long numbers[] = {9, 5, 8, 1, 7, 2, 6, 3, 4, 0};
    bool was_asked = false;
    E(MutableArrayRef) array = plain_array(0);

    for (int i = 0; i < 10; i++) E(ArrayAppendValue)(array, plain(numbers[i]));
    E(ArraySortValues)(array, E(RangeMake)(1, 4), by_last_digit, &was_asked);
    note_array(array);
    E(ArraySortValues)(array, all_of(array), by_last_digit, &was_asked);
    note_array(array);
    E(ArraySortValues)(array, E(RangeMake)(3, 0), by_last_digit, &was_asked);
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
    E(MutableArrayRef) array = plain_array(0);

    for (long i = 0; i < count; i++) E(ArrayAppendValue)(array, plain(i * 7919 % count));
    E(ArraySortValues)(array, all_of(array), by_last_digit, &was_asked);
    for (long i = 0; i < count; i++) {
        wrong += (long)E(ArrayGetValueAtIndex)(array, i) % 10 != i / (count / 10);
    }
    check(wrong == 0);
}
SCENARIO(array_sorting_long,
         .title = "Five thousand elements are sorted",
         .clauses = "object base")

static void array_as_queue(void)
{
    enum { total = 20000, backlog = 100 };
    E(MutableArrayRef) queue = plain_array(0);
    long wrong = 0;

    for (long next = 0; next < total + backlog; next++) {
        if (next < total) E(ArrayAppendValue)(queue, plain(next));
        if (next < backlog) continue;
        wrong += E(ArrayGetValueAtIndex)(queue, 0) != plain(next - backlog);
        E(ArrayRemoveValueAtIndex)(queue, 0);
    }
    check(wrong == 0);
    check(E(ArrayGetCount)(queue) == 0);
}
SCENARIO(array_as_queue,
         .title = "An array is a queue when elements leave at its front",
         .clauses = "object base")

/* One change of an array by chance. */
static void change_array(E(MutableArrayRef) array, uint64_t *random, long number)
{
    const void *values[3] = {plain(number), plain(number + 1), plain(number + 2)};
    long count = E(ArrayGetCount)(array);
    long at = next_number(random, count + 1), length = next_number(random, count - at + 1);
    switch (next_number(random, 8)) {
    case 0: E(ArrayAppendValue)(array, values[0]); break;
    case 1: E(ArrayInsertValueAtIndex)(array, at, values[0]); break;
    case 2: E(ArraySetValueAtIndex)(array, at, values[0]); break;
    case 3: E(ArrayReplaceValues)(array, E(RangeMake)(at, length % 5), values, number % 4); break;
    case 4: E(ArrayAppendArray)(array, array, E(RangeMake)(at, length % 7)); break;
    case 5:
        if (at < count) E(ArrayExchangeValuesAtIndices)(array, at, 0);
        break;
    default:
        if (at < count) E(ArrayRemoveValueAtIndex)(array, number % 3 ? at : 0);
        break;
    }
}

static void array_churn(void)
{
    uint64_t random = 1, sum = 0;
    E(MutableArrayRef) array = plain_array(0);

    for (long round = 0; round < 20000; round++) {
        change_array(array, &random, round);
        long count = E(ArrayGetCount)(array);
        long at = next_number(&random, count + 1);
        if (at < count) sum = sum * 31 + (uint64_t)(long)E(ArrayGetValueAtIndex)(array, at);
        if (round % 1000 == 999 && count > 50) {
            E(ArrayReplaceValues)(array, E(RangeMake)(10, count - 20), NULL, 0);
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
    static const E(ArrayCallBacks) callbacks = {.equal = plain_equal};
    E(ArrayRef) array = kept(E(ArrayCreate)(NULL, values, 2, &callbacks));
    E(ArrayRef) equal = kept(E(ArrayCreate)(NULL, others, 2, &callbacks));
    E(ArrayRef) longer = plain_array(3), shorter = plain_array(2), same = plain_array(2);

    check(E(Equal)(array, equal) && E(Hash)(array) == E(Hash)(equal));
    check(E(Equal)(shorter, same) && !E(Equal)(shorter, longer));
    check(!E(Equal)(array, kept(E(ArrayCreate)(NULL, values, 2, NULL))));
    check(!E(Equal)(array, text("no array")));
    E(ArrayRef) copy = kept(E(ArrayCreateCopy)(NULL, longer));
    check(E(Equal)(copy, longer));
    E(ArrayAppendValue)((E(MutableArrayRef))(void *)longer, plain(9));
    check(E(ArrayGetCount)(copy) == 3 && E(ArrayGetCount)(longer) == 4);
    check(!E(Equal)(copy, longer));
}
SCENARIO(array_equality,
         .title = "Arrays are equal if they compare alike and their elements are equal",
         .clauses = "object base")
