/*
 * The states and transitions of streams. Docs/Maintaining/Architecture.md has a diagram.
 *
 * The status of a stream only increases, and the error is the last status; closing is possible in
 * every status. Events for the client are collected in `pending`, and delivered in rounds: by the
 * signal source of stream_schedule.c or, when the descriptor is ready, immediately.
 *
 * Locks: a stream's lock is taken while no lock of a stream class is held. Only the locks of the
 * watch and of the signal source are taken while it is held. Classes and clients are called without
 * locks.
 */

#include "sockets/stream.h"

#include "base/check.h"
#include "base/hint.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "sockets/type_numbers.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLStreamSecurity.h>

#include <errno.h>
#include <stdlib.h>

/* The kernel's greatest errno value. Greater values in a stream's error are TLS errors. */
enum { RL_GREATEST_ERRNO = 4095 };

static RLOptionFlags ready_event(const struct rl_stream *stream)
{
    return stream->is_writer ? kRLStreamEventCanAcceptBytes : kRLStreamEventHasBytesAvailable;
}

static RLStreamStatus status_of(const struct rl_stream *stream)
{
    return atomic_load_explicit(&stream->status, memory_order_acquire);
}

/* --- Notifying the client --------------------------------------------------------------------- */

static void drop_client(struct rl_stream_client *client)
{
    if (atomic_fetch_sub(&client->references, 1) == 1) free(client);
}

/* Returns the client and its info, both retained, or null if no event is pending. */
static struct rl_stream_client *begin_round(struct rl_stream *stream, RLOptionFlags *ret_events,
                                            unsigned *ret_removals, void **ret_info)
{
    rl_lock(&stream->lock);
    struct rl_stream_client *client = stream->pending ? stream->client : NULL;
    if (client) {
        atomic_fetch_add(&client->references, 1);
        *ret_events = stream->pending;
        *ret_removals = stream->removals;
        *ret_info = rl_client_pin(&client->client);
        stream->pending = 0;
    }
    rl_unlock(&stream->lock);
    if (client) *ret_info = rl_client_retain_pinned(&client->client, *ret_info);
    return client;
}

/*
 * Returns whether to deliver the event now. If the client has removed the stream from a mode during
 * the round, the remaining events wait for the next round in another mode, or until the stream is
 * scheduled again.
 */
static bool claim_event(struct rl_stream *stream, const struct rl_stream_client *client,
                        RLOptionFlags event, unsigned removals, RLOptionFlags *events)
{
    rl_lock(&stream->lock);
    bool is_due = stream->client == client && stream->status != kRLStreamStatusClosed;
    bool is_removed = is_due && stream->removals != removals;
    if (is_removed) {
        stream->pending |= *events & ~(event - 1) & client->events;
        *events = 0;
    }
    rl_unlock(&stream->lock);
    if (is_removed) rl_stream_signal(stream);
    return is_due && !is_removed;
}

RL_CALLOUT_FUNCTION void rl_callout_read_stream(RLReadStreamClientCallBack function,
                                                RLReadStreamRef stream, RLStreamEventType event,
                                                void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(stream, event, info);
    RL_STAY_ON_THE_STACK;
}

RL_CALLOUT_FUNCTION void rl_callout_write_stream(RLWriteStreamClientCallBack function,
                                                 RLWriteStreamRef stream, RLStreamEventType event,
                                                 void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(stream, event, info);
    RL_STAY_ON_THE_STACK;
}

static void call_client(struct rl_stream *stream, const struct rl_stream_client *client,
                        RLOptionFlags event, void *info)
{
    if (client->read_callout) {
        rl_callout_read_stream(client->read_callout, rl_read_stream_ref(stream), event, info);
    } else {
        rl_callout_write_stream(client->write_callout, rl_write_stream_ref(stream), event, info);
    }
}

/*
 * Delivers the events in a round, the lowest bit first. Events that occur during the round wait for
 * the next round.
 */
void rl_stream_notify_client(struct rl_stream *stream)
{
    RLOptionFlags events = 0;
    unsigned removals = 0;
    void *info = NULL;
    struct rl_stream_client *client = begin_round(stream, &events, &removals, &info);
    if (!client) return;
    atomic_store(&stream->is_notifying, true);
    for (RLOptionFlags event = 1; event <= events; event <<= 1) {
        if (!(events & event) || !claim_event(stream, client, event, removals, &events)) continue;
        call_client(stream, client, event, info);
    }
    atomic_store(&stream->is_notifying, false);
    rl_client_release_retained(&client->client, info);
    drop_client(client);
}

