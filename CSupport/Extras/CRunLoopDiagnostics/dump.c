/*
 * Prints the state of all loops of the process. The loops continue to run during the dump, so the
 * parts of the text may describe different moments.
 */

#define _GNU_SOURCE

#include "inspect.h"
#include "uncanceled.h"

#include <CRunLoopDiagnostics.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const doings[] = {
    [kRLRunLoopPhaseIdle] = "does not run",
    [kRLRunLoopPhaseRunning] = "is between callbacks",
    [kRLRunLoopPhaseWaiting] = "sleeps",
    [kRLRunLoopPhaseObserver] = "is in an observer",
    [kRLRunLoopPhaseBlock] = "is in a block",
    [kRLRunLoopPhaseSource0] = "is in a version-0 source",
    [kRLRunLoopPhaseSource1] = "is in the source of a port or descriptor",
    [kRLRunLoopPhaseTimer] = "is in a timer",
    [kRLRunLoopPhaseMainQueue] = "serves the main dispatch queue",
};

struct dump {
    FILE *text;
    char *characters;
    size_t length;
    void (*visit)(const RLDumpLine *line, void *info);
    void *info;
};

static void end_with_function(struct dump *dump, const char *name, const void *address,
                              bool is_on_stack)
{
    fputc('\0', dump->text);
    if (fflush(dump->text) != 0) abort();
    RLDumpLine line = {dump->characters, name, address, is_on_stack};
    dump->visit(&line, dump->info);
    rewind(dump->text);
}

static void end_line(struct dump *dump)
{
    end_with_function(dump, NULL, NULL, false);
}

static void add_duration(FILE *text, UInt64 ns)
{
    if (ns < 10000000000) {
        fprintf(text, "%.1f ms", (double)ns / 1e6);
    } else {
        fprintf(text, "%.1f s", (double)ns / 1e9);
    }
}

/* Escapes a name, which may contain any characters. */
static void add_name(FILE *text, const char *name)
{
    char *printable = RLTextCopyPrintable(name, (RLIndex)strlen(name));
    fputs(printable, text);
    free(printable);
}

/* Writes `thread 12 (worker)`, with the thread's name from the kernel. */
static void add_thread(FILE *text, SInt32 thread)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)thread);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(name, 1, sizeof name - 1, file) : 0;
    if (file) fclose(file);
    /* Removes the newline that the kernel appends. The name itself may contain newlines. */
    if (length > 0) name[length - 1] = '\0';
    fprintf(text, "thread %d (", (int)thread);
    add_name(text, name);
    fprintf(text, ")%s", thread == getpid() ? ", main" : "");
}

