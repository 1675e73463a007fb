/*
 * Each macro of AssertMacros.h with what is true, and then with what is false: which branch it
 * takes, and what it prints. run.sh compiles this for debug builds, for others, and with a
 * DEBUG_ASSERT_MESSAGE of its own.
 */

#include <stdio.h>

#if defined(OWN_MESSAGE)
#define DEBUG_ASSERT_COMPONENT_NAME_STRING "own"
#define DEBUG_ASSERT_MESSAGE(component, assertion, label, message, file, line, value)              \
    Report(component, assertion, label, message, file, line, value)
static void Report(const char *component, const char *assertion, const char *label,
                   const char *message, const char *file, int line, long value)
{
    printf("%s: %s, %s, %s, %s, %d, %ld\n", component, assertion, label ? label : "no label",
           message ? message : "no message", file, line > 0, value);
}
#endif

#include <AssertMacros.h>

#define FALSE_IF_BAD (good == 1)
#define ERROR_IF_BAD (good == 1 ? 0 : -50)

/* Functions return 1 if the macro continues, 2 if its action ran, 3 if it jumped, 32 if both. */
#define GOES_ON(name, statement)                                                                   \
    static int name(int good)                                                                      \
    {                                                                                              \
        int result = 1;                                                                            \
        (void)good;                                                                                \
        statement;                                                                                 \
        return result;                                                                             \
    }
#define MAY_LEAVE(name, statement)                                                                 \
    static int name(int good)                                                                      \
    {                                                                                              \
        int result = 1, acted = 0;                                                                 \
        statement;                                                                                 \
        return result;                                                                             \
    bail:                                                                                          \
        return acted ? 32 : 3;                                                                     \
    }

GOES_ON(Check, check(FALSE_IF_BAD))
GOES_ON(CheckString, check_string(FALSE_IF_BAD, "text"))
GOES_ON(CheckNoErr, check_noerr(ERROR_IF_BAD))
GOES_ON(CheckNoErrString, check_noerr_string(ERROR_IF_BAD, "text"))
GOES_ON(NCheck, ncheck(good == 0))
GOES_ON(NCheckString, ncheck_string(good == 0, "text"))
GOES_ON(Verify, verify(FALSE_IF_BAD))
GOES_ON(VerifyString, verify_string(FALSE_IF_BAD, "text"))
GOES_ON(VerifyAction, verify_action(FALSE_IF_BAD, result = 2))
GOES_ON(VerifyNoErr, verify_noerr(ERROR_IF_BAD))
GOES_ON(VerifyNoErrString, verify_noerr_string(ERROR_IF_BAD, "text"))
GOES_ON(VerifyNoErrAction, verify_noerr_action(ERROR_IF_BAD, result = 2))
GOES_ON(NVerify, nverify(good == 0))
GOES_ON(NVerifyString, nverify_string(good == 0, "text"))

MAY_LEAVE(Require, require(FALSE_IF_BAD, bail))
MAY_LEAVE(RequireAction, require_action(FALSE_IF_BAD, bail, acted = 1))
MAY_LEAVE(RequireActionQuiet, require_action_quiet(FALSE_IF_BAD, bail, acted = 1))
MAY_LEAVE(RequireActionString, require_action_string(FALSE_IF_BAD, bail, acted = 1, "text"))
MAY_LEAVE(RequireQuiet, require_quiet(FALSE_IF_BAD, bail))
MAY_LEAVE(RequireString, require_string(FALSE_IF_BAD, bail, "text"))
MAY_LEAVE(RequireNoErr, require_noerr(ERROR_IF_BAD, bail))
MAY_LEAVE(RequireNoErrAction, require_noerr_action(ERROR_IF_BAD, bail, acted = 1))
MAY_LEAVE(RequireNoErrActionQuiet, require_noerr_action_quiet(ERROR_IF_BAD, bail, acted = 1))
MAY_LEAVE(RequireNoErrActionString,
          require_noerr_action_string(ERROR_IF_BAD, bail, acted = 1, "text"))
MAY_LEAVE(RequireNoErrQuiet, require_noerr_quiet(ERROR_IF_BAD, bail))
MAY_LEAVE(RequireNoErrString, require_noerr_string(ERROR_IF_BAD, bail, "text"))
MAY_LEAVE(NRequire, nrequire(good == 0, bail))
MAY_LEAVE(NRequireAction, nrequire_action(good == 0, bail, acted = 1))
MAY_LEAVE(NRequireActionQuiet, nrequire_action_quiet(good == 0, bail, acted = 1))
MAY_LEAVE(NRequireActionString, nrequire_action_string(good == 0, bail, acted = 1, "text"))
MAY_LEAVE(NRequireQuiet, nrequire_quiet(good == 0, bail))
MAY_LEAVE(NRequireString, nrequire_string(good == 0, bail, "text"))

#define TRY(function)                                                                              \
    do {                                                                                           \
        printf("%s\n", #function);                                                                 \
        int whenTrue = function(1);                                                                \
        printf("%d, %d\n", whenTrue, function(0));                                                 \
    } while (0)

/* Between an `if` and an `else` each macro is one statement. */
/* clang-format off */
static int Dangling(int good, int other)
{
    if (other) require_quiet(good, bail);
    else return 1;
    return 2;
bail:
    return 3;
}
/* clang-format on */

check_compile_time(sizeof(char) == 1);

int main(void)
{
    int evaluated = 0;
    setvbuf(stdout, NULL, _IONBF, 0);

    TRY(Check);
    TRY(CheckString);
    TRY(CheckNoErr);
    TRY(CheckNoErrString);
    TRY(NCheck);
    TRY(NCheckString);
    TRY(Verify);
    TRY(VerifyString);
    TRY(VerifyAction);
    TRY(VerifyNoErr);
    TRY(VerifyNoErrString);
    TRY(VerifyNoErrAction);
    TRY(NVerify);
    TRY(NVerifyString);
    TRY(Require);
    TRY(RequireAction);
    TRY(RequireActionQuiet);
    TRY(RequireActionString);
    TRY(RequireQuiet);
    TRY(RequireString);
    TRY(RequireNoErr);
    TRY(RequireNoErrAction);
    TRY(RequireNoErrActionQuiet);
    TRY(RequireNoErrActionString);
    TRY(RequireNoErrQuiet);
    TRY(RequireNoErrString);
    TRY(NRequire);
    TRY(NRequireAction);
    TRY(NRequireActionQuiet);
    TRY(NRequireActionString);
    TRY(NRequireQuiet);
    TRY(NRequireString);

    printf("%d %d %d\n", Dangling(1, 1), Dangling(0, 1), Dangling(0, 0));
    debug_string("a text alone");
    check_compile_time_code(sizeof(char) == 1);
    check(++evaluated > 0);
    check_noerr(evaluated++ < 0);
    printf("evaluated: %d", evaluated);
    verify(++evaluated > 0);
    verify_noerr(evaluated++ < 0);
    printf(", %d\n", evaluated);
    return 0;
}
