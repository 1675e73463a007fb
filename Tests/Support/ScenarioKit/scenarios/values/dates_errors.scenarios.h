/*
 * Dates and errors, and searches in data and arrays.
 */

#include "value_words.h"

static E(DateRef) date_at(double time)
{
    return kept(E(DateCreate)(NULL, time));
}

static void dates(void)
{
    E(DateRef) first = date_at(1.5), second = date_at(3), twin = date_at(1.5);
    E(DateRef) none = date_at(__builtin_nan(""));

    note("%g %g", E(DateGetAbsoluteTime)(first), E(DateGetTimeIntervalSinceDate)(first, second));
    note("%ld %ld %ld", (long)E(DateCompare)(first, second, NULL),
         (long)E(DateCompare)(second, first, NULL), (long)E(DateCompare)(first, twin, NULL));
    check(E(Equal)(first, twin) && !E(Equal)(first, second));
    check(E(Hash)(first) == E(Hash)(twin));
    check(E(Equal)(date_at(0), date_at(-0.0)) && E(Hash)(date_at(0)) == E(Hash)(date_at(-0.0)));
    note("%ld %ld", (long)E(DateCompare)(none, first, NULL),
         (long)E(DateCompare)(first, none, NULL));
    check(!E(Equal)(none, date_at(__builtin_nan(""))));
    note("%lu %lu %ld", E(Hash)(first), E(Hash)(second), (long)E(Hash)(date_at(-5.5)));
    check(E(GetTypeID)(first) == E(DateGetTypeID)());
    note("%.0f", K(AbsoluteTimeIntervalSince1904));
}
SCENARIO(dates,
         .title = "Dates are objects that are compared by their seconds",
         .clauses = "object base",
         .expected = "1.5 -1.5; -1 1 0; 0 0; 1 3 -6; 3061152000")

