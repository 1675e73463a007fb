#include "base/system.h"

#include "base/hint.h"
#include "base/swift_counts.h"
#include "values/string.h"

#include <CRunLoop/RLURL.h>

#include <stdlib.h>
#include <strings.h>

struct rl_url {
    struct rl_object object;
    /* The URL's string. It has percent escapes, and no scheme if the path is relative. */
    RLStringRef text;
    /* The path without a trailing slash. It may contain any bytes. */
    char *path;
};

static const char scheme[] = "file:";

static bool is_allowed_in_path(unsigned char byte)
{
    bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    bool is_digit = byte >= '0' && byte <= '9';
    return is_letter || is_digit || (byte != 0 && strchr("!$&'()*+,-./:=@_~", byte));
}

static RLStringRef create_url_text(const char *path, size_t length, bool is_directory)
{
    struct rl_text text = {0};
    rl_text_add(&text, "%s", path[0] == '/' ? "file://" : "");
    for (size_t i = 0; i < length; i++) {
        rl_text_add(&text, is_allowed_in_path((unsigned char)path[i]) ? "%c" : "%%%02X",
                    (unsigned char)path[i]);
    }
    bool ends = length > 0 && path[length - 1] == '/';
    if (is_directory && !ends) rl_text_add(&text, "/");
    return rl_text_finish(&text);
}

/* `path` may end with slashes. If `text` is null, makes the URL's string from the path. */
static RLURLRef create_url(const char *path, size_t length, bool is_directory, RLStringRef text)
{
    if (length == 0) return NULL;
    while (length > 1 && path[length - 1] == '/') length--;
    struct rl_url *url = rl_object_create(RL_TYPE_URL, sizeof *url);
    url->text = text ? RLStringCreateCopy(NULL, text) : create_url_text(path, length, is_directory);
    url->path = rl_allocate(length + 1);
    memcpy(url->path, path, length);
    return (RLURLRef)(const void *)url;
}

RLURLRef RLURLCreateWithFileSystemPath(RLAllocatorRef allocator, RLStringRef filePath,
                                       RLURLPathStyle pathStyle, Boolean isDirectory)
{
    (void)allocator;
    rl_expect_string(filePath, __func__, "filePath");
    if (pathStyle != kRLURLPOSIXPathStyle) return NULL;
    rl_string_lock(filePath);
    const char *path = rl_string_characters(filePath);
    RLURLRef url = create_url(path, strlen(path), isDirectory, NULL);
    rl_string_unlock(filePath);
    return url;
}

RLURLRef RLURLCreateFromFileSystemRepresentation(RLAllocatorRef allocator, const UInt8 *buffer,
                                                 RLIndex bufLen, Boolean isDirectory)
{
    (void)allocator;
    if (bufLen <= 0) return NULL;
    /* As in system calls, the path ends at the first NUL. */
    return create_url((const char *)buffer, strnlen((const char *)buffer, (size_t)bufLen),
                      isDirectory, NULL);
}

static int hexadecimal_digit(char character)
{
    if (character >= '0' && character <= '9') return character - '0';
    char letter = (char)(character | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/*
 * Copies the path of a URL. Stops at a query or a fragment. Fails at a byte that is not allowed,
 * and at an invalid escape.
 */
static bool read_path(const char *next, struct rl_text *path)
{
    for (; *next && *next != '?' && *next != '#'; next++) {
        char byte = *next;
        if (byte == '%') {
            int high = hexadecimal_digit(next[1]), low = high < 0 ? -1 : hexadecimal_digit(next[2]);
            if (low < 0 || high * 16 + low == 0) return false;
            byte = (char)(high * 16 + low);
            next += 2;
        } else if (!is_allowed_in_path((unsigned char)byte)) {
            return false;
        }
        rl_text_add_bytes(path, &byte, 1);
    }
    return path->length > 0;
}

static RLURLRef create_url_of_text(RLStringRef text, RLURLRef baseURL, const char *function)
{
    const char *next = rl_string_characters(text);
    bool is_known = !baseURL && strncasecmp(next, scheme, sizeof scheme - 1) == 0;
    RL_HINT(!is_known, function,
            "cannot create a URL from \"%s\": pass a file URL without a base; returning NULL",
            next);
    if (!is_known) return NULL;
    next += sizeof scheme - 1;
    if (strncmp(next, "//", 2) == 0) {
        next += 2;
        if (strncasecmp(next, "localhost", 9) == 0) next += 9;
    }
    struct rl_text path = {0};
    bool is_path = *next == '/' && read_path(next, &path);
    RLURLRef url = is_path ? create_url(path.characters, path.length, false, text) : NULL;
    free(path.characters);
    return url;
}

RLURLRef RLURLCreateWithString(RLAllocatorRef allocator, RLStringRef URLString, RLURLRef baseURL)
{
    (void)allocator;
    rl_expect_string(URLString, __func__, "URLString");
    RLStringRef text = RLStringCreateCopy(NULL, URLString);
    RLURLRef url = create_url_of_text(text, baseURL, __func__);
    RLRelease(text);
    return url;
}

static const struct rl_url *checked_url(RLURLRef url, const char *function)
{
    rl_expect(url, RL_TYPE_URL, function, "url");
    return (const struct rl_url *)(const void *)url;
}

RLStringRef RLURLGetString(RLURLRef anURL)
{
    return checked_url(anURL, __func__)->text;
}

RLStringRef RLURLCopyFileSystemPath(RLURLRef anURL, RLURLPathStyle pathStyle)
{
    const struct rl_url *url = checked_url(anURL, __func__);
    if (pathStyle != kRLURLPOSIXPathStyle) return NULL;
    return RLStringCreateWithCString(NULL, url->path, kRLStringEncodingUTF8);
}

Boolean RLURLGetFileSystemRepresentation(RLURLRef url, Boolean resolveAgainstBase, UInt8 *buffer,
                                         RLIndex maxBufLen)
{
    (void)resolveAgainstBase;
    const char *path = checked_url(url, __func__)->path;
    if (maxBufLen < 0 || strlen(path) >= (size_t)maxBufLen) return false;
    strcpy((char *)buffer, path);
    return true;
}

Boolean RLURLHasDirectoryPath(RLURLRef anURL)
{
    const char *text = rl_string_characters(checked_url(anURL, __func__)->text);
    return text[strlen(text) - 1] == '/';
}

static void destroy_url(struct rl_object *object)
{
    struct rl_url *url = (struct rl_url *)object;
    RLRelease(url->text);
    free(url->path);
    rl_object_free(object);
}

static Boolean urls_are_equal(RLTypeRef first, RLTypeRef second)
{
    const struct rl_url *left = first, *right = second;
    return rl_string_equal(left->text, right->text);
}

static RLHashCode hash_url(RLTypeRef object)
{
    return RLHash(((const struct rl_url *)object)->text);
}

static RLStringRef describe_url(RLTypeRef object)
{
    return rl_string_format("<RLURL %p>{string = %s, encoding = %u, base = (null)}", object,
                            rl_string_characters(((const struct rl_url *)object)->text),
                            (unsigned)kRLStringEncodingUTF8);
}

static RLStringRef copy_url_text(RLTypeRef object)
{
    return RLRetain(((const struct rl_url *)object)->text);
}

static const struct rl_class url_class = {
    .name = "RLURL",
    .destroy = destroy_url,
    .equal = urls_are_equal,
    .hash = hash_url,
    .copy_description = describe_url,
    .copy_value = copy_url_text,
};

RL_REGISTER_CLASS(RLURL, RL_TYPE_URL, url_class)
RL_DEFINE_SWIFT_COUNTS(url, RLURLRef)
