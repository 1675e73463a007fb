/*
 * Log messages on standard error. Each message is one write(2), unless the kernel accepts only a
 * part of it, so lines of several threads do not interleave.
 */

#include "base/system.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "strings/characters.h"

#include <CRunLoop/RLLogUtilities.h>
#include <CRunLoop/RLTimeZone.h>

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static void add_head(struct rl_text *text)
{
    int64_t now_ms = rl_kernel_wall_ns() / 1000000;
    double seconds = (double)(now_ms / 1000) - kRLAbsoluteTimeIntervalSince1970;
    RLTimeZoneRef zone = RLTimeZoneCopyDefault();
    RLGregorianDate date = RLAbsoluteTimeGetGregorianDate(seconds, zone);
    RLRelease(zone);
    rl_text_add(text, "%04d-%02d-%02d %02d:%02d:%02d.%03d %s[%d:%x] ", (int)date.year, date.month,
                date.day, date.hour, date.minute, (int)date.second, (int)(now_ms % 1000),
                program_invocation_short_name, (int)getpid(), (unsigned)(uintptr_t)pthread_self());
}

/* Replaces an unpaired surrogate with `?`. */
static void add_message(struct rl_text *text, RLStringRef message)
{
    RLRange all = {0, RLStringGetLength(message)};
    RLIndex most = RLStringGetMaximumSizeForEncoding(all.length, kRLStringEncodingUTF8);
    RLIndex length = 0;
    UInt8 *bytes = rl_allocate((size_t)most);
    RLStringGetBytes(message, all, kRLStringEncodingUTF8, '?', false, bytes, most, &length);
    rl_text_add_bytes(text, (const char *)bytes, (size_t)length);
    free(bytes);
}

static void write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = rl_file_write(STDERR_FILENO, bytes, length);
        if (count <= 0) return;
        bytes += count;
        length -= (size_t)count;
    }
}

static void log_message(RLLogLevel level, RLStringRef message)
{
    bool is_level = level >= kRLLogLevelEmergency && level <= kRLLogLevelDebug;
    if (!is_level || RLStringGetLength(message) == 0) return;
    struct rl_text text = {0};
    add_head(&text);
    add_message(&text, message);
    rl_text_add_bytes(&text, "\n", 1);
    write_all(text.characters, text.length);
    free(text.characters);
}

void RLLog(RLLogLevel level, RLStringRef format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct rl_text text = rl_format(__func__, format, arguments);
    va_end(arguments);
    RLStringRef message = rl_text_finish(&text);
    log_message(level, message);
    RLRelease(message);
}

void RLLog1(RLLogLevel level, RLStringRef message)
{
    rl_expect_string(message, __func__, "message");
    RLStringRef copy = RLStringCreateCopy(NULL, message);
    log_message(level, copy);
    RLRelease(copy);
}
