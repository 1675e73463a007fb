import CoreRunLoop
import Testing

@Suite("Data")
struct DataTests {
    @Test("comes back from the engine as it went in", arguments: [[], [0], [1, 2, 255]])
    func roundTrip(bytes: [UInt8]) {
        let data = RLDataCreate(bytes)

        #expect([UInt8](data) == bytes)
        #expect(RLDataGetLength(data) == bytes.count)
        #expect(data.withUnsafeBytes { $0.count } == bytes.count)
    }

    @Test("lends its bytes to a closure that throws")
    func throwing() {
        struct Refusal: Error {}

        #expect(throws: Refusal.self) {
            try RLDataCreate([1]).withUnsafeBytes { _ in throw Refusal() }
        }
    }

    @Test("that is mutable is read and copied like any other")
    func mutable() {
        let data: RLMutableDataRef = RLDataCreateMutable(kRLAllocatorDefault, 0)
        RLDataAppendBytes(data, [1, 2, 3], 3)
        let copy = RLDataCreateCopy(kRLAllocatorDefault, data)
        RLDataDeleteBytes(data, RLRangeMake(0, 2))

        #expect([UInt8](data) == [3])
        #expect(copy == RLDataCreate([1, 2, 3]))
        #expect("\(data)".contains("length = 1"))
    }
}

@Suite("A number")
struct NumberTests {
    @Test("comes back from the engine as it went in", arguments: [0, -1, 12, .min, .max])
    func roundTrip(value: Int) {
        #expect(Int(exactly: RLNumberCreate(value)) == value)
    }

    @Test("with a fraction is no integer")
    func fraction() {
        var value = 1.5
        let number = RLNumberCreate(kRLAllocatorDefault, .doubleType, &value)!

        #expect(Int(exactly: number) == nil)
        #expect(RLNumberCompare(number, RLNumberCreate(1), nil) == .compareGreaterThan)
        #expect(RLNumberIsFloatType(number))
    }

    @Test("is a key by its value")
    func key() {
        #expect(Set([RLNumberCreate(80), RLNumberCreate(80), RLNumberCreate(81)]).count == 2)
    }
}

@Suite("A constant")
struct ConstantTests {
    @Test("is equal only to itself and can be retained for ever")
    func identity() {
        let values = [RLBooleanRef?](repeating: kRLBooleanTrue, count: 100)

        #expect(values.allSatisfy { $0 === kRLBooleanTrue })
        #expect(kRLBooleanTrue != kRLBooleanFalse)
        #expect(RLBooleanGetValue(kRLBooleanTrue) && !RLBooleanGetValue(kRLBooleanFalse))
        #expect(kRLNull == kRLNull)
    }
}

@Suite("A collection")
struct CollectionTests {
    @Test("holds the objects that are put into it, and only as long as it does")
    func references() {
        let string = RLStringCreate("element")
        let before = RLGetRetainCount(string)
        do {
            let array = withUnsafePointer(to: kRLTypeArrayCallBacks) {
                RLArrayCreateMutable(kRLAllocatorDefault, 0, $0)
            }
            RLArrayAppendValue(array, string)

            #expect(RLArrayGetCount(array) == 1)
            #expect(RLGetRetainCount(string) == before + 1)
        }
        #expect(RLGetRetainCount(string) == before)
    }

    @Test("of keys and values finds them")
    func dictionary() {
        var (keys, values) = (kRLTypeDictionaryKeyCallBacks, kRLTypeDictionaryValueCallBacks)
        let dictionary: RLMutableDictionaryRef =
            RLDictionaryCreateMutable(kRLAllocatorDefault, 0, &keys, &values)
        let (name, number) = (RLStringCreate("port"), RLNumberCreate(80))
        RLDictionarySetValue(dictionary, name, number)

        let key = RLStringCreate("port")
        let value = key.withTypeReference { RLDictionaryGetValue(dictionary, $0) }
        #expect(number.withTypeReference { value == $0 })
        #expect(RLDictionaryGetCount(dictionary) == 1)
    }

    @Test("of elements without order finds them")
    func set() {
        var callbacks = kRLTypeSetCallBacks
        let set: RLMutableSetRef = RLSetCreateMutable(kRLAllocatorDefault, 0, &callbacks)
        for text in ["a", "b", "a"] {
            let string = RLStringCreate(text)
            RLSetAddValue(set, string)
        }

        #expect(RLSetGetCount(set) == 2)
        #expect(set == RLSetCreateCopy(kRLAllocatorDefault, set))
    }

    @Test("that was just made can be sent to another thread")
    func sending() async {
        let array: RLMutableArrayRef = RLArrayCreateMutable(kRLAllocatorDefault, 0, nil)
        RLArrayAppendValue(array, nil)

        let count = await Task {
            RLArrayAppendValue(array, nil)
            return RLArrayGetCount(array)
        }.value

        #expect(count == 2)
    }
}

@Suite("A comparison of strings")
struct StringComparisonTests {
    @Test("has options")
    func options() {
        let (first, second) = (RLStringCreate("File10"), RLStringCreate("file9"))

        #expect(RLStringCompare(first, second, []) == .compareLessThan)
        #expect(RLStringCompare(first, second, .compareCaseInsensitive) == .compareLessThan)
        #expect(
            RLStringCompare(first, second, [.compareCaseInsensitive, .compareNumerically])
                == .compareGreaterThan
        )
    }
}
