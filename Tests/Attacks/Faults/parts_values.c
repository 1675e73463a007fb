/*
 * Values and faces: what makes no system calls, or only to describe something; memory is their
 * matter.
 */

#include "inject.h"
#include "workload.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void fill(RLMutableDictionaryRef dictionary, RLMutableArrayRef array)
{
    for (SInt32 i = 0; i < 5; i++) {
        RLNumberRef number = RLNumberCreate(NULL, kRLNumberSInt32Type, &i);
        RLStringRef text = RLStringCreateWithFormat(NULL, NULL, RLSTR("%@ and %d"), number, i);
        RLDictionarySetValue(dictionary, text, number);
        RLArrayAppendValue(array, text);
        RLRelease(text);
        RLRelease(number);
    }
}

static void use_zones(void)
{
    RLTimeZoneRef zone = RLTimeZoneCopySystem();
    RLGregorianDate date = RLAbsoluteTimeGetGregorianDate(0, zone);
    work_must(RLGregorianDateGetAbsoluteTime(date, zone) == 0, "a date is made from its parts");
    RLRelease(zone);
}

void part_values(void)
{
    use_zones();
    RLMutableArrayRef array = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    RLMutableDictionaryRef dictionary = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    RLMutableSetRef set = RLSetCreateMutable(NULL, 0, &kRLTypeSetCallBacks);
    fill(dictionary, array);
    RLSetAddValue(set, array);
    work_must(RLDictionaryGetCount(dictionary) == 5 && RLArrayGetCount(array) == 5 &&
                  RLSetGetCount(set) == 1,
              "collections keep what they are given");
    RLArrayRef copy = RLArrayCreateCopy(NULL, array);
    work_must(RLEqual(copy, array), "a copy is equal");
    RLMutableDataRef data = RLDataCreateMutable(NULL, 0);
    for (int i = 0; i < 20; i++) RLDataAppendBytes(data, (const UInt8 *)"0123456789", 10);
    work_must(RLDataGetLength(data) == 200, "data grow");
    work_must(RLStringCompare(RLSTR("\xC3\x84pfel 10"), RLSTR("\xC3\xA4pfel 10"),
                              kRLCompareCaseInsensitive | kRLCompareNumerically) ==
                      kRLCompareEqualTo ||
                  fault_has_struck(),
              "letters are compared without case");
    RLTypeRef all[] = {array, dictionary, set, data, copy};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        RLStringRef text = RLCopyDescription(all[i]);
        if (work_got(text, "RLCopyDescription")) RLRelease(text);
        RLRelease(all[i]);
    }
}

static void change_text(RLMutableStringRef text)
{
    RLStringAppend(text, RLSTR("some words, and more words than fit at first"));
    RLStringAppendFormat(text, NULL, RLSTR(", %d of them"), 5);
    RLStringInsert(text, 4, RLSTR(" \xF0\x9F\x98\x80"));
    work_must(RLStringFindAndReplace(text, RLSTR("words"), RLSTR("letters"),
                                     RLRangeMake(0, RLStringGetLength(text)), 0) == 2,
              "words are replaced");
    RLStringUppercase(text, NULL);
    RLStringPad(text, RLSTR("."), 80, 0);
    work_must(RLStringGetLength(text) == 80, "a text has the length that it was given");
    work_must(RLStringGetDoubleValue(RLSTR("1.5")) == 1.5, "a number is read");
}

static void part_and_join(RLStringRef text)
{
    RLArrayRef parts = RLStringCreateArrayBySeparatingStrings(NULL, text, RLSTR(","));
    RLStringRef joined = RLStringCreateByCombiningStrings(NULL, parts, RLSTR(","));
    RLDataRef data = RLStringCreateExternalRepresentation(NULL, joined, kRLStringEncodingUTF16, 0);
    RLStringRef read = RLStringCreateFromExternalRepresentation(NULL, data, kRLStringEncodingUTF16);
    work_must(RLEqual(read, text), "a text comes back from its parts and from bytes");
    RLRelease(read);
    RLRelease(data);
    RLRelease(joined);
    RLRelease(parts);
}

