/*
 * Dictionaries: RLDictionary.
 */

#include "value_words.h"

static const E(DictionaryKeyCallBacks) plain_key_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
    .hash = plain_hash,
};

static const E(DictionaryValueCallBacks) plain_value_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
};

/* Mutable, from the numbers from 0 on to a hundred more, without callbacks. */
static E(MutableDictionaryRef) plain_dictionary(long count)
{
    E(MutableDictionaryRef) dictionary = E(DictionaryCreateMutable)(NULL, 0, NULL, NULL);
    kept(dictionary);
    for (long i = 0; i < count; i++) E(DictionaryAddValue)(dictionary, plain(i), plain(i + 100));
    return dictionary;
}

static void dictionary_references(void)
{
    E(MutableDictionaryRef) dictionary =
        E(DictionaryCreateMutable)(NULL, 0, &plain_key_callbacks, &plain_value_callbacks);

    E(DictionaryAddValue)(dictionary, plain(1), plain(101));
    E(DictionaryAddValue)(dictionary, plain(11), plain(111));
    note("set");
    E(DictionarySetValue)(dictionary, plain(21), plain(121));
    E(DictionarySetValue)(dictionary, plain(2), plain(102));
    note("replace");
    E(DictionaryReplaceValue)(dictionary, plain(31), plain(131));
    E(DictionaryReplaceValue)(dictionary, plain(3), plain(103));
    note("remove");
    E(DictionaryRemoveValue)(dictionary, plain(3));
    E(DictionaryRemoveValue)(dictionary, plain(42));
    check(E(DictionaryGetCount)(dictionary) == 1);
    note("copy");
    E(DictionaryRef) copy = E(DictionaryCreateCopy)(NULL, dictionary);
    note("empty");
    E(DictionaryRemoveAllValues)(dictionary);
    check(E(DictionaryGetCount)(dictionary) == 0 && E(DictionaryGetCount)(copy) == 1);
    E(Release)(dictionary);
    E(Release)(copy);
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
    static const E(DictionaryKeyCallBacks) callbacks = {.equal = plain_equal, .hash = plain_hash};
    E(DictionaryRef) dictionary =
        kept(E(DictionaryCreate)(NULL, keys, values, 3, &callbacks, NULL));

    check(E(DictionaryGetCount)(dictionary) == 2);
    check(E(DictionaryContainsKey)(dictionary, plain(21)));
    check(!E(DictionaryContainsKey)(dictionary, plain(3)));
    check(E(DictionaryGetCountOfKey)(dictionary, plain(2)) == 1);
    check(E(DictionaryContainsValue)(dictionary, plain(102)));
    check(!E(DictionaryContainsValue)(dictionary, plain(103)));
    check(E(DictionaryGetCountOfValue)(dictionary, plain(101)) == 1);
    check(E(DictionaryGetValue)(dictionary, plain(11)) == plain(101));
    check(E(DictionaryGetValue)(dictionary, plain(3)) == NULL);
    check(E(DictionaryGetValueIfPresent)(dictionary, plain(12), &found) && found == plain(102));
    check(!E(DictionaryGetValueIfPresent)(dictionary, plain(13), &found) && found == plain(102));
    check(E(DictionaryGetKeyIfPresent)(dictionary, plain(12), &found) && found == plain(2));
    check(E(DictionaryGetValueIfPresent)(dictionary, plain(12), NULL));
    check(E(GetTypeID)(dictionary) == E(DictionaryGetTypeID)());
}
SCENARIO(dictionary_questions,
         .title = "A dictionary finds keys by hash and equality, and values by comparing",
         .clauses = "object base")

