// Helpers for the samples with several threads.

import Glibc

final class WorkerThread {
    private var thread = pthread_t()
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func start() {
        // The thread does not retain this object; the caller keeps it alive until `join`.
        let info = Unmanaged.passUnretained(self).toOpaque()
        pthread_create(&thread, nil, runWorkerThread, info)
    }

    func join() {
        pthread_join(thread, nil)
    }

    fileprivate func run() {
        body()
    }
}

private func runWorkerThread(_ info: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // The thread that called `start` keeps the object alive until it has joined this thread.
    if let info { Unmanaged<WorkerThread>.fromOpaque(info).takeUnretainedValue().run() }
    return nil
}

/// A flag that one thread raises and another waits for.
final class Flag {
    private var mutex = pthread_mutex_t()
    private var condition = pthread_cond_t()
    private var count = 0

    init() {
        pthread_mutex_init(&mutex, nil)
        pthread_cond_init(&condition, nil)
    }

    func raise() {
        pthread_mutex_lock(&mutex)
        count += 1
        pthread_cond_signal(&condition)
        pthread_mutex_unlock(&mutex)
    }

    func wait() {
        pthread_mutex_lock(&mutex)
        while count == 0 { pthread_cond_wait(&condition, &mutex) }
        count -= 1
        pthread_mutex_unlock(&mutex)
    }
}
