// Notification centers, as Swift code for Apple's systems uses them: NTFC-1, NTFC-2, NTFC-4.

import CFCompatibility
import Testing

private typealias Center = CFNotificationCenter
private typealias Pointer = UnsafeRawPointer

private final class Listener {
    var heard: [String] = []

    var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

extension SignatureTests {
    @Test("the functions of notification centers")
    func notificationCenters() {
        let _: () -> CFTypeID = CFNotificationCenterGetTypeID
        let _: [() -> Center?] = [
            CFNotificationCenterGetLocalCenter, CFNotificationCenterGetDistributedCenter,
            CFNotificationCenterGetDarwinNotifyCenter,
        ]
        let _:
            (
                Center?, Pointer?, CFNotificationCallback?, CFString?, Pointer?,
                CFNotificationSuspensionBehavior
            ) -> Void = CFNotificationCenterAddObserver
        let _: (Center?, Pointer?, CFNotificationName?, Pointer?) -> Void =
            CFNotificationCenterRemoveObserver
        let _: (Center?, Pointer?) -> Void = CFNotificationCenterRemoveEveryObserver
        let _: (Center?, CFNotificationName?, Pointer?, CFDictionary?, Bool) -> Void =
            CFNotificationCenterPostNotification
        let _: (Center?, CFNotificationName?, Pointer?, CFDictionary?, CFOptionFlags) -> Void =
            CFNotificationCenterPostNotificationWithOptions
        let _: [CFNotificationSuspensionBehavior] = [.drop, .coalesce, .hold, .deliverImmediately]
        let _ = kCFNotificationDeliverImmediately | kCFNotificationPostToAllSessions
    }
}

@Suite("A notification center") struct NotificationTests {
    @Test("calls observers until they are removed") func local() {
        let center = CFNotificationCenterGetLocalCenter()
        let listener = Listener()
        let name = CFNotificationName("com.example.happened" as CFString)

        CFNotificationCenterAddObserver(
            center,
            listener.address,
            { _, observer, name, _, _ in
                guard let observer, let name else { return }
                let listener = Unmanaged<Listener>.fromOpaque(observer).takeUnretainedValue()
                listener.heard.append(String(name))
            },
            name.rawValue,
            nil,
            .deliverImmediately
        )
        CFNotificationCenterPostNotification(center, name, nil, nil, true)
        let other = CFNotificationName(rawValue: "com.example.other" as CFString)
        CFNotificationCenterPostNotification(center, other, nil, nil, true)
        #expect(listener.heard == ["com.example.happened"])

        CFNotificationCenterRemoveObserver(center, listener.address, name, nil)
        CFNotificationCenterPostNotification(center, name, nil, nil, true)
        CFNotificationCenterRemoveEveryObserver(center, listener.address)
        #expect(listener.heard.count == 1)
        #expect(name == CFNotificationName("com.example.happened" as CFString) && name != other)
    }
}
