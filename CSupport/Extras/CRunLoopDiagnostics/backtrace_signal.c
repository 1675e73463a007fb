/*
 * Manages the signal for backtraces. The process uses one signal for all backtraces. Its handler is
 * installed while a monitor reserves the signal and during each backtrace. The signal must have the
 * default action, and no code may wait for it. Releasing the signal restores the default action. A
 * pending request would then end the process, so the signal is first set to SIG_IGN, which discards
 * pending requests.
 *
 * If the client installs another handler, the client's handler stays and no more requests are sent.
 * If other code sends the signal, no more requests are sent either. In this case our handler stays
 * until the last reservation ends, because without a handler the next signal would end the process.
 */

#define _GNU_SOURCE

#include "backtrace_signal.h"

#include "signal_use.h"
#include "uncanceled.h"

#include <CRunLoop/RLRunLoopWrapping.h>
#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* The client's choice, and the number of reservations. Guarded by the lock. */
static int wish = kRLBacktraceSignalAutomatic;
static unsigned holds;
static bool is_borrowed;
/*
 * `chosen` is the signal that was selected last, or 0. `is_taken` is true while our handler is
 * installed. `is_lost` is true if other code has replaced the handler or sent the signal. Guarded
 * by the lock.
 */
static int chosen;
static bool is_taken, is_lost;
/* Equals `chosen` while the handler is installed, and is 0 otherwise. Read without the lock. */
static atomic_int current;
/*
 * `sent` and `come` count the requests that were sent and received since the process began, because
 * a request may arrive after the signal was released and taken again. `stranger` is 0, or 1 plus
 * the id of a process that has sent the signal without a request.
 */
static atomic_int sent, come, stranger;

/* Threads of our libraries block all signals except the usual backtrace signal. */
__attribute__((constructor)) static void keep_unblocked(void)
{
    RLThreadKeepUnblocked(SIGRTMAX - 1);
}

static bool is_ours(void)
{
    struct sigaction action;
    return sigaction(chosen, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) &&
           action.sa_sigaction == rl_backtrace_handle;
}

static void set_action(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(chosen, &action, NULL);
}

static void give_back(void)
{
    if (is_taken && is_ours()) {
        if (atomic_load(&sent) != atomic_load(&come)) set_action(SIG_IGN);
        set_action(SIG_DFL);
    }
    is_taken = false;
    is_lost = false;
    atomic_store(&current, 0);
}

static void give_back_unless_needed(void)
{
    if (holds == 0 && !is_borrowed) give_back();
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/*
 * The child has inherited the parent's monitors, which will release the signal. It has no thread
 * that borrows the signal.
 */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    is_borrowed = false;
    give_back_unless_needed();
}

