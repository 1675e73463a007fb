/*
 * The macros with which Apple's samples check for errors.
 *
 *     check(assertion)                       logs a false assertion, in debug builds only
 *     verify(assertion)                      the same, but evaluates the assertion in all builds
 *     require(assertion, label)              the same as verify, and jumps to the label
 *
 * Each macro has variants: `_noerr` expects an error code of 0 instead of a true assertion,
 * `_action` also runs a statement on failure, `_string` prints an additional text, `_quiet` prints
 * nothing, and the prefix `n` expects a false assertion. All names also exist in the form
 * `__Require_noErr`. If __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES is 0, only that form is
 * defined.
 *
 * A program may define these macros before it includes this header:
 *
 * - DEBUG_ASSERT_PRODUCTION_CODE: 1 for builds that print nothing, 0 for debug builds. The default
 *   is 0 if DEBUG is defined and not 0, otherwise 1.
 * - DEBUG_ASSERT_MESSAGE: called on failure in debug builds, with the component, the assertion, the
 *   label or null, the text or null, the file, the line and the error code. The default prints a
 *   line to standard error.
 * - DEBUG_ASSERT_COMPONENT_NAME_STRING: the component.
 * - DEBUG_ASSERT_CONFIG_INCLUDE: a header that defines these macros.
 */

/* A program that has its own macros defines __ASSERTMACROS__; this header then defines nothing. */
#ifndef __ASSERTMACROS__
#define __ASSERTMACROS__

#include <stddef.h>

#ifdef DEBUG_ASSERT_CONFIG_INCLUDE
#include DEBUG_ASSERT_CONFIG_INCLUDE
#endif

#ifndef DEBUG_ASSERT_COMPONENT_NAME_STRING
#define DEBUG_ASSERT_COMPONENT_NAME_STRING ""
#endif

#ifndef DEBUG_ASSERT_PRODUCTION_CODE
#if defined(DEBUG) && DEBUG + 0
#define DEBUG_ASSERT_PRODUCTION_CODE 0
#else
#define DEBUG_ASSERT_PRODUCTION_CODE 1
#endif
#endif

#ifndef DEBUG_ASSERT_MESSAGE
#include <stdio.h>

#define DEBUG_ASSERT_MESSAGE(component, assertion, label, message, file, line, value)              \
    rl_apple_assertion_failed(component, assertion, label, message, file, line, value)

/** Prints a failed assertion in the format of Apple's macros. */
__attribute__((unused)) static inline void
rl_apple_assertion_failed(const char *component, const char *assertion, const char *label,
                          const char *message, const char *file, int line, long value)
{
    (void)component;
    (void)label;
    fprintf(stderr, "AssertMacros: %s, %s file: %s, line: %d, value: %ld\n", assertion,
            message ? message : "", file, line, value);
}
#endif

/* --- Common parts of the macros --------------------------------------------------------------- */

#if DEBUG_ASSERT_PRODUCTION_CODE
#define RL_ASSERT_SAY(text, label, message, value) ((void)0)
#define RL_ASSERT_CHECK(check) ((void)0)
#else
#define RL_ASSERT_SAY(text, label, message, value)                                                 \
    DEBUG_ASSERT_MESSAGE(DEBUG_ASSERT_COMPONENT_NAME_STRING, text, label, message, __FILE__,       \
                         __LINE__, value)
#define RL_ASSERT_CHECK(check) check
#endif

/*
 * If the assertion is false, RL_ASSERT runs `say` and then `action`. RL_ASSERT_NOERR does so if the
 * error is not 0.
 */
#define RL_ASSERT(assertion, say, action)                                                          \
    do {                                                                                           \
        if (__builtin_expect(!(assertion), 0)) {                                                   \
            say;                                                                                   \
            action;                                                                                \
        }                                                                                          \
    } while (0)
#define RL_ASSERT_NOERR(error, say, action)                                                        \
    do {                                                                                           \
        long rl_error = (long)(error);                                                             \
        if (__builtin_expect(rl_error != 0, 0)) {                                                  \
            say;                                                                                   \
            action;                                                                                \
        }                                                                                          \
    } while (0)
/* Runs `action`, which may be a declaration, and then jumps to the label. */
#define RL_ASSERT_GO(action, label)                                                                \
    {                                                                                              \
        action;                                                                                    \
    }                                                                                              \
    goto label

