/*
 * Bytes: RLData.
 */

#include "scenario.h"
#include "value_words.h"

/* Logs bytes as characters. */
static void note_data(RLDataRef data)
{
    note("%.*s", (int)RLDataGetLength(data), (const char *)RLDataGetBytePtr(data));
}

static void data_holds(void)
{
    char original[] = "abcdef";
    UInt8 part[4] = "";
    RLDataRef data = data_of(original);
    RLDataRef empty = kept(RLDataCreate(NULL, NULL, 0));

    memset(original, 'x', 6);
    note_data(data);
    RLDataGetBytes(data, RLRangeMake(2, 3), part);
    note("%s", (const char *)part);
    check(RLDataGetLength(empty) == 0);
    RLDataGetBytes(empty, RLRangeMake(0, 0), NULL);
    check(RLGetTypeID(data) == RLDataGetTypeID());
    check(RLGetTypeID(data) != RLStringGetTypeID());
}
SCENARIO(data_holds,
         .title = "Data holds a copy of bytes",
         .clauses = "object base",
         .expected = "abcdef; cde")

static void data_equality(void)
{
    RLDataRef one = data_of("same"), two = data_of("same"), other = data_of("samE");
    RLDataRef mutable = changing_data("same");

    check(RLEqual(one, two) && RLHash(one) == RLHash(two));
    check(RLEqual(one, mutable) && RLHash(one) == RLHash(mutable));
    check(!RLEqual(one, other) && !RLEqual(one, data_of("sam")));
    check(!RLEqual(one, text("same")));
}
SCENARIO(data_equality,
         .title = "Data is equal to data with the same bytes",
         .clauses = "object base")

static void data_copies(void)
{
    RLMutableDataRef original = changing_data("abc");
    RLDataRef copy = kept(RLDataCreateCopy(NULL, original));
    RLMutableDataRef changed = RLDataCreateMutableCopy(NULL, 0, copy);

    kept(changed);
    RLDataAppendBytes(original, (const UInt8 *)"d", 1);
    RLDataAppendBytes(changed, (const UInt8 *)"e", 1);
    note_data(original);
    note_data(copy);
    note_data(changed);
}
SCENARIO(data_copies,
         .title = "Copies of data do not change with the original",
         .clauses = "object base",
         .expected = "abcd; abc; abce")

static void data_without_copy(void)
{
    static UInt8 bytes[] = "abc";
    UInt8 *allocated = malloc(3);
    RLDataRef borrowed = RLDataCreateWithBytesNoCopy(NULL, bytes, 3, kRLAllocatorNull);

    memcpy(allocated, "xyz", 3);
    check(RLDataGetBytePtr(borrowed) == bytes);
    note_data(borrowed);
    RLRelease(borrowed);
    RLDataRef given = RLDataCreateWithBytesNoCopy(NULL, allocated, 3, kRLAllocatorMalloc);
    check(RLDataGetBytePtr(given) == allocated);
    note_data(given);
    RLRelease(given);
}
SCENARIO(data_without_copy,
         .title = "Data can borrow its bytes, or take them over and free them",
         .clauses = "object base",
         .expected = "abc; xyz")

static void data_changes(void)
{
    RLMutableDataRef data = changing_data("0123456789");

    RLDataReplaceBytes(data, RLRangeMake(2, 3), (const UInt8 *)"ab", 2);
    note_data(data);
    RLDataReplaceBytes(data, RLRangeMake(0, 0), (const UInt8 *)"<<", 2);
    note_data(data);
    RLDataReplaceBytes(data, RLRangeMake(4, 2), (const UInt8 *)"wxyz", 4);
    note_data(data);
    RLDataDeleteBytes(data, RLRangeMake(1, 3));
    note_data(data);
    RLDataDeleteBytes(data, RLRangeMake(7, 3));
    note_data(data);
    RLDataSetLength(data, 3);
    note_data(data);
    RLDataSetLength(data, 5);
    RLDataIncreaseLength(data, 1);
    check(RLDataGetLength(data) == 6);
    for (int i = 3; i < 6; i++) check(RLDataGetBytePtr(data)[i] == 0);
    memcpy(RLDataGetMutableBytePtr(data), "second", 6);
    note_data(data);
}
SCENARIO(data_changes,
         .title = "Mutable data is replaced, deleted, cut and lengthened with zeros",
         .clauses = "object base",
         .expected = "01ab56789; <<01ab56789; <<01wxyz56789; <wxyz56789; <wxyz56; <wx; second")

static void data_grows(void)
{
    enum { total = 100000 };
    RLMutableDataRef data = changing_data("");

    for (int i = 0; i < total; i++) {
        UInt8 byte = (UInt8)(i % 251);
        RLDataAppendBytes(data, &byte, 1);
    }
    check(RLDataGetLength(data) == total);
    const UInt8 *bytes = RLDataGetBytePtr(data);
    int wrong = 0;
    for (int i = 0; i < total; i++) wrong += bytes[i] != i % 251;
    check(wrong == 0);
}
SCENARIO(data_grows,
         .title = "A hundred thousand appended bytes are all there",
         .clauses = "object base")

static void data_churn(void)
{
    uint64_t random = 2, sum = 0;
    UInt8 bytes[] = "0123456789abcdef";
    RLMutableDataRef data = changing_data("");

    for (long round = 0; round < 20000; round++) {
        long count = RLDataGetLength(data);
        long at = next_number(&random, count + 1);
        long length = next_number(&random, count - at + 1) % 13;
        bytes[round % 16] = (UInt8)round;
        switch (next_number(&random, 4)) {
        case 0: RLDataAppendBytes(data, bytes, length); break;
        case 1: RLDataDeleteBytes(data, RLRangeMake(at, length)); break;
        case 2: RLDataReplaceBytes(data, RLRangeMake(at, length), bytes, round % 13); break;
        default: RLDataSetLength(data, count > 400 ? 40 : count + round % 3); break;
        }
        for (long i = 0; i < RLDataGetLength(data); i++) {
            sum = sum * 31 + RLDataGetBytePtr(data)[i];
        }
    }
    note("%ld %llx", (long)RLDataGetLength(data), (unsigned long long)sum);
}
SCENARIO(data_churn,
         .title = "Twenty thousand changes of data leave what they should",
         .clauses = "object base",
         .expected = "45 230fbdaa80515b18")

static void data_within_limit(void)
{
    RLMutableDataRef data = RLDataCreateMutable(NULL, 4);

    kept(data);
    RLDataAppendBytes(data, (const UInt8 *)"abcd", 4);
    note_data(data);
    RLDataAppendBytes(data, (const UInt8 *)"e", 1);
    note_data(data);
}
SCENARIO(data_within_limit,
         .title = "Data made for so many bytes takes no more",
         .clauses = "object base",
         .dies = true,
         .expected = "abcd; dies")