void rl_stream_interrupt_client(struct rl_stream *stream)
{
    void *info = NULL;
    rl_lock(&stream->lock);
    struct rl_stream_client *client = stream->client;
    bool is_wanted = client && (client->events & kRLStreamEventInterrupted);
    if (is_wanted) {
        atomic_fetch_add(&client->references, 1);
        info = rl_client_pin(&client->client);
    }
    rl_unlock(&stream->lock);
    if (!is_wanted) return;
    info = rl_client_retain_pinned(&client->client, info);
    call_client(stream, client, kRLStreamEventInterrupted, info);
    rl_client_release_retained(&client->client, info);
    drop_client(client);
}

/* --- Transitions ------------------------------------------------------------------------------ */

/*
 * Makes an event pending if the client wants it, and returns whether the client wants it. Call this
 * with the stream locked.
 */
static bool note_event(struct rl_stream *stream, RLOptionFlags event)
{
    bool is_wanted = stream->client && (stream->client->events & event);
    if (is_wanted) stream->pending |= event;
    return is_wanted;
}

/* Sets the status, unless it is already past `last`. Call this with the stream locked. */
static bool advance_stream(struct rl_stream *stream, RLStreamStatus last, RLStreamStatus status)
{
    bool is_due = stream->status <= last;
    if (is_due) stream->status = status;
    return is_due;
}

void rl_stream_fail(struct rl_stream *stream, int error)
{
    rl_lock(&stream->lock);
    bool is_new = advance_stream(stream, kRLStreamStatusAtEnd, kRLStreamStatusError);
    if (is_new) stream->error = error;
    bool is_reported = is_new && note_event(stream, kRLStreamEventErrorOccurred);
    rl_unlock(&stream->lock);
    if (is_reported) rl_stream_signal(stream);
}

static void reach_end(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_reported = advance_stream(stream, kRLStreamStatusOpen, kRLStreamStatusAtEnd) &&
                       note_event(stream, kRLStreamEventEndEncountered);
    rl_unlock(&stream->lock);
    if (is_reported) rl_stream_signal(stream);
}

static void take_opening(struct rl_stream *stream, int result)
{
    rl_lock(&stream->lock);
    bool is_opened =
        result == 0 && advance_stream(stream, kRLStreamStatusOpening, kRLStreamStatusOpen);
    if (is_opened) (void)note_event(stream, kRLStreamEventOpenCompleted);
    rl_unlock(&stream->lock);
    rl_stream_set_alarm(stream);
    if (result < 0 && result != -EINPROGRESS) {
        rl_stream_fail(stream, -result);
        return;
    }
    rl_stream_await(stream, 0);
    if (is_opened) rl_stream_signal(stream);
}

bool rl_stream_open(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_first = advance_stream(stream, kRLStreamStatusNotOpen, kRLStreamStatusOpening);
    rl_unlock(&stream->lock);
    if (!is_first) return false;
    int result = stream->class->open(stream, false);
    take_opening(stream, result);
    /* If opening fails on another thread, an event reports the failure. */
    return result == 0 || result == -EINPROGRESS;
}

/* A stream without a descriptor opens in a single call, so another thread is making this call. */
static void continue_opening(struct rl_stream *stream, bool waits)
{
    if (status_of(stream) != kRLStreamStatusOpening || !stream->is_watched) return;
    take_opening(stream, stream->class->open(stream, waits));
}

/* Closes the stream. Does nothing if the stream is closed, or if its status is before `first`. */
static void close_from(struct rl_stream *stream, RLStreamStatus first)
{
    rl_lock(&stream->lock);
    bool is_due = stream->status >= first && stream->status != kRLStreamStatusClosed;
    if (is_due) {
        stream->status = kRLStreamStatusClosed;
        stream->pending = 0;
    }
    rl_unlock(&stream->lock);
    if (!is_due) return;
    rl_stream_leave(stream);
    stream->class->close(stream);
    rl_stream_interrupt_client(stream);
}

void rl_stream_close(struct rl_stream *stream)
{
    if (status_of(stream) == kRLStreamStatusNotOpen) {
        /* The stream can still be opened later, but loops must no longer retain it. */
        rl_stream_leave_loops(stream);
    } else {
        close_from(stream, kRLStreamStatusOpening);
    }
}

