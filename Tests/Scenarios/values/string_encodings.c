/*
 * Strings and bytes of several encodings.
 */

#include "scenario.h"
#include "value_words.h"

/* A letter of one byte in Latin 1, of three in UTF-8, and a pair. */
#define MIXED "a\xC3\xB6\xE2\x82\xAC\xF0\x9F\x98\x80z"

static void note_bytes(const UInt8 *bytes, long count)
{
    char line[128] = "";
    for (long i = 0; i < count && i < 40; i++) {
        snprintf(line + 2 * i, sizeof line - (size_t)(2 * i), "%02x", bytes[i]);
    }
    note("%s", line);
}

struct request {
    long start, length;
    RLStringEncoding encoding;
    UInt8 loss_byte;
    bool is_external;
    long size;
};

static void note_conversion(RLStringRef string, struct request request)
{
    UInt8 buffer[64];
    long used = -1, measured = -1;
    long units =
        RLStringGetBytes(string, RLRangeMake(request.start, request.length), request.encoding,
                         request.loss_byte, request.is_external, buffer, request.size, &used);
    long all =
        RLStringGetBytes(string, RLRangeMake(request.start, request.length), request.encoding,
                         request.loss_byte, request.is_external, NULL, 0, &measured);
    note("%ld in %ld of %ld in %ld", units, used, all, measured);
    note_bytes(buffer, used);
}

static void bytes_of_string(void)
{
    static const RLStringEncoding encodings[] = {
        kRLStringEncodingUTF8,    kRLStringEncodingASCII,   kRLStringEncodingISOLatin1,
        kRLStringEncodingUTF16BE, kRLStringEncodingUTF16LE, kRLStringEncodingUTF32BE,
        kRLStringEncodingUTF32LE};
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        note_conversion(text(MIXED), (struct request){0, 6, encodings[i], 0, false, 64});
        note_conversion(text(MIXED), (struct request){0, 6, encodings[i], '?', true, 64});
    }
}
SCENARIO(bytes_of_string,
         .title = "A string gives its bytes in an encoding, up to what the encoding has not",
         .clauses = "object base",
         .expected =
             "6 in 11 of 6 in 11; 61c3b6e282acf09f98807a; 6 in 11 of 6 in 11; "
             "61c3b6e282acf09f98807a; 1 in 1 of 1 in 1; 61; 6 in 6 of 6 in 6; 613f3f3f3f7a; "
             "2 in 2 of 2 in 2; 61f6; 6 in 6 of 6 in 6; 61f63f3f3f7a; 6 in 12 of 6 in 12; "
             "006100f620acd83dde00007a; 6 in 12 of 6 in 12; 006100f620acd83dde00007a; "
             "6 in 12 of 6 in 12; 6100f600ac203dd800de7a00; 6 in 12 of 6 in 12; "
             "6100f600ac203dd800de7a00; 6 in 20 of 6 in 20; "
             "00000061000000f6000020ac0001f6000000007a; 6 in 20 of 6 in 20; "
             "00000061000000f6000020ac0001f6000000007a; 6 in 20 of 6 in 20; "
             "61000000f6000000ac20000000f601007a000000; 6 in 20 of 6 in 20; "
             "61000000f6000000ac20000000f601007a000000")

static void bytes_of_ranges(void)
{
    const RLStringEncoding utf8 = kRLStringEncodingUTF8, ascii = kRLStringEncodingASCII;

    note_conversion(text(MIXED), (struct request){0, 6, utf8, 0, false, 5});
    note_conversion(text(MIXED), (struct request){0, 6, utf8, 0, false, 6});
    note_conversion(text(MIXED), (struct request){0, 6, utf8, 0, false, 9});
    note_conversion(text(MIXED), (struct request){0, 4, utf8, 0, false, 64});
    note_conversion(text(MIXED), (struct request){0, 4, utf8, '?', false, 64});
    note_conversion(text(MIXED), (struct request){4, 1, utf8, 0, false, 64});
    note_conversion(text(MIXED), (struct request){3, 2, utf8, 0, false, 64});
    note_conversion(text(MIXED), (struct request){6, 0, utf8, 0, false, 64});
    note_conversion(text(MIXED), (struct request){0, 6, ascii, '?', false, 3});
    note_conversion(text(MIXED), (struct request){0, 6, ascii, 0, false, 0});
    note_conversion(text(MIXED), (struct request){0, 6, 0x77777, 0, false, 10});
}
SCENARIO(bytes_of_ranges,
         .title = "Bytes of a range end with the buffer, and where half a pair is",
         .clauses = "object base",
         .expected = "2 in 3 of 6 in 11; 61c3b6; 3 in 6 of 6 in 11; 61c3b6e282ac; 3 in 6 of 6 in 11; "
                     "61c3b6e282ac; 3 in 6 of 3 in 6; 61c3b6e282ac; 3 in 6 of 3 in 6; 61c3b6e282ac; "
                     "0 in 0 of 0 in 0; ; 2 in 4 of 2 in 4; f09f9880; 0 in 0 of 0 in 0; ; "
                     "3 in 3 of 6 in 6; 613f3f; 0 in 0 of 1 in 1; ; 0 in 0 of 0 in 0; ")

