/*
 * Forked children. Ours only: the reference's share their parent's kernel objects (D16).
 */

#include "../sockets/socket_words.h"
#include "../sources/port_words.h"
#include "queues.h"
#include "scenario.h"

#include <link.h>
#include <stdatomic.h>

/* Uses the inherited loop in a forked child; returns 0 if all went well. */
static int use_in_child(RLRunLoopRef inherited)
{
    __block int fired = 0;
    __block int fed = 0;
    /* Whichever comes second ends the run. */
    action stop_at_both = ^{
        if (fired > 0 && fed > 0) RLRunLoopStop(inherited);
    };
    int counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    RLRunLoopRef loop = this_loop();

    if (loop != inherited) return 1;
    add_source(PORT("p", counter, .quiet = true,
                    .perform =
                        ^{
                            fed++;
                            stop_at_both();
                        }),
               "DEF");
    add_timer(TIMER("t", .after = 0.005, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            fired++;
                            RLRunLoopWakeUp(loop);
                            stop_at_both();
                        }),
              "DEF");
    count_up(counter);
    int result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e9, false);
    if (result != kRLRunLoopRunStopped) return 2;
    result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    if (result != kRLRunLoopRunTimedOut) return 7;
    if (fired != 1) return 3;
    if (fed != 1) return 4;

    pthread_t thread;
    void *(*start)(void *) = (void *(*)(void *))(void *)RLRunLoopGetCurrent;
    void *other = NULL;
    if (pthread_create(&thread, NULL, start, NULL) != 0) return 5;
    pthread_join(thread, &other);
    return other == NULL || other == loop ? 6 : 0;
}

static void forked_child(void)
{
    RLRunLoopRef loop = this_loop();
    int counter = make_counter();
    int status = 0;

    RLRunLoopSourceRef port = PORT("parent", counter);
    add_source(port, "DEF");
    RLRunLoopTimerRef timer = TIMER("parent timer", .after = 1000);
    add_timer(timer, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false);
    pid_t child = fork();
    if (child == 0) {
        /* It shares the counter, which it would read in the parent's place. */
        remove_source(port, "DEF");
        _exit(use_in_child(loop));
    }
    count_up(counter);
    run("DEF", 10, true);
    waitpid(child, &status, 0);
    check(WIFEXITED(status));
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    remove_source(keep_alive("DEF"), "DEF");
    count_up(counter);
    run("DEF", 10, true);
    RLRunLoopTimerSetNextFireDate(timer, RLAbsoluteTimeGetCurrent() + 0.002);
    after(0.004, "stop", "DEF", ^{ stop(); });
    run("DEF", 10, false);
}
SCENARIO(forked_child,
         .title = "A forked child uses the inherited loop without disturbing its parent",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .own_process = true,
         .expected = "parent; = HandledSource; child: 0; parent; = HandledSource; parent timer; "
                     "stop; = Stopped")

static void forked_child_of_main(void)
{
    forked_child();
}
SCENARIO(forked_child_of_main,
         .title = "A child forked on the main thread uses the inherited main loop",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .main_thread = true,
         .expected = "parent; = HandledSource; child: 0; parent; = HandledSource; parent timer; "
                     "stop; = Stopped")

static void forked_in_callout(void)
{
    RLRunLoopRef loop = this_loop();
    __block pid_t child = 0;
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{ child = fork(); });

    add_source(source, "DEF");
    signal_source(source);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.003, false);
    if (child == 0) _exit(use_in_child(loop));
    note_child(child);
}
SCENARIO(forked_in_callout,
         .title = "A child forked in a callout continues in its copy of the run",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .own_process = true,
         .expected = "child: 0")

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void forked_with_main_queue(void)
{
    __block pid_t child = 0;
    __block bool is_served = false;
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true, .perform = ^{ child = fork(); });

    add_source(source, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    signal_source(source);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    /* The child's copy of the queue is the parent's; only the parent may serve it. */
    dispatch_async(&_dispatch_main_q, ^{ is_served = true; });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.01, false);
    if (child == 0) _exit(is_served ? 1 : 0);
    note_child(child);
    note_answer("served", is_served);
}
SCENARIO(forked_with_main_queue,
         .title = "A child forked in a callout of the main loop leaves the main queue alone",
         .clauses = "LIFE-20 LIFE-21 MAINQ-6",
         .rl_only = true,
         .main_thread = true,
         .expected = "child: 0; served: yes")
#endif

/* A child whose only thread had no loop: it has the main loop, which does not run. */
static int look_around_in_child(RLRunLoopRef main_loop)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopMode mode = RLRunLoopCopyCurrentMode(loop);
    if (loop != main_loop || RLRunLoopGetMain() != main_loop) return 1;
    if (mode) return 2;
    if (RLRunLoopIsWaiting(loop)) return 3;
    return RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.001, false) == kRLRunLoopRunTimedOut ? 0 : 4;
}

