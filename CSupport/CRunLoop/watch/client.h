/*
 * Copies a context, and manages the lifetime of its info. An object retains the info when it is
 * created, and gives the info up when it is invalidated. At this time, another thread may be about
 * to call a callback with the info. The object's lock guards all fields.
 */

#ifndef RL_CLIENT_H
#define RL_CLIENT_H

#include "base/info_pins.h"
#include "base/lock.h"
#include "loop/callout.h"
#include "values/text.h"

#include <CRunLoop/RLFileDescriptor.h>

/* A context whose functions take a const info, such as the contexts of sockets and ports. */
struct rl_constant_context {
    RLIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copyDescription)(const void *info);
};

/* Converts a context of any object. As in CF, each kind of object has its own context type. */
#define RL_CONSTANT_CONTEXT(context)                                                               \
    ((struct rl_constant_context){(context)->version, (context)->info, (context)->retain,          \
                                  (context)->release, (context)->copyDescription})

/* Two contexts, because a function must be called through its own type, with or without const. */
struct rl_client {
    void *info;
    struct rl_constant_context constant;
    RLFileDescriptorContext variable;
    bool can_retain;
    struct rl_info_pins pins;
};

/* Copies a context, which may be null, and retains the info. Call these without a lock. */
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
 * To retain the info around a callback:
 * 1. With the lock held, rl_client_pin prevents the release of the info.
 * 2. Without the lock, rl_client_retain_pinned retains the info for the callback, and unpins it.
 * 3. After the callback, rl_client_release_retained releases the result.
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
 * For a callback whose info is not retained. If the info is given up during such a callback, it is
 * released after the last such callback. Call rl_client_hold with the lock held. If it returns
 * true, call rl_client_release_held without the lock after the callback.
 */
static inline bool rl_client_hold(struct rl_client *client, void **ret_info)
{
    bool is_held = !rl_info_is_given_up(&client->pins);
    if (is_held) rl_info_pin(&client->pins);
    *ret_info = client->info;
    return is_held;
}
void rl_client_release_held(struct rl_client *client, void *held);

/* Gives up the info; idempotent. Call this without a lock. */
void rl_client_end(struct rl_client *client, struct rl_lock *lock);

/* If there is no `copyDescription`, appends `<TYPE context ADDRESS>`. Call this without a lock. */
void rl_client_describe(struct rl_client *client, struct rl_lock *lock, struct rl_text *text,
                        const char *type);

#endif