static void bytes_of_halves(void)
{
    const UniChar units[] = {'a', 0xD800, 'b'};
    RLStringRef string = kept(RLStringCreateWithCharacters(NULL, units, 3));

    note_conversion(string, (struct request){0, 3, kRLStringEncodingUTF8, '?', false, 64});
    note_conversion(string, (struct request){0, 3, kRLStringEncodingASCII, '?', false, 64});
    note_conversion(string, (struct request){0, 3, kRLStringEncodingUTF16BE, 0, false, 64});
    note_conversion(string, (struct request){0, 3, kRLStringEncodingUTF32BE, 0, false, 64});
    note_conversion(string, (struct request){0, 3, kRLStringEncodingUTF32BE, '?', false, 64});
    check(!RLStringCreateExternalRepresentation(NULL, string, kRLStringEncodingUTF8, 0));
}
SCENARIO(bytes_of_halves,
         .title = "Half a pair has bytes in UTF-16 only",
         .clauses = "object base",
         .expected = "1 in 1 of 1 in 1; 61; 3 in 3 of 3 in 3; 613f62; 3 in 6 of 3 in 6; 0061d8000062; "
                     "1 in 4 of 1 in 4; 00000061; 3 in 12 of 3 in 12; 000000610000003f00000062")

/* The units are in the machine's byte order. */
static void bytes_with_mark(void)
{
    const UniChar units[] = {0xFEFF, 'a', 0x20AC};
    const uint32_t points[] = {0xFEFF, 'a', 0x20AC};
    UInt8 buffer[16];
    long used = 0;
    RLStringRef string = text("a\xE2\x82\xAC");

    check(RLStringGetBytes(string, RLRangeMake(0, 2), kRLStringEncodingUTF16, 0, true, buffer, 16,
                           &used) == 2);
    check(used == sizeof units && memcmp(buffer, units, sizeof units) == 0);
    check(RLStringGetBytes(string, RLRangeMake(0, 2), kRLStringEncodingUTF16, 0, false, buffer, 16,
                           &used) == 2);
    check(used == 4 && memcmp(buffer, units + 1, 4) == 0);
    check(RLStringGetBytes(string, RLRangeMake(0, 2), kRLStringEncodingUTF16, 0, true, buffer, 5,
                           &used) == 1);
    check(used == 4);
    check(RLStringGetBytes(string, RLRangeMake(0, 2), kRLStringEncodingUTF32, 0, true, buffer, 16,
                           &used) == 2);
    check(used == sizeof points && memcmp(buffer, points, sizeof points) == 0);
    RLDataRef data =
        kept(RLStringCreateExternalRepresentation(NULL, string, kRLStringEncodingUTF16, 0));
    check(RLDataGetLength(data) == sizeof units);
    check(memcmp(RLDataGetBytePtr(data), units, sizeof units) == 0);
}
SCENARIO(bytes_with_mark,
         .title = "External bytes of UTF-16 and UTF-32 begin with a mark of their order",
         .clauses = "object base")

static void note_string_of(const char *bytes, long count, RLStringEncoding encoding,
                           bool is_external)
{
    RLStringRef string =
        kept(RLStringCreateWithBytes(NULL, (const UInt8 *)bytes, count, encoding, is_external));
    char line[64] = "none";
    for (long i = 0; string && i < RLStringGetLength(string); i++) {
        snprintf(line + 5 * i, sizeof line - (size_t)(5 * i), "%04x ",
                 RLStringGetCharacterAtIndex(string, i));
    }
    note("%s", line);
}

