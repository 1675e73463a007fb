/*
 * The completeness kit: a C program that names every API of CF's run loop in our spelling.
 *
 * If one is missing, or has another type than CF's after the rename, the kit does not compile. What
 * has an address stands in a list, so that a test can see that it was linked. The types are written
 * out a second time, and not taken from our headers, since they are what clients rely on.
 */

#ifndef COMPLETENESSKIT_H
#define COMPLETENESSKIT_H

/** A function or a constant. */
struct completeness_symbol {
    /** Its name. */
    const char *name;
    /** Where it is. */
    const void *address;
};

/** The functions and constants, `*ret_count` of them. */
const struct completeness_symbol *completeness_symbols(long *ret_count);

#endif
