/*
 * System calls that fail when a scenario wants them to. For scenarios in their own process: the
 * effect lasts as long as the thread and the threads that it starts.
 */

#ifndef SCENARIOKIT_SYSTEM_CALLS_H
#define SCENARIOKIT_SYSTEM_CALLS_H

#include "words.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

/** The answer for a call that is made after all. */
enum { let_through = 1 << 30 };

/** Gives a result, a negative errno value, or `let_through`. Called in a signal handler. */
typedef long (^call_answer)(const long *arguments);

/*
 * Calls that are let through come from the C library's function for any call, which is shorter than
 * this.
 */
#if defined(__GLIBC__)
enum { size_of_syscall_function = 64 };
#else
enum { size_of_syscall_function = 128 };
#endif
enum { most_answered_calls = 8 };

static struct {
    long number;
    call_answer answer;
} answered_calls[most_answered_calls];

/** From here on the kernel answers a system call with an error, as it does in some sandboxes. */
static inline void refuse_call(unsigned number, unsigned error)
{
    bool has_filter = refuse_system_call(number, error);
    check(has_filter);
    /* An emulator, for example: the rest would wait forever. */
    if (!has_filter) end_in_failure();
}

/* Whether the kernel's and the C library's calls have the forms that this file assumes. */
#if defined(__x86_64__) || defined(__aarch64__)
enum { knows_calls = true };
#else
enum { knows_calls = false };
#endif

/* Gives the arguments of a call that was caught, and where its result goes. */
static inline long *open_call(ucontext_t *context, long *arguments)
{
#if defined(__x86_64__)
    static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int index = 0; index < 6; index++) {
        arguments[index] = (long)context->uc_mcontext.gregs[registers[index]];
    }
    return (long *)&context->uc_mcontext.gregs[REG_RAX];
#elif defined(__aarch64__)
    for (int index = 0; index < 6; index++) {
        arguments[index] = (long)context->uc_mcontext.regs[index];
    }
    return (long *)&context->uc_mcontext.regs[0];
#else
    _exit(77);
#endif
}

static inline void answer_caught_call(int signal, siginfo_t *info, void *context)
{
    int saved_errno = errno, index = 0;
    long arguments[6];
    long *result = open_call(context, arguments);

    while (answered_calls[index].number != info->si_syscall) index++;
    *result = answered_calls[index].answer(arguments);
    if (*result == let_through) {
        *result = syscall(info->si_syscall, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
        if (*result < 0) *result = -errno;
    }
    errno = saved_errno;
}

static inline void install_filter(const struct sock_filter *filter, size_t count)
{
    struct sock_fprog program = {.len = (unsigned short)count,
                                 .filter = (struct sock_filter *)(uintptr_t)filter};

    check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    bool has_filter = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    check(has_filter);
    if (!has_filter) end_in_failure();
}

/** From here on has a system call answered by a block. */
static inline void answer_call(long number, call_answer answer)
{
    /* A static program has nothing to look up. */
    void *found = dlsym(RTLD_DEFAULT, "syscall");
    uint64_t origin = found ? (uintptr_t)found : (uintptr_t)syscall;
    const struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(origin >> 32), 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)origin, 0, 1),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (unsigned)origin + size_of_syscall_function, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sigaction action = {.sa_sigaction = answer_caught_call, .sa_flags = SA_SIGINFO};
    int index = 0;

    check(knows_calls);
    if (!knows_calls) end_in_failure();
    while (answered_calls[index].answer) index++;
    check(index < most_answered_calls);
    answered_calls[index].number = number;
    answered_calls[index].answer = _Block_copy((const void *)answer);
    sigaction(SIGSYS, &action, NULL);
    install_filter(filter, sizeof(filter) / sizeof(filter[0]));
}

/** From here on has a system call fail with the error `*failure`, as long as that is not 0. */
static inline void fail_call(long number, const volatile int *failure)
{
    answer_call(number,
                ^long(const long *arguments) { return *failure ? -*failure : let_through; });
}

#endif