static void string_of_encoded_bytes(void)
{
    note_string_of("\xE9\x80z", 3, kRLStringEncodingISOLatin1, false);
    note_string_of("\xFE\xFF\0a", 4, kRLStringEncodingUTF16, true);
    note_string_of("\xFF\xFE"
                   "a\0",
                   4, kRLStringEncodingUTF16, true);
    note_string_of("\0a", 2, kRLStringEncodingUTF16, true);
    note_string_of("\xFF\xFE"
                   "a\0",
                   4, kRLStringEncodingUTF16LE, true);
    note_string_of("\xFE\xFF\0a", 4, kRLStringEncodingUTF16BE, false);
    note_string_of("a\0b", 3, kRLStringEncodingUTF16LE, false);
    note_string_of("\xD8\x3D", 2, kRLStringEncodingUTF16BE, false);
    note_string_of("\xD8\x3D\xDE\0", 4, kRLStringEncodingUTF16BE, false);
    note_string_of("\0\0\0a\0\1\xF6\0", 8, kRLStringEncodingUTF32, false);
    note_string_of("\xFF\xFE\0\0a\0\0\0", 8, kRLStringEncodingUTF32, false);
    note_string_of("\xFF\xFE\0\0a\0\0\0", 8, kRLStringEncodingUTF32LE, false);
    note_string_of("\0\x11\0\0", 4, kRLStringEncodingUTF32BE, false);
    note_string_of("\0\0\xD8\x3D", 4, kRLStringEncodingUTF32BE, false);
    note_string_of("\0\0\0ab", 5, kRLStringEncodingUTF32BE, false);
    note_string_of("\xED\xA0\x80", 3, kRLStringEncodingUTF8, false);
}
SCENARIO(string_of_encoded_bytes,
         .title = "A string is made from bytes of several encodings",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected = "00e9 0080 007a ; 0061 ; 0061 ; 0061 ; feff 0061 ; feff 0061 ; 0061 ; d83d ; "
                     "d83d de00 ; 0061 d83d de00 ; 0061 ; feff 0061 ; none; none; 0061 ; none")

static void characters_of_string(void)
{
    UniChar units[6] = {0};
    char buffer[16];
    RLStringRef string = text(MIXED);

    RLStringGetCharacters(string, RLRangeMake(1, 4), units);
    note("%x %x %x %x %x", units[0], units[1], units[2], units[3], units[4]);
    RLStringGetCharacters(string, RLRangeMake(4, 2), units);
    note("%x %x", units[0], units[1]);
    check(
        RLEqual(string, kept(RLStringCreateWithCharacters(
                            NULL, (const UniChar[]){'a', 0xF6, 0x20AC, 0xD83D, 0xDE00, 'z'}, 6))));
    check(RLStringGetLength(kept(RLStringCreateWithCharacters(NULL, NULL, 0))) == 0);
    note_answer("Latin 1",
                RLStringGetCString(text("\xC3\xA9"), buffer, 16, kRLStringEncodingISOLatin1));
    check(memcmp(buffer, "\xE9", 2) == 0);
    note_answer("euro",
                RLStringGetCString(text("\xE2\x82\xAC"), buffer, 16, kRLStringEncodingISOLatin1));
    note_answer("5 bytes", RLStringGetCString(text("ab"), buffer, 5, kRLStringEncodingUTF16LE));
    check(memcmp(buffer, "a\0b\0", 5) == 0);
    note_answer("4 bytes", RLStringGetCString(text("ab"), buffer, 4, kRLStringEncodingUTF16LE));
}
SCENARIO(characters_of_string,
         .title = "A string gives its code units and a C string in other encodings",
         .clauses = "object base",
         .expected = "f6 20ac d83d de00 0; de00 7a; Latin 1: yes; euro: no; 5 bytes: yes; "
                     "4 bytes: no")

/* Each byte alone, as a character and back, in lines of 16; -- for a byte that has none. */
static void note_upper_half(RLStringEncoding encoding)
{
    char line[96] = "";
    for (unsigned byte = 0x80; byte < 0x100; byte++) {
        UInt8 given = (UInt8)byte, back = 0;
        RLStringRef string = kept(RLStringCreateWithBytes(NULL, &given, 1, encoding, false));
        size_t at = strlen(line);
        if (string) {
            snprintf(line + at, sizeof line - at, "%x ", RLStringGetCharacterAtIndex(string, 0));
            check(RLStringGetBytes(string, RLRangeMake(0, 1), encoding, 0, false, &back, 1, NULL) ==
                  1);
            check(back == given && RLStringGetLength(string) == 1);
        } else {
            snprintf(line + at, sizeof line - at, "-- ");
        }
        if (byte % 16 != 15) continue;
        note("%s", line);
        line[0] = 0;
    }
}

