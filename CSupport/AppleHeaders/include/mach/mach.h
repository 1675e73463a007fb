/*
 * The Mach types that programs with run loops use, and the texts of errors. Linux has no Mach ports
 * or tasks, and this header declares no functions for them. A `mach_port_t` is a descriptor, for
 * CFMachPort (Docs/Porting.md).
 */

#ifndef CRUNLOOP_APPLE_MACH_MACH_H
#define CRUNLOOP_APPLE_MACH_MACH_H

#include <CRunLoop/CFCompatibility.h>
#include <mach/kern_return.h>
#include <mach/mach_error.h>
#include <stdint.h>

/** An unsigned integer of the processor's natural size. */
typedef unsigned int natural_t;
/** A signed integer of the processor's natural size. */
typedef int integer_t;
/** A Boolean value. */
typedef int boolean_t;
/** A memory address. */
typedef uintptr_t vm_address_t;
/** An offset in memory, in bytes. */
typedef uintptr_t vm_offset_t;
/** A size in bytes. */
typedef uintptr_t vm_size_t;
/** A memory address in any process. */
typedef uint64_t mach_vm_address_t;
/** A size in bytes, in any process. */
typedef uint64_t mach_vm_size_t;
/** A timeout in milliseconds. */
typedef natural_t mach_msg_timeout_t;
/** The identifier of a message. */
typedef integer_t mach_msg_id_t;
/** The size of a message in bytes. */
typedef natural_t mach_msg_size_t;

#endif
