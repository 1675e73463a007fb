/*
 * The reference functions that Swift calls, with the exact types that its importer wants. Swift
 * calls them for empty optionals too.
 */

#include <CRunLoop/CRunLoop.h>

void rl_swift_retain_string(RLStringRef string)
{
    if (string) RLRetain(string);
}

void rl_swift_release_string(RLStringRef string)
{
    if (string) RLRelease(string);
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
    if (loop) RLRetain(loop);
}

void rl_swift_release_run_loop(RLRunLoopRef loop)
{
    if (loop) RLRelease(loop);
}

void rl_swift_retain_source(RLRunLoopSourceRef source)
{
    if (source) RLRetain(source);
}

void rl_swift_release_source(RLRunLoopSourceRef source)
{
    if (source) RLRelease(source);
}

void rl_swift_retain_observer(RLRunLoopObserverRef observer)
{
    if (observer) RLRetain(observer);
}

void rl_swift_release_observer(RLRunLoopObserverRef observer)
{
    if (observer) RLRelease(observer);
}

void rl_swift_retain_timer(RLRunLoopTimerRef timer)
{
    if (timer) RLRetain(timer);
}

void rl_swift_release_timer(RLRunLoopTimerRef timer)
{
    if (timer) RLRelease(timer);
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
