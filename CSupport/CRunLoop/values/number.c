#include "base/swift_counts.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>
#include <math.h>

struct rl_number {
    struct rl_object object;
    /* One of the six types of fixed size. */
    RLNumberType type;
    union {
        int64_t integer;
        double real;
    };
};

#define STANDARD_NUMBER(value)                                                                     \
    {.object = RL_STANDARD_OBJECT(RL_TYPE_NUMBER), .type = kRLNumberFloat64Type, .real = (value)}

static struct rl_number positive_infinity = STANDARD_NUMBER(INFINITY);
static struct rl_number negative_infinity = STANDARD_NUMBER(-INFINITY);
static struct rl_number not_a_number = STANDARD_NUMBER(NAN);

RLNumberRef const kRLNumberPositiveInfinity = (RLNumberRef)(const void *)&positive_infinity;
RLNumberRef const kRLNumberNegativeInfinity = (RLNumberRef)(const void *)&negative_infinity;
RLNumberRef const kRLNumberNaN = (RLNumberRef)(const void *)&not_a_number;

/* Returns the type of fixed size that has the same representation as `type`. */
static RLNumberType plain_type(RLNumberType type, const char *function)
{
    switch (type) {
    case kRLNumberSInt8Type:
    case kRLNumberSInt16Type:
    case kRLNumberSInt32Type:
    case kRLNumberSInt64Type:
    case kRLNumberFloat32Type:
    case kRLNumberFloat64Type: return type;
    case kRLNumberCharType: return kRLNumberSInt8Type;
    case kRLNumberShortType: return kRLNumberSInt16Type;
    case kRLNumberIntType: return kRLNumberSInt32Type;
    case kRLNumberLongType:
    case kRLNumberRLIndexType:
    case kRLNumberNSIntegerType:
        return sizeof(long) == 8 ? kRLNumberSInt64Type : kRLNumberSInt32Type;
    case kRLNumberLongLongType: return kRLNumberSInt64Type;
    case kRLNumberFloatType: return kRLNumberFloat32Type;
    case kRLNumberDoubleType:
    case kRLNumberCGFloatType: return kRLNumberFloat64Type;
    }
    rl_client_error(function,
                    "%ld is not an RLNumberType: pass a constant, such as kRLNumberLongType",
                    (long)type);
}

static bool is_real(const struct rl_number *number)
{
    return number->type == kRLNumberFloat32Type || number->type == kRLNumberFloat64Type;
}

static int64_t load_integer(RLNumberType type, const void *memory)
{
    union {
        int8_t of_8;
        int16_t of_16;
        int32_t of_32;
        int64_t of_64;
    } value;
    switch (type) {
    case kRLNumberSInt8Type: return memcpy(&value, memory, 1), value.of_8;
    case kRLNumberSInt16Type: return memcpy(&value, memory, 2), value.of_16;
    case kRLNumberSInt32Type: return memcpy(&value, memory, 4), value.of_32;
    default: return memcpy(&value, memory, 8), value.of_64;
    }
}

static double load_real(RLNumberType type, const void *memory)
{
    float of_32;
    double of_64;
    if (type == kRLNumberFloat32Type) return memcpy(&of_32, memory, sizeof of_32), (double)of_32;
    memcpy(&of_64, memory, sizeof of_64);
    return of_64;
}

RLNumberRef RLNumberCreate(RLAllocatorRef allocator, RLNumberType theType, const void *valuePtr)
{
    (void)allocator;
    RLNumberType type = plain_type(theType, __func__);
    if (!valuePtr) rl_client_error(__func__, "argument `valuePtr` must not be null");
    struct rl_number *number = rl_object_create(RL_TYPE_NUMBER, sizeof *number);
    number->type = type;
    if (is_real(number)) {
        number->real = load_real(type, valuePtr);
    } else {
        number->integer = load_integer(type, valuePtr);
    }
    return (RLNumberRef)(const void *)number;
}

static const struct rl_number *checked_number(RLNumberRef number, const char *function)
{
    rl_expect(number, RL_TYPE_NUMBER, function, "number");
    return (const struct rl_number *)(const void *)number;
}

RLNumberType RLNumberGetType(RLNumberRef number)
{
    return checked_number(number, __func__)->type;
}

static size_t size_of(RLNumberType type)
{
    static const size_t sizes[] = {
        [kRLNumberSInt8Type] = 1,  [kRLNumberSInt16Type] = 2,  [kRLNumberSInt32Type] = 4,
        [kRLNumberSInt64Type] = 8, [kRLNumberFloat32Type] = 4, [kRLNumberFloat64Type] = 8,
    };
    return sizes[type];
}

RLIndex RLNumberGetByteSize(RLNumberRef number)
{
    return (RLIndex)size_of(checked_number(number, __func__)->type);
}

Boolean RLNumberIsFloatType(RLNumberRef number)
{
    return is_real(checked_number(number, __func__));
}

/* Clamps the value to the range. Returns 0 for NaN. */
static int64_t truncate_real(double value, int64_t lowest, int64_t highest)
{
    if (isnan(value)) return 0;
    if (value >= (double)highest) return highest;
    return value <= (double)lowest ? lowest : (int64_t)value;
}

/*
 * `real` is not NaN. If long double is double, no type can represent all values of both arguments,
 * so neither argument can be converted first.
 */
static int compare_mixed(int64_t integer, double real)
{
    if (real >= 0x1p63) return -1;
    if (real < -0x1p63) return 1;
    int64_t whole = (int64_t)real;
    double rest = real - (double)whole;
    if (integer != whole) return integer < whole ? -1 : 1;
    return (rest < 0) - (rest > 0);
}

static bool is_exactly(int64_t integer, double real)
{
    return !isnan(real) && compare_mixed(integer, real) == 0;
}

