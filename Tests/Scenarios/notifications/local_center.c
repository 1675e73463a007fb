/*
 * The local notification center. Ours only: CF for Linux declares notification centers and has
 * none. Apple's documentation specifies the behavior.
 */

#include "notification_words.h"
#include "scenario.h"

#include <stdatomic.h>
#include <sys/wait.h>

static void notification_matches(void)
{
    int first = 0, second = 0;
    const void *every = noting("every"), *named = noting("named"), *of_first = noting("first"),
               *both = noting("both");

    listen_to(every, NULL, NULL);
    listen_to(named, "A", NULL);
    listen_to(of_first, NULL, &first);
    listen_to(both, "A", &first);
    note("A");
    post("A", NULL);
    note("A of first");
    post("A", &first);
    note("A of second");
    post("A", &second);
    note("B of first");
    post("B", &first);
}
SCENARIO(notification_matches,
         .title = "A notification reaches the observers of its name and object, in order, at once",
         .clauses = "NTFC-1 NTFC-2",
         .rl_only = true,
         .expected = "A; every got A; named got A; "
                     "A of first; every got A; named got A; first got A; both got A; "
                     "A of second; every got A; named got A; "
                     "B of first; every got B; first got B")

static void notification_carries(void)
{
    const void *keys[] = {mode_named("key")}, *values[] = {mode_named("value")};
    RLDictionaryRef given = RLDictionaryCreate(
        NULL, keys, values, 1, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    int thing;
    pthread_t poster = pthread_self();
    const int *expected = &thing;
    const void *observer =
        make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
            check(object == expected && info == given && RLEqual(name, mode_named("N")));
            check(pthread_equal(pthread_self(), poster));
            note("called");
        });

    /* The center has a copy of the name. */
    RLMutableStringRef name = RLStringCreateMutable(NULL, 0);
    RLStringAppend(name, mode_named("N"));
    RLNotificationCenterAddObserver(local_center(), observer, notification_called, name, NULL, 0);
    RLStringAppend(name, mode_named("ame"));
    RLNotificationCenterPostNotificationWithOptions(local_center(), mode_named("N"), &thing, given,
                                                    kRLNotificationDeliverImmediately |
                                                        kRLNotificationPostToAllSessions);
    RLNotificationCenterPostNotification(local_center(), name, &thing, given, true);
    RLRelease(name);
    RLRelease(given);
}
SCENARIO(notification_carries,
         .title = "An observer gets what was posted, on the thread that posts",
         .clauses = "NTFC-1 NTFC-3",
         .rl_only = true,
         .expected = "called")

static void notification_removed(void)
{
    int first = 0, second = 0;
    const void *a = noting("a"), *b = noting("b");

    listen_to(a, "A", NULL);
    listen_to(a, "A", NULL);
    listen_to(a, "B", NULL);
    listen_to(a, "B", &first);
    listen_to(a, "B", &second);
    listen_to(b, "A", NULL);
    post("A", NULL);
    note("not A");
    stop_observing(a, "A", NULL);
    post("A", NULL);
    post("B", &first);
    note("not of first");
    stop_observing(a, NULL, &first);
    post("B", &first);
    post("B", &second);
    note("nothing");
    RLNotificationCenterRemoveEveryObserver(local_center(), a);
    post("B", &second);
    post("A", NULL);
}
SCENARIO(notification_removed,
         .title = "An observer is removed by name, by object, or entirely, as often as it was added",
         .clauses = "NTFC-2 NTFC-4",
         .rl_only = true,
         .expected = "a got A; a got A; b got A; not A; b got A; a got B; a got B; not of first; "
                     "a got B; a got B; a got B; nothing; b got A")

static void notification_changes_within(void)
{
    __block const void *changer = NULL;
    const void *last = noting("last"), *added = noting("added");

    changer = make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
        note("changes");
        RLNotificationCenterRemoveEveryObserver(local_center(), changer);
        RLNotificationCenterRemoveEveryObserver(local_center(), last);
        listen_to(added, "A", NULL);
    });
    listen_to(changer, "A", NULL);
    listen_to(last, "A", NULL);
    post("A", NULL);
    note("again");
    post("A", NULL);
}
SCENARIO(notification_changes_within,
         .title = "An observer that a callback removes is not called; an added observer gets the next notification",
         .clauses = "NTFC-5",
         .rl_only = true,
         .expected = "changes; again; added got A")

