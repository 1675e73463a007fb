/*
 * HTTP requests by libcurl on a run loop: the C part of RunLoopNetworking.
 *
 * libcurl (libcurl.so.4 or libcurl-gnutls.so.4, 7.68 or later) is found at run time. A group of
 * transfers is one multi handle of libcurl: each of its sockets is a version-2 source of the loop,
 * its time-out one timer. No thread is involved but libcurl's resolver.
 *
 * Unless stated otherwise a function is called on the thread of the group's loop, and not in a
 * function that libcurl calls.
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

/* Why a transfer has ended: libcurl's numbers. */
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
     * Reports that the transfer has or makes a connection, and does not wait for one in use. May be
     * called more than once. Before libcurl 7.80 RLTransferStart always calls it.
     */
    void (*connecting)(void *info);
    /** Takes a line of a head, as CURLOPT_HEADERFUNCTION does. */
    size_t (*header)(char *line, size_t size, size_t count, void *info);
    /** Takes bytes of the body, as CURLOPT_WRITEFUNCTION does. */
    size_t (*body)(char *bytes, size_t size, size_t count, void *info);
    /** Gives bytes of the request's body, as CURLOPT_READFUNCTION does. */
    size_t (*read)(char *buffer, size_t size, size_t count, void *info);
    /** Begins the request's body again, as CURLOPT_SEEKFUNCTION does; always from the start. */
    int (*seek)(void *info, int64_t offset, int origin);
    /** The transfer has ended, with a code of libcurl; RLTransferEnd is still to be called. */
    void (*ended)(void *info, int code);
} RLTransferFunctions;

/**
 * The reason for which there can be no transfers, with the name of the package; null if libcurl is
 * there. Any thread. A missing library may be found later.
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
 * Closes the connections of a group and frees it. All of its transfers have ended. It may be called
 * by `ended`.
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

/*
 * Set an option; false if libcurl refuses it. What is passed is copied; bytes are certificates,
 * which libcurl takes with OpenSSL only.
 */

RL_EXPORT Boolean RLTransferSetNumber(RLTransfer transfer, int option, int64_t value);
RL_EXPORT Boolean RLTransferSetText(RLTransfer transfer, int option, const char *text);
RL_EXPORT Boolean RLTransferSetBytes(RLTransfer transfer, int option, const void *bytes,
                                     size_t length);

/** Trusts authorities in place of the system's, as certificates; false as before. */
RL_EXPORT Boolean RLTransferSetAuthorities(RLTransfer transfer, const void *bytes, size_t length);

/** Adds a line to the head of the request, as CURLOPT_HTTPHEADER has them. */
RL_EXPORT Boolean RLTransferAddLine(RLTransfer transfer, const char *line);

/**
 * Forbids libcurl to retry the request, because its method is not idempotent. If the server closes
 * the connection without an answer, the transfer ends with RL_CURLE_GOT_NOTHING.
 */
RL_EXPORT void RLTransferForbidRetry(RLTransfer transfer);

/** Connects to another host than the URL's, by an element of CURLOPT_CONNECT_TO. */
RL_EXPORT Boolean RLTransferConnectTo(RLTransfer transfer, const char *rule);

/** Whether libcurl calls a function on this thread, in which nothing can be started or ended. */
RL_EXPORT Boolean RLTransferIsInCall(void);

/** Starts a transfer, once. Its functions are called later, but for `connecting`. */
RL_EXPORT Boolean RLTransferStart(RLTransfer transfer);

/** Continues a transfer that its functions have paused. */
RL_EXPORT void RLTransferResume(RLTransfer transfer);

/** A number that libcurl has about a transfer, by RL_CURLINFO_…; 0 if it has none. */
RL_EXPORT int64_t RLTransferGetNumber(RLTransfer transfer, int info);

/** The error number of a failed socket; 0 if there is none. */
RL_EXPORT int RLTransferGetSystemError(RLTransfer transfer);

/** Libcurl's message for the failure; empty if it has none. Valid until the transfer is ended. */
RL_EXPORT const char *RLTransferGetError(RLTransfer transfer);

/** Libcurl's message for a code, independent of the transfer. */
RL_EXPORT const char *RLTransferGetWords(int code);

/**
 * Ends a transfer, whether it runs or not, and frees it. None of its functions is called
 * afterwards.
 */
RL_EXPORT void RLTransferEnd(RLTransfer transfer);

/** A body that was compressed by gzip: any number of members, one after the other. */
typedef struct rl_gunzip *RLGunzip;

/** Whether there is zlib, which is found at run time beside libcurl. Any thread. */
RL_EXPORT Boolean RLGunzipIsAvailable(void);

/** Begins with a body; null without zlib or memory. One thread at a time. */
RL_EXPORT RLGunzip RLGunzipCreate(void);

/**
 * Decompresses bytes; false if they are not in the format of gzip.
 *
 * - Parameters:
 *   - length: The number of bytes; afterwards of those that were used.
 *   - capacity: The size of the buffer; afterwards of its filled part. While that is
 *     all of it there may be more, also when all bytes were used.
 */
RL_EXPORT Boolean RLGunzipRead(RLGunzip gunzip, const void *bytes, size_t *length, void *buffer,
                               size_t *capacity);

/** Whether a member has begun, and not ended. */
RL_EXPORT Boolean RLGunzipIsInMember(RLGunzip gunzip);

/** Frees it. */
RL_EXPORT void RLGunzipDestroy(RLGunzip gunzip);

RL_EXTERN_C_END

#endif