static bool store_integer(const struct rl_number *number, RLNumberType type, void *memory)
{
    size_t size = size_of(type);
    int64_t highest = INT64_MAX >> (64 - 8 * size), lowest = -highest - 1;
    bool is_float = is_real(number);
    int64_t value = is_float ? truncate_real(number->real, lowest, highest) : number->integer;
    int64_t stored = 0;
    switch (size) {
    case 1: stored = (int8_t)value; break;
    case 2: stored = (int16_t)value; break;
    case 4: stored = (int32_t)value; break;
    default: stored = value; break;
    }
    switch (size) {
    case 1: memcpy(memory, &(int8_t){(int8_t)stored}, size); break;
    case 2: memcpy(memory, &(int16_t){(int16_t)stored}, size); break;
    case 4: memcpy(memory, &(int32_t){(int32_t)stored}, size); break;
    default: memcpy(memory, &stored, size); break;
    }
    return is_float ? is_exactly(stored, number->real) : stored == value;
}

static bool store_real(const struct rl_number *number, RLNumberType type, void *memory)
{
    bool is_32 = type == kRLNumberFloat32Type, is_float = is_real(number);
    float of_32 = is_float ? (float)number->real : (float)number->integer;
    double of_64 = is_float ? number->real : (double)number->integer;
    double stored = is_32 ? (double)of_32 : of_64;
    memcpy(memory, is_32 ? (const void *)&of_32 : &of_64, size_of(type));
    if (!is_float) return is_exactly(number->integer, stored);
    return isnan(stored) || stored == number->real;
}

Boolean RLNumberGetValue(RLNumberRef number, RLNumberType theType, void *valuePtr)
{
    const struct rl_number *source = checked_number(number, __func__);
    RLNumberType type = plain_type(theType, __func__);
    if (!valuePtr) rl_client_error(__func__, "argument `valuePtr` must not be null");
    bool to_real = type == kRLNumberFloat32Type || type == kRLNumberFloat64Type;
    return to_real ? store_real(source, type, valuePtr) : store_integer(source, type, valuePtr);
}

/* Neither number may be NaN, and they may not both be zero. */
static int compare_values(const struct rl_number *first, const struct rl_number *second)
{
    if (!is_real(first) && is_real(second)) return compare_mixed(first->integer, second->real);
    if (is_real(first) && !is_real(second)) return -compare_mixed(second->integer, first->real);
    if (is_real(first)) return (first->real > second->real) - (first->real < second->real);
    return (first->integer > second->integer) - (first->integer < second->integer);
}

static RLComparisonResult compare_numbers(const struct rl_number *first,
                                          const struct rl_number *second)
{
    double left = is_real(first) ? first->real : (double)first->integer;
    double right = is_real(second) ? second->real : (double)second->integer;
    int difference = 0;
    if (isnan(left) || isnan(right)) {
        difference = !isnan(left) - !isnan(right);
    } else if (left == 0 && right == 0) {
        difference = !signbit(left) - !signbit(right);
    } else {
        difference = compare_values(first, second);
    }
    return difference < 0    ? kRLCompareLessThan
           : difference == 0 ? kRLCompareEqualTo
                             : kRLCompareGreaterThan;
}

RLComparisonResult RLNumberCompare(RLNumberRef number, RLNumberRef otherNumber, void *context)
{
    (void)context;
    return compare_numbers(checked_number(number, __func__), checked_number(otherNumber, __func__));
}

static Boolean numbers_are_equal(RLTypeRef first, RLTypeRef second)
{
    return compare_numbers(first, second) == kRLCompareEqualTo;
}

/* Equal numbers have equal hashes, whatever their types. */
static RLHashCode hash_number(RLTypeRef object)
{
    const struct rl_number *number = object;
    if (!is_real(number)) return (RLHashCode)number->integer;
    if (isnan(number->real)) return 0;
    int64_t integer = truncate_real(number->real, INT64_MIN, INT64_MAX);
    if ((double)integer == number->real) return (RLHashCode)integer;
    return rl_hash_bytes(&number->real, sizeof number->real);
}

static RLStringRef copy_value(RLTypeRef object)
{
    const struct rl_number *number = object;
    if (!is_real(number)) return rl_string_format("%lld", (long long)number->integer);
    if (isnan(number->real)) return rl_string_format("nan");
    if (isinf(number->real)) return rl_string_format("%cinfinity", number->real > 0 ? '+' : '-');
    if (number->real == 0) return rl_string_format("0.0");
    return rl_string_format("%.17g", number->real);
}

static RLStringRef describe_number(RLTypeRef object)
{
    static const char *const names[] = {
        [kRLNumberSInt8Type] = "SInt8",     [kRLNumberSInt16Type] = "SInt16",
        [kRLNumberSInt32Type] = "SInt32",   [kRLNumberSInt64Type] = "SInt64",
        [kRLNumberFloat32Type] = "Float32", [kRLNumberFloat64Type] = "Float64",
    };
    const struct rl_number *number = object;
    RLStringRef value = copy_value(object);
    RLStringRef description =
        rl_string_format("<RLNumber %p>{value = %s, type = kRLNumber%sType}", object,
                         rl_string_characters(value), names[number->type]);
    RLRelease(value);
    return description;
}

static const struct rl_class number_class = {
    .name = "RLNumber",
    .destroy = rl_object_free,
    .equal = numbers_are_equal,
    .hash = hash_number,
    .copy_description = describe_number,
    .copy_value = copy_value,
};

RL_REGISTER_CLASS(RLNumber, RL_TYPE_NUMBER, number_class)
RL_DEFINE_SWIFT_COUNTS(number, RLNumberRef)