static void bytes_by_table(void)
{
    static const RLStringEncoding encodings[] = {kRLStringEncodingMacRoman,
                                                 kRLStringEncodingWindowsLatin1};
    for (size_t i = 0; i < 2; i++) {
        char buffer[8];
        note_upper_half(encodings[i]);
        note_conversion(text(MIXED), (struct request){0, 6, encodings[i], 0, false, 64});
        note_conversion(text(MIXED), (struct request){0, 6, encodings[i], '?', true, 64});
        note_text(kept(RLStringCreateWithCString(NULL, "plain", encodings[i])));
        note_text(kept(RLStringCreateWithCString(NULL, "\xE9t\xE9", encodings[i])));
        note_answer("fits",
                    RLStringGetCString(text("\xE2\x82\xAC"), buffer, sizeof buffer, encodings[i]));
        note_bytes((const UInt8 *)buffer, 2);
        note_answer("has it",
                    RLStringGetCString(text("\xD0\xB6"), buffer, sizeof buffer, encodings[i]));
    }
    note_string_of("a\0\xC4", 3, kRLStringEncodingMacRoman, false);
    note_string_of("\xEF\xBB\xBF", 3, kRLStringEncodingWindowsLatin1, true);
    note_string_of("a\x81", 2, kRLStringEncodingWindowsLatin1, false);
}
SCENARIO(bytes_by_table,
         .title = "Mac Roman and Windows Latin 1 have tables for the bytes above ASCII",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected =
             "c4 c5 c7 c9 d1 d6 dc e1 e0 e2 e4 e3 e5 e7 e9 e8 ; ea eb ed ec ee ef f1 f3 "
             "f2 f4 f6 f5 fa f9 fb fc ; 2020 b0 a2 a3 a7 2022 b6 df ae a9 2122 b4 a8 2260 "
             "c6 d8 ; 221e b1 2264 2265 a5 b5 2202 2211 220f 3c0 222b aa ba 3a9 e6 f8 ; "
             "bf a1 ac 221a 192 2248 2206 ab bb 2026 a0 c0 c3 d5 152 153 ; 2013 2014 201c "
             "201d 2018 2019 f7 25ca ff 178 2044 20ac 2039 203a fb01 fb02 ; 2021 b7 201a "
             "201e 2030 c2 ca c1 cb c8 cd ce cf cc d3 d4 ; f8ff d2 da db d9 131 2c6 2dc "
             "af 2d8 2d9 2da b8 2dd 2db 2c7 ; 3 in 3 of 3 in 3; 619adb; 6 in 5 of 6 in 5; "
             "619adb3f7a; \"plain\"; \"ÈtÈ\"; fits: yes; db00; has it: no; 20ac -- 201a "
             "192 201e 2026 2020 2021 2c6 2030 160 2039 152 -- 17d -- ; -- 2018 2019 201c "
             "201d 2022 2013 2014 2dc 2122 161 203a 153 -- 17e 178 ; a0 a1 a2 a3 a4 a5 a6 "
             "a7 a8 a9 aa ab ac ad ae af ; b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb bc bd be "
             "bf ; c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf ; d0 d1 d2 d3 d4 d5 d6 "
             "d7 d8 d9 da db dc dd de df ; e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 ea eb ec ed ee "
             "ef ; f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 fa fb fc fd fe ff ; 3 in 3 of 3 in 3; "
             "61f680; 6 in 6 of 6 in 6; 61f6803f3f7a; \"plain\"; \"été\"; fits: yes; "
             "8000; has it: no; 0061 0000 0192 ; 00ef 00bb 00bf ; none")

