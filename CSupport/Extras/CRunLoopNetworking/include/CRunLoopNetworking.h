/*
 * HTTP requests with libcurl on a run loop: the C part of RunLoopNetworking.
 *
 * libcurl (libcurl.so.4 or libcurl-gnutls.so.4, version 7.68 or later) is loaded at run time. A
 * group of transfers is a multi handle of libcurl: each socket is a version-2 source of the loop,
 * and the timeout is a timer. The only other thread is libcurl's resolver thread.
 *
 * Unless stated otherwise, call these functions on the thread of the group's loop, and not in a
 * callback of libcurl.
 */

#ifndef CRUNLOOPNETWORKING_H
#define CRUNLOOPNETWORKING_H

#include <CRunLoop/CRunLoop.h>
#include <CRunLoop/RLRunLoopWrapping.h>

#include <stddef.h>
#include <stdint.h>

RL_EXTERN_C_BEGIN

/* Options of libcurl, with the values from <curl/curl.h>; a test compares them. */
enum {
    RL_CURLOPT_SSLVERSION = 32,
    RL_CURLOPT_NOBODY = 44,
    RL_CURLOPT_UPLOAD = 46,
    RL_CURLOPT_POST = 47,
    RL_CURLOPT_FOLLOWLOCATION = 52,
    RL_CURLOPT_SSL_VERIFYPEER = 64,
    RL_CURLOPT_MAXREDIRS = 68,
    RL_CURLOPT_SSL_VERIFYHOST = 81,
    RL_CURLOPT_HTTP_VERSION = 84,
    RL_CURLOPT_BUFFERSIZE = 98,
    RL_CURLOPT_HTTPAUTH = 107,
    RL_CURLOPT_PIPEWAIT = 237,
    RL_CURLOPT_URL = 10002,
    RL_CURLOPT_CUSTOMREQUEST = 10036,
    RL_CURLOPT_USERNAME = 10173,
    RL_CURLOPT_PASSWORD = 10174,
    RL_CURLOPT_XOAUTH2_BEARER = 10220,
    RL_CURLOPT_INFILESIZE_LARGE = 30115,
    RL_CURLOPT_POSTFIELDSIZE_LARGE = 30120,
    RL_CURLOPT_SSLCERT_BLOB = 40291,
    RL_CURLOPT_SSLKEY_BLOB = 40292,

    RL_CURLINFO_REQUEST_SIZE = 0x200000 + 12,
    RL_CURLINFO_SSL_VERIFYRESULT = 0x200000 + 13,
    RL_CURLINFO_REDIRECT_COUNT = 0x200000 + 20,
    RL_CURLINFO_HTTP_CONNECTCODE = 0x200000 + 22,

    RL_CURLAUTH_BASIC = 1,
    RL_CURLAUTH_DIGEST = 2,
    RL_CURLAUTH_BEARER = 64,
    RL_CURL_SSLVERSION_TLSv1_2 = 6,
    RL_CURL_HTTP_VERSION_1_1 = 2,

    /**
     * Results of the `body` and `read` functions. The first two pause the transfer until
     * RLTransferResume.
     */
    RL_CURL_WRITEFUNC_PAUSE = 0x10000001,
    RL_CURL_READFUNC_PAUSE = 0x10000001,
    RL_CURL_READFUNC_ABORT = 0x10000000,
};

/* The results of a transfer, with libcurl's values. */
enum {
    RL_CURLE_OK = 0,
    RL_CURLE_URL_MALFORMAT = 3,
    RL_CURLE_COULDNT_RESOLVE_PROXY = 5,
    RL_CURLE_COULDNT_RESOLVE_HOST = 6,
    RL_CURLE_COULDNT_CONNECT = 7,
    RL_CURLE_PARTIAL_FILE = 18,
    RL_CURLE_OUT_OF_MEMORY = 27,
    RL_CURLE_OPERATION_TIMEDOUT = 28,
    RL_CURLE_SSL_CONNECT_ERROR = 35,
    RL_CURLE_TOO_MANY_REDIRECTS = 47,
    RL_CURLE_GOT_NOTHING = 52,
    RL_CURLE_SEND_ERROR = 55,
    RL_CURLE_RECV_ERROR = 56,
    RL_CURLE_SSL_CERTPROBLEM = 58,
    RL_CURLE_SSL_CIPHER = 59,
    RL_CURLE_PEER_FAILED_VERIFICATION = 60,
    RL_CURLE_SEND_FAIL_REWIND = 65,
    RL_CURLE_SSL_CACERT_BADFILE = 77,
    RL_CURLE_TOO_LARGE = 100,
};

