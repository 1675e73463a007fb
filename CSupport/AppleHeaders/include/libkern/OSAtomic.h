/*
 * Atomic operations, spin locks and queues. Operations whose names end in Barrier are full memory
 * barriers; the others have no memory ordering.
 */

#ifndef CRUNLOOP_APPLE_LIBKERN_OSATOMIC_H
#define CRUNLOOP_APPLE_LIBKERN_OSATOMIC_H

#include <CRunLoopLockWord.h>

#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define RL_ATOMIC __attribute__((unused)) static inline

/* --- Arithmetic ------------------------------------------------------------------------------- */

/*
 * OSAtomicAdd32(amount, value), OSAtomicIncrement32(value), OSAtomicDecrement32(value), and the
 * same functions with 64. Each function also exists with the suffix Barrier. The functions return
 * the new value.
 */
#define RL_ATOMIC_ARITHMETIC(type, bits, barrier, order)                                           \
    RL_ATOMIC type OSAtomicAdd##bits##barrier(type amount, volatile type *value)                   \
    {                                                                                              \
        return __atomic_add_fetch(value, amount, order);                                           \
    }                                                                                              \
    RL_ATOMIC type OSAtomicIncrement##bits##barrier(volatile type *value)                          \
    {                                                                                              \
        return __atomic_add_fetch(value, 1, order);                                                \
    }                                                                                              \
    RL_ATOMIC type OSAtomicDecrement##bits##barrier(volatile type *value)                          \
    {                                                                                              \
        return __atomic_sub_fetch(value, 1, order);                                                \
    }
