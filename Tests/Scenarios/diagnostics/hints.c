/*
 * Hints of debug builds about allowed calls without effect. Ours only.
 *
 * Other scenarios that make such calls declare them by `expected_hints`. These check the lines
 * themselves, in their own processes.
 */

#include "../tls/tls_words.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>

#if defined(RL_TESTING) && !defined(RL_WITHOUT_HINTS)

__attribute__((constructor)) static void take_hints(void)
{
    RLTestingSetHintHandler(lab_take_hint);
}

static int count_words(const char *text, const char *words)
{
    int count = 0;
    while ((text = strstr(text, words))) {
        text += strlen(words);
        count++;
    }
    return count;
}

/** Does it twice, in its own process, which must print one hint with these words. */
static void check_hint(const char *words, action misuse)
{
    const char *messages = messages_of(^{
        RLTestingSetHintHandler(NULL);
        misuse();
        misuse();
    });
    bool is_right = count_words(messages, words) == 1 && count_words(messages, "\n") == 1;
    if (!is_right) note("printed: %s", messages);
}

/** Checks that nothing is printed. */
static void check_silence(action use)
{
    const char *messages = messages_of(^{
        RLTestingSetHintHandler(NULL);
        use();
    });
    if (*messages) note("printed: %s", messages);
}

static void call_nobody(void *info)
{
}

static void call_nobody_at_time(RLRunLoopTimerRef timer, void *info)
{
}

static RLRunLoopSourceRef plain_source(void)
{
    RLRunLoopSourceContext context = {.perform = call_nobody};
    return RLRunLoopSourceCreate(NULL, 0, &context);
}

static void call_no_timer(RLRunLoopTimerRef timer, void *info)
{
}

static RLRunLoopTimerRef timer_at(double date)
{
    return RLRunLoopTimerCreate(NULL, date, 0, 0, 0, call_no_timer, NULL);
}

static void hint_at_loop_that_never_ran(void)
{
    check_hint("RLRunLoopAddTimer: thread ", ^{
        call_on_thread(^{
            RLRunLoopTimerRef timer = timer_at(RLAbsoluteTimeGetCurrent() + 60);
            RLRunLoopAddTimer(this_loop(), timer, kRLRunLoopDefaultMode);
            RLRunLoopAddTimer(this_loop(), timer, RLSTR("other"));
            RLRelease(timer);
        });
    });
    check_hint(" ends with 0 timer(s), 1 source(s) and 0 block(s) in run loop ", ^{
        call_on_thread(^{
            RLRunLoopSourceRef source = plain_source();
            RLRunLoopAddSource(this_loop(), source, kRLRunLoopCommonModes);
            RLRunLoopSourceSignal(source);
            RLRelease(source);
        });
    });
    RLRunLoopRef other_loop = this_loop();
    check_hint(" ends with 0 timer(s), 1 source(s) and 0 block(s) in run loop ", ^{
        call_on_thread(^{
            /* No two of them are equal. */
            static char infos[2];
            static int used;
            RLRunLoopSourceContext context = {.info = &infos[used++], .perform = call_nobody};
            RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
            RLRunLoopAddSource(this_loop(), source, kRLRunLoopDefaultMode);
            RLRunLoopAddSource(other_loop, source, kRLRunLoopDefaultMode);
            RLRunLoopSourceSignal(source);
            RLRelease(source);
        });
    });
    check_hint("RLRunLoopPerformBlock: thread ", ^{
        call_on_thread(^{ RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{}); });
    });
}
SCENARIO(hint_at_loop_that_never_ran,
         .title = "Debug builds name a thread that ends with items in a loop that it never ran",
         .clauses = "LIFE-12",
         .rl_only = true,
         .own_process = true)

static void no_hint_at_loop_that_ran(void)
{
    check_silence(^{
        call_on_thread(^{
            RLRunLoopTimerRef timer = timer_at(RLAbsoluteTimeGetCurrent() + 60);
            RLRunLoopAddTimer(this_loop(), timer, kRLRunLoopDefaultMode);
            RLRelease(timer);
            RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        });
        call_on_thread(^{
            RLRunLoopSourceRef source = plain_source();
            RLRunLoopAddSource(this_loop(), source, kRLRunLoopDefaultMode);
            RLRelease(source);
        });
    });
}
SCENARIO(no_hint_at_loop_that_ran,
         .title = "Debug builds report nothing about a loop that has run, or has nothing to do",
         .clauses = "LIFE-12",
         .rl_only = true,
         .own_process = true)

