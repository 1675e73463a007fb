import CoreRunLoop

// Items of every kind, made in every way: by a closure, by a handler as CF's, by a context.

extension StressHand {
    /// The field, for closures: they are released before it is.
    private var borrowed: UnsafeMutableRawPointer {
        Unmanaged.passUnretained(field).toOpaque()
    }

    func makeSource(version: Int) -> RLRunLoopSourceRef {
        // Sources with the same context are equal, unless their orders differ.
        let order = number(below: 1000)
        return number(below: 2) == 0
            ? makeClosureSource(version: version, order: order)
            : makeContextSource(version: version, order: order)
    }

    private func makeClosureSource(version: Int, order: Int) -> RLRunLoopSourceRef {
        let port = field.pipe.readEnd
        return switch version {
        case 0:
            RLRunLoopSourceCreate(
                order: order,
                schedule: { [field] _, _ in field.call() },
                cancel: { [field] _, _ in field.call() },
                perform: { [field] in field.call() }
            )
        case 1: RLRunLoopSourceCreate(order: order, port: port) { [field] in field.call() }
        default:
            RLRunLoopSourceCreate(
                order: order,
                descriptor: port,
                events: { [field] in field.events },
                perform: { [field] _ in field.call() }
            )
        }
    }

    private func makeContextSource(version: Int, order: Int) -> RLRunLoopSourceRef {
        switch version {
        case 0:
            var context = RLRunLoopSourceContext()
            context.info = borrowed
            context.perform = { callField($0) }
            return RLRunLoopSourceCreate(kRLAllocatorDefault, order, &context)
        case 1:
            var context = RLRunLoopSourceContext1()
            context.version = 1
            context.info = borrowed
            context.getPort = { stressField(of: $0)?.pipe.readEnd ?? -1 }
            context.perform = { callField($0) }
            return RLRunLoopSourceCreate(kRLAllocatorDefault, order, &context)
        default:
            var context = RLRunLoopSourceContext2()
            context.version = 2
            context.info = borrowed
            context.getDescriptor = { stressField(of: $0)?.pipe.readEnd ?? -1 }
            context.getEvents = { stressField(of: $0)?.events ?? [] }
            context.perform = { info, _ in callField(info) }
            return RLRunLoopSourceCreate(kRLAllocatorDefault, order, &context)
        }
    }

    func makeTimer() -> RLRunLoopTimerRef {
        let interval = Double(number(below: 3)) * 0.0005
        switch number(below: 3) {
        case 0:
            return RLRunLoopTimerCreate(fireDate: soon, interval: interval) { [field] _ in
                field.call()
            }
        case 1:
            return RLRunLoopTimerCreateWithHandler(kRLAllocatorDefault, soon, interval, 0, 0) {
                [field] _ in field.call()
            }
        default:
            var context = RLRunLoopTimerContext()
            context.info = borrowed
            let callout: RLRunLoopTimerCallBack = { callField($1) }
            return RLRunLoopTimerCreate(
                kRLAllocatorDefault,
                soon,
                interval,
                0,
                0,
                callout,
                &context
            )
        }
    }

    func makeObserver() -> RLRunLoopObserverRef {
        let all = RLRunLoopActivity.allActivities
        let repeats = number(below: 2) == 0
        switch number(below: 3) {
        case 0:
            return RLRunLoopObserverCreate(activities: all, repeats: repeats) { [field] _, _ in
                field.call()
            }
        case 1:
            return RLRunLoopObserverCreateWithHandler(
                kRLAllocatorDefault,
                all.rawValue,
                repeats,
                0
            ) { [field] _, _ in field.call() }
        default:
            var context = RLRunLoopObserverContext()
            context.info = borrowed
            let callout: RLRunLoopObserverCallBack = { callField($2) }
            return RLRunLoopObserverCreate(
                kRLAllocatorDefault,
                all.rawValue,
                repeats,
                0,
                callout,
                &context
            )
        }
    }
}

private func stressField(of info: UnsafeMutableRawPointer?) -> StressField? {
    // The field outlives the threads, and with them all items.
    info.map { Unmanaged<StressField>.fromOpaque($0).takeUnretainedValue() }
}

private func callField(_ info: UnsafeMutableRawPointer?) {
    stressField(of: info)?.call()
}
