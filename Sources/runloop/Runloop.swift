import ArgumentParser

/// The command-line face of the package: it shows run loops at work.
@main
struct Runloop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runloop",
        abstract: "Shows run loops at work.",
        subcommands: [
            DemoCommand.self, DumpCommand.self, TraceCommand.self, BenchCommand.self,
            PartCommand.self,
        ]
    )
}
