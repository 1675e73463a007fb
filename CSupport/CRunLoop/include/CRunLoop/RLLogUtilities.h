/*
 * Messages for whoever runs the program, on standard error.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLLOGUTILITIES_H
#define CRUNLOOP_RLLOGUTILITIES_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

/** The importance of a message. CF: CFLogLevel. */
typedef int32_t RLLogLevel;
enum {
    /** Nothing works. CF: kCFLogLevelEmergency. */
    kRLLogLevelEmergency = 0,
    /** To be mended at once. CF: kCFLogLevelAlert. */
    kRLLogLevelAlert = 1,
    /** A failure of what others need. CF: kCFLogLevelCritical. */
    kRLLogLevelCritical = 2,
    /** A failure. CF: kCFLogLevelError. */
    kRLLogLevelError = 3,
    /** Something will fail unless it is seen to. CF: kCFLogLevelWarning. */
    kRLLogLevelWarning = 4,
    /** Normal, and worth knowing. CF: kCFLogLevelNotice. */
    kRLLogLevelNotice = 5,
    /** Normal. CF: kCFLogLevelInfo. */
    kRLLogLevelInfo = 6,
    /** For those who look for mistakes. CF: kCFLogLevelDebug. */
    kRLLogLevelDebug = 7
};

/**
 * Writes a message to standard error in one piece, after the local date, the name of the program,
 * the number of the process and that of the thread: `2001-01-01 00:00:00.000 name[42:f00] message`.
 *
 * All levels are written alike. Nothing is written for an unknown level or an empty message.
 *
 * - Parameters:
 *   - level: One of the constants above.
 *   - format: As for RLStringCreateWithFormat, which lists its specifiers; arguments follow.
 * - CF: CFLog.
 */
RL_EXPORT void RLLog(RLLogLevel level, RLStringRef format, ...);

/**
 * Writes a message that is no format, as RLLog does; Swift cannot call that. CF: CFLog1 (private
 * there).
 */
RL_EXPORT void RLLog1(RLLogLevel level, RLStringRef message);

RL_EXTERN_C_END

#endif
