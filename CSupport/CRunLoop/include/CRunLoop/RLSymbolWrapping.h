/*
 * Functions for libraries that describe objects: symbol names and printable text. Programs do not
 * need these functions.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLSYMBOLWRAPPING_H
#define CRUNLOOP_RLSYMBOLWRAPPING_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

/**
 * Returns the name of the function at an address: a symbol of the program or of a library, even if
 * the symbol is not exported, unless the file was stripped. Also finds the names of data, such as
 * the metadata of a Swift class.
 *
 * - Parameters:
 *   - address: Any address in the function.
 *   - ret_offset: Receives the offset of the address from the beginning of the function or, if
 *     there is no name, of the file.
 *   - ret_file: Receives the path of the program or library, which the caller frees, or null.
 * - Returns: The name, which the caller frees, or null if there is none. Names of Swift and C++ are
 *   demangled.
 */
RL_EXPORT char *RLSymbolCopyName(const void *address, UInt64 *ret_offset, char **ret_file);

/**
 * Resolves a thunk: for a function that the Swift compiler generated to call a closure, returns the
 * closure's function; for any other function, returns the function itself.
 *
 * - Parameter address: The address of the function.
 */
RL_EXPORT const void *RLSymbolGetClosure(const void *address);

/**
 * Returns the demangled name of a function. C++ names are demangled if the C++ runtime is in the
 * process, and names of another language if RLSymbolSetLanguage has set the language. Other names
 * are returned unchanged.
 *
 * - Parameter name: The name as the linker uses it.
 * - Returns: The name, which the caller frees.
 */
RL_EXPORT char *RLSymbolCopyReadableName(const char *name);

/** The functions that demangle the names of a language other than C and C++. CF: none. */
typedef struct {
    /**
     * Returns the demangled form of a name, which the caller frees, or null for a name of another
     * language.
     */
    char *(*copyReadableName)(const char *name);
    /** Shortens a demangled name in place, for a description. */
    void (*shortenName)(char *name);
} RLLanguage;

/**
 * Sets the language whose names are demangled in descriptions and traces.
 *
 * Without this call, the names stay mangled. A later call replaces the language.
 *
 * - Parameter language: The functions of the language, which may be called on any thread. The
 *   structure must stay valid forever.
 * - CF: none.
 */
RL_EXPORT void RLSymbolSetLanguage(const RLLanguage *language);

/**
 * Returns text that is safe to print in a line of a terminal or of a log. Names of threads, modes
 * and programs can have any bytes.
 *
 * Control characters, line ends, characters that change the direction of text, and bytes that are
 * not UTF-8 are escaped, as in `\n`, `\u{1b}` and `\xff`. Backslashes are unchanged.
 *
 * - Parameters:
 *   - text: The text, which may contain NUL bytes and must end with a NUL.
 *   - length: The number of bytes, without the last NUL.
 * - Returns: The text in UTF-8 with a NUL at its end, which the caller frees.
 */
RL_EXPORT char *RLTextCopyPrintable(const char *text, RLIndex length);

/**
 * Returns a description of the closure that a library's callback calls, for the description of a
 * context: `<closure>{callout = closure #1 in main (0x55d0c2a4)}`.
 *
 * - Parameter function: The address of the function, or null if it is not known.
 * - Returns: A string that the caller owns.
 */
RL_EXPORT RLStringRef RLRunLoopCopyClosureDescription(const void *function) RL_RETURNS_RETAINED;

RL_EXTERN_C_END

#endif
