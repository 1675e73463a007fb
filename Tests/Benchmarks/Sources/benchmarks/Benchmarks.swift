import ArgumentParser

/// Compares run loops: `swift run -c release benchmarks`.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Measures this package's run loop beside others, each workload in turn on each.",
        subcommands: [CompareCommand.self, MeasureCommand.self],
        defaultSubcommand: CompareCommand.self
    )
}
