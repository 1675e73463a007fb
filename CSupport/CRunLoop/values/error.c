#include "base/system.h"

#include "base/swift_counts.h"
#include "values/string.h"

#include <CRunLoop/RLError.h>

#include <pthread.h>
#include <string.h>

struct rl_error {
    struct rl_object object;
    RLStringRef domain;
    RLIndex code;
    /* The user info; never null. */
    RLDictionaryRef info;
};

RLErrorDomain const kRLErrorDomainPOSIX = RLSTR("NSPOSIXErrorDomain");
RLErrorDomain const kRLErrorDomainOSStatus = RLSTR("NSOSStatusErrorDomain");
RLErrorDomain const kRLErrorDomainMach = RLSTR("NSMachErrorDomain");
RLErrorDomain const kRLErrorDomainCocoa = RLSTR("NSCocoaErrorDomain");

RLStringRef const kRLErrorLocalizedDescriptionKey = RLSTR("NSLocalizedDescription");
RLStringRef const kRLErrorLocalizedFailureKey = RLSTR("NSLocalizedFailure");
RLStringRef const kRLErrorLocalizedFailureReasonKey = RLSTR("NSLocalizedFailureReason");
RLStringRef const kRLErrorLocalizedRecoverySuggestionKey = RLSTR("NSLocalizedRecoverySuggestion");
RLStringRef const kRLErrorDescriptionKey = RLSTR("NSDescription");
RLStringRef const kRLErrorUnderlyingErrorKey = RLSTR("NSUnderlyingError");
RLStringRef const kRLErrorURLKey = RLSTR("NSURL");
RLStringRef const kRLErrorFilePathKey = RLSTR("NSFilePath");

/* The C library's locale for the messages, which are English. Created once and never freed. */
static locale_t plain;
static pthread_once_t plain_once = PTHREAD_ONCE_INIT;

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t rl_plain_locale(void)
{
    pthread_once(&plain_once, make_plain);
    return plain;
}

/* Takes over the caller's reference to `info`. */
static RLErrorRef create_error(RLErrorDomain domain, RLIndex code, RLDictionaryRef info)
{
    struct rl_error *error = rl_object_create(RL_TYPE_ERROR, sizeof *error);
    error->domain = RLStringCreateCopy(NULL, domain);
    error->code = code;
    error->info = info;
    return (RLErrorRef)(void *)error;
}

