/* Floods of events, signals, blocks, and work of the main queue. */

#include "../descriptors/descriptor_words.h"
#include "../sockets/socket_words.h"
#include "../tls/tls_words.h"
#include "flood_words.h"
#include "queues.h"
#include "scenario.h"

#include <sys/syscall.h>

FLOOD(flood_of_ready_descriptors, "A file descriptor calls once for each time that it is asked to",
      SMALL_UNITS, 1)
{
    int *ends = handle_pair(SOCK_DGRAM), near_end = ends[0], far_end = ends[1];
    RLFileDescriptorRef descriptor =
        watch_fd(NULL, near_end, ^(RLFileDescriptorRef called, RLOptionFlags types) {
            char byte;
            take_portion();
            check(types == kRLFileDescriptorReadCallBack && read(near_end, &byte, 1) == 1);
            RLFileDescriptorEnableCallBacks(called, kRLFileDescriptorReadCallBack);
        });

    RLFileDescriptorEnableCallBacks(descriptor, kRLFileDescriptorReadCallBack);
    return flood_by(^bool { return send_bytes(far_end, 1, 0); });
}

FLOOD(flood_of_file_events, "Events of files are delivered in portions", SMALL_UNITS, 64)
{
    const char *path = kept_text("%s/changed", make_folder());
    int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    RLRunLoopSourceRef source =
        file_source_of(^(RLRunLoopSourceRef called, const RLFileEvent *event) {
            (void)called, (void)event;
            take_portion();
        });

    check(RLFileSourceAddWatch(source, path, kRLFileEventModify | kRLFileEventAccess) >= 0);
    add_source(source, "DEF");
    at_end(^{ close(file); });
    return flood_by(^bool {
        char byte = 'x';
        /* Equal events after each other are one. */
        return pwrite(file, &byte, 1, 0) == 1 && pread(file, &byte, 1, 0) == 1;
    });
}

FLOOD(flood_of_signals, "Signals are delivered in portions", SMALL_UNITS, 64)
{
    const SInt32 number = SIGRTMIN + 5;
    RLRunLoopSourceRef source =
        signal_source_of(&number, 1, ^(RLRunLoopSourceRef called, const RLSignalEvent *it) {
            (void)called, (void)it;
            take_portion();
        });

    pid_t receiver = (pid_t)syscall(SYS_gettid);
    add_source(source, "DEF");
    return flood_by(^bool { return syscall(SYS_tgkill, getpid(), receiver, number) == 0; });
}

/* Keeps at most this many items pending; each calls its argument. */
enum { MOST_WAITING_BLOCKS = 64 };
static flooder block_flooder(void (^bring)(action block))
{
    static atomic_int waiting;
    void (^kept)(action) = (void (^)(action))copied((const void *)bring);

    at_end(^{ release_block((const void *)kept); });
    return flood_by(^bool {
        if (atomic_load(&waiting) == MOST_WAITING_BLOCKS) return sched_yield() != 0;
        atomic_fetch_add(&waiting, 1);
        kept(^{
            take_portion();
            atomic_fetch_sub(&waiting, 1);
        });
        return true;
    });
}

/* Before the sleep, and after it. */
FLOOD(flood_of_blocks, "Blocks that another thread has a loop perform are served in portions",
      SMALL_UNITS, 2 * MOST_WAITING_BLOCKS)
{
    RLRunLoopRef loop = this_loop();

    return block_flooder(^(action block) {
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, block);
        RLRunLoopWakeUp(loop);
    });
}

/* A wake-up costs its sender next to nothing. */
FLOOD(flood_of_wake_ups, "A loop that is woken without end makes passes", 10 * SMALL_UNITS, 1)
{
    RLRunLoopRef loop = this_loop();
    RLRunLoopSourceRef source = SOURCE(NULL, .quiet = true, .perform = ^{ take_portion(); });

    add_source(source, "DEF");
    return flood_by(^bool {
        RLRunLoopSourceSignal(source);
        RLRunLoopWakeUp(loop);
        return true;
    });
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)
FLOOD_IN(flood_of_main_queue, main_thread, "MAINQ-3",
         "The main queue has its blocks served in portions", SMALL_UNITS, MOST_WAITING_BLOCKS)
{
    return block_flooder(^(action block) { dispatch_async(&_dispatch_main_q, block); });
}
#endif
