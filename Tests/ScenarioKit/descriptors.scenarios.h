/*
 * Version-2 sources, an extension of ours: any descriptor, by level and interest.
 */

/* The info of a version-2 source. */
struct watcher {
    const char *name;
    int descriptor;
    RLRunLoopDescriptorEvents events;
    action perform;
};

static int watcher_descriptor(void *info)
{
    return ((struct watcher *)info)->descriptor;
}

static RLRunLoopDescriptorEvents watcher_events(void *info)
{
    return ((struct watcher *)info)->events;
}

static void watcher_perform(void *info, RLRunLoopDescriptorEvents ready)
{
    struct watcher *watcher = info;

    note("%s%s%s%s%s%s", watcher->name, ready & kRLRunLoopDescriptorRead ? " read" : "",
         ready & kRLRunLoopDescriptorWrite ? " write" : "",
         ready & kRLRunLoopDescriptorPriority ? " priority" : "",
         ready & kRLRunLoopDescriptorHangUp ? " hang-up" : "",
         ready & kRLRunLoopDescriptorError ? " error" : "");
    if (watcher->perform) watcher->perform();
}

/* Makes a source for a descriptor; events of 0 leave `getEvents` out. */
static source_ref watch_descriptor(const char *name, int descriptor,
                                   RLRunLoopDescriptorEvents events, action perform,
                                   struct watcher **ret_watcher)
{
    struct watcher *watcher = calloc(1, sizeof(*watcher));
    RLRunLoopSourceContext2 context = {
        .version = 2,
        .info = watcher,
        .getDescriptor = watcher_descriptor,
        .getEvents = events ? watcher_events : NULL,
        .perform = watcher_perform,
    };

    watcher->name = name;
    watcher->descriptor = descriptor;
    watcher->events = events;
    watcher->perform = copied((const void *)perform);
    at_end(^{
        release_block((const void *)watcher->perform);
        free(watcher);
    });
    source_ref source = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)&context);
    at_return(^{ RLRelease(source); });
    if (ret_watcher) *ret_watcher = watcher;
    return source;
}

/* Makes a pair of connected sockets, closed at the end of the scenario unless set to -1. */
static int *make_pair(void)
{
    int *ends = malloc(2 * sizeof(*ends));

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    at_end(^{
        if (ends[0] >= 0) close(ends[0]);
        if (ends[1] >= 0) close(ends[1]);
        free(ends);
    });
    return ends;
}

static void descriptor_levels(void)
{
    int *ends = make_pair();
    source_ref source = watch_descriptor("d", ends[0], 0, ^{
        char byte;
        check(read(ends[0], &byte, 1) == 1);
    }, NULL);

    add_source(source, "DEF");
    run("DEF", 0, true);
    check(write(ends[1], "abc", 3) == 3);
    for (int pass = 0; pass < 4; pass++) run("DEF", 0, true);
}
SCENARIO(descriptor_levels,
         .title = "A descriptor is served once a pass as long as it is readable",
         .clauses = "PORT-6 FD-6",
         .expected = "= TimedOut; d read; = HandledSource; d read; = HandledSource; d read; "
                     "= HandledSource; = TimedOut")

static void descriptor_interest(void)
{
    int *ends = make_pair();
    struct watcher *watcher = NULL;
    source_ref source = watch_descriptor("d", ends[0], kRLRunLoopDescriptorWrite, NULL, &watcher);

    add_source(source, "DEF");
    run("DEF", 0, true);
    check(write(ends[1], "a", 1) == 1);
    run("DEF", 0, true);
    watcher->events = kRLRunLoopDescriptorRead;
    run("DEF", 0, true);
    RLRunLoopSourceUpdateEvents(source);
    note("read");
    run("DEF", 0, true);
    watcher->events = kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite;
    RLRunLoopSourceUpdateEvents(source);
    note("both");
    run("DEF", 0, true);
}
SCENARIO(descriptor_interest,
         .title = "A descriptor is served for its interest, which can be changed",
         .clauses = "FD-6",
         .expected = "d write; = HandledSource; d write; = HandledSource; d write; "
                     "= HandledSource; read; d read; = HandledSource; both; d read write; "
                     "= HandledSource")

static void descriptor_hang_up(void)
{
    int *ends = make_pair();
    source_ref source = watch_descriptor("d", ends[0], 0, NULL, NULL);

    add_source(source, "DEF");
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 0.01, false);
    RLRunLoopSourceUpdateEvents(source);
    run("DEF", 0.01, false);
}
SCENARIO(descriptor_hang_up,
         .title = "A hang-up is delivered once, and once more after an update",
         .clauses = "PORT-7 DEF-24",
         .expected = "d read hang-up; = TimedOut; d read hang-up; = TimedOut")