static void hint_at_main_loop_that_never_ran(void)
{
    const char *messages = messages_of(^{
        RLTestingSetHintHandler(NULL);
        RLRunLoopTimerRef timer = timer_at(RLAbsoluteTimeGetCurrent() + 60);
        RLRunLoopAddTimer(RLRunLoopGetMain(), timer, kRLRunLoopDefaultMode);
        exit(0);
    });
    note_answer("printed", strstr(messages, "RLRunLoopAddTimer: the process ") != NULL);
}
SCENARIO(hint_at_main_loop_that_never_ran,
         .title = "Debug builds report at exit that the main loop has items and never ran",
         .clauses = "LIFE-19",
         .rl_only = true,
         .own_process = true,
         .expected = "printed: yes")

static void end_process(void *value)
{
    _exit(0);
}

static void hint_at_main_thread_that_ends(void)
{
    const char *messages = messages_of(^{
        RLTestingSetHintHandler(NULL);
        RLRunLoopTimerRef timer = timer_at(RLAbsoluteTimeGetCurrent() + 60);
        RLRunLoopAddTimer(RLRunLoopGetMain(), timer, kRLRunLoopDefaultMode);
        /* As in dispatch_main(): what comes later never has its turn. */
        pthread_key_t key;
        pthread_key_create(&key, end_process);
        pthread_setspecific(key, &key);
        pthread_exit(NULL);
    });
    note_answer("printed", strstr(messages, "RLRunLoopAddTimer: the main thread ") != NULL);
}
SCENARIO(hint_at_main_thread_that_ends,
         .title = "Debug builds report at once that the main thread ends and its loop has never run",
         .clauses = "LIFE-19",
         .rl_only = true,
         .own_process = true,
         .expected = "printed: yes")

static void stop_at_event(RLFileDescriptorRef descriptor, RLOptionFlags events, void *info)
{
    stop();
}

/* A counter that stops the loop when it is written to. */
static int watch_counter(void)
{
    int counter = eventfd(0, EFD_CLOEXEC);
    RLFileDescriptorRef descriptor =
        RLFileDescriptorCreate(NULL, counter, true, stop_at_event, NULL);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
    RLRunLoopAddSource(this_loop(), source, kRLRunLoopDefaultMode);
    return counter;
}

static void hint_at_block_without_wake_up(void)
{
    check_hint("RLRunLoopPerformBlock: run loop ", ^{
        RLRunLoopRef loop = this_loop();
        int counter = watch_counter();
        struct helper_thread *helper = start_thread(^{
            wait_until_asleep(loop);
            RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{});
            /*
             * For how long the block waits is the subject: until the loop wakes for something else.
             */
            usleep(1200000);
            check(eventfd_write(counter, 1) == 0);
        });
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
        join_thread(helper);
    });
}
SCENARIO(hint_at_block_without_wake_up,
         .title = "Debug builds report that a loop slept although a block was queued",
         .clauses = "BLK-3",
         .rl_only = true,
         .own_process = true)

static void hint_at_signal_without_wake_up(void)
{
    check_hint("RLRunLoopSourceSignal: run loop ", ^{
        RLRunLoopRef loop = this_loop();
        int counter = watch_counter();
        RLRunLoopSourceRef source = plain_source();
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        struct helper_thread *helper = start_thread(^{
            wait_until_asleep(loop);
            RLRunLoopSourceSignal(source);
            /*
             * For how long the signal waits is the subject: until the loop wakes for something
             * else.
             */
            usleep(1200000);
            check(eventfd_write(counter, 1) == 0);
        });
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
        join_thread(helper);
    });
    check_silence(^{
        RLRunLoopRef loop = this_loop();
        RLRunLoopSourceRef source = plain_source();
        RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
        struct helper_thread *helper = start_thread(^{
            wait_until_asleep(loop);
            RLRunLoopSourceSignal(source);
            RLRunLoopWakeUp(loop);
        });
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, true);
        join_thread(helper);
    });
}
SCENARIO(hint_at_signal_without_wake_up,
         .title = "Debug builds report that a loop slept although a source was signalled",
         .clauses = "SRC-20",
         .rl_only = true,
         .own_process = true)

static void hint_at_no_modes(void)
{
    check_hint("RLRunLoopPerformBlock: the list of modes is empty", ^{
        RLArrayRef none = RLArrayCreate(NULL, NULL, 0, &kRLTypeArrayCallBacks);
        RLRunLoopPerformBlock(this_loop(), none, ^{});
        RLRelease(none);
    });
    check_hint("RLRunLoopPerformBlock: the block is dropped: argument `mode` must be ",
               ^{ RLRunLoopPerformBlock(this_loop(), kRLBooleanTrue, ^{ note("never"); }); });
}
SCENARIO(hint_at_no_modes,
         .title = "Debug builds report a block without a mode, or with an invalid mode",
         .clauses = "BLK-1",
         .rl_only = true,
         .own_process = true)

