#include "base/system.h"

#include "strings/characters.h"

#include <locale.h>
#include <pthread.h>
#include <wctype.h>

/* A locale that converts the case of all scripts, or 0. Created once and never freed. */
static locale_t letters;
static pthread_once_t letters_once = PTHREAD_ONCE_INIT;

static void make_letters(void)
{
    letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* Returns the locale. If the result is 0, only ASCII letters are converted to another case. */
static locale_t letters_locale(void)
{
    pthread_once(&letters_once, make_letters);
    return letters;
}

static bool is_surrogate(int32_t point)
{
    return point >= 0xD800 && point < 0xE000;
}

int32_t rl_lower(int32_t point)
{
    if (point < 0x80) return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
    return letters_locale() && !is_surrogate(point) ? (int32_t)towlower_l((wint_t)point, letters)
                                                    : point;
}

int32_t rl_upper(int32_t point)
{
    if (point < 0x80) return point >= 'a' && point <= 'z' ? point - ('a' - 'A') : point;
    /* Unlike CF, musl has an uppercase sharp s. */
    if (point == 0xDF) return point;
    return letters_locale() && !is_surrogate(point) ? (int32_t)towupper_l((wint_t)point, letters)
                                                    : point;
}

bool rl_is_letter(int32_t point)
{
    if (point < 0x80) return (point | 0x20) >= 'a' && (point | 0x20) <= 'z';
    return letters_locale() && !is_surrogate(point) && iswalpha_l((wint_t)point, letters);
}

int rl_fold(int unit)
{
    return rl_lower(unit);
}

static bool is_digit(int unit)
{
    return unit >= '0' && unit <= '9';
}

/* Reads bytes: a digit is a single byte, and a cursor at a digit has no pending surrogate. */
static size_t count_digits_at(const struct rl_utf16 *cursor)
{
    size_t count = 0;
    while (is_digit(cursor->next[count])) count++;
    return count;
}

/* Compares decimal numbers of any length, and moves both cursors behind them. */
static int compare_digits(struct rl_utf16 *first, struct rl_utf16 *second)
{
    while (*first->next == '0') first->next++;
    while (*second->next == '0') second->next++;
    size_t left = count_digits_at(first), right = count_digits_at(second);
    if (left != right) return left < right ? -1 : 1;
    int difference = memcmp(first->next, second->next, left);
    first->next += left;
    second->next += left;
    return difference;
}

static int compare_texts(const char *first, const char *second, bool folds, bool counts)
{
    struct rl_utf16 left = rl_utf16_begin(first), right = rl_utf16_begin(second);
    for (;;) {
        bool are_numbers = counts && !left.pending && !right.pending && is_digit(*left.next) &&
                           is_digit(*right.next);
        int difference = are_numbers ? compare_digits(&left, &right) : 0;
        if (difference != 0) return difference;
        if (are_numbers) continue;
        int a = rl_utf16_next(&left), b = rl_utf16_next(&right);
        if (a != b && folds && a >= 0 && b >= 0) {
            a = rl_fold(a);
            b = rl_fold(b);
        }
        if (a != b || a < 0) return a - b;
    }
}

static RLComparisonResult compare_strings(RLStringRef first, RLStringRef second,
                                          RLStringCompareFlags options)
{
    const char *left = rl_string_characters(first), *right = rl_string_characters(second);
    int difference = compare_texts(left, right, options & kRLCompareCaseInsensitive,
                                   options & kRLCompareNumerically);
    if (difference == 0 && (options & kRLCompareForcedOrdering)) {
        difference = compare_texts(left, right, false, false);
    }
    return difference < 0    ? kRLCompareLessThan
           : difference == 0 ? kRLCompareEqualTo
                             : kRLCompareGreaterThan;
}

RLComparisonResult RLStringCompare(RLStringRef firstString, RLStringRef secondString,
                                   RLStringCompareFlags options)
{
    rl_expect_string(firstString, __func__, "firstString");
    rl_expect_string(secondString, __func__, "secondString");
    rl_strings_lock(firstString, secondString);
    RLComparisonResult result = compare_strings(firstString, secondString, options);
    rl_strings_unlock(firstString, secondString);
    return result;
}

RLComparisonResult RLStringCompareWithOptions(RLStringRef firstString, RLStringRef secondString,
                                              RLRange rangeToCompare, RLStringCompareFlags options)
{
    rl_expect_string(secondString, __func__, "secondString");
    rl_expect_string(firstString, __func__, "string");
    rl_strings_lock(firstString, secondString);
    rl_string_expect_range(firstString, rangeToCompare, __func__);
    RLStringRef part = rl_string_create_part(firstString, rangeToCompare);
    RLComparisonResult result = compare_strings(part, secondString, options);
    rl_strings_unlock(firstString, secondString);
    RLRelease(part);
    return result;
}

Boolean RLStringHasPrefix(RLStringRef string, RLStringRef prefix)
{
    rl_expect_string(string, __func__, "string");
    rl_expect_string(prefix, __func__, "prefix");
    rl_strings_lock(string, prefix);
    const char *start = rl_string_characters(prefix);
    size_t length = strlen(start);
    bool has_prefix = length > 0 && strncmp(rl_string_characters(string), start, length) == 0;
    rl_strings_unlock(string, prefix);
    return has_prefix;
}

Boolean RLStringHasSuffix(RLStringRef string, RLStringRef suffix)
{
    rl_expect_string(string, __func__, "string");
    rl_expect_string(suffix, __func__, "suffix");
    rl_strings_lock(string, suffix);
    const char *whole = rl_string_characters(string), *end = rl_string_characters(suffix);
    size_t whole_length = strlen(whole), length = strlen(end);
    bool has_suffix =
        length > 0 && length <= whole_length && strcmp(whole + whole_length - length, end) == 0;
    rl_strings_unlock(string, suffix);
    return has_suffix;
}