void rl_stream_end(struct rl_stream *stream)
{
    close_from(stream, kRLStreamStatusNotOpen);
}

/* --- Readiness -------------------------------------------------------------------------------- */

/*
 * Returns whether the readiness is a new event that the client wants. If another thread has
 * transferred bytes since the check, that thread checks the stream again.
 */
static bool announce_readiness(struct rl_stream *stream, unsigned transfers)
{
    rl_lock(&stream->lock);
    bool is_new = stream->status == kRLStreamStatusOpen && !stream->is_announced &&
                  stream->transfers == transfers && !atomic_load(&stream->is_finishing);
    if (is_new) stream->is_announced = note_event(stream, ready_event(stream));
    bool is_reported = is_new && stream->is_announced;
    rl_unlock(&stream->lock);
    return is_reported;
}

/* Returns the same values as the class's function `check`. */
static int finish_writing(struct rl_stream *stream, bool waits)
{
    return stream->class->finish ? stream->class->finish(stream, waits) : 0;
}

/* Returns whether a transfer would not block. If `signals`, signals a new readiness event. */
static bool check_stream(struct rl_stream *stream, RLRunLoopDescriptorEvents events, bool signals)
{
    unsigned transfers = atomic_load(&stream->transfers);
    int result = atomic_load(&stream->is_finishing) ? finish_writing(stream, false)
                                                    : stream->class->check(stream, events);
    if (result == -EAGAIN) return false;
    if (result < 0) rl_stream_fail(stream, -result);
    if (result == 0) reach_end(stream);
    if (result > 0 && announce_readiness(stream, transfers) && signals) rl_stream_signal(stream);
    return true;
}

/* `awaited` is the result of the preceding transfer, or 0. */
static void watch_for_readiness(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited)
{
    RLOptionFlags seen_by_waiting =
        ready_event(stream) | kRLStreamEventErrorOccurred | kRLStreamEventEndEncountered;
    rl_lock(&stream->lock);
    bool has_interest = stream->client && (stream->client->events & seen_by_waiting);
    bool is_finishing = atomic_load(&stream->is_finishing);
    bool is_wanted = stream->status == kRLStreamStatusOpen && (has_interest || is_finishing);
    bool is_announced = stream->is_announced;
    rl_unlock(&stream->lock);
    if (!is_wanted) return;
    if (awaited == 0) awaited = stream->class->awaits(stream);
    /*
     * A stream is nearly always writable, so a check is cheaper than waiting for an event. But if
     * the client fills the buffer repeatedly, the next event comes without extra cost.
     */
    bool awaits_event = atomic_load(&stream->is_notifying) && atomic_load(&stream->has_filled);
    bool is_to_be_checked = (stream->is_writer && !is_announced && !awaits_event) || is_finishing ||
                            (awaited & RL_TLS_AWAITS_CHECK);
    if (is_to_be_checked && check_stream(stream, 0, true)) return;
    if (is_announced) return;
    if (is_to_be_checked) awaited = stream->class->awaits(stream);
    rl_watch_want(&stream->watch, awaited & ~RL_TLS_AWAITS_CHECK);
}

void rl_stream_await(struct rl_stream *stream, RLRunLoopDescriptorEvents awaited)
{
    RLStreamStatus status = status_of(stream);
    if (status == kRLStreamStatusOpening && stream->is_watched) {
        if (stream->class->awaits(stream)) rl_watch_want(&stream->watch, kRLRunLoopDescriptorWrite);
    } else if (status == kRLStreamStatusOpen && stream->is_watched) {
        watch_for_readiness(stream, awaited);
    } else if (status == kRLStreamStatusOpen) {
        /* If this stream is not ready, the other stream of the pair checks it later. */
        (void)check_stream(stream, 0, true);
    }
}

void rl_stream_check(struct rl_stream *stream)
{
    if (status_of(stream) == kRLStreamStatusOpening) {
        continue_opening(stream, false);
    } else {
        rl_stream_await(stream, 0);
    }
}

static void forget_readiness(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    stream->is_announced = false;
    stream->transfers++;
    stream->pending &= ~ready_event(stream);
    rl_unlock(&stream->lock);
}

