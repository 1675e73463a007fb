/*
 * Modes and common items (MODE-1 to MODE-21).
 */

#include "mode_words.h"
#include "scenario.h"

static bool has_mode(const char *name)
{
    RLArrayRef modes = RLRunLoopCopyAllModes(this_loop());
    bool found = false;

    for (long index = 0; index < RLArrayGetCount(modes); index++) {
        if (RLEqual(RLArrayGetValueAtIndex(modes, index), mode_named(name))) found = true;
    }
    RLRelease(modes);
    return found;
}

static void fresh_loop(void)
{
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopRef loop = this_loop();

    check(count_modes() == 1 && has_mode("DEF"));
    check(RLRunLoopCopyCurrentMode(loop) == NULL);
    check(!RLRunLoopIsWaiting(loop));
    check(!has_source(source, "COM"));
    add_source(source, "COM");
    check(has_source(source, "DEF"));
    check(count_modes() == 1);
}
SCENARIO(fresh_loop,
         .title = "A fresh loop has the default mode only, which is common, and does nothing",
         .clauses = "LIFE-4 MODE-7 WAKE-8 MODE-4")

static void mode_creation(void)
{
    RLRunLoopSourceRef source = SOURCE("A");
    RLRunLoopTimerRef timer = TIMER("t", .after = 100);
    RLRunLoopObserverRef observer = OBSERVER("o");

    run("ran", 0, false);
    check(!has_source(source, "asked") && !has_timer(timer, "asked"));
    check(!has_observer(observer, "asked"));
    remove_source(source, "removed");
    remove_timer(timer, "removed");
    remove_observer(observer, "removed");
    check(RLRunLoopGetNextTimerFireDate(this_loop(), mode_named("date")) == 0);
    make_common("common");
    check(count_modes() == 1);

    add_source(source, "1");
    add_timer(timer, "2");
    add_observer(observer, "3");
    queue_block("block", "4", NULL);
    check(count_modes() == 5 && has_mode("1") && has_mode("2") && has_mode("3") && has_mode("4"));
    remove_source(source, "1");
    remove_timer(timer, "2");
    remove_observer(observer, "3");
    check(count_modes() == 5);
    add_source(source, "COM");
    check(count_modes() == 6 && has_mode("common"));
}
SCENARIO(mode_creation,
         .title = "Adding creates a mode forever; querying, removing and running do not",
         .clauses = "MODE-1 MODE-2 MODE-3 MODE-4",
         .expected_hints = "never ran",
         .expected = "= Finished")

static void modes_by_value(void)
{
    char name[] = "same";
    RLStringRef copy = RLStringCreateWithCString(NULL, name, kRLStringEncodingUTF8);
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    add_source(source, "same");
    RLRunLoopAddSource(this_loop(), source, copy);
    check(RLRunLoopContainsSource(this_loop(), source, copy));
    check(count_modes() == 2);
    RLRelease(copy);
    signal_source(source);
    run("same", 0, false);
}
SCENARIO(modes_by_value,
         .title = "A mode is known by its characters, not by the string object",
         .clauses = "TYPE-5",
         .expected = "A joins same; A; = TimedOut; A leaves same")

static void common_source(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    add_source(source, "M");
    remove_source(source, "COM");
    note_answer("still in M", has_source(source, "M"));
    add_source(source, "COM");
    make_common("M");
    remove_source(source, "M");
    note_answer("common", has_source(source, "COM"));
    add_source(source, "COM");
    remove_source(source, "DEF");
    remove_source(source, "COM");
    note_answer("in M", has_source(source, "M"));
    note_answer("common", has_source(source, "COM"));
}
SCENARIO(common_source,
         .title = "Removing from the common modes concerns common items, in every common mode",
         .clauses = "MODE-8 MODE-9 MODE-10 MODE-11 MODE-12 MODE-13",
         .expected = "A joins M; still in M: yes; A joins DEF; A leaves M; common: yes; "
                     "A joins M; A leaves DEF; A leaves M; in M: no; common: no")

static void individual_in_common(void)
{
    RLRunLoopSourceRef source = SOURCE("A", .logs_modes = true);

    add_source(source, "DEF");
    note_answer("common", has_source(source, "COM"));
    make_common("M");
    note_answer("in M", has_source(source, "M"));
    remove_source(source, "COM");
    note_answer("in DEF", has_source(source, "DEF"));
}
SCENARIO(individual_in_common,
         .title = "An item added to a mode that is common is no common item",
         .clauses = "MODE-15 MODE-11",
         .expected = "A joins DEF; common: no; in M: no; in DEF: yes; A leaves DEF")

