/*
 * Dates and errors, and searches in data and arrays.
 */

#include "scenario.h"
#include "value_words.h"

static RLDateRef date_at(double time)
{
    return kept(RLDateCreate(NULL, time));
}

static void dates(void)
{
    RLDateRef first = date_at(1.5), second = date_at(3), twin = date_at(1.5);
    RLDateRef none = date_at(__builtin_nan(""));

    note("%g %g", RLDateGetAbsoluteTime(first), RLDateGetTimeIntervalSinceDate(first, second));
    note("%ld %ld %ld", (long)RLDateCompare(first, second, NULL),
         (long)RLDateCompare(second, first, NULL), (long)RLDateCompare(first, twin, NULL));
    check(RLEqual(first, twin) && !RLEqual(first, second));
    check(RLHash(first) == RLHash(twin));
    check(RLEqual(date_at(0), date_at(-0.0)) && RLHash(date_at(0)) == RLHash(date_at(-0.0)));
    note("%ld %ld", (long)RLDateCompare(none, first, NULL), (long)RLDateCompare(first, none, NULL));
    check(!RLEqual(none, date_at(__builtin_nan(""))));
    note("%lu %lu %ld", RLHash(first), RLHash(second), (long)RLHash(date_at(-5.5)));
    check(RLGetTypeID(first) == RLDateGetTypeID());
    note("%.0f", kRLAbsoluteTimeIntervalSince1904);
}
SCENARIO(dates,
         .title = "Dates are objects that are compared by their seconds",
         .clauses = "object base",
         .expected = "1.5 -1.5; -1 1 0; 0 0; 1 3 -6; 3061152000")

static void note_date(double time)
{
    char line[128] = "";
    RLStringGetCString(kept(RLCopyDescription(date_at(time))), line, sizeof line,
                       kRLStringEncodingUTF8);
    note("%s", strchr(line, '{'));
}

static void date_descriptions(void)
{
    note_date(1.5);
    note_date(-1e10);
    note_date(700000000.999);
    note_date(0);
    note_date(1e300);
}
SCENARIO(date_descriptions,
         .title = "Dates describe their seconds",
         .clauses = "object base",
         .expected = "{time = 1.5}; {time = -1e+10}; {time = 700000001}; {time = 0}; "
                     "{time = 1e+300}")

/*
 * Logs a sentence from behind its beginning, in which the reference writes an apostrophe as code.
 */
static void note_sentence(RLStringRef sentence)
{
    const char *beginning = "t be completed. ";
    __typeof__(RLRangeMake(0, 0)) range = RLStringFind(sentence, text(beginning), 0);
    long start = range.location < 0 ? 0 : range.location + range.length;
    note_text(kept(RLStringCreateWithSubstring(
        NULL, sentence, RLRangeMake(start, RLStringGetLength(sentence) - start))));
    if (start == 0) return;
    check(RLStringHasPrefix(sentence, text("The operation couldn")));
}

struct entry {
    RLStringRef key;
    const void *value;
};

static RLErrorRef error_with(const char *domain, long code, const struct entry *entries, int count)
{
    const void *keys[8], *values[8];
    for (int i = 0; i < count; i++) {
        keys[i] = entries[i].key;
        values[i] = entries[i].value;
    }
    return kept_error(
        RLErrorCreateWithUserInfoKeysAndValues(NULL, text(domain), code, keys, values, count));
}

static void note_error(RLErrorRef error)
{
    note("%ld", RLErrorGetCode(error));
    note_text(RLErrorGetDomain(error));
    note_sentence(kept(RLErrorCopyDescription(error)));
    note_text(kept(RLErrorCopyFailureReason(error)));
    note_text(kept(RLErrorCopyRecoverySuggestion(error)));
    note_text(kept(RLCopyDescription(error)));
}

