/// What a loop keeps as long as a timer is in it.
struct KeptTimer {
    let timer: RLTimer
    /// What is made of the timer, if anything is.
    let owner: AnyObject?
}

/// The timers that are in a loop, as a list through their boxes: no place has to be looked up.
///
/// A box in the list is there: its wrapper, which it keeps meanwhile, keeps it.
struct KeptTimers {
    private unowned(unsafe) var first: TimerBox?
    // Those that are in the list of another loop still, which they left by the C-style functions.
    private var others: [ObjectIdentifier: KeptTimer] = [:]

    /// Keeps a timer for a loop.
    mutating func insert(_ kept: KeptTimer, for loop: UnsafeMutableRawPointer) {
        let box = kept.timer.box
        let (isNew, keeper) = box.keeper.compareExchange(
            expected: nil,
            desired: loop,
            ordering: .acquiringAndReleasing
        )
        if !isNew {
            if keeper != loop { others[ObjectIdentifier(box)] = kept }
            return
        }
        box.kept = kept
        box.next = first
        first?.previous = box
        first = box
    }

    /// The wrapper that is kept with a box.
    func wrapper(of box: TimerBox, for loop: UnsafeMutableRawPointer) -> RLTimer? {
        if box.keeper.load(ordering: .relaxed) == loop { return box.kept?.timer }
        return others.isEmpty ? nil : others[ObjectIdentifier(box)]?.timer
    }

    /// Takes out what is kept with a box.
    mutating func remove(_ box: TimerBox, for loop: UnsafeMutableRawPointer) -> KeptTimer? {
        if box.keeper.load(ordering: .relaxed) != loop {
            return others.isEmpty ? nil : others.removeValue(forKey: ObjectIdentifier(box))
        }
        if let previous = box.previous { previous.next = box.next } else { first = box.next }
        box.next?.previous = box.previous
        box.next = nil
        box.previous = nil
        let kept = box.kept
        box.kept = nil
        box.keeper.store(nil, ordering: .releasing)
        return kept
    }

    /// Takes any out.
    mutating func removeFirst(for loop: UnsafeMutableRawPointer) -> KeptTimer? {
        first.flatMap { remove($0, for: loop) }
    }
}
