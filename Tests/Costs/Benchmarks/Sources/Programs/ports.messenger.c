/*
 * This package's message ports.
 */

#include "peer.h"

#include <CRunLoop/CRunLoop.h>
#include <sched.h>

struct sender {
    RLMessagePortRef port;
    RLDataRef data;
    bool is_answered;
    size_t byte_count;
};

static RLDataRef answer(RLMessagePortRef port, SInt32 number, RLDataRef data, void *info)
{
    (void)port;
    (void)number;
    struct exchange *exchange = info;
    exchange_receive(exchange, (size_t)RLDataGetLength(data));
    return exchange->is_answered ? RLRetain(data) : NULL;
}

static RLStringRef name_of(const struct exchange *exchange)
{
    return RLStringCreateWithCString(NULL, exchange->name, kRLStringEncodingUTF8);
}

static void receive(struct exchange *exchange)
{
    RLMessagePortContext context = {.info = exchange};
    RLMessagePortRef port =
        RLMessagePortCreateLocal(NULL, name_of(exchange), answer, &context, NULL);
    EXPECT(port != NULL);
    RLRunLoopAddSource(RLRunLoopGetCurrent(), RLMessagePortCreateRunLoopSource(NULL, port, 0),
                       kRLRunLoopDefaultMode);
    RLRunLoopRun();
}

static void *open_sender(const struct exchange *exchange)
{
    struct sender *sender = allocate(sizeof *sender);
    sender->is_answered = exchange->is_answered;
    sender->byte_count = exchange->byte_count;
    sender->data =
        RLDataCreate(NULL, (const UInt8 *)exchange->bytes, (RLIndex)exchange->byte_count);
    while (!(sender->port = RLMessagePortCreateRemote(NULL, name_of(exchange)))) sched_yield();
    return sender;
}

static void send_message(void *opaque)
{
    const struct sender *sender = opaque;
    RLDataRef reply = NULL;
    SInt32 status = RLMessagePortSendRequest(sender->port, 1, sender->data, 10, 10,
                                             sender->is_answered ? kRLRunLoopDefaultMode : NULL,
                                             sender->is_answered ? &reply : NULL);
    EXPECT(status == kRLMessagePortSuccess);
    if (!sender->is_answered) return;
    EXPECT((size_t)RLDataGetLength(reply) == sender->byte_count);
    RLRelease(reply);
}

const struct messenger port_messenger = {receive, open_sender, send_message};
