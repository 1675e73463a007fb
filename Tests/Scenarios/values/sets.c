/*
 * Sets: RLSet.
 */

#include "scenario.h"
#include "value_words.h"

static const RLSetCallBacks plain_set_callbacks = {
    .retain = plain_retain,
    .release = plain_release,
    .equal = plain_equal,
    .hash = plain_hash,
};

static void set_references(void)
{
    RLMutableSetRef set = RLSetCreateMutable(NULL, 0, &plain_set_callbacks);

    RLSetAddValue(set, plain(1));
    RLSetAddValue(set, plain(11));
    note("set");
    RLSetSetValue(set, plain(21));
    RLSetSetValue(set, plain(2));
    note("replace");
    RLSetReplaceValue(set, plain(31));
    RLSetReplaceValue(set, plain(3));
    note("remove");
    RLSetRemoveValue(set, plain(3));
    RLSetRemoveValue(set, plain(42));
    check(RLSetGetCount(set) == 1);
    note("copy");
    RLSetRef copy = RLSetCreateCopy(NULL, set);
    note("empty");
    RLSetRemoveAllValues(set);
    check(RLSetGetCount(set) == 0 && RLSetGetCount(copy) == 1);
    RLSetAddValue(set, plain(4));
    RLRelease(set);
    RLRelease(copy);
}
SCENARIO(set_references,
         .title = "A set retains what enters it and releases what leaves it",
         .clauses = "object base",
         .expected = "+1; set; +21; -1; +2; replace; +31; -21; remove; -2; copy; +31; empty; -31; "
                     "+4; -4; -31")

static void set_questions(void)
{
    const void *values[] = {plain(1), plain(11), plain(2)}, *value = NULL;
    static const RLSetCallBacks callbacks = {.equal = plain_equal, .hash = plain_hash};
    RLSetRef set = kept(RLSetCreate(NULL, values, 3, &callbacks));

    check(RLSetGetCount(set) == 2);
    check(RLSetContainsValue(set, plain(21)) && !RLSetContainsValue(set, plain(3)));
    check(RLSetGetCountOfValue(set, plain(1)) == 1 && RLSetGetCountOfValue(set, plain(4)) == 0);
    check(RLSetGetValue(set, plain(31)) == plain(1) && RLSetGetValue(set, plain(3)) == NULL);
    check(RLSetGetValueIfPresent(set, plain(12), &value) && value == plain(2));
    check(!RLSetGetValueIfPresent(set, plain(13), &value) && value == plain(2));
    check(RLSetGetValueIfPresent(set, plain(11), NULL));
    check(RLGetTypeID(set) == RLSetGetTypeID());
}
SCENARIO(set_questions,
         .title = "A set finds its elements by hash and equality",
         .clauses = "object base")

static void set_of_strings(void)
{
    const void *values[] = {text("a"), text("b"), text("a")};
    RLSetRef set = kept(RLSetCreate(NULL, values, 3, &kRLTypeSetCallBacks));
    RLMutableSetRef other = RLSetCreateMutable(NULL, 0, &kRLTypeSetCallBacks);

    kept(other);
    check(RLSetGetCount(set) == 2 && RLSetContainsValue(set, text("b")));
    RLSetAddValue(other, text("b"));
    check(!RLEqual(set, other));
    RLSetAddValue(other, text("a"));
    check(RLEqual(set, other) && RLHash(set) == RLHash(other));
    RLSetRemoveValue(other, text("a"));
    RLSetAddValue(other, text("c"));
    check(!RLEqual(set, other));
    RLMutableSetRef copies = RLSetCreateMutable(NULL, 0, &kRLCopyStringSetCallBacks);
    kept(copies);
    RLSetAddValue(copies, values[0]);
    check(RLSetContainsValue(copies, text("a")));
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
    RLSetRef set = plain_set(100);

    RLSetApplyFunction(set, add_up, &sum);
    check(sum == 4950);
    RLSetGetValues(set, values);
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
    RLMutableSetRef set = plain_set(0);

    for (int round = 0; round < rounds; round++) {
        long number = next_number(&random, numbers);
        bool adds = next_number(&random, 3) != 0;
        const void *value = plain(number * 16);
        wrong += RLSetContainsValue(set, value) != expected[number];
        if (adds) {
            RLSetAddValue(set, value);
        } else {
            RLSetRemoveValue(set, value);
        }
        count += (int)adds - (int)expected[number];
        expected[number] = adds;
        wrong += RLSetGetCount(set) != count;
    }
    for (long i = 0; i < numbers; i++) {
        wrong += RLSetContainsValue(set, plain(i * 16)) != expected[i];
    }
    check(wrong == 0);
    check(count > 0 && count < numbers);
}
SCENARIO(set_churn,
         .title = "A set keeps its elements through thirty thousand additions and removals",
         .clauses = "object base")
