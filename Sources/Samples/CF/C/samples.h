/* The samples of this program. Each sample prints its events. */

#ifndef SAMPLES_H
#define SAMPLES_H

void sample_observer_log(void);
void sample_timers(void);
void sample_command_source(void);
void sample_port_source(void);
void sample_perform_block(void);
void sample_modal_run(void);
void sample_worker_thread(void);
void sample_thread_exit(void);

#endif
