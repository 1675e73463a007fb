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

static const struct scenario *const hostile_values_scenarios[] = {
    LISTED(data_own_bytes),      LISTED(data_immutable), LISTED(data_range),
    LISTED(data_range_overflow), LISTED(data_negative),  NULL,
};
