import Glibc
import RunLoopDisplay

/// A display link calls back for each frame.
///
/// After a long callback, missed frames are skipped and not made up.
struct DisplayLinkSample: Sample {
    let name = "display-link"
    let summary = "a callback for each frame; one that takes long costs frames, and nothing more"

    func run(_ trace: Trace) throws {
        var frames: [Int] = []
        var halves: [Int] = []
        let half = RLDisplayLink(refreshRate: 120) { halves.append(frame(of: $0)) }
        half.preferredFrameRateRange = RLFrameRateRange(minimum: 30, maximum: 60, preferred: 60)
        let link = RLDisplayLink(refreshRate: 120) { link in
            let number = frame(of: link)
            frames.append(number)
            trace.remark("frame \(number - frames[0]), shown with the next one")
            if frames.count == 3 {
                trace.remark("this one takes four frames and a half")
                usleep(37_000)
            }
            if frames.count == 6 {
                half.invalidate()
                link.invalidate()
            }
        }
        link.add(to: .current, forMode: .default)
        half.add(to: .current, forMode: .default)
        RLRunLoop.current.run()

        trace.remark("\(link.skippedFrameCount) frames were left out")
        trace.check(frames == Set(frames).sorted(), "each frame comes once, in order")
        trace.check(frames[3] - frames[2] > 4, "frames that have passed do not come")
        let passed = frames[5] - frames[0] - 5
        trace.check(link.skippedFrameCount == passed, "those that do not come are counted")
        trace.check(halves.allSatisfy { $0 % 2 == 0 }, "half the rate is each second frame")
    }
}

/// The number of the frame, at 120 Hz.
private func frame(of link: RLDisplayLink) -> Int {
    Int((link.timestamp * 120).rounded())
}
