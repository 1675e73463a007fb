import FoundationEssentials
import Glibc
import RunLoopKit
import ThreadKit

/// A call of a public member on a thread other than that of its object's loop.
struct ForeignCall: Sendable {
    /// The member; several calls of a member differ in a second word.
    let name: String
    /// The beginning and the end of the diagnostic if the call stops the process; otherwise nil.
    let line: (String, String)?
    let use: @Sendable (ForeignField) -> Void

    private static func works(
        _ name: String,
        _ use: @escaping @Sendable (ForeignField) -> Void
    ) -> ForeignCall {
        ForeignCall(name: name, line: nil, use: use)
    }

    /// A call that would run, keep, replace or release objects that need not be `Sendable`.
    private static func stops(
        _ name: String,
        _ remedy: String,
        as printed: String? = nil,
        _ use: @escaping @Sendable (ForeignField) -> Void
    ) -> ForeignCall {
        let call = printed ?? String(name.prefix { $0 != " " })
        return ForeignCall(name: name, line: (call, remedy), use: use)
    }

    static let all = loops + timers + streams + ends + threads + items + others

    private static let byLoop = "pass getRLRunLoop() to C functions, such as RLRunLoopPerformBlock"
    private static let byBlock = "call it on that thread with RLRunLoopPerformBlock"
    private static let byClient = "use RLReadStreamSetClient or RLWriteStreamSetClient"
    private static let bySender = "use its sender"

