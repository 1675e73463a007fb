// SwiftNIO's event loop. It owns its thread's stack, so `run` cannot return to a workload and be
// called again: what it can do is written here once more, workload by workload. It has no sources,
// passes and limits of its own, and timers that cannot be moved.

import Dispatch
import Engines
import NIOCore
import NIOPosix

private func now() -> Int64 {
    Int64(DispatchTime.now().uptimeNanoseconds)
}

/// A count that only the loop's thread looks at; unchecked for that reason.
private final class Countdown: @unchecked Sendable {
    var left: Int
    var samples: [Double] = []
    var began: Int64 = 0
    /// The processor time from `began` to the last step, if `began` is one.
    private(set) var took: Int64 = 0
    let isOver = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        left = count
    }

    func step() {
        left -= 1
        guard left == 0 else { return }
        took = processor_ns() - began
        isOver.signal()
    }
}

/// The delays of the workloads in C: the same numbers without a pattern.
private struct FarDelays {
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func number() -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }

    mutating func next() -> TimeAmount {
        .nanoseconds(1_000_000_000_000 + Int64(number() % 1_000_000_000_000))
    }
}

/// The figures of a workload on SwiftNIO's event loop; none if it has no such thing.
func measureNIO(_ workload: String, size: Int) -> [Double] {
    switch workload {
    case "wake round trip, one core": roundTrips(processors: 0, 0)
    case "wake round trip, two cores": roundTrips(processors: 0, 1)
    case "closures posted by threads": postsOfThreads(count: size)
    case "closure posted to oneself": postsToOneself()
    case "add a timer": addedTimers(count: size)
    case "fire a due timer": firedTimers(count: size)
    case "timers in 100 ms, last late by": spreadTimers(count: size)
    case "churn one of the timers": churnedTimers(count: size)
    case "1 ms timer, lateness": lateTimers()
    case "100 ready descriptors, each": ReadyChannels(count: size).measured()
    case "bytes of a loop": [bytesOfLoop()]
    case "bytes of a timer": [bytesOfTimer(count: size)]
    case "descriptors of a loop": [descriptorsOfLoop()]
    case "thread with a loop": threads()
    default: []
    }
}

private func makeLoop() -> any EventLoop {
    MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
}

private func makeLoop(processor: Int32) -> any EventLoop {
    let loop = makeLoop()
    let isBound = DispatchSemaphore(value: 0)
    loop.execute {
        bind_to_processor(processor)
        isBound.signal()
    }
    isBound.wait()
    return loop
}

private func roundTrips(processors first: Int32, _ second: Int32) -> [Double] {
    guard processor_count() > second else { return [] }
    let near = makeLoop(processor: first)
    let far = makeLoop(processor: second)
    let trips = Countdown(3200)
    @Sendable func begin() {
        trips.began = now()
        far.execute {
            near.execute {
                trips.samples.append(Double(now() - trips.began))
                if trips.left > 1 { begin() }
                trips.step()
            }
        }
    }
    near.execute { begin() }
    trips.isOver.wait()
    return Array(trips.samples.dropFirst(200))
}

private func postsOfThreads(count: Int) -> [Double] {
    let loop = makeLoop()
    let posts = Countdown(200_000)
    let each = 200_000 / count
    let began = now()
    DispatchQueue.concurrentPerform(iterations: count) { _ in
        for _ in 0..<each { loop.execute { posts.step() } }
    }
    posts.isOver.wait()
    return [Double(now() - began) / 200_000]
}

private func postsToOneself() -> [Double] {
    let loop = makeLoop()
    let posts = Countdown(50_000)
    @Sendable func again() {
        posts.step()
        if posts.left > 0 { loop.execute { again() } }
    }
    loop.execute {
        posts.began = processor_ns()
        again()
    }
    posts.isOver.wait()
    return [Double(posts.took) / 50_000]
}

// MARK: - Timers

