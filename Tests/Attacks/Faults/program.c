/*
 * Runs one part of the workload, with the faults that the environment asks for (`inject.c`), and
 * leaves what came of it in the report. faults.py starts it and judges.
 *
 * usage: program PART
 */

#define _GNU_SOURCE

#include "inject.h"
#include "workload.h"

#include <Block.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The limit of a wait, and its time after the engine has reported why it is in vain. */
static const double PATIENCE = 20, PATIENCE_WHEN_TOLD = 0.06;

static char folder[64];

/* --- Judging ---------------------------------------------------------------------------------- */

bool work_is_strict(void)
{
    return atomic_load(&fault_report->round) == 2 && !fault_is_lasting;
}

void work_step(const char *what)
{
    snprintf(fault_report->step, sizeof fault_report->step, "%s", what);
}

static void unmet(const char *what)
{
    if (fault_report->unmet[0]) return;
    snprintf(fault_report->unmet, sizeof fault_report->unmet, "%s%s",
             work_is_strict() ? "afterwards: " : "", what);
}

void work_failed(const char *what)
{
    if (work_is_strict() || !fault_has_struck()) unmet(what);
    atomic_fetch_add(&fault_report->errors, 1);
}

bool work_did(bool succeeded, const char *what)
{
    work_step(what);
    if (!succeeded) work_failed(what);
    return succeeded;
}

bool work_got(const void *object, const char *what)
{
    return work_did(object != NULL, what);
}

void work_must(bool is_so, const char *what)
{
    if (!is_so) unmet(what);
}

bool work_was_reported(void)
{
    bool has_reported = atomic_load(&fault_report->lines) + atomic_load(&fault_report->errors) > 0;
    return !work_is_strict() && fault_has_struck() && has_reported;
}

void work_should(bool is_so, const char *what)
{
    if (!is_so && !work_was_reported()) unmet(what);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

void work_stop(RLRunLoopRef loop)
{
    RLRunLoopStop(loop);
}

double work_patience(double seconds)
{
    return fault_may_strike() ? seconds : PATIENCE;
}

/* That of what a fault may prevent. A run that has failed ends soon. */
static double patience(void)
{
    bool is_vain = fault_report->unmet[0] || work_was_reported();
    return is_vain ? PATIENCE_WHEN_TOLD : work_patience(2);
}

void work_wait(bool (^is_so)(void), const char *what)
{
    double end = clock_now() + (fault_report->unmet[0] ? PATIENCE_WHEN_TOLD : PATIENCE);
    work_step(what);
    while (!is_so() && clock_now() < end) {
        if (RLRunLoopRunInMode(kRLRunLoopDefaultMode, end - clock_now(), false) ==
            kRLRunLoopRunFinished) {
            break;
        }
    }
    work_must(is_so(), what);
}

void work_wait_served(bool (^is_so)(void), const char *what)
{
    double began = clock_now();
    work_step(what);
    while (!is_so()) {
        double left = began + patience() - clock_now();
        if (left <= 0) break;
        /* Reports during a wait are noticed soon; in a run without a fault, there is one wait. */
        bool is_faulty = (fault_has_struck() || fault_is_lasting) && !work_is_strict();
        if (RLRunLoopRunInMode(kRLRunLoopDefaultMode, is_faulty && left > 0.1 ? 0.1 : left,
                               false) == kRLRunLoopRunFinished) {
            break;
        }
    }
    work_should(is_so(), what);
}

void work_wait_outside(bool (^is_so)(void), const char *what)
{
    double began = clock_now();
    work_step(what);
    while (!is_so() && clock_now() - began < patience()) poll(NULL, 0, 1);
    work_should(is_so(), what);
}

void work_rest(void)
{
    const double rest = 0.012;
    work_step("resting");
    if (work_is_strict()) return;
    double end = clock_now() + rest;
    unsigned before = atomic_load(&fault_report->calls);
    /* Callbacks that stop the loop are a busy loop's, too. */
    while (clock_now() < end) {
        if (RLRunLoopRunInMode(kRLRunLoopDefaultMode, end - clock_now(), false) ==
            kRLRunLoopRunFinished) {
            break;
        }
    }
    fault_report->calls_at_rest = atomic_load(&fault_report->calls) - before;
}

void work_await_sleep(RLRunLoopRef loop)
{
    /* A loop that a fault keeps awake is called all the same. */
    double end = clock_now() + work_patience(2);
    while (!RLRunLoopIsWaiting(loop) && clock_now() < end) poll(NULL, 0, 1);
    fault_begin_late();
}

RLAbsoluteTime work_date(double seconds)
{
    return RLAbsoluteTimeGetCurrent() + seconds;
}

/* --- Threads and files ------------------------------------------------------------------------ */

const char *work_folder(void)
{
    return folder;
}

static void remove_folder(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *each;
    while (directory && (each = readdir(directory))) {
        char inside[400];
        if (strcmp(each->d_name, ".") == 0 || strcmp(each->d_name, "..") == 0) continue;
        snprintf(inside, sizeof inside, "%s/%s", path, each->d_name);
        if (unlink(inside) != 0) remove_folder(inside);
    }
    if (directory) closedir(directory);
    rmdir(path);
}

/* Objects that a dispatch queue ends may take a moment: waits for the usual state. */
static void settle(void)
{
    int most_descriptors = 0, most_blocks = 0;
    const char *usual = getenv("FAULTS_USUAL");
    bool is_known = usual && sscanf(usual, "%d/%d", &most_descriptors, &most_blocks) == 2;
    for (int turn = 0; turn < (is_known ? 5000 : 20); turn++) {
        fault_report->descriptors_after = count_descriptors();
        bool has_more =
            fault_report->descriptors_after - fault_report->descriptors_before > most_descriptors ||
            atomic_load(&fault_report->blocks) > most_blocks;
        if (is_known && !has_more) break;
        poll(NULL, 0, 2);
    }
}

/* --- The program ------------------------------------------------------------------------------ */

static const struct part {
    const char *name;
    void (*body)(void);
    bool is_main;
} parts[] = {
#define ENTER_PART(name, is_main) {#name, part_##name, is_main},
    PARTS(ENTER_PART) EXTRA_PARTS(ENTER_PART)};

static void run_rounds(const struct part *part)
{
    for (uint32_t round = 1; round <= 2; round++) {
        atomic_store(&fault_report->round, round);
        if (round == 1) fault_begin_round();
        part->body();
        work_step("at the end of a round");
        if (round == 1) fault_end_round();
    }
    atomic_store(&fault_report->round, 3);
    atomic_store(&fault_is_armed, true);
    work_step("taking down");
}

static void run(const struct part *part)
{
    if (part->is_main) {
        run_rounds(part);
    } else {
        call_on_thread(^{ run_rounds(part); });
    }
}

int main(int count, char **arguments)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = 10, .rlim_max = 11});

    const struct part *part = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].body == NULL) continue;
        if (count < 2) printf("%s\n", parts[i].name);
        if (count == 2 && strcmp(parts[i].name, arguments[1]) == 0) part = &parts[i];
    }
    if (!part) return count < 2 ? 0 : 2;

    snprintf(folder, sizeof folder, "/tmp/faults-%d", (int)getpid());
    mkdir(folder, 0700);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    fault_report->descriptors_before = count_descriptors();
    run(part);
    atomic_store(&fault_is_armed, false);
    settle();
    remove_folder(folder);
    work_step("ended");
    return fault_report->unmet[0] ? 1 : 0;
}
