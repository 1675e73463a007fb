/*
 * Words for scenarios about version-1 sources.
 */

#ifndef SCENARIOS_PORT_WORDS_H
#define SCENARIOS_PORT_WORDS_H

#include "words.h"

static inline bool counter_is_zero(int counter)
{
    uint64_t value = 0;

    return read(counter, &value, sizeof(value)) < 0;
}

/** Ports for these scenarios, whose actions are in an array that may be filled later. */
struct ready_ports {
    int counters[5];
    RLRunLoopSourceRef sources[5];
    action actions[5];
};

/** Five ports in the default mode, named by letters, all rung in that order. */
static inline struct ready_ports *ring_five(void)
{
    static const char *const names[] = {"A", "B", "C", "D", "E"};
    struct ready_ports *ports = calloc(1, sizeof(*ports));

    at_end(^{ free(ports); });
    for (int index = 0; index < 5; index++) {
        ports->counters[index] = make_counter();
        ports->sources[index] = PORT(names[index], ports->counters[index], .perform = ^{
            if (ports->actions[index]) ports->actions[index]();
        });
        add_source(ports->sources[index], "DEF");
    }
    for (int index = 0; index < 5; index++) count_up(ports->counters[index]);
    return ports;
}

/** Serves all ports that are ready, and one more look. */
static inline void serve_ports(int most)
{
    while (most-- > 0 && run("DEF", 0, true) == kRLRunLoopRunHandledSource) {}
}

#endif
