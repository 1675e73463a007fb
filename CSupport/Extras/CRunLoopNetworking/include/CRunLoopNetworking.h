/*
 * HTTP requests by libcurl on a run loop: the C part of RunLoopNetworking.
 *
 * libcurl (libcurl.so.4 or libcurl-gnutls.so.4, 7.68 or later) is found at run time. A group of
 * transfers is one multi handle of libcurl: each of its sockets is a version-2 source of the loop,
 * its time-out one timer. The only thread is libcurl's resolver.
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

/* Options of libcurl, by its numbers; a test compares them with <curl/curl.h>. */
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

    /** Results of a function for bytes that pauses until RLTransferResume. */
    RL_CURL_WRITEFUNC_PAUSE = 0x10000001,
    RL_CURL_READFUNC_PAUSE = 0x10000001,
    RL_CURL_READFUNC_ABORT = 0x10000000,
};

/* The results of a transfer: libcurl's numbers. */
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

/** Transfers of one loop that share connections. */
typedef struct rl_transfer_group *RLTransferGroup;

/** A request and its response. */
typedef struct rl_transfer *RLTransfer;

/**
 * The functions of a transfer, called on the loop's thread; each with the info.
 *
 * The group calls `ended`, and libcurl the others: a thread that forks waits until they return.
 */
typedef struct {
    /**
     * Reports that the transfer has or makes a connection, and does not wait for a connection in
     * use. May be called more than once. Before libcurl 7.80 RLTransferStart always calls it.
     */
    void (*connecting)(void *info);
    /** Receives a line of a head, as documented for CURLOPT_HEADERFUNCTION. */
    size_t (*header)(char *line, size_t size, size_t count, void *info);
    /** Receives bytes of the body, as documented for CURLOPT_WRITEFUNCTION. */
    size_t (*body)(char *bytes, size_t size, size_t count, void *info);
    /** Provides bytes of the request's body, as documented for CURLOPT_READFUNCTION. */
    size_t (*read)(char *buffer, size_t size, size_t count, void *info);
    /** Rewinds the request's body, as documented for CURLOPT_SEEKFUNCTION; always to the start. */
    int (*seek)(void *info, int64_t offset, int origin);
    /** The transfer has ended, with a code of libcurl. The owner still calls RLTransferEnd. */
    void (*ended)(void *info, int code);
} RLTransferFunctions;

/**
 * The reason why transfers are impossible, with the name of the missing package; null if libcurl is
 * available. Any thread. A missing library may be found later.
 */
RL_EXPORT const char *RLTransferGetProblem(void);

/**
 * Makes a group for the calling thread's loop.
 *
 * - Parameters:
 *   - hostConnections: The greatest number of connections to one host; 0 for no limit.
 *   - idleConnections: Beyond this number of connections idle ones are closed; 0 keeps none.
 * - Returns: Null if libcurl cannot be used.
 */
RL_EXPORT RLTransferGroup RLTransferGroupCreate(RLIndex hostConnections, RLIndex idleConnections);

/**
 * Serves a group in a mode too. Call it before the group's first transfer. False without memory.
 */
RL_EXPORT Boolean RLTransferGroupAddMode(RLTransferGroup group, RLRunLoopMode mode);

/**
 * Closes the connections of a group and frees it. End all of its transfers first. May be called in
 * `ended`.
 */
RL_EXPORT void RLTransferGroupDestroy(RLTransferGroup group);

/**
 * Whether a group was made before the process forked. Its sockets are the parent's, and it is
 * inactive here. Destroying it, or a transfer, does not touch the sockets.
 */
RL_EXPORT Boolean RLTransferGroupIsInherited(RLTransferGroup group);

/** Makes a transfer with libcurl's defaults; null without memory. The functions are copied. */
RL_EXPORT RLTransfer RLTransferCreate(RLTransferGroup group, const RLTransferFunctions *functions,
                                      void *info);

/**
 * Sets an option of libcurl, before the transfer starts; the value is copied. Returns false if
 * libcurl refuses it.
 */
RL_EXPORT Boolean RLTransferSetNumber(RLTransfer transfer, int option, int64_t value);

/** @see RLTransferSetNumber */
RL_EXPORT Boolean RLTransferSetText(RLTransfer transfer, int option, const char *text);