static void hint_at_stream_that_is_not_open(void)
{
    check_hint("RLReadStreamRead: stream ", ^{
        UInt8 byte = 1;
        RLReadStreamRef stream =
            RLReadStreamCreateWithBytesNoCopy(NULL, &byte, 1, kRLAllocatorNull);
        RLReadStreamRead(stream, &byte, 1);
        RLRelease(stream);
    });
    check_hint("RLWriteStreamWrite: stream ", ^{
        UInt8 byte = 1;
        RLWriteStreamRef stream = RLWriteStreamCreateWithBuffer(NULL, &byte, 1);
        RLWriteStreamWrite(stream, &byte, 1);
        RLRelease(stream);
    });
}
SCENARIO(hint_at_stream_that_is_not_open,
         .title = "Debug builds report that a stream is read or written that was not opened",
         .clauses = "STRM-3",
         .rl_only = true,
         .own_process = true)

static void hint_at_block_for_ended_loop(void)
{
    check_hint("RLRunLoopPerformBlock: the block is dropped, as run loop ", ^{
        __block RLRunLoopRef loop;
        call_on_thread(^{ loop = (RLRunLoopRef)(uintptr_t)RLRetain(this_loop()); });
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{});
        RLRelease(loop);
    });
}
SCENARIO(hint_at_block_for_ended_loop,
         .title = "Debug builds report that a block for a loop whose thread has ended is dropped",
         .clauses = "LIFE-17",
         .rl_only = true,
         .own_process = true)

/** Runs a thread's loop in default mode, with a timer in another one. */
static void miss_timer(double seconds, bool is_served)
{
    call_on_thread(^{
        RLRunLoopTimerRef timer = RLRunLoopTimerCreate(NULL, RLAbsoluteTimeGetCurrent() + seconds,
                                                       0, 0, 0, call_nobody_at_time, NULL);
        RLRunLoopAddTimer(this_loop(), timer, RLSTR("other"));
        RLRunLoopPerformBlock(this_loop(), kRLRunLoopDefaultMode, ^{});
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
        if (is_served) RLRunLoopAddTimer(this_loop(), timer, kRLRunLoopDefaultMode);
        RLRelease(timer);
    });
}

static void hint_at_missed_timer(void)
{
    check_hint("RLRunLoopAddTimer: thread ", ^{ miss_timer(-1, false); });
    check_silence(^{
        miss_timer(-1, true);
        miss_timer(1000, false);
    });
}
SCENARIO(hint_at_missed_timer,
         .title = "Debug builds report that a timer came due in a mode in which its loop never ran",
         .clauses = "TMR-15",
.rl_only = true,
         .own_process = true)

static void hint_at_modes(void)
{
    check_hint("RLRunLoopRunInMode: mode \"defualt\" of run loop ", ^{
        keep_alive("DEF");
        RLRunLoopRunInMode(RLSTR("defualt"), 1, false);
    });
    check_silence(^{ RLRunLoopRunInMode(RLSTR("defualt"), 1, false); });
    check_hint("mode \"x\\n\\u{1b}[31m\" of run loop ", ^{
        keep_alive("DEF");
        RLRunLoopRunInMode(RLSTR("x\n\033[31m"), 1, false);
    });
    check_hint(" cannot run in kRLRunLoopCommonModes: pass a single mode",
               ^{ RLRunLoopRunInMode(kRLRunLoopCommonModes, 1, false); });
    check_silence(^{ RLRunLoopRunInMode(kRLRunLoopDefaultMode, 1, false); });
}
SCENARIO(hint_at_modes,
         .title = "Debug builds name a mode that is run and to which nothing was ever added",
         .clauses = "RUN-2 RUN-3",
         .rl_only = true,
         .own_process = true)

static struct gate *closed_reported;

static void take_closed_hint(const char *line)
{
    if (strstr(line, "RLRunLoopAddSource: descriptor ")) {
        open_gate(closed_reported);
    } else {
        note("reported: %s", line);
    }
}

/* The loop looks when it is about to sleep, and not if a short limit is over by then. */
static void hint_at_closed_descriptor(void)
{
    RLRunLoopRef loop = this_loop();
    int *ends = handle_pair(SOCK_STREAM);
    RLFileDescriptorRef descriptor = RLFileDescriptorCreate(NULL, ends[0], false, NULL, NULL);
    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    RLRunLoopSourceRef source = RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);

    closed_reported = make_gate();
    RLTestingSetHintHandler(take_closed_hint);
    add_source(source, "DEF");
    close(ends[0]);
    struct helper_thread *stopper = start_thread(^{
        pass_gate(closed_reported);
        RLRunLoopStop(loop);
    });
    run("DEF", 10, false);
    /* Also if nothing was reported. */
    open_gate(closed_reported);
    join_thread(stopper);
    RLTestingSetHintHandler(lab_take_hint);
    RLFileDescriptorInvalidate(descriptor);
    RLRelease(source);
    RLRelease(descriptor);
}
SCENARIO(hint_at_closed_descriptor,
         .title = "Debug builds report that a descriptor was closed under its source",
         .clauses = "PORT-7",
         .rl_only = true,
         .own_process = true,
         .expected = "= Stopped")

