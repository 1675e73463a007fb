/// A benchmark with the compared variants.
struct Program {
    let title: String
    /// The units of the figures: `ns`, `B`, or empty for a number.
    var units = ["ns"]
    /// The names of the figures; empty for the first.
    var figures = [""]
    let sizes: [Int]
    let ways: [Way]

    static var all: [Program] { loops + servers + fetches }
}

/// A loop, or a variant of a program.
struct Way {
    let name: String
    /// Returns the figures at a size; empty if the variant lacks the operation.
    let measure: (Int) -> [Double]
}

/// Percentiles of samples; empty without samples.
func percentiles(of samples: some Collection<Double>, _ wanted: [Int]) -> [Double] {
    let sorted = samples.sorted()
    return sorted.isEmpty ? [] : wanted.map { sorted[(sorted.count * $0 + 99) / 100 - 1] }
}