static void dictionary_of_objects(void)
{
    E(MutableDictionaryRef) dictionary = E(DictionaryCreateMutable)(
        NULL, 0, &K(TypeDictionaryKeyCallBacks), &K(TypeDictionaryValueCallBacks));
    E(MutableDictionaryRef) other = E(DictionaryCreateMutable)(
        NULL, 0, &K(TypeDictionaryKeyCallBacks), &K(TypeDictionaryValueCallBacks));

    kept(dictionary);
    kept(other);
    E(DictionarySetValue)(dictionary, text("name"), text("first"));
    E(DictionarySetValue)(dictionary, text("name"), text("second"));
    note_text(E(DictionaryGetValue)(dictionary, text("name")));
    check(E(DictionaryContainsValue)(dictionary, text("second")));
    E(DictionarySetValue)(other, text("name"), text("first"));
    check(!E(Equal)(dictionary, other));
    E(DictionaryReplaceValue)(other, text("name"), text("second"));
    check(E(Equal)(dictionary, other) && E(Hash)(dictionary) == E(Hash)(other));
    E(DictionaryRef) copy = kept(E(DictionaryCreateMutableCopy)(NULL, 0, dictionary));
    check(E(Equal)(dictionary, copy));
    E(DictionaryRemoveValue)(dictionary, text("name"));
    note_text(E(DictionaryGetValue)(dictionary, text("name")));
    note_text(E(DictionaryGetValue)(copy, text("name")));
}
SCENARIO(dictionary_of_objects,
         .title = "A dictionary of objects holds and compares them",
         .clauses = "object base",
         .expected = "\"second\"; none; \"second\"")

static void dictionary_of_copied_keys(void)
{
    E(MutableDictionaryRef) dictionary =
        E(DictionaryCreateMutable)(NULL, 0, &K(CopyStringDictionaryKeyCallBacks), NULL);
    E(StringRef) key = E(StringCreateWithCString)(NULL, "key", K(StringEncodingUTF8));

    E(DictionaryAddValue)(dictionary, key, plain(7));
    E(Release)(key);
    check(E(DictionaryGetValue)(dictionary, text("key")) == plain(7));
    E(Release)(dictionary);
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
    E(DictionaryRef) dictionary = plain_dictionary(50);

    E(DictionaryApplyFunction)(dictionary, add_entry, &sums);
    check(sums.keys == 1225 && sums.values == 6225);
    E(DictionaryGetKeysAndValues)(dictionary, keys, values);
    for (int i = 0; i < 50; i++) {
        check((long)values[i] == (long)keys[i] + 100);
        sums.keys -= (long)keys[i];
    }
    check(sums.keys == 0);
    E(DictionaryGetKeysAndValues)(dictionary, NULL, values);
    E(DictionaryGetKeysAndValues)(dictionary, keys, NULL);
}
SCENARIO(dictionary_visits,
         .title = "Each entry of a dictionary is visited and listed once",
         .clauses = "object base")

static void dictionary_grows(void)
{
    enum { count = 20000 };
    long wrong = 0;
    E(MutableDictionaryRef) dictionary = plain_dictionary(count);

    for (long i = 0; i < count; i += 2) E(DictionaryRemoveValue)(dictionary, plain(i));
    check(E(DictionaryGetCount)(dictionary) == count / 2);
    for (long i = 0; i < count; i++) {
        wrong += E(DictionaryGetValue)(dictionary, plain(i)) != (i % 2 ? plain(i + 100) : NULL);
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
    E(MutableDictionaryRef) original = E(DictionaryCreateMutable)(
        NULL, 0, &K(TypeDictionaryKeyCallBacks), &K(TypeDictionaryValueCallBacks));

    for (long i = 0; i < entries; i++) E(DictionarySetValue)(original, whole(i), whole(i * i));
    E(DictionaryRef) shared = E(DictionaryCreateCopy)(NULL, original);
    E(Release)(original);
    for (int reader = 0; reader < readers; reader++) {
        threads[reader] = start_thread(^{
            long wrong = 0;
            for (long round = 0; round < rounds; round++) {
                int64_t key = round % entries, value = 0;
                E(NumberRef) number = E(NumberCreate)(NULL, K(NumberSInt64Type), &key);
                E(NumberRef) found = E(Retain)(E(DictionaryGetValue)(shared, number));
                E(NumberGetValue)(found, K(NumberSInt64Type), &value);
                wrong += value != key * key;
                E(Release)(found);
                E(Release)(number);
            }
            check(wrong == 0);
        });
    }
    for (int reader = 0; reader < readers; reader++) join_thread(threads[reader]);
    E(Release)(shared);
}
SCENARIO(dictionary_shared,
         .title = "Threads share a dictionary that does not change, and what is in it",
         .clauses = "object base")
