/// The timers that are in a loop, as a list through their boxes: no place has to be looked up.
///
/// A box in the list is there: its wrapper, which it keeps meanwhile, keeps it.
struct KeptTimers {
    private unowned(unsafe) var first: TimerBox?
    // Those that are in the list of another loop still, which they left by the C-style functions.
    private var others: [ObjectIdentifier: RLTimer] = [:]

    /// Keeps a timer for a loop.
    mutating func insert(_ timer: RLTimer, for loop: UnsafeMutableRawPointer) {
        guard let box = timer.box else { return }
        let (isNew, keeper) = box.keeper.compareExchange(
            expected: nil,
            desired: loop,
            ordering: .acquiringAndReleasing
        )
        if isNew {
            box.kept = timer
            box.next = first
            first?.previous = box
            first = box
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
        if let previous = box.previous { previous.next = box.next } else { first = box.next }
        box.next?.previous = box.previous
        box.next = nil
        box.previous = nil
        let timer = box.kept.take()
        box.keeper.store(nil, ordering: .releasing)
        return timer
    }

    /// Takes any out.
    mutating func removeFirst(for loop: UnsafeMutableRawPointer) -> RLTimer? {
        first.flatMap { remove($0, for: loop) }
    }
}
