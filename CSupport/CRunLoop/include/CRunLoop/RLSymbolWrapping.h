/*
 * The names of functions, and printable text, for libraries that describe objects. Programs do not
 * need it.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLSYMBOLWRAPPING_H
#define CRUNLOOP_RLSYMBOLWRAPPING_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

/**
 * The name of the function at an address: a symbol of the program or of a library, one that is not
 * exported included, as long as the file has not been stripped. Data has a name too, such as the
 * metadata of a class of Swift's.
 *
 * - Parameters:
 *   - address: Any address in the function.
 *   - ret_offset: Receives the distance of the address from the beginning of the function, or from
 *     that of the file if there is no name.
 *   - ret_file: Receives the path of the program or library, or null; to be freed by the caller.
 * - Returns: The name, readable if it was one of Swift's or C++'s; to be freed by the caller. Null
 *   if there is none.
 */
RL_EXPORT char *RLSymbolCopyName(const void *address, UInt64 *ret_offset, char **ret_file);

/**
 * Resolves a thunk: for a function that Swift's compiler has made to call a closure, returns the
 * closure; for any other, the function itself.
 *
 * - Parameter address: The address of the function.
 */
RL_EXPORT const void *RLSymbolGetClosure(const void *address);

/**
 * The readable name of a function: names of C++ are demangled if its runtime is in the process, and
 * those of the language that RLSymbolSetLanguage has set. Other names stay as they are.
 *
 * - Parameter name: The name as it is linked.
 * - Returns: To be freed by the caller.
 */
RL_EXPORT char *RLSymbolCopyReadableName(const char *name);

/** The functions of a language other than C and C++ for the names of its functions. CF: none. */
typedef struct {
    /**
     * Returns the readable form of a mangled name, which the caller releases by `free`; null for a
     * name of another language.
     */
    char *(*copyReadableName)(const char *name);
    /** Shortens a readable name in place, for a description. */
    void (*shortenName)(char *name);
} RLLanguage;

/**
 * Sets the language whose names descriptions and traces show in their readable form.
 *
 * Without it the names of its functions stay mangled. A later call replaces the language.
 *
 * - Parameter language: Must stay valid forever. Its functions may be called on any thread.
 * - CF: none.
 */
RL_EXPORT void RLSymbolSetLanguage(const RLLanguage *language);

/**
 * Text that is safe to show in a line of a terminal or of a log: names of threads, modes and
 * programs can have any bytes.
 *
 * Control characters, line ends, characters that change the direction of text, and bytes that are
 * not UTF-8 become visible, as in `\n`, `\u{1b}` and `\xff`. Backslashes are unchanged.
 *
 * - Parameters:
 *   - text: The text, which may contain NUL bytes, and ends with one.
 *   - length: The number of bytes, without the last NUL.
 * - Returns: The text in UTF-8, with a NUL at its end; to be freed by the caller.
 */
RL_EXPORT char *RLTextCopyPrintable(const char *text, RLIndex length);

/**
 * A description of the closure that a library's callout calls in the end, for the description of a
 * context: `<closure>{callout = closure #1 in main (0x55d0c2a4)}`.
 *
 * - Parameter function: The address of the function, or null if it is not known.
 * - Returns: A new string.
 */
RL_EXPORT RLStringRef RLRunLoopCopyClosureDescription(const void *function) RL_RETURNS_RETAINED;

RL_EXTERN_C_END

#endif
