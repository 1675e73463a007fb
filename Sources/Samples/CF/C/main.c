/* Runs the sample that the argument names, or lists all samples. */

#include "samples.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(void);
} samples[] = {
    {"observer-log", sample_observer_log},     {"timers", sample_timers},
    {"command-source", sample_command_source}, {"port-source", sample_port_source},
    {"perform-block", sample_perform_block},   {"modal-run", sample_modal_run},
    {"worker-thread", sample_worker_thread},   {"thread-exit", sample_thread_exit},
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
