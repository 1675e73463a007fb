/*
 * The reference functions that Swift calls, with the exact types that its importer wants. Swift
 * calls them for empty optionals too.
 *
 * Swift counts often, and what it counts is an object of the type: there is nothing to check for
 * those types that come up in every call.
 */

#include "base/object.h"

#include <CRunLoop/CRunLoop.h>

static inline void retain_object(RLTypeRef object)
{
    if (object) rl_object_retain((struct rl_object *)(uintptr_t)object);
}

static inline void release_object(RLTypeRef object)
{
    if (object) rl_object_release((struct rl_object *)(uintptr_t)object);
}

/* Literals are not counted. */
static inline bool is_counted_string(RLStringRef string)
{
    return string && rl_is(string, RL_TYPE_STRING);
}

void rl_swift_retain_string(RLStringRef string)
{
    if (is_counted_string(string)) retain_object(string);
}

void rl_swift_release_string(RLStringRef string)
{
    if (is_counted_string(string)) release_object(string);
}

void rl_swift_retain_array(RLArrayRef array)
{
    if (array) RLRetain(array);
}

void rl_swift_release_array(RLArrayRef array)
{
    if (array) RLRelease(array);
}

void rl_swift_retain_data(RLDataRef data)
{
    if (data) RLRetain(data);
}

void rl_swift_release_data(RLDataRef data)
{
    if (data) RLRelease(data);
}

void rl_swift_retain_set(RLSetRef set)
{
    if (set) RLRetain(set);
}

void rl_swift_release_set(RLSetRef set)
{
    if (set) RLRelease(set);
}

void rl_swift_retain_dictionary(RLDictionaryRef dictionary)
{
    if (dictionary) RLRetain(dictionary);
}

void rl_swift_release_dictionary(RLDictionaryRef dictionary)
{
    if (dictionary) RLRelease(dictionary);
}

void rl_swift_retain_date(RLDateRef date)
{
    if (date) RLRetain(date);
}

void rl_swift_release_date(RLDateRef date)
{
    if (date) RLRelease(date);
}

void rl_swift_retain_error(RLErrorRef error)
{
    if (error) RLRetain(error);
}

void rl_swift_release_error(RLErrorRef error)
{
    if (error) RLRelease(error);
}

void rl_swift_retain_allocator(RLAllocatorRef allocator)
{
    if (allocator) RLRetain(allocator);
}

void rl_swift_release_allocator(RLAllocatorRef allocator)
{
    if (allocator) RLRelease(allocator);
}

void rl_swift_retain_url(RLURLRef url)
{
    if (url) RLRetain(url);
}

void rl_swift_release_url(RLURLRef url)
{
    if (url) RLRelease(url);
}

void rl_swift_retain_number(RLNumberRef number)
{
    if (number) RLRetain(number);
}

void rl_swift_release_number(RLNumberRef number)
{
    if (number) RLRelease(number);
}

void rl_swift_retain_boolean(RLBooleanRef boolean)
{
    if (boolean) RLRetain(boolean);
}

void rl_swift_release_boolean(RLBooleanRef boolean)
{
    if (boolean) RLRelease(boolean);
}

void rl_swift_retain_null(RLNullRef null)
{
    if (null) RLRetain(null);
}

void rl_swift_release_null(RLNullRef null)
{
    if (null) RLRelease(null);
}

void rl_swift_retain_run_loop(RLRunLoopRef loop)
{
    retain_object(loop);
}

void rl_swift_release_run_loop(RLRunLoopRef loop)
{
    release_object(loop);
}

void rl_swift_retain_source(RLRunLoopSourceRef source)
{
    retain_object(source);
}

void rl_swift_release_source(RLRunLoopSourceRef source)
{
    release_object(source);
}

void rl_swift_retain_observer(RLRunLoopObserverRef observer)
{
    retain_object(observer);
}

void rl_swift_release_observer(RLRunLoopObserverRef observer)
{
    release_object(observer);
}

void rl_swift_retain_timer(RLRunLoopTimerRef timer)
{
    retain_object(timer);
}

void rl_swift_release_timer(RLRunLoopTimerRef timer)
{
    release_object(timer);
}

void rl_swift_retain_mach_port(RLMachPortRef port)
{
    if (port) RLRetain(port);
}

void rl_swift_release_mach_port(RLMachPortRef port)
{
    if (port) RLRelease(port);
}

void rl_swift_retain_message_port(RLMessagePortRef port)
{
    if (port) RLRetain(port);
}

void rl_swift_release_message_port(RLMessagePortRef port)
{
    if (port) RLRelease(port);
}

void rl_swift_retain_file_descriptor(RLFileDescriptorRef descriptor)
{
    if (descriptor) RLRetain(descriptor);
}

void rl_swift_release_file_descriptor(RLFileDescriptorRef descriptor)
{
    if (descriptor) RLRelease(descriptor);
}

void rl_swift_retain_socket(RLSocketRef socket)
{
    if (socket) RLRetain(socket);
}

void rl_swift_release_socket(RLSocketRef socket)
{
    if (socket) RLRelease(socket);
}

void rl_swift_retain_read_stream(RLReadStreamRef stream)
{
    if (stream) RLRetain(stream);
}

void rl_swift_release_read_stream(RLReadStreamRef stream)
{
    if (stream) RLRelease(stream);
}

void rl_swift_retain_write_stream(RLWriteStreamRef stream)
{
    if (stream) RLRetain(stream);
}

void rl_swift_release_write_stream(RLWriteStreamRef stream)
{
    if (stream) RLRelease(stream);
}

void rl_swift_retain_tracer(RLRunLoopTracerRef tracer)
{
    if (tracer) RLRetain(tracer);
}

void rl_swift_release_tracer(RLRunLoopTracerRef tracer)
{
    if (tracer) RLRelease(tracer);
}

void rl_swift_retain_recording(RLRunLoopRecordingRef recording)
{
    if (recording) RLRetain(recording);
}

void rl_swift_release_recording(RLRunLoopRecordingRef recording)
{
    if (recording) RLRelease(recording);
}
