/*
 * Types and constants (TYPE-1 to TYPE-13, CONST-1 to CONST-9).
 */

static void scalar_types(void)
{
    check(sizeof(E(Index)) == sizeof(void *) && (E(Index))-1 < 0);
    check(sizeof(E(OptionFlags)) == sizeof(void *) && (E(OptionFlags))-1 > 0);
    check(sizeof(E(HashCode)) == sizeof(void *) && (E(HashCode))-1 > 0);
    check(sizeof(E(TypeID)) == sizeof(void *) && (E(TypeID))-1 > 0);
    check(sizeof(Boolean) == 1 && (Boolean)-1 > 0);
    check(sizeof(E(TimeInterval)) == 8);
    check(K(AbsoluteTimeIntervalSince1970) == 978307200.0);

    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double before = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - 978307200.0;
    check(E(AbsoluteTimeGetCurrent)() >= before - 1e-5);
    check(E(AbsoluteTimeGetCurrent)() < before + 100);
}
SCENARIO(scalar_types,
         .title = "Scalar types have their sizes and signs, and dates count from 2001",
         .clauses = "TYPE-1 TYPE-2")

static void type_numbers(void)
{
    E(TypeID) loop = E(RunLoopGetTypeID)(), source = E(RunLoopSourceGetTypeID)();
    E(TypeID) observer = E(RunLoopObserverGetTypeID)(), timer = E(RunLoopTimerGetTypeID)();

    check(loop != source && loop != observer && loop != timer);
    check(source != observer && source != timer && observer != timer);
    check(E(GetTypeID)(this_loop()) == loop);
    check(E(GetTypeID)(SOURCE("A")) == source);
    check(E(GetTypeID)(OBSERVER("o")) == observer);
    check(E(GetTypeID)(TIMER("t")) == timer);
}
SCENARIO(type_numbers,
         .title = "Loops, sources, observers and timers are four different types",
         .clauses = "TYPE-3")

static void identity(void)
{
    observer_ref one = OBSERVER("o"), other = OBSERVER("o");
    timer_ref first = TIMER("t", .date = 5), second = TIMER("t", .date = 5);

    check(E(Equal)(one, one) && !E(Equal)(one, other));
    check(E(Equal)(first, first) && !E(Equal)(first, second));
    check(E(Equal)(this_loop(), this_loop()) && !E(Equal)(this_loop(), E(RunLoopGetMain)()));
    check(E(Hash)(one) == E(Hash)(one) && E(Hash)(first) == E(Hash)(first));
}
SCENARIO(identity,
         .title = "Loops, observers and timers are equal only to themselves",
         .clauses = "TYPE-4")

static void activities(void)
{
    check(K(RunLoopEntry) == 1);
    check(K(RunLoopBeforeTimers) == 2);
    check(K(RunLoopBeforeSources) == 4);
    check(K(RunLoopBeforeWaiting) == 32);
    check(K(RunLoopAfterWaiting) == 64);
    check(K(RunLoopExit) == 128);
    check(K(RunLoopAllActivities) == 0x0FFFFFFF);
    check(sizeof(E(RunLoopActivity)) == sizeof(E(OptionFlags)));
}
SCENARIO(activities,
         .title = "Activities have the values of Apple's headers",
         .clauses = "CONST-1")

static void results(void)
{
    check(K(RunLoopRunFinished) == 1);
    check(K(RunLoopRunStopped) == 2);
    check(K(RunLoopRunTimedOut) == 3);
    check(K(RunLoopRunHandledSource) == 4);
    check(sizeof(E(RunLoopRunResult)) == 4);
}
SCENARIO(results,
         .title = "Results have the values of Apple's headers",
         .clauses = "CONST-2")

/* Logs the characters of a string after its first letter, with which the engines differ. */
static void note_constant(mode_ref mode)
{
    char buffer[64];

    check(E(StringGetCString)(mode, buffer, sizeof(buffer), K(StringEncodingUTF8)));
    check(strncmp(buffer, "k", 1) == 0);
    note("%s", buffer + 3);
}