private func addedTimers(count: Int) -> [Double] {
    let loop = makeLoop()
    let timers = Countdown(1)
    loop.execute {
        var delays = FarDelays()
        let began = processor_ns()
        for _ in 0..<count { loop.scheduleTask(in: delays.next()) {} }
        timers.samples = [Double(processor_ns() - began) / Double(count)]
        timers.step()
    }
    timers.isOver.wait()
    return timers.samples
}

private func firedTimers(count: Int) -> [Double] {
    let loop = makeLoop()
    let timers = Countdown(count)
    loop.execute {
        for _ in 0..<count { loop.scheduleTask(in: .zero) { timers.step() } }
        timers.began = processor_ns()
    }
    timers.isOver.wait()
    return [Double(timers.took) / Double(count)]
}

private func spreadTimers(count: Int) -> [Double] {
    let loop = makeLoop()
    let timers = Countdown(count)
    loop.execute {
        let first = now() + 1_000_000_000
        let last = first + 100_000_000
        for number in 1...count {
            let due = first + Int64(number) * 100_000_000 / Int64(count)
            loop.scheduleTask(in: .nanoseconds(due - now())) {
                if timers.left == 1 { timers.samples = [Double(max(0, now() - last))] }
                timers.step()
            }
        }
    }
    timers.isOver.wait()
    return timers.samples
}

private func churnedTimers(count: Int) -> [Double] {
    let loop = makeLoop()
    let timers = Countdown(1)
    loop.execute {
        var delays = FarDelays()
        var all = (0..<count).map { _ in loop.scheduleTask(in: delays.next()) {} }
        let (began, from) = (now(), processor_ns())
        var changes = 0
        repeat {
            for _ in 0..<16 {
                let index = Int(delays.number() % UInt64(count))
                all[index].cancel()
                all[index] = loop.scheduleTask(in: delays.next()) {}
            }
            changes += 16
        } while now() - began < 30_000_000
        timers.samples = [Double(processor_ns() - from) / Double(changes)]
        timers.step()
    }
    timers.isOver.wait()
    return timers.samples
}

private func lateTimers() -> [Double] {
    let loop = makeLoop()
    let timers = Countdown(300)
    @Sendable func aim() {
        let due = now() + 1_000_000
        loop.scheduleTask(in: .milliseconds(1)) {
            timers.samples.append(Double(max(0, now() - due)))
            if timers.left > 1 { aim() }
            timers.step()
        }
    }
    loop.execute { aim() }
    timers.isOver.wait()
    return timers.samples
}

// MARK: - Space and threads

/// What only the first loop takes is no loop's.
private func bytesOfLoop() -> Double {
    makeLoop().execute {}
    let before = bytes_in_use()
    let loop = makeLoop(processor: 0)
    return withExtendedLifetime(loop) { bytes_in_use() - before }
}

private func bytesOfTimer(count: Int) -> Double {
    let loop = makeLoop()
    let timers = Countdown(1)
    loop.execute {
        let before = bytes_in_use()
        for _ in 0..<count { loop.scheduleTask(in: .seconds(1000)) {} }
        timers.samples = [(bytes_in_use() - before) / Double(count)]
        timers.step()
    }
    timers.isOver.wait()
    return timers.samples[0]
}

private func descriptorsOfLoop() -> Double {
    let before = open_descriptors()
    let loop = makeLoop(processor: 0)
    return withExtendedLifetime(loop) { Double(open_descriptors() - before) }
}

/// A thread is made, its loop has one call, and both go.
private func threads() -> [Double] {
    let liveAndDie = {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let isServed = DispatchSemaphore(value: 0)
        group.next().execute { isServed.signal() }
        isServed.wait()
        do { try group.syncShutdownGracefully() } catch { fatalError("\(error)") }
    }
    liveAndDie()
    let began = now()
    var count = 0
    repeat {
        for _ in 0..<32 { liveAndDie() }
        count += 32
    } while now() - began < 30_000_000
    return [Double(now() - began) / Double(count)]
}
