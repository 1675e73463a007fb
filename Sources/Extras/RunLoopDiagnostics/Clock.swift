import Glibc

func nanoseconds(of clock: clockid_t = CLOCK_MONOTONIC) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Duration {
    /// The duration in nanoseconds; a duration that is too long is clamped.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillTooLong) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        if isTooLong || isStillTooLong { return seconds < 0 ? .min / 2 : .max / 2 }
        return sum
    }

    /// The duration with one decimal place: in milliseconds below ten seconds, otherwise in
    /// seconds.
    var shortText: String {
        let tenths = nanoseconds / 100_000
        if tenths < 100_000 { return "\(tenths / 10).\(tenths % 10) ms" }
        return "\(tenths / 10_000).\(tenths / 1000 % 10) s"
    }
}
