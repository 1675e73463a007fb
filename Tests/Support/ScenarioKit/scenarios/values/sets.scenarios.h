/*
 * Sets: RLSet.
 */

#include "value_words.h"

static const E(SetCallBacks) plain_set_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
    .hash = plain_hash,
};

static E(MutableSetRef) plain_set(long count)
{
    E(MutableSetRef) set = E(SetCreateMutable)(NULL, 0, NULL);
    kept(set);
    for (long i = 0; i < count; i++) E(SetAddValue)(set, plain(i));
    return set;
}

static void set_references(void)
{
    E(MutableSetRef) set = E(SetCreateMutable)(NULL, 0, &plain_set_callbacks);

    E(SetAddValue)(set, plain(1));
    E(SetAddValue)(set, plain(11));
    note("set");
    E(SetSetValue)(set, plain(21));
    E(SetSetValue)(set, plain(2));
    note("replace");
    E(SetReplaceValue)(set, plain(31));
    E(SetReplaceValue)(set, plain(3));
    note("remove");
    E(SetRemoveValue)(set, plain(3));
    E(SetRemoveValue)(set, plain(42));
    check(E(SetGetCount)(set) == 1);
    note("copy");
    E(SetRef) copy = E(SetCreateCopy)(NULL, set);
    note("empty");
    E(SetRemoveAllValues)(set);
    check(E(SetGetCount)(set) == 0 && E(SetGetCount)(copy) == 1);
    E(SetAddValue)(set, plain(4));
    E(Release)(set);
    E(Release)(copy);
}
SCENARIO(set_references,
         .title = "A set retains what enters it and releases what leaves it",
         .clauses = "object base",
         .expected = "+1; set; +21; -1; +2; replace; +31; -21; remove; -2; copy; +31; empty; -31; "
                     "+4; -4; -31")

static void set_questions(void)
{
    const void *values[] = {plain(1), plain(11), plain(2)}, *value = NULL;
    static const E(SetCallBacks) callbacks = {.equal = plain_equal, .hash = plain_hash};
    E(SetRef) set = kept(E(SetCreate)(NULL, values, 3, &callbacks));

    check(E(SetGetCount)(set) == 2);
    check(E(SetContainsValue)(set, plain(21)) && !E(SetContainsValue)(set, plain(3)));
    check(E(SetGetCountOfValue)(set, plain(1)) == 1 && E(SetGetCountOfValue)(set, plain(4)) == 0);
    check(E(SetGetValue)(set, plain(31)) == plain(1) && E(SetGetValue)(set, plain(3)) == NULL);
    check(E(SetGetValueIfPresent)(set, plain(12), &value) && value == plain(2));
    check(!E(SetGetValueIfPresent)(set, plain(13), &value) && value == plain(2));
    check(E(SetGetValueIfPresent)(set, plain(11), NULL));
    check(E(GetTypeID)(set) == E(SetGetTypeID)());
}
SCENARIO(set_questions,
         .title = "A set finds its elements by hash and equality",
         .clauses = "object base")

static void set_of_strings(void)
{
    const void *values[] = {text("a"), text("b"), text("a")};
    E(SetRef) set = kept(E(SetCreate)(NULL, values, 3, &K(TypeSetCallBacks)));
    E(MutableSetRef) other = E(SetCreateMutable)(NULL, 0, &K(TypeSetCallBacks));

    kept(other);
    check(E(SetGetCount)(set) == 2 && E(SetContainsValue)(set, text("b")));
    E(SetAddValue)(other, text("b"));
    check(!E(Equal)(set, other));
    E(SetAddValue)(other, text("a"));
    check(E(Equal)(set, other) && E(Hash)(set) == E(Hash)(other));
    E(SetRemoveValue)(other, text("a"));
    E(SetAddValue)(other, text("c"));
    check(!E(Equal)(set, other));
    E(MutableSetRef) copies = E(SetCreateMutable)(NULL, 0, &K(CopyStringSetCallBacks));
    kept(copies);
    E(SetAddValue)(copies, values[0]);
    check(E(SetContainsValue)(copies, text("a")));
}
SCENARIO(set_of_strings,
         .title = "Sets of objects are equal if their elements are",
         .clauses = "object base")

static void add_up(const void *value, void *context)
{
    *(long *)context += (long)value;
}

static void set_visits(void)
{
    const void *values[100] = {NULL};
    long sum = 0, listed = 0;
    E(SetRef) set = plain_set(100);

    E(SetApplyFunction)(set, add_up, &sum);
    check(sum == 4950);
    E(SetGetValues)(set, values);
    for (int i = 0; i < 100; i++) listed += (long)values[i];
    check(listed == 4950);
}
SCENARIO(set_visits,
         .title = "Each element of a set is visited and listed once",
         .clauses = "object base")

static void set_churn(void)
{
    enum { rounds = 30000, numbers = 500 };
    bool expected[numbers] = {false};
    uint64_t random = 1;
    long wrong = 0, count = 0;
    E(MutableSetRef) set = plain_set(0);

    for (int round = 0; round < rounds; round++) {
        long number = next_number(&random, numbers);
        bool adds = next_number(&random, 3) != 0;
        const void *value = plain(number * 16);
        wrong += E(SetContainsValue)(set, value) != expected[number];
        if (adds) {
            E(SetAddValue)(set, value);
        } else {
            E(SetRemoveValue)(set, value);
        }
        count += (int)adds - (int)expected[number];
        expected[number] = adds;
        wrong += E(SetGetCount)(set) != count;
    }
    for (long i = 0; i < numbers; i++) {
        wrong += E(SetContainsValue)(set, plain(i * 16)) != expected[i];
    }
    check(wrong == 0);
    check(count > 0 && count < numbers);
}
SCENARIO(set_churn,
         .title = "A set keeps its elements through thirty thousand additions and removals",
         .clauses = "object base")