static void note_date(double time)
{
    char line[128] = "";
    E(StringGetCString)(kept(E(CopyDescription)(date_at(time))), line, sizeof line,
                        K(StringEncodingUTF8));
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
static void note_sentence(E(StringRef) sentence)
{
    const char *beginning = "t be completed. ";
    __typeof__(E(RangeMake)(0, 0)) range = E(StringFind)(sentence, text(beginning), 0);
    long start = range.location < 0 ? 0 : range.location + range.length;
    note_text(kept(E(StringCreateWithSubstring)(
        NULL, sentence, E(RangeMake)(start, E(StringGetLength)(sentence) - start))));
    if (start == 0) return;
    check(E(StringHasPrefix)(sentence, text("The operation couldn")));
}

struct entry {
    E(StringRef) key;
    const void *value;
};

static E(ErrorRef) error_with(const char *domain, long code, const struct entry *entries, int count)
{
    const void *keys[8], *values[8];
    for (int i = 0; i < count; i++) {
        keys[i] = entries[i].key;
        values[i] = entries[i].value;
    }
    return kept_error(
        E(ErrorCreateWithUserInfoKeysAndValues)(NULL, text(domain), code, keys, values, count));
}

static void note_error(E(ErrorRef) error)
{
    note("%ld", E(ErrorGetCode)(error));
    note_text(E(ErrorGetDomain)(error));
    note_sentence(kept(E(ErrorCopyDescription)(error)));
    note_text(kept(E(ErrorCopyFailureReason)(error)));
    note_text(kept(E(ErrorCopyRecoverySuggestion)(error)));
    note_text(kept(E(CopyDescription)(error)));
}

static void errors_of_numbers(void)
{
    note_error(kept_error(E(ErrorCreate)(NULL, text("my.domain"), -7, NULL)));
    note_error(kept_error(E(ErrorCreate)(NULL, K(ErrorDomainMach), 4, NULL)));
    note_text(K(ErrorDomainPOSIX));
    note_text(K(ErrorDomainOSStatus));
    note_text(K(ErrorDomainCocoa));
    E(DictionaryRef) info =
        kept(E(ErrorCopyUserInfo)(kept_error(E(ErrorCreate)(NULL, text("d"), 1, NULL))));
    note("%ld", E(DictionaryGetCount)(info));
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
    const struct entry failure = {K(ErrorLocalizedFailureKey), text("Failed.")};
    const struct entry reason = {K(ErrorLocalizedFailureReasonKey), text("No reason.")};
    const struct entry words = {K(ErrorDescriptionKey), text("words")};
    const struct entry sentence = {K(ErrorLocalizedDescriptionKey), text("A sentence.")};
    const struct entry advice = {K(ErrorLocalizedRecoverySuggestionKey), text("Try again.")};

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
    const struct entry entries[] = {{K(ErrorLocalizedFailureKey), text("Failed.")},
                                    {K(ErrorLocalizedFailureReasonKey), text("No reason.")},
                                    {K(ErrorDescriptionKey), text("words")},
                                    {K(ErrorLocalizedDescriptionKey), text("A sentence.")}};
    for (int count = 1; count <= 4; count++) {
        note_sentence(kept(E(ErrorCopyDescription)(error_with("d", 1, entries, count))));
    }
    note_sentence(kept(E(ErrorCopyDescription)(error_with("d", 1, entries + 1, 2))));
}
SCENARIO(errors_with_several_words,
         .title = "What is for the user comes first in an error's description",
         .clauses = "object base",
         .expected = "\"Failed.\"; \"Failed. No reason.\"; \"Failed. No reason.\"; \"A sentence.\"; "
                     "\"No reason.\"")

static void errors_compared(void)
{
    const struct entry entry = {K(ErrorFilePathKey), text("/x")};
    E(ErrorRef) error = error_with("d", 1, NULL, 0), twin = error_with("d", 1, NULL, 0);

    check(E(Equal)(error, twin) && E(Hash)(error) == E(Hash)(twin));
    check(!E(Equal)(error, error_with("d", 2, NULL, 0)));
    check(!E(Equal)(error, error_with("e", 1, NULL, 0)));
    check(!E(Equal)(error, error_with("d", 1, &entry, 1)));
    check(E(Equal)(error_with("d", 1, &entry, 1), error_with("d", 1, &entry, 1)));
    check(E(GetTypeID)(error) == E(ErrorGetTypeID)());
}
SCENARIO(errors_compared,
         .title = "Errors are equal by domain, code and what is known besides",
         .clauses = "object base")

static void note_bytes_found(const char *word, long start, long length, unsigned long options)
{
    E(DataRef) data = kept(E(DataCreate)(NULL, (const UInt8 *)"abcabcab", 8));
    E(DataRef) part = kept(E(DataCreate)(NULL, (const UInt8 *)word, (long)strlen(word)));
    __typeof__(E(RangeMake)(0, 0)) range =
        E(DataFind)(data, part, E(RangeMake)(start, length), (E(DataSearchFlags))options);
    note("%ld %ld", range.location, range.length);
}

static void data_finds(void)
{
    const unsigned long backwards = K(DataSearchBackwards), anchored = K(DataSearchAnchored);

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

static E(ComparisonResult) compare_plain(const void *first, const void *second, void *context)
{
    return (long)first<(long)second ? K(CompareLessThan) : (long)first>(long) second
               ? K(CompareGreaterThan)
               : K(CompareEqualTo);
}

static void array_searches(void)
{
    const void *values[] = {plain(1), plain(3), plain(3), plain(3), plain(7)};
    E(ArrayRef) array = kept(E(ArrayCreate)(NULL, values, 5, NULL));
    for (long value = 0; value <= 8; value++) {
        note("%ld %ld %ld",
             E(ArrayBSearchValues)(array, E(RangeMake)(0, 5), plain(value), compare_plain, NULL),
             E(ArrayBSearchValues)(array, E(RangeMake)(1, 3), plain(value), compare_plain, NULL),
             E(ArrayBSearchValues)(array, E(RangeMake)(2, 0), plain(value), compare_plain, NULL));
    }
}
SCENARIO(array_searches,
         .title = "A sorted array tells where a value is or would be",
         .clauses = "object base",
         .expected = "0 1 2; 0 1 2; 1 1 2; 1 1 2; 4 4 2; 4 4 2; 4 4 2; 4 4 2; 5 4 2")

static void numbers_without_end(void)
{
    double value = 0;
    check(E(NumberGetValue)(K(NumberPositiveInfinity), K(NumberDoubleType), &value));
    note("%g %ld", value, (long)E(NumberGetType)(K(NumberPositiveInfinity)));
    check(E(NumberGetValue)(K(NumberNegativeInfinity), K(NumberDoubleType), &value));
    note("%g", value);
    check(E(NumberGetValue)(K(NumberNaN), K(NumberDoubleType), &value));
    note("%d", value != value);
    check(E(Equal)(K(NumberPositiveInfinity), real(__builtin_inf())));
    note_text(
        kept(E(StringCreateWithFormat)(NULL, NULL, text("%@ %@ %@"), K(NumberPositiveInfinity),
                                       K(NumberNegativeInfinity), K(NumberNaN))));
}
SCENARIO(numbers_without_end,
         .title = "There are numbers without end, and what is none",
         .clauses = "object base",
         .expected = "inf 6; -inf; 1; \"+infinity -infinity nan\"")
