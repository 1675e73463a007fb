/*
 * The callbacks of a pass: of observers, timers, sources and blocks, and the service of the main
 * dispatch queue. Each is counted, traced, and stored as the loop's current activity. Each goes
 * through a function that is never inlined and is named as in CF, so that a backtrace shows which
 * kind of callback was running.
 */

#ifndef RL_PASS_CALLOUT_H
#define RL_PASS_CALLOUT_H

#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>

struct rl_block;
struct rl_loop;
struct rl_source;

void rl_callout_observer(struct rl_loop *loop, RLRunLoopObserverCallBack function,
                         RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info);
void rl_callout_timer(struct rl_loop *loop, RLRunLoopTimerCallBack function,
                      RLRunLoopTimerRef timer, void *info);
void rl_callout_block(struct rl_loop *loop, const struct rl_block *entry);
void rl_callout_source0(struct rl_loop *loop, const void *source, void (*perform)(void *),
                        void *info);
void rl_callout_source1(struct rl_loop *loop, const void *source, void (*perform)(void *),
                        void *info);
void rl_callout_source2(struct rl_loop *loop, const struct rl_source *source,
                        RLRunLoopDescriptorEvents ready, uint64_t fetch);
void rl_callout_main_queue(struct rl_loop *loop, void (*serve)(void *));

#endif
