#!/usr/bin/env python3
"""Makes each system call and each allocation of the engine fail, and judges the outcome.

usage: Tests/Attacks/Faults/faults.py                      the stage; RL_FAULTS=all takes every part and errno
       Tests/Attacks/Faults/faults.py only PART...         the stage for some parts
       Tests/Attacks/Faults/faults.py PART FAULT...        one run, as a failure of the stage prints it
       Tests/Attacks/Faults/faults.py parts | sites        what there is

A FAULT is PLACE:CALL:ERRNO:MODE, as `base/kernel_poll.c:47:eventfd:EMFILE:always`, or `allocation:NUMBER`, or
`descriptors:once` or `:late`, or `refused:CALL:ERRNO` (see inject.c).
"""

import collections
import errno
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))

# --- Failures by call --------------------------------------------------------------------------------

# The ways in which a call can fail in a sandbox, in a container or at a limit. An errno with an
# exclamation mark occurs once, not permanently: a signal came, or another thread was faster. Empty:
# the call cannot fail there. Some files have their own entries.
ERRORS = {
    "accept4": "EMFILE ENFILE ENOMEM ENOBUFS EPERM ECONNABORTED! EINTR EAGAIN!",
    "access": "EACCES",
    "bind": "EACCES EPERM EADDRINUSE ENOMEM EADDRNOTAVAIL",
    "close": "EINTR EIO ENOSPC EDQUOT",
    "connect": "EINTR EAGAIN ECONNREFUSED ENETUNREACH EACCES EPERM ENOMEM EADDRNOTAVAIL",
    "_dl_find_object": "ENOENT",
    "dlopen": "ENOENT",
    "dlsym": "ENOENT",
    "dup3": "EMFILE EINTR EBADF",
    "epoll_create1": "EMFILE ENFILE ENOMEM",
    "epoll_ctl EPOLL_CTL_ADD": "ENOSPC ENOMEM EPERM",
    "epoll_ctl EPOLL_CTL_DEL": "ENOENT! EBADF!",
    # ENOENT: the number was closed and reused. EBADF, for an unused number, is a client's mistake,
    # which the part `descriptors` makes.
    "epoll_ctl EPOLL_CTL_MOD": "ENOENT!",
    "epoll_wait": "EINTR",
    "eventfd": "EMFILE ENFILE ENOMEM ENODEV",
    "fdopendir": "ENOMEM",
    "fcntl F_ADD_SEALS": "EPERM EBUSY EINVAL",
    "fcntl F_DUPFD_CLOEXEC": "EMFILE EPERM",
    "fcntl F_GETFD": "",
    "fcntl F_GETFL": "EPERM",
    "fcntl F_GET_SEALS": "EINVAL EPERM",
    "fcntl F_SETFL": "EPERM",
    "fchmod": "EPERM EROFS EIO",
    "fchmodat": "EPERM EROFS EIO ENOENT",
    "flock": "EINTR ENOLCK EWOULDBLOCK! EPERM",
    "fstat": "ENOMEM EACCES",
    "fstatat": "ENOENT! ENOMEM EACCES",
    "syscall FUTEX_WAIT": "EINTR! EAGAIN!",
    "syscall FUTEX_WAKE": "",
    "fstatfs": "ENOSYS EPERM ENOMEM",
    "getaddrinfo": "EAI_AGAIN EAI_FAIL EAI_MEMORY EAI_NONAME EAI_SYSTEM",
    "getnameinfo": "EAI_AGAIN EAI_FAIL EAI_MEMORY EAI_NONAME EAI_SYSTEM",
    "getpeername": "EACCES EPERM",
    "getrandom": "EAGAIN ENOSYS EPERM EINTR!",
    "getsockname": "EACCES EPERM",
    "getsockopt": "EPERM ENOPROTOOPT ENOBUFS",
    "inotify_add_watch": "ENOSPC ENOMEM EACCES",
    "inotify_init1": "EMFILE ENFILE ENOMEM",
    "inotify_rm_watch": "EINVAL",
    "ioctl DRM_DROP_MASTER": "EACCES EINVAL EINTR",
    "ioctl DRM_GET_CAPABILITY": "EACCES EINVAL ENODEV ENOTTY EINTR EPERM",
    "ioctl DRM_WAIT": "EACCES EBUSY! EINVAL ENODEV ENOMEM EINTR EPERM",
    "ioctl FIONREAD": "ENOTTY EINVAL EPERM",
    "ioctl SIOCOUTQ": "ENOTTY EINVAL EPERM",
    "listen": "EADDRINUSE EACCES EPERM",
    "lseek": "ESPIPE EINVAL ENXIO EPERM",
    "memfd_create": "EMFILE ENFILE ENOMEM ENOSYS EPERM",
    "mmap": "ENOMEM EACCES EAGAIN ENODEV",
    "mkdirat": "EACCES ENOSPC EROFS EDQUOT ENOENT EPERM",
    "newlocale": "ENOENT ENOMEM",
    "open": "EMFILE ENFILE ENOMEM EACCES ENOENT ENOSPC EINTR EROFS",
    "openat": "EMFILE ENFILE ENOMEM EACCES ENOENT! ENOSPC EINTR EROFS",
    "poll": "EINTR ENOSYS EPERM EACCES",
    "ppoll": "EINTR!",
    "preadv2": "EINTR EOPNOTSUPP ENOSYS EPERM EACCES",
    "pthread_atfork": "ENOMEM",
    "pthread_create": "EAGAIN EPERM",
    "pthread_getname_np": "EPERM ENOSYS",
    "pthread_key_create": "EAGAIN ENOMEM",
    "pthread_setspecific": "ENOMEM",
    "read": "EINTR EAGAIN! EIO EPERM",
    "readdir": "EIO",
    "process_vm_readv": "EFAULT ENOMEM ENOSYS EPERM",
    "readlink": "ENOENT EACCES ENOMEM",
    "events/event_source.c read": "EINTR EAGAIN! EIO EPERM",
    "recv": "EINTR EAGAIN! ECONNRESET! ENOMEM EPERM",
    "recvfrom": "EINTR EAGAIN! ECONNRESET! ECONNREFUSED! ENOMEM EPERM",
    "recvmsg": "EINTR EAGAIN! ECONNRESET! ENOMEM EPERM",
    "renameat": "EACCES ENOSPC EROFS EPERM EIO EISDIR",
    "sendmsg": "EINTR EAGAIN! EPIPE ECONNRESET ENOBUFS ENOMEM EPERM ETOOMANYREFS",
    "sendto": "EINTR EAGAIN! EPIPE ECONNRESET ENOBUFS ENOMEM EPERM",
    "setsockopt": "EPERM ENOPROTOOPT ENOMEM",
    "shutdown": "ENOTCONN EPERM",
    "signalfd": "EMFILE ENFILE ENOMEM ENODEV",
    "socket": "EMFILE ENFILE ENOMEM ENOBUFS EACCES EPERM EAFNOSUPPORT",
    "socketpair": "EMFILE ENFILE ENOMEM ENOBUFS EPERM EAFNOSUPPORT",
    "syscall SYS_epoll_wait": "EINTR",
    "syscall SYS_epoll_pwait": "EINTR",
    "syscall SYS_epoll_pwait2": "EINTR ENOSYS EPERM EACCES",
    "syscall SYS_gettid": "",
    "syscall SYS_pidfd_open": "EMFILE ENFILE ENOMEM ENOSYS EPERM ESRCH",
    "syscall SYS_preadv2": "EINTR EOPNOTSUPP ENOSYS EPERM EACCES",
    "syscall SYS_read": "EINTR EPERM",
    "syscall SYS_recvfrom": "EINTR EAGAIN! ECONNRESET! ENOMEM EPERM",
    "syscall SYS_rt_sigqueueinfo": "ENOSYS EPERM",
    "syscall SYS_sendto": "EINTR EAGAIN! EPIPE ECONNRESET ENOBUFS ENOMEM EPERM",
    "syscall SYS_write": "EINTR EPERM EBADF",
    "sysconf": "EINVAL",
    "timerfd_create": "EMFILE ENFILE ENOMEM ENODEV EPERM",
    # Only called after timerfd_settime has failed.
    "timerfd_gettime": "",
    "timerfd_settime": "EPERM EBADF EINVAL",
    "unlinkat": "EACCES EROFS EPERM ENOENT! EIO",
    "waitid": "ECHILD EINTR EPERM",
    "write": "EINTR EAGAIN! EIO ENOSPC EDQUOT EFBIG EPERM",
    "write line": "EAGAIN EBADF EIO EPIPE ENOSPC EINTR",
}

