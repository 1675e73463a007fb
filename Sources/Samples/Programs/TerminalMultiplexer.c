/*
 * A terminal multiplexer: runs several commands, each in a separate terminal, and shows one of
 * them.
 *
 *     terminal-multiplexer COMMAND...
 *
 * Control-A and a digit shows the command with that number, and Control-A n shows the next command.
 * Control-A q or SIGTERM sends SIGHUP to all commands. The program ends when all commands have
 * ended; its exit status is the first status that is not 0.
 *
 * A single thread waits for keys, output, changes of the window size, signals, and the end of each
 * command.
 */

#include <CRunLoop/CRunLoop.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PANES = 9, TAIL = 16384, PREFIX = 'A' & 0x1F };

struct pane {
    const char *command;
    pid_t process;
    /* The master side of the command's terminal. */
    int master;
    RLFileDescriptorRef watch;
    /* The most recent output, which is printed when the pane is shown again. */
    char tail[TAIL];
    size_t length;
    int status;
};

static struct pane panes[PANES];
static int count, shown, running;
static bool is_after_prefix;
static struct termios terminal;
static bool is_terminal;

static void write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        length -= (size_t)written;
    }
}

static void show(int number)
{
    char title[256];
    shown = number;
    int length = snprintf(title, sizeof title, "\033[2J\033[H[%d] %.200s\r\n", number + 1,
                          panes[number].command);
    write_all(title, (size_t)length);
    write_all(panes[number].tail, panes[number].length);
}

/* --- Output of the commands ------------------------------------------------------------------- */

static void keep(struct pane *pane, const char *bytes, size_t length)
{
    if (pane->length + length > TAIL) {
        size_t surplus = pane->length + length - TAIL;
        memmove(pane->tail, pane->tail + surplus, pane->length - surplus);
        pane->length -= surplus;
    }
    memcpy(pane->tail + pane->length, bytes, length);
    pane->length += length;
}

/* Returns false at EOF, on an error, or if no output is available. */
static bool read_output(struct pane *pane)
{
    char bytes[4096];
    ssize_t length = read(pane->master, bytes, sizeof bytes);
    if (length <= 0) return false;
    keep(pane, bytes, (size_t)length);
    if (pane == &panes[shown]) write_all(bytes, (size_t)length);
    return true;
}

static void handle_output(RLFileDescriptorRef watch, RLOptionFlags types, void *info)
{
    (void)types;
    /* After the command's end, read(2) fails, and the descriptor stays ready forever. */
    if (read_output(info) || errno == EAGAIN) {
        RLFileDescriptorEnableCallBacks(watch, kRLFileDescriptorReadCallBack);
    }
}

static void handle_end(RLRunLoopSourceRef source, SInt32 process, SInt32 status, void *info)
{
    (void)source, (void)process;
    struct pane *pane = info;
    /* The process may have ended before all of its output was read. */
    while (read_output(pane)) continue;
    RLFileDescriptorInvalidate(pane->watch);
    RLRelease(pane->watch);
    pane->watch = NULL;
    pane->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (--running == 0) {
        RLRunLoopStop(RLRunLoopGetCurrent());
    } else if (pane == &panes[shown]) {
        int next = 0;
        while (!panes[next].watch) next++;
        show(next);
    }
}

/* --- Keys, and the window --------------------------------------------------------------------- */

static void hang_up(void)
{
    for (int i = 0; i < count; i++) {
        if (panes[i].watch) kill(-panes[i].process, SIGHUP);
    }
}

static void obey(char key)
{
    if (key == 'q') {
        hang_up();
    } else if (key == 'n') {
        show((shown + 1) % count);
    } else if (key >= '1' && key < '1' + count) {
        show(key - '1');
    }
}