static void use_allocator(void)
{
    RLAllocatorSetDefault(kRLAllocatorMalloc);
    void *memory = RLAllocatorAllocate(NULL, 10, 0);
    if (!work_got(memory, "RLAllocatorAllocate")) return;
    void *more = RLAllocatorReallocate(NULL, memory, 1000, 0);
    if (work_got(more, "RLAllocatorReallocate")) memory = more;
    RLDataRef data = RLDataCreateWithBytesNoCopy(NULL, memory, 10, NULL);
    RLRelease(data);
}

void part_texts(void)
{
    RLMutableStringRef text = RLStringCreateMutable(NULL, 0);
    change_text(text);
    part_and_join(text);
    RLRelease(text);
    use_allocator();
    RLDateRef date = RLDateCreate(NULL, 1);
    RLErrorRef error = RLErrorCreate(NULL, kRLErrorDomainPOSIX, 2, NULL);
    RLURLRef url = RLURLCreateWithString(NULL, RLSTR("file:///a%20b"), NULL);
    RLTypeRef all[] = {date, error, url, kRLAllocatorMalloc};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        RLStringRef description = RLCopyDescription(all[i]);
        if (work_got(description, "RLCopyDescription")) RLRelease(description);
        if (i < 3) RLRelease(all[i]);
    }
}

static void ignore_state(const RLRunLoopItemState *state, void *info)
{
    ++*(int *)info;
}

static void ignore_timer(RLRunLoopTimerRef timer, void *info)
{
}

static void do_nothing(void *info)
{
}

void part_faces(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    RLRunLoopTracerRef tracer = RLRunLoopTracerCreate(NULL, 256);
    RLRunLoopTracerStart(tracer, loop);
    RLRunLoopInstallAutoreleasePool(loop);
    void *pool = RLAutoreleasePoolPush();
    RLAutorelease(RLStringCreateWithCString(NULL, "of a pool", kRLStringEncodingUTF8));
    RLRunLoopSourceContext context = {.perform = do_nothing};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(NULL, 0, &context);
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(NULL, work_date(1000), 0, 0, 0, ignore_timer, NULL);
    RLRunLoopAddCommonMode(loop, RLSTR("faces"));
    RLRunLoopAddSource(loop, source, kRLRunLoopCommonModes);
    RLRunLoopAddTimer(loop, timer, kRLRunLoopCommonModes);
    __block int performed = 0;
    for (int i = 0; i < 100; i++) {
        RLRunLoopPerformBlock(loop, kRLRunLoopCommonModes, ^{ performed++; });
    }
    RLRunLoopSourceSignal(source);
    RLRunLoopRunInMode(RLSTR("faces"), 0.001, false);
    work_must(performed == 100, "blocks run");
    RLTypeRef all[] = {loop, source, timer, tracer};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        RLStringRef text = RLCopyDescription(all[i]);
        if (work_got(text, "RLCopyDescription")) RLRelease(text);
    }
    int items = 0;
    RLRunLoopVisitItems(loop, kRLRunLoopDefaultMode, ignore_state, &items);
    work_must(items >= 2, "items are visited");
    RLArrayRef arrays[] = {RLRunLoopCopyAllLoops(), RLRunLoopCopyAllModes(loop),
                           RLRunLoopTracerCopyRecordings(tracer)};
    for (size_t i = 0; i < 3; i++) RLRelease(arrays[i]);
    RLRunLoopStatistics statistics;
    RLRunLoopGetStatistics(loop, &statistics);
    /* A thread that ends while its loop is traced. */
    call_on_thread(^{
        RLRunLoopTracerStart(tracer, RLRunLoopGetCurrent());
        RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    });
    /* A thread that ends inside a pool. */
    RLMutableArrayRef kept = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    call_on_thread(^{
        RLAutoreleasePoolPush();
        RLAutorelease(RLRetain(kept));
    });
    work_must(RLGetRetainCount(kept) == 1, "a thread's end is the end of its pools");
    RLRelease(kept);
    RLRunLoopTracerStop(tracer, loop);
    RLRunLoopTimerInvalidate(timer);
    RLRunLoopSourceInvalidate(source);
    RLAutoreleasePoolPop(pool);
    RLRelease(timer);
    RLRelease(source);
    RLRelease(tracer);
}