    private static let loops = [
        // Running calls the client's closures.
        stops("RLRunLoop.run()", byLoop) { $0.loop.run() },
        stops("RLRunLoop.run(until:)", byLoop) { $0.loop.run(until: Date.distantPast) },
        stops("RLRunLoop.run(until:) instant", byLoop) { $0.loop.run(until: ContinuousClock.now) },
        stops("RLRunLoop.run(for:)", byLoop) { $0.loop.run(for: .zero) },
        stops("RLRunLoop.run(mode:before:)", byLoop) {
            $0.loop.run(mode: .default, before: .distantPast)
        },
        stops("RLRunLoop.run(mode:for:)", byLoop) { $0.loop.run(mode: .default, for: .zero) },
        stops("RLRunLoop.runUntilStopped()", byLoop) { $0.loop.runUntilStopped() },
        stops("RLRunLoop.acceptInput(forMode:before:)", byLoop) {
            $0.loop.acceptInput(forMode: .default, before: .distantPast)
        },
        stops("RLRunLoop.limitDate(forMode:)", byLoop) {
            _ = $0.loop.limitDate(forMode: .default)
        },
        stops("RLRunLoop.pump(for:mode:)", byLoop) { $0.loop.pump() },
        stops("RLRunLoop.serveInMainQueue(mode:)", byLoop) { $0.loop.serveInMainQueue() },
        stops("RLMainRunLoop.run()", byLoop, as: "RLRunLoop.run()") { _ in RLRunLoop.main.run() },
        stops("RLMainRunLoop.run(until:)", byLoop, as: "RLRunLoop.run(until:)") { _ in
            RLRunLoop.main.run(until: .distantPast)
        },
        stops("RLMainRunLoop.run(mode:before:)", byLoop, as: "RLRunLoop.run(mode:before:)") { _ in
            RLRunLoop.main.run(mode: .default, before: .distantPast)
        },
        stops("RLMainRunLoop.runUntilStopped()", byLoop, as: "RLRunLoop.runUntilStopped()") { _ in
            RLRunLoop.main.runUntilStopped()
        },
        // These keep or release a closure, target or argument.
        stops("RLRunLoop.add(_:forMode:)", byLoop) { $0.loop.add($0.timer, forMode: .default) },
        stops("RLRunLoop.remove(_:forMode:)", byLoop) {
            $0.loop.remove($0.timer, forMode: .default)
        },
        stops("RLRunLoop.addSource(in:order:handler:)", byLoop) { $0.loop.addSource { _ in } },
        stops("RLRunLoop.observe(_:in:repeats:order:handler:)", byLoop) {
            $0.loop.observe(.exit) { _, _ in }
        },
        stops("RLRunLoop.observe(descriptor:_:in:handler:)", byLoop) {
            $0.loop.observe(descriptor: STDIN_FILENO) { _, _ in }
        },
        stops("RLRunLoop.observe(process:reaps:in:handler:)", byLoop) {
            $0.loop.observe(process: getpid()) { _, _ in }
        },
        stops("RLRunLoop.observe(signals:in:handler:)", byLoop) {
            $0.loop.observe(signals: [SIGUSR1]) { _, _ in }
        },
        stops("RLRunLoop.perform(afterDelay:inModes:block:)", byLoop) {
            $0.loop.perform(afterDelay: 1000) {}
        },
        stops("RLRunLoop.perform(_:target:argument:order:modes:)", byLoop) {
            $0.loop.perform(.handle, target: $0.target, modes: [.default])
        },
        stops("RLRunLoop.cancelPerform(_:target:argument:)", byLoop) {
            $0.loop.cancelPerform(.handle, target: $0.target)
        },
        stops("RLRunLoop.cancelPerformSelectors(withTarget:)", byLoop) {
            $0.loop.cancelPerformSelectors(withTarget: $0.target)
        },
        works("RLRunLoop.add(_:forMode:) port") { $0.loop.add($0.port, forMode: .common) },
        works("RLRunLoop.remove(_:forMode:) port") { $0.loop.remove($0.port, forMode: .common) },
        works("RLRunLoop.busyPollInterval") {
            $0.loop.busyPollInterval = 0
            _ = $0.loop.busyPollInterval
        },
        works("RLRunLoop.currentMode") { _ = $0.loop.currentMode },
        works("RLRunLoop.getRLRunLoop()") { _ = $0.loop.getRLRunLoop() },
        works("RLRunLoop.installAutoreleasePool()") { $0.loop.installAutoreleasePool() },
        works("RLRunLoop.perform(_:)") { $0.loop.perform {} },
        works("RLRunLoop.perform(inModes:block:)") { $0.loop.perform(inModes: [.common]) {} },
        works("RLRunLoop.stop(withCode:)") { $0.loop.stop() },
        works("RLRunLoop.description") { _ = "\($0.loop)" },
        works("RLRunLoop.debugDescription") { _ = $0.loop.debugDescription },
        works("RLMainRunLoop.getRLRunLoop()") { _ in _ = RLRunLoop.main.getRLRunLoop() },
        works("RLMainRunLoop.installAutoreleasePool()") { _ in
            // Not called, as it would install pools in the main loop of all tests.
            _ = RLMainRunLoop.installAutoreleasePool
        },
        works("RLMainRunLoop.perform(_:)") { _ in RLRunLoop.main.perform {} },
        works("RLMainRunLoop.perform(inModes:block:)") { _ in
            RLRunLoop.main.perform(inModes: [.common]) {}
        },
        works("RLMainRunLoop.stop(withCode:)") { _ in _ = RLMainRunLoop.stop },
        works("RLMainRunLoop.currentMode") { _ in _ = RLRunLoop.main.currentMode },
        works("RLMainRunLoop.description") { _ in _ = "\(RLRunLoop.main)" },
        works("RLHosting.cancel()") { _ in _ = RLHosting.cancel },
    ]

    private static let timers = [
        stops("RLTimer.fire()", "use getRLRunLoopTimer() and the RLRunLoopTimer functions") {
            $0.givenTimer.fire()
        },
        stops("RLTimer.userInfo", "use getRLRunLoopTimer() and the RLRunLoopTimer functions") {
            _ = $0.givenTimer.userInfo
        },
        works("RLTimer.fireDate") {
            $0.timer.fireDate = .now
            _ = $0.timer.fireDate
        },
        works("RLTimer.tolerance") {
            $0.timer.tolerance = 1
            _ = $0.timer.tolerance
        },
        works("RLTimer.timeInterval") { _ = $0.timer.timeInterval },
        works("RLTimer.isValid") { _ = $0.timer.isValid },
        works("RLTimer.invalidate()") { $0.timer.invalidate() },
        works("RLTimer.invalidate() given") {
            $0.givenTimer.invalidate()
            _ = $0.givenTimer.userInfo
        },
        works("RLTimer.getRLRunLoopTimer()") {
            _ = $0.givenTimer.getRLRunLoopTimer()
        },
        works("RLTimer.getRLRunLoopTimer() again") {
            _ = RLTimer($0.givenTimer.getRLRunLoopTimer()).getRLRunLoopTimer()
        },
        works("RLTimer.nextFire()") { wait($0) { _ = await $0.timer.nextFire() } },
        works("RLTimer.isEqual(_:)") { _ = $0.timer.isEqual($0.givenTimer) },
        works("RLTimer.hash") { _ = $0.timer.hash },
        works("RLTimer.description") { _ = "\($0.timer)" },
    ]

