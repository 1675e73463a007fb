import FoundationEssentials
import RunLoopKit
import Testing

@Suite("A type of service") struct ServiceTypeTests {
    @Test("is that of both streams of a connection") func values() {
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: "localhost",
            port: 9,
            inputStream: &input,
            outputStream: &output
        )
        typealias Value = RLStreamNetworkServiceTypeValue
        #expect(input?.property(forKey: .networkServiceType) == nil)
        for value in [Value.voIP, .video, .background, .voice, .callSignaling] {
            #expect(input?.setProperty(value, forKey: .networkServiceType) == true)
            #expect(output?.property(forKey: .networkServiceType) as? Value == value)
        }
        #expect(output?.setProperty("nonsense", forKey: .networkServiceType) == false)
        #expect(output?.setProperty(1, forKey: .networkServiceType) == false)
        #expect(input?.property(forKey: .networkServiceType) as? Value == .callSignaling)
        let name = Value.voice.rawValue
        #expect(output?.setProperty(name, forKey: .networkServiceType) == true)
        #expect(input?.property(forKey: .networkServiceType) as? Value == .voice)
    }

    @Test("is for sockets only") func memory() {
        let input = RLInputStream(data: Data([1]))
        let voice = RLStreamNetworkServiceTypeValue.voice
        #expect(!input.setProperty(voice, forKey: .networkServiceType))
        #expect(input.property(forKey: .networkServiceType) == nil)
    }
}
