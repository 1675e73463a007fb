/* The headers beside CoreFoundation's: locks, atomic operations, queues, time, texts. */

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <CFNetwork/CFNetwork.h>
#include <CoreServices/CoreServices.h>

#include <Availability.h>
#include <AvailabilityMacros.h>
#include <libkern/OSAtomic.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <os/lock.h>
#include <sys/wait.h>

enum { ROUNDS = 20000, ELEMENTS = 64 };

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* --- One thread ------------------------------------------------------------------------------- */

static void TryArithmetic(void)
{
    int32_t small = 1;
    int64_t large = 1;
    EXPECT(OSAtomicAdd32(2, &small) == 3 && OSAtomicAdd32Barrier(-4, &small) == -1);
    EXPECT(OSAtomicIncrement32(&small) == 0 && OSAtomicIncrement32Barrier(&small) == 1);
    EXPECT(OSAtomicDecrement32(&small) == 0 && OSAtomicDecrement32Barrier(&small) == -1);
    EXPECT(OSAtomicAdd64(1ll << 40, &large) == (1ll << 40) + 1);
    EXPECT(OSAtomicAdd64Barrier(-(1ll << 40), &large) == 1);
    EXPECT(OSAtomicIncrement64(&large) == 2 && OSAtomicIncrement64Barrier(&large) == 3);
    EXPECT(OSAtomicDecrement64(&large) == 2 && OSAtomicDecrement64Barrier(&large) == 1);

    uint32_t bits = 6;
    EXPECT(OSAtomicOr32(1, &bits) == 7 && OSAtomicOr32Barrier(8, &bits) == 15);
    EXPECT(OSAtomicOr32Orig(16, &bits) == 15 && OSAtomicOr32OrigBarrier(32, &bits) == 31);
    EXPECT(OSAtomicAnd32(15, &bits) == 15 && OSAtomicAnd32Barrier(7, &bits) == 7);
    EXPECT(OSAtomicAnd32Orig(3, &bits) == 7 && OSAtomicAnd32OrigBarrier(1, &bits) == 3);
    EXPECT(OSAtomicXor32(3, &bits) == 2 && OSAtomicXor32Barrier(3, &bits) == 1);
    EXPECT(OSAtomicXor32Orig(3, &bits) == 1 && OSAtomicXor32OrigBarrier(3, &bits) == 2);
    EXPECT(bits == 1);

    /* Bit 0 is the most significant bit of the first byte. */
    unsigned char bytes[2] = {0, 0};
    EXPECT(!OSAtomicTestAndSet(0, bytes) && bytes[0] == 0x80 && OSAtomicTestAndSet(0, bytes));
    EXPECT(!OSAtomicTestAndSetBarrier(15, bytes) && bytes[1] == 1);
    EXPECT(OSAtomicTestAndClear(0, bytes) && bytes[0] == 0 && !OSAtomicTestAndClear(0, bytes));
    EXPECT(OSAtomicTestAndClearBarrier(15, bytes) && bytes[1] == 0);
}

static void TrySwaps(void)
{
    int32_t small = 1;
    int64_t large = 1;
    int number = 1;
    long wide = 1;
    void *pointer = NULL;
    EXPECT(!OSAtomicCompareAndSwap32(2, 3, &small) && small == 1);
    EXPECT(OSAtomicCompareAndSwap32(1, 3, &small) && small == 3);
    EXPECT(OSAtomicCompareAndSwap32Barrier(3, 4, &small) && small == 4);
    EXPECT(OSAtomicCompareAndSwap64(1, 1ll << 40, &large) && large == 1ll << 40);
    EXPECT(!OSAtomicCompareAndSwap64Barrier(0, 1, &large));
    EXPECT(OSAtomicCompareAndSwapInt(1, 2, &number) &&
           OSAtomicCompareAndSwapIntBarrier(2, 3, &number));
    EXPECT(OSAtomicCompareAndSwapLong(1, 2, &wide) &&
           OSAtomicCompareAndSwapLongBarrier(2, 3, &wide));
    EXPECT(OSAtomicCompareAndSwapPtr(NULL, &small, &pointer) && pointer == &small);
    EXPECT(!OSAtomicCompareAndSwapPtrBarrier(NULL, &small, &pointer));
    EXPECT(number == 3 && wide == 3);
    OSMemoryBarrier();
}

