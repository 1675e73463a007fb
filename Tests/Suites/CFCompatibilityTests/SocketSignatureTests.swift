// Each function of CFSocket.h and CFFileDescriptor.h, and the implemented ones of CFStream.h, with
// the types that Apple's importer gives them. Compiling this file is the test.

import CFCompatibility
import Dispatch
import Testing

private typealias Address = CFData
private typealias Loop = CFRunLoop
private typealias Mode = CFRunLoopMode
private typealias Source = CFRunLoopSource

extension SignatureTests {
    @Test("the functions of descriptors")
    func descriptors() {
        typealias Context = CFFileDescriptorContext
        typealias File = CFFileDescriptor
        let _: () -> CFTypeID = CFFileDescriptorGetTypeID
        let _:
            (CFAllocator?, Int32, Bool, CFFileDescriptorCallBack?, UnsafePointer<Context>?)
                -> File? = CFFileDescriptorCreate
        let _: (File?) -> Int32 = CFFileDescriptorGetNativeDescriptor
        let _: (File?, UnsafeMutablePointer<Context>?) -> Void = CFFileDescriptorGetContext
        let _: (File?, CFOptionFlags) -> Void = CFFileDescriptorEnableCallBacks
        let _: (File?, CFOptionFlags) -> Void = CFFileDescriptorDisableCallBacks
        let _: (File?) -> Void = CFFileDescriptorInvalidate
        let _: (File?) -> Bool = CFFileDescriptorIsValid
        let _: (CFAllocator?, File?, CFIndex) -> Source? = CFFileDescriptorCreateRunLoopSource
        let _: [CFOptionFlags] = [kCFFileDescriptorReadCallBack, kCFFileDescriptorWriteCallBack]
    }

    @Test("the functions that make sockets")
    func makingSockets() {
        typealias Context = UnsafePointer<CFSocketContext>
        typealias Signature = UnsafePointer<CFSocketSignature>
        let _: () -> CFTypeID = CFSocketGetTypeID
        let _:
            (CFAllocator?, Int32, Int32, Int32, CFOptionFlags, CFSocketCallBack?, Context?)
                -> CFSocket? = CFSocketCreate
        let _: (CFAllocator?, Int32, CFOptionFlags, CFSocketCallBack?, Context?) -> CFSocket? =
            CFSocketCreateWithNative
        let _: (CFAllocator?, Signature?, CFOptionFlags, CFSocketCallBack?, Context?) -> CFSocket? =
            CFSocketCreateWithSocketSignature
        let _:
            (
                CFAllocator?, Signature?, CFOptionFlags, CFSocketCallBack?, Context?,
                CFTimeInterval
            ) -> CFSocket? = CFSocketCreateConnectedToSocketSignature
    }

    @Test("the functions of sockets")
    func sockets() {
        let _: (CFSocket?, Address?) -> CFSocketError = CFSocketSetAddress
        let _: (CFSocket?, Address?, CFTimeInterval) -> CFSocketError = CFSocketConnectToAddress
        let _: (CFSocket?) -> Void = CFSocketInvalidate
        let _: (CFSocket?) -> Bool = CFSocketIsValid
        let _: (CFSocket?) -> Address? = CFSocketCopyAddress
        let _: (CFSocket?) -> Address? = CFSocketCopyPeerAddress
        let _: (CFSocket?, UnsafeMutablePointer<CFSocketContext>?) -> Void = CFSocketGetContext
        let _: (CFSocket?) -> CFSocketNativeHandle = CFSocketGetNative
        let _: (CFAllocator?, CFSocket?, CFIndex) -> Source? = CFSocketCreateRunLoopSource
        let _: (CFSocket?) -> CFOptionFlags = CFSocketGetSocketFlags
        let _: (CFSocket?, CFOptionFlags) -> Void = CFSocketSetSocketFlags
        let _: (CFSocket?, CFOptionFlags) -> Void = CFSocketDisableCallBacks
        let _: (CFSocket?, CFOptionFlags) -> Void = CFSocketEnableCallBacks
        let _: (CFSocket?, Address?, CFData?, CFTimeInterval) -> CFSocketError = CFSocketSendData
        let _: [CFOptionFlags] = [
            kCFSocketAutomaticallyReenableReadCallBack,
            kCFSocketAutomaticallyReenableAcceptCallBack,
            kCFSocketAutomaticallyReenableDataCallBack,
            kCFSocketAutomaticallyReenableWriteCallBack,
            kCFSocketLeaveErrors, kCFSocketCloseOnInvalidate,
        ]
        let _: [CFSocketCallBackType] = [
            [], .readCallBack, .acceptCallBack, .dataCallBack, .connectCallBack, .writeCallBack,
        ]
        let _: [CFSocketError] = [.success, .error, .timeout]
        let _: [CFString?] = [
            kCFSocketCommandKey, kCFSocketNameKey, kCFSocketValueKey, kCFSocketResultKey,
            kCFSocketErrorKey, kCFSocketRegisterCommand, kCFSocketRetrieveCommand,
        ]
    }

