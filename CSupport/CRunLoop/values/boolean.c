#include "base/swift_counts.h"
#include "values/value.h"

#include <CRunLoop/RLNumber.h>

static const struct rl_object true_object = RL_CONSTANT_OBJECT(RL_TYPE_BOOLEAN);
static const struct rl_object false_object = RL_CONSTANT_OBJECT(RL_TYPE_BOOLEAN);

const RLBooleanRef kRLBooleanTrue = (RLBooleanRef)(const void *)&true_object;
const RLBooleanRef kRLBooleanFalse = (RLBooleanRef)(const void *)&false_object;

Boolean RLBooleanGetValue(RLBooleanRef boolean)
{
    RL_EXPECT(boolean, RL_TYPE_BOOLEAN);
    return boolean == kRLBooleanTrue;
}

static const char *word_for(RLTypeRef object)
{
    return object == kRLBooleanTrue ? "true" : "false";
}

static RLStringRef describe_boolean(RLTypeRef object)
{
    return rl_string_format("<RLBoolean %p>{value = %s}", object, word_for(object));
}

static RLStringRef copy_boolean_word(RLTypeRef object)
{
    return rl_string_format("%s", word_for(object));
}

static const struct rl_class boolean_class = {
    .name = "RLBoolean",
    .is_constant = true,
    .copy_description = describe_boolean,
    .copy_value = copy_boolean_word,
};

RL_REGISTER_CLASS(RLBoolean, RL_TYPE_BOOLEAN, boolean_class)
RL_DEFINE_SWIFT_COUNTS(boolean, RLBooleanRef)
