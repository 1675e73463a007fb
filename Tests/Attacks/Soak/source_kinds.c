/*
 * Sources of all versions, and the event sources of the engine.
 */

#define _GNU_SOURCE

#include "races.h"

#include <CRunLoop/RLEventSources.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Sources ---------------------------------------------------------------------------------- */

/* The race's other datum is the version. */
static void set_version(struct race *race, int version)
{
    race->other = (void *)(intptr_t)version;
}

static void perform(void *info)
{
    struct race *race = info;
    be_called(race, race->objects[0]);
}

static void perform_ready(void *info, RLRunLoopDescriptorEvents ready)
{
    struct race *race = info;
    char bytes[16];
    if (read(race->fds[0], bytes, sizeof bytes) >= 0) be_called(race, race->objects[0]);
}

static int descriptor_of(void *info)
{
    return ((struct race *)info)->fds[0];
}

static void note_mode(void *info, RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct race *race = info;
    if (RLRunLoopIsWaiting(loop)) be_called(race, race->objects[0]);
}

static void make_source0(struct race *race)
{
    RLRunLoopSourceContext context = {.info = race,
                                      .retain = retain_race,
                                      .release = release_race,
                                      .schedule = note_mode,
                                      .cancel = note_mode,
                                      .perform = perform};
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, &context);
}

static void make_source1(struct race *race)
{
    RLRunLoopSourceContext1 context = {.version = 1,
                                       .info = race,
                                       .retain = retain_race,
                                       .release = release_race,
                                       .getPort = descriptor_of,
                                       .perform = perform};
    set_version(race, 1);
    race->fds[0] = needed_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
}

static RLRunLoopDescriptorEvents wanted_events(void *info)
{
    return kRLRunLoopDescriptorRead;
}

static void make_source2(struct race *race)
{
    RLRunLoopSourceContext2 context = {.version = 2,
                                       .info = race,
                                       .retain = retain_race,
                                       .release = release_race,
                                       .getDescriptor = descriptor_of,
                                       .getEvents = wanted_events,
                                       .perform = perform_ready};
    set_version(race, 2);
    needed_fd(pipe2(race->fds, O_CLOEXEC | O_NONBLOCK));
    race->objects[0] = RLRunLoopSourceCreate(NULL, 0, (RLRunLoopSourceContext *)(void *)&context);
}

static void invalidate_source(struct racer *self)
{
    RLRunLoopSourceInvalidate(self->object);
}

static void signal_source(struct racer *self)
{
    if (flip(self)) {
        RLRunLoopSourceSignalAndWakeUp(self->object, some_loop(self));
    } else {
        RLRunLoopSourceSignal(self->object);
    }
}

static void excite_source(struct racer *self)
{
    int fd = self->race->fds[1] >= 0 ? self->race->fds[1] : self->race->fds[0];
    uint64_t one = 1;
    if (fd < 0 || write(fd, &one, sizeof one) < 0) signal_source(self);
}

static void update_source(struct racer *self)
{
    RLRunLoopSourceUpdateEvents(self->object);
}

static void ask_source(struct racer *self)
{
    union {
        RLRunLoopSourceContext version0;
        RLRunLoopSourceContext1 version1;
        RLRunLoopSourceContext2 version2;
    } context = {.version0.version = (RLIndex)(intptr_t)self->race->other};
    RLRunLoopSourceIsValid(self->object);
    RLRunLoopSourceIsSignalled(self->object);
    RLRunLoopSourceGetOrder(self->object);
    RLRunLoopSourceGetContext(self->object, &context.version0);
}

static const struct call source_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"RLRunLoopSourceSignal", signal_source, false},
    {"a write", excite_source, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind sources0 = {
    .name = "source0", .make = make_source0, .calls = source_calls, .end = invalidate_source};
static const struct kind sources1 = {
    .name = "source1", .make = make_source1, .calls = source_calls, .end = invalidate_source};
static const struct kind sources2 = {
    .name = "source2", .make = make_source2, .calls = source_calls, .end = invalidate_source};

/* --- Event sources ---------------------------------------------------------------------------- */

static void retain_event_race(RLEventSourceContext *context, struct race *race)
{
    *context = (RLEventSourceContext){.info = race, .retain = retain_race, .release = release_race};
}

void block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static void see_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    if (event->number == SIGUSR2) be_called(info, source);
}

static void make_signal_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    const SInt32 number = SIGUSR2;
    set_version(race, 2);
    race->objects[0] = RLSignalSourceCreate(NULL, 0, &number, 1, see_signal, &context);
}

static void send_signal(struct racer *self)
{
    kill(getpid(), SIGUSR2);
}

static const struct call signal_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"kill", send_signal, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind signal_sources = {.name = "signal source",
                                           .make = make_signal_source,
                                           .calls = signal_calls,
                                           .end = invalidate_source};

static void see_end(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
    be_called(info, source);
}

static pid_t process_of(const struct race *race)
{
    return (pid_t)(intptr_t)race->other;
}

static void make_process_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    pid_t process = needed_fd(fork());
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    race->other = (void *)(intptr_t)process;
    race->objects[0] =
        RLProcessSourceCreate(NULL, 0, process, random_below(&race->random, 2), see_end, &context);
}

/* The number cannot be reused: the process is reaped below, or stays a zombie until then. */
static void kill_process(struct racer *self)
{
    kill(process_of(self->race), SIGKILL);
}

static void bury_process(struct race *race)
{
    kill(process_of(race), SIGKILL);
    waitpid(process_of(race), NULL, 0);
}

static const struct call process_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"kill", kill_process, false},
    {"RLRunLoopSourceUpdateEvents", update_source, false},
    {NULL, NULL, false},
};

static const struct kind process_sources = {.name = "process source",
                                            .make = make_process_source,
                                            .calls = process_calls,
                                            .end = invalidate_source,
                                            .finish = bury_process};

static void see_change(RLRunLoopSourceRef source, const RLFileEvent *event, void *info)
{
    if (event->watch >= 0) be_called(info, source);
}

static void make_file_source(struct race *race)
{
    RLEventSourceContext context;
    retain_event_race(&context, race);
    set_version(race, 2);
    race->objects[0] = RLFileSourceCreate(NULL, 0, see_change, &context);
}

static void watch_folder(struct racer *self)
{
    RLFileSourceAddWatch(self->object, folder, kRLFileEventCreate | kRLFileEventDelete);
}

static void watch_no_longer(struct racer *self)
{
    RLFileSourceRemoveWatch(self->object, 1 + (SInt32)random_below(&self->random, 3));
}

static void change_folder(struct racer *self)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%u", folder, random_below(&self->random, 3));
    close(open(path, O_CREAT | O_CLOEXEC | O_WRONLY, 0600));
    unlink(path);
}

static const struct call file_calls[] = {
    {"RLRunLoopSourceInvalidate", invalidate_source, false},
    {"RLFileSourceAddWatch", watch_folder, false},
    {"RLFileSourceRemoveWatch", watch_no_longer, false},
    {"a change", change_folder, false},
    {"RLRunLoopSourceGet…", ask_source, false},
    {NULL, NULL, false},
};

static const struct kind file_sources = {
    .name = "file source", .make = make_file_source, .calls = file_calls, .end = invalidate_source};

const struct kind *const source_kinds[] = {
    &sources0, &sources1, &sources2, &signal_sources, &process_sources, &file_sources, NULL,
};
