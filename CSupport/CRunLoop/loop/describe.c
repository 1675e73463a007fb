/*
 * What the descriptions of a loop and of its items have in common, as CF prints it.
 */

#include "base/system.h"

#include "loop/describe.h"

#include "loop/callout.h"
#include "loop/item_info.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *rl_describe_bool(bool value)
{
    return value ? "Yes" : "No";
}

void rl_describe_head(struct rl_text *text, const char *type, const void *object)
{
    rl_text_add(text, "<%s %p [%p]>", type, object, (const void *)kRLAllocatorDefault);
}

/*
 * Returns the end of what Swift shows for a private name, `(f in _8A9F)`, or before what has no
 * name, `(in _8A9F).`; null if neither begins here. Sets `ret_length` to the length of the name,
 * which follows the parenthesis; 0 if there is none.
 */
static const char *end_of_private_name(const char *begin, size_t *ret_length)
{
    const char *in = strstr(begin, "in _");
    if (!in) return NULL;
    const char *end = in + 4 + strspn(in + 4, "0123456789ABCDEF");
    if (*end != ')' || strcspn(begin + 1, "()") != (size_t)(end - begin - 1)) return NULL;
    *ret_length = in == begin + 1 ? 0 : (size_t)(in - begin - 2);
    bool has_no_name = *ret_length == 0 && end[1] == '.';
    return has_no_name ? end + 2 : end + 1;
}

/*
 * Leaves out the types and attributes in a name of Swift's, which may be hundreds of characters:
 * `closure #1 @Sendable (A.B) -> () in A.f(b: A.B) -> C` becomes `closure #1 in A.f`.
 */
static void leave_out_types(char *name)
{
    if (!strstr(name, " -> ")) return;
    unsigned depth = 0;
    bool is_result = false;
    char *to = name;
    for (const char *from = name; *from; from++) {
        if (depth == 0 && strncmp(from, " -> ", 4) == 0) is_result = true;
        if (depth == 0 && strncmp(from, " in ", 4) == 0) is_result = false;
        if (depth == 0 && strncmp(from, " @", 2) == 0) {
            from += strcspn(from + 1, " ");
            continue;
        }
        size_t length;
        const char *behind = depth == 0 && *from == '(' ? end_of_private_name(from, &length) : NULL;
        if (behind) {
            if (is_result) length = 0;
            memmove(to, from + 1, length);
            to += length;
            from = behind - 1;
            continue;
        }
        bool is_end = *from == ')' || (*from == '>' && from > name && from[-1] != '-');
        if (*from == '(' || *from == '<') depth++;
        bool is_type = depth > 0 || is_result || (*from == ' ' && from[1] == '(');
        if (!is_type) *to++ = *from;
        if (is_end && depth > 0) depth--;
    }
    *to = '\0';
}

static char *copy_name_and_file(const void *function, UInt64 *ret_offset, char **ret_file)
{
    *ret_offset = 0;
    *ret_file = NULL;
    char *name = function ? RLSymbolCopyName(function, ret_offset, ret_file) : NULL;
    if (name) leave_out_types(name);
    return name;
}

static char *copy_name(const void *function)
{
    UInt64 offset;
    char *file;
    char *name = copy_name_and_file(function, &offset, &file);
    free(file);
    return name;
}

/*
 * The names of functions that were described before, which are long to find: a loop may have
 * thousands of items with a few callouts. Somebody uses them while the flag is set; others, such as
 * a child of a fork meanwhile, do without.
 */
enum { KNOWN_NAMES = 64 };
static struct {
    atomic_flag is_used;
    struct known_name {
        const void *function;
        char *name;
    } names[KNOWN_NAMES];
} known = {.is_used = ATOMIC_FLAG_INIT};

static struct known_name *known_name_at(const void *function)
{
    return &known.names[((uintptr_t)function >> 4) % KNOWN_NAMES];
}

static bool add_known_function_name(struct rl_text *text, const void *function,
                                    const char *otherwise)
{
    if (atomic_flag_test_and_set(&known.is_used)) return false;
    const struct known_name *place = known_name_at(function);
    bool is_known = place->function == function;
    if (is_known) rl_text_add(text, "%s", place->name ? place->name : otherwise);
    atomic_flag_clear(&known.is_used);
    return is_known;
}

/* Keeps the name in place of another one, or frees it. */
static void remember_name(const void *function, char *name)
{
    char *unused = name;
    if (!atomic_flag_test_and_set(&known.is_used)) {
        struct known_name *place = known_name_at(function);
        unused = place->name;
        *place = (struct known_name){function, name};
        atomic_flag_clear(&known.is_used);
    }
    free(unused);
}

/* Adds the name of a function, or a text if it has none. */
static void add_function_name(struct rl_text *text, const void *function, const char *otherwise)
{
    if (add_known_function_name(text, function, otherwise)) return;
    char *name = copy_name(function);
    rl_text_add(text, "%s", name ? name : otherwise);
    remember_name(function, name);
}

void rl_describe_callout(struct rl_text *text, const void *function)
{
    rl_text_add(text, "callout = ");
    add_function_name(text, function, "???");
    rl_text_add(text, " (%p)", function);
}

RLStringRef RLRunLoopCopyClosureDescription(const void *function)
{
    struct rl_text text = {0};
    rl_text_add(&text, "<closure>{");
    rl_describe_callout(&text, function);
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

void rl_describe_context(struct rl_text *text, struct rl_item *item, void *const *client_info,
                         const struct rl_client_functions *functions, const char *type)
{
    rl_lock(&item->object.lock);
    bool is_described = *client_info && functions->copy_description;
    /* Another thread may invalidate the item while its context describes itself. */
    void *info = *client_info;
    if (is_described) info = rl_item_pin_info(item, info, functions);
    rl_unlock(&item->object.lock);
    rl_text_add(text, "context = ");
    if (is_described) {
        void *retained = rl_item_retain_pinned_info(item, info, functions);
        rl_text_add_string(text,
                           rl_callout_copy_description(functions->copy_description, retained));
        rl_item_release_retained_info(retained, functions);
    } else {
        rl_text_add(text, "<%s context %p>", type, info);
    }
}

void rl_describe_callout_and_file(struct rl_text *text, const void *function)
{
    UInt64 offset;
    char *file;
    char *name = copy_name_and_file(function, &offset, &file);
    const void *begin = name ? (const char *)function - offset : NULL;
    rl_text_add(text, "callout = %s (%p / %p) (%s)", name ? name : "?", function, begin,
                file ? file : "?");
    free(name);
    free(file);
}