static void mode_constants(void)
{
    note_constant(K(RunLoopDefaultMode));
    note_constant(K(RunLoopCommonModes));
    check(E(GetTypeID)(K(RunLoopDefaultMode)) == E(StringGetTypeID)());
}
SCENARIO(mode_constants,
         .title = "The names of the mode constants are their own names",
         .clauses = "CONST-3",
         .expected = "RunLoopDefaultMode; RunLoopCommonModes")

static void contexts(void)
{
    const size_t word = sizeof(void *);

    check(sizeof(E(RunLoopSourceContext)) == 10 * word);
    check(sizeof(E(RunLoopSourceContext1)) == 9 * word);
    check(sizeof(E(RunLoopObserverContext)) == 5 * word);
    check(sizeof(E(RunLoopTimerContext)) == 5 * word);
    check(offsetof(E(RunLoopSourceContext), info) == word);
    check(offsetof(E(RunLoopSourceContext), retain) == 2 * word);
    check(offsetof(E(RunLoopSourceContext), release) == 3 * word);
    check(offsetof(E(RunLoopSourceContext), copyDescription) == 4 * word);
    check(offsetof(E(RunLoopSourceContext), equal) == 5 * word);
    check(offsetof(E(RunLoopSourceContext), hash) == 6 * word);
    check(offsetof(E(RunLoopSourceContext), schedule) == 7 * word);
    check(offsetof(E(RunLoopSourceContext), cancel) == 8 * word);
    check(offsetof(E(RunLoopSourceContext), perform) == 9 * word);
    check(offsetof(E(RunLoopSourceContext1), getPort) == 7 * word);
    check(offsetof(E(RunLoopSourceContext1), perform) == 8 * word);
    check(offsetof(E(RunLoopTimerContext), copyDescription) == 4 * word);
}
SCENARIO(contexts,
         .title = "The context structures have the layout of Apple's headers",
         .clauses = "TYPE-7 TYPE-8 TYPE-9 TYPE-11")

static void largest_date(void)
{
    timer_ref infinite = TIMER("t", .date = __builtin_inf());
    timer_ref high = TIMER("t", .date = 4039289857.0);
    timer_ref low = TIMER("t", .date = -__builtin_inf());
    timer_ref past = TIMER("t", .date = -12345.5);

    check(E(RunLoopTimerGetNextFireDate)(infinite) == 4039289856.0);
    check(E(RunLoopTimerGetNextFireDate)(high) == 4039289856.0);
    check(E(RunLoopTimerGetNextFireDate)(low) == -__builtin_inf());
    check(E(RunLoopTimerGetNextFireDate)(past) == -12345.5);
    E(RunLoopTimerSetNextFireDate)(past, 1e300);
    check(E(RunLoopTimerGetNextFireDate)(past) == 4039289856.0);
}
SCENARIO(largest_date,
         .title = "Fire dates are capped at 4039289856, past ones are kept as they are",
         .clauses = "CONST-4 TMR-4 TMR-30")

/* What callbacks were given; their info points to one of these. */
struct arguments {
    const void *item;
    unsigned long activity;
};

static void tell_observed(observer_ref observer, E(RunLoopActivity) activity, void *info)
{
    *(struct arguments *)info = (struct arguments){observer, activity};
}

static void tell_fired(timer_ref timer, void *info)
{
    *(struct arguments *)info = (struct arguments){timer, 0};
}

static void callback_arguments(void)
{
    struct arguments observed = {0}, fired = {0};
    E(RunLoopObserverContext) of_observer = {.info = &observed};
    E(RunLoopTimerContext) of_timer = {.info = &fired};
    observer_ref observer =
        E(RunLoopObserverCreate)(NULL, K(RunLoopExit), false, 0, tell_observed, &of_observer);
    timer_ref timer = E(RunLoopTimerCreate)(NULL, 0, 0, 0, 0, tell_fired, &of_timer);

    add_observer(observer, "DEF");
    add_timer(timer, "DEF");
    run("DEF", 0, false);
    check(observed.item == observer && observed.activity == K(RunLoopExit));
    check(fired.item == timer);
    E(Release)(observer);
    E(Release)(timer);
}
SCENARIO(callback_arguments,
         .title = "Callbacks get the item and its info, and observers the activity",
         .clauses = "TYPE-13",
         .expected = "= TimedOut")
