/*
 * Bytes of streams that are not copied, and errors of streams as objects; with the words of
 * streams.
 */

#include "../values/value_words.h"
#include "scenario.h"
#include "stream_words.h"

static void borrow_and_note(RLReadStreamRef stream, long most)
{
    long count = -5;
    const UInt8 *bytes = RLReadStreamGetBuffer(stream, most, &count);
    note("%ld %.*s, status %ld", count, (int)(bytes && count > 0 ? count : 0),
         bytes ? (const char *)bytes : "", (long)RLReadStreamGetStatus(stream));
}

static void stream_lends_bytes(void)
{
    RLReadStreamRef stream = text_stream("hello");

    borrow_and_note(stream, 2);
    serve_reader(stream, "reader", NULL);
    RLReadStreamOpen(stream);
    run_quietly();
    run_quietly();
    borrow_and_note(stream, 2);
    run_quietly();
    borrow_and_note(stream, 100);
    note_answer("more", RLReadStreamHasBytesAvailable(stream));
    run_quietly();
    check(read_and_note(stream, 3) == 0);
    RLReadStreamClose(stream);
    borrow_and_note(stream, 2);
}
SCENARIO(stream_lends_bytes,
         .title = "A stream over bytes lends its buffer, and reports the remaining bytes",
         .clauses = "STRM-4 STRM-5",
         .expected = "-1 , status 0; reader open; reader bytes; 2 he, status 2; reader bytes; "
                     "3 llo, status 5; more: no; reader end; 0; -1 , status 6")

static void note_stream_error(RLErrorRef error)
{
    if (!error) {
        note("no error");
        return;
    }
    kept_error(error);
    note("%ld", RLErrorGetCode(error));
    check(RLEqual(RLErrorGetDomain(error), kRLErrorDomainPOSIX));
}

static void stream_errors_as_objects(void)
{
    static UInt8 buffer[2];
    RLWriteStreamRef stream = kept_writer(RLWriteStreamCreateWithBuffer(NULL, buffer, 2));

    note_stream_error(RLWriteStreamCopyError(stream));
    RLWriteStreamOpen(stream);
    note("%ld", RLWriteStreamWrite(stream, (const UInt8 *)"abc", 3));
    note_stream_error(RLWriteStreamCopyError(stream));
    note_stream_error(RLReadStreamCopyError(text_stream("fine")));
}
SCENARIO(stream_errors_as_objects,
         .title = "A stream that failed has an error of the domain of errno values",
         .clauses = "STRM-2",
         .expected = "no error; -1; 12; no error")

static RLURLRef url_of(const char *path, bool is_directory)
{
    return kept(
        RLURLCreateWithFileSystemPath(NULL, text(path), kRLURLPOSIXPathStyle, is_directory));
}

static void note_url(RLURLRef url)
{
    if (!url) {
        note("no URL");
        return;
    }
    note_text(RLURLGetString(url));
    note_text(kept(RLURLCopyFileSystemPath(url, kRLURLPOSIXPathStyle)));
    note_answer("directory", RLURLHasDirectoryPath(url));
}

