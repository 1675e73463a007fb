/*
 * Bytes: RLData.
 */

#include "value_words.h"

/* Logs bytes as characters. */
static void note_data(E(DataRef) data)
{
    note("%.*s", (int)E(DataGetLength)(data), (const char *)E(DataGetBytePtr)(data));
}

static E(DataRef) data_of(const char *characters)
{
    return kept(E(DataCreate)(NULL, (const UInt8 *)characters, (long)strlen(characters)));
}

/* Mutable bytes without limit. */
static E(MutableDataRef) changing_data(const char *characters)
{
    E(MutableDataRef) data = E(DataCreateMutable)(NULL, 0);
    kept(data);
    E(DataAppendBytes)(data, (const UInt8 *)characters, (long)strlen(characters));
    return data;
}

static void data_holds(void)
{
    char original[] = "abcdef";
    UInt8 part[4] = "";
    E(DataRef) data = data_of(original);
    E(DataRef) empty = kept(E(DataCreate)(NULL, NULL, 0));

    memset(original, 'x', 6);
    note_data(data);
    E(DataGetBytes)(data, E(RangeMake)(2, 3), part);
    note("%s", (const char *)part);
    check(E(DataGetLength)(empty) == 0);
    E(DataGetBytes)(empty, E(RangeMake)(0, 0), NULL);
    check(E(GetTypeID)(data) == E(DataGetTypeID)());
    check(E(GetTypeID)(data) != E(StringGetTypeID)());
}
SCENARIO(data_holds,
         .title = "Data holds a copy of bytes",
         .clauses = "object base",
         .expected = "abcdef; cde")

static void data_equality(void)
{
    E(DataRef) one = data_of("same"), two = data_of("same"), other = data_of("samE");
    E(DataRef) mutable = changing_data("same");

    check(E(Equal)(one, two) && E(Hash)(one) == E(Hash)(two));
    check(E(Equal)(one, mutable) && E(Hash)(one) == E(Hash)(mutable));
    check(!E(Equal)(one, other) && !E(Equal)(one, data_of("sam")));
    check(!E(Equal)(one, text("same")));
}
SCENARIO(data_equality,
         .title = "Data is equal to data with the same bytes",
         .clauses = "object base")

static void data_copies(void)
{
    E(MutableDataRef) original = changing_data("abc");
    E(DataRef) copy = kept(E(DataCreateCopy)(NULL, original));
    E(MutableDataRef) changed = E(DataCreateMutableCopy)(NULL, 0, copy);

    kept(changed);
    E(DataAppendBytes)(original, (const UInt8 *)"d", 1);
    E(DataAppendBytes)(changed, (const UInt8 *)"e", 1);
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
    E(DataRef) borrowed = E(DataCreateWithBytesNoCopy)(NULL, bytes, 3, K(AllocatorNull));

    memcpy(allocated, "xyz", 3);
    check(E(DataGetBytePtr)(borrowed) == bytes);
    note_data(borrowed);
    E(Release)(borrowed);
    E(DataRef) given = E(DataCreateWithBytesNoCopy)(NULL, allocated, 3, K(AllocatorMalloc));
    check(E(DataGetBytePtr)(given) == allocated);
    note_data(given);
    E(Release)(given);
}
SCENARIO(data_without_copy,
         .title = "Data can borrow its bytes, or take them over and free them",
         .clauses = "object base",
         .expected = "abc; xyz")

static void data_changes(void)
{
    E(MutableDataRef) data = changing_data("0123456789");

    E(DataReplaceBytes)(data, E(RangeMake)(2, 3), (const UInt8 *)"ab", 2);
    note_data(data);
    E(DataReplaceBytes)(data, E(RangeMake)(0, 0), (const UInt8 *)"<<", 2);
    note_data(data);
    E(DataReplaceBytes)(data, E(RangeMake)(4, 2), (const UInt8 *)"wxyz", 4);
    note_data(data);
    E(DataDeleteBytes)(data, E(RangeMake)(1, 3));
    note_data(data);
    E(DataDeleteBytes)(data, E(RangeMake)(7, 3));
    note_data(data);
    E(DataSetLength)(data, 3);
    note_data(data);
    E(DataSetLength)(data, 5);
    E(DataIncreaseLength)(data, 1);
    check(E(DataGetLength)(data) == 6);
    for (int i = 3; i < 6; i++) check(E(DataGetBytePtr)(data)[i] == 0);
    memcpy(E(DataGetMutableBytePtr)(data), "second", 6);
    note_data(data);
}
SCENARIO(data_changes,
         .title = "Mutable data is replaced, deleted, cut and lengthened with zeros",
         .clauses = "object base",
         .expected = "01ab56789; <<01ab56789; <<01wxyz56789; <wxyz56789; <wxyz56; <wx; second")

static void data_grows(void)
{
    enum { total = 100000 };
    E(MutableDataRef) data = changing_data("");

    for (int i = 0; i < total; i++) {
        UInt8 byte = (UInt8)(i % 251);
        E(DataAppendBytes)(data, &byte, 1);
    }
    check(E(DataGetLength)(data) == total);
    const UInt8 *bytes = E(DataGetBytePtr)(data);
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
    E(MutableDataRef) data = changing_data("");

    for (long round = 0; round < 20000; round++) {
        long count = E(DataGetLength)(data);
        long at = next_number(&random, count + 1);
        long length = next_number(&random, count - at + 1) % 13;
        bytes[round % 16] = (UInt8)round;
        switch (next_number(&random, 4)) {
        case 0: E(DataAppendBytes)(data, bytes, length); break;
        case 1: E(DataDeleteBytes)(data, E(RangeMake)(at, length)); break;
        case 2: E(DataReplaceBytes)(data, E(RangeMake)(at, length), bytes, round % 13); break;
        default: E(DataSetLength)(data, count > 400 ? 40 : count + round % 3); break;
        }
        for (long i = 0; i < E(DataGetLength)(data); i++) {
            sum = sum * 31 + E(DataGetBytePtr)(data)[i];
        }
    }
    note("%ld %llx", (long)E(DataGetLength)(data), (unsigned long long)sum);
}
SCENARIO(data_churn,
         .title = "Twenty thousand changes of data leave what they should",
         .clauses = "object base",
         .expected = "45 230fbdaa80515b18")

static void data_within_limit(void)
{
    E(MutableDataRef) data = E(DataCreateMutable)(NULL, 4);

    kept(data);
    E(DataAppendBytes)(data, (const UInt8 *)"abcd", 4);
    note_data(data);
    E(DataAppendBytes)(data, (const UInt8 *)"e", 1);
    note_data(data);
}
SCENARIO(data_within_limit,
         .title = "Data made for so many bytes takes no more",
         .clauses = "object base",
         .dies = true,
         .expected = "abcd; dies")
