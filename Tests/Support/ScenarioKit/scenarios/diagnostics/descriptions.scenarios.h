/*
 * Descriptions: which fields, with what values, in which order (DESC clauses).
 */

/* Logs the first of the pieces, which end in a null pointer, that is missing or out of order. */
static void check_pieces(const void *object, const char *const *pieces)
{
    static char text[65536];
    mode_ref description = E(CopyDescription)(object);
    check(E(StringGetCString)(description, text, sizeof(text), K(StringEncodingUTF8)));
    E(Release)(description);
    const char *rest = text;
    for (; *pieces; pieces++) {
        const char *found = strstr(rest, *pieces);
        if (found) {
            rest = found + strlen(*pieces);
        } else {
            note("missing: %s", *pieces);
            return;
        }
    }
}

#define HAS_PIECES(object, ...) check_pieces(object, (const char *const[]){__VA_ARGS__, NULL})

static void described_source(void)
{
    source_ref source = SOURCE("A", .order = -3);

    HAS_PIECES(source, "RunLoopSource 0x", "[", "]>{", "signalled = No", "valid = Yes",
               "order = -3", "context = ", "version = 0", "info = 0x", "callout = ");
    signal_source(source);
    HAS_PIECES(source, "signalled = Yes", "valid = Yes");
    E(RunLoopSourceInvalidate)(source);
    HAS_PIECES(source, "signalled = No", "valid = No", "order = -3");
}
SCENARIO(described_source,
         .title = "A source is described by its marks, its order and its context",
         .clauses = "DESC-3 DESC-7")

static mode_ref describe_info(const void *info)
{
    return E(StringCreateWithCString)(NULL, "what the context says", K(StringEncodingUTF8));
}

static void described_contexts(void)
{
    static int data;
    E(RunLoopSourceContext) of_source = {.info = &data, .copyDescription = describe_info};
    E(RunLoopObserverContext) of_observer = {.info = &data, .copyDescription = describe_info};
    E(RunLoopTimerContext) of_timer = {.info = &data, .copyDescription = describe_info};
    source_ref source = E(RunLoopSourceCreate)(NULL, 0, &of_source);
    observer_ref observer = E(RunLoopObserverCreate)(NULL, 1, true, 0, NULL, &of_observer);
    timer_ref timer = E(RunLoopTimerCreate)(NULL, 0, 0, 0, 0, NULL, &of_timer);

    HAS_PIECES(source, "context = what the context says");
    HAS_PIECES(observer, "context = what the context says");
    HAS_PIECES(timer, "context = what the context says");
    E(Release)(source);
    E(Release)(observer);
    E(Release)(timer);
}
SCENARIO(described_contexts,
         .title = "A context that describes itself is asked to",
         .clauses = "DESC-3 DESC-4 DESC-5",
         .says = "`callout` is null")

static void described_observer(void)
{
    unsigned long activities = K(RunLoopBeforeTimers) | K(RunLoopBeforeWaiting);
    observer_ref observer = OBSERVER("o", .activities = activities, .order = 4, .once = true);

    HAS_PIECES(observer, "RunLoopObserver 0x", "]>{", "valid = Yes", "activities = 0x22",
               "repeats = No", "order = 4", "callout = ", "context = ", "context 0x");
    E(RunLoopObserverInvalidate)(observer);
    HAS_PIECES(observer, "valid = No", "activities = 0x22", "context ", null_text());
}
SCENARIO(described_observer,
         .title = "An observer is described by its activities, its order and its callout",
         .clauses = "DESC-4 DESC-7")

static void described_timer(void)
{
    timer_ref timer = TIMER("t", .after = 1000, .interval = 5, .fire = ^(timer_ref fired) {
        HAS_PIECES(fired, "valid = Yes", "firing = Yes");
        stop();
    });

    HAS_PIECES(timer, "RunLoopTimer 0x", "]>{", "valid = Yes", "firing = No", "interval = 5",
               "tolerance = 0", "next fire date = ", " (", " @ ",
               "), callout = ", "context = ", "context 0x");
    E(RunLoopTimerSetNextFireDate)(timer, 0);
    add_timer(timer, "DEF");
    run("DEF", 10, false);
    E(RunLoopTimerInvalidate)(timer);
    HAS_PIECES(timer, "valid = No", "firing = No", "interval = 5", "next fire date = ", "context ",
               null_text());
}
SCENARIO(described_timer,
         .title = "A timer is described by its schedule, also when it is invalid",
         .clauses = "DESC-5",
         .expected = "t; = Stopped")

static void described_loop(void)
{
    loop_ref loop = this_loop();
    source_ref port = PORT("p", make_counter(), .order = 17);

    HAS_PIECES(loop, "RunLoop 0x", "]>{wakeup port = 0x", "stopped = false", "ignoreWakeUps = true",
               "current mode = (none)", "common modes = ", "count = 1",
               "common mode items = (null)", "modes = ", "count = 1", "RunLoopMode 0x",
               "name = ", "port set = 0x", "timer port = 0x", "sources0 = (null)",
               "sources1 = (null)", "observers = (null)", "timers = (null)", "currently ",
               " / soft deadline in: ", " sec (@ -1)", " / hard deadline in: ", " sec (@ -1)");
    add_source(port, "DEF");
    add_observer(OBSERVER("o", .activities = K(RunLoopExit), .quiet = true), "COM");
    add_timer(TIMER("t", .after = 1000), "DEF");
    when_next(K(RunLoopBeforeWaiting), "DEF", ^{
        HAS_PIECES(loop, "stopped = false", "ignoreWakeUps = false",
                   "current mode = ", "DefaultMode", "common mode items = ", "activities = 0x80",
                   "modes = ", "sources1 = ", "order = 17",
                   "observers = ", "timers = ", "valid = Yes");
        stop();
        HAS_PIECES(loop, "stopped = true");
    });
    run("DEF", 10, false);
}
SCENARIO(described_loop,
         .title = "A loop is described with its modes and all that is in them",
         .clauses = "DESC-1 DESC-2 DESC-8",
         .expected = "= Stopped")
