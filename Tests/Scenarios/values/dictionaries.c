/*
 * Dictionaries: RLDictionary.
 */

#include "scenario.h"
#include "value_words.h"

static const RLDictionaryKeyCallBacks plain_key_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
    .hash = plain_hash,
};

static const RLDictionaryValueCallBacks plain_value_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
};

/* Mutable, from the numbers from 0 on to a hundred more, without callbacks. */
static RLMutableDictionaryRef plain_dictionary(long count)
{
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(NULL, 0, NULL, NULL);
    kept(dictionary);
    for (long i = 0; i < count; i++) RLDictionaryAddValue(dictionary, plain(i), plain(i + 100));
    return dictionary;
}

static void dictionary_references(void)
{
    RLMutableDictionaryRef dictionary =
        RLDictionaryCreateMutable(NULL, 0, &plain_key_callbacks, &plain_value_callbacks);

    RLDictionaryAddValue(dictionary, plain(1), plain(101));
    RLDictionaryAddValue(dictionary, plain(11), plain(111));
    note("set");
    RLDictionarySetValue(dictionary, plain(21), plain(121));
    RLDictionarySetValue(dictionary, plain(2), plain(102));
    note("replace");
    RLDictionaryReplaceValue(dictionary, plain(31), plain(131));
    RLDictionaryReplaceValue(dictionary, plain(3), plain(103));
    note("remove");
    RLDictionaryRemoveValue(dictionary, plain(3));
    RLDictionaryRemoveValue(dictionary, plain(42));
    check(RLDictionaryGetCount(dictionary) == 1);
    note("copy");
    RLDictionaryRef copy = RLDictionaryCreateCopy(NULL, dictionary);
    note("empty");
    RLDictionaryRemoveAllValues(dictionary);
    check(RLDictionaryGetCount(dictionary) == 0 && RLDictionaryGetCount(copy) == 1);
    RLRelease(dictionary);
    RLRelease(copy);
}
SCENARIO(dictionary_references,
         .title = "A dictionary retains what enters it and releases what leaves it",
         .clauses = "object base",
         .expected = "+101; +1; set; +121; +21; -101; -1; +102; +2; replace; +131; +31; -121; "
                     "-21; remove; -102; -2; copy; +131; +31; empty; -131; -31; -131; -31")

static void dictionary_questions(void)
{
    const void *keys[] = {plain(1), plain(2), plain(11)};
    const void *values[] = {plain(101), plain(102), plain(103)}, *found = NULL;
    static const RLDictionaryKeyCallBacks callbacks = {.equal = plain_equal, .hash = plain_hash};
    RLDictionaryRef dictionary = kept(RLDictionaryCreate(NULL, keys, values, 3, &callbacks, NULL));

    check(RLDictionaryGetCount(dictionary) == 2);
    check(RLDictionaryContainsKey(dictionary, plain(21)));
    check(!RLDictionaryContainsKey(dictionary, plain(3)));
    check(RLDictionaryGetCountOfKey(dictionary, plain(2)) == 1);
    check(RLDictionaryContainsValue(dictionary, plain(102)));
    check(!RLDictionaryContainsValue(dictionary, plain(103)));
    check(RLDictionaryGetCountOfValue(dictionary, plain(101)) == 1);
    check(RLDictionaryGetValue(dictionary, plain(11)) == plain(101));
    check(RLDictionaryGetValue(dictionary, plain(3)) == NULL);
    check(RLDictionaryGetValueIfPresent(dictionary, plain(12), &found) && found == plain(102));
    check(!RLDictionaryGetValueIfPresent(dictionary, plain(13), &found) && found == plain(102));
    check(RLDictionaryGetKeyIfPresent(dictionary, plain(12), &found) && found == plain(2));
    check(RLDictionaryGetValueIfPresent(dictionary, plain(12), NULL));
    check(RLGetTypeID(dictionary) == RLDictionaryGetTypeID());
}
SCENARIO(dictionary_questions,
         .title = "A dictionary finds keys by hash and equality, and values by comparing",
         .clauses = "object base")

