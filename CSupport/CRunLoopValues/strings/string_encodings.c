#include "strings/characters.h"

#include <strings.h>

struct encoding {
    RLStringEncoding encoding;
    /* The encoding's number in NSString. */
    unsigned long number;
    UInt32 codepage;
    /* The most similar Macintosh encoding. */
    RLStringEncoding of_macintosh;
    const char *registered;
    /* Aliases of the registered name. Unused elements are null. */
    const char *others[5];
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
    {kRLStringEncodingMacRoman, 30, 10000, 0, NAMES("macintosh", "Western (Mac OS Roman)"),
     .others = {"mac", "macroman", "x-mac-roman", "x-macroman", "csMacintosh"}},
    {kRLStringEncodingWindowsLatin1, 12, 1252, 0,
     NAMES("windows-1252", "Western (Windows Latin 1)"), .others = {"cp1252"}},
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

/* The characters for the bytes 0x80 to 0xFF, with 0 for an undefined byte. */
static const UniChar mac_roman[128] = {
    0x00C4, 0x00C5, 0x00C7, 0x00C9, 0x00D1, 0x00D6, 0x00DC, 0x00E1, 0x00E0, 0x00E2, 0x00E4, 0x00E3,
    0x00E5, 0x00E7, 0x00E9, 0x00E8, 0x00EA, 0x00EB, 0x00ED, 0x00EC, 0x00EE, 0x00EF, 0x00F1, 0x00F3,
    0x00F2, 0x00F4, 0x00F6, 0x00F5, 0x00FA, 0x00F9, 0x00FB, 0x00FC, 0x2020, 0x00B0, 0x00A2, 0x00A3,
    0x00A7, 0x2022, 0x00B6, 0x00DF, 0x00AE, 0x00A9, 0x2122, 0x00B4, 0x00A8, 0x2260, 0x00C6, 0x00D8,
    0x221E, 0x00B1, 0x2264, 0x2265, 0x00A5, 0x00B5, 0x2202, 0x2211, 0x220F, 0x03C0, 0x222B, 0x00AA,
    0x00BA, 0x03A9, 0x00E6, 0x00F8, 0x00BF, 0x00A1, 0x00AC, 0x221A, 0x0192, 0x2248, 0x2206, 0x00AB,
    0x00BB, 0x2026, 0x00A0, 0x00C0, 0x00C3, 0x00D5, 0x0152, 0x0153, 0x2013, 0x2014, 0x201C, 0x201D,
    0x2018, 0x2019, 0x00F7, 0x25CA, 0x00FF, 0x0178, 0x2044, 0x20AC, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x2021, 0x00B7, 0x201A, 0x201E, 0x2030, 0x00C2, 0x00CA, 0x00C1, 0x00CB, 0x00C8, 0x00CD, 0x00CE,
    0x00CF, 0x00CC, 0x00D3, 0x00D4, 0xF8FF, 0x00D2, 0x00DA, 0x00DB, 0x00D9, 0x0131, 0x02C6, 0x02DC,
    0x00AF, 0x02D8, 0x02D9, 0x02DA, 0x00B8, 0x02DD, 0x02DB, 0x02C7,
};

static const UniChar windows_latin1[128] = {
    0x20AC, 0x0000, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x0000, 0x017D, 0x0000, 0x0000, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x0000, 0x017E, 0x0178, 0x00A0, 0x00A1, 0x00A2, 0x00A3,
    0x00A4, 0x00A5, 0x00A6, 0x00A7, 0x00A8, 0x00A9, 0x00AA, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x00AF,
    0x00B0, 0x00B1, 0x00B2, 0x00B3, 0x00B4, 0x00B5, 0x00B6, 0x00B7, 0x00B8, 0x00B9, 0x00BA, 0x00BB,
    0x00BC, 0x00BD, 0x00BE, 0x00BF, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C6, 0x00C7,
    0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF, 0x00D0, 0x00D1, 0x00D2, 0x00D3,
    0x00D4, 0x00D5, 0x00D6, 0x00D7, 0x00D8, 0x00D9, 0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00DF,
    0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x00E4, 0x00E5, 0x00E6, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00ED, 0x00EE, 0x00EF, 0x00F0, 0x00F1, 0x00F2, 0x00F3, 0x00F4, 0x00F5, 0x00F6, 0x00F7,
    0x00F8, 0x00F9, 0x00FA, 0x00FB, 0x00FC, 0x00FD, 0x00FE, 0x00FF,
};

const UniChar *rl_string_upper_half(RLStringEncoding encoding)
{
    if (encoding == kRLStringEncodingMacRoman) return mac_roman;
    return encoding == kRLStringEncodingWindowsLatin1 ? windows_latin1 : NULL;
}

static const struct encoding *find_encoding(RLStringEncoding encoding)
{
    for (int i = 0; i < encoding_count; i++) {
        if (encodings[i].encoding == encoding) return &encodings[i];
    }
    return NULL;
}

Boolean RLStringIsEncodingAvailable(RLStringEncoding encoding)
{
    return find_encoding(encoding) != NULL;
}

const RLStringEncoding *RLStringGetListOfAvailableEncodings(void)
{
    static const RLStringEncoding list[] = {
        kRLStringEncodingUTF8,          kRLStringEncodingASCII,     kRLStringEncodingMacRoman,
        kRLStringEncodingWindowsLatin1, kRLStringEncodingISOLatin1, kRLStringEncodingUTF16,
        kRLStringEncodingUTF16BE,       kRLStringEncodingUTF16LE,   kRLStringEncodingUTF32,
        kRLStringEncodingUTF32BE,       kRLStringEncodingUTF32LE,   kRLStringEncodingInvalidId};
    return list;
}

RLStringRef RLStringGetNameOfEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find_encoding(encoding);
    return known ? known->name : NULL;
}

RLStringEncoding RLStringGetSystemEncoding(void)
{
    return kRLStringEncodingUTF8;
}

static RLStringEncoding plainest_encoding(RLStringRef string, const char *function)
{
    rl_expect_string(string, function, "string");
    rl_string_lock(string);
    bool is_ascii = rl_string_is_text(rl_string_characters(string), kRLStringEncodingASCII);
    rl_string_unlock(string);
    return is_ascii ? kRLStringEncodingASCII : kRLStringEncodingUTF8;
}

RLStringEncoding RLStringGetFastestEncoding(RLStringRef string)
{
    return plainest_encoding(string, __func__);
}

RLStringEncoding RLStringGetSmallestEncoding(RLStringRef string)
{
    return plainest_encoding(string, __func__);
}

unsigned long RLStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find_encoding(encoding);
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
    const struct encoding *known = find_encoding(encoding);
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
    const struct encoding *known = find_encoding(encoding);
    return known ? known->registered_string : NULL;
}

static bool has_name(const struct encoding *encoding, const char *name)
{
    if (strcasecmp(encoding->registered, name) == 0) return true;
    for (int i = 0; i < 5 && encoding->others[i]; i++) {
        if (strcasecmp(encoding->others[i], name) == 0) return true;
    }
    return false;
}

RLStringEncoding RLStringConvertIANACharSetNameToEncoding(RLStringRef name)
{
    rl_expect_string(name, __func__, "name");
    rl_string_lock(name);
    int i = 0;
    while (i < encoding_count && !has_name(&encodings[i], rl_string_characters(name))) i++;
    rl_string_unlock(name);
    return i < encoding_count ? encodings[i].encoding : kRLStringEncodingInvalidId;
}

RLStringEncoding RLStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding)
{
    const struct encoding *known = find_encoding(encoding);
    return known ? known->of_macintosh : kRLStringEncodingInvalidId;
}
