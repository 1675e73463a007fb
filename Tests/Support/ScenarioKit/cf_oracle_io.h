/*
 * The part of the reference's C interface that scenarios about sockets and streams use; see
 * cf_oracle.h, which includes it. CFFileDescriptor is not in the Linux build.
 */

#ifndef SCENARIOKIT_CF_ORACLE_IO_H
#define SCENARIOKIT_CF_ORACLE_IO_H

typedef struct cf_socket *CFSocketRef;
typedef int CFSocketNativeHandle;

typedef enum : CFIndex {
    kCFSocketSuccess = 0,
    kCFSocketError = -1,
    kCFSocketTimeout = -2
} CFSocketError;

typedef enum : CFOptionFlags {
    kCFSocketNoCallBack = 0,
    kCFSocketReadCallBack = 1,
    kCFSocketAcceptCallBack = 2,
    kCFSocketDataCallBack = 3,
    kCFSocketConnectCallBack = 4,
    kCFSocketWriteCallBack = 8
} CFSocketCallBackType;

enum : CFOptionFlags {
    kCFSocketAutomaticallyReenableReadCallBack = 1,
    kCFSocketAutomaticallyReenableAcceptCallBack = 2,
    kCFSocketAutomaticallyReenableDataCallBack = 3,
    kCFSocketAutomaticallyReenableWriteCallBack = 8,
    kCFSocketLeaveErrors = 64,
    kCFSocketCloseOnInvalidate = 128
};

typedef struct {
    int32_t protocolFamily;
    int32_t socketType;
    int32_t protocol;
    CFDataRef address;
} CFSocketSignature;

typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
} CFSocketContext;

typedef void (*CFSocketCallBack)(CFSocketRef socket, CFSocketCallBackType type, CFDataRef address,
                                 const void *data, void *info);

extern CFTypeID CFSocketGetTypeID(void);
extern CFSocketRef CFSocketCreate(CFAllocatorRef allocator, int32_t family, int32_t type,
                                  int32_t protocol, CFOptionFlags types, CFSocketCallBack callout,
                                  const CFSocketContext *context);
extern CFSocketRef CFSocketCreateWithNative(CFAllocatorRef allocator, CFSocketNativeHandle handle,
                                            CFOptionFlags types, CFSocketCallBack callout,
                                            const CFSocketContext *context);
extern CFSocketRef CFSocketCreateWithSocketSignature(CFAllocatorRef allocator,
                                                     const CFSocketSignature *signature,
                                                     CFOptionFlags types, CFSocketCallBack callout,
                                                     const CFSocketContext *context);
extern CFSocketRef CFSocketCreateConnectedToSocketSignature(
    CFAllocatorRef allocator, const CFSocketSignature *signature, CFOptionFlags types,
    CFSocketCallBack callout, const CFSocketContext *context, CFTimeInterval timeout);
extern CFSocketError CFSocketSetAddress(CFSocketRef socket, CFDataRef address);
extern CFSocketError CFSocketConnectToAddress(CFSocketRef socket, CFDataRef address,
                                              CFTimeInterval timeout);
extern void CFSocketInvalidate(CFSocketRef socket);
extern Boolean CFSocketIsValid(CFSocketRef socket);
extern CFDataRef CFSocketCopyAddress(CFSocketRef socket);
extern CFDataRef CFSocketCopyPeerAddress(CFSocketRef socket);
extern void CFSocketGetContext(CFSocketRef socket, CFSocketContext *context);
extern CFSocketNativeHandle CFSocketGetNative(CFSocketRef socket);
extern CFRunLoopSourceRef CFSocketCreateRunLoopSource(CFAllocatorRef allocator, CFSocketRef socket,
                                                      CFIndex order);
extern CFOptionFlags CFSocketGetSocketFlags(CFSocketRef socket);
extern void CFSocketSetSocketFlags(CFSocketRef socket, CFOptionFlags flags);
extern void CFSocketDisableCallBacks(CFSocketRef socket, CFOptionFlags types);
extern void CFSocketEnableCallBacks(CFSocketRef socket, CFOptionFlags types);
extern CFSocketError CFSocketSendData(CFSocketRef socket, CFDataRef address, CFDataRef data,
                                      CFTimeInterval timeout);
extern const CFStringRef kCFSocketCommandKey;
extern const CFStringRef kCFSocketNameKey;
extern const CFStringRef kCFSocketValueKey;
extern const CFStringRef kCFSocketResultKey;
extern const CFStringRef kCFSocketErrorKey;
extern const CFStringRef kCFSocketRegisterCommand;
extern const CFStringRef kCFSocketRetrieveCommand;
extern uint16_t CFSocketGetDefaultNameRegistryPortNumber(void);
extern void CFSocketSetDefaultNameRegistryPortNumber(uint16_t port);

typedef struct cf_read_stream *CFReadStreamRef;
typedef struct cf_write_stream *CFWriteStreamRef;

