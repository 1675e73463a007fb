/*
 * Calling client code outside of the steps of a pass. No lock is held meanwhile, except while a
 * source answers questions (equal, hash, its descriptor, its events).
 */

#include "loop/callout.h"

#include "loop/trace.h"

void rl_callout_hosting_ended(void (*ended)(void *info, Boolean is_thread_ending), void *info,
                              bool is_thread_ending)
{
    ended(info, is_thread_ending);
}

Boolean rl_callout_equal(Boolean (*equal)(const void *, const void *), const void *first,
                         const void *second)
{
    return equal(first, second);
}

RLHashCode rl_callout_hash(RLHashCode (*hash)(const void *), const void *info)
{
    return hash(info);
}

int rl_callout_get_port(int (*get)(void *), void *info)
{
    return get(info);
}

RLRunLoopDescriptorEvents rl_callout_get_events(RLRunLoopDescriptorEvents (*get)(void *),
                                                void *info)
{
    return get(info);
}

void rl_callout_schedule(void (*function)(void *, RLRunLoopRef, RLRunLoopMode), void *info,
                         RLRunLoopRef loop, RLRunLoopMode mode)
{
    function(info, loop, mode);
}

void rl_callout_signal(RLSignalCallBack function, RLRunLoopSourceRef source,
                       const RLSignalEvent *event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, event, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_process(RLProcessCallBack function, RLRunLoopSourceRef source, SInt32 process,
                        SInt32 status, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, process, status, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_file(RLFileEventCallBack function, RLRunLoopSourceRef source,
                     const RLFileEvent *event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(source, event, info);
    RL_STAY_ON_THE_STACK;
}

RLDataRef rl_callout_message(RLMessagePortCallBack function, RLMessagePortRef port,
                             SInt32 message_id, RLDataRef data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    RLDataRef reply = function(port, message_id, data, info);
    RL_STAY_ON_THE_STACK;
    return reply;
}

void rl_callout_invalidation(RLMessagePortInvalidationCallBack function, RLMessagePortRef port,
                             void *info)
{
    function(port, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_timer_by_hand(RLRunLoopTimerCallBack function, RLRunLoopTimerRef timer, void *info)
{
    function(timer, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_file_descriptor(RLFileDescriptorCallBack function, RLFileDescriptorRef descriptor,
                                RLOptionFlags types, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(descriptor, types, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_mach_port(RLMachPortCallBack function, RLMachPortRef port, void *message,
                          RLIndex size, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(port, message, size, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_mach_port_invalidation(RLMachPortInvalidationCallBack function, RLMachPortRef port,
                                       void *info)
{
    function(port, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_socket(RLSocketCallBack function, RLSocketRef socket, RLSocketCallBackType type,
                       RLDataRef address, const void *data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(socket, type, address, data, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_read_stream(RLReadStreamClientCallBack function, RLReadStreamRef stream,
                            RLStreamEventType event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(stream, event, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_write_stream(RLWriteStreamClientCallBack function, RLWriteStreamRef stream,
                             RLStreamEventType event, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(stream, event, info);
    RL_STAY_ON_THE_STACK;
}
