/*
 * The common parts of descriptions of a loop and its items.
 */

#ifndef RL_DESCRIBE_H
#define RL_DESCRIBE_H

#include "loop/item.h"
#include "values/text.h"

/* Yes or No. */
const char *rl_describe_bool(bool value);

/* Appends the address of an object and of its allocator, which is always the default one. */
void rl_describe_head(struct rl_text *text, const char *type, const void *object);

/* Appends a function by name and address, and by the file that it is in. */
void rl_describe_callout(struct rl_text *text, const void *function);
void rl_describe_callout_and_file(struct rl_text *text, const void *function);

/*
 * Appends the description that an item's context gives of itself, or the default one of its type.
 */
void rl_describe_context(struct rl_text *text, struct rl_item *item, void *const *client_info,
                         const struct rl_client_functions *functions, const char *type);

#endif