# The system calls that a sandbox may refuse permanently, from the process's start: the engine's
# system calls with the library functions that make them. Missing are calls without which no process
# works, and which no sandbox refuses:
#   mmap, munmap, madvise, brk   all memory comes from them
#   futex                        every lock would spin, in the C library too
#   close, exit_group            descriptors could not be closed, and processes not end
#   rt_sigprocmask, rt_sigreturn, clone without clone3   signals and threads
#   clock_gettime, getpid, gettid, geteuid               have no error, or come from the vDSO
# Functions of libraries (dlopen, getaddrinfo, newlocale, ...) fail according to `ERRORS`, whatever
# they call.
REFUSED = {
    "accept4": ["accept4"],
    "access": ["access"],
    "bind": ["bind"],
    "clone3": ["pthread_create"],
    "connect": ["connect"],
    "dup3": ["dup3"],
    "epoll_create1": ["epoll_create1"],
    "epoll_ctl": ["epoll_ctl"],
    "epoll_pwait2": ["syscall SYS_epoll_pwait2"],
    "epoll_wait": ["epoll_wait", "syscall SYS_epoll_wait", "syscall SYS_epoll_pwait"],
    "eventfd2": ["eventfd"],
    "fcntl": ["fcntl"],
    "fchmod": ["fchmod"],
    "fchmodat": ["fchmodat"],
    "flock": ["flock"],
    "fstat": ["fstat", "fstatat"],
    "fstatfs": ["fstatfs"],
    "getdents64": ["fdopendir", "readdir"],
    "getpeername": ["getpeername"],
    "getsockname": ["getsockname"],
    "getsockopt": ["getsockopt"],
    "inotify_add_watch": ["inotify_add_watch"],
    "inotify_init1": ["inotify_init1"],
    "inotify_rm_watch": ["inotify_rm_watch"],
    "ioctl": ["ioctl"],
    "listen": ["listen"],
    "lseek": ["lseek"],
    "memfd_create": ["memfd_create"],
    "mkdirat": ["mkdirat"],
    "openat": ["open", "openat"],
    "pidfd_open": ["syscall SYS_pidfd_open"],
    "poll": ["poll"],
    "ppoll": ["ppoll"],
    "prctl": ["pthread_getname_np"],
    "preadv2": ["preadv2", "syscall SYS_preadv2"],
    "read": ["read", "syscall SYS_read"],
    "process_vm_readv": ["process_vm_readv"],
    "readlink": ["readlink"],
    "recvfrom": ["recv", "recvfrom", "syscall SYS_recvfrom"],
    "recvmsg": ["recvmsg"],
    "rt_sigqueueinfo": ["syscall SYS_rt_sigqueueinfo"],
    "renameat": ["renameat"],
    "sendmsg": ["sendmsg"],
    "sendto": ["sendto", "syscall SYS_sendto"],
    "setsockopt": ["setsockopt"],
    "shutdown": ["shutdown"],
    "signalfd4": ["signalfd"],
    "socket": ["socket"],
    "socketpair": ["socketpair"],
    "timerfd_create": ["timerfd_create"],
    "timerfd_settime": ["timerfd_settime"],
    "unlinkat": ["unlinkat"],
    "waitid": ["waitid"],
    "write": ["write", "syscall SYS_write"],
}
NEVER_REFUSED = {
    "close", "mmap", "syscall FUTEX_WAIT", "syscall FUTEX_WAKE", "syscall SYS_gettid",
    "_dl_find_object", "dlopen", "dlsym", "getaddrinfo", "getnameinfo", "newlocale", "pthread_atfork", "pthread_key_create",
    "pthread_setspecific", "sysconf", "timerfd_gettime",
}