RL_ATOMIC_ARITHMETIC(int32_t, 32, , __ATOMIC_RELAXED)
RL_ATOMIC_ARITHMETIC(int32_t, 32, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_ARITHMETIC(int64_t, 64, , __ATOMIC_RELAXED)
RL_ATOMIC_ARITHMETIC(int64_t, 64, Barrier, __ATOMIC_SEQ_CST)

/*
 * OSAtomicOr32(mask, value), OSAtomicAnd32 and OSAtomicXor32, which return the new value. With the
 * suffix Orig, they return the old value. Each function also exists with the suffix Barrier.
 */
#define RL_ATOMIC_BITS(name, operation, barrier, order)                                            \
    RL_ATOMIC int32_t OSAtomic##name##32##barrier(uint32_t mask, volatile uint32_t *value)         \
    {                                                                                              \
        return (int32_t)__atomic_##operation##_fetch(value, mask, order);                          \
    }                                                                                              \
    RL_ATOMIC int32_t OSAtomic##name##32Orig##barrier(uint32_t mask, volatile uint32_t *value)     \
    {                                                                                              \
        return (int32_t)__atomic_fetch_##operation(value, mask, order);                            \
    }
RL_ATOMIC_BITS(Or, or, , __ATOMIC_RELAXED)
RL_ATOMIC_BITS(Or, or, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_BITS(And, and, , __ATOMIC_RELAXED)
RL_ATOMIC_BITS(And, and, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_BITS(Xor, xor, , __ATOMIC_RELAXED)
RL_ATOMIC_BITS(Xor, xor, Barrier, __ATOMIC_SEQ_CST)

/* --- Comparing and testing -------------------------------------------------------------------- */

/*
 * OSAtomicCompareAndSwap32(expected, wanted, value), and variants with the suffixes Int, Long, 64
 * and Ptr. Each function also exists with the suffix Barrier. If `*value` is `expected`, the
 * function sets it to `wanted` and returns true. Otherwise it returns false.
 */
#define RL_ATOMIC_SWAP(type, name, barrier, how)                                                   \
    RL_ATOMIC bool OSAtomicCompareAndSwap##name##barrier(type expected, type wanted,               \
                                                         type volatile *value)                     \
    {                                                                                              \
        return __atomic_compare_exchange_n(value, &expected, wanted, false, how, how);             \
    }
RL_ATOMIC_SWAP(int32_t, 32, , __ATOMIC_RELAXED)
RL_ATOMIC_SWAP(int32_t, 32, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_SWAP(int64_t, 64, , __ATOMIC_RELAXED)
RL_ATOMIC_SWAP(int64_t, 64, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_SWAP(int, Int, , __ATOMIC_RELAXED)
RL_ATOMIC_SWAP(int, Int, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_SWAP(long, Long, , __ATOMIC_RELAXED)
RL_ATOMIC_SWAP(long, Long, Barrier, __ATOMIC_SEQ_CST)
RL_ATOMIC_SWAP(void *, Ptr, , __ATOMIC_RELAXED)
RL_ATOMIC_SWAP(void *, Ptr, Barrier, __ATOMIC_SEQ_CST)

/*
 * OSAtomicTestAndSet(n, address) and OSAtomicTestAndClear. Each function also exists with the
 * suffix Barrier. The functions set or clear a bit and return its old value. Bit 0 is the highest
 * bit of the first byte.
 */
#define RL_ATOMIC_TEST(barrier, order)                                                             \
    RL_ATOMIC bool OSAtomicTestAndSet##barrier(uint32_t n, volatile void *address)                 \
    {                                                                                              \
        uint8_t mask = (uint8_t)(0x80 >> (n & 7));                                                 \
        return __atomic_fetch_or((volatile uint8_t *)address + (n >> 3), mask, order) & mask;      \
    }                                                                                              \
    RL_ATOMIC bool OSAtomicTestAndClear##barrier(uint32_t n, volatile void *address)               \
    {                                                                                              \
        uint8_t mask = (uint8_t)(0x80 >> (n & 7)), others = (uint8_t)~mask;                        \
        return __atomic_fetch_and((volatile uint8_t *)address + (n >> 3), others, order) & mask;   \
    }
RL_ATOMIC_TEST(, __ATOMIC_RELAXED)
RL_ATOMIC_TEST(Barrier, __ATOMIC_SEQ_CST)

/** A full memory barrier. */
RL_ATOMIC void OSMemoryBarrier(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* --- Spin locks ------------------------------------------------------------------------------- */

/**
 * A lock, which is 0 if it is free. Threads sleep instead of spinning while they wait for the lock.
 */
typedef int32_t OSSpinLock;

/** The initial value of a spin lock. */
#define OS_SPINLOCK_INIT 0

/** Takes the lock. Blocks until the lock is free. */
RL_ATOMIC void OSSpinLockLock(volatile OSSpinLock *lock)
{
    rl_lock_word_take((uint32_t *)(uintptr_t)lock, 1);
}

/** Takes the lock if it is free. Returns whether the lock was taken. */
RL_ATOMIC bool OSSpinLockTry(volatile OSSpinLock *lock)
{
    return rl_lock_word_try((uint32_t *)(uintptr_t)lock, 1);
}

/** Releases the lock. */
RL_ATOMIC void OSSpinLockUnlock(volatile OSSpinLock *lock)
{
    rl_lock_word_give_up((uint32_t *)(uintptr_t)lock);
}

/* --- Queues ----------------------------------------------------------------------------------- */

/*
 * Each queue has a lock. A lock-free queue may read an element that another thread has just
 * dequeued and freed, which can fault on Linux. Because of the lock, do not use a queue in signal
 * handlers.
 */

/** A LIFO queue. */
typedef struct {
    /** The last element. */
    void *opaque1;
    /** The lock. */
    uint32_t opaque2;
} __attribute__((aligned(16))) OSQueueHead;

/** A FIFO queue. */
typedef struct {
    /** The first element. */
    void *opaque1;
    /** The last element. */
    void *opaque2;
    /** The lock. */
    uint32_t opaque3;
} __attribute__((aligned(16))) OSFifoQueueHead;

/** The initial value of a LIFO queue. */
#define OS_ATOMIC_QUEUE_INIT {NULL, 0}
/** The initial value of a FIFO queue. */
#define OS_ATOMIC_FIFO_QUEUE_INIT {NULL, NULL, 0}

/**
 * Returns the address of an element's link to the next element, which is `offset` bytes after its
 * beginning.
 */
RL_ATOMIC void **rl_apple_link(void *element, size_t offset)
{
    return (void **)(void *)((char *)element + offset);
}

/** Adds an element, which must have space for a pointer at `offset`. */
RL_ATOMIC void OSAtomicEnqueue(OSQueueHead *queue, void *element, size_t offset)
{
    rl_lock_word_take(&queue->opaque2, 1);
    *rl_apple_link(element, offset) = queue->opaque1;
    queue->opaque1 = element;
    rl_lock_word_give_up(&queue->opaque2);
}

/** Removes and returns the element that was added last, or returns null if the queue is empty. */
RL_ATOMIC void *OSAtomicDequeue(OSQueueHead *queue, size_t offset)
{
    rl_lock_word_take(&queue->opaque2, 1);
    void *element = queue->opaque1;
    if (element != NULL) queue->opaque1 = *rl_apple_link(element, offset);
    rl_lock_word_give_up(&queue->opaque2);
    return element;
}

/** Adds an element, which must have space for a pointer at `offset`. */
RL_ATOMIC void OSAtomicFifoEnqueue(OSFifoQueueHead *queue, void *element, size_t offset)
{
    *rl_apple_link(element, offset) = NULL;
    rl_lock_word_take(&queue->opaque3, 1);
    void **last = queue->opaque2 == NULL ? &queue->opaque1 : rl_apple_link(queue->opaque2, offset);
    *last = element;
    queue->opaque2 = element;
    rl_lock_word_give_up(&queue->opaque3);
}

/** Removes and returns the element that was added first, or returns null if the queue is empty. */
RL_ATOMIC void *OSAtomicFifoDequeue(OSFifoQueueHead *queue, size_t offset)
{
    rl_lock_word_take(&queue->opaque3, 1);
    void *element = queue->opaque1;
    if (element != NULL) {
        queue->opaque1 = *rl_apple_link(element, offset);
        if (queue->opaque1 == NULL) queue->opaque2 = NULL;
    }
    rl_lock_word_give_up(&queue->opaque3);
    return element;
}

#undef RL_ATOMIC
#undef RL_ATOMIC_ARITHMETIC
#undef RL_ATOMIC_BITS
#undef RL_ATOMIC_SWAP
#undef RL_ATOMIC_TEST

#if defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

#endif