static void errors_of_numbers(void)
{
    note_error(kept_error(RLErrorCreate(NULL, text("my.domain"), -7, NULL)));
    note_error(kept_error(RLErrorCreate(NULL, kRLErrorDomainMach, 4, NULL)));
    note_text(kRLErrorDomainPOSIX);
    note_text(kRLErrorDomainOSStatus);
    note_text(kRLErrorDomainCocoa);
    RLDictionaryRef info =
        kept(RLErrorCopyUserInfo(kept_error(RLErrorCreate(NULL, text("d"), 1, NULL))));
    note("%ld", RLDictionaryGetCount(info));
}
SCENARIO(errors_of_numbers,
         .title = "An error is described by its domain and code",
         .clauses = "object base",
         .expected = "-7; \"my.domain\"; \"(my.domain error -7.)\"; none; none; "
                     "\"Error Domain=my.domain Code=-7 \"(null)\"\"; 4; \"NSMachErrorDomain\"; "
                     "\"(NSMachErrorDomain error 4.)\"; none; none; "
                     "\"Error Domain=NSMachErrorDomain Code=4 \"(null)\"\"; "
                     "\"NSPOSIXErrorDomain\"; \"NSOSStatusErrorDomain\"; \"NSCocoaErrorDomain\"; 0")

static void errors_with_words(void)
{
    const struct entry failure = {kRLErrorLocalizedFailureKey, text("Failed.")};
    const struct entry reason = {kRLErrorLocalizedFailureReasonKey, text("No reason.")};
    const struct entry words = {kRLErrorDescriptionKey, text("words")};
    const struct entry sentence = {kRLErrorLocalizedDescriptionKey, text("A sentence.")};
    const struct entry advice = {kRLErrorLocalizedRecoverySuggestionKey, text("Try again.")};

    note_error(error_with("d", 1, &failure, 1));
    note_error(error_with("d", 2, &reason, 1));
    note_error(error_with("d", 3, &words, 1));
    note_error(error_with("d", 4, &sentence, 1));
    note_error(error_with("d", 5, &advice, 1));
}
SCENARIO(errors_with_words,
         .title = "An error is described by what is known besides",
         .clauses = "object base",
         .expected =
             "1; \"d\"; \"Failed.\"; none; none; "
             "\"Error Domain=d Code=1 \"(null)\" UserInfo={NSLocalizedFailure=Failed.}\"; "
             "2; \"d\"; \"No reason.\"; \"No reason.\"; none; \"Error Domain=d Code=2 "
             "\"No reason.\" UserInfo={NSLocalizedFailureReason=No reason.}\"; "
             "3; \"d\"; \"(d error 3 - words)\"; none; none; "
             "\"Error Domain=d Code=3 \"words\" UserInfo={NSDescription=words}\"; "
             "4; \"d\"; \"A sentence.\"; none; none; \"Error Domain=d Code=4 \"A sentence.\" "
             "UserInfo={NSLocalizedDescription=A sentence.}\"; "
             "5; \"d\"; \"(d error 5.)\"; none; \"Try again.\"; \"Error Domain=d Code=5 \"(null)\" "
             "UserInfo={NSLocalizedRecoverySuggestion=Try again.}\"")

static void errors_with_several_words(void)
{
    const struct entry entries[] = {{kRLErrorLocalizedFailureKey, text("Failed.")},
                                    {kRLErrorLocalizedFailureReasonKey, text("No reason.")},
                                    {kRLErrorDescriptionKey, text("words")},
                                    {kRLErrorLocalizedDescriptionKey, text("A sentence.")}};
    for (int count = 1; count <= 4; count++) {
        note_sentence(kept(RLErrorCopyDescription(error_with("d", 1, entries, count))));
    }
    note_sentence(kept(RLErrorCopyDescription(error_with("d", 1, entries + 1, 2))));
}
SCENARIO(errors_with_several_words,
         .title = "The text for the user comes first in an error's description",
         .clauses = "object base",
         .expected = "\"Failed.\"; \"Failed. No reason.\"; \"Failed. No reason.\"; \"A sentence.\"; "
                     "\"No reason.\"")

static void errors_compared(void)
{
    const struct entry entry = {kRLErrorFilePathKey, text("/x")};
    RLErrorRef error = error_with("d", 1, NULL, 0), twin = error_with("d", 1, NULL, 0);

    check(RLEqual(error, twin) && RLHash(error) == RLHash(twin));
    check(!RLEqual(error, error_with("d", 2, NULL, 0)));
    check(!RLEqual(error, error_with("e", 1, NULL, 0)));
    check(!RLEqual(error, error_with("d", 1, &entry, 1)));
    check(RLEqual(error_with("d", 1, &entry, 1), error_with("d", 1, &entry, 1)));
    check(RLGetTypeID(error) == RLErrorGetTypeID());
}
SCENARIO(errors_compared,
         .title = "Errors are equal by domain, code and what is known besides",
         .clauses = "object base")

