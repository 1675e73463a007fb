// A watchdog. An observer records whether the loop is busy, and another thread checks whether it is
// busy for too long.

import CFCompatibility
import Glibc

private let watched = CFRunLoopMode("com.example.watched" as CFString)

private final class Watchdog {
    // Two threads use both fields, so `mutex` guards them.
    private var isBusy = false
    private var waits = 0
    private var mutex = pthread_mutex_t()

    let idle = Flag()

    init() {
        pthread_mutex_init(&mutex, nil)
    }

    func note(_ activity: CFRunLoopActivity) {
        pthread_mutex_lock(&mutex)
        isBusy = activity != .beforeWaiting && activity != .exit
        if activity == .beforeWaiting { waits += 1 }
        pthread_mutex_unlock(&mutex)
        if activity == .beforeWaiting { idle.raise() }
    }

    func report(_ title: String) {
        pthread_mutex_lock(&mutex)
        print("\(title): \(isBusy ? "busy" : "idle"), went to sleep \(waits) times")
        pthread_mutex_unlock(&mutex)
    }
}

func sampleWatchdog() {
    let loop = CFRunLoopGetCurrent()
    let watchdog = Watchdog()
    let observer = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault,
        CFRunLoopActivity.allActivities.rawValue,
        true,
        0
    ) { _, activity in
        watchdog.note(activity)
    }
    CFRunLoopAddObserver(loop, observer, watched)

    // This timer keeps the mode from being empty.
    let timer = CFRunLoopTimerCreateWithHandler(
        kCFAllocatorDefault,
        CFAbsoluteTimeGetCurrent() + 3600,
        0,
        0,
        0
    ) { _ in }
    CFRunLoopAddTimer(loop, timer, watched)

    let stuck = Flag()
    let freed = Flag()
    let patrol = WorkerThread {
        watchdog.idle.wait()
        watchdog.report("at first")

        CFRunLoopPerformBlock(loop, watched.rawValue) {
            stuck.raise()
            freed.wait()
        }
        CFRunLoopWakeUp(loop)
        stuck.wait()
        watchdog.report("in a callback that does not return")
        freed.raise()

        watchdog.idle.wait()
        watchdog.report("afterwards")
        CFRunLoopStop(loop)
    }
    patrol.start()
    CFRunLoopRunInMode(watched, 60, false)
    patrol.join()
    watchdog.report("in the end")

    CFRunLoopObserverInvalidate(observer)
    CFRunLoopTimerInvalidate(timer)
}
