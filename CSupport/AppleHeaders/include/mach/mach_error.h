/* The texts of the result codes of Mach functions. */

#ifndef CRUNLOOP_APPLE_MACH_MACH_ERROR_H
#define CRUNLOOP_APPLE_MACH_MACH_ERROR_H

#include <mach/kern_return.h>
#include <stdbool.h>
#include <stdio.h>

#if defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/** A result code, the same as kern_return_t. */
typedef kern_return_t mach_error_t;

/** Returns the text of a result code. Do not modify or free the text. */
__attribute__((unused)) static inline char *mach_error_string(mach_error_t error)
{
    static char unknown[] = "unknown error code";
    static char texts[][40] = {
        "(os/kern) successful",
        "(os/kern) invalid address",
        "(os/kern) protection failure",
        "(os/kern) no space available",
        "(os/kern) invalid argument",
        "(os/kern) failure",
        "(os/kern) resource shortage",
        "(os/kern) not receiver",
        "(os/kern) no access",
        "(os/kern) memory failure",
        "(os/kern) memory error",
        "(os/kern) already in set",
        "(os/kern) not in set",
        "(os/kern) name exists",
        "(os/kern) aborted",
        "(os/kern) invalid name",
        "(os/kern) invalid task",
        "(os/kern) invalid right",
        "(os/kern) invalid value",
        "(os/kern) urefs overflow",
        "(os/kern) invalid capability",
        "(os/kern) right exists",
        "(os/kern) invalid host",
        "(os/kern) memory present",
        "(os/kern) memory data moved",
        "(os/kern) memory restart copy",
        "(os/kern) invalid processor set",
        "(os/kern) policy limit",
        "(os/kern) invalid policy",
        "(os/kern) invalid object",
        "(os/kern) already waiting",
        "(os/kern) default set",
        "(os/kern) exception protected",
        "(os/kern) invalid ledger",
        "(os/kern) invalid memory control",
        "(os/kern) invalid security",
        "(os/kern) not depressed",
        "(os/kern) terminated",
        "(os/kern) lock set destroyed",
        "(os/kern) lock unstable",
        "(os/kern) lock owned",
        "(os/kern) lock owned self",
        "(os/kern) semaphore destroyed",
        "(os/kern) rpc server terminated",
        "(os/kern) rpc terminate orphan",
        "(os/kern) rpc continue orphan",
        "(os/kern) not supported",
        "(os/kern) node down",
        "(os/kern) not waiting",
        "(os/kern) operation timed out",
    };
    bool is_known = error >= 0 && error < (mach_error_t)(sizeof texts / sizeof *texts);
    return is_known ? texts[error] : unknown;
}

/** Prints a text and the text of a result code to standard error. */
__attribute__((unused)) static inline void mach_error(const char *text, mach_error_t error)
{
    fprintf(stderr, "%s %s (%x)\n", text, mach_error_string(error), (unsigned int)error);
}

#if defined(__cplusplus)
#pragma GCC diagnostic pop
#endif

#endif