# The system calls that older kernels lack. A container's filter that does not know a call returns
# EPERM; with EPERM for clone3 the C library starts no threads.
KERNELS = [("kernel 3.16", "ENOSYS"), ("kernel 5.2", "ENOSYS"), ("kernel 5.8", "ENOSYS"), ("kernel 5.8", "EPERM")]


def is_refused(call, names):
    """Whether a call has one of these names, whatever its arguments are."""
    return any(call == name or call.startswith(name + " ") for name in names)


# Imported functions that cannot fail, or make no system call that can.
HARMLESS = set(
    """
    _Block_object_assign _Block_object_dispose _Block_release _NSConcreteStackBlock
    _NSConcreteGlobalBlock __errno_location abort bcmp memchr memcmp memcpy memmem memmove memset strcasecmp
    strchr strcmp strcpy strcspn strerror strerror_l strlen strncasecmp strncmp strnlen strspn strstr strtod strtod_l
    snprintf sprintf vsnprintf iswalpha_l towlower_l towupper_l qsort
    clock_gettime localtime_r getrlimit64 secure_getenv geteuid getpid sched_yield
    pthread_getspecific pthread_once pthread_self pthread_setcancelstate
    pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_sigmask sigpending sigtimedwait
    sigismember
    pthread_attr_init pthread_attr_setdetachstate pthread_attr_destroy sigaction sigaddset sigdelset sigemptyset
    sigfillset dladdr1 malloc_usable_size pthread_tryjoin_np
    freeaddrinfo closedir dlclose dlerror dl_iterate_phdr kill munmap inet_pton fprintf fputc fwrite fputs stderr
    program_invocation_name program_invocation_short_name strtol atoi round floor trunc
    __pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp
    """.split()
) | set(
    # dup3 is only called in the child of fork, with an open target. madvise is only advice.
    ["dup3", "madvise"]
) | set(
    # libdispatch retries allocations itself; the part `descriptors` covers its descriptors.
    """
    _dispatch_get_main_queue_handle_4CF _dispatch_main_queue_callback_4CF _dispatch_source_type_read
    _dispatch_main_q _dispatch_runloop_root_queue_create_4CF _dispatch_runloop_root_queue_perform_4CF
    dispatch_get_current_queue dispatch_queue_offsets
    dispatch_async_f dispatch_source_create dispatch_release dispatch_resume dispatch_retain dispatch_set_context
    dispatch_source_cancel dispatch_source_set_cancel_handler_f dispatch_source_set_event_handler_f
    """.split()
)

