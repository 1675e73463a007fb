/*
 * The numbers of errors that programs return as OSStatus or OSErr; noErr is with these types. They
 * are for a program's own use: no function of the engine returns one.
 */

#ifndef CRUNLOOP_APPLE_MACERRORS_H
#define CRUNLOOP_APPLE_MACERRORS_H
#define __MACERRORS__

#include <CRunLoop/RLBase.h>

enum {
    /** Not implemented. */
    unimpErr = -4,
    /** A device refused to be controlled. */
    controlErr = -17,
    /** A device refused to tell its state. */
    statusErr = -18,
    /** Reading failed. */
    readErr = -19,
    /** Writing failed. */
    writErr = -20,
    /** Opening failed. */
    openErr = -23,
    /** Closing failed. */
    closErr = -24,
    /** Aborted. */
    abortErr = -27,
    /** Not open. */
    notOpenErr = -28,
    /** The disk is full. */
    dskFulErr = -34,
    /** No such volume. */
    nsvErr = -35,
    /** Input or output failed. */
    ioErr = -36,
    /** A bad name. */
    bdNamErr = -37,
    /** The file is not open. */
    fnOpnErr = -38,
    /** The end of the file. */
    eofErr = -39,
    /** A position before the beginning. */
    posErr = -40,
    /** Too many files are open. */
    tmfoErr = -42,
    /** No such file. */
    fnfErr = -43,
    /** The disk is protected against writing. */
    wPrErr = -44,
    /** The file is locked. */
    fLckdErr = -45,
    /** The volume is locked. */
    vLckdErr = -46,
    /** The file is in use. */
    fBsyErr = -47,
    /** The file exists. */
    dupFNErr = -48,
    /** The file is open for writing. */
    opWrErr = -49,
    /** A bad argument. */
    paramErr = -50,
    /** A bad number of a file. */
    rfNumErr = -51,
    /** Not permitted. */
    permErr = -54,
    /** No such drive. */
    nsDrvErr = -56,
    /** Not permitted to write. */
    wrPermErr = -61,
    /** No memory. */
    memFullErr = -108,
    /** A null handle. */
    nilHandleErr = -109,
    /** The memory is free already. */
    memWZErr = -111,
    /** No such folder. */
    dirNFErr = -120,
    /** The user has canceled. */
    userCanceledErr = -128,
    /** No such resource. */
    resNotFound = -192,
    /** No such file of resources. */
    resFNotFound = -193,
    /** No such process. */
    procNotFound = -600,
    /** The connection is invalid. */
    connectionInvalid = -609,
    /** Nobody handles the event. */
    errAEEventNotHandled = -1708,
    /** An error that CoreFoundation does not know. */
    coreFoundationUnknownErr = -4960
};

#endif
