/*
 * The types of Mach that programs name beside a run loop, and texts for errors. There are no ports
 * and tasks of Mach here, and no function that pretends so: a `mach_port_t` is a descriptor, for
 * CFMachPort (Docs/Porting.md).
 */

#ifndef CRUNLOOP_APPLE_MACH_MACH_H
#define CRUNLOOP_APPLE_MACH_MACH_H

#include <CRunLoop/CFCompatibility.h>
#include <mach/kern_return.h>
#include <mach/mach_error.h>
#include <stdint.h>

/** An unsigned integer of the processor's preferred size. */
typedef unsigned int natural_t;
/** A signed integer of that size. */
typedef int integer_t;
/** A Boolean. */
typedef int boolean_t;
/** An address. */
typedef uintptr_t vm_address_t;
/** A distance in memory. */
typedef uintptr_t vm_offset_t;
/** A number of bytes. */
typedef uintptr_t vm_size_t;
/** An address in any process. */
typedef uint64_t mach_vm_address_t;
/** A number of bytes in any process. */
typedef uint64_t mach_vm_size_t;
/** Milliseconds. */
typedef natural_t mach_msg_timeout_t;
/** The number of a message. */
typedef integer_t mach_msg_id_t;
/** A number of bytes of a message. */
typedef natural_t mach_msg_size_t;

#endif
