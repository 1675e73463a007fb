/* What is declared in advance and what CoreFoundation declares, in each other's place. */

void UseAll(CFRunLoopRef loop, CFStringRef mode);
void UseCollections(CFMutableArrayRef array, CFMutableSetRef set,
                    CFMutableDictionaryRef dictionary);
void UseStreams(CFSocketRef socket, CFReadStreamRef reading, CFWriteStreamRef writing);
void UseValues(CFMutableStringRef text, CFErrorRef error);

void UseAll(CFRunLoopRef loop, CFStringRef mode)
{
    CFRunLoopRef current = PassRunLoop(CFRunLoopGetCurrent());
    CFRunLoopWakeUp(PassRunLoop(loop));
    CFRunLoopAddSource(current, PassSource(NULL), PassString(mode));
    CFRunLoopAddTimer(current, PassTimer(NULL), mode);
    CFRunLoopAddObserver(current, PassObserver(NULL), mode);
    CFRunLoopRemoveSource(current, CFMessagePortCreateRunLoopSource(NULL, PassMessagePort(NULL), 0),
                          kCFRunLoopDefaultMode);
    CFRelease(PassArray(CFRunLoopCopyAllModes(loop)));
    CFRelease(PassNull(kCFNull));
    CFRelease(PassBoolean(kCFBooleanTrue));
    CFRelease(
        PassNumber(CFNumberCreate(PassAllocator(kCFAllocatorDefault), kCFNumberIntType, &mode)));
#if !defined(WITHOUT_FILE_DESCRIPTORS)
    CFFileDescriptorInvalidate(PassFileDescriptor(NULL));
#endif
}

void UseCollections(CFMutableArrayRef array, CFMutableSetRef set, CFMutableDictionaryRef dictionary)
{
    CFArrayAppendValue(PassMutableArray(array), NULL);
    CFArrayGetCount(PassArray(array));
    CFSetAddValue(PassMutableSet(set), NULL);
    CFSetGetCount(PassSet(set));
    CFDictionaryAddValue(PassMutableDictionary(dictionary), NULL, NULL);
    CFDictionaryGetCount(PassDictionary(dictionary));
    CFDataSetLength(PassMutableData(NULL), 0);
    CFDataGetLength(PassData(NULL));
}

void UseValues(CFMutableStringRef text, CFErrorRef error)
{
    CFStringUppercase(PassMutableString(text), PassLocale(NULL));
    CFStringGetLength(PassString(text));
    CFErrorGetCode(PassError(error));
    CFDateGetAbsoluteTime(PassDate(CFDateCreate(NULL, 0)));
    CFRelease(CFReadStreamCreateWithFile(NULL, PassURL(NULL)));
    CFMachPortInvalidate(PassMachPort(NULL));
}

void UseStreams(CFSocketRef socket, CFReadStreamRef reading, CFWriteStreamRef writing)
{
    CFSocketInvalidate(PassSocket(socket));
    CFReadStreamClose(PassReadStream(reading));
    CFWriteStreamClose(PassWriteStream(writing));
}