static void urls_of_paths(void)
{
    UInt8 buffer[16];

    note_url(url_of("/a", false));
    note_url(url_of("/a", true));
    note_url(url_of("/a/", false));
    note_url(url_of("/", true));
    note_url(url_of("/a b\xC3\xA9;=?#%[]", false));
    note_url(url_of("/!$&'()*+,-./:@_~", false));
    note_url(url_of("x/y", false));
    note_url(url_of("", false));
    check(RLURLGetFileSystemRepresentation(url_of("/a b", false), true, buffer, sizeof buffer));
    note("%s", (const char *)buffer);
    check(!RLURLGetFileSystemRepresentation(url_of("/a b", false), true, buffer, 3));
    check(RLURLGetFileSystemRepresentation(url_of("x/y", false), false, buffer, sizeof buffer));
    note("%s", (const char *)buffer);
    note_url(kept(RLURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)"/q!", 2, false)));
    check(RLEqual(url_of("/a", false), url_of("/a", false)));
    check(!RLEqual(url_of("/a", false), url_of("/a", true)));
    check(RLGetTypeID(url_of("/a", false)) == RLURLGetTypeID());
}
SCENARIO(urls_of_paths,
         .title = "A path has a URL, and a URL a path",
         .clauses = "object base",
         .expected = "\"file:///a\"; \"/a\"; directory: no; \"file:///a/\"; \"/a\"; directory: yes; "
                     "\"file:///a\"; \"/a\"; directory: no; \"file:///\"; \"/\"; directory: yes; "
                     "\"file:///a%20b%C3%A9%3B=%3F%23%25%5B%5D\"; \"/a bé;=?#%[]\"; directory: no; "
                     "\"file:///!$&'()*+,-./:@_~\"; \"/!$&'()*+,-./:@_~\"; directory: no; \"x/y\"; "
                     "\"x/y\"; directory: no; no URL; /a b; x/y; \"file:///q\"; \"/q\"; directory: no")

static void urls_of_bytes(void)
{
    UInt8 bytes[] = "/a\xFF", copy[16] = "";
    RLURLRef url = kept(RLURLCreateFromFileSystemRepresentation(NULL, bytes, 3, false));
    note_text(RLURLGetString(url));
    check(!RLURLCopyFileSystemPath(url, kRLURLPOSIXPathStyle));
    check(RLURLGetFileSystemRepresentation(url, true, copy, sizeof copy));
    check(memcmp(bytes, copy, sizeof bytes) == 0);
}
SCENARIO(urls_of_bytes,
         .title = "A path that is not UTF-8 has a URL",
         .clauses = "object base",
         .expected_hints = "pass the encoding of the bytes",
         .expected = "\"file:///a%FF\"")

static void note_url_of(const char *string)
{
    note_url(kept(RLURLCreateWithString(NULL, text(string), NULL)));
}

static void urls_of_texts(void)
{
    note_url_of("file:///a%20b");
    note_url_of("file://localhost/x");
    note_url_of("file:///d/");
    note_url_of("file:///a%C3%A9");
    note_url_of("file:///a%ZZ");
    note_url_of("file:///a b");
}
SCENARIO(urls_of_texts,
         .title = "The text of a file's URL has a path",
         .clauses = "object base",
         .expected = "\"file:///a%20b\"; \"/a b\"; directory: no; \"file://localhost/x\"; \"/x\"; "
                     "directory: no; \"file:///d/\"; \"/d\"; directory: yes; \"file:///a%C3%A9\"; "
                     "\"/aé\"; directory: no; no URL; no URL")

static void streams_of_urls(void)
{
    char *path = strdup("/tmp/corerunloop-test-XXXXXX");
    close(mkstemp(path));
    at_end(^{
        unlink(path);
        free(path);
    });
    RLWriteStreamRef writer = kept_writer(RLWriteStreamCreateWithFile(NULL, url_of(path, false)));
    check(RLWriteStreamOpen(writer));
    note("%ld", RLWriteStreamWrite(writer, (const UInt8 *)"hello", 5));
    RLWriteStreamClose(writer);
    RLReadStreamRef reader = RLReadStreamCreateWithFile(NULL, url_of(path, false));
    check(RLReadStreamOpen(reader));
    borrow_and_note(reader, 3);
    check(read_and_note(reader, 10) == 5);
    RLReadStreamClose(reader);
    RLRelease(reader);
    reader = RLReadStreamCreateWithFile(NULL, url_of("/nonexistent/x", false));
    note_answer("opened", RLReadStreamOpen(reader));
    note_stream_error(RLReadStreamCopyError(reader));
    borrow_and_note(reader, 3);
    RLRelease(reader);
}
SCENARIO(streams_of_urls,
         .title = "A stream reads or writes the file of a URL, or has an error",
         .clauses = "STRM-2",
         .expected = "5; 0 , status 2; 5; opened: no; 2; -1 , status 7")