ALLOCATORS = {
    "malloc", "calloc", "realloc", "aligned_alloc", "strdup", "vasprintf", "_Block_copy", "__cxa_demangle",
}

RESOLVER_ERRORS = {"EAI_NONAME": -2, "EAI_AGAIN": -3, "EAI_FAIL": -4, "EAI_MEMORY": -10, "EAI_SYSTEM": -11}

# The limits of a run: processor time in seconds beyond five times that of the run without a fault, time in seconds,
# system calls of an idle loop.
MOST_PROCESSOR, MOST_TIME, MOST_CALLS = 0.5, 90, 250

# --- Sites -------------------------------------------------------------------------------------------

Fault = collections.namedtuple("Fault", "place call error mode")


def name_of(fault):
    if fault.call == "allocation":
        return f"allocation:{fault.place}"
    if fault.call == "descriptors":
        return f"descriptors:{fault.mode}"
    if fault.mode == "refused":
        return f"refused:{fault.call}:{fault.error}"
    return f"{fault.place}:{fault.call}:{fault.error}:{fault.mode}"


def fault_named(name):
    parts = name.split(":")
    if parts[0] == "allocation":
        return Fault(int(parts[1]), "allocation", "ENOMEM", "once")
    if parts[0] == "descriptors":
        return Fault(0, "descriptors", "EMFILE", parts[1])
    if parts[0] == "refused":
        return Fault("", parts[1], parts[2], "refused")
    return Fault(":".join(parts[:2]), parts[2], parts[3], parts[4])


