import Foundation

private let arguments = CommandLine.arguments
guard arguments.count == 4, let times = Int(arguments[1]),
    let request = Requests.all[arguments[3]]
else { exit(69) }
left = times
request(times)
