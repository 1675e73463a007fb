import RunLoopDiagnostics

struct StackSamples: Decodable {
    let lost: Int
    let stacks: [Stack]
    let functions: [Function]

    struct Stack: Decodable {
        let thread: Int32
        /// Nil if the thread has no name or has ended.
        let name: String?
        let count: Int
        /// The addresses, innermost first.
        let frames: [String]

        var threadText: String { "thread \(thread)" + (name.map { " (\($0))" } ?? "") }
    }

    struct Function: Decodable {
        let address: String
        let name: String
        let image: String?
    }
}

/// A picture of sampled stacks: functions are above their callers, and as wide as their share.
///
/// The picture is one SVG file. A click zooms into a function; without scripts, the picture is
/// static.
struct FlameGraph {
    private final class Node {
        let name: String
        let isOwn: Bool
        var count = 0
        /// The number of samples at each line.
        var places: [String: Int] = [:]
        var children: [String: Node] = [:]

        init(_ name: String, isOwn: Bool) {
            self.name = name
            self.isOwn = isOwn
        }

        func child(_ name: String, isOwn: Bool) -> Node {
            if let known = children[name] { return known }
            let made = Node(name, isOwn: isOwn)
            children[name] = made
            return made
        }

        var depth: Int { 1 + (children.values.map(\.depth).max() ?? 0) }
    }

    private let root = Node("all callbacks", isOwn: false)
    private let lost: Int
    // The maximum height in rows. A backtrace has at most 128 frames, plus inlined functions.
    private static let highest = 500
    private static let row = 17.0
    private static let margin = 14.0
    private static let head = 46.0
    private static let narrowest = 0.4
    private static let narrowestLabeled = 24.0

    init(_ samples: StackSamples, _ places: [UInt: [SourcePlace]]) {
        lost = samples.lost
        let functions = Dictionary(samples.functions.map { ($0.address, $0) }) { first, _ in first }
        // Finds the program's own image by the callbacks, because the C library may have more frames.
        var images: [String: Int] = [:]
        for stack in samples.stacks {
            guard let image = stack.frames.last.flatMap({ functions[$0]?.image }) else { continue }
            images[image, default: 0] &+= stack.count
        }
        let own = images.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        for stack in samples.stacks where stack.count > 0 {
            root.count &+= stack.count
            var node = root.child(stack.threadText, isOwn: false)
            node.count &+= stack.count
            var level = 0
            func enter(_ name: String, isOwn: Bool, _ place: SourcePlace?) {
                if level == Self.highest { return }
                level += 1
                node = node.child(name, isOwn: isOwn)
                Self.count(stack.count, in: node, place)
            }
            for address in stack.frames.reversed().prefix(Self.highest) {
                let function = functions[address]
                let isOwn = function?.image == own
                var here = (addressNumber(address).flatMap { places[$0] } ?? [])[...]
                let outer = here.popLast()
                enter(Self.name(of: function, outer) ?? address, isOwn: isOwn, outer)
                for place in here.reversed() {
                    enter(shortFunctionName(place.function ?? "?"), isOwn: isOwn, place)
                }
            }
        }
    }

    /// Returns the name of a function.
    ///
    /// A stripped process sends `app+0x12a0`; then the name is the symbolizer's.
    private static func name(
        of function: StackSamples.Function?,
        _ place: SourcePlace?
    ) -> String? {
        // The vDSO has no symbols: all its addresses get one name.
        if let function, function.image?.hasPrefix("linux-vdso") ?? function.name.hasPrefix("0x") {
            return "[unknown]"
        }
        guard function?.name.contains("+0x") ?? true, let name = place?.function else {
            return function?.name
        }
        return shortFunctionName(name)
    }

    private static func count(_ count: Int, in node: Node, _ place: SourcePlace?) {
        node.count &+= count
        if let text = place?.shortText { node.places[text, default: 0] &+= count }
    }

