/*
 * The main queue of a main loop that is served inside another event loop.
 */

#include "host_words.h"
#include "queues.h"
#include "scenario.h"

#include <CRunLoop/RLRunLoopHosting.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#if !defined(SCENARIO_WITHOUT_DISPATCH)
static void hosted_main_queue(void)
{
    int descriptor = begin_hosting();

    check(!host_is_called(descriptor, 0));
    enqueue("item", NULL);
    check(host_is_called(descriptor, 0));
    answer_host(descriptor);
    /*
     * A host that runs inside work of the queue is not called for other work of it, again and
     * again.
     */
    enqueue("outer", ^{
        enqueue("inner", NULL);
        answer_host(descriptor);
        note("end of outer");
    });
    answer_host(descriptor);
    elsewhere(^{ enqueue("from elsewhere", NULL); });
    check(host_is_called(descriptor, 0));
    run("DEF", 0, false);
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();

    descriptor = RLRunLoopBeginHosting(mode_named("M"), 0, NULL);
    enqueue("not in this mode", NULL);
    check(!host_is_called(descriptor, 0));
    RLRunLoopEndHosting();
    run("DEF", 0, false);
}
SCENARIO(hosted_main_queue,
         .title = "A hosted main loop calls its host for the main queue, in common modes",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "item; outer; end of outer; inner; from elsewhere; = TimedOut; "
                     "not in this mode; = TimedOut")

static void drained_main_queue(void)
{
    check(!RLRunLoopDrainMainQueue());
    enqueue("item", ^{ check(!RLRunLoopDrainMainQueue()); });
    check(RLRunLoopDrainMainQueue());
    check(!RLRunLoopDrainMainQueue());
    elsewhere(^{ check(!RLRunLoopDrainMainQueue()); });
    /* While the loop is hosted, the queue is the host's. */
    keep_alive("DEF");
    int descriptor =
        RLRunLoopBeginHosting(mode_named("DEF"), kRLRunLoopHostingLeavesMainQueue, NULL);
    enqueue("item of the host", NULL);
    check(!host_is_called(descriptor, 0));
    check(!RLRunLoopRunHosted(10));
    /* A run of the loop's own is no service of the host's. */
    run("DEF", 0.001, false);
    RLRunLoopEndHosting();
}
SCENARIO(drained_main_queue,
         .title = "The main queue can be drained without a run, and is the host's while that serves",
         .clauses = "extension",
         .rl_only = true,
         .main_thread = true,
         .expected = "item; item of the host; = TimedOut")
#endif
