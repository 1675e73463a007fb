/*
 * A runner without Swift and without the reference, for hand-made builds. `main check` runs
 * everything; scenarios that want a process of their own start this program again.
 */

#include "ScenarioKit/ScenarioKit.h"

#include <stdlib.h>

int main(int argument_count, char **arguments)
{
    setenv("SCENARIO_RUNNER", "/proc/self/exe", 0);
    return scenario_main(argument_count, arguments);
}