/** A group of transfers on one loop, which share connections. */
typedef struct rl_transfer_group *RLTransferGroup;

/** A request and its response. */
typedef struct rl_transfer *RLTransfer;

/**
 * The callbacks of a transfer. They are called on the loop's thread, with the `info` of
 * RLTransferCreate.
 *
 * The group calls `ended`; libcurl calls the others. A fork in another thread blocks until the
 * callbacks that libcurl calls have returned.
 */
typedef struct {
    /**
     * Reports that the transfer no longer waits for a free connection: it has a connection or is
     * making one. May be called more than once. With libcurl before 7.80, RLTransferStart always
     * calls it.
     */
    void (*connecting)(void *info);
    /** Receives a header line, as documented for CURLOPT_HEADERFUNCTION. */
    size_t (*header)(char *line, size_t size, size_t count, void *info);
    /** Receives bytes of the body, as documented for CURLOPT_WRITEFUNCTION. */
    size_t (*body)(char *bytes, size_t size, size_t count, void *info);
    /** Provides bytes of the request's body, as documented for CURLOPT_READFUNCTION. */
    size_t (*read)(char *buffer, size_t size, size_t count, void *info);
    /** Rewinds the request's body to the start, as documented for CURLOPT_SEEKFUNCTION. */
    int (*seek)(void *info, int64_t offset, int origin);
    /**
     * Reports that the transfer has ended, with a result code of libcurl. The owner must still call
     * RLTransferEnd.
     */
    void (*ended)(void *info, int code);
} RLTransferFunctions;

/**
 * Returns null if libcurl is available, otherwise the reason, with the name of the missing package.
 * Thread-safe. Each call searches again for a missing library.
 */
RL_EXPORT const char *RLTransferGetProblem(void);

/**
 * Creates a group on the calling thread's loop.
 *
 * - Parameters:
 *   - hostConnections: The maximum number of connections to one host; 0 for no limit.
 *   - idleConnections: The number of connections above which idle connections are closed; 0 keeps
 *     none.
 * - Returns: A group, for RLTransferGroupDestroy; null if libcurl cannot be used.
 */
RL_EXPORT RLTransferGroup RLTransferGroupCreate(RLIndex hostConnections, RLIndex idleConnections);

/**
 * Serves a group in another mode. Call this before the first transfer of the group starts. Returns
 * false if memory is short.
 */
RL_EXPORT Boolean RLTransferGroupAddMode(RLTransferGroup group, RLRunLoopMode mode);

/**
 * Closes the connections of a group and frees the group. End all of its transfers first. May be
 * called in `ended`.
 */
RL_EXPORT void RLTransferGroupDestroy(RLTransferGroup group);

/**
 * Returns whether a group was created before the process forked. The sockets of such a group belong
 * to the parent, and the group is inactive. Destroying the group, or ending one of its transfers,
 * does not affect the sockets.
 */
RL_EXPORT Boolean RLTransferGroupIsInherited(RLTransferGroup group);

/**
 * Creates a transfer with libcurl's default options. The functions are copied. Returns null if
 * memory is short.
 */
RL_EXPORT RLTransfer RLTransferCreate(RLTransferGroup group, const RLTransferFunctions *functions,
                                      void *info);

/**
 * Sets an option of libcurl before the transfer starts. The value is copied. Returns false if
 * libcurl rejects the option or the value.
 */
RL_EXPORT Boolean RLTransferSetNumber(RLTransfer transfer, int option, int64_t value);

/** Like RLTransferSetNumber, for a text. */
RL_EXPORT Boolean RLTransferSetText(RLTransfer transfer, int option, const char *text);

/**
 * Like RLTransferSetNumber, for certificates in memory, which libcurl only accepts with OpenSSL.
 */
RL_EXPORT Boolean RLTransferSetBytes(RLTransfer transfer, int option, const void *bytes,
                                     size_t length);