    private static let streams = [
        // The call would use or release the delegate on the wrong thread.
        stops("RLStream.delegate", byClient) { $0.input.delegate = ForeignField.Target() },
        stops("RLStream.delegate read", byClient, as: "RLStream.delegate.getter") {
            _ = $0.input.delegate
        },
        stops("RLStream.schedule(in:forMode:) here", byClient) {
            $0.input.schedule(in: .current, forMode: .default)
        },
        stops("RLStream.schedule(in:forMode:) with a delegate from here", byClient) {
            let target = ForeignField.Target()
            let input = RLInputStream(data: Data())
            input.delegate = target
            input.schedule(in: $0.loop, forMode: .default)
            withExtendedLifetime(target) {}
        },
        works("RLStream.delegate nil") { $0.input.delegate = nil },
        works("RLStream.delegate for any thread") {
            let target = ForeignField.AnyTarget()
            $0.input.delegate = target
            withExtendedLifetime(target) {}
        },
        works("RLStream.schedule(in:forMode:)") {
            $0.input.schedule(in: $0.loop, forMode: .common)
        },
        works("RLStream.schedule(in:forMode:) of another") {
            let input = RLInputStream(data: Data())
            input.schedule(in: $0.loop, forMode: .default)
            input.open()
        },
        works("RLStream.remove(from:forMode:)") {
            $0.input.remove(from: $0.loop, forMode: .common)
        },
        works("RLStream.open()") { $0.output.open() },
        works("RLStream.close()") { field in
            for stream in [field.input, field.output] as [RLStream] { stream.close() }
        },
        works("RLStream.streamStatus") { _ = $0.input.streamStatus },
        works("RLStream.socket") { _ = $0.input.socket },
        works("RLStream.streamError") { _ = $0.output.streamError },
        works("RLStream.property(forKey:)") { _ = $0.input.property(forKey: .networkServiceType) },
        works("RLStream.setProperty(_:forKey:)") {
            $0.input.setProperty(true, forKey: .shouldCloseNativeSocketKey)
        },
        works("RLStream.willSchedule(in:)") { $0.input.willSchedule(in: $0.loop.getRLRunLoop()) },
        works("RLStream.willServeOnQueue()") { $0.input.willServeOnQueue() },
        works("RLStream.description") { _ = "\($0.input)" },
        works("RLInputStream.read(_:maxLength:)") {
            var byte: UInt8 = 0
            _ = $0.input.read(&byte, maxLength: 1)
        },
        works("RLInputStream.hasBytesAvailable") { _ = $0.input.hasBytesAvailable },
        works("RLInputStream.getBuffer(_:length:)") {
            var (bytes, length): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
            _ = $0.input.getBuffer(&bytes, length: &length)
        },
        works("RLInputStream.getRLReadStream()") { _ = $0.input.getRLReadStream() },
        works("RLInputStream.lines(maximumLength:on:mode:)") { _ = $0.input.lines() },
        works("RLInputStream.chunks(upToCount:on:mode:)") { _ = $0.input.chunks() },
        works("RLInputStream.read(upToCount:on:mode:)") { field in
            // The read must not wait: the loop's thread may replace the client.
            var byte: UInt8 = 0
            _ = field.output.write(&byte, maxLength: 1)
            wait(field) { _ = try? await $0.input.read(upToCount: 1) }
        },
        works("RLOutputStream.finishWriting()") { $0.output.finishWriting() },
        works("RLOutputStream.write(_:maxLength:)") {
            var byte: UInt8 = 0
            _ = $0.output.write(&byte, maxLength: 1)
        },
        works("RLOutputStream.hasSpaceAvailable") { _ = $0.output.hasSpaceAvailable },
        works("RLOutputStream.getRLWriteStream()") { _ = $0.output.getRLWriteStream() },
        works("RLOutputStream.write(contentsOf:on:mode:)") { field in
            wait(field) { try? await $0.output.write(contentsOf: [1]) }
        },
        works("RLOutputStream.finishWriting(on:mode:)") { field in
            let loop = field.loop.getRLRunLoop()
            wait(field) { try? await $0.output.finishWriting(on: loop) }
        },
        works("RLConnection.chunks(upToCount:on:mode:)") { _ = $0.connection?.chunks() },
        works("RLConnection.read(upToCount:on:mode:)") { field in
            // The peer has closed the connection.
            wait(field) { _ = try? await $0.connection?.read(upToCount: 1) }
        },
        works("RLConnection.close()") { $0.connection?.close() },
        works("RLConnection.input") { _ = $0.connection?.input },
        works("RLConnection.output") { _ = $0.connection?.output },
        works("RLConnection.peer") { _ = $0.connection?.peer },
        stops("RLListener.accept(in:forMode:handler:)", "use accept(on:mode:) or connections") {
            $0.listener.accept(in: $0.loop) { _ in }
        },
        works("RLListener.accept(on:mode:)") { field in
            wait(field) { field in
                let task = Task { [listener = field.freeListener] in _ = await listener.accept() }
                task.cancel()
                await task.value
            }
        },
        works("RLListener.connections(on:mode:)") { field in
            _ = (try? RLListener(host: "127.0.0.1", port: 0))?.connections(
                on: field.loop.getRLRunLoop()
            )
        },
        works("RLListener.addresses") { _ = $0.listener.addresses },
        works("RLListener.port") { _ = $0.listener.port },
        works("RLListener.isValid") { _ = $0.listener.isValid },
        works("RLListener.invalidate()") { $0.listener.invalidate() },
        works("RLListener.description") { _ = "\($0.listener)" },
    ]

