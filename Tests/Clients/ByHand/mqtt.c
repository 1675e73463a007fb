/*
 * A client of MQTT 3.1.1 over TLS: subscribes, publishes messages of growing sizes to itself, and
 * waits for them and for one of somebody else's.
 *
 * usage: mqtt PORT AUTHORITIES CERTIFICATE COUNT (files in PEM; the host is localhost)
 */

#include <CRunLoop/CRunLoop.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNACK = 0x20, PUBLISH = 0x30, SUBACK = 0x90, LARGEST = 100000, ALL_EVENTS = 31 };

struct client {
    RLReadStreamRef reader;
    RLWriteStreamRef writer;
    UInt8 input[2 * LARGEST];
    size_t received;
    UInt8 *output;
    size_t sent, queued;
    int count, own, others;
};

static void stop_with(const char *text)
{
    fprintf(stderr, "mqtt: %s\n", text);
    exit(1);
}

/* --- Sending --- */

static void send_queued(struct client *client)
{
    while (client->sent < client->queued && RLWriteStreamCanAcceptBytes(client->writer)) {
        long count = RLWriteStreamWrite(client->writer, client->output + client->sent,
                                        (long)(client->queued - client->sent));
        if (count <= 0) return;
        client->sent += (size_t)count;
    }
}

static void add(struct client *client, const void *bytes, size_t length)
{
    client->output = realloc(client->output, client->queued + length);
    if (!client->output) abort();
    memcpy(client->output + client->queued, bytes, length);
    client->queued += length;
}

static void add_packet(struct client *client, UInt8 kind, const void *head, size_t head_length,
                       const void *payload, size_t length)
{
    size_t left = head_length + length;
    add(client, &kind, 1);
    do {
        UInt8 digit = (UInt8)(left % 128 | (left > 127 ? 128 : 0));
        add(client, &digit, 1);
        left /= 128;
    } while (left > 0);
    add(client, head, head_length);
    add(client, payload, length);
}

static size_t size_of_message(int index)
{
    return (size_t)index * 997 % LARGEST;
}

static UInt8 byte_of_message(int index, size_t place)
{
    return (UInt8)((size_t)index * 7 + place * 31 + place / 251);
}

static void publish_all(struct client *client)
{
    UInt8 *payload = malloc(LARGEST);
    if (!payload) abort();
    for (int index = 0; index < client->count; index++) {
        size_t size = size_of_message(index);
        for (size_t i = 0; i < size; i++) payload[i] = byte_of_message(index, i);
        add_packet(client, PUBLISH, "\0\7loop/me", 9, payload, size);
    }
    free(payload);
}

/* --- Receiving --- */

static void take_message(struct client *client, const UInt8 *bytes, size_t length)
{
    size_t topic = (size_t)bytes[0] << 8 | bytes[1];
    const UInt8 *payload = bytes + 2 + topic;
    size_t size = length - 2 - topic;
    if (topic != 7 || memcmp(bytes + 2, "loop/me", 7) != 0) {
        printf("another client sent: %.*s\n", (int)size, (const char *)payload);
        client->others++;
    } else {
        if (size != size_of_message(client->own)) stop_with("a message has another length");
        for (size_t i = 0; i < size; i++) {
            if (payload[i] != byte_of_message(client->own, i)) stop_with("a byte is wrong");
        }
        client->own++;
    }
    if (client->own < client->count || client->others == 0) return;
    add_packet(client, 0xE0, NULL, 0, NULL, 0);
    send_queued(client);
    RLRunLoopStop(RLRunLoopGetCurrent());
}

static void take_packet(struct client *client, UInt8 kind, const UInt8 *bytes, size_t length)
{
    if (kind == CONNACK) {
        if (bytes[1] != 0) stop_with("the server refuses us");
        add_packet(client, 0x82, "\0\1\0\6loop/#\0", 11, NULL, 0);
    } else if (kind == SUBACK) {
        printf("subscribed\n");
        publish_all(client);
    } else if ((kind & 0xF0) == PUBLISH) {
        take_message(client, bytes, length);
    }
    send_queued(client);
}

