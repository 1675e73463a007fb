/// The timers that are in a loop, as a list through their boxes: no place has to be looked up.
///
/// A box in the list is there: its wrapper, which it keeps meanwhile, keeps it.
struct KeptTimers {
    private var first: Unmanaged<TimerBox>?
    // Those that are in the list of another loop still, which they left by the C-style functions.
    private var others: [ObjectIdentifier: RLTimer] = [:]

    /// Keeps a timer, which has a box, for a loop.
    mutating func insert(_ timer: RLTimer, _ box: TimerBox, for loop: UnsafeMutableRawPointer) {
        let (isNew, keeper) = box.keeper.compareExchange(
            expected: nil,
            desired: loop,
            ordering: .acquiringAndReleasing
        )
        if isNew {
            box.kept = timer
            let this = Unmanaged.passUnretained(box)
            box.next = first
            first?._withUnsafeGuaranteedRef { $0.previous = this }
            first = this
        } else if keeper != loop {
            others[ObjectIdentifier(box)] = timer
            box.isAmongOthers.store(true, ordering: .relaxed)
        }
    }

    /// The timer that is kept with a box.
    func timer(of box: TimerBox, for loop: UnsafeMutableRawPointer) -> RLTimer? {
        if box.keeper.load(ordering: .relaxed) == loop { return box.kept }
        return others.isEmpty ? nil : others[ObjectIdentifier(box)]
    }

    /// Takes the timer out that is kept with a box.
    mutating func remove(_ box: TimerBox, for loop: UnsafeMutableRawPointer) -> RLTimer? {
        if box.keeper.load(ordering: .relaxed) != loop {
            return others.isEmpty ? nil : others.removeValue(forKey: ObjectIdentifier(box))
        }
        let (previous, next) = (box.previous, box.next)
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.next = next }
        } else {
            first = next
        }
        next?._withUnsafeGuaranteedRef { $0.previous = previous }
        box.next = nil
        box.previous = nil
        let timer = box.kept.take()
        box.keeper.store(nil, ordering: .releasing)
        return timer
    }

    /// Takes any out.
    mutating func removeFirst(for loop: UnsafeMutableRawPointer) -> RLTimer? {
        first.flatMap { remove($0.takeUnretainedValue(), for: loop) }
    }
}
