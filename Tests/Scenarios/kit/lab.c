/*
 * Traces, threads, gates and cleanups of scenarios; see lab.h.
 */

#include "lab.h"

#include "patience.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The interval of checks of a long scenario, in seconds. */
enum { patience_seconds = 120 };

struct cleanup {
    struct cleanup *next;
    action body;
};

struct lab {
    /* Guards the members below. */
    pthread_mutex_t lock;
    char *text;
    size_t length;
    struct cleanup *at_return;
    struct cleanup *at_end;
    /* A bit for each of the words in `expected_hints` that a hint contained. */
    unsigned long long seen_words;
    /* These are set once. */
    hint_words expected_hints;
    void (*body)(void);
};

struct helper_thread {
    pthread_t thread;
};

struct gate {
    sem_t openings;
};

static __thread struct lab *current_lab;

/* Whether all threads of the process are those of scenarios. Set before any lab runs. */
static bool is_alone;

/* The lab that was made last, for hints on threads that belong to none; with its own lock. */
static struct lab *last_lab;
static pthread_mutex_t last_lab_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where entries are written at once, or -1. Set before any lab runs. */
static int echo = -1;

static void set_last_lab(struct lab *lab)
{
    pthread_mutex_lock(&last_lab_lock);
    last_lab = lab;
    pthread_mutex_unlock(&last_lab_lock);
}

static struct lab *make_lab(void (*body)(void), hint_words expected_hints)
{
    struct lab *lab = calloc(1, sizeof(*lab));

    pthread_mutex_init(&lab->lock, NULL);
    lab->text = strdup("");
    lab->expected_hints = expected_hints;
    lab->body = body;
    set_last_lab(lab);
    return lab;
}

static void append_locked(struct lab *lab, const char *entry)
{
    const char *separator = lab->length == 0 ? "" : "; ";
    if (echo >= 0) dprintf(echo, "%s%s", separator, entry);
    size_t grown = lab->length + strlen(separator) + strlen(entry);

    lab->text = realloc(lab->text, grown + 1);
    strcpy(lab->text + lab->length, separator);
    strcat(lab->text + lab->length, entry);
    lab->length = grown;
}

static void append(struct lab *lab, const char *entry)
{
    pthread_mutex_lock(&lab->lock);
    append_locked(lab, entry);
    pthread_mutex_unlock(&lab->lock);
}

/* Calls a function with each of the words and their places. */
static void for_each_words(hint_words expected_hints,
                           void (^visit)(const char *words, size_t place))
{
    char *copy = strdup(expected_hints), *rest = copy, *words;
    for (size_t place = 0; (words = strsep(&rest, ";")); place++) {
        while (*words == ' ') words++;
        if (*words) visit(words, place);
    }
    free(copy);
}

/* Whether words are of a hint that depends on timing. */
static bool may_be_silent(const char *words)
{
    return *words == '?';
}

/* Which of the words that are expected a hint has. */
static unsigned long long words_of_hint(const struct lab *lab, const char *line)
{
    __block unsigned long long found = 0;
    for_each_words(lab->expected_hints, ^(const char *words, size_t place) {
        if (strstr(line, words + may_be_silent(words))) found |= 1ULL << place;
    });
    return found;
}

static void take_hint(struct lab *lab, const char *line)
{
    if (!lab->expected_hints) return;
    unsigned long long found = words_of_hint(lab, line);
    pthread_mutex_lock(&lab->lock);
    lab->seen_words |= found;
    pthread_mutex_unlock(&lab->lock);
    if (found) return;
    char entry[600];
    snprintf(entry, sizeof entry, "hint: %s", line);
    append(lab, entry);
}

void lab_be_alone(void)
{
    is_alone = true;
}

void lab_take_hint(const char *line)
{
    if (current_lab) return take_hint(current_lab, line);
    /* Beside other tests it is one of theirs. */
    if (!is_alone) return;
    pthread_mutex_lock(&last_lab_lock);
    if (last_lab) take_hint(last_lab, line);
    pthread_mutex_unlock(&last_lab_lock);
}

/* Adds an entry for the words that no hint had, in builds that have hints. */
static void check_messages(struct lab *lab)
{
#if defined(RL_TESTING) && !defined(RL_WITHOUT_HINTS)
    if (!lab->expected_hints) return;
    for_each_words(lab->expected_hints, ^(const char *words, size_t place) {
        if (may_be_silent(words) || (lab->seen_words & 1ULL << place)) return;
        char entry[600];
        snprintf(entry, sizeof entry, "silent: %s", words);
        append(lab, entry);
    });
#else
#endif
}

static void push_cleanup(struct cleanup **list, action body)
{
    struct lab *lab = current_lab;
    struct cleanup *cleanup = malloc(sizeof(*cleanup));

    cleanup->body = _Block_copy((const void *)body);
    pthread_mutex_lock(&lab->lock);
    cleanup->next = *list;
    *list = cleanup;
    pthread_mutex_unlock(&lab->lock);
}

