/*
 * Values used wrongly: ours stops the process with one line, where the reference may read or write
 * foreign memory.
 */

#include <limits.h>

#include "value_words.h"

static void data_own_bytes(void)
{
    E(MutableDataRef) data = changing_data("abc");

    for (int i = 0; i < 6; i++) {
        E(DataAppendBytes)(data, E(DataGetBytePtr)(data), E(DataGetLength)(data));
    }
    check(E(DataGetLength)(data) == 192);
    for (int i = 0; i < 192; i++) check(E(DataGetBytePtr)(data)[i] == "abc"[i % 3]);
}
SCENARIO(data_own_bytes,
         .title = "Data can be appended to itself while it grows",
         .clauses = "extension",
         .expected = "")

static void data_immutable(void)
{
    E(DataRef) data = data_of("abc");

    note("changing");
    E(DataAppendBytes)((E(MutableDataRef))(void *)data, (const UInt8 *)"d", 1);
    note("changed");
}
SCENARIO(data_immutable,
         .title = "A change of immutable data stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "changing; dies")

static void data_range(void)
{
    UInt8 buffer[16];

    note("reading");
    E(DataGetBytes)(data_of("abc"), E(RangeMake)(2, 2), buffer);
    note("read");
}
SCENARIO(data_range,
         .title = "Reading data beyond its end stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "reading; dies")

static void data_range_overflow(void)
{
    E(MutableDataRef) data = changing_data("abc");

    note("deleting");
    E(DataDeleteBytes)(data, E(RangeMake)(1, LONG_MAX));
    note("deleted");
}
SCENARIO(data_range_overflow,
         .title = "A range of data whose end overflows stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "deleting; dies")

static void data_negative(void)
{
    check(E(DataCreate)(NULL, (const UInt8 *)"a", -1) == NULL);
    check(E(DataCreate)(NULL, NULL, 1) == NULL);
    check(E(DataCreateMutable)(NULL, -1) == NULL);
    note("shortening");
    E(DataIncreaseLength)(changing_data("abc"), -4);
    note("shortened");
}
SCENARIO(data_negative,
         .title = "Data of a negative length is not made",
         .clauses = "extension",
         .dies = true,
         .expected = "shortening; dies")

static void array_index(void)
{
    RLArrayRef array = plain_array(3);

    check(RLArrayCreate(NULL, NULL, 1, NULL) == NULL);
    check(RLArrayCreateMutable(NULL, -1, NULL) == NULL);
    note("asking");
    note_array(array);
    RLArrayGetValueAtIndex(array, 3);
    note("answered");
}
SCENARIO(array_index,
         .title = "An index beyond an array's end stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "asking; [0 1 2]; dies")

static void array_insertion(void)
{
    note("inserting");
    RLArrayInsertValueAtIndex(plain_array(3), 4, plain(1));
    note("inserted");
}
SCENARIO(array_insertion,
         .title = "Inserting beyond an array's end stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "inserting; dies")

static void array_immutable(void)
{
    RLArrayRef array = kept(RLArrayCreate(NULL, NULL, 0, NULL));

    note("changing");
    RLArrayAppendValue((RLMutableArrayRef)(void *)array, plain(1));
    note("changed");
}
SCENARIO(array_immutable,
         .title = "A change of an immutable array stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "changing; dies")

static void remove_first(const void *value, void *array)
{
    note("%ld", (long)value);
    RLArrayRemoveValueAtIndex(array, 0);
}

static void array_changed_while_visited(void)
{
    RLMutableArrayRef array = plain_array(3);

    RLArrayApplyFunction(array, RLRangeMake(0, 3), remove_first, array);
    note("visited");
}
SCENARIO(array_changed_while_visited,
         .title = "A visitor that changes its array stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "0; dies")

static RLMutableArrayRef array_that_releases;

static void append_what_left(RLAllocatorRef allocator, const void *value)
{
    (void)allocator;
    if ((long)value < 10) RLArrayAppendValue(array_that_releases, plain((long)value + 10));
}

static void array_changed_in_release(void)
{
    static const RLArrayCallBacks callbacks = {.release = append_what_left};

    array_that_releases = RLArrayCreateMutable(NULL, 0, &callbacks);
    for (long i = 0; i < 5; i++) RLArrayAppendValue(array_that_releases, plain(i));
    RLArrayRemoveValueAtIndex(array_that_releases, 2);
    note_array(array_that_releases);
    RLArrayRemoveAllValues(array_that_releases);
    note_array(array_that_releases);
    RLArrayRemoveAllValues(array_that_releases);
    RLRelease(array_that_releases);
}
SCENARIO(array_changed_in_release,
         .title = "A release callback may change its array, which is in order then",
         .clauses = "extension",
         .expected = "[0 1 3 4 12]; [10 11 13 14]")

static void array_null(void)
{
    note("counting");
    RLArrayGetCount(NULL);
    note("counted");
}
SCENARIO(array_null,
         .title = "A null array stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "counting; dies")

static void set_immutable(void)
{
    RLSetRef set = kept(RLSetCreate(NULL, NULL, 0, NULL));

    check(RLSetCreate(NULL, NULL, 1, NULL) == NULL);
    check(RLSetCreate(NULL, NULL, -1, NULL) == NULL);
    note("changing");
    RLSetAddValue((RLMutableSetRef)(void *)set, plain(1));
    note("changed");
}
SCENARIO(set_immutable,
         .title = "A change of an immutable set stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "changing; dies")

static void add_to_set(const void *value, void *set)
{
    note("visited");
    RLSetAddValue(set, plain((long)value + 1));
}

static void set_changed_while_visited(void)
{
    RLMutableSetRef set = plain_set(1);

    RLSetApplyFunction(set, add_to_set, set);
    note("done");
}
SCENARIO(set_changed_while_visited,
         .title = "A visitor that changes its set stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "visited; dies")

static RLMutableSetRef set_that_compares;

static Boolean equal_after_emptying(const void *first, const void *second)
{
    RLSetRemoveAllValues(set_that_compares);
    return first == second;
}

static RLHashCode same_hash(const void *value)
{
    (void)value;
    return 1;
}

static void set_changed_while_searched(void)
{
    static const RLSetCallBacks callbacks = {.equal = equal_after_emptying, .hash = same_hash};

    set_that_compares = RLSetCreateMutable(NULL, 0, &callbacks);
    RLSetAddValue(set_that_compares, plain(1));
    note("searching");
    RLSetContainsValue(set_that_compares, plain(2));
    note("found");
}
SCENARIO(set_changed_while_searched,
         .title = "A comparison that changes its set stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "searching; dies")

static RLHashCode hash_of_one(const void *value)
{
    return (long)value < 1000 ? 1 : 2;
}

static void set_of_collisions(void)
{
    static const RLSetCallBacks callbacks = {.hash = hash_of_one};
    RLMutableSetRef set = RLSetCreateMutable(NULL, 0, &callbacks);
    long wrong = 0;

    kept(set);
    for (long i = 0; i < 300; i++) RLSetAddValue(set, plain(i));
    for (long i = 1000; i < 1010; i++) RLSetAddValue(set, plain(i));
    for (long i = 0; i < 300; i += 3) RLSetRemoveValue(set, plain(i));
    for (long i = 0; i < 300; i++) wrong += RLSetContainsValue(set, plain(i)) == (i % 3 == 0);
    for (long i = 1000; i < 1010; i++) wrong += !RLSetContainsValue(set, plain(i));
    check(wrong == 0);
    check(RLSetGetCount(set) == 210);
}
SCENARIO(set_of_collisions,
         .title = "A set finds its elements even if all their hashes are the same",
         .clauses = "extension",
         .expected = "")

static void dictionary_immutable(void)
{
    RLDictionaryRef dictionary = kept(RLDictionaryCreate(NULL, NULL, NULL, 0, NULL, NULL));

    note("changing");
    RLDictionarySetValue((RLMutableDictionaryRef)(void *)dictionary, plain(1), plain(2));
    note("changed");
}
SCENARIO(dictionary_immutable,
         .title = "A change of an immutable dictionary stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "changing; dies")

static void dictionary_of_null_object(void)
{
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    note("adding");
    RLDictionaryAddValue(dictionary, text("key"), NULL);
    note("added");
}
SCENARIO(dictionary_of_null_object,
         .title = "Null is no object that a dictionary could hold",
         .clauses = "extension",
         .dies = true,
         .expected = "adding; dies")

static void described_values(void)
{
    const void *keys[] = {text("key")}, *values[] = {text("value")};
    RLDictionaryRef dictionary = kept(RLDictionaryCreate(
        NULL, keys, values, 1, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks));
    RLSetRef set = kept(RLSetCreate(NULL, keys, 1, &kRLTypeSetCallBacks));

    HAS_PIECES(dictionary, "<RLDictionary 0x", ">{count = 1, entries = (", "key = value", ")}");
    HAS_PIECES(set, "<RLSet 0x", ">{count = 1, values = (", "key", ")}");
    HAS_PIECES(plain_set(1), "<RLSet 0x", "(nil)");
    HAS_PIECES(plain_array(2), "<RLArray 0x", ">{count = 2, values = (", "0 : (nil)", "1 : 0x1");
    HAS_PIECES(data_of("abc"), "<RLData 0x", ">{length = 3, capacity = 3, bytes = 0x616263}");
    HAS_PIECES(data_of("0123456789012345678901234"), "length = 25",
               "bytes = 0x30313233343536373839303132333435 ... 3738393031323334}");
}
SCENARIO(described_values,
         .title = "Collections and data are described by what they hold",
         .clauses = "extension",
         .expected = "")

static void number_of_no_type(void)
{
    int value = 1;

    note("making");
    RLNumberCreate(NULL, (RLNumberType)17, &value);
    note("made");
}
SCENARIO(number_of_no_type,
         .title = "A number of an unknown type stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "making; dies")

static void number_for_string(void)
{
    note("asking");
    RLNumberGetType((RLNumberRef)(const void *)text("1"));
    note("answered");
}
SCENARIO(number_for_string,
         .title = "A string in a number's place stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "asking; dies")

static void out_of_range_numbers(void)
{
    static const double values[] = {1e300, -1e300, 0x1p63, __builtin_inf(), -__builtin_inf()};
    int64_t large = 0;
    int8_t small = 0;

    for (int i = 0; i < 5; i++) {
        check(!RLNumberGetValue(real(values[i]), kRLNumberSInt64Type, &large));
        check(large == (values[i] > 0 ? INT64_MAX : INT64_MIN));
        check(!RLNumberGetValue(real(values[i]), kRLNumberSInt8Type, &small));
        check(small == (values[i] > 0 ? INT8_MAX : INT8_MIN));
    }
    check(!RLNumberGetValue(real(__builtin_nan("")), kRLNumberSInt64Type, &large) && large == 0);
}
SCENARIO(out_of_range_numbers,
         .title = "A real number that fits no integer yields the nearest limit",
         .clauses = "extension",
         .expected = "")

static void described_numbers(void)
{
    HAS_PIECES(whole(-7), "<RLNumber 0x", ">{value = -7, type = kRLNumberSInt64Type}");
    HAS_PIECES(real(1.5), "<RLNumber 0x", ">{value = 1.5, type = kRLNumberFloat64Type}");
    HAS_PIECES(kRLBooleanTrue, "<RLBoolean 0x", ">{value = true}");
    HAS_PIECES(kRLNull, "<RLNull 0x", ">");
    check(RLGetTypeID(kRLNull) == RLNullGetTypeID());
}
SCENARIO(described_numbers,
         .title = "Numbers and truth values are described by value and type",
         .clauses = "extension",
         .expected = "")

static void format_writes(void)
{
    int count = 0;

    note("formatting");
    kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("a%n"), &count));
    note("formatted");
}
SCENARIO(format_writes,
         .title = "A format that would write to an argument stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "formatting; dies")

static void format_with_gap(void)
{
    note("formatting");
    kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%2$d"), 1, 2));
    note("formatted");
}
SCENARIO(format_with_gap,
         .title = "A format that leaves out an argument stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "formatting; dies")

static void format_too_wide(void)
{
    note("formatting");
    kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%*d"), INT_MIN, 2));
    note("formatted");
}
SCENARIO(format_too_wide,
         .title = "A width of two thousand million stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "formatting; dies")

static void format_repairs(void)
{
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("<%s>"), "a\xFFz")));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%.1s|"), "\xC3\xA9")));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("%C"), 0xD800)));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, RLSTR("100%"))));
}
SCENARIO(format_repairs,
         .title = "A format yields a valid string of invalid characters",
         .clauses = "extension",
         .expected = "\"<a\xEF\xBF\xBDz>\"; \"\xEF\xBF\xBD|\"; \"\xEF\xBF\xBD\"; \"100\"")

static void cut_strings(void)
{
    RLStringRef string = text("\xF0\x9F\x98\x80");

    check(!RLStringCreateWithSubstring(NULL, string, RLRangeMake(0, 1)));
    check(!RLStringCreateWithSubstring(NULL, string, RLRangeMake(1, 1)));
    check(!RLStringCreateWithBytes(NULL, (const UInt8 *)"a\0b", 3, kRLStringEncodingUTF8, false));
    check(!RLStringCreateWithBytes(NULL, (const UInt8 *)"a", -1, kRLStringEncodingUTF8, false));
    check(!RLStringCreateWithBytes(NULL, (const UInt8 *)"a", 1, 77, false));
    check(RLStringGetMaximumSizeForEncoding(LONG_MAX, kRLStringEncodingUTF8) == kRLNotFound);
    note("asking");
    RLStringGetCharacterAtIndex(string, 2);
    note("answered");
}
SCENARIO(cut_strings,
         .title = "No string is cut within a character; an index beyond the end stops the process",
         .clauses = "extension",
         .dies = true,
         .expected = "asking; dies")

static const struct scenario *const hostile_values_scenarios[] = {
    LISTED(data_own_bytes),
    LISTED(data_immutable),
    LISTED(data_range),
    LISTED(data_range_overflow),
    LISTED(data_negative),
    LISTED(array_index),
    LISTED(array_insertion),
    LISTED(array_immutable),
    LISTED(array_changed_while_visited),
    LISTED(array_changed_in_release),
    LISTED(array_null),
    LISTED(set_immutable),
    LISTED(set_changed_while_visited),
    LISTED(set_changed_while_searched),
    LISTED(set_of_collisions),
    LISTED(dictionary_immutable),
    LISTED(dictionary_of_null_object),
    LISTED(described_values),
    LISTED(number_of_no_type),
    LISTED(number_for_string),
    LISTED(out_of_range_numbers),
    LISTED(described_numbers),
    LISTED(format_writes),
    LISTED(format_with_gap),
    LISTED(format_too_wide),
    LISTED(format_repairs),
    LISTED(cut_strings),
    NULL,
};
