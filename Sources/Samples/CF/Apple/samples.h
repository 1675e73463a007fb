/*
 * Samples in the style of Apple's. They include the headers that Apple's samples use besides
 * CoreFoundation's. Each sample prints its events.
 */

#ifndef SAMPLES_H
#define SAMPLES_H

void sample_atomic_queue(void);
void sample_checked_timer(void);
void sample_claimed_parts(void);
void sample_distributed_work(void);
void sample_error_codes(void);
void sample_file_descriptor(void);
void sample_locked_log(void);
void sample_message_ports(void);
void sample_pass_times(void);
void sample_socket_server(void);
void sample_stream_client(void);
void sample_wait_until(void);

#endif