/* A cleanup may run callbacks of the engine, which may ask for more cleanups: so they are taken
 * from the list one by one. */
static void run_cleanups(struct lab *lab, struct cleanup **list)
{
    for (;;) {
        pthread_mutex_lock(&lab->lock);
        struct cleanup *first = *list;
        if (first != NULL) *list = first->next;
        pthread_mutex_unlock(&lab->lock);
        if (first == NULL) return;

        first->body();
        _Block_release((const void *)first->body);
        free(first);
    }
}

static void *run_body(void *argument)
{
    struct lab *lab = argument;

    current_lab = lab;
    lab->body();
    run_cleanups(lab, &lab->at_return);
    return NULL;
}

/* Ends a lab in which no thread is left, and returns its text. */
static char *close_lab(struct lab *lab)
{
    struct lab *outer = current_lab;

    current_lab = lab;
    run_cleanups(lab, &lab->at_end);
    current_lab = outer;
    check_messages(lab);
    char *text = lab->text;
    set_last_lab(NULL);
    pthread_mutex_destroy(&lab->lock);
    free(lab);
    return text;
}

char *lab_run(void (*body)(void), hint_words expected_hints)
{
    struct lab *lab = make_lab(body, expected_hints);
    struct patience patience = patience_with(CLOCK_PROCESS_CPUTIME_ID, patience_seconds);
    pthread_t thread;

    if (pthread_create(&thread, NULL, run_body, lab) != 0) abort();
    do {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += patience_seconds;
        if (pthread_timedjoin_np(thread, NULL, &deadline) == 0) return close_lab(lab);
    } while (!patience_is_over(&patience));

    /* The thread still uses the lab: both are left to the process. */
    append(lab, "hangs");
    pthread_mutex_lock(&lab->lock);
    char *text = strdup(lab->text);
    pthread_mutex_unlock(&lab->lock);
    return text;
}

char *lab_run_here(void (*body)(void), hint_words expected_hints)
{
    struct lab *lab = make_lab(body, expected_hints);

    run_body(lab);
    run_cleanups(lab, &lab->at_end);
    check_messages(lab);
    return strdup(lab->text);
}

void lab_echo(int descriptor)
{
    echo = descriptor;
}

void note(const char *format, ...)
{
    char entry[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(entry, sizeof(entry), format, arguments);
    va_end(arguments);
    append(current_lab, entry);
}

void lab_check(bool holds, const char *condition, int line)
{
    if (!holds) note("line %d: not so: %s", line, condition);
}

void at_return(action cleanup)
{
    push_cleanup(&current_lab->at_return, cleanup);
}

void at_end(action cleanup)
{
    push_cleanup(&current_lab->at_end, cleanup);
}

void end_in_failure(void)
{
    run_cleanups(current_lab, &current_lab->at_end);
    _exit(EXIT_FAILURE);
}

struct lab *lab_here(void)
{
    return current_lab;
}

void lab_join(struct lab *lab)
{
    current_lab = lab;
}

struct helper_thread *start_thread(action body)
{
    struct helper_thread *helper = malloc(sizeof(*helper));
    struct lab *lab = current_lab;

    helper->thread = begin_thread(^{
        current_lab = lab;
        body();
    });
    return helper;
}

void join_thread(struct helper_thread *helper)
{
    pthread_join(helper->thread, NULL);
    free(helper);
}

void elsewhere(action body)
{
    join_thread(start_thread(body));
}

struct gate *make_gate(void)
{
    struct gate *gate = malloc(sizeof(*gate));

    sem_init(&gate->openings, 0, 0);
    at_end(^{
        sem_destroy(&gate->openings);
        free(gate);
    });
    return gate;
}

void open_gate(struct gate *gate)
{
    sem_post(&gate->openings);
}

void pass_gate(struct gate *gate)
{
    while (sem_wait(&gate->openings) != 0) {
        /* A signal interrupted it. */
    }
}

void await_hang_up(int end)
{
    struct pollfd query = {.fd = end};

    while (poll(&query, 1, -1) < 1 || !(query.revents & POLLHUP)) {
        /* A signal. */
    }
}

void stay_busy(double seconds)
{
    double end = clock_now() + seconds;

    while (clock_now() < end) {
        /* Nothing: being late is the purpose. */
    }
}

const char *make_folder(void)
{
    char *path = NULL;

    if (asprintf(&path, SCENARIO_FOLDERS "XXXXXX", getpid()) < 0 || mkdtemp(path) == NULL) {
        fail("a folder: %s", strerror(errno));
    }
    at_end(^{
        char command[64];
        snprintf(command, sizeof(command), "rm -rf '%s'", path);
        check(system(command) == 0);
        free(path);
    });
    return path;
}
