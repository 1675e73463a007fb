#include "base/uncanceled.h"
#include "base/write_signals.h"
#include "values/string.h"

#include <stdio.h>

/* Prints a text in the internal encoding as UTF-8; replaces unpaired surrogates and NUL. */
static void print_line(const char *head, const char *inner)
{
    struct rl_write_signals before;
    rl_write_signals_block(&before);
    RL_UNCANCELED(fputs(head, stderr));
    const unsigned char *next = (const unsigned char *)inner;
    while (*next) {
        size_t length = rl_utf8_sequence_length(next);
        if (length > 0) {
            RL_UNCANCELED(fwrite(next, 1, length, stderr));
        } else {
            RL_UNCANCELED(fputs("\xEF\xBF\xBD", stderr));
            length = rl_inner_sequence_length(next);
        }
        next += length > 0 ? length : 1;
    }
    RL_UNCANCELED(fputs("\n", stderr));
    rl_write_signals_restore(&before, true);
}

RLStringRef RLCopyTypeIDDescription(RLTypeID typeID)
{
    bool is_type = typeID < RL_TYPE_LIMIT && rl_classes[typeID];
    if (!is_type) {
        rl_client_error(
            __func__,
            "argument `typeID` (%lu) is not the ID of a type: pass a result of RLGetTypeID",
            typeID);
    }
    return rl_string_format("%s", rl_classes[typeID]->name);
}

void RLShow(RLTypeRef object)
{
    if (!object) {
        print_line("", "(null)");
        return;
    }
    RLStringRef description = RLCopyDescription(object);
    print_line("", rl_string_characters(description));
    RLRelease(description);
}

void RLShowStr(RLStringRef string)
{
    if (!string) {
        print_line("", "(null)");
        return;
    }
    rl_expect_string(string, __func__, "string");
    RLStringRef copy = RLStringCreateCopy(NULL, string);
    const char *characters = rl_string_characters(copy);
    const char *kind = rl_string_is_constant(string)  ? "constant"
                       : rl_string_is_mutable(string) ? "mutable"
                                                      : "immutable";
    char head[128];
    snprintf(head, sizeof head, "<RLString %p>{%s, length = %ld, bytes = %zu, contents = \"",
             (const void *)string, kind, RLStringGetLength(copy), strlen(characters));
    print_line(head, characters);
    RLRelease(copy);
}