static const char *last_part(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

/* Appends `program main + 34`. Returns whether the function calls client code for the loop. */
static bool end_at_address(struct dump *dump, const void *address, bool is_on_stack)
{
    UInt64 offset;
    char *file, *function = NULL;
    char *name = RLSymbolCopyName(address, &offset, &file);
    add_name(dump->text, last_part(file));
    fprintf(dump->text, "  ");
    if (name) {
        char *printable = RLTextCopyPrintable(name, (RLIndex)strlen(name));
        if (asprintf(&function, "%s + %llu", printable, (unsigned long long)offset) < 0) abort();
        free(printable);
    }
    end_with_function(dump, function, address, is_on_stack);
    bool is_callout = name && strncmp(name, "__RLRUNLOOP_IS_", 15) == 0;
    free(function);
    free(name);
    free(file);
    return is_callout;
}

static const char *describe_failure(RLIndex failure)
{
    switch (-failure) {
    case EPERM: return "the thread blocks the signal";
    case ETIMEDOUT: return "the thread does not answer";
    case EAGAIN: return "no signal is free, or none is wanted";
    case EBUSY: return "somebody else has taken the signal";
    default: return "the thread has ended";
    }
}

/* Writes the stack up to the function that calls client code for the loop. */
static void add_backtrace(struct dump *dump, SInt32 thread)
{
    const void *frames[128];
    RLIndex count = RLThreadGetBacktrace(thread, frames, 128, 0.2);
    if (count < 0) {
        fprintf(dump->text, "  no backtrace: %s", describe_failure(count));
        end_line(dump);
    }
    for (RLIndex i = 0; i < count; i++) {
        fprintf(dump->text, "  %-3ld ", (long)i);
        if (end_at_address(dump, frames[i], true)) return;
    }
}

static void add_count(FILE *text, RLIndex count, const char *noun, const char *separator)
{
    fprintf(text, "%s%ld %s%s", separator, (long)count, noun, count == 1 ? "" : "s");
}

static void add_name_of_mode(FILE *text, RLRunLoopMode mode)
{
    const char *name = RLStringGetCStringPtr(mode, kRLStringEncodingUTF8);
    add_name(text, name ? name : "(not UTF-8)");
}

static void write_mode(struct dump *dump, RLRunLoopRef loop, RLRunLoopMode mode)
{
    FILE *text = dump->text;
    RLIndex counts[kRLRunLoopItemTimer + 1];
    for (int kind = 0; kind <= kRLRunLoopItemTimer; kind++) {
        counts[kind] = RLRunLoopCountItems(loop, mode, (RLRunLoopItemKind)kind);
    }
    fprintf(text, "  mode ");
    add_name_of_mode(text, mode);
    fprintf(text, ": ");
    add_count(text, counts[kRLRunLoopItemSource0], "version-0 source", "");
    add_count(text, counts[kRLRunLoopItemSource1], "port", ", ");
    add_count(text, counts[kRLRunLoopItemSource2], "descriptor", ", ");
    add_count(text, counts[kRLRunLoopItemTimer], "timer", ", ");
    add_count(text, counts[kRLRunLoopItemObserver], "observer", ", ");
    end_line(dump);
}

static void add_modes(struct dump *dump, RLRunLoopRef loop)
{
    RLArrayRef modes = RLRunLoopCopyAllModes(loop);
    for (RLIndex i = 0; i < RLArrayGetCount(modes); i++) {
        write_mode(dump, loop, RLArrayGetValueAtIndex(modes, i));
    }
    RLRelease(modes);
}

/* Writes `is in a timer for 12.3 ms, in mode kRLRunLoopDefaultMode`. */
static void add_doing(struct dump *dump, RLRunLoopRef loop, const RLRunLoopStatistics *now)
{
    FILE *text = dump->text;
    RLRunLoopMode mode = RLRunLoopCopyCurrentMode(loop);
    fprintf(text, ": %s", doings[now->phase]);
    if (now->runs > 0) {
        fprintf(text, " for ");
        add_duration(text, now->nanosecondsInPhase);
    }
    if (mode) {
        fprintf(text, ", in mode ");
        add_name_of_mode(text, mode);
        RLRelease(mode);
    }
    end_line(dump);
}

static void add_callback(struct dump *dump, const RLRunLoopStatistics *now)
{
    if (now->callout) {
        fprintf(dump->text, "  calls ");
        end_at_address(dump, now->callout, false);
    }
    add_backtrace(dump, now->threadID);
}

static void add_loop(struct dump *dump, RLRunLoopRef loop)
{
    RLRunLoopStatistics now;
    RLRunLoopGetStatistics(loop, &now);
    add_thread(dump->text, now.threadID);
    add_doing(dump, loop, &now);
    if (now.phase >= kRLRunLoopPhaseObserver) add_callback(dump, &now);
    add_modes(dump, loop);
    fprintf(dump->text, "  passes: %llu, asleep: ", (unsigned long long)now.passes);
    add_duration(dump->text, now.nanosecondsAsleep);
    fprintf(dump->text, ", awake: ");
    add_duration(dump->text, now.nanosecondsRunning);
    end_line(dump);
}

static bool is_hidden(RLRunLoopRef loop)
{
    RLRunLoopStatistics now;
    RLRunLoopGetStatistics(loop, &now);
    return rl_thread_is_hidden(now.threadID);
}

static RLArrayRef copy_shown_loops(void)
{
    RLArrayRef all = RLRunLoopCopyAllLoops();
    RLMutableArrayRef shown = RLArrayCreateMutable(kRLAllocatorDefault, 0, &kRLTypeArrayCallBacks);
    for (RLIndex i = 0; i < RLArrayGetCount(all); i++) {
        RLRunLoopRef loop = (RLRunLoopRef)(uintptr_t)RLArrayGetValueAtIndex(all, i);
        if (!is_hidden(loop)) RLArrayAppendValue(shown, loop);
    }
    RLRelease(all);
    return shown;
}

void RLRunLoopVisitDump(void (*visit)(const RLDumpLine *line, void *info), void *info)
{
    RL_UNCANCELED_HERE;
    struct dump dump = {.visit = visit, .info = info};
    dump.text = open_memstream(&dump.characters, &dump.length);
    if (!dump.text) abort();
    RLArrayRef loops = copy_shown_loops();
    RLIndex count = RLArrayGetCount(loops);
    fprintf(dump.text, "--- process %d: %ld run loop%s", (int)getpid(), (long)count,
            count == 1 ? "" : "s");
    end_line(&dump);
    RLBacktraceBegin();
    for (RLIndex i = 0; i < count; i++) {
        add_loop(&dump, (RLRunLoopRef)(uintptr_t)RLArrayGetValueAtIndex(loops, i));
    }
    RLBacktraceEnd();
    fprintf(dump.text, "--- end of run loops");
    end_line(&dump);
    RLRelease(loops);
    fclose(dump.text);
    free(dump.characters);
}

static void write_line(const RLDumpLine *line, void *info)
{
    FILE *text = info;
    fprintf(text, "%s", line->text);
    if (line->function) {
        fprintf(text, "%s", line->function);
    } else if (line->address) {
        fprintf(text, "%p", line->address);
    }
    fprintf(text, "\n");
}

char *RLRunLoopCopyDump(void)
{
    RL_UNCANCELED_HERE;
    char *characters = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&characters, &length);
    if (!text) abort();
    RLRunLoopVisitDump(write_line, text);
    fclose(text);
    return characters;
}
