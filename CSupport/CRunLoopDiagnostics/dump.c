/*
 * Writes what all loops of the process do now, for how long, and what is in them.
 *
 * The loops go on meanwhile, so parts of the text may show different moments.
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

/* What is said of places in the source. */
struct places {
    /* Where they are looked up, or null. */
    RLSourceLinesRef lines;
    /* Whether the address stands for the place. */
    bool are_marked;
};

static void add_duration(FILE *text, UInt64 ns)
{
    if (ns < 10000000000) {
        fprintf(text, "%.1f ms", (double)ns / 1e6);
    } else {
        fprintf(text, "%.1f s", (double)ns / 1e9);
    }
}

/* Writes a name, which may have any characters, in a line. */
static void add_name(FILE *text, const char *name)
{
    char *printable = RLTextCopyPrintable(name, (RLIndex)strlen(name));
    fputs(printable, text);
    free(printable);
}

/* Writes `thread 12 (worker)`, with the kernel's name. */
static void add_thread(FILE *text, SInt32 thread)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)thread);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(name, 1, sizeof name - 1, file) : 0;
    if (file) fclose(file);
    /* The kernel adds the end of the line; the name itself may have more. */
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

/* Writes ` at /home/me/program/main.c:56`. */
static void add_place(FILE *text, const RLSourceFrame *frame)
{
    if (!frame->file) return;
    fprintf(text, " at ");
    add_name(text, frame->file);
    fprintf(text, ":%d", (int)frame->line);
}

/* Writes a line for each function that is inlined into the last one. */
static void add_inlined(FILE *text, const char *file, const RLSourceFrame *frames, RLIndex count)
{
    for (RLIndex i = 0; i + 1 < count; i++) {
        char *name = frames[i].function ? RLSymbolCopyReadableName(frames[i].function) : NULL;
        fprintf(text, "      ");
        add_name(text, last_part(file));
        fprintf(text, "  [inlined] ");
        add_name(text, name ? name : "?");
        add_place(text, &frames[i]);
        fprintf(text, "\n");
        free(name);
    }
}

/*
 * Writes `program  main + 34`, and where that is in the source. With a number, it is a function on
 * a stack, and what is inlined into it comes first. Returns whether it is one of those by which the
 * loop calls its client.
 */
static bool add_function(FILE *text, const void *address, long number, struct places places)
{
    UInt64 offset;
    char *file;
    char *name = RLSymbolCopyName(address, &offset, &file);
    RLIndex count = 0;
    RLSourceFrame *frames = RLSourceLinesCopyFrames(places.lines, (uintptr_t)address, &count);
    const RLSourceFrame *frame = count > 0 ? &frames[count - 1] : NULL;
    if (!name && frame && frame->function) {
        name = RLSymbolCopyReadableName(frame->function);
        offset = frame->offset;
    }
    if (number >= 0) {
        add_inlined(text, file, frames, count);
        fprintf(text, "  %-3ld ", number);
    }
    add_name(text, last_part(file));
    fprintf(text, "  ");
    if (places.are_marked) fprintf(text, "\u2068%lx\u2069", (unsigned long)(uintptr_t)address);
    if (name) {
        add_name(text, name);
        fprintf(text, " + %llu", (unsigned long long)offset);
    } else {
        fprintf(text, "%p", address);
    }
    if (frame) add_place(text, frame);
    fprintf(text, "\n");
    bool is_callout = name && strncmp(name, "__RLRUNLOOP_IS_", 15) == 0;
    free(frames);
    free(name);
    free(file);
    return is_callout;
}

static const char *reason(RLIndex failure)
{
    switch (-failure) {
    case EPERM: return "the thread blocks the signal";
    case ETIMEDOUT: return "the thread does not answer";
    case EAGAIN: return "no signal is free, or none is wanted";
    case EBUSY: return "somebody else has taken the signal";
    default: return "the thread has ended";
    }
}

