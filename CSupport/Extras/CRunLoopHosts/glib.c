#include "glib.h"

#include "late_binding.h"

#define FUNCTION(name) {"g_" #name, &ret_glib->name}

bool rl_glib_find(struct rl_glib *ret_glib, const char *function)
{
    const struct rl_late_function functions[] = {
        FUNCTION(main_context_ref_thread_default),
        FUNCTION(main_context_ref),
        FUNCTION(main_context_unref),
        FUNCTION(main_context_acquire),
        FUNCTION(main_context_release),
        FUNCTION(main_context_prepare),
        FUNCTION(main_context_query),
        FUNCTION(main_context_check),
        FUNCTION(main_context_iteration),
        FUNCTION(source_new),
        FUNCTION(source_set_name),
        FUNCTION(source_set_priority),
        FUNCTION(source_set_can_recurse),
        FUNCTION(source_add_unix_fd),
        FUNCTION(source_attach),
        FUNCTION(source_destroy),
        FUNCTION(source_unref),
    };
    return rl_late_bind("libglib-2.0.so.0", functions, sizeof functions / sizeof functions[0],
                        function);
}

struct _GMainContext *rl_glib_retain_context(const struct rl_glib *glib,
                                             struct _GMainContext *context)
{
    return context ? glib->main_context_ref(context) : glib->main_context_ref_thread_default();
}
