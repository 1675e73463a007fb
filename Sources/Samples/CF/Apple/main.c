/* Runs the sample that the argument names, or lists all samples. */

#include "samples.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(void);
} samples[] = {
    {"atomic-queue", sample_atomic_queue},   {"checked-timer", sample_checked_timer},
    {"claimed-parts", sample_claimed_parts}, {"distributed-work", sample_distributed_work},
    {"error-codes", sample_error_codes},     {"file-descriptor", sample_file_descriptor},
    {"locked-log", sample_locked_log},       {"message-ports", sample_message_ports},
    {"pass-times", sample_pass_times},       {"socket-server", sample_socket_server},
    {"stream-client", sample_stream_client}, {"wait-until", sample_wait_until},
};

int main(int count, char *arguments[])
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (count < 2) {
            puts(samples[i].name);
        } else if (strcmp(arguments[1], samples[i].name) == 0) {
            samples[i].run();
            return 0;
        }
    }
    if (count < 2) return 0;
    fprintf(stderr, "there is no sample named '%s'\n", arguments[1]);
    return 1;
}
