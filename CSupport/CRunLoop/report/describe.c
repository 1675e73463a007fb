#include "base/system.h"

#include "report/describe.h"

#include "loop/callout.h"
#include "loop/item_info.h"
#include "report/symbol.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdatomic.h>
#include <stdlib.h>

const char *rl_describe_bool(bool value)
{
    return value ? "Yes" : "No";
}

void rl_describe_head(struct rl_text *text, const char *type, const void *object)
{
    rl_text_add(text, "<%s %p [%p]>", type, object, (const void *)kRLAllocatorDefault);
}

struct function {
    const void *address;
    /* Null if the name is unknown. */
    char *name;
    char *file;
    const void *begin;
};

static struct function find_function(const void *address)
{
    struct function function = {.address = address};
    UInt64 offset;
    if (address) function.name = RLSymbolCopyName(address, &offset, &function.file);
    if (function.name) function.begin = (const char *)address - offset;
    if (function.name) rl_symbol_shorten_name(function.name);
    return function;
}

/*
 * Finding a name takes long, and a loop may have thousands of items with a few callbacks. A thread
 * that uses this cache sets the flag. Meanwhile other threads do not wait, but look the name up; so
 * does a child that was forked while the flag was set.
 */
enum { KNOWN_FUNCTIONS = 256 };
static struct {
    atomic_flag is_used;
    unsigned next;
    struct function functions[KNOWN_FUNCTIONS];
} known = {.is_used = ATOMIC_FLAG_INIT};

static const struct function *known_function_at(const void *address)
{
    for (size_t i = 0; i < KNOWN_FUNCTIONS; i++) {
        if (known.functions[i].address == address) return &known.functions[i];
    }
    return NULL;
}

typedef void add_function(struct rl_text *text, const struct function *function);

static bool add_known_function(struct rl_text *text, const void *address, add_function *add)
{
    if (atomic_flag_test_and_set(&known.is_used)) return false;
    const struct function *function = known_function_at(address);
    if (function) add(text, function);
    atomic_flag_clear(&known.is_used);
    return function;
}

/* Replaces the oldest entry of the cache. If the cache is in use, frees the strings instead. */
static void remember_function(struct function function)
{
    struct function unused = function;
    if (!atomic_flag_test_and_set(&known.is_used)) {
        struct function *oldest = &known.functions[known.next++ % KNOWN_FUNCTIONS];
        unused = *oldest;
        *oldest = function;
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

static void add_name(struct rl_text *text, const struct function *function)
{
    const char *name = function->name ? function->name : "???";
    rl_text_add(text, "%s (%p)", name, function->address);
}

void rl_describe_callout(struct rl_text *text, const void *function)
{
    rl_text_add(text, "callout = ");
    find_and_add(text, function, add_name);
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
    /* Another thread may invalidate the item during `copyDescription`, so the info is pinned. */
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