static void set_up_backtrace_signal(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void lock_up(void)
{
    pthread_once(&once, set_up_backtrace_signal);
    pthread_mutex_lock(&lock);
}

static bool is_free(int number, uint64_t awaited)
{
    return !(awaited & rl_signal_bit(number)) && !rl_signal_is_handled(number);
}

/*
 * Prefers the client's signal, and then the signal that was used last. Returns false if no signal
 * is available.
 */
static bool choose_signal(void)
{
    if (wish == kRLBacktraceSignalNone) return false;
    uint64_t awaited = rl_signals_awaited();
    if (wish > 0) chosen = wish;
    if (chosen && is_free(chosen, awaited)) return true;
    if (wish > 0) return false;
    for (chosen = SIGRTMAX - 1; chosen > SIGRTMIN; chosen--) {
        if (is_free(chosen, awaited)) return true;
    }
    chosen = 0;
    return false;
}

static void take_signal(void)
{
    if (is_taken || is_lost || !choose_signal()) return;
    struct sigaction action = {.sa_sigaction = rl_backtrace_handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(chosen, &action, NULL) != 0) return;
    atomic_store(&stranger, 0);
    is_taken = true;
    atomic_store(&current, chosen);
}

static void lose_signal(const char *what)
{
    char line[256];
    int length =
        snprintf(line, sizeof line,
                 "RunLoopDiagnostics: RLThreadGetBacktrace: backtraces are off, as their signal %d "
                 "%s: call RLBacktraceUseSignal with another signal\n",
                 chosen, what);
    /* Uses a single write, so that lines of several threads do not interleave. */
    RLWriteWithoutSignal(STDERR_FILENO, line, length);
    is_lost = true;
}

/* Warns once if other code has replaced the handler or sent the signal. */
static void check_signal(void)
{
    if (!is_taken || is_lost) return;
    if (!is_ours()) {
        lose_signal("was given another handler");
        is_taken = false;
        atomic_store(&current, 0);
    } else if (atomic_load(&stranger)) {
        char what[64];
        snprintf(what, sizeof what, "was sent by process %d", atomic_load(&stranger) - 1);
        lose_signal(what);
    }
}

int rl_backtrace_signal_borrow(void)
{
    lock_up();
    take_signal();
    check_signal();
    int result = is_lost ? -EBUSY : is_taken ? chosen : -EAGAIN;
    is_borrowed = result > 0;
    pthread_mutex_unlock(&lock);
    return result;
}

void rl_backtrace_signal_return(void)
{
    lock_up();
    is_borrowed = false;
    give_back_unless_needed();
    pthread_mutex_unlock(&lock);
}

/* Call this with the lock held, so that no request is sent after the signal was released. */
static int send_request(int thread, int number, unsigned ticket)
{
    if (!is_taken || chosen != number) return -EAGAIN;
    siginfo_t info = {.si_signo = number, .si_code = RL_BACKTRACE_REQUEST};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = (int)ticket;
    atomic_fetch_add(&sent, 1);
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, &info) == 0) return 0;
    int failure = -errno;
    atomic_fetch_sub(&sent, 1);
    return failure;
}

int rl_backtrace_signal_send(int thread, int number, unsigned ticket)
{
    lock_up();
    int result = send_request(thread, number, ticket);
    pthread_mutex_unlock(&lock);
    return result;
}

void rl_backtrace_signal_note_request(void)
{
    atomic_fetch_add(&come, 1);
}

void rl_backtrace_signal_note_stranger(int process)
{
    atomic_store(&stranger, process + 1);
}

int RLBacktraceBegin(void)
{
    RL_UNCANCELED_HERE;
    lock_up();
    holds++;
    take_signal();
    int result = is_taken ? 0 : -EAGAIN;
    pthread_mutex_unlock(&lock);
    return result;
}

void RLBacktraceEnd(void)
{
    lock_up();
    if (holds > 0) holds--;
    give_back_unless_needed();
    pthread_mutex_unlock(&lock);
}

static bool can_be_used(int number)
{
    if (number == SIGUSR1 || number == SIGUSR2) return true;
    return number >= SIGRTMIN && number <= SIGRTMAX;
}

/* Call this with the lock held. */
static int use_signal(int number)
{
    bool is_same = is_taken && chosen == number;
    if (number > 0 && !is_same && !is_free(number, rl_signals_awaited())) return -EBUSY;
    wish = number;
    if (is_same && !is_lost) return 0;
    give_back();
    chosen = number > 0 ? number : 0;
    if (holds > 0) take_signal();
    return 0;
}

int RLBacktraceUseSignal(int number)
{
    RL_UNCANCELED_HERE;
    bool is_choice = number == kRLBacktraceSignalAutomatic || number == kRLBacktraceSignalNone;
    if (!is_choice && !can_be_used(number)) return -EINVAL;
    lock_up();
    int result = use_signal(number);
    pthread_mutex_unlock(&lock);
    return result;
}

int RLBacktraceGetSignal(void)
{
    return atomic_load(&current);
}

void RLThreadAllowBacktrace(void)
{
    RL_UNCANCELED_HERE;
    lock_up();
    if (!is_taken && !is_lost && !choose_signal()) chosen = 0;
    int number = chosen;
    pthread_mutex_unlock(&lock);
    if (number == 0) return;
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}
