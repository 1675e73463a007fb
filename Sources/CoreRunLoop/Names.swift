public import CRunLoop

/// Returns the names of the set bits, unnamed bits as a number, or `none` if no bit is set.
package func namesOfBits<Bits: UnsignedInteger & FixedWidthInteger>(
    _ bits: Bits,
    _ names: KeyValuePairs<Bits, String>
) -> String {
    var rest = bits
    var found: [String] = []
    for (bit, name) in names where bits & bit == bit {
        found.append(name)
        rest &= ~bit
    }
    if rest != 0 { found.append("0x" + String(rest, radix: 16)) }
    return found.isEmpty ? "none" : found.joined(separator: ", ")
}

/// Returns the name of a case, or its number if the case has no name.
private func name(_ number: some BinaryInteger, of names: [String], from first: Int = 0) -> String {
    let index = Int(number) - first
    return names.indices.contains(index) ? names[index] : "\(number)"
}

extension RLSocketError: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"timeout"`.
    public var description: String {
        name(rawValue, of: ["timeout", "error", "success"], from: -2)
    }
}

extension RLSocketCallBackType: @retroactive CustomStringConvertible {
    /// The names of the types, such as `"data, write"`.
    public var description: String {
        // Read, accept and data are mutually exclusive: the lowest two bits are a number.
        let kinds: KeyValuePairs<RLOptionFlags, String> =
            switch rawValue & 3 {
            case 1: [1: "read", 4: "connect", 8: "write"]
            case 2: [2: "accept", 4: "connect", 8: "write"]
            default: [3: "data", 4: "connect", 8: "write"]
            }
        return namesOfBits(rawValue, kinds)
    }
}

extension RLStreamStatus: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"atEnd"`.
    public var description: String {
        name(
            rawValue,
            of: [
                "notOpen", "opening", "open", "reading", "writing", "atEnd", "closed", "error",
            ]
        )
    }
}

extension RLStreamEventType: @retroactive CustomStringConvertible {
    /// The names of the events, such as `"hasBytesAvailable"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [
                1: "openCompleted", 2: "hasBytesAvailable", 4: "canAcceptBytes",
                8: "errorOccurred", 16: "endEncountered",
            ]
        )
    }
}

extension RLRunLoopDescriptorEvents: @retroactive CustomStringConvertible {
    /// The names of the events, such as `"read, hangUp"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [1: "read", 2: "write", 4: "priority", 8: "hangUp", 16: "error"]
        )
    }
}

extension RLFileEvents: @retroactive CustomStringConvertible {
    /// The names of the events, such as `"create, isDirectory"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [
                0x1: "access", 0x2: "modify", 0x4: "attributes", 0x8: "closeWrite",
                0x10: "closeOther", 0x20: "open", 0x40: "movedFrom", 0x80: "movedTo",
                0x100: "create", 0x200: "delete", 0x400: "deleteSelf", 0x800: "moveSelf",
                0x2000: "unmount", 0x4000: "overflow", 0x8000: "watchEnded",
                0x4000_0000: "isDirectory",
            ]
        )
    }
}

extension RLRunLoopPhase: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"waiting"`.
    public var description: String {
        name(
            rawValue,
            of: [
                "idle", "running", "waiting", "observer", "block", "source0", "source1", "timer",
                "mainQueue",
            ]
        )
    }
}

extension RLRunLoopItemKind: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"timer"`.
    public var description: String {
        name(rawValue, of: ["source0", "source1", "source2", "observer", "timer"])
    }
}

extension RLRunLoopTraceKind: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"runBegin"`.
    public var description: String {
        name(
            rawValue,
            of: [
                "runBegin", "runEnd", "activity", "calloutBegin", "calloutEnd", "calloutFunction",
                "sleep", "wakeUp", "threadEnd",
            ],
            from: 1
        )
    }
}

extension RLRunLoopWakeReason: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"descriptor"`.
    public var description: String {
        name(rawValue, of: ["timeout", "token", "timer", "mainQueue", "descriptor", "host"])
    }
}

extension RLStreamErrorDomain: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"POSIX"`.
    public var description: String {
        switch rawValue {
        case RLStreamErrorDomain.custom.rawValue: "custom"
        case RLStreamErrorDomain.POSIX.rawValue: "POSIX"
        case RLStreamErrorDomain.macOSStatus.rawValue: "macOSStatus"
        default: "\(rawValue)"
        }
    }
}

extension RLComparisonResult: @retroactive CustomStringConvertible {
    /// The name of the case, such as `"lessThan"`.
    public var description: String {
        name(rawValue, of: ["lessThan", "equalTo", "greaterThan"], from: -1)
    }
}

extension RLNumberType: @retroactive CustomStringConvertible {
    /// The name of the type, such as `"sInt32"`.
    public var description: String {
        name(
            rawValue,
            of: [
                "sInt8", "sInt16", "sInt32", "sInt64", "float32", "float64", "char", "short", "int",
                "long", "longLong", "float", "double", "index", "nsInteger", "cgFloat",
            ],
            from: 1
        )
    }
}

extension RLRunLoopHostingOptions: @retroactive CustomStringConvertible {
    /// The names of the options: `"leavesMainQueue"`, or `"none"`.
    public var description: String {
        namesOfBits(rawValue, [1: "leavesMainQueue"])
    }
}

extension RLDataSearchFlags: @retroactive CustomStringConvertible {
    /// The names of the flags, such as `"backwards"`.
    public var description: String {
        namesOfBits(rawValue, [1: "backwards", 2: "anchored"])
    }
}

extension RLStringCompareFlags: @retroactive CustomStringConvertible {
    /// The names of the flags, such as `"caseInsensitive, anchored"`.
    public var description: String {
        namesOfBits(
            rawValue,
            [
                1: "caseInsensitive", 4: "backwards", 8: "anchored", 64: "numerically",
                512: "forcedOrdering",
            ]
        )
    }
}