static void descriptor_last_data(void)
{
    int *ends = make_pair();
    source_ref source = watch_descriptor("d", ends[0], 0, ^{
        char byte;
        ssize_t size = read(ends[0], &byte, 1);
        note("%zd", size);
        if (size == 0) stop();
    }, NULL);

    add_source(source, "DEF");
    check(write(ends[1], "ab", 2) == 2);
    close(ends[1]);
    ends[1] = -1;
    run("DEF", 10, false);
    run("DEF", 0.01, false);
}
SCENARIO(descriptor_last_data,
         .title = "Data before a hang-up is served to its end, then the hang-up",
         .clauses = "PORT-7 DEF-24",
         .expected = "d read hang-up; 1; d read hang-up; 1; d read hang-up; 0; = Stopped; "
                     "= TimedOut")

static void descriptor_wakes(void)
{
    loop_ref loop = this_loop();
    int *ends = make_pair();
    struct helper_thread *writer = start_thread(^{
        wait_until_asleep(loop);
        check(write(ends[1], "a", 1) == 1);
    });

    watch("DEF");
    add_source(watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, NULL, NULL), "DEF");
    run("DEF", 10, true);
    join_thread(writer);
}
SCENARIO(descriptor_wakes,
         .title = "A descriptor that becomes ready ends the wait",
         .clauses = "FD-6",
         .expected = "Entry; BeforeTimers; BeforeSources; BeforeWaiting; AfterWaiting; d read; "
                     "Exit; = HandledSource")

static void descriptor_update_while_asleep(void)
{
    loop_ref loop = this_loop();
    int *ends = make_pair();
    struct watcher *watcher = NULL;
    source_ref source = watch_descriptor("d", ends[0], kRLRunLoopDescriptorRead, NULL, &watcher);
    struct helper_thread *updater = start_thread(^{
        wait_until_asleep(loop);
        watcher->events = kRLRunLoopDescriptorWrite;
        RLRunLoopSourceUpdateEvents(source);
    });

    add_source(source, "DEF");
    run("DEF", 10, true);
    join_thread(updater);
}
SCENARIO(descriptor_update_while_asleep,
         .title = "An interest changed during the wait takes effect at once",
         .clauses = "FD-6 WAKE-11",
         .expected = "d write; = HandledSource")

static void descriptor_in_modes(void)
{
    int *ends = make_pair();
    source_ref source = watch_descriptor("d", ends[0], 0, NULL, NULL);

    check(write(ends[1], "a", 1) == 1);
    add_source(source, "M");
    add_source(source, "DEF");
    run("M", 0, true);
    remove_source(source, "M");
    run("M", 0, true);
    run("DEF", 0, true);
    RLRunLoopSourceInvalidate(source);
    run("DEF", 0, true);
}
SCENARIO(descriptor_in_modes,
         .title = "A descriptor is served in the modes of its source",
         .clauses = "FD-6 MODE-18",
         .expected = "d read; = HandledSource; = Finished; d read; = HandledSource; = Finished")

static void descriptors_take_turns(void)
{
    int *one = make_pair(), *two = make_pair();

    add_source(watch_descriptor("one", one[0], 0, NULL, NULL), "DEF");
    add_source(watch_descriptor("two", two[0], 0, NULL, NULL), "DEF");
    check(write(one[1], "a", 1) == 1);
    check(write(two[1], "a", 1) == 1);
    for (int pass = 0; pass < 4; pass++) run("DEF", 0, true);
}
SCENARIO(descriptors_take_turns,
         .title = "Descriptors that stay ready take turns",
         .clauses = "RUN-14 RUN-19",
         .expected = "one read; = HandledSource; two read; = HandledSource; one read; "
                     "= HandledSource; two read; = HandledSource")

static void no_descriptor(void)
{
    source_ref source = watch_descriptor("d", -1, 0, NULL, NULL);

    add_source(source, "DEF");
    run("DEF", 0.002, false);
    tell("contained", has_source(source, "DEF"));
}
SCENARIO(no_descriptor,
         .title = "A source without a descriptor is a member that is never served",
         .clauses = "PORT-2",
         .expected = "= TimedOut; contained: yes")

static void unknown_version(void)
{
    RLRunLoopSourceContext context = {.version = 3};

    check(RLRunLoopSourceCreate(NULL, 0, &context) == NULL);
    context.version = -1;
    check(RLRunLoopSourceCreate(NULL, 0, &context) == NULL);
}
SCENARIO(unknown_version,
         .title = "A context of an unknown version makes no source",
         .clauses = "SRC-1",
         .expected = "")

static const struct scenario *const descriptors_scenarios[] = {
    LISTED(descriptor_levels),
    LISTED(descriptor_interest),
    LISTED(descriptor_hang_up),
    LISTED(descriptor_last_data),
    LISTED(descriptor_wakes),
    LISTED(descriptor_update_while_asleep),
    LISTED(descriptor_in_modes),
    LISTED(descriptors_take_turns),
    LISTED(no_descriptor),
    LISTED(unknown_version),
    NULL,
};
