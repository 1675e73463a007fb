/*
 * Sources: identity, membership, signals, invalidation (SRC-1 to SRC-19, SRC-28, SRC-29).
 */

#include "scenario.h"

static void new_source(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .order = -7);
    RLRunLoopSourceContext context = {.version = 0};

    check(RLRunLoopSourceIsValid(source));
    check(!RLRunLoopSourceIsSignalled(source));
    check(RLRunLoopSourceGetOrder(source) == -7);
    check(RLGetTypeID(source) == RLRunLoopSourceGetTypeID());
    RLRunLoopSourceGetContext(source, &context);
    note("%s", ((struct gadget *)context.info)->name);
    RLRunLoopSourceInvalidate(source);
    context.info = NULL;
    RLRunLoopSourceGetContext(source, &context);
    note("%s", ((struct gadget *)context.info)->name);
    check(RLRunLoopSourceGetOrder(source) == -7);
}
SCENARIO(new_source,
         .title = "A new source is valid, not signalled, and keeps its order and context for ever",
         .clauses = "SRC-2 SRC-3",
         .expected = "A; A")

static void port_source_context(void)
{
    RLRunLoopSourceRef source = PORT("p", 5);
    RLRunLoopSourceContext1 context = {.version = 1};

    RLRunLoopSourceGetContext(source, (RLRunLoopSourceContext *)&context);
    check(context.version == 1);
    check(context.getPort(context.info) == 5);
}
SCENARIO(port_source_context,
         .title = "The context of a version-1 source is returned whole",
         .clauses = "SRC-3 TYPE-8")

static void source_references(void)
{
    RLRunLoopSourceRef source =
        SOURCE("A", .logs_references = true, .logs_modes = true, .owned = true);

    add_source(source, "DEF");
    signal_source(source);
    run("DEF", 0, false);
    RLRunLoopSourceInvalidate(source);
    note("invalid");
    RLRelease(source);
}
SCENARIO(source_references,
         .title = "The info is retained at creation and released at the end of the source only",
         .clauses = "SRC-4 SRC-27",
         .expected = "A retained; A joins DEF; A; = TimedOut; A leaves DEF; invalid; A released")

static void release_of_member(void)
{
    RLRunLoopSourceRef source =
        SOURCE("A", .logs_references = true, .logs_modes = true, .owned = true);

    add_source(source, "DEF");
    RLRelease(source);
    note("given up");
    remove_source(source, "DEF");
}
SCENARIO(release_of_member,
         .title = "A mode keeps its source; removing the last reference cancels, then releases",
         .clauses = "SRC-14 LIFE-7",
         .expected = "A retained; A joins DEF; given up; A leaves DEF; A released")

static void release_of_valid_source(void)
{
    RLRunLoopSourceRef source =
        SOURCE("A", .logs_references = true, .logs_modes = true, .owned = true);

    RLRelease(source);
}
SCENARIO(release_of_valid_source,
         .title = "A source that dies valid releases its info",
         .clauses = "SRC-29",
         .expected = "A retained; A released")

static void equal_sources(void)
{
    RLRunLoopSourceRef one = SOURCE("one", .kind = "k");
    RLRunLoopSourceRef twin = SOURCE("twin", .kind = "k");
    RLRunLoopSourceRef other_order = SOURCE("third", .kind = "k", .order = 1);
    RLRunLoopSourceRef other_kind = SOURCE("fourth", .kind = "l");
    RLRunLoopSourceRef plain = SOURCE("fifth");

    note_answer("twin", RLEqual(one, twin));
    note_answer("same hash", RLHash(one) == RLHash(twin));
    note_answer("other order", RLEqual(one, other_order));
    note_answer("other kind", RLEqual(one, other_kind));
    note_answer("plain", RLEqual(one, plain));
    note_answer("itself", RLEqual(plain, plain));
    check(RLHash(one) == 'k');
    RLRunLoopSourceInvalidate(twin);
    note_answer("invalid twin", RLEqual(one, twin));
}
SCENARIO(equal_sources,
         .title = "Sources are equal by validity, order, functions and then by their infos",
         .clauses = "SRC-5 SRC-6 TYPE-4",
         .expected = "twin: yes; same hash: yes; other order: no; other kind: no; plain: no; "
                     "itself: yes; invalid twin: no")

static void equal_by_info(void)
{
    int info = 0;
    RLRunLoopSourceContext context = {.info = &info};
    RLRunLoopSourceRef one = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopSourceRef two = RLRunLoopSourceCreate(NULL, 0, &context);

    check(RLEqual(one, two));
    check(RLHash(one) == (unsigned long)&info);
    RLRelease(one);
    RLRelease(two);
}
SCENARIO(equal_by_info,
         .title = "Without functions, sources are equal if they have the same info",
         .clauses = "SRC-5 SRC-6")