typedef enum : CFIndex {
    kCFStreamStatusNotOpen = 0,
    kCFStreamStatusOpening,
    kCFStreamStatusOpen,
    kCFStreamStatusReading,
    kCFStreamStatusWriting,
    kCFStreamStatusAtEnd,
    kCFStreamStatusClosed,
    kCFStreamStatusError
} CFStreamStatus;

typedef enum : CFOptionFlags {
    kCFStreamEventNone = 0,
    kCFStreamEventOpenCompleted = 1,
    kCFStreamEventHasBytesAvailable = 2,
    kCFStreamEventCanAcceptBytes = 4,
    kCFStreamEventErrorOccurred = 8,
    kCFStreamEventEndEncountered = 16
} CFStreamEventType;

typedef struct {
    CFIndex domain;
    int32_t error;
} CFStreamError;

typedef struct {
    CFIndex version;
    void *info;
    void *(*retain)(void *info);
    void (*release)(void *info);
    CFStringRef (*copyDescription)(void *info);
} CFStreamClientContext;

struct dispatch_queue_s;

typedef void (*CFReadStreamClientCallBack)(CFReadStreamRef stream, CFStreamEventType type,
                                           void *info);
typedef void (*CFWriteStreamClientCallBack)(CFWriteStreamRef stream, CFStreamEventType type,
                                            void *info);

extern CFReadStreamRef CFReadStreamCreateWithBytesNoCopy(CFAllocatorRef allocator,
                                                         const uint8_t *bytes, CFIndex length,
                                                         CFAllocatorRef deallocator);
extern CFWriteStreamRef CFWriteStreamCreateWithBuffer(CFAllocatorRef allocator, uint8_t *buffer,
                                                      CFIndex capacity);
extern CFWriteStreamRef CFWriteStreamCreateWithAllocatedBuffers(CFAllocatorRef allocator,
                                                                CFAllocatorRef buffers);
extern CFStreamStatus CFReadStreamGetStatus(CFReadStreamRef stream);
extern CFStreamStatus CFWriteStreamGetStatus(CFWriteStreamRef stream);
extern CFStreamError CFReadStreamGetError(CFReadStreamRef stream);
extern CFStreamError CFWriteStreamGetError(CFWriteStreamRef stream);
extern Boolean CFReadStreamOpen(CFReadStreamRef stream);
extern Boolean CFWriteStreamOpen(CFWriteStreamRef stream);
extern void CFReadStreamClose(CFReadStreamRef stream);
extern void CFWriteStreamClose(CFWriteStreamRef stream);
extern Boolean CFReadStreamHasBytesAvailable(CFReadStreamRef stream);
extern CFIndex CFReadStreamRead(CFReadStreamRef stream, uint8_t *buffer, CFIndex length);
extern Boolean CFWriteStreamCanAcceptBytes(CFWriteStreamRef stream);
extern CFIndex CFWriteStreamWrite(CFWriteStreamRef stream, const uint8_t *buffer, CFIndex length);
extern CFTypeRef CFWriteStreamCopyProperty(CFWriteStreamRef stream, CFStringRef name);
extern const CFStringRef kCFStreamPropertyDataWritten;
extern Boolean CFReadStreamSetClient(CFReadStreamRef stream, CFOptionFlags events,
                                     CFReadStreamClientCallBack callout,
                                     CFStreamClientContext *context);
extern Boolean CFWriteStreamSetClient(CFWriteStreamRef stream, CFOptionFlags events,
                                      CFWriteStreamClientCallBack callout,
                                      CFStreamClientContext *context);
extern void CFReadStreamScheduleWithRunLoop(CFReadStreamRef stream, CFRunLoopRef loop,
                                            CFRunLoopMode mode);
extern void CFWriteStreamScheduleWithRunLoop(CFWriteStreamRef stream, CFRunLoopRef loop,
                                             CFRunLoopMode mode);
extern void CFReadStreamSetDispatchQueue(CFReadStreamRef stream, struct dispatch_queue_s *queue);
extern void CFWriteStreamSetDispatchQueue(CFWriteStreamRef stream, struct dispatch_queue_s *queue);
extern struct dispatch_queue_s *CFReadStreamCopyDispatchQueue(CFReadStreamRef stream);
extern struct dispatch_queue_s *CFWriteStreamCopyDispatchQueue(CFWriteStreamRef stream);
extern void CFReadStreamUnscheduleFromRunLoop(CFReadStreamRef stream, CFRunLoopRef loop,
                                              CFRunLoopMode mode);

extern CFErrorRef CFReadStreamCopyError(CFReadStreamRef stream);
extern CFErrorRef CFWriteStreamCopyError(CFWriteStreamRef stream);
extern const UInt8 *CFReadStreamGetBuffer(CFReadStreamRef stream, CFIndex most, CFIndex *count);

extern CFReadStreamRef CFReadStreamCreateWithFile(CFAllocatorRef allocator, CFURLRef url);
extern CFWriteStreamRef CFWriteStreamCreateWithFile(CFAllocatorRef allocator, CFURLRef url);

#endif
