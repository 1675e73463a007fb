#include "base/swift_counts.h"
#include "values/value.h"

#include <CRunLoop/RLNull.h>

static const struct rl_object null_object = RL_CONSTANT_OBJECT(RL_TYPE_NULL);

const RLNullRef kRLNull = (RLNullRef)(const void *)&null_object;

static RLStringRef describe_null(RLTypeRef object)
{
    return rl_string_format("<RLNull %p>", object);
}

static RLStringRef copy_null_word(RLTypeRef object)
{
    (void)object;
    return rl_string_format("null");
}

static const struct rl_class null_class = {
    .name = "RLNull",
    .is_constant = true,
    .copy_description = describe_null,
    .copy_value = copy_null_word,
};

RL_REGISTER_CLASS(RLNull, RL_TYPE_NULL, null_class)
RL_DEFINE_SWIFT_COUNTS(null, RLNullRef)
