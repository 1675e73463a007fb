/*
 * The client of an object with callbacks: the parts of its context, and the lifetime of its info.
 *
 * The info is retained when the object is created and given up when the object is invalidated,
 * possibly while another thread is about to call back with it. The object's own lock guards all
 * fields.
 */

#ifndef RL_CLIENT_H
#define RL_CLIENT_H

#include "base/info_pins.h"
#include "base/lock.h"
#include "loop/callout.h"
#include "values/text.h"

#include <CRunLoop/RLFileDescriptor.h>

/* A context whose functions take the info with const, as those of sockets and ports do. */
struct rl_constant_context {
    RLIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copyDescription)(const void *info);
};

/* The members of a public context, which has a type of its own for each object, as in CF. */
#define RL_CONSTANT_CONTEXT(context)                                                               \
    ((struct rl_constant_context){(context)->version, (context)->info, (context)->retain,          \
                                  (context)->release, (context)->copyDescription})

/*
 * CF has two kinds of contexts, whose functions take the info with or without const. A function
 * must be called by its own type, so the kinds are distinct.
 */
struct rl_client {
    void *info;
    struct rl_constant_context constant;
    RLFileDescriptorContext variable;
    bool can_retain;
    struct rl_info_pins pins;
};

/*
 * Copies a context, which may be null, and retains the info, if the context has `retain`. No lock.
 */
void rl_client_begin_constant(struct rl_client *client, const struct rl_constant_context *context);
void rl_client_begin_variable(struct rl_client *client, const RLFileDescriptorContext *context);

static inline void *rl_client_retain_info(const struct rl_client *client, void *info)
{
    if (client->variable.retain) return rl_callout_retain_variable(client->variable.retain, info);
    return rl_callout_retain(client->constant.retain, info);
}

static inline void rl_client_release_info(const struct rl_client *client, void *info)
{
    if (client->variable.release) {
        rl_callout_release_variable(client->variable.release, info);
    } else if (client->constant.release) {
        rl_callout_release(client->constant.release, info);
    }
}

/*
 * For a callback. Pinning the info, with the lock held, prevents its release. The caller then
 * retains it without the lock, which ends the pin. The callback gets what `retain` returned, which
 * is released after it.
 */
static inline void *rl_client_pin(struct rl_client *client)
{
    if (client->can_retain) rl_info_pin(&client->pins);
    return client->info;
}

static inline void *rl_client_retain_pinned(struct rl_client *client, void *pinned)
{
    if (!client->can_retain) return pinned;
    void *retained = rl_client_retain_info(client, pinned);
    if (rl_info_unpin(&client->pins)) rl_client_release_info(client, pinned);
    return retained;
}

static inline void rl_client_release_retained(const struct rl_client *client, void *retained)
{
    if (client->can_retain) rl_client_release_info(client, retained);
}

/*
 * For a callback whose info is not retained again: an info that is given up meanwhile is released
 * after the last such callback. Call rl_client_hold with the lock held, and rl_client_release_held
 * without it, unless the info was given up before.
 */
static inline bool rl_client_hold(struct rl_client *client, void **ret_info)
{
    bool is_held = !rl_info_is_given_up(&client->pins);
    if (is_held) rl_info_pin(&client->pins);
    *ret_info = client->info;
    return is_held;
}
void rl_client_release_held(struct rl_client *client, void *held);

/* Gives the info up; further calls have no effect. No lock. */
void rl_client_end(struct rl_client *client, struct rl_lock *lock);

/* Appends the info's own description, or `<TYPE context ADDRESS>`. No lock. */
void rl_client_describe(struct rl_client *client, struct rl_lock *lock, struct rl_text *text,
                        const char *type);

#endif
