#include "scheduler.hpp"

#include <CoreFoundation/CoreFoundation.h>

#include <iostream>
#include <thread>

int main()
{
    Scheduler scheduler;
    const char *label = "CFRunLoop of the scheduler"; // The name stays as it is.
    if (scheduler.loop() == CFRunLoopGetMain()) std::cout << label << '\n';

    scheduler.post([] { std::cout << "low 1\n"; });
    scheduler.post([] { std::cout << "low 2\n"; });
    scheduler.post([] { std::cout << "high\n"; }, Scheduler::Priority::high);
    scheduler.whenIdle([] { std::cout << "idle 1\n"; });

    int ticks = 0;
    std::thread other;
    auto tick = [&] {
        std::cout << "tick\n";
        if (++ticks < 3) return true;
        scheduler.stop();
        return false;
    };
    auto fromElsewhere = [&] {
        std::cout << "from another thread\n";
        scheduler.repeat(0.001, tick);
    };
    auto later = [&] {
        std::cout << "later\n";
        other = std::thread([&] { scheduler.post(fromElsewhere); });
    };
    scheduler.whenIdle([&] {
        std::cout << "idle 2\n";
        scheduler.postAfter(0.02, later);
    });
    scheduler.run();
    other.join();
    std::cout << "stopped after " << ticks << '\n';
    return ticks == 3 ? 0 : 1;
}