typedef struct {
    int number;
    void *next;
} Element;

static void TryQueues(void)
{
    OSQueueHead stack = OS_ATOMIC_QUEUE_INIT;
    OSFifoQueueHead queue = OS_ATOMIC_FIFO_QUEUE_INIT;
    Element elements[3] = {{0, NULL}, {1, NULL}, {2, NULL}};
    size_t offset = offsetof(Element, next);
    EXPECT(OSAtomicDequeue(&stack, offset) == NULL && OSAtomicFifoDequeue(&queue, offset) == NULL);
    for (int i = 0; i < 3; i++) OSAtomicEnqueue(&stack, &elements[i], offset);
    for (int i = 3; i-- > 0;) EXPECT(OSAtomicDequeue(&stack, offset) == &elements[i]);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) OSAtomicFifoEnqueue(&queue, &elements[i], offset);
        for (int i = 0; i < 3; i++) EXPECT(OSAtomicFifoDequeue(&queue, offset) == &elements[i]);
        EXPECT(OSAtomicFifoDequeue(&queue, offset) == NULL);
    }
}

static void TryTime(void)
{
    mach_timebase_info_data_t base;
    EXPECT(mach_timebase_info(&base) == KERN_SUCCESS && base.numer > 0 && base.denom > 0);
    uint64_t before = mach_absolute_time(), continuous = mach_continuous_time();
    uint64_t deadline = before + 2000000 * (uint64_t)base.denom / base.numer;
    EXPECT(mach_wait_until(deadline) == KERN_SUCCESS && mach_absolute_time() >= deadline);
    EXPECT(mach_wait_until(before) == KERN_SUCCESS);
    EXPECT(mach_continuous_time() > continuous && mach_approximate_time() > 0);
    EXPECT(mach_continuous_approximate_time() >= continuous);
}

static void TryNumbers(void)
{
    EXPECT(strcmp(mach_error_string(KERN_SUCCESS), "(os/kern) successful") == 0);
    EXPECT(strcmp(mach_error_string(KERN_INVALID_ARGUMENT), "(os/kern) invalid argument") == 0);
    EXPECT(strcmp(mach_error_string(KERN_OPERATION_TIMED_OUT), "(os/kern) operation timed out") ==
           0);
    EXPECT(strcmp(mach_error_string(-1), "unknown error code") == 0);
    EXPECT(strcmp(mach_error_string(1000), "unknown error code") == 0);
    EXPECT(noErr == 0 && paramErr == -50 && memFullErr == -108 && fnfErr == -43 && eofErr == -39);
    EXPECT(kUnknownType == 0x3F3F3F3F && sizeof(UnsignedWide) == 8 && sizeof(Str63) == 64);
    EXPECT(MAC_OS_X_VERSION_MIN_REQUIRED >= MAC_OS_X_VERSION_10_5 && __MAC_10_12 == 101200);
    EXPECT(TARGET_OS_LINUX && !TARGET_OS_MAC && !TARGET_OS_VISION);
    EXPECT(TARGET_CPU_X86_64 + TARGET_CPU_ARM64 + TARGET_CPU_X86 + TARGET_CPU_ARM <= 1);
}

/* --- Two threads ------------------------------------------------------------------------------ */

static OSSpinLock spinLock = OS_SPINLOCK_INIT;
static os_unfair_lock unfairLock = OS_UNFAIR_LOCK_INIT;
static int spinning, fair;
static int32_t count;
static uint32_t flags;
static OSQueueHead stack = OS_ATOMIC_QUEUE_INIT;
static OSFifoQueueHead queue = OS_ATOMIC_FIFO_QUEUE_INIT;
static Element elements[ELEMENTS];
static int32_t taken;

/* Elements wander between the queues, and each belongs to the thread that took it. */
static void Wander(void)
{
    Element *element = (Element *)OSAtomicDequeue(&stack, offsetof(Element, next));
    if (element != NULL) {
        element->number++;
        OSAtomicFifoEnqueue(&queue, element, offsetof(Element, next));
    }
    element = (Element *)OSAtomicFifoDequeue(&queue, offsetof(Element, next));
    if (element != NULL) {
        element->number++;
        OSAtomicEnqueue(&stack, element, offsetof(Element, next));
        OSAtomicAdd32(2, &taken);
    }
}

