/*
 * The security properties of streams.
 *
 * Unknown settings are rejected, because otherwise a client might get less security than it
 * requested without notice. Accepted settings are copied, because the client's objects may change
 * and may run client code.
 */

#include "sockets/stream_security.h"

#include "base/check.h"
#include "tls/tls_error.h"
#include "values/table.h"
#include "values/value.h"

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLNull.h>
#include <CRunLoop/RLNumber.h>
#include <CRunLoop/RLStreamSecurity.h>
#include <CRunLoop/RLSymbolWrapping.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RLStringRef const kRLStreamPropertySocketSecurityLevel =
    RLSTR("kRLStreamPropertySocketSecurityLevel");
RLStringRef const kRLStreamSocketSecurityLevelNone = RLSTR("kRLStreamSocketSecurityLevelNone");
RLStringRef const kRLStreamSocketSecurityLevelSSLv2 = RLSTR("kRLStreamSocketSecurityLevelSSLv2");
RLStringRef const kRLStreamSocketSecurityLevelSSLv3 = RLSTR("kRLStreamSocketSecurityLevelSSLv3");
RLStringRef const kRLStreamSocketSecurityLevelTLSv1 = RLSTR("kRLStreamSocketSecurityLevelTLSv1");
RLStringRef const kRLStreamSocketSecurityLevelNegotiatedSSL =
    RLSTR("kRLStreamSocketSecurityLevelNegotiatedSSL");
RLStringRef const kRLStreamPropertySSLSettings = RLSTR("kRLStreamPropertySSLSettings");
RLStringRef const kRLStreamSSLLevel = RLSTR("kRLStreamSSLLevel");
RLStringRef const kRLStreamSSLAllowsExpiredCertificates =
    RLSTR("kRLStreamSSLAllowsExpiredCertificates");
RLStringRef const kRLStreamSSLAllowsExpiredRoots = RLSTR("kRLStreamSSLAllowsExpiredRoots");
RLStringRef const kRLStreamSSLAllowsAnyRoot = RLSTR("kRLStreamSSLAllowsAnyRoot");
RLStringRef const kRLStreamSSLValidatesCertificateChain =
    RLSTR("kRLStreamSSLValidatesCertificateChain");
RLStringRef const kRLStreamSSLPeerName = RLSTR("kRLStreamSSLPeerName");
RLStringRef const kRLStreamSSLCertificates = RLSTR("kRLStreamSSLCertificates");
RLStringRef const kRLStreamSSLAuthorities = RLSTR("kRLStreamSSLAuthorities");
RLStringRef const kRLStreamSSLIsServer = RLSTR("kRLStreamSSLIsServer");
RLStringRef const kRLStreamPropertySSLPeerCertificates =
    RLSTR("kRLStreamPropertySSLPeerCertificates");
RLStringRef const kRLStreamPropertySSLPeerTrust = RLSTR("kRLStreamPropertySSLPeerTrust");
RLStringRef const kRLStreamPropertySSLContext = RLSTR("kRLStreamPropertySSLContext");

const int kRLStreamErrorDomainSSL = 3;

bool rl_security_is_property(RLStringRef name)
{
    const RLStringRef all[] = {kRLStreamPropertySocketSecurityLevel, kRLStreamPropertySSLSettings,
                               kRLStreamPropertySSLPeerCertificates, kRLStreamPropertySSLPeerTrust,
                               kRLStreamPropertySSLContext};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (rl_string_equal(name, all[i])) return true;
    }
    return false;
}

/* --- Valid values --- */

static bool is_truth_value(RLTypeRef value)
{
    return RLGetTypeID(value) == RLBooleanGetTypeID();
}

static bool is_false(RLTypeRef value)
{
    return is_truth_value(value) && !RLBooleanGetValue(value);
}

/* OpenSSL accepts any peer for an empty name, and a whole domain for a name with a leading dot. */
static bool is_name(RLTypeRef value)
{
    if (value == (RLTypeRef)kRLNull) return true;
    return RLGetTypeID(value) == RLStringGetTypeID() && rl_tls_is_name(value);
}

static bool are_data(RLTypeRef value)
{
    if (RLGetTypeID(value) != RLArrayGetTypeID()) return false;
    RLIndex count = RLArrayGetCount(value);
    for (RLIndex i = 0; i < count; i++) {
        RLTypeRef data = RLArrayGetValueAtIndex(value, i);
        if (!data || RLGetTypeID(data) != RLDataGetTypeID()) return false;
        /* OpenSSL takes a length as an int. */
        if (RLDataGetLength(data) > INT_MAX) return false;
    }
    return count > 0;
}

static RLStringRef find_level(RLTypeRef value)
{
    const RLStringRef levels[] = {kRLStreamSocketSecurityLevelNone,
                                  kRLStreamSocketSecurityLevelTLSv1,
                                  kRLStreamSocketSecurityLevelNegotiatedSSL};
    if (!value || RLGetTypeID(value) != RLStringGetTypeID()) return NULL;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (rl_string_equal(value, levels[i])) return levels[i];
    }
    return NULL;
}

static bool is_level(RLTypeRef value)
{
    return find_level(value);
}

