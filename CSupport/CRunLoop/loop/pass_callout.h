/*
 * The callbacks of a pass. Each callback is counted, traced, and stored as the loop's current
 * activity. The functions are never inlined and have the same names as in CF, so backtraces show
 * the kind of callback.
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