    private static let ends = [
        stops("RLTransaction.setNeedsCommit(_:by:)", byBlock, as: "RLTransaction.setNeedsCommit") {
            $0.transaction.setNeedsCommit($0.target) {}
        },
        stops("RLTransaction.setNeedsCommit(_:)", byBlock, as: "RLTransaction.setNeedsCommit") {
            $0.transaction.setNeedsCommit(Committing())
        },
        stops("RLTransaction.addCompletion(_:)", byBlock, as: "RLTransaction.addCompletion") {
            $0.transaction.addCompletion {}
        },
        stops("RLTransaction.flush()", byBlock) { $0.transaction.flush() },
        works("RLTransaction.needsCommit") { _ = $0.transaction.needsCommit },
        works("RLTransaction.description") { _ = "\($0.transaction)" },
        stops("RLIdleQueue.add(_:)", bySender) { $0.idle.add {} },
        stops("RLIdleQueue.removeAll()", bySender) { $0.idle.removeAll() },
        works("RLIdleQueue.count") { _ = $0.idle.count },
        works("RLIdleQueue.sliceBudget") {
            $0.idle.sliceBudget = .milliseconds(1)
            _ = $0.idle.sliceBudget
        },
        works("RLIdleQueue.modes") { _ = $0.idle.modes },
        works("RLIdleQueue.sender") { _ = $0.idle.sender },
        works("RLIdleQueue.Sender.add(_:)") { $0.idle.sender.add {} },
        works("RLIdleQueue.description") { _ = "\($0.idle)" },
        // A pool belongs to its thread.
        stops(
            "RLAutoreleasePool.drain()",
            "is not a pool of this thread",
            as: "RLAutoreleasePoolPop"
        ) {
            $0.pool.drain()
        },
        works("RLAutoreleasePool.description") { _ = "\($0.pool)" },
    ]

