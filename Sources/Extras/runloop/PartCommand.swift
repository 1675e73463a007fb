import ArgumentParser

/// `runloop part`: runs a sample's part in its own process.
struct PartCommand: ParsableCommand {
    enum Part: String, ExpressibleByArgument {
        case messageServer = "message-server"
    }

    static let configuration = CommandConfiguration(
        commandName: "part",
        abstract: "Is started by samples that need another process.",
        shouldDisplay: false
    )

    @Argument(help: "Which part of a sample to play.")
    var part: Part

    @Argument(help: "An argument from the sample.")
    var word: String

    func run() throws {
        switch part {
        case .messageServer: try serveMessages(as: word)
        }
    }
}
