/*
 * Defines the macros of Apple's TargetConditionals.h for C and C++, with the values of
 * CoreFoundation for Linux. Ours, no CF counterpart.
 */

#ifndef CRUNLOOP_RLTARGETCONDITIONALS_H
#define CRUNLOOP_RLTARGETCONDITIONALS_H

#ifndef __TARGETCONDITIONALS__
#define __TARGETCONDITIONALS__
#define TARGET_OS_ANDROID 0
#define TARGET_OS_BSD 0
#define TARGET_OS_CYGWIN 0
#define TARGET_OS_DARWIN 0
#define TARGET_OS_EMBEDDED 0
#define TARGET_OS_IOS 0
#define TARGET_OS_IPHONE 0
#define TARGET_OS_LINUX 1
#define TARGET_OS_MAC 0
#define TARGET_OS_OSX 0
#define TARGET_OS_SIMULATOR 0
#define TARGET_OS_TV 0
#define TARGET_OS_UNIX 0
#define TARGET_OS_WASI 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_WIN32 0
#define TARGET_OS_WINDOWS 0
#define TARGET_RT_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define TARGET_RT_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define TARGET_RT_64_BIT (__SIZEOF_POINTER__ == 8)
#endif

#endif