void rl_stream_recheck(struct rl_stream *stream)
{
    forget_readiness(stream);
    rl_stream_set_alarm(stream);
    /* Writability is soon reported, even if the peer sends nothing. This event triggers a check. */
    if (status_of(stream) == kRLStreamStatusOpen) {
        rl_watch_want(&stream->watch, kRLRunLoopDescriptorWrite);
    }
}

static void see_ready(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    struct rl_stream *stream = (struct rl_stream *)watch->owner;
    RLStreamStatus status = status_of(stream);
    if (status == kRLStreamStatusOpening) {
        continue_opening(stream, false);
    } else if (status == kRLStreamStatusOpen && !check_stream(stream, events, false)) {
        rl_watch_want(watch, stream->class->awaits(stream) & ~RL_TLS_AWAITS_CHECK);
    }
    rl_lock(&stream->lock);
    bool has_queue = stream->queue;
    rl_unlock(&stream->lock);
    if (has_queue) {
        rl_stream_signal(stream);
    } else {
        rl_stream_notify_client(stream);
    }
}

/* --- Bytes ------------------------------------------------------------------------------------ */

/* If the stream is opening, blocks until opening has finished. */
static bool is_stream_usable(struct rl_stream *stream)
{
    continue_opening(stream, true);
    RLStreamStatus status = status_of(stream);
    return status == kRLStreamStatusOpen || status == kRLStreamStatusAtEnd;
}

static void continue_after(struct rl_stream *stream, ssize_t moved,
                           RLRunLoopDescriptorEvents awaited)
{
    forget_readiness(stream);
    if (moved == 0) reach_end(stream);
    rl_stream_await(stream, awaited);
}

static RLIndex move_bytes(struct rl_stream *stream, UInt8 *bytes, RLIndex length)
{
    if (!is_stream_usable(stream)) return -1;
    if (length <= 0) return 0;
    if (atomic_load(&stream->is_finishing)) {
        rl_stream_fail(stream, EPIPE);
        return -1;
    }
    if (status_of(stream) == kRLStreamStatusAtEnd) return 0;
    RLRunLoopDescriptorEvents awaited = 0;
    ssize_t moved = stream->class->transfer(stream, bytes, (size_t)length, &awaited);
    if (moved < 0) {
        rl_stream_fail(stream, (int)-moved);
        return -1;
    }
    continue_after(stream, moved, awaited);
    return moved;
}

#define RL_HINT_IF_NOT_OPEN(stream, function)                                                      \
    RL_HINT(rl_stream_get_status(stream) == kRLStreamStatusNotOpen, function,                      \
            "stream %p was not opened: call RLReadStreamOpen() or RLWriteStreamOpen() first",      \
            (const void *)(stream))

RLIndex RLReadStreamRead(RLReadStreamRef stream, UInt8 *buffer, RLIndex bufferLength)
{
    rl_expect(stream, RL_TYPE_READ_STREAM, __func__, "stream");
    struct rl_stream *self = (struct rl_stream *)(void *)stream;
    RL_HINT_IF_NOT_OPEN(self, __func__);
    return move_bytes(self, buffer, bufferLength);
}

RLIndex RLWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer, RLIndex bufferLength)
{
    rl_expect(stream, RL_TYPE_WRITE_STREAM, __func__, "stream");
    struct rl_stream *self = (struct rl_stream *)(void *)stream;
    RL_HINT_IF_NOT_OPEN(self, __func__);
    /* The cast is safe, because writing does not modify the bytes. */
    return move_bytes(self, (UInt8 *)(uintptr_t)buffer, bufferLength);
}

const UInt8 *RLReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead,
                                   RLIndex *numBytesRead)
{
    if (!numBytesRead) rl_client_error(__func__, "argument `numBytesRead` must not be null");
    rl_expect(stream, RL_TYPE_READ_STREAM, __func__, "stream");
    struct rl_stream *self = (struct rl_stream *)(void *)stream;
    *numBytesRead = -1;
    if (!is_stream_usable(self)) return NULL;
    *numBytesRead = 0;
    if (!self->class->borrow || status_of(self) == kRLStreamStatusAtEnd) return NULL;
    size_t length = 0, most = maxBytesToRead > 0 ? (size_t)maxBytesToRead : SIZE_MAX;
    const UInt8 *bytes = self->class->borrow(self, most, &length);
    *numBytesRead = (RLIndex)length;
    if (bytes) continue_after(self, (ssize_t)length, 0);
    return bytes;
}

