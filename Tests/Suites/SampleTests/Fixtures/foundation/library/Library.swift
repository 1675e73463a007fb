// A library with aliases, whose public functions have names with the prefix.
import Foundation

/// Makes a timer that calls a function once, in the current loop.
public func makeTimer(_ action: @escaping () -> Void) -> RLTimer {
    let timer = Timer(timeInterval: 0, repeats: false) { _ in action() }
    RunLoop.current.add(timer, forMode: .default)
    return timer
}