static void note_bytes_found(const char *word, long start, long length, unsigned long options)
{
    RLDataRef data = kept(RLDataCreate(NULL, (const UInt8 *)"abcabcab", 8));
    RLDataRef part = kept(RLDataCreate(NULL, (const UInt8 *)word, (long)strlen(word)));
    __typeof__(RLRangeMake(0, 0)) range =
        RLDataFind(data, part, RLRangeMake(start, length), (RLDataSearchFlags)options);
    note("%ld %ld", range.location, range.length);
}

static void data_finds(void)
{
    const unsigned long backwards = kRLDataSearchBackwards, anchored = kRLDataSearchAnchored;

    note_bytes_found("abc", 0, 8, 0);
    note_bytes_found("abc", 1, 7, 0);
    note_bytes_found("abc", 0, 8, backwards);
    note_bytes_found("abc", 0, 8, anchored);
    note_bytes_found("abc", 1, 7, anchored);
    note_bytes_found("abc", 0, 8, anchored | backwards);
    note_bytes_found("abc", 0, 6, anchored | backwards);
    note_bytes_found("", 0, 8, 0);
    note_bytes_found("", 3, 2, backwards);
    note_bytes_found("abcabcabc", 0, 8, 0);
    note_bytes_found("abc", 4, 3, 0);
    note_bytes_found("abc", 8, 0, backwards);
}
SCENARIO(data_finds,
         .title = "Bytes are found in a range: forwards, backwards, at its ends",
         .clauses = "object base",
         .expected = "0 3; 3 3; 3 3; 0 3; -1 0; -1 0; 3 3; -1 0; -1 0; -1 0; -1 0; -1 0")

static RLComparisonResult compare_plain(const void *first, const void *second, void *context)
{
    return (long)first<(long)second ? kRLCompareLessThan : (long)first>(long) second
               ? kRLCompareGreaterThan
               : kRLCompareEqualTo;
}

static void array_searches(void)
{
    const void *values[] = {plain(1), plain(3), plain(3), plain(3), plain(7)};
    RLArrayRef array = kept(RLArrayCreate(NULL, values, 5, NULL));
    for (long value = 0; value <= 8; value++) {
        note("%ld %ld %ld",
             RLArrayBSearchValues(array, RLRangeMake(0, 5), plain(value), compare_plain, NULL),
             RLArrayBSearchValues(array, RLRangeMake(1, 3), plain(value), compare_plain, NULL),
             RLArrayBSearchValues(array, RLRangeMake(2, 0), plain(value), compare_plain, NULL));
    }
}
SCENARIO(array_searches,
         .title = "A search of a sorted array returns the index of a value, or where to insert it",
         .clauses = "object base",
         .expected = "0 1 2; 0 1 2; 1 1 2; 1 1 2; 4 4 2; 4 4 2; 4 4 2; 4 4 2; 5 4 2")

static void numbers_without_end(void)
{
    double value = 0;
    check(RLNumberGetValue(kRLNumberPositiveInfinity, kRLNumberDoubleType, &value));
    note("%g %ld", value, (long)RLNumberGetType(kRLNumberPositiveInfinity));
    check(RLNumberGetValue(kRLNumberNegativeInfinity, kRLNumberDoubleType, &value));
    note("%g", value);
    check(RLNumberGetValue(kRLNumberNaN, kRLNumberDoubleType, &value));
    note("%d", value != value);
    check(RLEqual(kRLNumberPositiveInfinity, real(__builtin_inf())));
    note_text(kept(RLStringCreateWithFormat(NULL, NULL, text("%@ %@ %@"), kRLNumberPositiveInfinity,
                                            kRLNumberNegativeInfinity, kRLNumberNaN)));
}
SCENARIO(numbers_without_end,
         .title = "The constants for infinity and NaN are numbers",
         .clauses = "object base",
         .expected = "inf 6; -inf; 1; \"+infinity -infinity nan\"")
