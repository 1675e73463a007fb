// Runs one benchmark variant in its own process, for results.py.

import Glibc

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["list"] {
    for program in Program.all {
        let sizes = program.sizes.map(String.init).joined(separator: " ")
        let ways = program.ways.map(\.name).joined(separator: ";")
        let figures = program.figures.joined(separator: ";")
        let units = program.units.joined(separator: ";")
        print([program.title, figures, units, sizes, ways].joined(separator: "\t"))
    }
    exit(0)
}
guard arguments.count == 4, let size = Int(arguments[3]),
    let program = Program.all.first(where: { $0.title == arguments[1] }),
    let way = program.ways.first(where: { $0.name == arguments[2] })
else {
    print("usage: \(arguments[0]) list | TITLE WAY SIZE")
    exit(64)
}
print(way.measure(size).map { String($0) }.joined(separator: " "))
