import ArgumentParser

@main
struct Runloop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runloop",
        abstract: "Shows run loops at work.",
        discussion: """
            The exit status is 0 if all went well, 1 if a sample was not as expected or the system \
            lacks what it needs, 64 for wrong arguments, 66 if there is no such process, 69 if it \
            cannot be looked into, 70 if it has ended meanwhile, 73 if a file cannot be created, \
            74 if output cannot be written, 75 if the process does not answer, 76 if it refuses, \
            and 77 if it belongs to another user.
            """,
        // Keep equal to CSupport/CMakeLists.txt.
        version: "0.1.0",
        subcommands: [
            ListCommand.self, TopCommand.self, DumpCommand.self, TraceCommand.self,
            StallsCommand.self, DemoCommand.self, BenchCommand.self, PartCommand.self,
        ]
    )
}
