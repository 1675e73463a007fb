/*
 * What to write in place of what Apple's systems have beside CoreFoundation and Linux has not: the
 * right column of the table in Docs/Porting.md, line by line.
 */

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <CoreFoundation/CoreFoundation.h>

#include <arpa/inet.h>
#include <bsd/stdlib.h>
#include <bsd/string.h>
#include <endian.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* __unused, __dead2 */
static void Ignore(int argument __attribute__((unused)), void *info)
{
    (void)info;
}

/* sin_len, sun_len */
static socklen_t FillAddresses(struct sockaddr_in *internet, struct sockaddr_un *local)
{
    memset(internet, 0, sizeof *internet);
    internet->sin_family = AF_INET;
#if defined(__APPLE__)
    internet->sin_len = sizeof *internet;
#endif
    internet->sin_port = htons(80);
    internet->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memset(local, 0, sizeof *local);
    local->sun_family = AF_UNIX;
    /* strlcpy */
    strlcpy(local->sun_path, "/run/example.sock", sizeof local->sun_path);
    return (socklen_t)SUN_LEN(local);
}

/* A branch for what has a run loop, whosever it is. */
#if defined(__APPLE__) || defined(CRUNLOOP_CRUNLOOP_H) || defined(__COREFOUNDATION__)
enum { kHasRunLoop = 1 };
#else
enum { kHasRunLoop = 0 };
#endif

/* st_mtimespec */
static struct timespec Changed(const struct stat *status)
{
    return status->st_mtim;
}

/* SO_NOSIGPIPE */
static ssize_t SendToNobody(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    close(ends[1]);
    ssize_t sent = send(ends[0], "x", 1, MSG_NOSIGNAL);
    close(ends[0]);
    return sent;
}

int main(void)
{
    struct sockaddr_in internet;
    struct sockaddr_un local;
    Ignore(1, NULL);
    printf("%d\n", (int)FillAddresses(&internet, &local) == 2 + (int)strlen(local.sun_path));
    printf("%d\n", SendToNobody() == -1 && errno == EPIPE);

    /* pthread_setname_np of one argument, pthread_main_np, malloc_size, CFSwapInt16HostToBig */
    pthread_setname_np(pthread_self(), "example");
    printf("%d\n", CFRunLoopGetCurrent() == CFRunLoopGetMain());
    void *memory = malloc(10);
    printf("%d\n", malloc_usable_size(memory) >= 10);
    free(memory);
    struct stat status;
    if (stat("/", &status) != 0) abort();
    printf("%d %d %s\n", kHasRunLoop, Changed(&status).tv_sec > 0, strnstr("a b", "b", 3));
    printf("%d\n", getprogname() != NULL);
    printf("%d\n", htobe16(0x1234) == htons(0x1234));
    return 0;
}
