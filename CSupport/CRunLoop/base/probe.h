/*
 * Static probes: places at which perf, bpftrace, SystemTap and gdb can look into any process that
 * has the engine. Each is one no-op until one of them asks for it. `readelf -n` lists them; the
 * provider is `crunloop`. A mode is its name, a C string. The arguments:
 *
 *     run_begin, sleep            loop, mode
 *     run_end                     loop, result: an RLRunLoopRunResult
 *     wake_up                     loop, mode, the source whose descriptor is ready or null, what
 *                                 ended the sleep: an RLRunLoopWakeReason
 *     callout_begin, callout_end  loop, mode, item or null for the main queue, function
 *
 *     perf buildid-cache --add ./app && perf probe 'sdt_crunloop:*'
 *     bpftrace -e 'usdt:./app:crunloop:callout_begin { @[usym(arg3)] = count(); }'
 *
 * They are there if <sys/sdt.h> is; -DRL_HAS_PROBES=0 or =1 decides otherwise.
 */

#ifndef RL_PROBE_H
#define RL_PROBE_H

#if !defined(RL_HAS_PROBES)
#if __has_include(<sys/sdt.h>)
#define RL_HAS_PROBES 1
#else
#define RL_HAS_PROBES 0
#endif
#endif

#if RL_HAS_PROBES
/*
 * Arguments in registers: clang would write them to memory first if it could, and perf drops
 * constants, with which the places of a probe differ, so that the kernel takes none of them.
 */
#define STAP_SDT_ARG_CONSTRAINT r
#define SDT_USE_VARIADIC
#include <sys/sdt.h>
#define RL_PROBE(...) STAP_PROBEV(crunloop, __VA_ARGS__)
#else
#define RL_PROBE(...) ((void)0)
#endif

#endif
