/*
 * What costs no more beside many than beside few: tolerant timers, timers that were due, modes and
 * registrations that the kernel refuses.
 */

#ifndef CROWDS_H
#define CROWDS_H

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

#endif
