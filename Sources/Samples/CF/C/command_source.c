/*
 * A custom input source: a buffer of commands, which any thread fills and the loop's thread
 * empties.
 */

#include "flag.h"
#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

typedef enum { kCommandGreet, kCommandCount, kCommandQuit } Command;

typedef struct {
    pthread_mutex_t mutex;
    Command commands[8];
    CFIndex count;
    CFRunLoopSourceRef source;
    /* Set in `schedule`, cleared in `cancel`. */
    CFRunLoopRef loop;
    Flag scheduled;
} CommandBuffer;

static void BufferSchedule(void *info, CFRunLoopRef loop, CFStringRef mode)
{
    CommandBuffer *buffer = info;
    printf("scheduled in %s\n",
           CFEqual(mode, kCFRunLoopDefaultMode) ? "the default mode" : "some mode");
    pthread_mutex_lock(&buffer->mutex);
    buffer->loop = loop;
    pthread_mutex_unlock(&buffer->mutex);
    FlagRaise(&buffer->scheduled);
}

static void BufferCancel(void *info, CFRunLoopRef loop, CFStringRef mode)
{
    (void)mode;
    CommandBuffer *buffer = info;
    pthread_mutex_lock(&buffer->mutex);
    printf("canceled in %s\n", buffer->loop == loop ? "the same loop" : "another loop");
    buffer->loop = NULL;
    pthread_mutex_unlock(&buffer->mutex);
}

static void Execute(CommandBuffer *buffer, Command command)
{
    static int executed = 0;
    executed++;
    switch (command) {
    case kCommandGreet: puts("hello"); break;
    case kCommandCount: printf("%d commands so far\n", executed); break;
    case kCommandQuit: CFRunLoopSourceInvalidate(buffer->source); break;
    }
}

static void BufferPerform(void *info)
{
    CommandBuffer *buffer = info;
    Command commands[8];
    pthread_mutex_lock(&buffer->mutex);
    CFIndex count = buffer->count;
    for (CFIndex i = 0; i < count; i++) commands[i] = buffer->commands[i];
    buffer->count = 0;
    pthread_mutex_unlock(&buffer->mutex);

    for (CFIndex i = 0; i < count; i++) Execute(buffer, commands[i]);
}

static void BufferAdd(CommandBuffer *buffer, Command command)
{
    pthread_mutex_lock(&buffer->mutex);
    buffer->commands[buffer->count++] = command;
    pthread_mutex_unlock(&buffer->mutex);
}

static void BufferFire(CommandBuffer *buffer)
{
    CFRunLoopSourceSignal(buffer->source);
    pthread_mutex_lock(&buffer->mutex);
    if (buffer->loop) CFRunLoopWakeUp(buffer->loop);
    pthread_mutex_unlock(&buffer->mutex);
}

static void *ServeCommands(void *argument)
{
    CommandBuffer *buffer = argument;
    CFRunLoopAddSource(CFRunLoopGetCurrent(), buffer->source, kCFRunLoopDefaultMode);
    CFRunLoopRun();
    puts("nothing left to serve");
    return NULL;
}

void sample_command_source(void)
{
    CommandBuffer buffer = {.mutex = PTHREAD_MUTEX_INITIALIZER, .scheduled = FLAG_INITIALIZER};
    CFRunLoopSourceContext context = {.info = &buffer,
                                      .schedule = BufferSchedule,
                                      .cancel = BufferCancel,
                                      .perform = BufferPerform};
    buffer.source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);

    pthread_t thread;
    pthread_create(&thread, NULL, ServeCommands, &buffer);
    FlagAwait(&buffer.scheduled);

    BufferAdd(&buffer, kCommandGreet);
    BufferAdd(&buffer, kCommandCount);
    BufferFire(&buffer);
    BufferAdd(&buffer, kCommandQuit);
    BufferFire(&buffer);

    pthread_join(thread, NULL);
    printf("the source is %s\n", CFRunLoopSourceIsValid(buffer.source) ? "valid" : "invalid");
    CFRelease(buffer.source);
}