/*
 * If the bytes or the space of an event were taken before the client uses the stream, no transfer
 * of the client asks for the next event. They may be taken by another thread after the kernel has
 * reported them, or by a call that does not use the stream.
 *
 * Unlike rl_stream_await, this does not check a watched stream again: the check of a writer may
 * rely on the estimate of free space, which the client's query has just refuted.
 */
static void withdraw_announcement(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    bool is_outdated = stream->is_announced && !(stream->pending & ready_event(stream));
    if (is_outdated) stream->is_announced = false;
    rl_unlock(&stream->lock);
    if (!is_outdated) return;
    if (stream->is_watched) {
        rl_watch_want(&stream->watch, stream->class->awaits(stream) & ~RL_TLS_AWAITS_CHECK);
    } else {
        (void)check_stream(stream, 0, true);
    }
}

bool rl_stream_is_ready(struct rl_stream *stream)
{
    if (status_of(stream) != kRLStreamStatusOpen) return false;
    bool is_ready =
        stream->is_watched ? stream->class->is_ready(stream) : stream->class->check(stream, 0) > 0;
    if (!is_ready) withdraw_announcement(stream);
    return is_ready;
}

RLStreamStatus rl_stream_get_status(struct rl_stream *stream)
{
    continue_opening(stream, false);
    return status_of(stream);
}

RLStreamError rl_stream_get_error(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    int error = stream->error;
    rl_unlock(&stream->lock);
    if (error > RL_GREATEST_ERRNO) return (RLStreamError){kRLStreamErrorDomainSSL, -error};
    return (RLStreamError){error ? kRLStreamErrorDomainPOSIX : 0, error};
}

/* --- The end of writing ----------------------------------------------------------------------- */

static bool begin_to_finish(struct rl_stream *stream)
{
    rl_lock(&stream->lock);
    RLStreamStatus status = stream->status;
    bool can_finish = status == kRLStreamStatusOpening || status == kRLStreamStatusOpen ||
                      status == kRLStreamStatusAtEnd;
    if (can_finish) atomic_store(&stream->is_finishing, true);
    rl_unlock(&stream->lock);
    return can_finish;
}

bool rl_stream_finish(struct rl_stream *stream)
{
    if (!begin_to_finish(stream)) return false;
    /* A stream that was never scheduled has no loop that would send the remaining bytes. */
    bool waits = !atomic_load(&stream->was_scheduled);
    continue_opening(stream, waits);
    forget_readiness(stream);
    if (waits && status_of(stream) == kRLStreamStatusOpen) {
        int result = finish_writing(stream, true);
        if (result < 0) rl_stream_fail(stream, -result);
        reach_end(stream);
    } else {
        rl_stream_await(stream, 0);
    }
    return status_of(stream) != kRLStreamStatusError;
}

/* --- Making and clients ----------------------------------------------------------------------- */

static const struct rl_watch_class watch_class = {.happened = see_ready, .checks_events = true};

struct rl_stream *rl_stream_create(const struct rl_stream_class *class, bool is_writer, int fd,
                                   void *transport)
{
    enum rl_type type = is_writer ? RL_TYPE_WRITE_STREAM : RL_TYPE_READ_STREAM;
    struct rl_stream *stream = rl_object_create(type, sizeof *stream);
    stream->class = class;
    stream->transport = transport;
    stream->is_writer = is_writer;
    stream->is_watched = fd >= 0;
    rl_watch_init(&stream->watch, &watch_class, &stream->object, fd);
    return stream;
}

void rl_stream_set_client(struct rl_stream *stream, struct rl_stream_client *client)
{
    rl_lock(&stream->lock);
    struct rl_stream_client *old = stream->client;
    stream->client = client;
    stream->pending &= client ? client->events : 0;
    /* The new client was not notified yet that the stream is ready. */
    stream->is_announced = stream->pending & ready_event(stream);
    bool is_closed = stream->status == kRLStreamStatusClosed;
    rl_unlock(&stream->lock);
    if (old) {
        RLOptionFlags event = client ? kRLStreamEventReplaced : kRLStreamEventInterrupted;
        /* The old client's info stays retained until rl_client_end. */
        if (!is_closed && (old->events & event)) call_client(stream, old, event, old->client.info);
        rl_client_end(&old->client, &stream->lock);
        drop_client(old);
    }
    if (client) rl_stream_await(stream, 0);
}