RLErrorRef RLErrorCreateWithUserInfoKeysAndValues(RLAllocatorRef allocator, RLErrorDomain domain,
                                                  RLIndex code, const void *const *userInfoKeys,
                                                  const void *const *userInfoValues,
                                                  RLIndex numUserInfoValues)
{
    rl_expect_string(domain, __func__, "domain");
    RLDictionaryRef info = RLDictionaryCreate(
        allocator, (const void **)(uintptr_t)userInfoKeys, (const void **)(uintptr_t)userInfoValues,
        numUserInfoValues, &kRLCopyStringDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    if (!info) {
        rl_client_error(__func__,
                        "argument `numUserInfoValues` (%ld) must not be negative, and "
                        "`userInfoKeys` and `userInfoValues` must not be null",
                        numUserInfoValues);
    }
    return create_error(domain, code, info);
}

RLErrorRef RLErrorCreate(RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code,
                         RLDictionaryRef userInfo)
{
    rl_expect_string(domain, __func__, "domain");
    if (userInfo) return create_error(domain, code, RLDictionaryCreateCopy(allocator, userInfo));
    return RLErrorCreateWithUserInfoKeysAndValues(allocator, domain, code, NULL, NULL, 0);
}

static const struct rl_error *checked_error(RLErrorRef error, const char *function)
{
    rl_expect(error, RL_TYPE_ERROR, function, "err");
    return (const struct rl_error *)(const void *)error;
}

RLErrorDomain RLErrorGetDomain(RLErrorRef err)
{
    return checked_error(err, __func__)->domain;
}

RLIndex RLErrorGetCode(RLErrorRef err)
{
    return checked_error(err, __func__)->code;
}

RLDictionaryRef RLErrorCopyUserInfo(RLErrorRef err)
{
    return RLRetain(checked_error(err, __func__)->info);
}

/* Returns a string, retained, or null if the value is missing or not a string. */
static RLStringRef copy_info_text(const struct rl_error *error, RLStringRef key)
{
    RLTypeRef value = RLDictionaryGetValue(error->info, key);
    bool is_text = value && RLGetTypeID(value) == RL_TYPE_STRING;
    return is_text ? RLStringCreateCopy(NULL, value) : NULL;
}

static RLStringRef copy_reason(const struct rl_error *error)
{
    RLStringRef reason = copy_info_text(error, kRLErrorLocalizedFailureReasonKey);
    bool is_errno = rl_string_equal(error->domain, kRLErrorDomainPOSIX) && error->code > 0 &&
                    error->code < 4096;
    if (reason || !is_errno) return reason;
    locale_t locale = rl_plain_locale();
    return locale ? rl_string_format("%s", strerror_l((int)error->code, locale)) : NULL;
}

RLStringRef RLErrorCopyFailureReason(RLErrorRef err)
{
    return copy_reason(checked_error(err, __func__));
}

RLStringRef RLErrorCopyRecoverySuggestion(RLErrorRef err)
{
    return copy_info_text(checked_error(err, __func__), kRLErrorLocalizedRecoverySuggestionKey);
}

static RLStringRef copy_domain_and_code(const struct rl_error *error)
{
    struct rl_text text = {0};
    RLStringRef description = copy_info_text(error, kRLErrorDescriptionKey);
    rl_text_add(&text, "The operation couldn\xE2\x80\x99t be completed. (%s error %ld",
                rl_string_characters(error->domain), error->code);
    if (description) {
        rl_text_add(&text, " - ");
        rl_text_add_string(&text, description);
    } else {
        rl_text_add(&text, ".");
    }
    rl_text_add(&text, ")");
    return rl_text_finish(&text);
}

RLStringRef RLErrorCopyDescription(RLErrorRef err)
{
    const struct rl_error *error = checked_error(err, __func__);
    RLStringRef description = copy_info_text(error, kRLErrorLocalizedDescriptionKey);
    if (description) return description;
    RLStringRef failure = copy_info_text(error, kRLErrorLocalizedFailureKey);
    RLStringRef reason = copy_reason(error);
    if (!reason) return failure ? failure : copy_domain_and_code(error);
    struct rl_text text = {0};
    if (failure) {
        rl_text_add_string(&text, failure);
    } else {
        rl_text_add(&text, "The operation couldn\xE2\x80\x99t be completed.");
    }
    rl_text_add(&text, " ");
    rl_text_add_string(&text, reason);
    return rl_text_finish(&text);
}

static void destroy_error(struct rl_object *object)
{
    struct rl_error *error = (struct rl_error *)object;
    RLRelease(error->domain);
    RLRelease(error->info);
    rl_object_free(object);
}

static Boolean errors_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_error *left = first, *right = second;
    return left->code == right->code && rl_string_equal(left->domain, right->domain) &&
           RLEqual(left->info, right->info);
}

static RLHashCode hash_error(RLTypeRef object)
{
    const struct rl_error *error = object;
    return RLHash(error->domain) + (RLHashCode)error->code;
}

static void add_info_entry(const void *key, const void *value, void *context)
{
    struct rl_text *text = context;
    const char *end = text->characters + text->length - 1;
    rl_text_add(text, *end == '{' ? "" : ", ");
    rl_text_add_string(text, rl_object_copy_value(key, "RLCopyDescription"));
    rl_text_add(text, "=");
    bool is_error = rl_is(value, RL_TYPE_ERROR);
    if (is_error) rl_text_add(text, "%p {", value);
    rl_text_add_string(text, rl_object_copy_value(value, "RLCopyDescription"));
    if (is_error) rl_text_add(text, "}");
}

/* Descriptions are for developers, so the text that is not localized comes first. */
static RLStringRef describe_error(RLTypeRef object)
{
    const struct rl_error *error = object;
    RLStringRef about = copy_info_text(error, kRLErrorDescriptionKey);
    if (!about) about = copy_info_text(error, kRLErrorLocalizedDescriptionKey);
    if (!about) about = copy_reason(error);
    struct rl_text text = {0};
    rl_text_add(&text, "Error Domain=%s Code=%ld \"", rl_string_characters(error->domain),
                error->code);
    rl_text_add_string(&text, about);
    rl_text_add(&text, "\"");
    if (RLDictionaryGetCount(error->info) > 0) {
        rl_text_add(&text, " UserInfo={");
        RLDictionaryApplyFunction(error->info, add_info_entry, &text);
        rl_text_add(&text, "}");
    }
    return rl_text_finish(&text);
}

static const struct rl_class error_class = {
    .name = "RLError",
    .destroy = destroy_error,
    .equal = errors_are_equal,
    .hash = hash_error,
    .copy_description = describe_error,
};

RL_REGISTER_CLASS(RLError, RL_TYPE_ERROR, error_class)
RL_DEFINE_SWIFT_COUNTS(error, RLErrorRef)
