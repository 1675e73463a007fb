/*
 * All scenarios, compiled for the engine that engine.h chooses.
 */

#include "scenario.h"
#include "scenarios/sockets/socket_gadgets.h"
#include "words.h"

#include "scenarios/blocks/blocks.scenarios.h"
#include "scenarios/diagnostics/descriptions.scenarios.h"
#include "scenarios/modes/modes.scenarios.h"
#include "scenarios/observers/observers.scenarios.h"
#include "scenarios/running/locks.scenarios.h"
#include "scenarios/running/nesting.scenarios.h"
#include "scenarios/running/running.scenarios.h"
#include "scenarios/running/stopping.scenarios.h"
#include "scenarios/sockets/socket_connections.scenarios.h"
#include "scenarios/sockets/sockets.scenarios.h"
#include "scenarios/sources/batches.scenarios.h"
#include "scenarios/sources/ports.scenarios.h"
#include "scenarios/sources/ready_ports.scenarios.h"
#include "scenarios/sources/sources.scenarios.h"
#include "scenarios/streams/streams.scenarios.h"
#include "scenarios/threads/lifetime.scenarios.h"
#include "scenarios/threads/process.scenarios.h"
#include "scenarios/timers/firing.scenarios.h"
#include "scenarios/values/allocators.scenarios.h"
#include "scenarios/values/arrays.scenarios.h"
#include "scenarios/values/constants.scenarios.h"
#include "scenarios/values/data.scenarios.h"
#include "scenarios/values/dates_errors.scenarios.h"
#include "scenarios/values/dictionaries.scenarios.h"
#include "scenarios/values/gregorian.scenarios.h"
#include "scenarios/values/logs.scenarios.h"
#include "scenarios/values/mutable_strings.scenarios.h"
#include "scenarios/values/numbers.scenarios.h"
#include "scenarios/values/sets.scenarios.h"

/* With the words of streams. */
#include "scenarios/streams/stream_buffers.scenarios.h"

#include "scenarios/running/waking.scenarios.h"
#include "scenarios/timers/timers.scenarios.h"
#include "scenarios/values/string_encodings.scenarios.h"
#include "scenarios/values/string_search.scenarios.h"
#include "scenarios/values/strings.scenarios.h"

#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "scenarios/blocks/main_queue.scenarios.h"
#include "scenarios/streams/streams_on_queues.scenarios.h"
#endif

/* With the words of the main queue, where there is one. */
#include "scenarios/fairness/fairness.scenarios.h"

#if !defined(ENGINE_IS_CF)
#include "scenarios/descriptors/descriptors.scenarios.h"
#include "scenarios/descriptors/events.scenarios.h"
#include "scenarios/descriptors/file_descriptors.scenarios.h"
#include "scenarios/diagnostics/extensions.scenarios.h"
#include "scenarios/diagnostics/names.scenarios.h"
#include "scenarios/messages/hostile_messages.scenarios.h"
#include "scenarios/messages/mach_ports.scenarios.h"
#include "scenarios/messages/message_crowds.scenarios.h"
#include "scenarios/messages/message_deaths.scenarios.h"
#include "scenarios/messages/message_failures.scenarios.h"
#include "scenarios/messages/message_limits.scenarios.h"
#include "scenarios/messages/message_peers.scenarios.h"
#include "scenarios/messages/message_ports.scenarios.h"
#include "scenarios/messages/message_replies.scenarios.h"
#include "scenarios/messages/messages.scenarios.h"
#include "scenarios/modes/foreign_modes.scenarios.h"
#include "scenarios/notifications/distributed.scenarios.h"
#include "scenarios/notifications/local_center.scenarios.h"
#include "scenarios/observers/autorelease.scenarios.h"
#include "scenarios/resources/environments.scenarios.h"
#include "scenarios/resources/remains.scenarios.h"
#include "scenarios/resources/resources.scenarios.h"
#include "scenarios/running/hosting.scenarios.h"
#include "scenarios/sockets/socket_extras.scenarios.h"
#include "scenarios/streams/bound_streams.scenarios.h"
#include "scenarios/streams/stream_extras.scenarios.h"
#include "scenarios/streams/stream_hosts.scenarios.h"
/* With the look-ups of streams. */
#include "scenarios/streams/hosts.scenarios.h"
#include "scenarios/streams/stream_peers.scenarios.h"
#include "scenarios/threads/contention.scenarios.h"
#include "scenarios/threads/forks.scenarios.h"
#include "scenarios/threads/stress.scenarios.h"
#include "scenarios/threads/thread_ends.scenarios.h"
#include "scenarios/tls/tls.scenarios.h"
#include "scenarios/tls/tls_disturbed.scenarios.h"
#include "scenarios/tls/tls_hostile.scenarios.h"
#include "scenarios/tls/tls_life.scenarios.h"
#include "scenarios/tls/tls_openssl.scenarios.h"
#include "scenarios/tls/tls_peers.scenarios.h"
#include "scenarios/values/allocator_extras.scenarios.h"
#include "scenarios/values/hostile_collections.scenarios.h"
#include "scenarios/values/hostile_values.scenarios.h"
#if !defined(SCENARIO_WITHOUT_DISPATCH)
#include "scenarios/streams/stream_queue_extras.scenarios.h"
#include "scenarios/tls/tls_on_queues.scenarios.h"
#else
#include "scenarios/blocks/without_dispatch.scenarios.h"
#endif

/* With the words of events, streams, queues and TLS. */
#include "scenarios/sockets/readiness.scenarios.h"

/* With the words of TLS, messages and events. */
#include "scenarios/floods/loop_floods.scenarios.h"
#include "scenarios/floods/message_floods.scenarios.h"
#include "scenarios/floods/stream_floods.scenarios.h"
#include "scenarios/floods/tls_floods.scenarios.h"

/* With the words of failures. */
#include "scenarios/diagnostics/hints.scenarios.h"

/* With the words of hosting. */
#include "scenarios/resources/exhaustion.scenarios.h"
#include "scenarios/timers/test_clock.scenarios.h"

/* With the words of exhaustion, remains and TLS. */
#include "scenarios/threads/leaving.scenarios.h"

/* With the words of clocks. */
#include "scenarios/timers/due_timers.scenarios.h"
/* With the words of modes and of due timers. */
#include "scenarios/modes/crowds.scenarios.h"
#include "scenarios/streams/stream_limits.scenarios.h"
#endif

/* With the words of hosting, where there is that. */
#include "scenarios/fairness/starvation.scenarios.h"
