/*
 * The engine's use of the kernel: the number and kind of descriptors, and their lifetime. Ours
 * only.
 */

#include "scenario.h"
#include "system_calls.h"

#include <sys/resource.h>

static void eleven_modes(void)
{
    static const char *const names[] = {"DEF", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    const int count = sizeof(names) / sizeof(names[0]);
    int before = count_descriptors();

    for (int index = 0; index < count; index++) {
        add_source(SOURCE("A", .quiet = true), names[index]);
        add_timer(TIMER("t", .after = 1000), names[index]);
        RLRunLoopRunInMode(mode_named(names[index]), 0, false);
    }
    check(count_descriptors() == before);
    RLRunLoopRunInMode(mode_named("1"), 0.0001, false);
    /* The wake-up port, and one mode's epoll set and timer port. */
    check(count_descriptors() == before + 3);
    RLRunLoopRunInMode(mode_named("1"), 0.0001, false);
    check(count_descriptors() == before + 3);
}
SCENARIO(eleven_modes,
         .title = "A mode without ports has no descriptors of its own until the loop sleeps in it",
         .clauses = "WAKE-12",
         .rl_only = true,
         .own_process = true)

static void closed_on_exec(void)
{
    int before = count_inheritable();
    int counter = make_counter();

    add_source(PORT("p", counter, .quiet = true), "DEF");
    add_source(PORT("q", counter, .quiet = true, .perform = ^{}), "M");
    add_timer(TIMER("t", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    RLRunLoopRunInMode(mode_named("M"), 0.0001, false);
    check(count_inheritable() == before);
}
SCENARIO(closed_on_exec,
         .title = "Started programs inherit no descriptor of the engine",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

static void without_descriptors(void)
{
    struct rlimit whole;
    RLRunLoopRef loop = this_loop();
    struct gate *fired = make_gate();
    struct helper_thread *stopper = start_thread(^{
        pass_gate(fired);
        wait_until_asleep(loop);
        RLRunLoopStop(loop);
    });

    keep_alive("DEF");
    after(0.002, "t", "DEF", ^{ open_gate(fired); });
    getrlimit(RLIMIT_NOFILE, &whole);
    struct rlimit none = {.rlim_cur = 0, .rlim_max = whole.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    run("DEF", 10, false);
    join_thread(stopper);
    /* The search for leaks at the end of the process opens some. */
    setrlimit(RLIMIT_NOFILE, &whole);
}
SCENARIO(without_descriptors,
         .title = "A loop that can have no descriptors reports it, and still serves and stops",
         .clauses = "WAKE-13",
         .rl_only = true,
         .own_process = true,
         .expected = "t; = Stopped")

/* Whether a timerfd of the process is armed, as the kernel reports for each. */
static bool armed_timer_exists(void)
{
    bool exists = false;
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char path[64], text[1024];
        snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", descriptor);
        FILE *file = fopen(path, "r");
        size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
        text[length] = '\0';
        if (file) fclose(file);
        const char *value = strstr(text, "it_value: (");
        if (value && strncmp(value, "it_value: (0, 0)", 16) != 0) exists = true;
    }
    return exists;
}

static void disarmed(void)
{
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000, .quiet = true);
    RLRunLoopRef loop = this_loop();

    add_timer(timer, "DEF");
    keep_alive("DEF");
    struct helper_thread *client = start_thread(^{
        while (!armed_timer_exists()) sched_yield();
        RLRunLoopRemoveTimer(loop, timer, kRLRunLoopDefaultMode);
        note_answer("armed", armed_timer_exists());
        RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
        RLRunLoopStop(loop);
    });
    run("DEF", 10, false);
    join_thread(client);
    note_answer("armed", armed_timer_exists());
    remove_timer(timer, "DEF");
    note_answer("armed", armed_timer_exists());
}
SCENARIO(disarmed,
         .title = "No kernel timer stays armed for a timer that is gone",
         .clauses = "TMR-43",
         .rl_only = true,
         .own_process = true,
         .expected = "armed: no; = Stopped; armed: yes; armed: no")

/*
 * Closes all of the process's descriptors of a kind, like a program that closes all that it does
 * not know.
 */
static void close_all(const char *kind)
{
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char path[64], target[64];
        snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(path, target, sizeof(target) - 1);
        target[length < 0 ? 0 : length] = '\0';
        if (strstr(target, kind)) close(descriptor);
    }
}

static void run_without(const char *kind)
{
    RLRunLoopRef loop = this_loop();

    add_timer(TIMER("t", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    close_all(kind);
    add_timer(TIMER("t", .after = 500), "DEF");
    start_thread(^{
        wait_until_asleep(loop);
        for (;;) RLRunLoopWakeUp(loop);
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, false);
}

static void closed_by_other_code(void)
{
    static const char *const kinds[] = {"[eventpoll]", "[timerfd]", "[eventfd]"};

    for (size_t index = 0; index < sizeof(kinds) / sizeof(kinds[0]); index++) {
        const char *kind = kinds[index];
        const char *line = messages_of(^{ run_without(kind); });
        note_answer(kind,
                    strstr(line, "of a run loop was closed by other code (Bad file descriptor): "));
    }
}
SCENARIO(closed_by_other_code,
         .title = "A loop whose descriptors were closed reports it when it needs them",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true,
         .expected = "[eventpoll]: yes; [timerfd]: yes; [eventfd]: yes")

/* A daemon closes all that it has inherited. */
static void closed_in_child(void)
{
    RLRunLoopRef loop = this_loop();

    add_timer(TIMER("t", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    pid_t child = fork();
    if (child == 0) {
        for (int descriptor = 3; descriptor < 64; descriptor++) close(descriptor);
        start_thread(^{
            wait_until_asleep(loop);
            RLRunLoopStop(loop);
        });
        int result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 100, false);
        _exit(result == kRLRunLoopRunStopped ? 0 : 1);
    }
    note_child(child);
}
SCENARIO(closed_in_child,
         .title = "A child that closes all that it has inherited can use its loop",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0")

static void without_preadv2(void)
{
    int first = eventfd(0, EFD_CLOEXEC), second = eventfd(0, EFD_CLOEXEC);

    add_source(PORT("first", first), "DEF");
    add_source(PORT("second", second, .perform = ^{ close(second); }), "DEF");
    refuse_call(SYS_preadv2, ENOSYS);
    for (int count = 0; count < 2; count++) {
        count_up(first);
        run("DEF", 10, true);
    }
    count_up(second);
    run("DEF", 10, true);
    run("DEF", 0, true);
    close(first);
}
SCENARIO(without_preadv2,
         .title = "Ports are emptied where the kernel has no read that cannot block",
         .clauses = "PORT-4 PORT-7",
         .rl_only = true,
         .own_process = true,
         .expected = "first; = HandledSource; first; = HandledSource; second; = HandledSource; = TimedOut")

/* As the kernel answers once for a timer with TFD_TIMER_CANCEL_ON_SET when the clock was set. */
static void clock_set_under_timer_descriptor(void)
{
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    struct itimerspec soon = {.it_value = {.tv_nsec = 1}};

    add_source(PORT("p", timer), "DEF");
    refuse_call(SYS_preadv2, ECANCELED);
    timerfd_settime(timer, 0, &soon, NULL);
    run("DEF", 10, true);
    close(timer);
}
SCENARIO(clock_set_under_timer_descriptor,
         .title = "A port on a timer descriptor is notified when the clock is set",
         .clauses = "PORT-7",
         .rl_only = true,
         .own_process = true,
         .expected = "p; = HandledSource")