/**
 * Trusts these certificate authorities instead of the system's. The bytes are PEM data, which is
 * copied. Returns false if libcurl rejects them.
 */
RL_EXPORT Boolean RLTransferSetAuthorities(RLTransfer transfer, const void *bytes, size_t length);

/**
 * Adds a header line to the request (CURLOPT_HTTPHEADER). Call this before RLTransferStart.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - line: A C string `Name: value` without a newline, which is copied. `Name:` removes a header
 *     that libcurl would send, and `Name;` sends a header without a value.
 * - Returns: False if memory is short; the line is then not added.
 */
RL_EXPORT Boolean RLTransferAddLine(RLTransfer transfer, const char *line);

/**
 * Forbids libcurl to retry the request on another connection. Call this before RLTransferStart if
 * the method is not idempotent. If the server closes the connection without a response, the
 * transfer ends with RL_CURLE_GOT_NOTHING.
 */
RL_EXPORT void RLTransferForbidRetry(RLTransfer transfer);

/**
 * Connects to a host other than the URL's. Call this before RLTransferStart.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - rule: An element of CURLOPT_CONNECT_TO, `HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT`, which is
 *     copied.
 * - Returns: False if memory is short.
 */
RL_EXPORT Boolean RLTransferConnectTo(RLTransfer transfer, const char *rule);

/**
 * Returns whether this thread is in a callback of libcurl, in which transfers can be neither
 * started nor ended.
 */
RL_EXPORT Boolean RLTransferIsInCall(void);

/**
 * Starts a transfer. Call this once per transfer. The callbacks are called later, except
 * `connecting`, which may be called during this call. Returns false if libcurl rejects the
 * transfer.
 */
RL_EXPORT Boolean RLTransferStart(RLTransfer transfer);

/** Continues a transfer that one of its callbacks has paused. */
RL_EXPORT void RLTransferResume(RLTransfer transfer);

/**
 * Returns information about a transfer, whether or not it was started.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - info: A CURLINFO of type `long`: one of RL_CURLINFO_….
 * - Returns: The value in libcurl's unit, or 0 if it is not available.
 */
RL_EXPORT int64_t RLTransferGetNumber(RLTransfer transfer, int info);

/**
 * Returns the errno value of a failed transfer: the error of the last failed socket(2), or
 * otherwise of the last failed connect(2). Returns 0 if no system call has failed. Valid from
 * `ended` until RLTransferEnd.
 */
RL_EXPORT int RLTransferGetSystemError(RLTransfer transfer);

/**
 * Returns libcurl's message for the failure of a transfer, or an empty string. Valid until
 * RLTransferEnd.
 */
RL_EXPORT const char *RLTransferGetError(RLTransfer transfer);

/** Returns libcurl's general message for a result code. */
RL_EXPORT const char *RLTransferGetWords(int code);

/**
 * Ends a transfer, whether or not it is finished, and frees it. None of its callbacks is called
 * afterwards.
 */
RL_EXPORT void RLTransferEnd(RLTransfer transfer);

/** A decompressor for gzip streams, which may have several consecutive members. */
typedef struct rl_gunzip *RLGunzip;

/** Returns whether zlib is available, which is loaded together with libcurl. Thread-safe. */
RL_EXPORT Boolean RLGunzipIsAvailable(void);

/**
 * Creates a decompressor for one body. Returns null if zlib is not available or memory is short.
 * Only one thread at a time may use the decompressor.
 */
RL_EXPORT RLGunzip RLGunzipCreate(void);

/**
 * Decompresses bytes. Returns false if they are not in gzip format.
 *
 * - Parameters:
 *   - length: The number of bytes; receives the number of bytes that were consumed.
 *   - capacity: The size of the buffer; receives the number of bytes written to it. If the buffer
 *     is full, more output may be pending even if all input was consumed.
 */
RL_EXPORT Boolean RLGunzipRead(RLGunzip gunzip, const void *bytes, size_t *length, void *buffer,
                               size_t *capacity);

/** Returns whether the current member is incomplete. If the body ends now, it is truncated. */
RL_EXPORT Boolean RLGunzipIsInMember(RLGunzip gunzip);

/** Frees a decompressor. */
RL_EXPORT void RLGunzipDestroy(RLGunzip gunzip);

RL_EXTERN_C_END

#endif
