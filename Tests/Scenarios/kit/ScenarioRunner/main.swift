/// Runs one scenario in a process of its own; see ScenarioKit.h.
import Foundation
import ScenarioKit

exit(scenario_main(CommandLine.argc, CommandLine.unsafeArgv))