static void hint_at_timers(void)
{
    double unix_time = (double)time(NULL) + 10;
    check_hint("RLRunLoopTimerCreate: fire date ", ^{ timer_at(unix_time); });
    check_hint("RLRunLoopTimerSetNextFireDate: fire date ",
               ^{ RLRunLoopTimerSetNextFireDate(timer_at(0), unix_time); });
    check_hint("RLRunLoopTimerCreate: argument `callout` is null",
               ^{ RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, NULL, NULL); });
    check_silence(^{
        timer_at(RLAbsoluteTimeGetCurrent() + 1.0e10);
        timer_at(INFINITY);
    });
}
SCENARIO(hint_at_timers,
         .title = "Debug builds report a timer without a callback, or with a date that counts from 1970",
         .clauses = "TMR-1",
         .rl_only = true,
         .own_process = true)

static void hint_at_what_is_not_made(void)
{
    check_hint("RLRunLoopSourceCreate: `context->version` (7) must be 0, 1 or 2", ^{
        RLRunLoopSourceContext context = {.version = 7};
        RLRunLoopSourceCreate(NULL, 0, &context);
    });
    check_hint("RLFileDescriptorCreate: argument `descriptor` is -1: ",
               ^{ RLFileDescriptorCreate(NULL, -1, false, NULL, NULL); });
    check_hint("RLSocketCreateWithNative: argument `sock` is -1: ",
               ^{ RLSocketCreateWithNative(NULL, -1, 0, NULL, NULL); });
    check_hint("RLStringCreateWithBytes: the 1 bytes are not valid in encoding ",
               ^{ RLStringCreateWithCString(NULL, "\xFF", kRLStringEncodingUTF8); });
    check_hint("RLSocketCreate: cannot create a socket: ",
               ^{ RLSocketCreate(NULL, 77, SOCK_STREAM, 0, 0, NULL, NULL); });
    check_hint("RLSocketCreateRunLoopSource: argument `socket` (", ^{
        RLSocketRef socket = RLSocketCreate(NULL, PF_INET, SOCK_STREAM, 0, 0, NULL, NULL);
        RLSocketInvalidate(socket);
        RLSocketCreateRunLoopSource(NULL, socket, 0);
        RLRelease(socket);
    });
    check_hint("RLFileDescriptorCreateRunLoopSource: argument `descriptor` (", ^{
        RLFileDescriptorRef descriptor = RLFileDescriptorCreate(NULL, 0, false, NULL, NULL);
        RLFileDescriptorInvalidate(descriptor);
        RLFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
        RLRelease(descriptor);
    });
    check_hint("RLURLCreateWithString: cannot create a URL from \"http://a/b\": ",
               ^{ RLURLCreateWithString(NULL, RLSTR("http://a/b"), NULL); });
    check_hint("RLMessagePortCreateRemote: the name has 0 bytes",
               ^{ RLMessagePortCreateRemote(NULL, RLSTR("")); });
    check_hint("RLProcessSourceCreate: cannot watch process 2147483647: No such process: ", ^{
        RLProcessSourceCreate(NULL, 0, INT_MAX, false, (RLProcessCallBack)abort, NULL);
    });
}
SCENARIO(hint_at_what_is_not_made,
         .title = "Debug builds report why a function returns null",
         .clauses = "SRC-1",
         .rl_only = true,
         .own_process = true)

static bool set_tls_of_client(RLDictionaryRef settings)
{
    int handles[2];
    RLReadStreamRef reader;

    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) == 0);
    RLStreamCreatePairWithSocket(NULL, handles[0], &reader, NULL);
    return RLReadStreamSetProperty(reader, kRLStreamPropertySSLSettings, settings);
}

static void hint_at_unchecked_peer(void)
{
    need_openssl();
    check_hint("RLReadStreamSetProperty: kRLStreamSSLValidatesCertificateChain is false", ^{
        check(set_tls_of_client(TLS(kRLStreamSSLValidatesCertificateChain, kRLBooleanFalse)));
    });
    check_silence(^{ check(set_tls_of_client(client_of(RLSTR("localhost")))); });
}
SCENARIO(hint_at_unchecked_peer,
         .title = "Debug builds report a secured stream that does not verify its peer",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)

#endif
