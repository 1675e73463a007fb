// A scheduler of tasks on a run loop: at once from any thread, at a time, again and again, or when the
// loop has nothing else to do.

#pragma once

#include <functional>
#include <memory>

typedef struct __CFRunLoop *CFRunLoopRef;

class Scheduler {
public:
    typedef std::function<void()> Task;
    enum class Priority { high, low };

    Scheduler();
    ~Scheduler();
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    /// From any thread; within a priority in order.
    void post(Task task, Priority priority = Priority::low);
    void postAfter(double seconds, Task task);
    /// As long as it returns true.
    void repeat(double seconds, std::function<bool()> task);
    /// Once, when the loop is about to wait.
    void whenIdle(Task task);

    void run();
    void stop();
    CFRunLoopRef loop() const;

private:
    struct State;
    std::unique_ptr<State> state;
};