    private static let threads = [
        // The dictionary has no lock.
        stops("RLThread.threadDictionary", "for the dictionary of another thread") {
            _ = $0.thread.threadDictionary
        },
        stops(
            "RLThreadDictionary.subscript(_:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary["key"]
        },
        stops(
            "RLThreadDictionary.object(forKey:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary.object(forKey: "key")
        },
        stops(
            "RLThreadDictionary.value(forKey:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary.value(forKey: "key")
        },
        stops(
            "RLThreadDictionary.setObject(_:forKey:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            $0.dictionary.setObject(1, forKey: "key")
        },
        stops(
            "RLThreadDictionary.setValue(_:forKey:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            $0.dictionary.setValue(1, forKey: "key")
        },
        stops(
            "RLThreadDictionary.removeObject(forKey:)",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            $0.dictionary.removeObject(forKey: "key")
        },
        stops(
            "RLThreadDictionary.removeAllObjects()",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            $0.dictionary.removeAllObjects()
        },
        stops(
            "RLThreadDictionary.count",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary.count
        },
        stops(
            "RLThreadDictionary.allKeys",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary.allKeys
        },
        stops(
            "RLThreadDictionary.allValues",
            "use RLThread.current.threadDictionary",
            as: "RLThreadDictionary"
        ) {
            _ = $0.dictionary.allValues
        },
        works("RLThread.start()") { _ in
            let thread = RLThread {}
            thread.start()
            thread.join()
        },
        works("RLThread.main()") { $0.thread.main() },
        works("RLThread.cancel()") { $0.thread.cancel() },
        works("RLThread.isCancelled") { _ = $0.thread.isCancelled },
        works("RLThread.isExecuting") { _ = $0.thread.isExecuting },
        works("RLThread.isFinished") { _ = $0.thread.isFinished },
        works("RLThread.isMainThread") { _ = $0.thread.isMainThread },
        works("RLThread.name") { _ = $0.thread.name },
        works("RLThread.qualityOfService") { _ = $0.thread.qualityOfService },
        works("RLThread.stackSize") { _ = $0.thread.stackSize },
        works("RLThread.threadPriority") {
            $0.thread.threadPriority = 0.5
            _ = $0.thread.threadPriority
        },
        works("RLThread.description") { _ = "\($0.thread)" },
        works("RLLoopThread.runLoop") { _ = $0.thread.runLoop },
        works("RLLoopThread.join()") { $0.permanent.stop() },
        works("RLLoopThread.perform(waitUntilDone:modes:_:)") {
            $0.thread.perform(waitUntilDone: true) {}
        },
        works("RLPermanentThread.execute(waitUntilDone:modes:_:)") {
            $0.permanent.execute(waitUntilDone: true) {}
        },
        works("RLPermanentThread.runLoop") { _ = $0.permanent.runLoop },
        works("RLPermanentThread.stop()") { $0.permanent.stop() },
        works("RLPermanentThread.join()") {
            $0.permanent.stop()
            $0.permanent.join()
        },
        works("RLPermanentThread.description") { _ = "\($0.permanent)" },
    ]

    private static let items = [
        works("RLRunLoopObserver.invalidate()") { $0.observer.invalidate() },
        works("RLRunLoopObserver.isValid") { _ = $0.observer.isValid },
        works("RLRunLoopObserver.order") { _ = $0.observer.order },
        works("RLRunLoopObserver.activities") { _ = $0.observer.activities },
        works("RLRunLoopObserver.reference") { _ = $0.observer.reference },
        works("RLRunLoopObserver.hash(into:)") { _ = $0.observer.hashValue },
        works("RLRunLoopObserver.description") { _ = "\($0.observer)" },
        works("RLRunLoopSource.invalidate()") { $0.source.invalidate() },
        works("RLRunLoopSource.isValid") { _ = $0.source.isValid },
        works("RLRunLoopSource.signal()") { $0.source.signal() },
        works("RLRunLoopSource.reference") { _ = $0.source.reference },
        works("RLRunLoopSource.hash(into:)") { _ = $0.source.hashValue },
        works("RLRunLoopSource.description") { _ = "\($0.source)" },
        works("RLPerformRequest.cancel()") { $0.request.cancel() },
        works("RLPerformRequest.isPending") { _ = $0.request.isPending },
        works("RLPerformRequest.description") { _ = "\($0.request)" },
        stops("RLFileWatch.observe(in:forMode:handler:)", "use changes(on:mode:)") {
            $0.watch.observe(in: $0.loop) { _ in }
        },
        works("RLFileWatch.changes(on:mode:)") { field in
            _ = (try? RLFileWatch(path: "/proc/self"))?.changes(on: field.loop.getRLRunLoop())
        },
        works("RLFileWatch.invalidate()") { $0.watch.invalidate() },
        works("RLFileWatch.isValid") { _ = $0.watch.isValid },
        works("RLFileWatch.path") { _ = $0.watch.path },
        works("RLFileWatch.description") { _ = "\($0.watch)" },
    ]

