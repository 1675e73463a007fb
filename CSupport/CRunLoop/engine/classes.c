/*
 * The tables that name every type of object, and every kind of item; and the types' numbers.
 */

#include "base/object.h"
#include "loop/dump.h"
#include "loop/observer.h"
#include "loop/recording.h"
#include "loop/source.h"
#include "loop/timer.h"
#include "messages/mach_port.h"
#include "messages/message_port.h"
#include "notifications/notification_center.h"
#include "run/tracer.h"
#include "sockets/named_host.h"
#include "sockets/socket.h"
#include "sockets/stream.h"
#include "values/value.h"
#include "watch/watch.h"

#include <CRunLoop/CRunLoop.h>

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
    [RL_TYPE_NOTIFICATION_CENTER] = &rl_notification_center_class,
    [RL_TYPE_HOST] = &rl_named_host_class,
    [RL_TYPE_TIME_ZONE] = &rl_time_zone_class,
};

const struct rl_item_functions *const rl_item_functions[RL_ITEM_KINDS] = {
    [RL_ITEM_SOURCE] = &rl_source_functions,
    [RL_ITEM_OBSERVER] = &rl_observer_functions,
    [RL_ITEM_TIMER] = &rl_timer_functions,
};

/* Defines the public function that tells the number of a type. */
#define TYPE_ID(name, type)                                                                        \
    RLTypeID name##GetTypeID(void)                                                                 \
    {                                                                                              \
        return type;                                                                               \
    }

TYPE_ID(RLString, RL_TYPE_STRING)
TYPE_ID(RLArray, RL_TYPE_ARRAY)
TYPE_ID(RLRunLoop, RL_TYPE_LOOP)
TYPE_ID(RLRunLoopSource, RL_TYPE_SOURCE)
TYPE_ID(RLRunLoopObserver, RL_TYPE_OBSERVER)
TYPE_ID(RLRunLoopTimer, RL_TYPE_TIMER)
TYPE_ID(RLData, RL_TYPE_DATA)
TYPE_ID(RLSet, RL_TYPE_SET)
TYPE_ID(RLDictionary, RL_TYPE_DICTIONARY)
TYPE_ID(RLNumber, RL_TYPE_NUMBER)
TYPE_ID(RLBoolean, RL_TYPE_BOOLEAN)
TYPE_ID(RLNull, RL_TYPE_NULL)
TYPE_ID(RLMessagePort, RL_TYPE_MESSAGE_PORT)
TYPE_ID(RLFileDescriptor, RL_TYPE_FILE_DESCRIPTOR)
TYPE_ID(RLSocket, RL_TYPE_SOCKET)
TYPE_ID(RLReadStream, RL_TYPE_READ_STREAM)
TYPE_ID(RLWriteStream, RL_TYPE_WRITE_STREAM)
TYPE_ID(RLRunLoopTracer, RL_TYPE_TRACER)
TYPE_ID(RLRunLoopRecording, RL_TYPE_RECORDING)
TYPE_ID(RLMachPort, RL_TYPE_MACH_PORT)
TYPE_ID(RLAllocator, RL_TYPE_ALLOCATOR)
TYPE_ID(RLDate, RL_TYPE_DATE)
TYPE_ID(RLError, RL_TYPE_ERROR)
TYPE_ID(RLURL, RL_TYPE_URL)
TYPE_ID(RLNotificationCenter, RL_TYPE_NOTIFICATION_CENTER)
TYPE_ID(RLHost, RL_TYPE_HOST)
TYPE_ID(RLTimeZone, RL_TYPE_TIME_ZONE)
