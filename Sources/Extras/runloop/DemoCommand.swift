import ArgumentParser
import RunLoopSamples

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a tour of samples that print their events and check themselves.",
        discussion: """
            Each sample runs on real threads, descriptors and clocks. The numbers on the left are \
            milliseconds since the sample began. Without a name, a line for each is all there is \
            to see. A sample that misbehaves prints the difference, and the exit \
            status is 1.
            """
    )

    @Flag(help: "List the samples instead of running them.")
    var list = false

    @Argument(help: "The sample to run; without one, all of them.")
    var name: String?

    @Option(
        help: """
            How long the clients of 'echo' send messages, to have something to look at with \
            'runloop top'.
            """
    )
    var seconds: Double?

    func validate() throws {
        if let seconds {
            if name != "echo" { throw ValidationError("'--seconds' is for the sample 'echo'.") }
            if !(0...1e6 ~= seconds) {
                throw ValidationError("'--seconds' must be from 0 to 1000000.")
            }
        }
        guard let name, Samples.named(name) == nil else { return }
        throw ValidationError("There is no sample named '\(name)'. Try 'runloop demo --list'.")
    }

    func run() throws {
        guard !list else { return writeList() }
        let lasting: [any Sample]? = seconds.map { [Samples.echo(seconds: $0)] }
        let samples = lasting ?? name.flatMap(Samples.named).map { [$0] } ?? Samples.all
        let isBrief = name == nil
        let failed = samples.filter { !Samples.run($0, isBrief: isBrief, write: write) }.map(\.name)
        guard failed.isEmpty else {
            write("Not as expected: \(failed.joined(separator: ", ")).")
            throw ExitCode.failure
        }
        if name != nil { return write("As expected.") }
        write(
            "All \(samples.count) samples as expected. 'runloop demo NAME' shows one, step by step."
        )
    }

    private func writeList() {
        for sample in Samples.all { write(Samples.line(of: sample)) }
    }
}
