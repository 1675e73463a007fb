/*
 * Numbers, Booleans and null: RLNumber, RLBoolean, RLNull.
 */

#include "scenario.h"
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
    for (long type = 1; type <= kRLNumberMaxType; type++) {
        char value[16] = {100};
        RLNumberRef number = kept(RLNumberCreate(NULL, (RLNumberType)type, value));
        note("%ld %ld%s", (long)RLNumberGetType(number), (long)RLNumberGetByteSize(number),
             RLNumberIsFloatType(number) ? " float" : "");
    }
    check(RLGetTypeID(whole(1)) == RLNumberGetTypeID());
}
SCENARIO(number_types,
         .title = "A number is kept in one of six types",
         .clauses = "object base",
         .expected = "1 1; 2 2; 3 4; 4 8; 5 4 float; 6 8 float; 1 1; 2 2; 3 4; " LONG_AND_BYTES
                     "; 4 8; 5 4 float; 6 8 float; " LONG_AND_BYTES "; " LONG_AND_BYTES
                     "; 6 8 float")

/* Logs a number in several types, each in parentheses if it is not exact. */
static void note_conversions(RLNumberRef number)
{
    int8_t small = 0;
    int32_t medium = 0;
    int64_t large = 0;
    double real = 0;
    bool is_small = RLNumberGetValue(number, kRLNumberCharType, &small);
    bool is_medium = RLNumberGetValue(number, kRLNumberIntType, &medium);
    bool is_large = RLNumberGetValue(number, kRLNumberLongLongType, &large);
    bool is_real = RLNumberGetValue(number, kRLNumberDoubleType, &real);
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
         .title = "A conversion returns whether it is exact",
         .clauses = "object base",
         .expected = "-3 -3 -3 -3; - 300 300 300; - - 1099511627776 1.09951e+12; "
                     "- - 9007199254740993 -; - - -9223372036854775808 -9.22337e+18; 2 2 2 2; "
                     "- - - -1.5; - - 10000000000 1e+10; - - - 1e+300; - - - inf")

static void number_approximations(void)
{
    int16_t low = 0;
    int32_t part = 0;
    float rounded = 0;

    check(!RLNumberGetValue(whole(70000), kRLNumberShortType, &low) && low == 4464);
    check(!RLNumberGetValue(real(-1.7), kRLNumberSInt32Type, &part) && part == -1);
    check(!RLNumberGetValue(real(0.1), kRLNumberFloatType, &rounded) && rounded == 0.1F);
    check(RLNumberGetValue(real(2.5), kRLNumberFloat32Type, &rounded) && rounded == 2.5F);
}
SCENARIO(number_approximations,
         .title = "An inexact conversion yields low bits, integer parts and nearest numbers",
         .clauses = "object base")

static void note_comparison(RLNumberRef first, RLNumberRef second)
{
    long result = RLNumberCompare(first, second, NULL);
    check(RLNumberCompare(second, first, NULL) == -result);
    check(RLEqual(first, second) == (result == 0));
    check(result != 0 || RLHash(first) == RLHash(second));
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
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    kept(dictionary);
    RLDictionarySetValue(dictionary, whole(80), text("http"));
    RLDictionarySetValue(dictionary, kRLBooleanTrue, kRLNull);
    note_text(RLDictionaryGetValue(dictionary, real(80)));
    check(RLDictionaryGetValue(dictionary, kRLBooleanTrue) == kRLNull);
    check(RLDictionaryGetValue(dictionary, kRLBooleanFalse) == NULL);
}
SCENARIO(number_as_key,
         .title = "Numbers and truth values are keys of dictionaries",
         .clauses = "object base",
         .expected = "\"http\"")

static void truth_values(void)
{
    check(RLBooleanGetValue(kRLBooleanTrue) && !RLBooleanGetValue(kRLBooleanFalse));
    check(RLEqual(kRLBooleanTrue, kRLBooleanTrue) && !RLEqual(kRLBooleanTrue, kRLBooleanFalse));
    check(!RLEqual(kRLBooleanTrue, whole(1)) && !RLEqual(kRLNull, kRLBooleanFalse));
    check(RLGetTypeID(kRLBooleanTrue) == RLBooleanGetTypeID());
    for (int i = 0; i < 10; i++) {
        RLRelease(kRLBooleanTrue);
        RLRelease(kRLNull);
    }
    check(RLRetain(kRLBooleanTrue) == kRLBooleanTrue);
    check(RLBooleanGetValue(kRLBooleanTrue));
}
SCENARIO(truth_values,
         .title = "Truth values and null are constants",
         .clauses = "object base")