static void common_timer(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);

    add_timer(timer, "COM");
    note_answer("common", has_timer(timer, "COM"));
    note_answer("in DEF", has_timer(timer, "DEF"));
    remove_timer(timer, "DEF");
    note_answer("common", has_timer(timer, "COM"));
    make_common("later");
    note_answer("in later", has_timer(timer, "later"));
    note_answer("common", has_timer(timer, "COM"));
    remove_timer(timer, "COM");
    note_answer("in later", has_timer(timer, "later"));
}
SCENARIO(common_timer,
         .title = "A common timer that left its last mode stays a common item",
         .clauses = "MODE-13 MODE-10",
         .expected = "common: yes; in DEF: yes; common: no; in later: yes; common: yes; "
                     "in later: no")

static void common_observer(void)
{
    RLRunLoopObserverRef observer = OBSERVER("o", .activities = kRLRunLoopEntry);

    add_observer(observer, "COM");
    make_common("M");
    keep_alive("M");
    run("M", 0, false);
    remove_observer(observer, "M");
    run("M", 0, false);
    note_answer("common", has_observer(observer, "COM"));
    remove_observer(observer, "COM");
    note_answer("in DEF", has_observer(observer, "DEF"));
}
SCENARIO(common_observer,
         .title = "A common observer observes every common mode until it is removed",
         .clauses = "MODE-8 MODE-9 MODE-12 MODE-13",
         .expected = "o Entry; = TimedOut; = TimedOut; common: yes; in DEF: no")

static void common_modes_by_value(void)
{
    char name[64];
    check(RLStringGetCString(kRLRunLoopCommonModes, name, sizeof(name), kRLStringEncodingUTF8));
    RLStringRef other = RLStringCreateWithCString(NULL, name, kRLStringEncodingUTF8);
    RLRunLoopSourceRef source = SOURCE("A");

    RLRunLoopAddSource(this_loop(), source, other);
    note_answer("in DEF", has_source(source, "DEF"));
    note_answer("common", has_source(source, "COM"));
    note("= %s", name_of_result(RLRunLoopRunInMode(other, 0, false)));
    RLRelease(other);
}
SCENARIO(common_modes_by_value,
         .title = "The common modes are known by their characters everywhere",
         .clauses = "MODE-14 RUN-2",
         .deviation = "D10: the reference compares pointers and makes a mode of that name",
         .expected = "in DEF: yes; common: yes; = Finished",
         .reference = "in DEF: no; common: no; = Finished")

static void common_mode_of_common_modes(void)
{
    RLRunLoopSourceRef source = SOURCE("A");

    make_common("COM");
    add_source(source, "COM");
    note_answer("in DEF", has_source(source, "DEF"));
    check(count_modes() == 1);
    remove_source(source, "COM");
}
SCENARIO(common_mode_of_common_modes,
         .title = "The common modes cannot themselves be made common",
         .clauses = "MODE-16",
         .deviation = "D10: the reference recurses until the stack overflows",
         .expected = "in DEF: yes")

static void block_makes_no_common_mode(void)
{
    queue_block("block", "COM", NULL);
    note_answer("listed", has_mode("COM"));
    run("DEF", 0, false);
}
SCENARIO(block_makes_no_common_mode,
         .title = "A block for the common modes makes no mode of that name",
         .clauses = "MODE-5",
         .deviation = "D10: the reference makes one and lists it",
         .expected = "listed: no; block; = TimedOut",
         .reference = "listed: yes; block; = TimedOut")

static void emptied_while_asleep(void)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE("A");
    struct helper_thread *remover = start_thread(^{
        wait_until_asleep(loop);
        RLRunLoopRemoveSource(loop, source, kRLRunLoopDefaultMode);
        note("removed");
        stay_busy(0.005);
        check(RLRunLoopIsWaiting(loop));
        note("wake up");
        RLRunLoopWakeUp(loop);
    });

    watch("DEF");
    add_source(source, "DEF");
    run("DEF", __builtin_inf(), false);
    join_thread(remover);
}
SCENARIO(emptied_while_asleep,
         .title = "Removing the last source does not wake the loop, but the next wake-up finishes the run",
         .clauses = "WAKE-9 MODE-21 RUN-15",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; removed; wake up; "
                     "AfterWaiting; Exit; = Finished")

static void common_timer_in_no_mode(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000);

    add_timer(timer, "COM");
    remove_timer(timer, "DEF");
    remove_timer(timer, "COM");
    make_common("M");
    note_answer("M", has_timer(timer, "M"));
}
SCENARIO(common_timer_in_no_mode,
         .title = "A timer that is only a common item can be removed from the common modes",
         .clauses = "MODE-10 MODE-13",
         .expected = "M: no")

static void invalid_items_make_no_mode(void)
{
    RLRunLoopObserverRef observer = OBSERVER("o");

    RLRunLoopObserverInvalidate(observer);
    add_observer(observer, "M");
    make_common("M");
    queue_block("b", "COM", NULL);
    run("M", 0, false);
}
SCENARIO(invalid_items_make_no_mode,
         .title = "Adding an invalid item does not bring a mode into existence",
         .clauses = "MODE-1 MODE-2 OBS-8",
         .expected_hints = "never ran",
         .expected = "= Finished")
