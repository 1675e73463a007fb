/*
 * The order of calls is as in CF: the info is retained around each callback if the context has
 * `retain`, and an invalidation releases the info at once. For message ports, rl_client_hold keeps
 * the info alive instead.
 */

#include "watch/client.h"

static void begin_client(struct rl_client *client, void *info)
{
    client->can_retain = client->constant.retain || client->variable.retain;
    client->info = rl_client_retain_info(client, info);
}

void rl_client_begin_constant(struct rl_client *client, const struct rl_constant_context *context)
{
    if (!context) return;
    client->constant = *context;
    begin_client(client, context->info);
}

void rl_client_begin_variable(struct rl_client *client, const RLFileDescriptorContext *context)
{
    if (!context) return;
    client->variable = *context;
    begin_client(client, context->info);
}

void rl_client_release_held(struct rl_client *client, void *held)
{
    if (rl_info_unpin(&client->pins)) rl_client_release_info(client, held);
}

void rl_client_end(struct rl_client *client, struct rl_lock *lock)
{
    rl_lock(lock);
    void *given_up;
    bool is_owed = rl_info_give_up(&client->pins, &client->info, &given_up);
    rl_unlock(lock);
    if (is_owed) rl_client_release_info(client, given_up);
}

static RLStringRef copy_info_description(const struct rl_client *client, void *info)
{
    if (client->variable.copyDescription) {
        return rl_callout_describe_variable(client->variable.copyDescription, info);
    }
    return rl_callout_copy_description(client->constant.copyDescription, info);
}

void rl_client_describe(struct rl_client *client, struct rl_lock *lock, struct rl_text *text,
                        const char *type)
{
    rl_lock(lock);
    bool can_describe = client->variable.copyDescription || client->constant.copyDescription;
    bool is_described = client->info && can_describe;
    void *info = is_described ? rl_client_pin(client) : client->info;
    rl_unlock(lock);
    if (!is_described) {
        rl_text_add(text, "<%s context %p>", type, info);
        return;
    }
    info = rl_client_retain_pinned(client, info);
    rl_text_add_string(text, copy_info_description(client, info));
    rl_client_release_retained(client, info);
}
