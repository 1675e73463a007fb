import Foundation
import RunLoopDisplay
import RunLoopKit
import RunLoopNetworking

/// The calls of the extras with which a loop keeps an object, as in KitProbe.
final class Gifts {
    private final class State: RLObject {
        var count = 0
        func add() { count += 1 }
    }

    static let calls = [
        "RLDisplayLink.init(refreshRate:handler:) RLDisplayLink.init",
        "RLDisplayLink.init(target:selector:refreshRate:) RLDisplayLink.init",
        "RLDisplayLink.add(to:forMode:)",
        "RLHTTPLoopClient.send(_:toFile:progress:completion:) RLHTTPLoopClient.send",
    ]

    private let state = State()
    private let tick = RLSelector("add", State.add)
    private let link = RLDisplayLink { _ in }

    func give(_ call: String) {
        let state = state
        let loop = RLRunLoop.current
        switch call {
        case "RLDisplayLink.init(refreshRate:handler:)": _ = RLDisplayLink { _ in state.add() }
        case "RLDisplayLink.init(target:selector:refreshRate:)":
            _ = RLDisplayLink(target: state, selector: tick)
        case "RLDisplayLink.add(to:forMode:)": link.add(to: loop, forMode: .default)
        case "RLHTTPLoopClient.send(_:toFile:progress:completion:)":
            guard let url = URL(string: "http://localhost/") else { return }
            RLHTTPLoopClient().send(RLHTTPRequest(url: url)) { _ in state.add() }
        default: print("no such call")
        }
    }
}
