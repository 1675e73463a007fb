/*
 * Words for scenarios about Mach ports.
 */

#ifndef SCENARIOS_MACH_WORDS_H
#define SCENARIOS_MACH_WORDS_H

#include "message_words.h"

/** The callback of a Mach port. */
typedef void (^mach_body)(RLMachMessageHeader *message);

static inline void mach_called(RLMachPortRef port, void *message, RLIndex size, void *info)
{
    RLMachMessageHeader *header = message;

    check((RLIndex)header->size == size && header->localPort == RLMachPortGetPort(port));
    ((mach_body)info)(header);
}

/** Serves a port in the default mode until the scenario returns. */
static inline void serve_mach(RLMachPortRef port)
{
    RLRunLoopSourceRef source = RLMachPortCreateRunLoopSource(NULL, port, 0);

    add_source(source, "DEF");
    RLRelease(source);
    at_return(^{
        RLMachPortInvalidate(port);
        RLRelease(port);
    });
}

static inline RLMachPortContext mach_context(mach_body body)
{
    return (RLMachPortContext){.info = copied((const void *)body), .release = release_block};
}

static inline RLMachPortRef mach_port(mach_body body)
{
    RLMachPortContext context = mach_context(body);
    RLMachPortRef port = RLMachPortCreate(NULL, mach_called, &context, NULL);

    serve_mach(port);
    return port;
}

struct mach_note {
    RLMachMessageHeader header;
    char text[32];
};

static inline SInt32 mach_send(int port, int id, const char *text, int reply, double timeout)
{
    struct mach_note message = {.header = {.messageID = id, .replyPort = reply}};

    snprintf(message.text, sizeof(message.text), "%s", text);
    message.header.size = (UInt32)(sizeof(message.header) + strlen(text) + 1);
    return RLMachPortSend(port, &message.header, timeout);
}

#endif