static void encoding_names(void)
{
    static const RLStringEncoding encodings[] = {
        kRLStringEncodingUTF8,     kRLStringEncodingASCII,        kRLStringEncodingISOLatin1,
        kRLStringEncodingUTF16,    kRLStringEncodingUTF16BE,      kRLStringEncodingUTF16LE,
        kRLStringEncodingUTF32,    kRLStringEncodingUTF32BE,      kRLStringEncodingUTF32LE,
        kRLStringEncodingMacRoman, kRLStringEncodingWindowsLatin1};
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        RLStringEncoding encoding = encodings[i];
        unsigned long number = RLStringConvertEncodingToNSStringEncoding(encoding);
        RLStringRef name = RLStringConvertEncodingToIANACharSetName(encoding);
        note("%lx %x %x %ld", number, RLStringConvertEncodingToWindowsCodepage(encoding),
             RLStringGetMostCompatibleMacStringEncoding(encoding),
             RLStringGetMaximumSizeForEncoding(5, encoding));
        note_text(name);
        note_text(RLStringGetNameOfEncoding(encoding));
        check(RLStringIsEncodingAvailable(encoding));
        check(RLStringConvertNSStringEncodingToEncoding(number) == encoding);
        check(RLStringConvertIANACharSetNameToEncoding(name) == encoding);
    }
    check(RLStringConvertWindowsCodepageToEncoding(65001) == kRLStringEncodingUTF8);
    check(RLStringConvertIANACharSetNameToEncoding(text("UTF-8")) == kRLStringEncodingUTF8);
    check(RLStringConvertIANACharSetNameToEncoding(text("latin1")) == kRLStringEncodingISOLatin1);
    check(RLStringConvertIANACharSetNameToEncoding(text("CP1252")) ==
          kRLStringEncodingWindowsLatin1);
    check(RLStringConvertIANACharSetNameToEncoding(text("mac")) == kRLStringEncodingMacRoman);
    check(RLStringConvertIANACharSetNameToEncoding(text("?")) == kRLStringEncodingInvalidId);
    check(!RLStringIsEncodingAvailable(kRLStringEncodingInvalidId));
    check(!RLStringGetNameOfEncoding(kRLStringEncodingInvalidId));
    check(!RLStringConvertEncodingToIANACharSetName(kRLStringEncodingInvalidId));
    check(RLStringGetSystemEncoding() == kRLStringEncodingUTF8);
    check(RLStringGetFastestEncoding(text("abc")) == kRLStringEncodingASCII);
    check(RLStringGetSmallestEncoding(text("abc")) == kRLStringEncodingASCII);
    check(RLStringGetSmallestEncoding(text("\xE2\x82\xAC")) == kRLStringEncodingUTF8);
    check(RLStringGetListOfAvailableEncodings()[0] != kRLStringEncodingInvalidId);
}
SCENARIO(encoding_names,
         .title = "Encodings have numbers and names for others",
         .clauses = "object base",
         .expected =
             "4 fde9 100 15; \"utf-8\"; \"Unicode (UTF-8)\"; 1 4e9f 0 5; \"us-ascii\"; "
             "\"Western (ASCII)\"; 5 6faf 0 5; \"iso-8859-1\"; \"Western (ISO Latin 1)\"; "
             "a 4b0 100 10; \"utf-16\"; \"Unicode (UTF-16)\"; 90000100 4b1 100 10; \"utf-16be\"; "
             "\"Unicode (UTF-16BE)\"; 94000100 ffffffff 100 10; \"utf-16le\"; "
             "\"Unicode (UTF-16LE)\"; 8c000100 fded 100 20; \"utf-32\"; \"Unicode (UTF-32)\"; "
             "98000100 fdee 100 20; \"utf-32be\"; \"Unicode (UTF-32BE)\"; 9c000100 ffffffff 100 20; "
             "\"utf-32le\"; \"Unicode (UTF-32LE)\"; 1e 2710 0 5; \"macintosh\"; "
             "\"Western (Mac OS Roman)\"; c 4e4 0 5; \"windows-1252\"; "
             "\"Western (Windows Latin 1)\"")

static void string_of_given_bytes(void)
{
    char *characters = strdup("given away for good");
    note_text(kept(RLStringCreateWithCStringNoCopy(NULL, characters, kRLStringEncodingUTF8, NULL)));
    note_text(kept(
        RLStringCreateWithCStringNoCopy(NULL, "lent", kRLStringEncodingUTF8, kRLAllocatorNull)));
    UniChar *units = memcpy(malloc(8), (const UniChar[]){'a', 'b', 0xE9, 'd'}, 8);
    note_text(kept(RLStringCreateWithCharactersNoCopy(NULL, units, 4, kRLAllocatorMalloc)));
    UInt8 *bytes = memcpy(malloc(2), "\xE9", 2);
    note_text(kept(
        RLStringCreateWithBytesNoCopy(NULL, bytes, 1, kRLStringEncodingISOLatin1, false, NULL)));
}
SCENARIO(string_of_given_bytes,
         .title = "A string gives memory that was made over to it to its allocator",
         .clauses = "object base",
         .expected = "\"given away for good\"; \"lent\"; \"abéd\"; \"é\"")

static void file_names(void)
{
    char buffer[8];
    note_answer("fits",
                RLStringGetFileSystemRepresentation(text("/a\xC3\xA9"), buffer, sizeof buffer));
    check(strcmp(buffer, "/a\xC3\xA9") == 0);
    note_answer("fits", RLStringGetFileSystemRepresentation(text("abc"), buffer, 3));
    note_text(kept(RLStringCreateWithFileSystemRepresentation(NULL, "/x\xC3\xA9")));
}
SCENARIO(file_names,
         .title = "Names of files are UTF-8",
         .clauses = "object base",
         .expected = "fits: yes; fits: no; \"/xé\"")
