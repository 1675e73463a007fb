/*
 * Settings of TLS, certificates among them, and the bytes of a peer.
 *
 * The input is a list of settings, each a byte for the key and one for the value with what that
 * takes; the byte 0xFF for a key ends it, and the rest is sent by the peer.
 */

#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLStreamSecurity.h>

#include "../../Scenarios/tls/tls_certificates.h"

#include <CHarness.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* The rest of the input. */
struct bytes {
    const uint8_t *at;
    size_t count;
};

static uint8_t next_byte(struct bytes *input)
{
    if (input->count == 0) return 0xFF;
    input->count--;
    return *input->at++;
}

static struct bytes next_bytes(struct bytes *input)
{
    size_t count = next_byte(input);
    struct bytes bytes = {input->at, count < input->count ? count : input->count};
    input->at += bytes.count;
    input->count -= bytes.count;
    return bytes;
}

/* A certificate and its key with some bytes replaced. */
static RLDataRef make_certificate(struct bytes *input)
{
    static const char *const all[] = {pem_of_authority, pem_of_server, pem_of_client};
    const char *certificate = all[next_byte(input) % 3];
    RLIndex length = (RLIndex)strlen(certificate);
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    RLDataAppendBytes(data, (const UInt8 *)certificate, length);
    RLIndex at = next_byte(input) * length / 256;
    struct bytes bytes = next_bytes(input);
    RLIndex room = length - at;
    RLRange range = RLRangeMake(at, (RLIndex)bytes.count < room ? (RLIndex)bytes.count : room);
    RLDataReplaceBytes(data, range, bytes.at, (RLIndex)bytes.count);
    return data;
}

static RLTypeRef make_value(struct bytes *input)
{
    struct bytes bytes;
    RLTypeRef value, element;
    switch (next_byte(input) % 6) {
    case 0: return RLRetain(kRLBooleanTrue);
    case 1: return RLRetain(kRLBooleanFalse);
    case 2: return RLRetain((RLTypeRef)kRLNull);
    case 3:
        bytes = next_bytes(input);
        value = RLStringCreateWithBytes(NULL, bytes.at, (RLIndex)bytes.count,
                                        kRLStringEncodingISOLatin1, false);
        return value;
    case 4:
        bytes = next_bytes(input);
        element = RLDataCreate(NULL, bytes.at, (RLIndex)bytes.count);
        break;
    default: element = make_certificate(input);
    }
    value = RLArrayCreate(NULL, &element, 1, &kRLTypeArrayCallBacks);
    RLRelease(element);
    return value;
}

static RLDictionaryRef make_settings(struct bytes *input)
{
    const RLStringRef keys[] = {
        kRLStreamSSLLevel,       kRLStreamSSLValidatesCertificateChain,
        kRLStreamSSLPeerName,    kRLStreamSSLCertificates,
        kRLStreamSSLAuthorities, kRLStreamSSLIsServer,
        RLSTR("unknown"),        kRLStreamSSLAllowsAnyRoot,
    };
    RLMutableDictionaryRef settings = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    for (uint8_t key; (key = next_byte(input)) != 0xFF;) {
        RLTypeRef value = make_value(input);
        RLDictionarySetValue(settings, keys[key % 8], value);
        RLRelease(value);
    }
    return settings;
}

static void ignore(RLReadStreamRef stream, RLStreamEventType event, void *info)
{
    (void)event;
    (void)info;
    UInt8 bytes[64];
    if (RLReadStreamHasBytesAvailable(stream)) RLReadStreamRead(stream, bytes, sizeof bytes);
}

/* Makes the loop receive the peer's bytes. */
static void receive(RLReadStreamRef stream, int peer, struct bytes bytes)
{
    RLStreamClientContext context = {0};
    RLReadStreamSetClient(stream,
                          kRLStreamEventHasBytesAvailable | kRLStreamEventErrorOccurred |
                              kRLStreamEventEndEncountered,
                          ignore, &context);
    RLReadStreamScheduleWithRunLoop(stream, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    if (!RLReadStreamOpen(stream)) return;
    if (bytes.count > 0) CHECK(write(peer, bytes.at, bytes.count) == (ssize_t)bytes.count);
    shutdown(peer, SHUT_WR);
    for (int i = 0; i < 8; i++) RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) != 0) return 0;
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    RLStreamCreatePairWithSocket(NULL, sockets[0], &reader, &writer);
    RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue);
    struct bytes rest = {input, size};
    RLDictionaryRef settings = make_settings(&rest);
    RLReadStreamSetProperty(reader, kRLStreamPropertySSLSettings, settings);
    RLRelease(settings);
    receive(reader, sockets[1], rest);
    RLReadStreamClose(reader);
    RLWriteStreamClose(writer);
    RLRelease(reader);
    RLRelease(writer);
    close(sockets[1]);
    return 0;
}
