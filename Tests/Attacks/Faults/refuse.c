/*
 * A kernel that is older than ours: the system calls that it does not have are refused, to the
 * whole process and from its start.
 */

#define _GNU_SOURCE

#include "inject.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* New calls get higher numbers: this is the first one that a kernel does not have. */
static const struct {
    const char *name;
    unsigned first;
} kernels[] = {
    {"kernel 3.16", SYS_seccomp},
    {"kernel 5.2", SYS_pidfd_open},
    {"kernel 5.8", SYS_close_range},
};

bool fault_refuse_kernel(const char *name, int error)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (strcmp(kernels[i].name, name) != 0) continue;
        struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kernels[i].first, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) {
            return true;
        }
        perror("faults: cannot install a filter");
        _exit(2);
    }
    return false;
}
