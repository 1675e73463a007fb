import ArgumentParser

/// Compares run loops and programs: `swift run -c release benchmarks`.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Measures this package's run loop, and what programs do with it, beside others.",
        subcommands: [CompareCommand.self, ProgramsCommand.self, MeasureCommand.self],
        defaultSubcommand: CompareCommand.self
    )
}
