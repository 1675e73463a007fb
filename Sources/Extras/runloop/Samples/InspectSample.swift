import Glibc
import RunLoopDiagnostics

/// A viewer looks into a process, this one, while a loop of it hangs.
struct InspectSample: Sample {
    let name = "inspect"
    let summary = "a process that others look into: they see which loop hangs, and in what function"

    func run(_ trace: Trace) throws {
        let before = try? InspectedProcess(getpid())
        trace.check(before == nil, "nobody can look into a process that has not asked for it")
        RLInspector.start()
        let desk = Condition(Desk())
        let printer = RLPermanentThread(name: "printer")
        printer.execute { waitForPaper(desk) }
        _ = desk.wait { $0.isAwaited ? true : nil }

        let viewer = try InspectedProcess(getpid())
        let readings = try viewer.askAsViewer("sample", for: Readings.self)
        let loop = readings.loops.first { $0.name == "printer" }
        viewer.findPlaces([loop?.callbackAddress])
        let (callback, place) = viewer.place(loop?.callback, loop?.callbackAddress)
        let call = (callback ?? "?") + TopTable.at(place)
        trace.remark("the printer's loop is in \(loop?.phase ?? "?"): \(call)")
        if loop?.isInCallback ?? false { trace.event("the printer's loop is in a callback") }
        let contents = try viewer.ask("items thread=\(loop?.thread ?? 0)", for: LoopContents.self)
        for mode in contents.modes {
            trace.remark("mode \(mode.name): \(mode.items.count) items")
        }
        viewer.leave()

        desk.withLock { $0.hasPaper = true }
        printer.stop()
        printer.join()
        RLInspector.stop()
        if (try? InspectedProcess(getpid())) == nil { trace.event("the port is closed again") }
        trace.expect(["the printer's loop is in a callback", "the port is closed again"])
    }

    fileprivate struct Desk {
        var isAwaited = false
        var hasPaper = false
    }
}

@inline(never) private func waitForPaper(_ desk: Condition<InspectSample.Desk>) {
    desk.withLock { $0.isAwaited = true }
    _ = desk.wait { $0.hasPaper ? true : nil }
}
