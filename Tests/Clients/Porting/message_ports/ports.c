/*
 * A service and its client on a pair of message ports, as an agent and its helper have them:
 * requests with replies, notes without a reply, a refusal, and the client's notification when the
 * service ends.
 */

#include <CoreFoundation/CoreFoundation.h>

enum { kRequestReverse = 1, kNoteCount = 2, kRequestTotal = 3, kNoteEnd = 4 };

/* A test may run beside another, so that the name is the process's own. */
static CFStringRef ServiceCopyName(void)
{
    return CFStringCreateWithFormat(kCFAllocatorDefault, NULL, CFSTR("org.example.CFService.%d"),
                                    (int)getpid());
}

/* --- The service ---------------------------------------------------------------------------- */

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t is_ready;
    Boolean ready;
    SInt32 total;
} Service;

static CFDataRef Reversed(CFDataRef data)
{
    CFIndex length = CFDataGetLength(data);
    CFMutableDataRef reversed = CFDataCreateMutable(kCFAllocatorDefault, length);
    CFDataSetLength(reversed, length);
    for (CFIndex i = 0; i < length; i++) {
        CFDataGetMutableBytePtr(reversed)[length - 1 - i] = CFDataGetBytePtr(data)[i];
    }
    return reversed;
}

static CFDataRef ServiceAnswer(CFMessagePortRef local, SInt32 id, CFDataRef data, void *info)
{
    Service *service = (Service *)info;
    switch (id) {
    case kRequestReverse: return Reversed(data);
    case kNoteCount: service->total += (SInt32)CFDataGetLength(data); return NULL;
    case kRequestTotal:
        return CFDataCreate(kCFAllocatorDefault, (const UInt8 *)&service->total,
                            sizeof service->total);
    case kNoteEnd:
        CFMessagePortInvalidate(local);
        CFRunLoopStop(CFRunLoopGetCurrent());
        return NULL;
    default: return NULL;
    }
}

static void ServiceEnded(CFMessagePortRef local, void *info)
{
    (void)local;
    (void)info;
    puts("service: its port is invalid");
}

static void *ServiceRun(void *argument)
{
    Service *service = (Service *)argument;
    CFMessagePortContext context = {0, service, NULL, NULL, NULL};
    CFStringRef name = ServiceCopyName();
    Boolean freesInfo = true;
    CFMessagePortRef local =
        CFMessagePortCreateLocal(kCFAllocatorDefault, name, ServiceAnswer, &context, &freesInfo);
    CFRelease(name);
    if (local == NULL || freesInfo) abort();
    CFMessagePortSetInvalidationCallBack(local, ServiceEnded);
    CFRunLoopSourceRef source = CFMessagePortCreateRunLoopSource(kCFAllocatorDefault, local, 0);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    CFRelease(source);

    pthread_mutex_lock(&service->lock);
    service->ready = true;
    pthread_cond_signal(&service->is_ready);
    pthread_mutex_unlock(&service->lock);

    CFRunLoopRun();
    CFRelease(local);
    return NULL;
}

/* --- The client ----------------------------------------------------------------------------- */

static void ClientLost(CFMessagePortRef remote, void *info)
{
    (void)info;
    printf("client: the service is gone, and the port is %s\n",
           CFMessagePortIsValid(remote) ? "valid" : "invalid");
    CFRunLoopStop(CFRunLoopGetCurrent());
}

static CFDataRef ClientAsk(CFMessagePortRef remote, SInt32 id, const char *text)
{
    CFDataRef data = CFDataCreate(kCFAllocatorDefault, (const UInt8 *)text, (CFIndex)strlen(text));
    CFDataRef answer = NULL;
    SInt32 status =
        CFMessagePortSendRequest(remote, id, data, 10, 10, kCFRunLoopDefaultMode, &answer);
    CFRelease(data);
    if (status != kCFMessagePortSuccess) printf("client: status %d\n", (int)status);
    return answer;
}

static void ClientTell(CFMessagePortRef remote, SInt32 id, const char *text)
{
    CFDataRef data = CFDataCreate(kCFAllocatorDefault, (const UInt8 *)text, (CFIndex)strlen(text));
    SInt32 status = CFMessagePortSendRequest(remote, id, data, 10, 0, NULL, NULL);
    CFRelease(data);
    if (status != kCFMessagePortSuccess) printf("client: status %d\n", (int)status);
}

static void ClientRun(CFMessagePortRef remote)
{
    CFMessagePortSetInvalidationCallBack(remote, ClientLost);
    CFDataRef answer = ClientAsk(remote, kRequestReverse, "message port");
    printf("client: %.*s\n", (int)CFDataGetLength(answer), (const char *)CFDataGetBytePtr(answer));
    CFRelease(answer);

    ClientTell(remote, kNoteCount, "four");
    ClientTell(remote, kNoteCount, "seven l");
    SInt32 total = 0;
    answer = ClientAsk(remote, kRequestTotal, "");
    CFDataGetBytes(answer, CFRangeMake(0, sizeof total), (UInt8 *)&total);
    printf("client: a total of %d\n", (int)total);
    CFRelease(answer);

    answer = ClientAsk(remote, 99, "what nobody knows");
    printf("client: %s answer\n", answer == NULL || CFDataGetLength(answer) == 0 ? "no" : "an");
    if (answer != NULL) CFRelease(answer);
    ClientTell(remote, kNoteEnd, "");
}

int main(void)
{
    Service service = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    pthread_t thread;
    CFStringRef name = ServiceCopyName();
    if (CFMessagePortCreateRemote(kCFAllocatorDefault, name) == NULL) {
        puts("client: no service yet");
    }

    pthread_create(&thread, NULL, ServiceRun, &service);
    pthread_mutex_lock(&service.lock);
    while (!service.ready) pthread_cond_wait(&service.is_ready, &service.lock);
    pthread_mutex_unlock(&service.lock);

    CFMessagePortRef remote = CFMessagePortCreateRemote(kCFAllocatorDefault, name);
    CFRelease(name);
    ClientRun(remote);
    pthread_join(thread, NULL);
    if (CFMessagePortIsValid(remote)) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 10, false);
    CFRelease(remote);
    return 0;
}
