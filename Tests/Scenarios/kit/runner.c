/*
 * Runs scenarios: on a fresh thread of this process, or in a process of their own.
 */

#include "ScenarioKit/ScenarioKit.h"
#include "lab.h"
#include "patience.h"
#include "random.h"
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

/*
 * The interval of checks of a silent process, in seconds. Longer than a lab's, whose report is more
 * precise.
 */
enum { patience_seconds = 150 };

/*
 * Gives processes of scenarios a zone with daylight saving time on every machine. The reference
 * reads the environment when it is loaded.
 */
__attribute__((constructor)) static void move_to_berlin(void)
{
    setenv("TZ", "Europe/Berlin", true);
}

static const char *name_of_engine(enum scenario_engine engine)
{
    return engine == scenario_engine_rl ? "rl" : "cf";
}

static bool needs_process(const struct scenario *scenario)
{
    return scenario->main_thread || scenario->own_process || scenario->dies;
}

/* Runs a scenario in this process, whatever it needs. */
static char *trace_here(const struct scenario *scenario, enum scenario_engine engine)
{
    /* The reference prints no hints. */
    hint_words expected_hints =
        engine == scenario_engine_rl && scenario->expected_hints ? scenario->expected_hints : "";
    if (scenario->main_thread) return lab_run_here(scenario->body, expected_hints);
    return lab_run(scenario->body, expected_hints);
}

static void find_runner(char *path, size_t size)
{
    const char *given = getenv("SCENARIO_RUNNER");
    if (given != NULL) {
        snprintf(path, size, "%s", given);
        return;
    }

    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    snprintf(path + folder, size - folder, "scenario-runner");
}

/* Starts the runner with its standard output in a pipe, and returns the pipe's other end. */
static int spawn_runner(const char *engine, const char *name, pid_t *ret_process)
{
    char path[4096];
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;

    find_runner(path, sizeof(path));
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    /* The threads on which tests run block signals, which the scenario may be about. */
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    char *arguments[] = {path, (char *)engine, (char *)name, NULL};
    int failure = posix_spawn(ret_process, path, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure == 0) return ends[0];

    fprintf(stderr, "cannot start %s: %s\n", path, strerror(failure));
    close(ends[0]);
    return -1;
}

/* Reads a process's output to the end; returns whether that ends before the process hangs. */
static bool read_all(int descriptor, pid_t process, char **ret_text)
{
    size_t length = 0;
    char *text = calloc(1, 1);
    clockid_t clock;

    if (clock_getcpuclockid(process, &clock) != 0) abort();
    struct patience patience = patience_with(clock, patience_seconds);
    for (;;) {
        char chunk[4096];
        struct pollfd ready = {.fd = descriptor, .events = POLLIN};
        /* Other tests of this process have handlers of signals. */
        int count = TEMP_FAILURE_RETRY(poll(&ready, 1, patience_seconds * 1000));
        if (count == 0 && !patience_is_over(&patience)) continue;
        ssize_t size = count > 0 ? TEMP_FAILURE_RETRY(read(descriptor, chunk, sizeof(chunk))) : 0;
        if (count == 0 || size <= 0) {
            *ret_text = text;
            return count != 0;
        }
        text = realloc(text, length + (size_t)size + 1);
        memcpy(text + length, chunk, (size_t)size);
        length += (size_t)size;
        text[length] = '\0';
    }
}

static char *with_ending(char *text, const char *ending)
{
    char *whole = NULL;

    if (asprintf(&whole, "%s%s%s", text, text[0] ? "; " : "", ending) < 0) abort();
    free(text);
    return whole;
}

/* Removes the folders of a scenario that has ended its process before it could. */
static void remove_folders(pid_t process)
{
    char pattern[64], command[80];
    glob_t found;

    snprintf(pattern, sizeof(pattern), SCENARIO_FOLDERS "*", process);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0) return;
    globfree(&found);
    snprintf(command, sizeof(command), "rm -rf %s", pattern);
    if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", pattern);
}

static char *trace_in_process(const char *engine, const char *name)
{
    pid_t process = 0;
    char *text = NULL;

    int output = spawn_runner(engine, name, &process);
    if (output < 0) return strdup("no runner");
    bool ended = read_all(output, process, &text);
    close(output);
    if (!ended) kill(process, SIGKILL);
    enum process_end end = await_process(process);
    remove_folders(process);
    text[strcspn(text, "\n")] = '\0';
    if (!ended) return with_ending(text, "hangs");
    if (end == PROCESS_SUCCEEDED) return text;
    /* A sanitizer's report comes after the trace: of leaks, when the process ends. */
    return with_ending(text, end == PROCESS_FAILED ? "exits in failure" : "dies");
}

static char *trace_of(enum scenario_engine engine, int number)
{
    const struct scenario *scenario = scenario_at(engine, number);

    if (scenario == NULL) return strdup("no such scenario");
    if (!needs_process(scenario)) return trace_here(scenario, engine);
    return trace_in_process(name_of_engine(engine), scenario->name);
}

/*
 * Whether this machine lacks something, by a word of SCENARIO_WITHOUT: a scenario that it cannot
 * run, or a condition of `check` that it cannot fulfill.
 */
