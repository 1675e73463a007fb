/*
 * All scenarios, compiled for the engine that engine.h chooses.
 */

#include "scenario.h"
#include "socket_gadgets.h"
#include "words.h"

#include "allocators.scenarios.h"
#include "arrays.scenarios.h"
#include "batches.scenarios.h"
#include "blocks.scenarios.h"
#include "constants.scenarios.h"
#include "data.scenarios.h"
#include "dates_errors.scenarios.h"
#include "descriptions.scenarios.h"
#include "dictionaries.scenarios.h"
#include "firing.scenarios.h"
#include "lifetime.scenarios.h"
#include "locks.scenarios.h"
#include "modes.scenarios.h"
#include "mutable_strings.scenarios.h"
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

/* With the words of streams. */
#include "stream_buffers.scenarios.h"

#include "string_encodings.scenarios.h"
#include "string_search.scenarios.h"
#include "strings.scenarios.h"
#include "timers.scenarios.h"
#include "waking.scenarios.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "main_queue.scenarios.h"
#include "streams_on_queues.scenarios.h"
#endif

/* With the words of the main queue, where there is one. */
#include "fairness.scenarios.h"

#if !defined(ENGINE_IS_CF)
#include "allocator_extras.scenarios.h"
#include "autorelease.scenarios.h"
#include "bound_streams.scenarios.h"
#include "contention.scenarios.h"
#include "descriptors.scenarios.h"
#include "events.scenarios.h"
#include "extensions.scenarios.h"
#include "file_descriptors.scenarios.h"
#include "forks.scenarios.h"
#include "hostile_collections.scenarios.h"
#include "hostile_messages.scenarios.h"
#include "hostile_values.scenarios.h"
#include "hosting.scenarios.h"
#include "mach_ports.scenarios.h"
#include "message_crowds.scenarios.h"
#include "message_deaths.scenarios.h"
#include "message_failures.scenarios.h"
#include "message_limits.scenarios.h"
#include "message_peers.scenarios.h"
#include "message_ports.scenarios.h"
#include "message_replies.scenarios.h"
#include "messages.scenarios.h"
#include "remains.scenarios.h"
#include "resources.scenarios.h"
#include "socket_extras.scenarios.h"
#include "stream_extras.scenarios.h"
#include "stream_hosts.scenarios.h"
#include "stream_peers.scenarios.h"
#include "stress.scenarios.h"
#include "thread_ends.scenarios.h"
#include "tls.scenarios.h"
#include "tls_disturbed.scenarios.h"
#include "tls_hostile.scenarios.h"
#include "tls_life.scenarios.h"
#include "tls_openssl.scenarios.h"
#include "tls_peers.scenarios.h"
#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "stream_queue_extras.scenarios.h"
#include "tls_on_queues.scenarios.h"
#else
#include "without_dispatch.scenarios.h"
#endif

/* With the words of TLS, messages and events. */
#include "floods.scenarios.h"

/* With the words of failures. */
#include "hints.scenarios.h"

/* With the words of hosting. */
#include "exhaustion.scenarios.h"
#include "test_clock.scenarios.h"

/* With the words of exhaustion, remains and TLS. */
#include "leaving.scenarios.h"

/* With the words of clocks. */
#include "due_timers.scenarios.h"
/* With the words of modes and of due timers. */
#include "crowds.scenarios.h"
#include "stream_limits.scenarios.h"
#endif

/* With the words of hosting, where there is that. */
#include "starvation.scenarios.h"