struct setting {
    const RLStringRef *key;
    bool (*is_usable)(RLTypeRef value);
};

static const struct setting known_settings[] = {
    {&kRLStreamSSLLevel, is_level},
    {&kRLStreamSSLAllowsExpiredCertificates, is_false},
    {&kRLStreamSSLAllowsExpiredRoots, is_false},
    {&kRLStreamSSLAllowsAnyRoot, is_false},
    {&kRLStreamSSLValidatesCertificateChain, is_truth_value},
    {&kRLStreamSSLPeerName, is_name},
    {&kRLStreamSSLCertificates, are_data},
    {&kRLStreamSSLAuthorities, are_data},
    {&kRLStreamSSLIsServer, is_truth_value},
};

enum { SETTING_COUNT = sizeof known_settings / sizeof known_settings[0], FAULT_SIZE = 200 };

static bool is_known(RLStringRef key)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (rl_string_equal(key, *known_settings[i].key)) return true;
    }
    return false;
}

static void find_unknown(const void *key, const void *value, void *ret_unknown)
{
    (void)value;
    bool is_string = RLGetTypeID(key) == RLStringGetTypeID();
    if (is_string && !is_known(key)) *(RLStringRef *)ret_unknown = key;
}

/* If the keys are not compared as objects, they may be any pointers, so they cannot be printed. */
static const char *fault_of_unknown_key(RLDictionaryRef settings, char text[FAULT_SIZE])
{
    RLStringRef unknown = NULL;
    bool has_objects = ((const struct rl_table *)(const void *)settings)->keys.equal == RLEqual;
    if (has_objects) RLDictionaryApplyFunction(settings, find_unknown, &unknown);
    if (!unknown) return "a key is unknown: use the keys of RLStreamSecurity.h";
    RLStringRef copy = RLStringCreateCopy(NULL, unknown);
    const char *key = rl_string_characters(copy);
    char *printable = RLTextCopyPrintable(key, (RLIndex)strlen(key));
    snprintf(text, FAULT_SIZE, "key %.100s is unknown: use the keys of RLStreamSecurity.h",
             printable);
    free(printable);
    RLRelease(copy);
    return text;
}

/* Returns a description of the fault, possibly in `text`, or null if the settings are valid. */
static const char *find_fault(RLTypeRef value, char text[FAULT_SIZE])
{
    if (!value || RLGetTypeID(value) != RLDictionaryGetTypeID()) {
        return "the value is not a dictionary: pass a dictionary of settings";
    }
    RLIndex known = 0;
    for (int i = 0; i < SETTING_COUNT; i++) {
        RLTypeRef setting = RLDictionaryGetValue(value, *known_settings[i].key);
        if (!setting) continue;
        if (!known_settings[i].is_usable(setting)) {
            snprintf(text, FAULT_SIZE,
                     "the value of %s is invalid: pass a value that RLStreamSecurity.h lists",
                     rl_string_characters(*known_settings[i].key));
            return text;
        }
        known++;
    }
    return known == RLDictionaryGetCount(value) ? NULL : fault_of_unknown_key(value, text);
}

/* --- Copies, as the client's objects may change --- */

/* Copies the bytes: settings are released with locks held, and deallocators are client code. */
static RLArrayRef copy_data(RLArrayRef array)
{
    RLMutableArrayRef copies = RLArrayCreateMutable(NULL, 0, &kRLTypeArrayCallBacks);
    for (RLIndex i = 0; i < RLArrayGetCount(array); i++) {
        RLDataRef data = RLArrayGetValueAtIndex(array, i);
        RLDataRef copy = RLDataCreate(NULL, RLDataGetBytePtr(data), RLDataGetLength(data));
        RLArrayAppendValue(copies, copy);
        RLRelease(copy);
    }
    return copies;
}

static RLTypeRef copy_setting(RLTypeRef value)
{
    RLTypeID type = RLGetTypeID(value);
    if (type == RLArrayGetTypeID()) return copy_data(value);
    if (type == RLStringGetTypeID()) return RLStringCreateCopy(NULL, value);
    return RLRetain(value);
}

/* Copies settings, which must be valid. */
static RLDictionaryRef copy_settings(RLDictionaryRef settings)
{
    RLMutableDictionaryRef copies = RLDictionaryCreateMutable(
        NULL, 0, &kRLTypeDictionaryKeyCallBacks, &kRLTypeDictionaryValueCallBacks);
    for (int i = 0; i < SETTING_COUNT; i++) {
        RLTypeRef setting = RLDictionaryGetValue(settings, *known_settings[i].key);
        if (!setting) continue;
        RLTypeRef copy = copy_setting(setting);
        RLDictionarySetValue(copies, *known_settings[i].key, copy);
        RLRelease(copy);
    }
    return copies;
}

