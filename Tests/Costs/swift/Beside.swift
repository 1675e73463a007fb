// Times of a thread's performs beside those of a dispatch queue, in turns within one process.

import Glibc
import RunLoopKit

enum Beside {
    private static let turns = 21

    static func perform(_ times: Int) {
        compare(times, CLOCK_PROCESS_CPUTIME_ID) { $0.perform(times) }
    }

    static func stream(_ times: Int) {
        compare(times, CLOCK_PROCESS_CPUTIME_ID) { $0.stream(times) }
    }

    static func wait(_ times: Int) {
        compare(times, CLOCK_MONOTONIC) { $0.wait(times) }
    }

    /// Prints the nanoseconds of one: by RunLoopKit, by Dispatch, and their ratio.
    private static func compare(_ times: Int, _ clock: clockid_t, _ body: (any Performer) -> Void) {
        let thread = ThreadPerformer()
        let queue = QueuePerformer()
        var kit: [Double] = []
        var dispatch: [Double] = []
        for _ in 0..<turns {
            kit.append(nanoseconds(clock) { body(thread) } / Double(times))
            dispatch.append(nanoseconds(clock) { body(queue) } / Double(times))
        }
        let figures = [median(kit), median(dispatch), 100 * median(kit) / median(dispatch)]
        print(figures.map { "\(Int($0))" }.joined(separator: " "))
    }

    private static func nanoseconds(_ clock: clockid_t, _ body: () -> Void) -> Double {
        let began = now(clock)
        body()
        return now(clock) - began
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
