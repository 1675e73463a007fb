import CoreRunLoop

/// The sources by which requests in several modes ring at a loop: one for each mode that has some.
///
/// They are in the loop only as long as there are requests: a request keeps a loop from running out
/// of work, the possibility of one does not.
struct ModeSources: Sendable {
    fileprivate struct Member: Sendable {
        let source: RLRunLoopSourceRef
        var isInLoop = false
    }

    let loop: RLRunLoopRef
    private var members: [RLRunLoop.Mode: Member] = [:]

    init(loop: RLRunLoopRef) {
        self.loop = loop
    }

    /// Makes the loop perform in each of some modes, the next time it runs in one.
    mutating func signal(
        _ modes: [RLRunLoop.Mode],
        perform: @escaping @Sendable () -> Void
    ) {
        for mode in modes {
            if members[mode] == nil {
                members[mode] = Member(source: RLRunLoopSourceCreate(perform: perform))
            }
            members[mode]?.signal(loop, mode)
        }
    }

    /// The common modes, if they have a source and a mode is one of them.
    ///
    /// That source is in exactly the common modes.
    func commonMode(of mode: RLRunLoop.Mode) -> RLRunLoop.Mode? {
        guard let common = members[.common], common.isInLoop else { return nil }
        return RLRunLoopContainsSource(loop, common.source, mode.mode) ? .common : nil
    }

    /// Takes the sources of modes out of the loop that have no requests any more.
    mutating func leave(where isEmpty: (RLRunLoop.Mode) -> Bool) {
        for (mode, member) in members where member.isInLoop && isEmpty(mode) {
            RLRunLoopRemoveSource(loop, member.source, mode.mode)
            members[mode]?.isInLoop = false
        }
    }
}

extension ModeSources.Member {
    fileprivate mutating func signal(_ loop: RLRunLoopRef, _ mode: RLRunLoop.Mode) {
        if !isInLoop { RLRunLoopAddSource(loop, source, mode.mode) }
        isInLoop = true
        RLRunLoopSourceSignal(source)
    }
}