static void dictionary_of_objects(void)
{
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    RLMutableDictionaryRef other = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    kept(dictionary);
    kept(other);
    RLDictionarySetValue(dictionary, text("name"), text("first"));
    RLDictionarySetValue(dictionary, text("name"), text("second"));
    note_text(RLDictionaryGetValue(dictionary, text("name")));
    check(RLDictionaryContainsValue(dictionary, text("second")));
    RLDictionarySetValue(other, text("name"), text("first"));
    check(!RLEqual(dictionary, other));
    RLDictionaryReplaceValue(other, text("name"), text("second"));
    check(RLEqual(dictionary, other) && RLHash(dictionary) == RLHash(other));
    RLDictionaryRef copy = kept(RLDictionaryCreateMutableCopy(NULL, 0, dictionary));
    check(RLEqual(dictionary, copy));
    RLDictionaryRemoveValue(dictionary, text("name"));
    note_text(RLDictionaryGetValue(dictionary, text("name")));
    note_text(RLDictionaryGetValue(copy, text("name")));
}
SCENARIO(dictionary_of_objects,
         .title = "A dictionary of objects holds and compares them",
         .clauses = "object base",
         .expected = "\"second\"; none; \"second\"")

static void dictionary_of_copied_keys(void)
{
    RLMutableDictionaryRef dictionary =
        RLDictionaryCreateMutable(NULL, 0, &kRLCopyStringDictionaryKeyCallBacks, NULL);
    RLStringRef key = RLStringCreateWithCString(NULL, "key", kRLStringEncodingUTF8);

    RLDictionaryAddValue(dictionary, key, plain(7));
    RLRelease(key);
    check(RLDictionaryGetValue(dictionary, text("key")) == plain(7));
    RLRelease(dictionary);
}
SCENARIO(dictionary_of_copied_keys,
         .title = "A dictionary can keep copies of strings as keys",
         .clauses = "object base")

struct sums {
    long keys;
    long values;
};

static void add_entry(const void *key, const void *value, void *context)
{
    struct sums *sums = context;
    sums->keys += (long)key;
    sums->values += (long)value;
}

static void dictionary_visits(void)
{
    const void *keys[50] = {NULL}, *values[50] = {NULL};
    struct sums sums = {0, 0};
    RLDictionaryRef dictionary = plain_dictionary(50);

    RLDictionaryApplyFunction(dictionary, add_entry, &sums);
    check(sums.keys == 1225 && sums.values == 6225);
    RLDictionaryGetKeysAndValues(dictionary, keys, values);
    for (int i = 0; i < 50; i++) {
        check((long)values[i] == (long)keys[i] + 100);
        sums.keys -= (long)keys[i];
    }
    check(sums.keys == 0);
    RLDictionaryGetKeysAndValues(dictionary, NULL, values);
    RLDictionaryGetKeysAndValues(dictionary, keys, NULL);
}
SCENARIO(dictionary_visits,
         .title = "Each entry of a dictionary is visited and listed once",
         .clauses = "object base")

static void dictionary_grows(void)
{
    enum { count = 20000 };
    long wrong = 0;
    RLMutableDictionaryRef dictionary = plain_dictionary(count);

    for (long i = 0; i < count; i += 2) RLDictionaryRemoveValue(dictionary, plain(i));
    check(RLDictionaryGetCount(dictionary) == count / 2);
    for (long i = 0; i < count; i++) {
        wrong += RLDictionaryGetValue(dictionary, plain(i)) != (i % 2 ? plain(i + 100) : NULL);
    }
    check(wrong == 0);
}
SCENARIO(dictionary_grows,
         .title = "A dictionary of twenty thousand entries finds each of them",
         .clauses = "object base")

static void dictionary_shared(void)
{
    enum { readers = 4, rounds = 500, entries = 100 };
    struct helper_thread *threads[readers];
    RLMutableDictionaryRef original = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    for (long i = 0; i < entries; i++) RLDictionarySetValue(original, whole(i), whole(i * i));
    RLDictionaryRef shared = RLDictionaryCreateCopy(NULL, original);
    RLRelease(original);
    for (int reader = 0; reader < readers; reader++) {
        threads[reader] = start_thread(^{
            long wrong = 0;
            for (long round = 0; round < rounds; round++) {
                int64_t key = round % entries, value = 0;
                RLNumberRef number = RLNumberCreate(NULL, kRLNumberSInt64Type, &key);
                RLNumberRef found = RLRetain(RLDictionaryGetValue(shared, number));
                RLNumberGetValue(found, kRLNumberSInt64Type, &value);
                wrong += value != key * key;
                RLRelease(found);
                RLRelease(number);
            }
            check(wrong == 0);
        });
    }
    for (int reader = 0; reader < readers; reader++) join_thread(threads[reader]);
    RLRelease(shared);
}
SCENARIO(dictionary_shared,
         .title = "Threads share a dictionary that does not change, and what is in it",
         .clauses = "object base")