    @Test("the functions of read streams")
    func readStreams() {
        typealias Context = UnsafeMutablePointer<CFStreamClientContext>
        typealias Stream = CFReadStream
        let _: () -> CFTypeID = CFReadStreamGetTypeID
        let _: (Stream?) -> CFStreamStatus = CFReadStreamGetStatus
        let _: (Stream?) -> CFStreamError = CFReadStreamGetError
        let _: (Stream?) -> Bool = CFReadStreamOpen
        let _: (Stream?) -> Void = CFReadStreamClose
        let _: (Stream?) -> Bool = CFReadStreamHasBytesAvailable
        let _: (Stream?, UnsafeMutablePointer<UInt8>?, CFIndex) -> CFIndex = CFReadStreamRead
        let _: (Stream?, CFOptionFlags, CFReadStreamClientCallBack?, Context?) -> Bool =
            CFReadStreamSetClient
        let _: (Stream?, Loop?, Mode?) -> Void = CFReadStreamScheduleWithRunLoop
        let _: (Stream?, Loop?, Mode?) -> Void = CFReadStreamUnscheduleFromRunLoop
        let _: (Stream?, DispatchQueue?) -> Void = CFReadStreamSetDispatchQueue
        let _: (Stream?) -> DispatchQueue? = CFReadStreamCopyDispatchQueue
        let _: [CFStreamEventType] = [
            [], .openCompleted, .hasBytesAvailable, .canAcceptBytes, .errorOccurred,
            .endEncountered,
        ]
        let _: [CFStreamStatus] = [
            .notOpen, .opening, .open, .reading, .writing, .atEnd, .closed, .error,
        ]
    }

    @Test("the functions of write streams")
    func writeStreams() {
        typealias Context = UnsafeMutablePointer<CFStreamClientContext>
        typealias Stream = CFWriteStream
        let _: () -> CFTypeID = CFWriteStreamGetTypeID
        let _: (Stream?) -> CFStreamStatus = CFWriteStreamGetStatus
        let _: (Stream?) -> CFStreamError = CFWriteStreamGetError
        let _: (Stream?) -> Bool = CFWriteStreamOpen
        let _: (Stream?) -> Void = CFWriteStreamClose
        let _: (Stream?) -> Bool = CFWriteStreamCanAcceptBytes
        let _: (Stream?, UnsafePointer<UInt8>?, CFIndex) -> CFIndex = CFWriteStreamWrite
        let _: (Stream?, CFOptionFlags, CFWriteStreamClientCallBack?, Context?) -> Bool =
            CFWriteStreamSetClient
        let _: (Stream?, Loop?, Mode?) -> Void = CFWriteStreamScheduleWithRunLoop
        let _: (Stream?, Loop?, Mode?) -> Void = CFWriteStreamUnscheduleFromRunLoop
        let _: (Stream?, DispatchQueue?) -> Void = CFWriteStreamSetDispatchQueue
        let _: (Stream?) -> DispatchQueue? = CFWriteStreamCopyDispatchQueue
        let _: (CFMessagePort?, DispatchQueue?) -> Void = CFMessagePortSetDispatchQueue
    }

    @Test("properties of streams as objects")
    func properties() {
        let stream = CFWriteStreamCreateWithAllocatedBuffers(nil, nil)
        #expect(CFWriteStreamOpen(stream))
        #expect(CFWriteStreamWrite(stream, Array("hello".utf8), 5) == 5)
        let written = CFWriteStreamCopyProperty(stream, kCFStreamPropertyDataWritten)
        #expect((written as? CFData).map { [UInt8]($0) } == Array("hello".utf8))
        #expect(CFWriteStreamCopyProperty(stream, kCFStreamPropertyAppendToFile) == nil)
        CFWriteStreamClose(stream)
    }
}
