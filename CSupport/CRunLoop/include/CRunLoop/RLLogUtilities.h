/*
 * Log messages on standard error.
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
    /** The system is unusable. CF: kCFLogLevelEmergency. */
    kRLLogLevelEmergency = 0,
    /** Immediate action is necessary. CF: kCFLogLevelAlert. */
    kRLLogLevelAlert = 1,
    /** A critical failure, which causes other failures. CF: kCFLogLevelCritical. */
    kRLLogLevelCritical = 2,
    /** A failure. CF: kCFLogLevelError. */
    kRLLogLevelError = 3,
    /** A condition that will lead to a failure. CF: kCFLogLevelWarning. */
    kRLLogLevelWarning = 4,
    /** A normal but significant condition. CF: kCFLogLevelNotice. */
    kRLLogLevelNotice = 5,
    /** Information. CF: kCFLogLevelInfo. */
    kRLLogLevelInfo = 6,
    /** Information for debugging. CF: kCFLogLevelDebug. */
    kRLLogLevelDebug = 7
};

/**
 * Writes a message to standard error with one system call. The line begins with the local date, the
 * program's name, the process ID and the thread ID: `2001-01-01 00:00:00.000 name[42:f00] message`.
 *
 * All levels are written in the same way. Nothing is written for an unknown level or an empty
 * message. RLStringCreateWithFormat lists the specifiers of the format. CF: CFLog.
 */
RL_EXPORT void RLLog(RLLogLevel level, RLStringRef format, ...);

/**
 * Writes a message like RLLog, without format specifiers; for Swift, which cannot call RLLog.
 * CF: CFLog1 (private in CF).
 */
RL_EXPORT void RLLog1(RLLogLevel level, RLStringRef message);

RL_EXTERN_C_END

#endif