/* Takes the packets that are there, and leaves what is none yet. */
static void take_packets(struct client *client)
{
    size_t at = 0;
    for (;;) {
        size_t head = 1, length = 0;
        int shift = 0;
        UInt8 digit = 128;
        while (digit & 128 && at + head < client->received) {
            digit = client->input[at + head++];
            length |= (size_t)(digit & 127) << shift;
            shift += 7;
        }
        if (digit & 128 || at + head + length > client->received) break;
        take_packet(client, client->input[at], client->input + at + head, length);
        at += head + length;
    }
    memmove(client->input, client->input + at, client->received - at);
    client->received -= at;
}

static void read_some(RLReadStreamRef reader, RLStreamEventType event, void *info)
{
    struct client *client = info;
    if (event == kRLStreamEventErrorOccurred) {
        RLErrorRef error = RLReadStreamCopyError(reader);
        RLStringRef text = RLErrorCopyDescription(error);
        stop_with(RLStringGetCStringPtr(text, kRLStringEncodingUTF8));
    }
    if (event == kRLStreamEventEndEncountered) stop_with("the server has ended the connection");
    if (event != kRLStreamEventHasBytesAvailable) return;
    long count = RLReadStreamRead(reader, client->input + client->received,
                                  (long)(sizeof client->input - client->received));
    if (count > 0) client->received += (size_t)count;
    take_packets(client);
}

static void write_some(RLWriteStreamRef writer, RLStreamEventType event, void *info)
{
    (void)writer;
    if (event == kRLStreamEventCanAcceptBytes) send_queued(info);
}

/* --- The connection --- */

/* The text of a file, in an array. */
static RLArrayRef read_pem(const char *path)
{
    static UInt8 text[65536];
    FILE *file = fopen(path, "r");
    if (!file) stop_with(path);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    const void *data[] = {RLDataCreate(NULL, text, (RLIndex)length)};
    RLArrayRef array = RLArrayCreate(NULL, data, 1, &kRLTypeArrayCallBacks);
    RLRelease(data[0]);
    return array;
}

int main(int count, char **words)
{
    static struct client client;
    if (count != 5) stop_with("usage: mqtt PORT AUTHORITIES CERTIFICATE COUNT");
    setvbuf(stdout, NULL, _IOLBF, 0);
    client.count = atoi(words[4]);
    const void *keys[] = {kRLStreamSSLAuthorities, kRLStreamSSLCertificates};
    const void *values[] = {read_pem(words[2]), read_pem(words[3])};
    RLDictionaryRef settings = RLDictionaryCreate(
        NULL, keys, values, 2, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);

    RLStreamCreatePairWithSocketToHost(NULL, RLSTR("localhost"), (UInt32)atoi(words[1]),
                                       &client.reader, &client.writer);
    if (!RLReadStreamSetProperty(client.reader, kRLStreamPropertySSLSettings, settings)) return 1;
    RLStreamClientContext context = {.info = &client};
    RLReadStreamSetClient(client.reader, ALL_EVENTS, read_some, &context);
    RLWriteStreamSetClient(client.writer, ALL_EVENTS, write_some, &context);
    RLReadStreamScheduleWithRunLoop(client.reader, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    RLWriteStreamScheduleWithRunLoop(client.writer, RLRunLoopGetCurrent(), kRLRunLoopDefaultMode);
    RLReadStreamOpen(client.reader);
    RLWriteStreamOpen(client.writer);
    add_packet(&client, 0x10, "\0\4MQTT\4\2\0\74", 10, "\0\4loop", 6);
    if (RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false) != kRLRunLoopRunStopped) {
        stop_with("nothing more happens");
    }
    RLReadStreamClose(client.reader);
    RLWriteStreamClose(client.writer);
    printf("%d messages have come back, %d of somebody else's\n", client.own, client.others);
    RLRelease(client.reader);
    RLRelease(client.writer);
    RLRelease(settings);
    RLRelease(values[0]);
    RLRelease(values[1]);
    free(client.output);
    return 0;
}
