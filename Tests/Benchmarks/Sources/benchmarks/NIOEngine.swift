// SwiftNIO's event loop. It owns its thread's stack, so `run` cannot return to a workload and be
// called again: what it can do is written here once more, workload by workload.

import Dispatch
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
    let isOver = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        left = count
    }

    func step() {
        left -= 1
        if left == 0 { isOver.signal() }
    }
}

/// The figures of a workload on SwiftNIO's event loop; none if it has no such thing.
func measureNIO(_ workload: String, size: Int) -> [Double] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let near = group.next()
    let far = group.next()
    switch workload {
    case "wake round trip, two cores": return roundTrips(near, far)
    case "closures posted by threads": return postsOfThreads(near, count: size)
    case "closure posted to oneself": return postsToOneself(near)
    case "add a timer": return addedTimers(near, count: size)
    case "fire a due timer": return firedTimers(near, count: size)
    case "churn one of the timers": return churnedTimers(near, count: size)
    case "1 ms timer, lateness": return lateTimers(near)
    default: return []
    }
}

private func roundTrips(_ near: any EventLoop, _ far: any EventLoop) -> [Double] {
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

private func postsOfThreads(_ loop: any EventLoop, count: Int) -> [Double] {
    let posts = Countdown(200_000)
    let each = 200_000 / count
    let began = now()
    DispatchQueue.concurrentPerform(iterations: count) { _ in
        for _ in 0..<each { loop.execute { posts.step() } }
    }
    posts.isOver.wait()
    return [Double(now() - began) / 200_000]
}

private func postsToOneself(_ loop: any EventLoop) -> [Double] {
    let posts = Countdown(50_000)
    @Sendable func again() {
        posts.step()
        if posts.left > 0 { loop.execute { again() } }
    }
    let began = now()
    loop.execute { again() }
    posts.isOver.wait()
    return [Double(now() - began) / 50_000]
}

private func addedTimers(_ loop: any EventLoop, count: Int) -> [Double] {
    let timers = Countdown(1)
    loop.execute {
        let began = now()
        for number in 0..<count {
            loop.scheduleTask(in: .seconds(1000 + Int64(number * 7919 % 1000))) {}
        }
        timers.samples = [Double(now() - began) / Double(count)]
        timers.step()
    }
    timers.isOver.wait()
    return timers.samples
}

private func firedTimers(_ loop: any EventLoop, count: Int) -> [Double] {
    let timers = Countdown(count)
    loop.execute {
        for _ in 0..<count { loop.scheduleTask(in: .zero) { timers.step() } }
        timers.began = now()
    }
    timers.isOver.wait()
    return [Double(now() - timers.began) / Double(count)]
}

private func churnedTimers(_ loop: any EventLoop, count: Int) -> [Double] {
    let timers = Countdown(1)
    loop.execute {
        var all = (0..<count).map { number in
            loop.scheduleTask(in: .seconds(1000 + Int64(number * 7919 % 1000))) {}
        }
        let began = now()
        var changes = 0
        while now() - began < 30_000_000 {
            let index = changes * 7919 % count
            all[index].cancel()
            all[index] = loop.scheduleTask(in: .seconds(1000 + Int64(index % 1000))) {}
            changes += 1
        }
        timers.samples = [Double(now() - began) / Double(changes)]
        timers.step()
    }
    timers.isOver.wait()
    return timers.samples
}

private func lateTimers(_ loop: any EventLoop) -> [Double] {
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