static bool is_without(bool (^is_meant)(const char *word))
{
    const char *given = getenv("SCENARIO_WITHOUT");
    char *words = strdup(given ? given : "");
    bool found = false;
    char *rest = words;

    for (char *word = strsep(&rest, " "); word && !found; word = strsep(&rest, " ")) {
        found = *word != '\0' && is_meant(word);
    }
    free(words);
    return found;
}

static bool is_unrunnable(const struct scenario *scenario)
{
    return is_without(^(const char *word) { return (bool)!strcmp(word, scenario->name); });
}

static bool is_unshown(const char *trace)
{
    return is_without(^(const char *word) {
        char condition[100];
        snprintf(condition, sizeof condition, "not so: %s", word);
        return (bool)(strstr(trace, condition) != NULL);
    });
}

/* Compares one scenario on one engine; returns whether it is as expected. */
static bool check_one(enum scenario_engine engine, int number)
{
    /* The reference may lack a scenario that does not declare it. */
    const struct scenario *scenario = scenario_at(scenario_engine_rl, number);
    const char *expected = scenario_expected(engine, number);
    char *trace = trace_of(engine, number);
    bool same = strcmp(trace, expected) == 0;

    if (!same && is_unshown(trace)) {
        printf("%s cannot be shown here: %s\n", scenario->name, trace);
        same = true;
    }
    if (!same) {
        printf("%s %s (%s)\n  expected: %s\n  but was:  %s\n", name_of_engine(engine),
               scenario->name, scenario->clauses, expected, trace);
    }
    free(trace);
    return same;
}

struct check {
    enum scenario_engine engine;
    int number;
};

/* Whether `SUBJECT/NAME` or the name alone begins so. */
static bool begins_so(const struct scenario *scenario, const char *prefix)
{
    const char *subject = strrchr(scenario->file, '/');
    do subject--;
    while (subject > scenario->file && subject[-1] != '/');
    size_t length = strcspn(subject, "/") + 1;

    if (strncmp(prefix, subject, length) == 0) prefix += length;
    return strncmp(scenario->name, prefix, strlen(prefix)) == 0;
}

static int check_all(const char *only_engine, const char *prefix)
{
    struct check *checks = calloc((size_t)scenario_count() * 2, sizeof *checks);
    int count = 0;

    for (int number = 0; number < scenario_count(); number++) {
        const struct scenario *scenario = scenario_at(scenario_engine_rl, number);
        if (!begins_so(scenario, prefix) || is_unrunnable(scenario)) continue;

        for (enum scenario_engine engine = scenario_engine_rl; engine <= scenario_engine_cf;
             engine++) {
            if (only_engine && strcmp(only_engine, name_of_engine(engine)) != 0) continue;
            if (!scenario_is_comparable(engine, number)) continue;
            checks[count++] = (struct check){engine, number};
        }
    }
    int status = check_in_workers(
        count, ^(int index) { return check_one(checks[index].engine, checks[index].number); });
    free(checks);
    return status;
}

static int list_all(void)
{
    for (int number = 0; number < scenario_count(); number++) {
        const struct scenario *scenario = scenario_at(scenario_engine_rl, number);

        printf("%s [%s] %s%s%s\n", scenario->name, scenario->clauses, scenario->title,
               scenario->deviation ? " -- " : "", scenario->deviation ? scenario->deviation : "");
    }
    return EXIT_SUCCESS;
}

/* No core files, and no reports of the Swift runtime's crash handlers. */
static void die_quietly(void)
{
    struct rlimit no_core = {0, 0};
    int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};

    setrlimit(RLIMIT_CORE, &no_core);
    for (size_t index = 0; index < sizeof(signals) / sizeof(signals[0]); index++) {
        signal(signals[index], SIG_DFL);
    }
}

static int run_one(enum scenario_engine engine, const char *name)
{
    const struct scenario *scenario = scenario_at(engine, scenario_number(name));

    if (scenario == NULL) {
        fprintf(stderr, "no scenario %s on %s\n", name, name_of_engine(engine));
        return EXIT_FAILURE;
    }
    if (scenario->dies) die_quietly();
    lab_echo(STDOUT_FILENO);
    free(trace_here(scenario, engine));
    printf("\n");
    return EXIT_SUCCESS;
}

int scenario_main(int argument_count, char **arguments)
{
    const char *word = argument_count > 1 ? arguments[1] : "";
    const char *second = argument_count > 2 ? arguments[2] : NULL;
    const char *third = argument_count > 3 ? arguments[3] : "";
    lab_be_alone();
    bool is_engine = second && (strcmp(second, "rl") == 0 || strcmp(second, "cf") == 0);

    if (strcmp(word, "list") == 0) return list_all();
    if (strcmp(word, "check") == 0) {
        return check_all(is_engine ? second : NULL, is_engine ? third : second ? second : "");
    }
    bool is_on_main = strcmp(word, "random-main") == 0;
    if (strcmp(word, "random") == 0 || is_on_main) {
        long count = second ? atol(second) : 200;
        return random_check(count, strtoul(third, NULL, 10), is_on_main);
    }
    if (strcmp(word, "rl") == 0 && second) return run_one(scenario_engine_rl, second);
    if (strcmp(word, "cf") == 0 && second) return run_one(scenario_engine_cf, second);

    fprintf(stderr,
            "usage: %s list | check [rl|cf] [PREFIX] | rl NAME | cf NAME | "
            "random[-main] [COUNT [SEED]]\n",
            arguments[0]);
    return EXIT_FAILURE;
}
