import Glibc

private let arguments = CommandLine.arguments
private let requests = [
    "foundation": Requests.foundation, "dispatch": Requests.dispatch, "nio": Requests.nio,
    "dispatch-streams": Requests.dispatchStreams, "nio-channels": Requests.nioChannels,
]
guard arguments.count == 4, let times = Int(arguments[1]),
    let request = requests[arguments[2]]?[arguments[3]]
else { exit(69) }
left = times
request(times)
