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

/* What descriptions say of a function. */
struct function {
    const void *address;
    /* Null if nothing is known. */
    char *name;
    char *file;
    const void *begin;
};

static struct function find_function(const void *address)
{
    struct function function = {.address = address};
    UInt64 offset;
    if (address) function.name = RLSymbolCopyName(address, &offset, &function.file);
    if (function.name) {
        leave_out_types(function.name);
        function.begin = (const char *)address - offset;
    }
    return function;
}

/*
 * The functions that were described before, which are long to find: a loop may have thousands of
 * items with a few callouts. Somebody uses them while the flag is set; others, such as a child of a
 * fork meanwhile, do without.
 */
enum { KNOWN_FUNCTIONS = 64 };
static struct {
    atomic_flag is_used;
    struct function functions[KNOWN_FUNCTIONS];
} known = {.is_used = ATOMIC_FLAG_INIT};

static struct function *known_function_at(const void *address)
{
    return &known.functions[((uintptr_t)address >> 4) % KNOWN_FUNCTIONS];
}

typedef void add_function(struct rl_text *text, const struct function *function);

static bool add_known_function(struct rl_text *text, const void *address, add_function *add)
{
    if (atomic_flag_test_and_set(&known.is_used)) return false;
    const struct function *place = known_function_at(address);
    bool is_known = place->address == address;
    if (is_known) add(text, place);
    atomic_flag_clear(&known.is_used);
    return is_known;
}

/* Keeps what is known of a function in place of another one, or frees it. */
static void remember_function(struct function function)
{
    struct function unused = function;
    if (!atomic_flag_test_and_set(&known.is_used)) {
        struct function *place = known_function_at(function.address);
        unused = *place;
        *place = function;
        atomic_flag_clear(&known.is_used);
    }
    free(unused.name);
    free(unused.file);
}

static void find_and_add(struct rl_text *text, const void *address, add_function *add)
{
    if (add_known_function(text, address, add)) return;
    struct function function = find_function(address);
    add(text, &function);
    remember_function(function);
}

static void add_callout(struct rl_text *text, const struct function *function)
{
    const char *name = function->name ? function->name : "???";
    rl_text_add(text, "callout = %s (%p)", name, function->address);
}

void rl_describe_callout(struct rl_text *text, const void *function)
{
    find_and_add(text, function, add_callout);
}

static void add_callout_and_file(struct rl_text *text, const struct function *function)
{
    const char *name = function->name ? function->name : "?";
    rl_text_add(text, "callout = %s (%p / %p) (%s)", name, function->address, function->begin,
                function->file ? function->file : "?");
}

void rl_describe_callout_and_file(struct rl_text *text, const void *function)
{
    find_and_add(text, function, add_callout_and_file);
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