static void equal_twin_in_mode(void)
{
    RLRunLoopSourceRef resident = SOURCE("resident", .kind = "k", .logs_modes = true);
    RLRunLoopSourceRef twin = SOURCE("twin", .kind = "k", .logs_modes = true);

    add_source(resident, "DEF");
    add_source(resident, "DEF");
    add_source(twin, "DEF");
    note_answer("has twin", has_source(twin, "DEF"));
    signal_source(twin);
    run("DEF", 0, false);
    signal_source(resident);
    run("DEF", 0, false);
}
SCENARIO(equal_twin_in_mode,
         .title = "An equal twin is reported as contained but neither joins nor performs",
         .clauses = "SRC-7 SRC-8 SRC-11",
         .expected = "resident joins DEF; has twin: yes; = TimedOut; resident; = TimedOut; "
                     "resident leaves DEF")

static void removal_by_twin(void)
{
    RLRunLoopSourceRef resident = SOURCE("resident", .kind = "k", .logs_modes = true);
    RLRunLoopSourceRef twin = SOURCE("twin", .kind = "k", .logs_modes = true);

    add_source(resident, "DEF");
    remove_source(twin, "DEF");
    note_answer("has resident", has_source(resident, "DEF"));
}
SCENARIO(removal_by_twin,
         .title = "Removing an equal twin removes the resident and cancels the resident",
         .clauses = "SRC-11",
         .deviation = "D12: the reference cancels the twin, which never joined",
         .expected = "resident joins DEF; resident leaves DEF; has resident: no",
         .reference = "resident joins DEF; twin leaves DEF; has resident: no")

static void membership(void)
{
    __block RLRunLoopSourceRef source = NULL;
    source = SOURCE("A", .schedule = ^{ note_answer("inside", has_source(source, "M")); },
                    .cancel = ^{ note_answer("inside", has_source(source, "M")); });

    note_answer("before", has_source(source, "M"));
    add_source(source, "M");
    add_source(source, "M");
    add_source(source, "DEF");
    remove_source(source, "M");
    remove_source(source, "M");
    note_answer("in DEF", has_source(source, "DEF"));
    remove_source(source, "DEF");
}
SCENARIO(membership,
         .title = "A source joins and leaves each mode once, synchronously",
         .clauses = "SRC-8 SRC-9 SRC-10 SRC-12",
         .expected = "before: no; A joins M; inside: yes; A joins DEF; inside: yes; A leaves M; "
                     "inside: no; in DEF: yes; A leaves DEF; inside: no")

static void membership_elsewhere(void)
{
    RLRunLoopRef loop = this_loop();
    __block bool here = false;
    pthread_t thread = pthread_self();
    RLRunLoopSourceRef source =
        SOURCE("A", .schedule = ^{ here = pthread_equal(thread, pthread_self()); });

    elsewhere(^{ RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode); });
    note_answer("on the loop's thread", here);
    remove_source(source, "DEF");
}
SCENARIO(membership_elsewhere,
         .title = "A source is scheduled on the thread that adds it",
         .clauses = "SRC-8 LIFE-6",
         .expected = "A joins DEF; on the loop's thread: no; A leaves DEF")

static void many_loops(void)
{
    RLRunLoopRef first = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");

    add_source(source, "DEF");
    signal_source(source);
    elsewhere(^{
        add_source(source, "DEF");
        check(RLRunLoopContainsSource(first, source, kRLRunLoopDefaultMode));
        run("DEF", 0, false);
        remove_source(source, "DEF");
    });
    run("DEF", 0, false);
    check(has_source(source, "DEF"));
}
SCENARIO(many_loops,
         .title = "A source in two loops is performed once, by the loop that reaches it first",
         .clauses = "SRC-12 SRC-17",
         .expected = "A; = TimedOut; = TimedOut")

static void signal_survives(void)
{
    RLRunLoopSourceRef source = SOURCE("A");

    add_source(source, "M");
    add_source(source, "DEF");
    keep_alive("DEF");
    signal_source(source);
    signal_source(source);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    remove_source(source, "DEF");
    run("DEF", 0, false);
    add_source(source, "DEF");
    run("DEF", 0, false);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    run("M", 0, false);
}
SCENARIO(signal_survives,
         .title = "A signal survives removal and is consumed by the mode that runs first",
         .clauses = "SRC-15 SRC-18 SPI-4",
         .expected = "signalled: yes; = TimedOut; A; = TimedOut; signalled: no; = TimedOut")

