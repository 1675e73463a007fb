/*
 * Messages on standard error.
 */

#include "scenario.h"
#include "value_words.h"

#include <errno.h>

/* The output of a body to standard error, up to 4095 bytes. */
static char *logged_by(action body)
{
    char *text = calloc(1, 4096);
    int ends[2], before = dup(STDERR_FILENO);
    size_t length = 0;
    ssize_t more;

    at_end(^{ free(text); });
    check(pipe2(ends, O_CLOEXEC) == 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    body();
    dup2(before, STDERR_FILENO);
    close(before);
    while ((more = read(ends[0], text + length, 4095 - length)) > 0) length += (size_t)more;
    close(ends[0]);
    return text;
}

/* Returns the local time with which a line begins, in seconds since 1970. */
static double time_of_line(const char *line)
{
    struct tm date = {.tm_isdst = -1};
    const char *end = strptime(line, "%Y-%m-%d %H:%M:%S", &date);

    check(end && end[0] == '.' && end[4] == ' ');
    return (double)mktime(&date) + (end ? strtod(end, NULL) : 0);
}

/* The reference takes the name of the file, where the program may have been started as another. */
static bool is_name_of_program(const char *name)
{
    char path[4096] = "";

    check(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    return strcmp(name, program_invocation_short_name) == 0 ||
           strcmp(name, strrchr(path, '/') + 1) == 0;
}

static void log_head(void)
{
    char name[64] = "";
    int process = 0, length = 0;
    unsigned thread = 0;
    double before = RLAbsoluteTimeGetCurrent() + kRLAbsoluteTimeIntervalSince1970;

    const char *line = logged_by(^{ RLLog(kRLLogLevelError, text("it is %d %@"), 5, text("o'")); });
    double after = RLAbsoluteTimeGetCurrent() + kRLAbsoluteTimeIntervalSince1970;
    check(sscanf(line + 24, "%63[^[][%d:%x] %n", name, &process, &thread, &length) == 3);
    check(is_name_of_program(name));
    check(process == getpid());
    check(thread == (unsigned)(uintptr_t)pthread_self());
    /* It has milliseconds, cut off. */
    check(time_of_line(line) > before - 0.0015 && time_of_line(line) < after + 0.0015);
    check(strcmp(line + 24 + length, "it is 5 o'\n") == 0);
}
SCENARIO(log_head,
         .title = "A message has the local date, the program, the process and the thread",
         .clauses = "object base",
         .own_process = true)

/* Logs the text behind the head of each line. */
static void note_messages(const char *lines)
{
    for (const char *line = lines; *line; line = strchr(line, '\n') + 1) {
        const char *message = strstr(line, "] ");
        int length = (int)strcspn(line, "\n");
        if (!message || message > line + length) {
            note("\"%.*s\"", length, line);
        } else {
            note("%.*s", length - (int)(message + 2 - line), message + 2);
        }
    }
}

static void log_levels(void)
{
    note_messages(logged_by(^{
        for (int level = -2; level < 10; level++) RLLog(level, text("%d"), level);
    }));
}
SCENARIO(log_levels,
         .title = "All levels are written, and what is no level is not",
         .clauses = "object base",
         .own_process = true,
         .expected = "0; 1; 2; 3; 4; 5; 6; 7")

static void log_texts(void)
{
    note_messages(logged_by(^{
        RLLog(kRLLogLevelDebug, text(""));
        RLLog(kRLLogLevelDebug, text("two\nlines"));
        RLLog(kRLLogLevelDebug, text("ends\n"));
        RLLog(kRLLogLevelDebug, text("\xC3\xA4 %C"), 0x20AC);
        RLLog1(kRLLogLevelDebug, text("%d"));
        RLLog1(kRLLogLevelDebug, text(""));
        RLLog1(8, text("none"));
    }));
}
SCENARIO(log_texts,
         .title = "A message is written as it is, unless it is empty",
         .clauses = "object base",
         .own_process = true,
         .expected = "two; \"lines\"; ends; \"\"; \xC3\xA4 \xE2\x82\xAC; %d")

static void log_long(void)
{
    char *words = calloc(1, 3001);
    const char *line = logged_by(^{
        memset(words, 'x', 3000);
        RLLog(kRLLogLevelDebug, text("%s"), words);
    });
    const char *message = strstr(line, "] ");
    check(message && strlen(message) == 3003 && memcmp(message + 2, words, 3000) == 0);
    free(words);
}
SCENARIO(log_long,
         .title = "A long message is written whole",
         .clauses = "object base",
         .own_process = true)
