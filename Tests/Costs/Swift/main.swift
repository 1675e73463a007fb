// Repeats an operation of a Swift layer, whose cost count.py counts. Operations have the names of
// costs.c; some exist only here.

import Glibc

let subjects: [String: (Int) -> Void] = [
    "closures sources": Closures.poll,
    "closures once": Closures.once,
    "closures hot": Closures.hot,
    "closures self": { Closures.post($0) },
    "closures value": Closures.postValues,
    "closures churn": Closures.churn,
    "closures move": Closures.move,
    "closures due": Closures.due,
    "closures kept": Closures.fireKept,
    "closures ticks": Closures.ticks,
    "contexts once": Contexts.once,
    "contexts hot": Contexts.hot,
    "contexts self": { Contexts.post($0) },
    "contexts value": Contexts.postValues,
    "contexts churn": Contexts.churn,
    "contexts due": Contexts.due,
    "contexts kept": Contexts.fireKept,
    "contexts ticks": Contexts.ticks,
    "kit sources": Kit.poll,
    "kit once": Kit.once,
    "kit self": Kit.post,
    "kit value": Kit.postValues,
    "kit churn": Kit.churn,
    "kit move": Kit.move,
    "kit due": Kit.due,
    "kit kept": Kit.fireKept,
    "kit ticks": Kit.ticks,
    "kit message": Kit.messages,
    "kit event": Kit.events,
    "kit perform": { ThreadPerformer().perform($0) },
    "kit wait": { ThreadPerformer().wait($0) },
    "kit notify": App.notify,
    "kit names": App.names,
    "kit objects": App.objects,
    "kit delay": App.delay,
    "kit commit": App.commit,
    "kit enqueue": App.enqueue,
    "kit fires": Awaited.onMain(Awaited.fires),
    "kit request": App.request,
    "kit echo": countEchoes(connections: 1),
    "kit echo-awaited": Awaited.onThread(Awaited.echoes),
    "actor echoes": Awaited.onThread(Awaited.echoes),
    "main echoes": Awaited.onMain(Awaited.echoes),
    "kit echoes": countEchoes(connections: 64),
    "actor fires": Awaited.onThread(Awaited.fires),
    "actor lines": Awaited.onThread(Awaited.lines),
    "actor chunks": Awaited.onThread(Awaited.chunks),
    "actor descriptors": Awaited.onThread(Awaited.descriptors),
    "actor accepts": Awaited.onThread(Awaited.accepts),
    "actor messages": Awaited.onThread(Awaited.messages),
    "main fires": Awaited.onMain(Awaited.fires),
    "main lines": Awaited.onMain(Awaited.lines),
    "main chunks": Awaited.onMain(Awaited.chunks),
    "main descriptors": Awaited.onMain(Awaited.descriptors),
    "main accepts": Awaited.onMain(Awaited.accepts),
    "main messages": Awaited.onMain(Awaited.messages),
    "growth delayed": Growth.onThread(Growth.delayed),
    "growth cancelled": Growth.onThread(Growth.cancelled),
    "growth ordered": Growth.onThread(Growth.ordered),
    "growth merged": Growth.onThread(Growth.merged),
    "growth modes": Growth.onThread(Growth.modes),
    "growth beside": Growth.beside,
]

let arguments = CommandLine.arguments
guard arguments.count == 4, let times = Int(arguments[1]) else {
    let usage = "usage: \(arguments[0]) TIMES closures|contexts|kit|actor|main|growth WHAT\n"
    _ = usage.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(64)
}
guard let subject = subjects["\(arguments[2]) \(arguments[3])"] else {
    // Not every layer has each operation.
    exit(69)
}
subject(times)
