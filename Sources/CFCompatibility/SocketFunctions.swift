public import CRunLoop.CFDeclarations

#if canImport(Glibc)
    public import Glibc
#endif

#if canImport(Glibc)
    // In Swift, Glibc's `SOCK_STREAM` and `IPPROTO_TCP` are not integers.

    /// Creates a socket with Glibc's constants.
    @discardableResult
    @inlinable
    public func CFSocketCreate(
        _ allocator: CFAllocator!,
        _ protocolFamily: Int32,
        _ socketType: __socket_type,
        _ protocol: some BinaryInteger,
        _ callBackTypes: CFOptionFlags,
        _ callout: CFSocketCallBack!,
        _ context: UnsafePointer<CFSocketContext>!
    ) -> CFSocket! {
        CFSocketCreate(
            allocator,
            protocolFamily,
            Int32(socketType.rawValue),
            Int32(`protocol`),
            callBackTypes,
            callout,
            context
        )
    }
#endif