static void handle_keys(RLFileDescriptorRef watch, RLOptionFlags types, void *info)
{
    (void)types, (void)info;
    char keys[512];
    ssize_t length = read(STDIN_FILENO, keys, sizeof keys);
    if (length <= 0) return;
    for (ssize_t i = 0; i < length; i++) {
        if (is_after_prefix) {
            is_after_prefix = false;
            obey(keys[i]);
        } else if (keys[i] == PREFIX) {
            is_after_prefix = true;
        } else if (panes[shown].watch && write(panes[shown].master, &keys[i], 1) < 0) {
            /*
             * The command does not read, and its terminal's queue is full. Beep, as a terminal
             * does.
             */
            write_all("\a", 1);
        }
    }
    RLFileDescriptorEnableCallBacks(watch, kRLFileDescriptorReadCallBack);
}

static void handle_signal(RLRunLoopSourceRef source, const RLSignalEvent *event, void *info)
{
    (void)source, (void)info;
    if (event->number != SIGWINCH) {
        hang_up();
        return;
    }
    struct winsize size;
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0) return;
    for (int i = 0; i < count; i++) {
        if (panes[i].watch) ioctl(panes[i].master, TIOCSWINSZ, &size);
    }
}

/* --- The beginning and the end ---------------------------------------------------------------- */

static void add(RLRunLoopSourceRef source)
{
    if (!source) {
        perror("terminal-multiplexer");
        exit(EXIT_FAILURE);
    }
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
    RLRelease(source);
}

static RLFileDescriptorRef watch(int descriptor, bool closes, RLFileDescriptorCallBack callback,
                                 void *info)
{
    RLFileDescriptorContext context = {.info = info};
    RLFileDescriptorRef watch =
        RLFileDescriptorCreate(kRLAllocatorDefault, descriptor, closes, callback, &context);
    add(RLFileDescriptorCreateRunLoopSource(kRLAllocatorDefault, watch, 0));
    RLFileDescriptorEnableCallBacks(watch, kRLFileDescriptorReadCallBack);
    return watch;
}

static void start(struct pane *pane, const char *command)
{
    struct winsize size;
    bool has_size = ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0;
    pane->command = command;
    pane->process = forkpty(&pane->master, NULL, NULL, has_size ? &size : NULL);
    if (pane->process == 0) {
        /* Otherwise the command would inherit a mask that blocks the loop's signals. */
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (pane->process < 0) {
        perror("forkpty");
        exit(EXIT_FAILURE);
    }
    fcntl(pane->master, F_SETFL, fcntl(pane->master, F_GETFL) | O_NONBLOCK);
    fcntl(pane->master, F_SETFD, FD_CLOEXEC);
    pane->watch = watch(pane->master, true, handle_output, pane);
    RLEventSourceContext context = {.info = pane};
    add(RLProcessSourceCreate(kRLAllocatorDefault, 0, pane->process, true, handle_end, &context));
    running++;
}

static void restore_terminal(void)
{
    if (is_terminal) tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > PANES + 1) {
        fprintf(stderr, "usage: %s COMMAND..., at most %d\n", argv[0], PANES);
        return EXIT_FAILURE;
    }
    count = argc - 1;
    const SInt32 signals[] = {SIGTERM, SIGHUP, SIGWINCH};
    add(RLSignalSourceCreate(kRLAllocatorDefault, 0, signals, 3, handle_signal, NULL));
    is_terminal = tcgetattr(STDIN_FILENO, &terminal) == 0;
    struct termios raw = terminal;
    cfmakeraw(&raw);
    if (is_terminal) tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    atexit(restore_terminal);

    for (int i = 0; i < count; i++) start(&panes[i], argv[i + 1]);
    RLFileDescriptorRef keys = watch(STDIN_FILENO, false, handle_keys, NULL);
    show(0);
    RLRunLoopRun();
    RLRelease(keys);

    int status = 0;
    for (int i = count - 1; i >= 0; i--) {
        if (panes[i].status != 0) status = panes[i].status;
    }
    return status;
}
