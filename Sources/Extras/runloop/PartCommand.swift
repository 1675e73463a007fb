import ArgumentParser
import RunLoopSamples

struct PartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "part",
        abstract: "Is started by samples that need another process.",
        shouldDisplay: false
    )

    @Argument(help: "The sample that has started this process.")
    var sample: String

    @Argument(help: "An argument from the sample.")
    var word: String

    func run() throws {
        try unwrap(Samples.named(sample), "There is no sample named '\(sample)'.").play(word)
    }
}
