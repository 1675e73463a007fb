/*
 * The samples with which generated calls fill the parameters beside the hostile one.
 */

#ifndef VALUES_H
#define VALUES_H

#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLRunLoopHosting.h>
#include <CRunLoop/RLRunLoopStatistics.h>
#include <CRunLoop/RLRunLoopTracer.h>
#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoop/RLTesting.h>
#include <math.h>
#include <stdint.h>

struct value_case {
    const char *name;
    void (*call)(void);
};

/* Ends with a case without a name. */
extern const struct value_case value_cases[];

/* A text of a million characters, and memory for a million of any kind. */
extern char million[1000001];
extern UInt8 memory[1 << 23];
extern const void *objects[1000000];

void do_nothing(void);
RLStringRef sample_string(const char *bytes, RLIndex count);
RLMutableStringRef sample_mutable_string(void);
RLArrayRef sample_array(void);
RLDataRef sample_data(void);
RLDictionaryRef sample_dictionary(void);
RLSetRef sample_set(void);
RLURLRef sample_url(void);
RLRunLoopTimerRef sample_timer(void);
RLRunLoopSourceRef sample_source(void);
RLRunLoopObserverRef sample_observer(void);
RLSocketRef sample_socket(void);
const RLSocketSignature *sample_signature(void);
RLMessagePortRef sample_message_port(void);
RLMachPortRef sample_mach_port(void);
RLReadStreamRef sample_reader(void);
RLWriteStreamRef sample_writer(void);
RLFileDescriptorRef sample_descriptor(void);
RLRunLoopRecordingRef sample_recording(void);
RLTestClockRef sample_clock(void);
RLStringInlineBuffer *sample_inline_buffer(void);

#endif
