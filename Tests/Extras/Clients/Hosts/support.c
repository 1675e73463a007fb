/* Common parts of the tests. */

#define _GNU_SOURCE

#include "hosts.h"

#include <Block.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

/* Of libdispatch, whose headers are not on every include path. */
struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q;
extern void dispatch_async(struct dispatch_queue_s *queue, void (^block)(void));

static pthread_t helper;

long count_sleeps(void)
{
    char line[128];
    long count = -1;
    FILE *file = fopen("/proc/thread-self/status", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1) break;
    }
    fclose(file);
    CHECK(count >= 0);
    return count;
}

void on_helper(void (^body)(void))
{
    helper = begin_thread(body);
}

void after_idle_time(void (^body)(void))
{
    on_helper(^{
        struct timespec time = {.tv_nsec = IDLE_US * 1000L};
        /* The time that is to pass without anything is the subject. */
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        body();
    });
}

void join_helper(void)
{
    pthread_join(helper, NULL);
}

/* The linker gives the engine's calls of syscall() to the second one, for which see run.sh. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
/* The engine's way with the thread sanitizer. */
ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count);

static void (^before_ring)(void);

void before_next_ring(void (^body)(void))
{
    before_ring = Block_copy(body);
}

static void call_before_ring(void)
{
    void (^body)(void) = before_ring;
    if (!body) return;
    before_ring = NULL;
    body();
    Block_release(body);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
    call_before_ring();
    return __real_write(fd, bytes, count);
}

long __wrap_syscall(long number, ...)
{
    long arguments[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_write) call_before_ring();
    return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
}

RLRunLoopTimerRef every(double seconds, void (^body)(void))
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + seconds,
                                        seconds, 0, 0, ^(RLRunLoopTimerRef fired) {
                                            (void)fired;
                                            body();
                                        });
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
    return timer;
}

void after(double seconds, void (^body)(void))
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + seconds,
                                        0, 0, 0, ^(RLRunLoopTimerRef fired) {
                                            (void)fired;
                                            body();
                                        });
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
}

static void release(const void *block)
{
    Block_release(block);
}

static void perform(void *block)
{
    ((void (^)(void))block)();
}

static RLRunLoopSourceRef add(void *context)
{
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, context);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRelease(source);
    return source;
}

RLRunLoopSourceRef add_source(void (^body)(void))
{
    return add(&(RLRunLoopSourceContext){
        .info = (void *)Block_copy(body), .release = release, .perform = perform});
}

/* What the descriptor's source calls, and where it is. */
struct watched {
    int fd;
    void (^body)(void);
};

static int descriptor_of(void *info)
{
    return ((struct watched *)info)->fd;
}

static void perform_watched(void *info, RLRunLoopDescriptorEvents ready)
{
    (void)ready;
    ((struct watched *)info)->body();
}

static void release_watched(const void *info)
{
    struct watched *watched = (struct watched *)(uintptr_t)info;
    Block_release(watched->body);
    free(watched);
}

RLRunLoopSourceRef add_descriptor(int fd, void (^body)(void))
{
    struct watched *watched = malloc(sizeof *watched);
    CHECK(watched != NULL);
    *watched = (struct watched){fd, Block_copy(body)};
    return add(&(RLRunLoopSourceContext2){.version = 2,
                                          .info = watched,
                                          .release = release_watched,
                                          .getDescriptor = descriptor_of,
                                          .perform = perform_watched});
}

void on_main_queue(void (^body)(void))
{
    dispatch_async(&_dispatch_main_q, body);
}