RLTypeRef rl_security_copy_value(RLStringRef name, RLTypeRef value, const char *function)
{
    char text[FAULT_SIZE];
    const char *fault = NULL;
    RLTypeRef copy = NULL;
    if (rl_string_equal(name, kRLStreamPropertySocketSecurityLevel)) {
        RLStringRef level = find_level(value);
        if (!level) {
            fault = "the level is not supported: pass kRLStreamSocketSecurityLevelNegotiatedSSL";
        }
        if (level) copy = RLRetain(level);
    } else if (rl_string_equal(name, kRLStreamPropertySSLSettings)) {
        fault = find_fault(value, text);
        if (!fault) copy = copy_settings(value);
    } else {
        fault = "the property is read-only";
    }
    if (fault) rl_warn(function, "cannot set %s: %s", rl_string_characters(name), fault);
    return copy;
}

/* --- Setting and reading --- */

static RLTypeRef setting_of(const struct rl_security *security, RLStringRef key)
{
    return security->settings ? RLDictionaryGetValue(security->settings, key) : NULL;
}

static bool is_true(RLTypeRef value, bool otherwise)
{
    return value ? RLBooleanGetValue(value) : otherwise;
}

bool rl_security_is_requested(const struct rl_security *security)
{
    return security->level && security->level != kRLStreamSocketSecurityLevelNone;
}

bool rl_security_is_server(const struct rl_security *security)
{
    return rl_security_is_requested(security) &&
           is_true(setting_of(security, kRLStreamSSLIsServer), false);
}

static bool checks_peer(const struct rl_security *security)
{
    return is_true(setting_of(security, kRLStreamSSLValidatesCertificateChain), true);
}

bool rl_security_takes_anybody(const struct rl_security *security)
{
    return rl_security_is_requested(security) && !checks_peer(security);
}

void rl_security_get(const struct rl_security *security, RLStringRef host,
                     struct rl_tls_settings *ret_settings)
{
    RLTypeRef name = setting_of(security, kRLStreamSSLPeerName);
    bool is_server = is_true(setting_of(security, kRLStreamSSLIsServer), false);
    *ret_settings = (struct rl_tls_settings){
        .is_server = is_server,
        .validates = checks_peer(security),
        .peer_name = name        ? name
                     : is_server ? NULL
                                 : host,
        .certificates = setting_of(security, kRLStreamSSLCertificates),
        .authorities = setting_of(security, kRLStreamSSLAuthorities),
    };
    if (name == (RLTypeRef)kRLNull) ret_settings->peer_name = NULL;
}

/* Returns the reason why the connection cannot be secured with these settings, or null. */
static const char *find_conflict(const struct rl_security *security, RLStringRef host)
{
    struct rl_tls_settings settings;
    rl_security_get(security, host, &settings);
    bool has_name = settings.is_server || settings.peer_name || !settings.validates ||
                    setting_of(security, kRLStreamSSLPeerName);
    if (!has_name) return "the name of the peer is unknown: set kRLStreamSSLPeerName";
    if (settings.peer_name && !rl_tls_is_name(settings.peer_name)) {
        return "no certificate can contain the name of the host: set kRLStreamSSLPeerName";
    }
    if (!rl_tls_is_available()) return "TLS is not available: install OpenSSL 3 (libssl.so.3)";
    return rl_tls_are_usable(&settings) ? NULL
                                        : "a certificate or its private key is invalid: check "
                                          "kRLStreamSSLCertificates and kRLStreamSSLAuthorities";
}

bool rl_security_set(struct rl_security *security, RLStringRef host, RLStringRef name,
                     RLTypeRef value, const char *function)
{
    struct rl_security changed = *security;
    if (rl_string_equal(name, kRLStreamPropertySocketSecurityLevel)) {
        changed.level = value;
    } else {
        changed.settings = value;
        RLStringRef level = find_level(setting_of(&changed, kRLStreamSSLLevel));
        changed.level = level ? level : kRLStreamSocketSecurityLevelNegotiatedSSL;
    }
    const char *fault = rl_security_is_requested(&changed) ? find_conflict(&changed, host) : NULL;
    if (fault) {
        rl_warn(function, "cannot set %s: %s", rl_string_characters(name), fault);
        return false;
    }
    if (changed.settings != security->settings) {
        if (security->settings) RLRelease(security->settings);
        RLRetain(changed.settings);
    }
    *security = changed;
    return true;
}

RLTypeRef rl_security_copy(const struct rl_security *security, RLStringRef name)
{
    RLTypeRef value = NULL;
    if (rl_string_equal(name, kRLStreamPropertySocketSecurityLevel)) value = security->level;
    if (rl_string_equal(name, kRLStreamPropertySSLSettings)) value = security->settings;
    return value ? RLRetain(value) : NULL;
}

RLErrorRef rl_security_create_error(RLIndex code)
{
    const char *text = rl_tls_error_text((int)code);
    RLStringRef description =
        RLStringCreateWithCString(NULL, text ? text : "TLS failed.", kRLStringEncodingUTF8);
    const void *key = kRLErrorLocalizedDescriptionKey;
    const void *value = description;
    RLErrorRef error =
        RLErrorCreateWithUserInfoKeysAndValues(NULL, kRLErrorDomainOSStatus, code, &key, &value, 1);
    RLRelease(description);
    return error;
}

void rl_security_end(struct rl_security *security)
{
    if (security->settings) RLRelease(security->settings);
}
