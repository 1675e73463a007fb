import CFCompatibility
import CoreRunLoop
import class Foundation.NSString
import Testing

/// Objects that are no strings of the engine, and are cast to one.
private enum Foreign: CaseIterable, Codable {
    case foundationString, boxedString, object

    private final class Own {}

    private var object: AnyObject {
        switch self {
        case .foundationString: NSString(string: "mode")
        case .boxedString: "mode" as AnyObject
        case .object: Own()
        }
    }

    func withName(_ body: (RLStringRef) -> Void) {
        let object = object
        withExtendedLifetime(object) {
            let address = Unmanaged.passUnretained(object).toOpaque()
            body(unsafeBitCast(address, to: RLStringRef.self))
        }
    }
}

@Suite("A foreign object in a mode's place") struct ForeignModeTests {
    @Test("stops the process with a line that names it", arguments: Foreign.allCases)
    private func mode(_ foreign: Foreign) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [foreign = foreign as Foreign] in
            foreign.withName { RLRunLoopRunInMode(RLRunLoopMode($0), 0, false) }
        }
        check(result, "RLRunLoopMode.init(rawValue:): argument `rawValue`")
    }

    @Test("stops the process where Linux has strings as modes", arguments: Foreign.allCases)
    private func modeByName(_ foreign: Foreign) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [foreign = foreign as Foreign] in
            foreign.withName { name in
                let timer = CFRunLoopTimerCreateWithHandler(nil, 0, 0, 0, 0) { _ in }
                CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, name)
            }
        }
        check(result, "RLRunLoopAddTimer: argument `mode`")
    }

    private func check(_ result: ExitTest.Result?, _ place: String) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = output.split(separator: "\n").first ?? ""
        #expect(line.hasPrefix("CoreRunLoop: \(place) (0x"), "\(output)")
        #expect(
            line.hasSuffix(
                ") is not an RL object: pass an RLString that has not been released"
            ),
            "\(output)"
        )
        #expect(result?.exitStatus == .signal(6))
    }
}
