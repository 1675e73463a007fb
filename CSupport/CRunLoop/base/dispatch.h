/*
 * The libdispatch functions that the engine uses.
 *
 * RL_HAS_DISPATCH is 1 if libdispatch's header exists. It is always 1 in Swift packages, because
 * the toolchain has the library but hides the header from C. -DRL_HAS_DISPATCH=0 or =1 overrides
 * this. Without libdispatch, the engine does not serve the main queue, and does not serve streams
 * and message ports on queues.
 */

#ifndef RL_DISPATCH_H
#define RL_DISPATCH_H

#include "base/check.h"

#include <stdbool.h>
#include <stdint.h>

#if !defined(RL_HAS_DISPATCH)
#if defined(SWIFT_PACKAGE) || __has_include(<dispatch/dispatch.h>)
#define RL_HAS_DISPATCH 1
#else
#define RL_HAS_DISPATCH 0
#endif
#endif

/* Aborts if the build has no libdispatch. `function` is the public function that needs it. */
static inline void rl_expect_dispatch(const char *function)
{
    if (!RL_HAS_DISPATCH) {
        rl_client_error(function, "CoreRunLoop was built without libdispatch: build it with "
                                  "libdispatch, or do not call this function");
    }
}

/* In a build without libdispatch, these functions are null and must not be called. */
#if RL_HAS_DISPATCH
#define RL_OF_DISPATCH extern
#else
#define RL_OF_DISPATCH extern __attribute__((weak))
#endif

struct dispatch_queue_s;
struct dispatch_source_s;
struct dispatch_source_type_s;

RL_OF_DISPATCH void dispatch_retain(void *object);
RL_OF_DISPATCH void dispatch_release(void *object);
RL_OF_DISPATCH void dispatch_set_context(void *object, void *context);
RL_OF_DISPATCH void dispatch_resume(void *object);
RL_OF_DISPATCH void dispatch_async_f(struct dispatch_queue_s *queue, void *context,
                                     void (*function)(void *));

RL_OF_DISPATCH const struct dispatch_source_type_s _dispatch_source_type_read;
RL_OF_DISPATCH struct dispatch_source_s *
dispatch_source_create(const struct dispatch_source_type_s *type, uintptr_t handle,
                       unsigned long mask, struct dispatch_queue_s *queue);
RL_OF_DISPATCH void dispatch_source_set_event_handler_f(struct dispatch_source_s *source,
                                                        void (*handler)(void *));
RL_OF_DISPATCH void dispatch_source_set_cancel_handler_f(struct dispatch_source_s *source,
                                                         void (*handler)(void *));
RL_OF_DISPATCH void dispatch_source_cancel(struct dispatch_source_s *source);

/*
 * libdispatch exports these for run loops that serve the main queue. The handle is a port that is
 * readable while the queue has work: on Linux, a nonblocking eventfd. The callback performs the
 * work.
 */
RL_OF_DISPATCH int _dispatch_get_main_queue_handle_4CF(void);
RL_OF_DISPATCH void _dispatch_main_queue_callback_4CF(void *message);
RL_OF_DISPATCH struct dispatch_queue_s _dispatch_main_q;

/*
 * libdispatch exports these for queues that a run loop serves. `perform` executes one item, and
 * returns whether the queue has more items.
 */
RL_OF_DISPATCH struct dispatch_queue_s *
_dispatch_runloop_root_queue_create_4CF(const char *label, unsigned long flags);
RL_OF_DISPATCH bool _dispatch_runloop_root_queue_perform_4CF(struct dispatch_queue_s *queue);

/*
 * Returns the queue whose work item the calling thread is executing. libdispatch exports
 * `dispatch_queue_offsets` for debuggers: each array has the offset and the size of a field.
 */
RL_OF_DISPATCH struct dispatch_queue_s *dispatch_get_current_queue(void);
extern const struct rl_dispatch_queue_offsets {
    uint16_t version;
    uint16_t label[2];
    uint16_t flags[2];
    uint16_t number[2];
    uint16_t width[2];
} dispatch_queue_offsets __attribute__((weak));

#undef RL_OF_DISPATCH

#endif
