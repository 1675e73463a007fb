#include "scheduler.hpp"

#include <CoreFoundation/CoreFoundation.h>

#include <deque>
#include <mutex>
#include <utility>

namespace {

// Owns a reference, as the pointers of C++ that wrap CoreFoundation do.
template <typename Reference> class Retained {
public:
    explicit Retained(Reference object) : object(object) {}
    ~Retained() { if (object != nullptr) CFRelease(object); }
    Retained(const Retained &) = delete;
    Retained &operator=(const Retained &) = delete;
    operator Reference() const { return object; }

private:
    Reference object;
};

// The task of a timer, which its context owns.
struct Firing {
    std::function<bool()> task;

    static const void *retain(const void *info)
    {
        auto *shared = static_cast<const std::shared_ptr<Firing> *>(info);
        return new std::shared_ptr<Firing>(*shared);
    }

    static void release(const void *info) { delete static_cast<const std::shared_ptr<Firing> *>(info); }

    static void fire(CFRunLoopTimerRef timer, void *info)
    {
        std::shared_ptr<Firing> firing = *static_cast<std::shared_ptr<Firing> *>(info);
        if (!firing->task()) CFRunLoopTimerInvalidate(timer);
    }
};

void schedule(CFRunLoopRef loop, double seconds, double interval, std::function<bool()> task)
{
    auto firing = std::make_shared<Firing>();
    firing->task = std::move(task);
    CFRunLoopTimerContext context = {0, &firing, Firing::retain, Firing::release, nullptr};
    Retained<CFRunLoopTimerRef> timer(CFRunLoopTimerCreate(kCFAllocatorDefault,
                                                           CFAbsoluteTimeGetCurrent() + seconds,
                                                           interval, 0, 0, Firing::fire, &context));
    CFRunLoopAddTimer(loop, timer, kCFRunLoopCommonModes);
    CFRunLoopWakeUp(loop);
}

} // namespace

struct Scheduler::State {
    CFRunLoopRef loop = CFRunLoopGetCurrent();
    CFRunLoopSourceRef source = nullptr;
    CFRunLoopObserverRef observer = nullptr;
    std::mutex mutex;
    std::deque<Task> high, low;
    std::deque<Task> idle;

    static void perform(void *info)
    {
        auto *state = static_cast<State *>(info);
        Task task;
        {
            std::lock_guard<std::mutex> guard(state->mutex);
            std::deque<Task> &queue = state->high.empty() ? state->low : state->high;
            if (queue.empty()) return;
            task = std::move(queue.front());
            queue.pop_front();
            if (!state->high.empty() || !state->low.empty()) state->wake();
        }
        task();
    }

    static void observe(CFRunLoopObserverRef, CFRunLoopActivity activity, void *info)
    {
        auto *state = static_cast<State *>(info);
        // A set of options is an integer in C++.
        const CFRunLoopActivity ends = kCFRunLoopBeforeWaiting | kCFRunLoopExit;
        if ((activity & ends) == 0 || state->idle.empty()) return;
        Task task = std::move(state->idle.front());
        state->idle.pop_front();
        task();
        if (!state->idle.empty()) CFRunLoopWakeUp(state->loop);
    }

    void wake()
    {
        CFRunLoopSourceSignal(source);
        CFRunLoopWakeUp(loop);
    }
};

Scheduler::Scheduler() : state(new State)
{
    CFRunLoopSourceContext sourceContext = CFRunLoopSourceContext();
    sourceContext.info = state.get();
    sourceContext.perform = State::perform;
    state->source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &sourceContext);
    CFRunLoopAddSource(state->loop, state->source, kCFRunLoopCommonModes);

    CFRunLoopObserverContext observerContext = {0, state.get(), nullptr, nullptr, nullptr};
    state->observer =
        CFRunLoopObserverCreate(kCFAllocatorDefault, kCFRunLoopBeforeWaiting | kCFRunLoopExit, true,
                                LONG_MAX, State::observe, &observerContext);
    CFRunLoopAddObserver(state->loop, state->observer, kCFRunLoopCommonModes);
}

Scheduler::~Scheduler()
{
    CFRunLoopSourceInvalidate(state->source);
    CFRelease(state->source);
    CFRunLoopObserverInvalidate(state->observer);
    CFRelease(state->observer);
}

void Scheduler::post(Task task, Priority priority)
{
    std::lock_guard<std::mutex> guard(state->mutex);
    (priority == Priority::high ? state->high : state->low).push_back(std::move(task));
    state->wake();
}

void Scheduler::postAfter(double seconds, Task task)
{
    schedule(state->loop, seconds, 0, [task] { task(); return false; });
}

void Scheduler::repeat(double seconds, std::function<bool()> task)
{
    schedule(state->loop, seconds, seconds, std::move(task));
}

void Scheduler::whenIdle(Task task)
{
    state->idle.push_back(std::move(task));
    CFRunLoopWakeUp(state->loop);
}

void Scheduler::run()
{
    CFRunLoopRun();
}

void Scheduler::stop()
{
    CFRunLoopStop(state->loop);
}

CFRunLoopRef Scheduler::loop() const
{
    return state->loop;
}