/** As RLTransferSetNumber, for certificates, which libcurl accepts with OpenSSL only. */
RL_EXPORT Boolean RLTransferSetBytes(RLTransfer transfer, int option, const void *bytes,
                                     size_t length);

/**
 * Trusts authorities instead of the system's. `bytes` are certificates in PEM, and are copied.
 * Returns false if libcurl refuses them.
 */
RL_EXPORT Boolean RLTransferSetAuthorities(RLTransfer transfer, const void *bytes, size_t length);

/**
 * Adds a line to the head of the request, for CURLOPT_HTTPHEADER. Call it before RLTransferStart.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - line: A C string `Name: value` without a line end, which is copied. `Name:` removes a header
 *     of libcurl's, and `Name;` sends one without a value.
 * - Returns: False if there is no memory; the line is not added then.
 */
RL_EXPORT Boolean RLTransferAddLine(RLTransfer transfer, const char *line);

/**
 * Forbids libcurl to retry the request, because its method is not idempotent. If the server closes
 * the connection without a response, the transfer ends with RL_CURLE_GOT_NOTHING.
 */
RL_EXPORT void RLTransferForbidRetry(RLTransfer transfer);

/**
 * Connects to another host than the URL's. Call it before RLTransferStart.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - rule: An element of CURLOPT_CONNECT_TO, `HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT`, which is
 *     copied.
 * - Returns: False if there is no memory.
 */
RL_EXPORT Boolean RLTransferConnectTo(RLTransfer transfer, const char *rule);

/**
 * Whether this thread is in a callback of libcurl, where transfers can be neither started nor
 * ended.
 */
RL_EXPORT Boolean RLTransferIsInCall(void);

/**
 * Starts a transfer, once. Its functions are called later, except `connecting`, which may be called
 * during this call. Returns false if libcurl refuses it.
 */
RL_EXPORT Boolean RLTransferStart(RLTransfer transfer);

/** Continues a transfer that its functions have paused. */
RL_EXPORT void RLTransferResume(RLTransfer transfer);

/**
 * Returns a number of libcurl about a transfer, started or not, until RLTransferEnd.
 *
 * - Parameters:
 *   - transfer: The transfer.
 *   - info: A CURLINFO of type `long`: one of RL_CURLINFO_….
 * - Returns: The number, in libcurl's unit; 0 if libcurl does not know it.
 */
RL_EXPORT int64_t RLTransferGetNumber(RLTransfer transfer, int info);

/**
 * Returns the errno value of a failed transfer: of the last failure to make a socket, else of
 * libcurl's last failed connect. 0 if no system call has failed. Valid in `ended` and until
 * RLTransferEnd.
 */
RL_EXPORT int RLTransferGetSystemError(RLTransfer transfer);

/** Libcurl's message for the failure; empty if there is none. Valid until the transfer is ended. */
RL_EXPORT const char *RLTransferGetError(RLTransfer transfer);

/** Libcurl's message for a code, independent of the transfer. */
RL_EXPORT const char *RLTransferGetWords(int code);

/**
 * Ends a transfer, whether it runs or not, and frees it. None of its functions is called
 * afterwards.
 */
RL_EXPORT void RLTransferEnd(RLTransfer transfer);

/** A decompressor of gzip, with any number of consecutive members. */
typedef struct rl_gunzip *RLGunzip;

/** Whether zlib, which is found at run time like libcurl, is available. Any thread. */
RL_EXPORT Boolean RLGunzipIsAvailable(void);

/** Makes a decompressor for one body; null without zlib or memory. One thread at a time. */
RL_EXPORT RLGunzip RLGunzipCreate(void);

/**
 * Decompresses bytes; false if they are not in the format of gzip.
 *
 * - Parameters:
 *   - length: The number of bytes; receives the number of consumed ones.
 *   - capacity: The size of the buffer; receives the size of its filled part. If the buffer is
 *     full, there may be more output, even if all bytes were consumed.
 */
RL_EXPORT Boolean RLGunzipRead(RLGunzip gunzip, const void *bytes, size_t *length, void *buffer,
                               size_t *capacity);

/** Whether a member is incomplete, so that a body which ends now is truncated. */
RL_EXPORT Boolean RLGunzipIsInMember(RLGunzip gunzip);

/** Frees a decompressor. */
RL_EXPORT void RLGunzipDestroy(RLGunzip gunzip);

RL_EXTERN_C_END

#endif
