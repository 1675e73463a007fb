#include "base/system.h"

#include "values/string.h"

#include <locale.h>
#include <stdlib.h>

static bool is_blank(int unit)
{
    return (unit > 0 && unit <= ' ') || (unit >= 0x7F && unit <= 0xA0) ||
           (unit >= 0x2000 && unit <= 0x200B) || unit == 0x3000;
}

static const char *skip_blanks(const char *characters)
{
    struct rl_utf16 cursor = rl_utf16_begin(characters);
    const char *next = characters;
    while (is_blank(rl_utf16_next(&cursor))) next = (const char *)cursor.next;
    return next;
}

SInt32 RLStringGetIntValue(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    const char *next = skip_blanks(rl_string_characters(string));
    bool is_negative = *next == '-';
    if (*next == '-' || *next == '+') next++;
    next = skip_blanks(next);
    int64_t limit = is_negative ? -(int64_t)INT32_MIN : INT32_MAX, value = 0;
    for (; *next >= '0' && *next <= '9'; next++) {
        value = value * 10 + (*next - '0');
        if (value > limit) value = limit;
    }
    rl_string_unlock(string);
    return (SInt32)(is_negative ? -value : value);
}

static size_t count_digits(const char *characters)
{
    return strspn(characters, "0123456789");
}

/*
 * Returns the length of a decimal number, which may have a sign, a decimal point and an exponent.
 * Returns 0 if there is no number.
 */
static size_t number_length(const char *characters)
{
    const char *next = characters;
    if (*next == '-' || *next == '+') next++;
    size_t digits = count_digits(next);
    next += digits;
    if (*next == '.') {
        size_t decimals = count_digits(next + 1);
        digits += decimals;
        next += decimals + 1;
    }
    if (digits == 0) return 0;
    if (*next == 'e' || *next == 'E') {
        const char *exponent = next + 1;
        if (*exponent == '-' || *exponent == '+') exponent++;
        size_t count = count_digits(exponent);
        if (count > 0) next = exponent + count;
    }
    return (size_t)(next - characters);
}

double RLStringGetDoubleValue(RLStringRef string)
{
    rl_expect_string(string, __func__, "string");
    rl_string_lock(string);
    const char *next = skip_blanks(rl_string_characters(string));
    /* Passes only the decimal number to strtod, which would parse more, such as all of 0x10. */
    struct rl_text number = {0};
    rl_text_add_bytes(&number, next, number_length(next));
    rl_string_unlock(string);
    locale_t locale = rl_plain_locale();
    double value =
        locale ? strtod_l(number.characters, NULL, locale) : strtod(number.characters, NULL);
    free(number.characters);
    return value;
}
