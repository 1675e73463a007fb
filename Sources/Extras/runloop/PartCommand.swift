import ArgumentParser

/// `runloop part`: what samples run in processes of their own.
struct PartCommand: ParsableCommand {
    /// The parts there are.
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

    @Argument(help: "What the sample tells it.")
    var word: String

    func run() throws {
        switch part {
        case .messageServer: try serveMessages(as: word)
        }
    }
}
