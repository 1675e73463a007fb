import CRunLoop
import CoreRunLoop
import Testing

@Suite("The printed text") struct NameTests {
    @Test("of an enumeration is its case") func cases() {
        #expect("\(RLSocketError.success)" == "success")
        #expect("\(RLSocketError.timeout)" == "timeout")
        #expect("\(RLStreamStatus.notOpen)" == "notOpen")
        #expect("\(RLStreamStatus.error)" == "error")
        #expect("\(kRLRunLoopPhaseIdle)" == "idle")
        #expect("\(kRLRunLoopPhaseMainQueue)" == "mainQueue")
        #expect("\(kRLRunLoopItemTimer)" == "timer")
        #expect("\(kRLRunLoopTraceThreadEnd)" == "threadEnd")
        #expect("\(kRLRunLoopTraceRunBegin)" == "runBegin")
        #expect("\(kRLRunLoopWakeReasonHost)" == "host")
        #expect("\(RLRunLoopPhase(rawValue: 99))" == "99")
        #expect("\(RLStreamErrorDomain.POSIX)" == "POSIX")
        #expect("\(RLStreamErrorDomain.custom)" == "custom")
        #expect("\(RLComparisonResult.compareLessThan)" == "lessThan")
        #expect("\(RLNumberType.sInt8Type)" == "sInt8")
        #expect("\(RLNumberType.cgFloatType)" == "cgFloat")
    }

    @Test("of a set are its members") func sets() {
        let types: RLSocketCallBackType = [.dataCallBack, .writeCallBack]
        #expect("\(types)" == "data, write")
        #expect("\(RLSocketCallBackType.acceptCallBack)" == "accept")
        #expect("\(RLSocketCallBackType.readCallBack)" == "read")
        #expect(
            "\(RLStreamEventType([.hasBytesAvailable, .endEncountered]))"
                == "hasBytesAvailable, endEncountered"
        )
        #expect("\(RLRunLoopDescriptorEvents([.read, .hangUp]))" == "read, hangUp")
        #expect("\(RLFileEvents([.create, .isDirectory]))" == "create, isDirectory")
        #expect("\(RLStreamEventType())" == "none")
        #expect("\(RLRunLoopHostingOptions.leavesMainQueue)" == "leavesMainQueue")
        #expect("\(RLDataSearchFlags([.backwards, .anchored]))" == "backwards, anchored")
        #expect(
            "\(RLStringCompareFlags([.compareNumerically, .compareBackwards]))"
                == "backwards, numerically"
        )
        #expect("\(RLRunLoopDescriptorEvents(rawValue: 1 | 64))" == "read, 0x40")
    }
}
