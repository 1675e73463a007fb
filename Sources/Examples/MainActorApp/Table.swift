import RunLoopKit

struct Row {
    let path: String
    // Nil if the file could not be read.
    let words: Int?
}

/// Prints rows: those that come in one pass of the loop together.
final class Table: RLCommitting {
    private var newRows: [Row] = []
    private var total = 0

    func add(_ row: Row) {
        newRows.append(row)
        total += row.words ?? 0
        RLTransaction.current.setNeedsCommit(self)
    }

    func commitChanges() {
        for row in newRows {
            print("\(row.path): \(row.words.map(String.init) ?? "unreadable")")
        }
        newRows = []
    }

    func printTotal() {
        print("total: \(total)")
    }
}
