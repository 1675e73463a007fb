/// A benchmark, and the ways that it compares.
struct Program {
    let title: String
    /// Of a figure: `ns`, `B`, or nothing for a number.
    var units = ["ns"]
    /// The names of figures beyond the first.
    var figures = [""]
    let sizes: [Int]
    let ways: [Way]

    static var all: [Program] { loops + servers + fetches }
}

/// A loop, or a way to write a program.
struct Way {
    let name: String
    /// Returns the figures at a size; none if the way has no such thing.
    let measure: (Int) -> [Double]
}

/// Percentiles of samples; none without samples.
func percentiles(of samples: some Collection<Double>, _ wanted: [Int]) -> [Double] {
    let sorted = samples.sorted()
    return sorted.isEmpty ? [] : wanted.map { sorted[(sorted.count * $0 + 99) / 100 - 1] }
}
