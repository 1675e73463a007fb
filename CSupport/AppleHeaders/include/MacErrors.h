/*
 * Error codes that programs return as OSStatus or OSErr. CRunLoop/RLBase.h defines these types and
 * noErr. The engine itself returns none of these codes.
 */

#ifndef CRUNLOOP_APPLE_MACERRORS_H
#define CRUNLOOP_APPLE_MACERRORS_H
#define __MACERRORS__

#include <CRunLoop/RLBase.h>

enum {
    /** Not implemented. */
    unimpErr = -4,
    /** A device failed to perform a control operation. */
    controlErr = -17,
    /** A device failed to report its status. */
    statusErr = -18,
    /** A read failed. */
    readErr = -19,
    /** A write failed. */
    writErr = -20,
    /** An open failed. */
    openErr = -23,
    /** A close failed. */
    closErr = -24,
    /** The operation was aborted. */
    abortErr = -27,
    /** The device is not open. */
    notOpenErr = -28,
    /** The disk is full. */
    dskFulErr = -34,
    /** The volume does not exist. */
    nsvErr = -35,
    /** An I/O error. */
    ioErr = -36,
    /** The name is invalid. */
    bdNamErr = -37,
    /** The file is not open. */
    fnOpnErr = -38,
    /** The end of the file was reached. */
    eofErr = -39,
    /** The position is before the beginning of the file. */
    posErr = -40,
    /** Too many files are open. */
    tmfoErr = -42,
    /** The file does not exist. */
    fnfErr = -43,
    /** The disk is write-protected. */
    wPrErr = -44,
    /** The file is locked. */
    fLckdErr = -45,
    /** The volume is locked. */
    vLckdErr = -46,
    /** The file is in use. */
    fBsyErr = -47,
    /** A file with the name already exists. */
    dupFNErr = -48,
    /** The file is open for writing. */
    opWrErr = -49,
    /** An argument is invalid. */
    paramErr = -50,
    /** The file reference number is invalid. */
    rfNumErr = -51,
    /** The operation is not permitted. */
    permErr = -54,
    /** The drive does not exist. */
    nsDrvErr = -56,
    /** Writing is not permitted. */
    wrPermErr = -61,
    /** Memory is exhausted. */
    memFullErr = -108,
    /** A handle is null. */
    nilHandleErr = -109,
    /** The memory was already freed. */
    memWZErr = -111,
    /** The directory does not exist. */
    dirNFErr = -120,
    /** The user has canceled. */
    userCanceledErr = -128,
    /** The resource does not exist. */
    resNotFound = -192,
    /** The resource file does not exist. */
    resFNotFound = -193,
    /** The process does not exist. */
    procNotFound = -600,
    /** The connection is invalid. */
    connectionInvalid = -609,
    /** No handler for the event exists. */
    errAEEventNotHandled = -1708,
    /** An unknown error in CoreFoundation. */
    coreFoundationUnknownErr = -4960
};

#endif