static void forked_without_loop(void)
{
    RLRunLoopRef loop = this_loop();
    struct helper_thread *forker = start_thread(^{
        wait_until_asleep(loop);
        pid_t child = fork();
        if (child == 0) _exit(look_around_in_child(loop));
        note_child(child);
        RLRunLoopStop(loop);
    });

    keep_alive("DEF");
    run("DEF", 10, false);
    join_thread(forker);
}
SCENARIO(forked_without_loop,
         .title = "A child of a thread without a loop gets the main loop, at rest",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .main_thread = true,
         .expected = "child: 0; = Stopped")

/* The number of the process's event sets and timers of the kernel. */
static int count_kernel_sets(void)
{
    int count = 0;
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char path[64], target[64];
        snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(path, target, sizeof(target) - 1);
        target[length < 0 ? 0 : length] = '\0';
        if (strstr(target, "[eventpoll]") || strstr(target, "[timerfd]")) count++;
    }
    return count;
}

static void forked_after_teardown(void)
{
    __block RLRunLoopRef kept = NULL;
    elsewhere(^{
        kept = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop());
        add_timer(TIMER("t", .after = 1000), "DEF");
        keep_alive("DEF");
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    });
    int before = count_kernel_sets();
    pid_t child = fork();
    if (child == 0) _exit(count_kernel_sets());
    note("parent: %d", before);
    note_child(child);
    RLRelease(kept);
}
SCENARIO(forked_after_teardown,
         .title = "A loop that outlives its thread has no kernel sets a child could share",
         .clauses = "LIFE-11 LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "parent: 0; child: 0")

/* The parent knows of ready ports that it has not served yet. */
static void forked_with_ready_ports(void)
{
    struct ready_ports *ports = ring_five();
    int status = 0;

    run("DEF", 0, true);
    remove_source(ports->sources[4], "DEF");
    pid_t child = fork();
    if (child == 0) {
        int served = 0;
        while (RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true) == kRLRunLoopRunHandledSource) {
            served++;
        }
        _exit(served);
    }
    check(waitpid(child, &status, 0) == child);
    note("child: %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    /* The counts were the child's to take. */
    serve_ports(10);
    count_up(ports->counters[2]);
    serve_ports(10);
}
SCENARIO(forked_with_ready_ports,
         .title = "A forked child finds the ready ports, and each is served once",
         .clauses = "LIFE-20 LIFE-21",
         .rl_only = true,
         .own_process = true,
         .expected = "A; = HandledSource; B; C; D; child: 3; = TimedOut; C; = HandledSource; = TimedOut")

/* Threads hold the locks of loops and sources in all orders that there are. */
static void forked_with_shared_source(void)
{
    enum { FORKS = 100 };
    RLRunLoopSourceRef source = SOURCE("A", .quiet = true);
    struct gate *ready = make_gate();
    __block RLRunLoopRef other = NULL;
    __block atomic_bool is_over = false;

    add_source(source, "DEF");
    struct helper_thread *owner = start_thread(^{
        other = this_loop();
        keep_alive("DEF");
        open_gate(ready);
        run("DEF", 100, false);
    });
    pass_gate(ready);
    struct helper_thread *signaller = start_thread(^{
        while (!atomic_load(&is_over)) RLRunLoopSourceSignal(source);
    });
    struct helper_thread *mover = start_thread(^{
        while (!atomic_load(&is_over)) {
            RLRunLoopAddSource(other, source, kRLRunLoopDefaultMode);
            RLRunLoopRemoveSource(other, source, kRLRunLoopDefaultMode);
        }
    });
    for (int count = 0; count < FORKS; count++) {
        int status = 0;
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        pid_t child = fork();
        if (child == 0) _exit(0);
        check(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(signaller);
    join_thread(mover);
    wait_until_asleep(other);
    RLRunLoopStop(other);
    join_thread(owner);
}
SCENARIO(forked_with_shared_source,
         .title = "A fork waits for no thread that waits for what the fork has locked",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped")

/* Another thread has the lock of an item, and no other, most of the time. */
static void forked_with_locked_item(void)
{
    enum { FORKS = 100 };
    RLRunLoopTimerRef timer = TIMER("t", .after = 1000, .quiet = true);
    struct gate *ready = make_gate();
    __block atomic_bool is_over = false;

    add_timer(timer, "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    struct helper_thread *requester = start_thread(^{
        open_gate(ready);
        while (!atomic_load(&is_over)) check(RLRunLoopTimerGetTolerance(timer) == 0);
    });
    pass_gate(ready);
    for (int count = 0, status = 0; count < FORKS && status == 0; count++) {
        pid_t child = fork();
        if (child == 0) {
            RLRunLoopTimerInvalidate(timer);
            _exit(0);
        }
        check(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(requester);
}
SCENARIO(forked_with_locked_item,
         .title = "A child uses an item although another thread had its lock at the fork",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true)

/* The main thread, which the child does not have, is in a timer's callback and an observer's. */
static void forked_while_main_is_called(void)
{
    RLRunLoopRef loop = this_loop();
    struct gate *is_called = make_gate(), *is_forked = make_gate();
    __block int fired = 0, observed = 0;

    when(kRLRunLoopBeforeTimers, "DEF", ^{
        if (++observed != 2) return;
        open_gate(is_called);
        pass_gate(is_forked);
    });
    add_timer(TIMER("t", .after = 0.001, .interval = 0.001, .quiet = true,
                    .fire =
                        ^(RLRunLoopTimerRef timer) {
                            (void)timer;
                            if (++fired == 1) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
                            RLRunLoopStop(loop);
                        }),
              "DEF");
    struct helper_thread *forker = start_thread(^{
        pass_gate(is_called);
        pid_t child = fork();
        if (child == 0) {
            fired = observed = 10;
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e9, false);
            _exit(this_loop() == loop && fired == 11 && observed > 10 ? 0 : 1);
        }
        open_gate(is_forked);
        note_child(child);
    });
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1e9, false);
    join_thread(forker);
}
SCENARIO(forked_while_main_is_called,
         .title = "A child calls what the parent's main thread was calling when another one forked",
         .clauses = "LIFE-20",
         .rl_only = true,
         .main_thread = true,
         .expected = "child: 0")

/*
 * Allocates nothing, nor takes the socket's own lock but inside the table's: those are not the
 * subject.
 */
static bool finds_socket(int handle, RLSocketRef known)
{
    RLSocketRef found = RLSocketCreateWithNative(NULL, handle, 0, NULL, NULL);
    RLRelease(found);
    return found == known;
}

/* Another thread has the lock of the table of sockets most of the time. */
static void forked_with_sockets(void)
{
    enum { FORKS = 100 };
    int handle = handle_pair(SOCK_STREAM)[0];
    RLSocketRef known = RLSocketCreateWithNative(NULL, handle, 0, NULL, NULL);
    struct gate *ready = make_gate();
    __block atomic_bool is_over = false;

    struct helper_thread *finder = start_thread(^{
        open_gate(ready);
        while (!atomic_load(&is_over)) check(finds_socket(handle, known));
    });
    pass_gate(ready);
    for (int count = 0, status = 0; count < FORKS && status == 0; count++) {
        pid_t child = fork();
        if (child == 0) {
            _exit(finds_socket(handle, known) ? 0 : 1);
        }
        check(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(finder);
    RLSocketInvalidate(known);
    RLRelease(known);
}
SCENARIO(forked_with_sockets,
         .title = "A child uses sockets although another thread used them when it was forked",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true)

static void perform_nothing(void *info)
{
}

static int hold_linker(struct dl_phdr_info *info, size_t size, void *is_over)
{
    sched_yield();
    return 0;
}

static bool describes_itself(RLTypeRef item)
{
    RLStringRef text = RLCopyDescription(item);
    bool has_name =
        strstr(RLStringGetCStringPtr(text, kRLStringEncodingUTF8), "perform_nothing") != NULL;
    RLRelease(text);
    return has_name;
}

static void forked_while_linker_is_locked(void)
{
    enum { FORKS = 50 };
    RLRunLoopSourceContext context = {.perform = perform_nothing};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    struct gate *ready = make_gate();
    __block atomic_bool is_over = false;
    struct helper_thread *holder = start_thread(^{
        open_gate(ready);
        while (!atomic_load(&is_over)) dl_iterate_phdr(hold_linker, NULL);
    });
    pass_gate(ready);
    for (int count = 0, status = 0; count < FORKS && status == 0; count++) {
        pid_t child = fork();
        if (child == 0) {
            _exit(describes_itself(source) ? 0 : 1);
        }
        check(waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&is_over, true);
    join_thread(holder);
    RLRelease(source);
}
SCENARIO(forked_while_linker_is_locked,
         .title = "A child describes items although another thread had the linker's lock at the fork",
         .clauses = "LIFE-20",
         .rl_only = true,
         .own_process = true)

static struct gate *is_forking, *is_found;

/* Runs after the engine has taken its locks, as it was registered before. */
static void wait_for_look(void)
{
    open_gate(is_forking);
    pass_gate(is_found);
}

static void lookup_while_forking(void)
{
    pthread_atfork(wait_for_look, NULL, NULL);
    is_forking = make_gate();
    is_found = make_gate();
    RLRunLoopRef main_loop = RLRunLoopGetMain();
    struct gate *has_loop = make_gate();
    struct helper_thread *looker = start_thread(^{
        RLRunLoopRef own = this_loop();
        open_gate(has_loop);
        pass_gate(is_forking);
        check(RLRunLoopGetMain() == main_loop && this_loop() == own);
        note("found");
        open_gate(is_found);
    });
    pass_gate(has_loop);
    pid_t child = fork();
    if (child == 0) _exit(0);
    note_child(child);
    join_thread(looker);
}
SCENARIO(lookup_while_forking,
         .title = "A loop that exists is found while the table of loops is locked",
         .clauses = "LIFE-1 LIFE-2",
         .rl_only = true,
         .own_process = true,
         .expected = "found; child: 0")
