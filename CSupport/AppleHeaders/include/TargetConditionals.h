/*
 * The macros of Apple's header for the system and the processor. The system is Linux, so all macros
 * for Apple's systems are 0.
 */

#ifndef CRUNLOOP_APPLE_TARGETCONDITIONALS_H
#define CRUNLOOP_APPLE_TARGETCONDITIONALS_H

#include <CRunLoop/RLTargetConditionals.h>

#define TARGET_IPHONE_SIMULATOR 0
#define TARGET_OS_BRIDGE 0
#define TARGET_OS_DRIVERKIT 0
#define TARGET_OS_IOSMAC 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_NANO 0
#define TARGET_OS_UIKITFORMAC 0
#define TARGET_OS_VISION 0

#define TARGET_CPU_68K 0
#define TARGET_CPU_ALPHA 0
#define TARGET_CPU_MIPS 0
#define TARGET_CPU_PPC 0
#define TARGET_CPU_PPC64 0
#define TARGET_CPU_SPARC 0
#if defined(__i386__)
#define TARGET_CPU_X86 1
#else
#define TARGET_CPU_X86 0
#endif
#if defined(__x86_64__)
#define TARGET_CPU_X86_64 1
#else
#define TARGET_CPU_X86_64 0
#endif
#if defined(__arm__)
#define TARGET_CPU_ARM 1
#else
#define TARGET_CPU_ARM 0
#endif
#if defined(__aarch64__)
#define TARGET_CPU_ARM64 1
#else
#define TARGET_CPU_ARM64 0
#endif

#define TARGET_API_MAC_CARBON 0
#define TARGET_API_MAC_OSX 0
#define TARGET_RT_MAC_CFM 0
#define TARGET_RT_MAC_MACHO 0

#endif
