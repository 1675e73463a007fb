/*
 * The functions that call the client code of loops, so that every such call is easy to find. Those
 * for the steps of a pass are in pass_callout.h. No lock is held meanwhile, except while a source
 * answers questions (equal, hash, its descriptor, its events).
 *
 * Some files call client code that only they use: values/ and base/sort.c the callbacks, appliers
 * and comparators of collections and the functions of allocators; observer.c and timer.c the block
 * of a handler, inside the callback that stands for it; block_entry.c the helpers by which blocks
 * are copied; run/autorelease.c what a pool releases; run/inspect.c the visitor of a monitor;
 * sockets/stream_face.c the function that borrows a stream's queue.
 */

#ifndef RL_CALLOUT_H
#define RL_CALLOUT_H

#include <CRunLoop/RLEventSources.h>
#include <CRunLoop/RLFileDescriptor.h>
#include <CRunLoop/RLHost.h>
#include <CRunLoop/RLMachPort.h>
#include <CRunLoop/RLMessagePort.h>
#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>
#include <CRunLoop/RLSocket.h>
#include <CRunLoop/RLStream.h>

/* Ends a function that calls a client, lest a tail call take the function out of backtraces. */
#define RL_STAY_ON_THE_STACK __asm__ volatile("")

/* Calls a client's function. */
#define RL_CALLOUT(function, ...) ((function)(__VA_ARGS__))

/* --- What contexts do with their info --------------------------------------------------------- */

/* A null `retain` returns the info itself. */
static inline void *rl_callout_retain(const void *(*retain)(const void *), const void *info)
{
    return (void *)(uintptr_t)(retain ? retain(info) : info);
}

static inline void rl_callout_release(void (*release)(const void *), const void *info)
{
    release(info);
}

static inline RLStringRef rl_callout_copy_description(RLStringRef (*copy)(const void *),
                                                      const void *info)
{
    return copy(info);
}

/* For contexts whose functions take the info without const. */
static inline void *rl_callout_retain_variable(void *(*retain)(void *), void *info)
{
    return retain(info);
}

static inline void rl_callout_release_variable(void (*release)(void *), void *info)
{
    release(info);
}

/* For callbacks at the end of a loop. */
static inline void rl_callout_end(void (*callback)(void *), void *info)
{
    callback(info);
}

static inline RLStringRef rl_callout_describe_variable(RLStringRef (*copy)(void *), void *info)
{
    return copy(info);
}

/* --- Callbacks outside the pass --------------------------------------------------------------- */

/*
 * Callbacks of sources that the engine makes. They run inside the function that calls the source.
 * RLBacktrace.swift knows these names: the client's code begins behind them.
 */
void rl_callout_signal(RLSignalCallBack function, RLRunLoopSourceRef source,
                       const RLSignalEvent *event, void *info);
void rl_callout_process(RLProcessCallBack function, RLRunLoopSourceRef source, SInt32 process,
                        SInt32 status, void *info);
void rl_callout_file(RLFileEventCallBack function, RLRunLoopSourceRef source,
                     const RLFileEvent *event, void *info);
RLDataRef rl_callout_message(RLMessagePortCallBack function, RLMessagePortRef port,
                             SInt32 message_id, RLDataRef data, void *info);

/* For descriptors, sockets and streams. The call of the source has noted what the loop does. */
void rl_callout_file_descriptor(RLFileDescriptorCallBack function, RLFileDescriptorRef descriptor,
                                RLOptionFlags types, void *info);
void rl_callout_mach_port(RLMachPortCallBack function, RLMachPortRef port, void *message,
                          RLIndex size, void *info);
void rl_callout_socket(RLSocketCallBack function, RLSocketRef socket, RLSocketCallBackType type,
                       RLDataRef address, const void *data, void *info);

void rl_callout_host(RLHostClientCallBack function, RLHostRef host, RLHostInfoType type,
                     const RLStreamError *error, void *info);

void rl_callout_read_stream(RLReadStreamClientCallBack function, RLReadStreamRef stream,
                            RLStreamEventType event, void *info);
void rl_callout_write_stream(RLWriteStreamClientCallBack function, RLWriteStreamRef stream,
                             RLStreamEventType event, void *info);

#endif