    func svg(title: String, width: Int) -> String {
        let depth = root.depth
        let height = Int(Self.head + Double(depth) * Self.row + Self.margin)
        let room = Double(width) - 2 * Self.margin
        var elements: [String] = []
        func draw(_ node: Node, from left: Double, level: Int) {
            let share = Double(node.count) / Double(max(1, root.count))
            // Omit functions that are too small even after a zoom.
            if share * room < Self.narrowest / 8 { return }
            let y = Double(height) - Self.margin - Double(level + 1) * Self.row
            elements.append(element(node, x: left, share: share, y: y, room: room))
            var x = left
            let children = node.children.values.sorted { ($0.count, $1.name) > ($1.count, $0.name) }
            for child in children {
                draw(child, from: x, level: level + 1)
                x += Double(child.count) / Double(max(1, root.count))
            }
        }
        draw(root, from: 0, level: 0)
        let missed = lost > 0 ? ", \(lost) without a stack" : ""
        let hint =
            root.count > 0 ? "click to widen, below to go back" : "no stack of a callback was seen"
        let note = "\(root.count) samples\(missed), 100 a second; \(hint)"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
            <style>
            \(Self.style)
            </style>
            <rect class="paper" width="100%" height="100%"/>
            <text class="title" x="14" y="22">\(escapedForXML(printable(title)))</text>
            <text class="note" x="14" y="38">\(escapedForXML(note))</text>
            \(elements.joined(separator: "\n"))
            <script><![CDATA[
            var left = \(Self.margin), room = \(room);
            var narrowest = \(Self.narrowest), narrowestLabeled = \(Self.narrowestLabeled);
            \(Self.script)
            ]]></script>
            </svg>

            """
    }

    private func element(
        _ node: Node,
        x: Double,
        share: Double,
        y: Double,
        room: Double
    ) -> String {
        let left = Self.margin + x * room
        let width = share * room
        let most = node.places.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3)
        let percent = percentText(share)
        let title =
            ([node.name, "\(node.count) samples, \(percent)"]
            + most.map { "\($0.key): \($0.value)" }).map(printable).joined(separator: "\n")
        let kind =
            width < Self.narrowest ? "f none" : width < Self.narrowestLabeled ? "f bare" : "f"
        // A nested SVG element clips its text.
        return """
            <svg class="\(kind)" data-x="\(x)" data-w="\(share)" x="\(left)" y="\(y)" \
            width="\(width)" height="\(Self.row - 1)"><title>\(escapedForXML(title))</title>\
            <rect class="\(node.isOwn ? "own" : "other")" width="100%" height="100%"/>\
            <text x="3" y="12">\(escapedForXML(printable(node.name)))</text></svg>
            """
    }

    private static let style = """
        .paper{fill:#fff}.title{font-size:14px;font-weight:bold;fill:#1b1f24}
        .note{font-size:11px;fill:#4a525c}.f{cursor:pointer}.f text{font-size:10px;fill:#14171a}
        .own{fill:#f8bb66}.other{fill:#c9d3de}rect{stroke:#fff;stroke-width:.6}
        .f:hover rect{stroke:#14171a;stroke-width:2}.none,.bare text{display:none}
        @media (prefers-color-scheme:dark){.paper{fill:#14181d}.title{fill:#e8ebef}.note{fill:#aab3bd}
        rect{stroke:#14181d}.f:hover rect{stroke:#e8ebef}}
        """

    /// Zooms into the clicked function, and widens its callers.
    private static let script = """
        var frames = document.querySelectorAll(".f");
        function widen(from, share) {
          frames.forEach(function (frame) {
            var x = (+frame.dataset.x - from) / share, w = +frame.dataset.w / share;
            var start = Math.max(0, x), width = (Math.min(1, x + w) - start) * room;
            frame.classList.toggle("none", width < narrowest);
            frame.classList.toggle("bare", width < narrowestLabeled);
            frame.setAttribute("x", left + start * room);
            frame.setAttribute("width", Math.max(0, width));
          });
        }
        frames.forEach(function (frame) {
          frame.addEventListener("click", function () { widen(+frame.dataset.x, +frame.dataset.w); });
        });
        """
}
