/*
 * The tables that name every type of object, and every kind of item.
 */

#include "base/object.h"
#include "loop/dump.h"
#include "loop/observer.h"
#include "loop/recording.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "messages/mach_port.h"
#include "messages/message_port.h"
#include "run/tracer.h"
#include "sockets/socket.h"
#include "sockets/stream.h"
#include "values/value.h"
#include "watch/watch.h"

const struct rl_class *const rl_classes[RL_TYPE_COUNT] = {
    [RL_TYPE_STRING] = &rl_string_class,
    [RL_TYPE_ARRAY] = &rl_array_class,
    [RL_TYPE_LOOP] = &rl_loop_class,
    [RL_TYPE_SOURCE] = &rl_source_class,
    [RL_TYPE_OBSERVER] = &rl_observer_class,
    [RL_TYPE_TIMER] = &rl_timer_class,
    [RL_TYPE_DATA] = &rl_data_class,
    [RL_TYPE_SET] = &rl_set_class,
    [RL_TYPE_DICTIONARY] = &rl_dictionary_class,
    [RL_TYPE_NUMBER] = &rl_number_class,
    [RL_TYPE_BOOLEAN] = &rl_boolean_class,
    [RL_TYPE_NULL] = &rl_null_class,
    [RL_TYPE_MESSAGE_PORT] = &rl_message_port_class,
    [RL_TYPE_FILE_DESCRIPTOR] = &rl_file_descriptor_class,
    [RL_TYPE_SOCKET] = &rl_socket_class,
    [RL_TYPE_READ_STREAM] = &rl_read_stream_class,
    [RL_TYPE_WRITE_STREAM] = &rl_write_stream_class,
    [RL_TYPE_TRACER] = &rl_tracer_class,
    [RL_TYPE_RECORDING] = &rl_recording_class,
    [RL_TYPE_MACH_PORT] = &rl_mach_port_class,
    [RL_TYPE_ALLOCATOR] = &rl_allocator_class,
    [RL_TYPE_DATE] = &rl_date_class,
    [RL_TYPE_ERROR] = &rl_error_class,
    [RL_TYPE_URL] = &rl_url_class,
};

const struct rl_item_functions *const rl_item_functions[RL_ITEM_KINDS] = {
    [RL_ITEM_SOURCE] = &rl_source_functions,
    [RL_ITEM_OBSERVER] = &rl_observer_functions,
    [RL_ITEM_TIMER] = &rl_timer_functions,
};
