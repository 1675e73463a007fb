/*
 * Secured streams: both ends of a connection in one loop.
 */

#define _GNU_SOURCE

#include "workload.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../Scenarios/tls/tls_certificates.h"

enum { ALL_EVENTS = 31, QUESTION = 200 };

struct end {
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    long read, written;
    bool has_failed;
};

static void note_read(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    struct end *end = info;
    UInt8 bytes[QUESTION];
    if (event == kRLStreamEventHasBytesAvailable) {
        long count = RLReadStreamRead(stream, bytes, sizeof bytes);
        if (count > 0) end->read += count;
    }
    if (event == kRLStreamEventErrorOccurred) end->has_failed = true;
    work_stop(RLRunLoopGetCurrent());
}

static void note_written(RLWriteStreamRef stream, RLStreamEventType event, void *info)
{
    struct end *end = info;
    const UInt8 bytes[QUESTION] = {0};
    if (event == kRLStreamEventCanAcceptBytes && end->written < QUESTION) {
        long count = RLWriteStreamWrite(stream, bytes, QUESTION - end->written);
        if (count > 0) end->written += count;
    }
    if (event == kRLStreamEventErrorOccurred) end->has_failed = true;
    work_stop(RLRunLoopGetCurrent());
}

/* Settings with one text in PEM under a key, and another value. */
static RLDictionaryRef make_settings(RLStringRef key, const char *text, RLStringRef other_key,
                                     RLTypeRef other)
{
    RLDataRef data = RLDataCreate(NULL, (const UInt8 *)text, (RLIndex)strlen(text));
    const void *values[] = {data};
    RLArrayRef array = RLArrayCreate(NULL, values, 1, &kRLTypeArrayCallBacks);
    const void *keys[] = {key, other_key}, *entries[] = {array, other};
    RLDictionaryRef settings = RLDictionaryCreate(
        NULL, keys, entries, 2, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    RLRelease(array);
    RLRelease(data);
    return settings;
}

/* Returns whether the end is open. */
static bool begin(struct end *end, int handle, RLDictionaryRef settings)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    RLStreamClientContext context = {.info = end};
    RLStreamCreatePairWithSocket(NULL, handle, &end->reader, &end->writer);
    bool has_reader = work_got(end->reader, "a reader"),
         has_writer = work_got(end->writer, "a writer");
    if (!has_reader || !has_writer) return false;
    if (!work_did(RLReadStreamSetProperty(end->reader, kRLStreamPropertySSLSettings, settings),
                  "security")) {
        return false;
    }
    RLReadStreamSetClient(end->reader, ALL_EVENTS, note_read, &context);
    RLWriteStreamSetClient(end->writer, ALL_EVENTS, note_written, &context);
    RLReadStreamScheduleWithRunLoop(end->reader, loop, kRLRunLoopDefaultMode);
    RLWriteStreamScheduleWithRunLoop(end->writer, loop, kRLRunLoopDefaultMode);
    return work_did(RLReadStreamOpen(end->reader), "RLReadStreamOpen") &&
           work_did(RLWriteStreamOpen(end->writer), "RLWriteStreamOpen");
}

static void finish(struct end *end)
{
    if (end->reader) {
        RLReadStreamSetClient(end->reader, 0, NULL, NULL);
        RLReadStreamClose(end->reader);
        RLRelease(end->reader);
    }
    if (end->writer) {
        RLWriteStreamSetClient(end->writer, 0, NULL, NULL);
        RLWriteStreamClose(end->writer);
        RLRelease(end->writer);
    }
}

void part_tls(void)
{
    static struct end ends[2];
    static int handles[2];
    memset(ends, 0, sizeof ends);
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, handles) != 0) _exit(2);
    });
    RLDictionaryRef server = make_settings(kRLStreamSSLCertificates, pem_of_server,
                                           kRLStreamSSLIsServer, kRLBooleanTrue);
    RLDictionaryRef client = make_settings(kRLStreamSSLAuthorities, pem_of_authority,
                                           kRLStreamSSLPeerName, RLSTR("localhost"));
    bool has_server = begin(&ends[0], handles[0], server);
    if (begin(&ends[1], handles[1], client) && has_server) {
        work_wait_served(
            ^bool {
                return (ends[0].read == QUESTION && ends[1].read == QUESTION) ||
                       ends[0].has_failed || ends[1].has_failed;
            },
            "secured streams are served");
        if (ends[0].has_failed || ends[1].has_failed) work_failed("a secured stream");
        RLTypeRef certificates =
            RLReadStreamCopyProperty(ends[1].reader, kRLStreamPropertySSLPeerCertificates);
        if (certificates) RLRelease(certificates);
    }
    work_rest();
    finish(&ends[0]);
    finish(&ends[1]);
    RLRelease(server);
    RLRelease(client);
    close(handles[0]);
    close(handles[1]);
}
