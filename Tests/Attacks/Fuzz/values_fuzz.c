/*
 * Foreign bytes as strings, numbers, formats and file URLs, and their invariants.
 *
 * The first byte of the input chooses which.
 */

#include <CHarness.h>
#include <CRunLoop/CRunLoop.h>

#include <math.h>
#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void release(RLTypeRef object)
{
    if (object) RLRelease(object);
}

static RLStringRef string_of(const uint8_t *bytes, size_t size, RLStringEncoding encoding)
{
    return RLStringCreateWithBytes(NULL, bytes, (RLIndex)size, encoding, false);
}

/* --- Encodings -------------------------------------------------------------------------------- */

/* The bytes of a string in an encoding can be read again as the same string. */
static void check_conversion(RLStringRef string, RLStringEncoding encoding)
{
    RLDataRef data = RLStringCreateExternalRepresentation(NULL, string, encoding, 0);
    if (!data) return;
    RLStringRef again = RLStringCreateFromExternalRepresentation(NULL, data, encoding);
    /* A mark at the beginning is taken away. */
    bool has_mark =
        RLStringGetLength(string) > 0 && RLStringGetCharacterAtIndex(string, 0) == 0xFEFF;
    CHECK(again && (has_mark || RLEqual(again, string)));
    if (!has_mark) CHECK(RLHash(again) == RLHash(string));
    CHECK(RLDataGetLength(data) <=
          RLStringGetMaximumSizeForEncoding(RLStringGetLength(string), encoding) + 4);
    RLRelease(again);
    RLRelease(data);
}

/* Converts into a buffer of its own that is too small for most. */
static void fill_buffer(RLStringRef string, RLStringEncoding encoding, size_t size)
{
    char *buffer = malloc(size > 0 ? size : 1);
    if (size > 0 && RLStringGetCString(string, buffer, (RLIndex)size, encoding)) {
        CHECK(memchr(buffer, '\0', size));
    }
    RLIndex used = -1;
    RLIndex length = RLStringGetLength(string);
    RLIndex converted = RLStringGetBytes(string, RLRangeMake(0, length), encoding, '?', false,
                                         (UInt8 *)buffer, (RLIndex)size, &used);
    CHECK(converted >= 0 && converted <= length && used >= 0 && used <= (RLIndex)size);
    free(buffer);
}

static void try_encodings(const uint8_t *bytes, size_t size)
{
    const RLStringEncoding *all = RLStringGetListOfAvailableEncodings();
    size_t room = size > 0 ? bytes[0] : 0;
    for (; *all != kRLStringEncodingInvalidId; all++) {
        RLStringRef string = string_of(bytes, size, *all);
        if (!string) continue;
        for (const RLStringEncoding *to = RLStringGetListOfAvailableEncodings();
             *to != kRLStringEncodingInvalidId; to++) {
            check_conversion(string, *to);
        }
        fill_buffer(string, *all, room);
        RLStringConvertIANACharSetNameToEncoding(string);
        RLRelease(string);
    }
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static void try_numbers(const uint8_t *bytes, size_t size)
{
    RLStringRef string = string_of(bytes, size, kRLStringEncodingISOLatin1);
    CHECK(string);
    RLStringGetIntValue(string);
    double value = RLStringGetDoubleValue(string);
    CHECK(!isnan(value));
    RLRelease(string);

    UInt8 content[8] = {0};
    memcpy(content, bytes, size < sizeof content ? size : sizeof content);
    RLNumberRef double_number = RLNumberCreate(NULL, kRLNumberDoubleType, &value);
    for (RLIndex type = 1; type <= kRLNumberMaxType; type++) {
        RLNumberRef number = RLNumberCreate(NULL, (RLNumberType)type, content);
        for (RLIndex to = 1; to <= kRLNumberMaxType; to++) {
            UInt8 converted[8];
            RLNumberGetValue(number, (RLNumberType)to, converted);
        }
        RLComparisonResult order = RLNumberCompare(number, double_number, NULL);
        CHECK(order == -RLNumberCompare(double_number, number, NULL));
        if (RLEqual(number, double_number)) CHECK(RLHash(number) == RLHash(double_number));
        release(RLCopyDescription(number));
        RLRelease(number);
    }
    RLRelease(double_number);
}

/* --- Formats ---------------------------------------------------------------------------------- */

/* The point of return after a format that stops the process. */
static sigjmp_buf after_refusal;

static void resume_point(int signal)
{
    (void)signal;
    siglongjmp(after_refusal, 1);
}

/* The arguments are strings, and numbers in registers of their own. */
static void try_formats(const uint8_t *bytes, size_t size)
{
    /* The types of more of them, and of those with numbers, would depend on the format. */
    size_t uses = 0;
    for (size_t i = 0; i < size; i++) uses += bytes[i] == '%' || bytes[i] == '*';
    if (uses > 3 || memchr(bytes, 'L', size) || memchr(bytes, '$', size)) return;
    RLStringRef format = string_of(bytes, size, kRLStringEncodingISOLatin1);
    RLStringRef text = RLSTR("argument");
    struct sigaction former, action = {.sa_handler = resume_point};
    sigaction(SIGABRT, &action, &former);
    /* A process that stops frees nothing. */
    __lsan_disable();
    if (sigsetjmp(after_refusal, true) == 0) {
        release(RLStringCreateWithFormat(NULL, NULL, format, text, text, text, 1.5, -2e300, 0.0));
    }
    __lsan_enable();
    sigaction(SIGABRT, &former, NULL);
    RLRelease(format);
}

/* --- URLs of files ---------------------------------------------------------------------------- */

static void check_url(RLURLRef url)
{
    UInt8 path[64];
    if (RLURLGetFileSystemRepresentation(url, true, path, sizeof path)) {
        CHECK(memchr(path, '\0', sizeof path));
        RLURLRef again = RLURLCreateFromFileSystemRepresentation(
            NULL, path, (RLIndex)strlen((const char *)path), RLURLHasDirectoryPath(url));
        UInt8 same[64];
        /* It is a path with a slash longer at most. */
        if (again && RLURLGetFileSystemRepresentation(again, true, same, sizeof same)) {
            CHECK(strcmp((const char *)path, (const char *)same) == 0);
        }
        release(again);
    }
    release(RLURLCopyFileSystemPath(url, kRLURLPOSIXPathStyle));
    CHECK(RLURLGetString(url));
    RLRelease(url);
}

static void try_urls(const uint8_t *bytes, size_t size)
{
    RLURLRef url = RLURLCreateFromFileSystemRepresentation(NULL, bytes, (RLIndex)size, size % 2);
    if (url) check_url(url);
    RLStringRef string = string_of(bytes, size, kRLStringEncodingUTF8);
    if (!string) return;
    url = RLURLCreateWithString(NULL, string, NULL);
    if (url) check_url(url);
    url = RLURLCreateWithFileSystemPath(NULL, string, kRLURLPOSIXPathStyle, size % 2);
    if (url) check_url(url);
    RLRelease(string);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static void (*const kinds[])(const uint8_t *bytes, size_t size) = {try_encodings, try_numbers,
                                                                       try_formats, try_urls};
    if (size == 0) return 0;
    /* A copy of its own, beyond whose end the sanitizer sees. */
    uint8_t *bytes = malloc(size - 1 + (size == 1));
    memcpy(bytes, input + 1, size - 1);
    kinds[input[0] % (sizeof kinds / sizeof kinds[0])](bytes, size - 1);
    free(bytes);
    return 0;
}