static void notification_nested(void)
{
    __block int depth = 0;
    const void *after = noting("after");
    __block const void *nesting = NULL;

    nesting = make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
        note("depth %d", ++depth);
        if (depth < 3) post("A", NULL);
        if (depth == 3) RLNotificationCenterRemoveEveryObserver(local_center(), nesting);
    });
    listen_to(nesting, "A", NULL);
    listen_to(after, "A", NULL);
    post("A", NULL);
    note("again");
    post("A", NULL);
}
SCENARIO(notification_nested,
         .title = "A callback may post; one that removes itself within is called no more",
         .clauses = "NTFC-5",
         .rl_only = true,
         .expected = "depth 1; depth 2; depth 3; after got A; after got A; after got A; again; "
                     "after got A")

static void notification_in_child(void)
{
    __block int calls = 0;
    __block const void *observer = NULL;
    observer = make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
        calls++;
        if (!object) return;
        pid_t child = fork();
        if (child > 0) note_child(child);
        if (child != 0) return;
        /* In the callback: the parent's thread is calling an observer. */
        post("A", NULL);
        RLNotificationCenterRemoveEveryObserver(local_center(), observer);
        post("A", NULL);
        _exit(calls);
    });

    listen_to(observer, "A", NULL);
    post("A", &calls);
    note("%d", calls);
}
SCENARIO(notification_in_child,
         .title = "A child that is forked in a callback has the observers and can post",
         .clauses = "NTFC-6",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 2; 1")

static void notification_thread_ends(void)
{
    const void *ending =
        make_listener(^(RLStringRef name, const void *object, RLDictionaryRef info) {
            if (object) pthread_exit(NULL);
            note("called");
        });

    listen_to(ending, "A", NULL);
    elsewhere(^{ post("A", &ending); });
    post("A", NULL);
    RLNotificationCenterRemoveEveryObserver(local_center(), ending);
    post("A", NULL);
}
SCENARIO(notification_thread_ends,
         .title = "A callback that ends its thread leaves the center as it was",
         .clauses = "NTFC-6",
         .rl_only = true,
         .expected = "called")

enum { NOTIFICATION_ROUNDS = 2000 };

static void notification_threads(void)
{
    __block atomic_int calls = 0;
    atomic_int *counter = &calls;
    const void *steady = make_listener(^(RLStringRef name, const void *object,
                                         RLDictionaryRef info) { atomic_fetch_add(counter, 1); });
    action churn = ^{
        for (int i = 0; i < NOTIFICATION_ROUNDS; i++) {
            __block int mine = 0;
            int *count = &mine;
            const void *observer =
                copied((const void *)^(RLStringRef name, const void *object, RLDictionaryRef info) {
                    if (object == count) (*count)++;
                });
            listen_to(observer, "A", count);
            post("A", count);
            RLNotificationCenterRemoveEveryObserver(local_center(), observer);
            post("A", count);
            if (mine != 1) note("%d calls", mine);
            release_block(observer);
        }
    };

    listen_to(steady, "A", NULL);
    struct helper_thread *first = start_thread(churn), *second = start_thread(churn);
    churn();
    join_thread(first);
    join_thread(second);
    note("%d", atomic_load(counter));
    RLStringRef text = RLCopyDescription(local_center());
    check(RLStringHasSuffix(text, mode_named("{local, observers = 1}")));
    RLRelease(text);
}
SCENARIO(notification_threads,
         .title = "Threads add, post and remove at once; each observer is called exactly as it is "
                  "in the center, and none is left",
         .clauses = "NTFC-6",
         .rl_only = true,
         .own_process = true,
         .expected = "12000")

STOPS(notification_without_name,
      RLNotificationCenterPostNotification(local_center(), NULL, NULL, NULL, false),
      .title = "Posting without a name stops the process", .clauses = "NTFC-7", .rl_only = true)
STOPS(notification_without_callback,
      RLNotificationCenterAddObserver(local_center(), NULL, NULL, NULL, NULL, 1),
      .title = "Adding an observer without a callback stops the process", .clauses = "NTFC-7",
      .rl_only = true)
STOPS(notification_to_a_string,
      RLNotificationCenterRemoveEveryObserver(
          (RLNotificationCenterRef)(void *)(uintptr_t)RLSTR("x"), NULL),
      .title = "A string as a center stops the process", .clauses = "NTFC-7", .rl_only = true)
STOPS(notification_with_odd_info,
      RLNotificationCenterPostNotification(local_center(), RLSTR("A"), NULL,
                                           (RLDictionaryRef)(const void *)RLSTR("x"), false),
      .title = "User info that is no dictionary stops the process", .clauses = "NTFC-7",
      .rl_only = true)