class Program:
    """The workload and the sites in it."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "program")
        # Addresses to places, and places with a call to addresses: inlining makes copies.
        self.places = {}
        self.addresses = collections.defaultdict(list)
        with open(os.path.join(folder, "sites")) as file:
            for line in file:
                address, call, place = line.split()
                if call == "free":
                    continue
                self.places[int(address, 16)] = place
                self.addresses[place, call].append(int(address, 16))

    def parts(self):
        return subprocess.run([self.path], check=True, capture_output=True, text=True).stdout.split()

    def unknown_calls(self):
        with open(os.path.join(self.folder, "calls")) as file:
            return sorted(set(file.read().split()) - HARMLESS)

    def text_of(self, fault):
        """The environment variables for the program."""
        if fault.call in ("allocation", "descriptors"):
            return f"{fault.place:x}/{fault.call}/{errno.ENOMEM}/{fault.mode}"
        if fault.mode == "refused":
            names = REFUSED.get(fault.call, [fault.call])
            return ",".join(f"0/{name}/{getattr(errno, fault.error)}/refused" for name in names)
        number = RESOLVER_ERRORS.get(fault.error) or getattr(errno, fault.error)
        found = self.addresses.get((fault.place, fault.call.split()[0]), [])
        return ",".join(f"{address:x}/{fault.call}/{number}/{fault.mode}" for address in found)


# --- Running -----------------------------------------------------------------------------------------

HEAD = struct.Struct("=7I3i2I120s120s")
SITE = struct.Struct("=QII48s")

running = {}
running_lock = threading.Lock()


def watch():
    """Kills runs that take too long. Time is the subject: it checks the clock five times a second."""
    while True:
        time.sleep(0.2)
        with running_lock:
            for pid, end in running.items():
                if time.monotonic() > end:
                    os.kill(pid, signal.SIGKILL)


class Run:
    """The outcome of one run of a part."""

    def __init__(self, program, part, faults, scratch, usual=None):
        report, errors = os.path.join(scratch, "report"), os.path.join(scratch, "errors")
        for path in (report, errors):
            if os.path.exists(path):
                os.remove(path)
        environment = dict(
            os.environ,
            ASAN_OPTIONS="detect_leaks=1:exitcode=99",
            LSAN_OPTIONS="print_suppressions=0:suppressions=.ci/lsan.supp",
            FAULTS=",".join(program.text_of(fault) for fault in faults),
            FAULTS_REPORT=report,
            FAULTS_USUAL=f"{usual.descriptors}/{usual.blocks}" if usual else "",
            # The C library registers the first thread before any filter, and expects the same of
            # the others.
            GLIBC_TUNABLES="glibc.pthread.rseq=0",
        )
        self.part, self.faults = part, faults
        began = time.monotonic()
        with open(errors, "wb") as output, running_lock:
            process = subprocess.Popen(
                [program.path, part], env=environment, stdin=subprocess.DEVNULL, stderr=output,
                stdout=subprocess.DEVNULL, start_new_session=True,
            )
            running[process.pid] = began + MOST_TIME
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with running_lock:
            del running[process.pid]
            _, self.status, usage = os.wait4(process.pid, 0)
        process.returncode = self.status
        self.seconds = time.monotonic() - began
        self.processor = usage.ru_utime + usage.ru_stime
        with open(errors, errors="replace") as file:
            self.errors = file.read()
        self.read_report(report)
        subprocess.run(["rm", "-rf", f"/tmp/faults-{process.pid}"]) if self.status else None

    def read_report(self, path):
        with open(path, "rb") as file:
            data = file.read()
        (size, self.round, self.strikes, self.lines, self.refused, self.reported, self.allocations, blocks,
         before, after, _, self.calls_at_rest, unmet, step) = HEAD.unpack_from(data)
        self.blocks = blocks
        self.descriptors = after - before
        self.unmet, self.step = text(unmet), text(step)
        self.sites = {}
        offset = (HEAD.size + 7) // 8 * 8
        if size != offset + 1024 * SITE.size:
            raise SystemExit("faults: the report does not match inject.h")
        while offset < size:
            address, hits, _, call = SITE.unpack_from(data, offset)
            if address == 0:
                break
            # Another thread ended the process before the name was written.
            if text(call):
                self.sites[address, text(call)] = hits
            offset += SITE.size

    def outcome(self, usual):
        """The outcome, and the failure or None; `usual` is the run without a fault."""
        lines = [line for line in self.errors.splitlines() if line.startswith(("CoreRunLoop: ", "RunLoopHosts: "))]
        where = f"{self.step!r}"
        if self.processor > MOST_PROCESSOR + 5 * (usual.processor if usual else 1):
            return "spun", f"{self.processor:.1f} s of processor time, the last step was {where}"
        if os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            if number == signal.SIGKILL:
                return "hung", f"the last step was {where}"
            if number != signal.SIGABRT or (not lines and not self.refused):
                return "crashed", f"{signal.Signals(number).name} without a line, {where}"
            if lines and "internal error" in lines[-1]:
                return "crashed", f"{lines[-1]}"
            return "stopped", None if self.faults else "there is no fault"
        if "Sanitizer: " in self.errors:
            return "memory", self.errors[self.errors.index("Sanitizer: ") :][:2000]
        if os.WEXITSTATUS(self.status) > 1:
            return "broken", f"status {os.WEXITSTATUS(self.status)}, {self.errors.strip()[-300:]}"
        if self.unmet:
            return "lost", f"not so: {self.unmet}"
        if usual and self.descriptors > usual.descriptors:
            return "leaked", f"{self.descriptors - usual.descriptors} descriptors"
        if usual and self.blocks > usual.blocks:
            return "leaked", f"{self.blocks - usual.blocks} blocks of memory"
        if self.calls_at_rest > MOST_CALLS:
            return "spun", f"{self.calls_at_rest} system calls at rest"
        if self.faults and not self.strikes:
            return "not met", None
        return ("reported" if self.lines or self.reported else "continued"), None


def text(data):
    return data.split(b"\0", 1)[0].decode(errors="replace")


# --- The stage ---------------------------------------------------------------------------------------

class Stage:
    """All runs of some parts, several concurrently, as they mostly wait."""

    def __init__(self, program, parts, is_long):
        self.program, self.parts, self.is_long = program, parts, is_long
        folder = os.path.basename(program.folder)
        self.environment = "" if folder == "plain" else f"RL_FAULTS_BUILD={folder} "
        self.usual = {}
        # For a place and a call: the parts that reach it, and the faults that they need before.
        self.ways = {}
        self.table = collections.defaultdict(collections.Counter)
        self.failures = []
        self.flaky = []
        self.lock = threading.Lock()
        self.count = 0

    def scratch(self, name):
        path = os.path.join(self.program.folder, "run-" + name)
        os.makedirs(path, exist_ok=True)
        return path

    def note_ways(self, run, faults):
        for (address, call), hits in run.sites.items():
            place = self.program.places.get(address)
            if place is None or call in ALLOCATORS:
                continue
            ways = self.ways.setdefault((place, call), [])
            # A place that is reached without a fault needs no preceding faults.
            is_needed = not ways or (ways[0][1] if not faults else ways[0][1] and len(ways) < 2)
            if not faults or is_needed:
                if all(part != run.part for part, _ in ways):
                    ways.append((run.part, faults))

    def count_calls(self):
        """Makes the runs without a fault; False if one fails."""
        for part in self.parts:
            runs = [Run(self.program, part, [], self.scratch("count")) for _ in range(2)]
            for run in runs:
                outcome, reason = run.outcome(None)
                if reason is not None:
                    print(f"FAILED {part} without a fault: {outcome}, {reason}\n{run.errors}")
                    return False
                self.note_ways(run, [])
            runs[0].blocks = max(run.blocks for run in runs)
            runs[0].descriptors = max(run.descriptors for run in runs)
            self.usual[part] = runs[0]
        return True

    def cases_of(self, place, call, ways):
        names = ERRORS.get(f"{place.split(':')[0]} {call}", ERRORS.get(call))
        if names is None:
            self.failures.append(f"{place}: faults.py knows no errors of {call}")
            return
        for turn, (part, before) in enumerate(ways if self.is_long else ways[:3]):
            # Unless all errors are requested, further parts see the first error only.
            for name in names.split()[: None if self.is_long or turn == 0 else 1]:
                modes = ["once"] if name.endswith("!") else ["once", "always"]
                for mode in modes:
                    yield part, before + [Fault(place, call, name.rstrip("!"), mode)]

    def judge(self, part, faults, scratch):
        for attempt in range(3):
            run = Run(self.program, part, faults, scratch, self.usual[part])
            outcome, reason = run.outcome(self.usual[part])
            if reason is None:
                break
        with self.lock:
            self.count += 1
            call = ("refused " if faults[-1].mode == "refused" else "") + faults[-1].call
            error = "" if call in ("allocation", "descriptors") else faults[-1].error
            self.table[call, error][outcome] += 1
            if attempt > 0:
                self.flaky.append(f"{part} {' '.join(map(name_of, faults))}")
            if reason is not None:
                faulty = " ".join(f"'{name_of(fault)}'" for fault in faults)
                self.failures.append(
                    f"{outcome}: {reason}\n    {self.environment}Tests/Attacks/Faults/faults.py {part} {faulty}"
                )
            self.note_ways(run, faults)

    def refusals(self):
        """Refuses each system call in the parts that make it, and runs all parts on older kernels."""
        refused = [name for names in REFUSED.values() for name in names]
        for call in sorted({call for _, call in self.ways}):
            if call not in NEVER_REFUSED and not is_refused(call, refused):
                self.failures.append(f"{call}: faults.py has no entry for it in REFUSED or NEVER_REFUSED")
        calls_of = {part: {call for _, call in run.sites} for part, run in self.usual.items()}
        for call, names in REFUSED.items():
            parts = [part for part, calls in calls_of.items() if any(is_refused(each, names) for each in calls)]
            if not parts and self.parts == self.program.parts():
                self.failures.append(f"refused:{call}: no part of the workload makes this call")
            for part in parts if self.is_long else parts[:6]:
                for error in ("ENOSYS", "EPERM"):
                    yield part, [Fault("", call, error, "refused")]
        for kernel, error in KERNELS:
            for part in self.usual:
                yield part, [Fault("", kernel, error, "refused")]

    def run_cases(self, cases):
        cases = iter(cases)

        def work(name):
            while True:
                with self.lock:
                    case = next(cases, None)
                if case is None:
                    return
                self.judge(*case, self.scratch(name))

        workers = [threading.Thread(target=work, args=(str(i),)) for i in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def run_memory(self):
        """Makes one error of each call, for the sanitizer to judge, and reaches the limit of descriptors."""
        if not self.count_calls():
            return False
        first = {}
        for (place, call), ways in sorted(self.ways.items()):
            for part, faults in self.cases_of(place, call, ways):
                first[place, call] = (part, faults)
                break
        self.run_cases(first.values())
        self.run_cases(
            (part, [Fault(0, "descriptors", "EMFILE", mode)])
            for part in self.usual for mode in ("once", "late")
        )
        return True

    def run(self):
        for call in self.program.unknown_calls():
            self.failures.append(
                f"the engine calls {call}: give it a wrapper in wrappers.c and errors in faults.py"
            )
        if not self.count_calls():
            return False
        done = set()
        # Repeated for sites that only a fault reaches.
        for _ in range(3):
            new = {key: list(ways) for key, ways in self.ways.items() if key not in done}
            done |= set(new)
            cases = [case for key, ways in sorted(new.items()) for case in self.cases_of(*key, ways)]
            self.run_cases(cases)
        self.run_cases(
            (part, [Fault(number, "allocation", "ENOMEM", "once")])
            for part, run in self.usual.items()
            for number in range(1, run.allocations + 1)
        )
        self.run_cases(
            (part, [Fault(0, "descriptors", "EMFILE", mode)])
            for part in self.usual for mode in ("once", "late")
        )
        before = time.monotonic()
        self.run_cases(self.refusals())
        print(f"what is refused for good took {time.monotonic() - before:.0f} s")
        for place, call in sorted(self.program.addresses):
            if call in ALLOCATORS or self.parts != self.program.parts():
                continue
            if not any(key[0] == place and key[1].split()[0] == call for key in self.ways):
                self.failures.append(f"{place}: no part of the workload comes to this {call}")
        return True

    def print_table(self):
        print(f"{'call':26} {'error':16} outcomes")
        for (call, error), outcomes in sorted(self.table.items()):
            counts = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
            print(f"{call:26} {error:16} {counts}")


def built(name):
    folder = os.path.join(".build-faults", name)
    subprocess.run(["Tests/Attacks/Faults/build.sh", folder] + ([] if name == "plain" else [name]), check=True)
    return Program(folder)


def run_stage(parts):
    began = time.monotonic()
    is_long = os.environ.get("RL_FAULTS") == "all"
    plain, address = (
        Stage(program, parts or program.parts(), is_long)
        for program in (built("plain"), built("address"))
    )
    print(f"built in {time.monotonic() - began:.0f} s")
    is_complete = plain.run()
    plain.print_table()
    print(f"{plain.count} runs in {time.monotonic() - began:.0f} s")
    is_complete = address.run_memory() and is_complete
    print(f"{address.count} runs under the address sanitizer, {time.monotonic() - began:.0f} s in all")
    for case in plain.flaky + address.flaky:
        print(f"not the first time: {case}")
    failures = plain.failures + address.failures
    for failure in failures:
        print(f"FAILED {failure}")
    passed = plain.count + address.count - len(failures)
    print(f"{passed} passed, {len(failures)} failed")
    return is_complete and not failures


def run_one(program, part, names):
    faults = [fault_named(name) for name in names]
    scratch = os.path.join(program.folder, "run-one")
    os.makedirs(scratch, exist_ok=True)
    usual = Run(program, part, [], scratch)
    run = Run(program, part, faults, scratch, usual)
    outcome, reason = run.outcome(usual)
    sys.stdout.write(run.errors)
    print(f"environment: FAULTS='{','.join(map(program.text_of, faults))}' {program.path} {part}")
    print(f"{outcome}{': ' + reason if reason else ''}; {run.strikes} strikes, {run.lines} lines, "
          f"{run.reported} errors reported, {run.processor:.2f} s of processor time in {run.seconds:.2f} s, "
          f"{run.calls_at_rest} calls at rest; last step {run.step!r}")
    return reason is None


def main(arguments):
    threading.Thread(target=watch, daemon=True).start()
    if not arguments or arguments[0] == "only":
        return run_stage(arguments[1:])
    program = Program(os.path.join(".build-faults", os.environ.get("RL_FAULTS_BUILD", "plain")))
    if arguments == ["parts"]:
        print("\n".join(program.parts()))
        return True
    if arguments == ["sites"]:
        for place, call in sorted(program.addresses):
            print(f"{place}:{call}")
        return True
    return run_one(program, arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