static void signal_in_perform(void)
{
    __block int count = 0;
    __block RLRunLoopSourceRef source = NULL;
    source = SOURCE("A", .perform = ^{
        note_answer("signalled", RLRunLoopSourceIsSignalled(source));
        if (++count < 3) signal_source(source);
    });

    watch("DEF");
    add_source(source, "DEF");
    signal_source(source);
    when_next(kRLRunLoopAfterWaiting, "DEF", ^{ note("no more"); });
    when_next(kRLRunLoopBeforeWaiting, "DEF", ^{ stop(); });
    run("DEF", 10, false);
}
SCENARIO(signal_in_perform,
         .title = "A signal raised in perform causes one more perform, in the next pass",
         .clauses = "SRC-16",
         .expected = "Entry; BeforeTimers; BeforeSources; A; signalled: no; BeforeTimers; "
                     "BeforeSources; A; signalled: no; BeforeTimers; BeforeSources; A; "
                     "signalled: no; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; "
                     "no more; Exit; = Stopped")

static void signal_in_same_pass(void)
{
    RLRunLoopSourceRef one = SOURCE("one");
    RLRunLoopSourceRef two = SOURCE("two", .order = 1);
    RLRunLoopSourceRef three = SOURCE("three", .order = 2);

    add_source(one, "DEF");
    add_source(two, "DEF");
    add_source(three, "DEF");
    when(kRLRunLoopBeforeTimers, "DEF", ^{ signal_source(one); });
    when(kRLRunLoopBeforeSources, "DEF", ^{ signal_source(two); });
    queue_block("block", "DEF", ^{ signal_source(three); });
    run("DEF", 0, false);
}
SCENARIO(signal_in_same_pass,
         .title = "A source signalled before the batch performs in the same pass",
         .clauses = "SRC-19",
         .expected = "block; one; two; three; = TimedOut")

static void signal_wakes_nobody(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopSourceRef other = SOURCE("B", .logs_modes = true);
    struct helper_thread *signaller = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopAddSource(loop, other, kRLRunLoopDefaultMode);
        RLRunLoopRemoveSource(loop, other, kRLRunLoopDefaultMode);
        RLRunLoopAddSource(loop, other, kRLRunLoopDefaultMode);
        RLRunLoopSourceInvalidate(other);
        signal_source(source);
        stop_later(loop, 0.003);
    });

    watch("DEF");
    add_source(source, "DEF");
    run("DEF", 10, false);
    join_thread(signaller);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
}
SCENARIO(signal_wakes_nobody,
         .title = "Adding, removing, invalidating and signalling sources does not wake the loop",
         .clauses = "SRC-13 WAKE-7",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; B joins DEF; "
                     "B leaves DEF; B joins DEF; B leaves DEF; AfterWaiting; Exit; = Stopped; "
                     "signalled: yes")

static void invalid_source(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    signal_source(source);
    add_source(source, "DEF");
    RLRunLoopSourceInvalidate(source);
    RLRunLoopSourceInvalidate(source);
    note_answer("valid", RLRunLoopSourceIsValid(source));
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    signal_source(source);
    note_answer("signalled", RLRunLoopSourceIsSignalled(source));
    add_source(source, "DEF");
    note_answer("in DEF", has_source(source, "DEF"));
    run("DEF", 0, false);
}
SCENARIO(invalid_source,
         .title = "An invalid source is in no mode, cannot be signalled, and cannot be added",
         .clauses = "SRC-28 SRC-7 SRC-15",
         .expected = "A joins DEF; A leaves DEF; valid: no; signalled: no; signalled: no; "
                     "in DEF: no; = Finished")

static void invalidation_leaves_all(void)
{
    RLRunLoopRef loop = this_loop();
    struct gate *added = make_gate(), *done = make_gate();
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    add_source(source, "COM");
    struct helper_thread *other = start_thread(^{
        add_source(source, "DEF");
        open_gate(added);
        pass_gate(done);
        note_answer("there", has_source(source, "DEF"));
    });
    pass_gate(added);
    RLRunLoopSourceInvalidate(source);
    open_gate(done);
    join_thread(other);
    note_answer("common", has_source(source, "COM"));
    make_common("later");
    check(!RLRunLoopContainsSource(loop, source, mode_named("later")));
}
SCENARIO(invalidation_leaves_all,
         .title = "Invalidation removes a source from all modes of all loops and from common items",
         .clauses = "SRC-28 LIFE-7",
         .expected = "A joins DEF; A joins DEF; A leaves DEF; A leaves DEF; there: no; common: no")