/* --- check and verify ------------------------------------------------------------------------- */

#define __Debug_String(message) RL_ASSERT_CHECK(RL_ASSERT_SAY("", NULL, message, 0))

#define __Verify(assertion) RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, NULL, NULL, 0), )
#define __Verify_String(assertion, message)                                                        \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, NULL, message, 0), )
#define __Verify_Action(assertion, action)                                                         \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, NULL, NULL, 0), action)
#define __Verify_noErr(error)                                                                      \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", NULL, NULL, rl_error), )
#define __Verify_noErr_String(error, message)                                                      \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", NULL, message, rl_error), )
#define __Verify_noErr_Action(error, action)                                                       \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", NULL, NULL, rl_error), action)
#define __nVerify(assertion) __Verify(!(assertion))
#define __nVerify_String(assertion, message) __Verify_String(!(assertion), message)

#define __Check(assertion)                                                                         \
    RL_ASSERT_CHECK(RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, NULL, NULL, 0), ))
#define __Check_String(assertion, message)                                                         \
    RL_ASSERT_CHECK(RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, NULL, message, 0), ))
#define __Check_noErr(error)                                                                       \
    RL_ASSERT_CHECK(RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", NULL, NULL, rl_error), ))
#define __Check_noErr_String(error, message)                                                       \
    RL_ASSERT_CHECK(                                                                               \
        RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", NULL, message, rl_error), ))
#define __nCheck(assertion) __Check(!(assertion))
#define __nCheck_String(assertion, message) __Check_String(!(assertion), message)

/* --- require ---------------------------------------------------------------------------------- */

#define __Require(assertion, label)                                                                \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, #label, NULL, 0), goto label)
#define __Require_Action(assertion, label, action)                                                 \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, #label, NULL, 0), RL_ASSERT_GO(action, label))
#define __Require_Action_Quiet(assertion, label, action)                                           \
    RL_ASSERT(assertion, , RL_ASSERT_GO(action, label))
#define __Require_Action_String(assertion, label, action, message)                                 \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, #label, message, 0), RL_ASSERT_GO(action, label))
#define __Require_Quiet(assertion, label) RL_ASSERT(assertion, , goto label)
#define __Require_String(assertion, label, message)                                                \
    RL_ASSERT(assertion, RL_ASSERT_SAY(#assertion, #label, message, 0), goto label)

#define __Require_noErr(error, label)                                                              \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", #label, NULL, rl_error), goto label)
#define __Require_noErr_Action(error, label, action)                                               \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", #label, NULL, rl_error),                 \
                    RL_ASSERT_GO(action, label))
#define __Require_noErr_Action_Quiet(error, label, action)                                         \
    RL_ASSERT_NOERR(error, , RL_ASSERT_GO(action, label))
#define __Require_noErr_Action_String(error, label, action, message)                               \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", #label, message, rl_error),              \
                    RL_ASSERT_GO(action, label))
#define __Require_noErr_Quiet(error, label) RL_ASSERT_NOERR(error, , goto label)
#define __Require_noErr_String(error, label, message)                                              \
    RL_ASSERT_NOERR(error, RL_ASSERT_SAY(#error " == 0 ", #label, message, rl_error), goto label)

#define __nRequire(assertion, label) __Require(!(assertion), label)
#define __nRequire_Action(assertion, label, action) __Require_Action(!(assertion), label, action)
#define __nRequire_Action_Quiet(assertion, label, action)                                          \
    __Require_Action_Quiet(!(assertion), label, action)
#define __nRequire_Action_String(assertion, label, action, message)                                \
    __Require_Action_String(!(assertion), label, action, message)
#define __nRequire_Quiet(assertion, label) __Require_Quiet(!(assertion), label)
#define __nRequire_String(assertion, label, message) __Require_String(!(assertion), label, message)

/* --- For the compiler ------------------------------------------------------------------------- */

#if defined(__cplusplus)
#define __Check_Compile_Time(expression) static_assert(expression, "check_compile_time")
#else
#define __Check_Compile_Time(expression) _Static_assert(expression, "check_compile_time")
#endif
/* A check at compile time, for places where a statement is allowed but a declaration is not. */
#define __Check_Compile_Time_Code(expression)                                                      \
    do {                                                                                           \
        __Check_Compile_Time(expression);                                                          \
    } while (0)

/* --- Without underscores ---------------------------------------------------------------------- */

#ifndef __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 1
#endif

#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#ifndef debug_string
#define debug_string(message) __Debug_String(message)
#endif
#ifndef check
#define check(assertion) __Check(assertion)
#endif
#ifndef check_string
#define check_string(assertion, message) __Check_String(assertion, message)
#endif
#ifndef check_noerr
#define check_noerr(error) __Check_noErr(error)
#endif
#ifndef check_noerr_string
#define check_noerr_string(error, message) __Check_noErr_String(error, message)
#endif
#ifndef ncheck
#define ncheck(assertion) __nCheck(assertion)
#endif
#ifndef ncheck_string
#define ncheck_string(assertion, message) __nCheck_String(assertion, message)
#endif
#ifndef verify
#define verify(assertion) __Verify(assertion)
#endif
#ifndef verify_string
#define verify_string(assertion, message) __Verify_String(assertion, message)
#endif
#ifndef verify_action
#define verify_action(assertion, action) __Verify_Action(assertion, action)
#endif
#ifndef verify_noerr
#define verify_noerr(error) __Verify_noErr(error)
#endif
#ifndef verify_noerr_string
#define verify_noerr_string(error, message) __Verify_noErr_String(error, message)
#endif
#ifndef verify_noerr_action
#define verify_noerr_action(error, action) __Verify_noErr_Action(error, action)
#endif
#ifndef nverify
#define nverify(assertion) __nVerify(assertion)
#endif
#ifndef nverify_string
#define nverify_string(assertion, message) __nVerify_String(assertion, message)
#endif
#ifndef require
#define require(assertion, label) __Require(assertion, label)
#endif
#ifndef require_action
#define require_action(assertion, label, action) __Require_Action(assertion, label, action)
#endif
#ifndef require_action_quiet
#define require_action_quiet(assertion, label, action)                                             \
    __Require_Action_Quiet(assertion, label, action)
#endif
#ifndef require_action_string
#define require_action_string(assertion, label, action, message)                                   \
    __Require_Action_String(assertion, label, action, message)
#endif
#ifndef require_quiet
#define require_quiet(assertion, label) __Require_Quiet(assertion, label)
#endif
#ifndef require_string
#define require_string(assertion, label, message) __Require_String(assertion, label, message)
#endif
#ifndef require_noerr
#define require_noerr(error, label) __Require_noErr(error, label)
#endif
#ifndef require_noerr_action
#define require_noerr_action(error, label, action) __Require_noErr_Action(error, label, action)
#endif
#ifndef require_noerr_action_quiet
#define require_noerr_action_quiet(error, label, action)                                           \
    __Require_noErr_Action_Quiet(error, label, action)
#endif
#ifndef require_noerr_action_string
#define require_noerr_action_string(error, label, action, message)                                 \
    __Require_noErr_Action_String(error, label, action, message)
#endif
#ifndef require_noerr_quiet
#define require_noerr_quiet(error, label) __Require_noErr_Quiet(error, label)
#endif
#ifndef require_noerr_string
#define require_noerr_string(error, label, message) __Require_noErr_String(error, label, message)
#endif
#ifndef nrequire
#define nrequire(assertion, label) __nRequire(assertion, label)
#endif
#ifndef nrequire_action
#define nrequire_action(assertion, label, action) __nRequire_Action(assertion, label, action)
#endif
#ifndef nrequire_action_quiet
#define nrequire_action_quiet(assertion, label, action)                                            \
    __nRequire_Action_Quiet(assertion, label, action)
#endif
#ifndef nrequire_action_string
#define nrequire_action_string(assertion, label, action, message)                                  \
    __nRequire_Action_String(assertion, label, action, message)
#endif
#ifndef nrequire_quiet
#define nrequire_quiet(assertion, label) __nRequire_Quiet(assertion, label)
#endif
#ifndef nrequire_string
#define nrequire_string(assertion, label, message) __nRequire_String(assertion, label, message)
#endif
#ifndef check_compile_time
#define check_compile_time(expression) __Check_Compile_Time(expression)
#endif
#ifndef check_compile_time_code
#define check_compile_time_code(expression) __Check_Compile_Time_Code(expression)
#endif
#endif

#endif
