/// A small web server on this machine, for samples that need somebody to talk to.
///
/// It has three pages: `/text`, whose length is known, `/chunks`, whose length is not, and `/half`,
/// of which there is only the first half until the client hangs up.
protocol WebServer {
    /// Its name for people.
    var name: String { get }

    /// The port on which it listens.
    var port: Int { get }

    /// Waits until the client of `/half` has hung up; false if that cannot be.
    func waitForHangUp() -> Bool

    /// Ends it.
    func stop()
}

/// The contents of the pages.
enum WebPages {
    static let text = "a page whose length is known"
    static let chunks = ["a page ", "that comes ", "in chunks"]
    static let halfLength = 10000
}

/// Python's server if there is Python, for it is one that others use; otherwise our own.
func startWebServer() -> (any WebServer)? {
    PythonWebServer() ?? OwnWebServer("our own server, for there is no Python here")
}
