/*
 * The part of GLib's ABI that this module uses. It has not changed since version 2.36. The test
 * programs of the CI stage `hosts` compare it with GLib's headers.
 */

#ifndef RL_GLIB_H
#define RL_GLIB_H

#include <CRunLoopHosts.h>
#include <stdbool.h>

/* The layout of GSource. Programs may extend a GSource, so its size is part of the ABI. */
struct rl_glib_source {
    void *callback_data;
    void *callback_functions;
    const void *source_functions;
    unsigned reference_count;
    struct _GMainContext *context;
    int priority;
    unsigned flags;
    unsigned source_id;
    void *poll_fds;
    struct rl_glib_source *previous, *next;
    char *name;
    void *more;
};

/*
 * The layout of GSourceFuncs. A source without `prepare` and `check` is ready when one of its
 * descriptors is ready.
 */
struct rl_glib_source_functions {
    int (*prepare)(struct rl_glib_source *source, int *ret_timeout);
    int (*check)(struct rl_glib_source *source);
    int (*dispatch)(struct rl_glib_source *source, int (*callback)(void *), void *data);
    void (*finalize)(struct rl_glib_source *source);
    void (*unused[2])(void);
};

/* The layout of GPollFD. The events have the values of poll(2). */
struct rl_glib_poll_fd {
    int fd;
    unsigned short events;
    unsigned short ready;
};

/* GLib's functions, without the prefix `g_`. */
struct rl_glib {
    struct _GMainContext *(*main_context_ref_thread_default)(void);
    struct _GMainContext *(*main_context_ref)(struct _GMainContext *context);
    void (*main_context_unref)(struct _GMainContext *context);
    int (*main_context_acquire)(struct _GMainContext *context);
    void (*main_context_release)(struct _GMainContext *context);
    int (*main_context_prepare)(struct _GMainContext *context, int *ret_priority);
    int (*main_context_query)(struct _GMainContext *context, int priority, int *ret_timeout,
                              struct rl_glib_poll_fd *ret_fds, int capacity);
    int (*main_context_check)(struct _GMainContext *context, int priority,
                              struct rl_glib_poll_fd *fds, int count);
    int (*main_context_iteration)(struct _GMainContext *context, int may_block);
    struct rl_glib_source *(*source_new)(const struct rl_glib_source_functions *functions,
                                         unsigned size);
    void (*source_set_name)(struct rl_glib_source *source, const char *name);
    void (*source_set_priority)(struct rl_glib_source *source, int priority);
    void (*source_set_can_recurse)(struct rl_glib_source *source, int can_recurse);
    void *(*source_add_unix_fd)(struct rl_glib_source *source, int fd, unsigned events);
    unsigned (*source_attach)(struct rl_glib_source *source, struct _GMainContext *context);
    void (*source_destroy)(struct rl_glib_source *source);
    void (*source_unref)(struct rl_glib_source *source);
};

/* If GLib is not loaded in the process, prints a warning for `function` and returns false. */
bool rl_glib_find(struct rl_glib *ret_glib, const char *function);

/* Retains a context. A null context stands for the calling thread's default context. */
struct _GMainContext *rl_glib_retain_context(const struct rl_glib *glib,
                                             struct _GMainContext *context);

#endif
