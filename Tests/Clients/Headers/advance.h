/* Declarations that headers make in advance instead of including CoreFoundation's. */

#ifndef ADVANCE_H
#define ADVANCE_H

typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFArray *CFArrayRef;
typedef const struct __CFBoolean *CFBooleanRef;
typedef const struct __CFData *CFDataRef;
typedef const struct __CFDate *CFDateRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct __CFError *CFErrorRef;
typedef struct __CFFileDescriptor *CFFileDescriptorRef;
typedef const struct __CFLocale *CFLocaleRef;
typedef struct __CFMachPort *CFMachPortRef;
typedef struct __CFMessagePort *CFMessagePortRef;
typedef struct __CFArray *CFMutableArrayRef;
typedef struct __CFData *CFMutableDataRef;
typedef struct __CFDictionary *CFMutableDictionaryRef;
typedef struct __CFSet *CFMutableSetRef;
typedef struct __CFString *CFMutableStringRef;
typedef const struct __CFNull *CFNullRef;
typedef const struct __CFNumber *CFNumberRef;
typedef struct __CFReadStream *CFReadStreamRef;
typedef struct __CFRunLoopObserver *CFRunLoopObserverRef;
typedef struct __CFRunLoop *CFRunLoopRef;
typedef struct __CFRunLoopSource *CFRunLoopSourceRef;
typedef struct __CFRunLoopTimer *CFRunLoopTimerRef;
typedef const struct __CFSet *CFSetRef;
typedef struct __CFSocket *CFSocketRef;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFURL *CFURLRef;
typedef struct __CFWriteStream *CFWriteStreamRef;

/* Functions of the program that take such pointers, from whichever side they come. */
CFAllocatorRef PassAllocator(CFAllocatorRef object);
CFArrayRef PassArray(CFArrayRef object);
CFBooleanRef PassBoolean(CFBooleanRef object);
CFDataRef PassData(CFDataRef object);
CFDateRef PassDate(CFDateRef object);
CFDictionaryRef PassDictionary(CFDictionaryRef object);
CFErrorRef PassError(CFErrorRef object);
CFFileDescriptorRef PassFileDescriptor(CFFileDescriptorRef object);
CFLocaleRef PassLocale(CFLocaleRef object);
CFMachPortRef PassMachPort(CFMachPortRef object);
CFMessagePortRef PassMessagePort(CFMessagePortRef object);
CFMutableArrayRef PassMutableArray(CFMutableArrayRef object);
CFMutableDataRef PassMutableData(CFMutableDataRef object);
CFMutableDictionaryRef PassMutableDictionary(CFMutableDictionaryRef object);
CFMutableSetRef PassMutableSet(CFMutableSetRef object);
CFMutableStringRef PassMutableString(CFMutableStringRef object);
CFNullRef PassNull(CFNullRef object);
CFNumberRef PassNumber(CFNumberRef object);
CFReadStreamRef PassReadStream(CFReadStreamRef object);
CFRunLoopObserverRef PassObserver(CFRunLoopObserverRef object);
CFRunLoopRef PassRunLoop(CFRunLoopRef object);
CFRunLoopSourceRef PassSource(CFRunLoopSourceRef object);
CFRunLoopTimerRef PassTimer(CFRunLoopTimerRef object);
CFSetRef PassSet(CFSetRef object);
CFSocketRef PassSocket(CFSocketRef object);
CFStringRef PassString(CFStringRef object);
CFURLRef PassURL(CFURLRef object);
CFWriteStreamRef PassWriteStream(CFWriteStreamRef object);

#endif
