#ifndef RL_DESCRIBE_H
#define RL_DESCRIBE_H

#include "loop/item.h"
#include "values/text.h"

/* Returns `Yes` or `No`, as in CF's descriptions. */
const char *rl_describe_bool(bool value);

void rl_describe_head(struct rl_text *text, const char *type, const void *object);

void rl_describe_callout(struct rl_text *text, const void *function);
void rl_describe_callout_and_file(struct rl_text *text, const void *function);

/* Appends the result of the context's `copyDescription`, or the type's default text. */
void rl_describe_context(struct rl_text *text, struct rl_item *item, void *const *client_info,
                         const struct rl_client_functions *functions, const char *type);

#endif
