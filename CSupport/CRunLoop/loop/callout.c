/*
 * The callbacks of sources that the engine makes. Each has a function of its own, which compilers
 * do not merge, so that a backtrace shows where the client's code begins.
 */

#include "loop/callout.h"

#include "loop/trace.h"

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

void rl_callout_socket(RLSocketCallBack function, RLSocketRef socket, RLSocketCallBackType type,
                       RLDataRef address, const void *data, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(socket, type, address, data, info);
    RL_STAY_ON_THE_STACK;
}

void rl_callout_host(RLHostClientCallBack function, RLHostRef host, RLHostInfoType type,
                     const RLStreamError *error, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(host, type, error, info);
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
