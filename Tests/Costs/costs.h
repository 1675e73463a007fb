/*
 * The operations of crowds.c and exchanges.c, which costs.c counts.
 */

#ifndef COSTS_H
#define COSTS_H

void add_tolerant_timers(long count);
void move_and_poll(long number);
void add_due_timers(long count);
void poll_in_callback(long times);
void add_modes(long count);
void find_mode(long number);
void churn_common_source(long number);
void add_timer_to_modes(long count);
void churn_timer_everywhere(long number);
void add_refused_sources(long count);
void add_one_refused_source(long count);

void echo_by_sockets(long count);
void echo_by_sources(long count);
void echo_by_streams(long count);
void echo_by_clients(long count);
void send_one_way(long count);
void send_and_await(long count);
void send_large_and_await(long count);

#endif
