/* Built with the engine's sources in one line: a call whose hint debug builds print. */

#include <CRunLoop/CRunLoop.h>

int main(void)
{
    RLRelease(RLRunLoopTimerCreate(NULL, 0, 0, 0, 0, NULL, NULL));
    return RLRunLoopGetCurrent() == RLRunLoopGetMain() ? 0 : 1;
}
