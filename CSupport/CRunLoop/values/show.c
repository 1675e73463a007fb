/*
 * Objects and types in words, on standard error or as strings.
 */

#include "base/uncanceled.h"
#include "values/string.h"

#include <stdio.h>

/*
 * Prints inner text as a line of UTF-8. Half a pair of surrogates and NUL are printed as a
 * replacement.
 */
static void print_line(const char *inner)
{
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
}

RLStringRef RLCopyTypeIDDescription(RLTypeID typeID)
{
    bool is_type = typeID < RL_TYPE_LIMIT && rl_classes[typeID];
    if (!is_type) rl_client_error(__func__, "there is no type %lu", typeID);
    return rl_string_format("%s", rl_classes[typeID]->name);
}

void RLShow(RLTypeRef object)
{
    if (!object) {
        RL_UNCANCELED(fputs("(null)\n", stderr));
        return;
    }
    RLStringRef description = RLCopyDescription(object);
    print_line(rl_string_characters(description));
    RLRelease(description);
}

void RLShowStr(RLStringRef string)
{
    if (!string) {
        RL_UNCANCELED(fputs("(null)\n", stderr));
        return;
    }
    rl_expect_string(string, __func__, "string");
    RLStringRef copy = RLStringCreateCopy(NULL, string);
    const char *characters = rl_string_characters(copy);
    const char *kind = rl_string_is_constant(string)  ? "constant"
                       : rl_string_is_mutable(string) ? "mutable"
                                                      : "immutable";
    RL_UNCANCELED(fprintf(stderr, "<RLString %p>{%s, length = %ld, bytes = %zu, contents = ",
                          (const void *)string, kind, RLStringGetLength(copy), strlen(characters)));
    RL_UNCANCELED(fputs("\"", stderr));
    print_line(characters);
    RLRelease(copy);
}
