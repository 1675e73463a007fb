/* The supported encodings of strings, and their names and numbers in other systems. */

#ifndef CRUNLOOP_RLSTRINGENCODING_H
#define CRUNLOOP_RLSTRINGENCODING_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** An encoding of strings as bytes. CF: CFStringEncoding. */
typedef UInt32 RLStringEncoding;

/* Swift imports no comment from a macro. */
#if defined(__swift__)
/** No encoding. CF: kCFStringEncodingInvalidId. */
static const RLStringEncoding kRLStringEncodingInvalidId = 0xFFFFFFFFU;
#else
/** No encoding. CF: kCFStringEncodingInvalidId. */
#define kRLStringEncodingInvalidId (0xFFFFFFFFU)
#endif

#if !defined(__swift__)
/**
 * One of the supported encodings. Swift has an enumeration of this name.
 * CF: CFStringBuiltInEncodings.
 */
typedef RLStringEncoding RLStringBuiltInEncodings;
#endif

/* The supported encodings. */
enum {
    /** UTF-8. CF: kCFStringEncodingUTF8. */
    kRLStringEncodingUTF8 = 0x08000100,
    /** ASCII. Bytes above 127 are invalid. CF: kCFStringEncodingASCII. */
    kRLStringEncodingASCII = 0x0600,
    /** Mac OS Roman, of the systems before Mac OS X. CF: kCFStringEncodingMacRoman. */
    kRLStringEncodingMacRoman = 0,
    /**
     * Windows-1252, with 5 undefined bytes: 0x81, 0x8D, 0x8F, 0x90 and 0x9D.
     * CF: kCFStringEncodingWindowsLatin1.
     */
    kRLStringEncodingWindowsLatin1 = 0x0500,
    /** ISO 8859-1, the first 256 characters of Unicode. CF: kCFStringEncodingISOLatin1. */
    kRLStringEncodingISOLatin1 = 0x0201,
    /** UTF-16 in the byte order of this machine. CF: kCFStringEncodingUnicode. */
    kRLStringEncodingUnicode = 0x0100,
    /**
     * The same as kRLStringEncodingUnicode. External bytes are in the order of their byte order
     * mark, or big-endian without a mark. CF: kCFStringEncodingUTF16.
     */
    kRLStringEncodingUTF16 = 0x0100,
    /** UTF-16, big-endian. A byte order mark is a character. CF: kCFStringEncodingUTF16BE. */
    kRLStringEncodingUTF16BE = 0x10000100,
    /** UTF-16, little-endian. A byte order mark is a character. CF: kCFStringEncodingUTF16LE. */
    kRLStringEncodingUTF16LE = 0x14000100,
    /**
     * UTF-32. It is written in the byte order of this machine, and read in the order of the byte
     * order mark, or big-endian without a mark. CF: kCFStringEncodingUTF32.
     */
    kRLStringEncodingUTF32 = 0x0C000100,
    /** UTF-32, big-endian. A byte order mark is a character. CF: kCFStringEncodingUTF32BE. */
    kRLStringEncodingUTF32BE = 0x18000100,
    /** UTF-32, little-endian. A byte order mark is a character. CF: kCFStringEncodingUTF32LE. */
    kRLStringEncodingUTF32LE = 0x1C000100
};

/** Returns whether an encoding is supported. CF: CFStringIsEncodingAvailable. */
RL_EXPORT Boolean RLStringIsEncodingAvailable(RLStringEncoding encoding);

/**
 * Returns the supported encodings, as a list that ends with kRLStringEncodingInvalidId.
 * CF: CFStringGetListOfAvailableEncodings.
 */
RL_EXPORT const RLStringEncoding *RLStringGetListOfAvailableEncodings(void);

/**
 * Returns the display name of an encoding, or null; not retained. CF: CFStringGetNameOfEncoding.
 */
RL_EXPORT RLStringRef RLStringGetNameOfEncoding(RLStringEncoding encoding) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the encoding of the system's texts: kRLStringEncodingUTF8. CF: CFStringGetSystemEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetSystemEncoding(void);

/**
 * Returns the encoding into which a string is converted fastest: ASCII if possible, otherwise
 * UTF-8. CF: CFStringGetFastestEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetFastestEncoding(RLStringRef string);

/**
 * Returns the encoding in which a string is shortest: ASCII if possible, otherwise UTF-8.
 * CF: CFStringGetSmallestEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetSmallestEncoding(RLStringRef string);

/**
 * Returns NSString's number for an encoding, or kRLStringEncodingInvalidId if there is none.
 * CF: CFStringConvertEncodingToNSStringEncoding.
 */
RL_EXPORT unsigned long RLStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding);

/**
 * Returns the encoding for NSString's number, or kRLStringEncodingInvalidId if the encoding is not
 * supported. CF: CFStringConvertNSStringEncodingToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertNSStringEncodingToEncoding(unsigned long encoding);

/**
 * Returns the Windows code page of an encoding, or kRLStringEncodingInvalidId if there is none.
 * CF: CFStringConvertEncodingToWindowsCodepage.
 */
RL_EXPORT UInt32 RLStringConvertEncodingToWindowsCodepage(RLStringEncoding encoding);

/**
 * Returns the encoding of a Windows code page, or kRLStringEncodingInvalidId if the encoding is not
 * supported. CF: CFStringConvertWindowsCodepageToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertWindowsCodepageToEncoding(UInt32 codepage);

/**
 * Returns the IANA name of an encoding, such as utf-8, or null; not retained.
 * CF: CFStringConvertEncodingToIANACharSetName.
 */
RL_EXPORT RLStringRef RLStringConvertEncodingToIANACharSetName(RLStringEncoding encoding)
    RL_RETURNS_NOT_RETAINED;

/**
 * Returns the encoding of an IANA name, in upper or lower case, or kRLStringEncodingInvalidId if
 * the encoding is not supported. CF: CFStringConvertIANACharSetNameToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertIANACharSetNameToEncoding(RLStringRef name);

/**
 * Returns the most similar Macintosh encoding, which may be unsupported, or
 * kRLStringEncodingInvalidId if there is none. CF: CFStringGetMostCompatibleMacStringEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding);

RL_EXTERN_C_END

#endif