/* Writes the functions on a thread's stack, down to the one by which the loop calls its client. */
static void add_backtrace(FILE *text, SInt32 thread, struct places places)
{
    const void *frames[128];
    RLIndex count = RLThreadGetBacktrace(thread, frames, 128, 0.2);
    if (count < 0) fprintf(text, "  no backtrace: %s\n", reason(count));
    for (RLIndex i = 0; i < count; i++) {
        if (add_function(text, frames[i], (long)i, places)) return;
    }
}

static void add_count(FILE *text, RLIndex count, const char *noun, const char *separator)
{
    fprintf(text, "%s%ld %s%s", separator, (long)count, noun, count == 1 ? "" : "s");
}

/* What is no UTF-8, and so no C string, is not worth more here. */
static void add_name_of_mode(FILE *text, RLRunLoopMode mode)
{
    const char *name = RLStringGetCStringPtr(mode, kRLStringEncodingUTF8);
    add_name(text, name ? name : "(not UTF-8)");
}

static void write_mode(FILE *text, RLRunLoopRef loop, RLRunLoopMode mode)
{
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
    fprintf(text, "\n");
}

static void add_modes(FILE *text, RLRunLoopRef loop)
{
    RLArrayRef modes = RLRunLoopCopyAllModes(loop);
    for (RLIndex i = 0; i < RLArrayGetCount(modes); i++) {
        write_mode(text, loop, RLArrayGetValueAtIndex(modes, i));
    }
    RLRelease(modes);
}

/* Writes `is in a timer for 12.3 ms, in mode kRLRunLoopDefaultMode`. */
static void add_doing(FILE *text, RLRunLoopRef loop, const RLRunLoopStatistics *now)
{
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
    fprintf(text, "\n");
}

static void add_callback(FILE *text, const RLRunLoopStatistics *now, struct places places)
{
    if (now->callout) {
        fprintf(text, "  calls ");
        add_function(text, now->callout, -1, places);
    }
    add_backtrace(text, now->threadID, places);
}

static void add_loop(FILE *text, RLRunLoopRef loop, struct places places)
{
    RLRunLoopStatistics now;
    RLRunLoopGetStatistics(loop, &now);
    add_thread(text, now.threadID);
    add_doing(text, loop, &now);
    if (now.phase >= kRLRunLoopPhaseObserver) add_callback(text, &now, places);
    add_modes(text, loop);
    fprintf(text, "  passes: %llu, asleep: ", (unsigned long long)now.passes);
    add_duration(text, now.nanosecondsAsleep);
    fprintf(text, ", awake: ");
    add_duration(text, now.nanosecondsRunning);
    fprintf(text, "\n");
}

static bool is_hidden(RLRunLoopRef loop)
{
    RLRunLoopStatistics now;
    RLRunLoopGetStatistics(loop, &now);
    return rl_thread_is_hidden(now.threadID);
}

/* Returns all loops but the inspector's, in an array that the caller owns. */
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

static char *copy_dump(struct places places)
{
    RL_UNCANCELED_HERE;
    char *characters = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&characters, &length);
    if (!text) abort();
    RLArrayRef loops = copy_shown_loops();
    RLIndex count = RLArrayGetCount(loops);
    fprintf(text, "--- process %d: %ld run loop%s\n", (int)getpid(), (long)count,
            count == 1 ? "" : "s");
    RLBacktraceBegin();
    for (RLIndex i = 0; i < count; i++) {
        add_loop(text, (RLRunLoopRef)(uintptr_t)RLArrayGetValueAtIndex(loops, i), places);
    }
    RLBacktraceEnd();
    fprintf(text, "--- end of run loops\n");
    RLRelease(loops);
    fclose(text);
    return characters;
}

char *RLRunLoopCopyDump(void)
{
    return copy_dump((struct places){.lines = RLSourceLinesGetOwn()});
}

char *RLRunLoopCopyDumpForViewer(Boolean hasMarks)
{
    return copy_dump((struct places){.are_marked = hasMarks});
}
