import ProcessKit

extension ChildProcess {
    /// Runs the `runloop` tool.
    init(_ arguments: String...) throws {
        try self.init(product: "runloop", arguments)
    }
}
