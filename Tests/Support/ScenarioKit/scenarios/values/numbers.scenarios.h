/*
 * Numbers and truth values: RLNumber, RLBoolean, RLNull.
 */

#include "value_words.h"

#include <limits.h>

/* A long and what is as large: its type and its bytes. */
#if LONG_MAX > INT_MAX
#define LONG_AND_BYTES "4 8"
#else
#define LONG_AND_BYTES "3 4"
#endif

static void number_types(void)
{
    for (long type = 1; type <= K(NumberMaxType); type++) {
        char value[16] = {100};
        E(NumberRef) number = kept(E(NumberCreate)(NULL, (E(NumberType))type, value));
        note("%ld %ld%s", (long)E(NumberGetType)(number), (long)E(NumberGetByteSize)(number),
             E(NumberIsFloatType)(number) ? " float" : "");
    }
    check(E(GetTypeID)(whole(1)) == E(NumberGetTypeID)());
}
SCENARIO(number_types,
         .title = "A number is kept in one of six types",
         .clauses = "object base",
         .expected = "1 1; 2 2; 3 4; 4 8; 5 4 float; 6 8 float; 1 1; 2 2; 3 4; " LONG_AND_BYTES
                     "; 4 8; 5 4 float; 6 8 float; " LONG_AND_BYTES "; " LONG_AND_BYTES
                     "; 6 8 float")

/* Logs a number in several types, each in parentheses if it is not exact. */
static void note_conversions(E(NumberRef) number)
{
    int8_t small = 0;
    int32_t medium = 0;
    int64_t large = 0;
    double real = 0;
    bool is_small = E(NumberGetValue)(number, K(NumberCharType), &small);
    bool is_medium = E(NumberGetValue)(number, K(NumberIntType), &medium);
    bool is_large = E(NumberGetValue)(number, K(NumberLongLongType), &large);
    bool is_real = E(NumberGetValue)(number, K(NumberDoubleType), &real);
    char line[4][32] = {"-", "-", "-", "-"};

    if (is_small) snprintf(line[0], sizeof line[0], "%d", small);
    if (is_medium) snprintf(line[1], sizeof line[1], "%d", medium);
    if (is_large) snprintf(line[2], sizeof line[2], "%lld", (long long)large);
    if (is_real) snprintf(line[3], sizeof line[3], "%g", real);
    note("%s %s %s %s", line[0], line[1], line[2], line[3]);
}

static void number_conversions(void)
{
    note_conversions(whole(-3));
    note_conversions(whole(300));
    note_conversions(whole(INT64_C(1) << 40));
    note_conversions(whole((INT64_C(1) << 53) + 1));
    note_conversions(whole(INT64_MIN));
    note_conversions(real(2));
    note_conversions(real(-1.5));
    note_conversions(real(1e10));
    note_conversions(real(1e300));
    note_conversions(real(__builtin_inf()));
}
SCENARIO(number_conversions,
         .title = "A conversion tells whether it is exact",
         .clauses = "object base",
         .expected = "-3 -3 -3 -3; - 300 300 300; - - 1099511627776 1.09951e+12; "
                     "- - 9007199254740993 -; - - -9223372036854775808 -9.22337e+18; 2 2 2 2; "
                     "- - - -1.5; - - 10000000000 1e+10; - - - 1e+300; - - - inf")

static void number_approximations(void)
{
    int16_t low = 0;
    int32_t part = 0;
    float rounded = 0;

    check(!E(NumberGetValue)(whole(70000), K(NumberShortType), &low) && low == 4464);
    check(!E(NumberGetValue)(real(-1.7), K(NumberSInt32Type), &part) && part == -1);
    check(!E(NumberGetValue)(real(0.1), K(NumberFloatType), &rounded) && rounded == 0.1F);
    check(E(NumberGetValue)(real(2.5), K(NumberFloat32Type), &rounded) && rounded == 2.5F);
}
SCENARIO(number_approximations,
         .title = "An inexact conversion yields low bits, integer parts and nearest numbers",
         .clauses = "object base")

static void note_comparison(E(NumberRef) first, E(NumberRef) second)
{
    long result = E(NumberCompare)(first, second, NULL);
    check(E(NumberCompare)(second, first, NULL) == -result);
    check(E(Equal)(first, second) == (result == 0));
    check(result != 0 || E(Hash)(first) == E(Hash)(second));
    note("%ld", result);
}

static void number_comparison(void)
{
    double nan = __builtin_nan("");

    note_comparison(whole(1), whole(2));
    note_comparison(whole(2), real(2));
    note_comparison(whole(2), real(1.5));
    note_comparison(whole((INT64_C(1) << 53) + 1), real(0x1p53));
    note_comparison(whole(INT64_MAX), real(0x1p63));
    note_comparison(real(0), real(-0.0));
    note_comparison(whole(0), real(0));
    note_comparison(real(nan), whole(-1));
    note_comparison(real(nan), real(nan));
    note_comparison(real(__builtin_inf()), whole(INT64_MAX));
}
SCENARIO(number_comparison,
         .title = "Numbers of all types are compared by value",
         .clauses = "object base",
         .expected = "-1; 0; 1; 1; -1; 1; 0; -1; 0; 1")

static void number_as_key(void)
{
    E(MutableDictionaryRef) dictionary = E(DictionaryCreateMutable)(
        NULL, 0, &K(TypeDictionaryKeyCallBacks), &K(TypeDictionaryValueCallBacks));

    kept(dictionary);
    E(DictionarySetValue)(dictionary, whole(80), text("http"));
    E(DictionarySetValue)(dictionary, K(BooleanTrue), K(Null));
    note_text(E(DictionaryGetValue)(dictionary, real(80)));
    check(E(DictionaryGetValue)(dictionary, K(BooleanTrue)) == K(Null));
    check(E(DictionaryGetValue)(dictionary, K(BooleanFalse)) == NULL);
}
SCENARIO(number_as_key,
         .title = "Numbers and truth values are keys of dictionaries",
         .clauses = "object base",
         .expected = "\"http\"")

static void truth_values(void)
{
    check(E(BooleanGetValue)(K(BooleanTrue)) && !E(BooleanGetValue)(K(BooleanFalse)));
    check(E(Equal)(K(BooleanTrue), K(BooleanTrue)) && !E(Equal)(K(BooleanTrue), K(BooleanFalse)));
    check(!E(Equal)(K(BooleanTrue), whole(1)) && !E(Equal)(K(Null), K(BooleanFalse)));
    check(E(GetTypeID)(K(BooleanTrue)) == E(BooleanGetTypeID)());
    for (int i = 0; i < 10; i++) {
        E(Release)(K(BooleanTrue));
        E(Release)(K(Null));
    }
    check(E(Retain)(K(BooleanTrue)) == K(BooleanTrue));
    check(E(BooleanGetValue)(K(BooleanTrue)));
}
SCENARIO(truth_values,
         .title = "Truth values and null are constants",
         .clauses = "object base")
