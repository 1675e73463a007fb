import RunLoopKit

/// Reads a file while the main loop serves everything else.
final class FileReader: RLStreamDelegate {
    let path: String
    private(set) var bytes: [UInt8] = []
    private let input: RLInputStream?

    init(path: String) {
        self.path = path
        input = RLInputStream(fileAtPath: path)
    }

    func start() {
        guard let input else { return post(.fileIsUnreadable) }
        input.delegate = self
        input.schedule(in: .main, forMode: .common)
        input.open()
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = input?.read(&buffer, maxLength: buffer.count) ?? 0
            bytes += buffer.prefix(max(count, 0))
        case .endEncountered:
            stream.close()
            post(.fileWasRead)
        case .errorOccurred:
            stream.close()
            post(.fileIsUnreadable)
        default: break
        }
    }

    private func post(_ name: RLNotification.Name) {
        RLNotificationCenter.default.post(name: name, object: self)
    }
}

extension RLNotification.Name {
    static let fileWasRead = RLNotification.Name("FileReader.fileWasRead")
    static let fileIsUnreadable = RLNotification.Name("FileReader.fileIsUnreadable")
}
