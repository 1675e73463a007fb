/*
 * All scenarios, compiled for the engine that engine.h chooses.
 */

#include "registry.h"
#include "scenario.h"
#include "socket_gadgets.h"
#include "words.h"

#include "arrays.scenarios.h"
#include "batches.scenarios.h"
#include "blocks.scenarios.h"
#include "constants.scenarios.h"
#include "data.scenarios.h"
#include "descriptions.scenarios.h"
#include "dictionaries.scenarios.h"
#include "firing.scenarios.h"
#include "lifetime.scenarios.h"
#include "locks.scenarios.h"
#include "modes.scenarios.h"
#include "nesting.scenarios.h"
#include "numbers.scenarios.h"
#include "observers.scenarios.h"
#include "ports.scenarios.h"
#include "process.scenarios.h"
#include "ready_ports.scenarios.h"
#include "running.scenarios.h"
#include "sets.scenarios.h"
#include "socket_connections.scenarios.h"
#include "sockets.scenarios.h"
#include "sources.scenarios.h"
#include "stopping.scenarios.h"
#include "streams.scenarios.h"
#include "strings.scenarios.h"
#include "timers.scenarios.h"
#include "waking.scenarios.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "main_queue.scenarios.h"
#include "streams_on_queues.scenarios.h"
#endif

#include "fairness.scenarios.h"

#if !defined(ENGINE_IS_CF)
#include "autorelease.scenarios.h"
#include "contention.scenarios.h"
#include "descriptors.scenarios.h"
#include "due_timers.scenarios.h"
#include "events.scenarios.h"
#include "extensions.scenarios.h"
#include "file_descriptors.scenarios.h"
#include "forks.scenarios.h"
#include "hostile_collections.scenarios.h"
#include "hostile_messages.scenarios.h"
#include "hostile_values.scenarios.h"
#include "hosting.scenarios.h"
#include "message_crowds.scenarios.h"
#include "message_failures.scenarios.h"
#include "message_limits.scenarios.h"
#include "message_ports.scenarios.h"
#include "messages.scenarios.h"
#include "remains.scenarios.h"
#include "resources.scenarios.h"
#include "socket_extras.scenarios.h"
#include "stream_extras.scenarios.h"
#include "stream_peers.scenarios.h"
#include "stress.scenarios.h"
#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "stream_queue_extras.scenarios.h"
#else
#include "without_dispatch.scenarios.h"
#endif
#include "exhaustion.scenarios.h"
#include "thread_ends.scenarios.h"
#endif

/* The families of this engine, ending in a null pointer. */
static const struct scenario *const *const families[] = {
    running_scenarios,
    stopping_scenarios,
    nesting_scenarios,
    locks_scenarios,
    sources_scenarios,
    batches_scenarios,
    observers_scenarios,
    blocks_scenarios,
    constants_scenarios,
    modes_scenarios,
    timers_scenarios,
    firing_scenarios,
    ports_scenarios,
    ready_ports_scenarios,
    waking_scenarios,
    fairness_scenarios,
    lifetime_scenarios,
    process_scenarios,
    descriptions_scenarios,
    data_scenarios,
    arrays_scenarios,
    strings_scenarios,
    numbers_scenarios,
    sets_scenarios,
    sockets_scenarios,
    socket_connections_scenarios,
    streams_scenarios,
    dictionaries_scenarios,
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    main_queue_scenarios,
    streams_on_queues_scenarios,
#endif
#if !defined(ENGINE_IS_CF)
    autorelease_scenarios,
    contention_scenarios,
    descriptors_scenarios,
    due_timers_scenarios,
    extensions_scenarios,
    file_descriptors_scenarios,
    forks_scenarios,
    hosting_scenarios,
    hostile_collections_scenarios,
    hostile_values_scenarios,
    remains_scenarios,
    resources_scenarios,
    events_scenarios,
    hostile_messages_scenarios,
    message_crowds_scenarios,
    message_failures_scenarios,
    message_limits_scenarios,
    message_ports_scenarios,
    messages_scenarios,
    socket_extras_scenarios,
    stream_extras_scenarios,
    stream_peers_scenarios,
    stress_scenarios,
#if !defined(SCENARIO_WITHOUT_DISPATCH)
    stream_queue_extras_scenarios,
#else
    without_dispatch_scenarios,
#endif
    thread_ends_scenarios,
    exhaustion_scenarios,
#endif
    NULL,
};
