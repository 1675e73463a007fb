/*
 * The operations of crowds.c and exchanges.c, which costs.c counts.
 */

#ifndef COSTS_H
#define COSTS_H

#include <CHarness.h>
#include <CRunLoop/CRunLoop.h>

/* Not a common mode: in common modes the main loop also checks the main dispatch queue. */
#define MODE RLSTR("costs")

/* Adds a source to the loop, which holds it from then on. */
void give_source(RLRunLoopSourceRef source);

/* The parameter is a count, or the number of a repetition. */
typedef void operation(long number);
operation add_tolerant_timers, move_and_poll, add_due_timers, poll_in_callback, add_modes,
    find_mode, churn_common_source, add_timer_to_modes, churn_timer_everywhere, add_refused_sources,
    add_one_refused_source, echo_by_sockets, echo_by_sources, echo_by_streams, echo_by_clients,
    send_one_way, send_and_await, send_large_and_await;

/* Defines one that makes a single call. */
#define DEFINE(name, call)                                                                         \
    void name(long number)                                                                         \
    {                                                                                              \
        call;                                                                                      \
    }

#endif