    private static let others = [
        stops(
            "RLNotificationQueue.enqueue(_:postingStyle:)",
            byBlock,
            as: "RLNotificationQueue.enqueue"
        ) {
            $0.queue.enqueue(RLNotification(name: .init("note")), postingStyle: .whenIdle)
        },
        stops(
            "RLNotificationQueue.enqueue(_:postingStyle:coalesceMask:forModes:)",
            byBlock,
            as: "RLNotificationQueue.enqueue"
        ) {
            let note = RLNotification(name: .init("note"))
            $0.queue.enqueue(note, postingStyle: .now, coalesceMask: .none, forModes: nil)
        },
        stops(
            "RLNotificationQueue.dequeueNotifications(matching:coalesceMask:)",
            byBlock,
            as: "RLNotificationQueue.dequeueNotifications"
        ) {
            let note = RLNotification(name: .init("note"))
            $0.queue.dequeueNotifications(matching: note, coalesceMask: .onName)
        },
        works("RLNotificationQueue.description") { _ = "\($0.queue)" },
        works("RLNotificationCenter.addObserver(forName:object:using:)") {
            $0.center.removeObserver($0.center.addObserver(forName: nil) { _ in })
        },
        works("RLNotificationCenter.addObserver(forName:object:queue:using:)") {
            _ = $0.center.addObserver(forName: nil, object: nil, queue: nil) { _ in }
        },
        works("RLNotificationCenter.removeObserver(_:)") { $0.center.removeObserver($0.token) },
        works("RLNotificationCenter.post(_:)") {
            $0.center.post(RLNotification(name: .init("note")))
        },
        works("RLNotificationCenter.post(name:object:userInfo:)") {
            $0.center.post(name: .init("note"), object: nil)
        },
        works("RLNotificationCenter.description") { _ = "\($0.center)" },
        works("RLNotificationCenter.Token.description") { _ = "\($0.token)" },
        stops("RLPort.withDelegate(_:)", "call this on the former thread") {
            $0.port.withDelegate { _ in }
        },
        works("RLPort.setDelegate(_:)") { $0.port.setDelegate(nil) },
        works("RLPort.isValid") { _ = $0.port.isValid },
        works("RLPort.invalidate()") { $0.port.invalidate() },
        works("RLPort.schedule(in:forMode:)") { $0.port.schedule(in: $0.loop, forMode: .common) },
        works("RLPort.remove(from:forMode:)") { $0.port.remove(from: $0.loop, forMode: .common) },
        works("RLPort.send(before:components:from:reserved:)") {
            $0.port.send(before: .distantPast)
        },
        works("RLPort.send(before:msgid:components:from:reserved:)") {
            $0.port.send(before: .distantPast, msgid: 1)
        },
        works("RLPort.reservedSpaceLength") { _ = $0.port.reservedSpaceLength },
        works("RLPort.isEqual(_:)") { _ = $0.port.isEqual($0.machPort) },
        works("RLPort.hash") { _ = $0.port.hash },
        works("RLPort.description") { _ = "\($0.port)" },
        works("RLMachPort.machPort") { _ = $0.machPort.machPort },
        works("RLSocketPort.invalidate()") { $0.socketPort?.invalidate() },
        works("RLSocketPort.schedule(in:forMode:)") {
            $0.socketPort?.schedule(in: $0.loop, forMode: .common)
        },
        works("RLSocketPort.remove(from:forMode:)") {
            $0.socketPort?.remove(from: $0.loop, forMode: .common)
        },
        works("RLSocketPort.send(before:msgid:components:from:reserved:)") {
            $0.socketPort?.send(before: .distantPast, msgid: 1)
        },
        works("RLSocketPort.address") { _ = $0.socketPort?.address },
        works("RLSocketPort.protocol") { _ = $0.socketPort?.protocol },
        works("RLSocketPort.protocolFamily") { _ = $0.socketPort?.protocolFamily },
        works("RLSocketPort.socket") { _ = $0.socketPort?.socket },
        works("RLSocketPort.socketType") { _ = $0.socketPort?.socketType },
        works("RLSocketPort.isEqual(_:)") { _ = $0.socketPort?.isEqual($0.port) },
        works("RLSocketPort.hash") { _ = $0.socketPort?.hash },
    ]

    /// Calls a function in a task, which does not own the field.
    ///
    /// A task releases its closure after the gate is open, and the field has a pool that must be
    /// released on the field's thread.
    private static func wait(
        _ field: ForeignField,
        _ body: @escaping @Sendable (ForeignField) async -> Void
    ) {
        let isDone = Gate()
        Task { [unowned field] in
            await body(field)
            isDone.open()
        }
        isDone.wait()
    }
}

private final class Committing: RLCommitting {
    func commitChanges() {}
}