static void *Work(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        OSSpinLockLock(&spinLock);
        spinning++;
        OSSpinLockUnlock(&spinLock);

        if (i % 4 != 0 || !os_unfair_lock_trylock(&unfairLock)) os_unfair_lock_lock(&unfairLock);
        os_unfair_lock_assert_owner(&unfairLock);
        fair++;
        os_unfair_lock_unlock(&unfairLock);
        os_unfair_lock_assert_not_owner(&unfairLock);

        OSAtomicIncrement32Barrier(&count);
        OSAtomicXor32Barrier(argument == NULL ? 1 : 2, &flags);
        Wander();
    }
    return NULL;
}

static void TryThreads(void)
{
    pthread_t thread;
    for (int i = 0; i < ELEMENTS; i++) {
        OSAtomicEnqueue(&stack, &elements[i], offsetof(Element, next));
    }
    pthread_create(&thread, NULL, Work, &count);
    Work(NULL);
    pthread_join(thread, NULL);
    EXPECT(spinning == 2 * ROUNDS && fair == 2 * ROUNDS && count == 2 * ROUNDS && flags == 0);

    int left = 0, touched = 0;
    Element *element;
    while ((element = (Element *)OSAtomicDequeue(&stack, offsetof(Element, next))) != NULL) {
        touched += element->number;
        left++;
    }
    while ((element = (Element *)OSAtomicFifoDequeue(&queue, offsetof(Element, next))) != NULL) {
        touched += element->number;
        left++;
    }
    EXPECT(left == ELEMENTS && touched >= taken && taken > 0);
}

static void *HasIt(void *argument)
{
    bool took = os_unfair_lock_trylock(&unfairLock) || OSSpinLockTry(&spinLock);
    os_unfair_lock_assert_not_owner(&unfairLock);
    *(int *)argument = took;
    return NULL;
}

/* Another thread has the locks: a try fails. A spin lock has no owner. */
static void TryTries(void)
{
    pthread_t thread;
    int took = 1;
    errno = 77;
    EXPECT(os_unfair_lock_trylock(&unfairLock) && OSSpinLockTry(&spinLock));
    EXPECT(errno == 77);
    pthread_create(&thread, NULL, HasIt, &took);
    pthread_join(thread, NULL);
    EXPECT(!took);
    os_unfair_lock_unlock(&unfairLock);
    OSSpinLockUnlock(&spinLock);
}

/* --- What stops a process --------------------------------------------------------------------- */

static void TakeTwice(void)
{
    os_unfair_lock_lock(&unfairLock);
    os_unfair_lock_lock(&unfairLock);
}

static void *Take(void *argument)
{
    os_unfair_lock_lock(&unfairLock);
    return argument;
}

static void GiveUpAnothers(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, Take, NULL);
    pthread_join(thread, NULL);
    os_unfair_lock_unlock(&unfairLock);
}

static void GiveUpNobodys(void)
{
    os_unfair_lock_unlock(&unfairLock);
}

static void AssertOwner(void)
{
    os_unfair_lock_assert_owner(&unfairLock);
}

static void AssertNotOwner(void)
{
    os_unfair_lock_lock(&unfairLock);
    os_unfair_lock_assert_not_owner(&unfairLock);
}

/* In a child, whose line goes to standard output. */
static void Stops(void (*function)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        dup2(STDOUT_FILENO, STDERR_FILENO);
        function();
        _exit(0);
    }
    waitpid(child, &status, 0);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* A child continues with the locks that its thread holds. */
static void TryFork(void)
{
    int status = 0;
    os_unfair_lock_lock(&unfairLock);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        os_unfair_lock_unlock(&unfairLock);
        os_unfair_lock_lock(&unfairLock);
        _exit(0);
    }
    os_unfair_lock_unlock(&unfairLock);
    waitpid(child, &status, 0);
    EXPECT(status == 0);
}

int main(void)
{
    TryArithmetic();
    TrySwaps();
    TryQueues();
    TryTime();
    TryNumbers();
    TryThreads();
    TryTries();
    TryFork();
    Stops(TakeTwice);
    Stops(GiveUpAnothers);
    Stops(GiveUpNobodys);
    Stops(AssertOwner);
    Stops(AssertNotOwner);
    return 0;
}
