/*
 * The encodings of bytes that strings know, and what others call them.
 */

#include "values/string.h"

#include <strings.h>

struct encoding {
    RLStringEncoding encoding;
    /* What NSString calls it. */
    unsigned long number;
    UInt32 codepage;
    /* That of the Macintosh which is nearest. */
    RLStringEncoding of_macintosh;
    const char *registered;
    /* Other names that are understood, in the registry's spelling, or null. */
    const char *others[3];
    RLStringRef registered_string;
    RLStringRef name;
};

#define NAMES(registered_name, people_name)                                                        \
    .registered = registered_name, .registered_string = RLSTR(registered_name),                    \
    .name = RLSTR(people_name)

enum { no_codepage = -1 };

static const struct encoding encodings[] = {
    {kRLStringEncodingUTF8, 4, 65001, 0x100, NAMES("utf-8", "Unicode (UTF-8)"), .others = {"utf8"}},
    {kRLStringEncodingASCII, 1, 20127, 0, NAMES("us-ascii", "Western (ASCII)"),
     .others = {"ascii", "iso646-us"}},
    {kRLStringEncodingISOLatin1, 5, 28591, 0, NAMES("iso-8859-1", "Western (ISO Latin 1)"),
     .others = {"latin1", "iso_8859-1", "l1"}},
    {kRLStringEncodingUTF16, 10, 1200, 0x100, NAMES("utf-16", "Unicode (UTF-16)")},
    {kRLStringEncodingUTF16BE, 0x90000100, 1201, 0x100, NAMES("utf-16be", "Unicode (UTF-16BE)")},
    {kRLStringEncodingUTF16LE, 0x94000100, (UInt32)no_codepage, 0x100,
     NAMES("utf-16le", "Unicode (UTF-16LE)")},
    {kRLStringEncodingUTF32, 0x8C000100, 65005, 0x100, NAMES("utf-32", "Unicode (UTF-32)")},
    {kRLStringEncodingUTF32BE, 0x98000100, 65006, 0x100, NAMES("utf-32be", "Unicode (UTF-32BE)")},
    {kRLStringEncodingUTF32LE, 0x9C000100, (UInt32)no_codepage, 0x100,
     NAMES("utf-32le", "Unicode (UTF-32LE)")},
};

enum { encoding_count = sizeof encodings / sizeof encodings[0] };

/* Null for one that is not known. */
static const struct encoding *find(RLStringEncoding encoding)
{
    for (int i = 0; i < encoding_count; i++) {
        if (encodings[i].encoding == encoding) return &encodings[i];
    }
    return NULL;
}

Boolean RLStringIsEncodingAvailable(RLStringEncoding encoding)
{
    return find(encoding) != NULL;
}

const RLStringEncoding *RLStringGetListOfAvailableEncodings(void)
{
    static const RLStringEncoding list[] = {kRLStringEncodingUTF8,      kRLStringEncodingASCII,
                                            kRLStringEncodingISOLatin1, kRLStringEncodingUTF16,
                                            kRLStringEncodingUTF16BE,   kRLStringEncodingUTF16LE,
                                            kRLStringEncodingUTF32,     kRLStringEncodingUTF32BE,
                                            kRLStringEncodingUTF32LE,   kRLStringEncodingInvalidId};
    return list;
}

RLStringRef RLStringGetNameOfEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find(encoding);
    return known ? known->name : NULL;
}

RLStringEncoding RLStringGetSystemEncoding(void)
{
    return kRLStringEncodingUTF8;
}

static RLStringEncoding plainest(RLStringRef string, const char *function)
{
    rl_expect_string(string, function, "string");
    bool is_ascii = rl_string_is_text(rl_string_characters(string), kRLStringEncodingASCII);
    return is_ascii ? kRLStringEncodingASCII : kRLStringEncodingUTF8;
}

RLStringEncoding RLStringGetFastestEncoding(RLStringRef string)
{
    return plainest(string, __func__);
}

RLStringEncoding RLStringGetSmallestEncoding(RLStringRef string)
{
    return plainest(string, __func__);
}

unsigned long RLStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find(encoding);
    return known ? known->number : kRLStringEncodingInvalidId;
}

RLStringEncoding RLStringConvertNSStringEncodingToEncoding(unsigned long encoding)
{
    for (int i = 0; i < encoding_count; i++) {
        if (encodings[i].number == encoding) return encodings[i].encoding;
    }
    return kRLStringEncodingInvalidId;
}

UInt32 RLStringConvertEncodingToWindowsCodepage(RLStringEncoding encoding)
{
    const struct encoding *known = find(encoding);
    return known ? known->codepage : kRLStringEncodingInvalidId;
}

RLStringEncoding RLStringConvertWindowsCodepageToEncoding(UInt32 codepage)
{
    for (int i = 0; i < encoding_count; i++) {
        bool is_meant = encodings[i].codepage == codepage && codepage != (UInt32)no_codepage;
        if (is_meant) return encodings[i].encoding;
    }
    return kRLStringEncodingInvalidId;
}

RLStringRef RLStringConvertEncodingToIANACharSetName(RLStringEncoding encoding)
{
    const struct encoding *known = find(encoding);
    return known ? known->registered_string : NULL;
}

static bool is_called(const struct encoding *encoding, const char *name)
{
    if (strcasecmp(encoding->registered, name) == 0) return true;
    for (int i = 0; i < 3 && encoding->others[i]; i++) {
        if (strcasecmp(encoding->others[i], name) == 0) return true;
    }
    return false;
}

RLStringEncoding RLStringConvertIANACharSetNameToEncoding(RLStringRef name)
{
    rl_expect_string(name, __func__, "name");
    for (int i = 0; i < encoding_count; i++) {
        if (is_called(&encodings[i], rl_string_characters(name))) return encodings[i].encoding;
    }
    return kRLStringEncodingInvalidId;
}

RLStringEncoding RLStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find(encoding);
    return known ? known->of_macintosh : kRLStringEncodingInvalidId;
}
