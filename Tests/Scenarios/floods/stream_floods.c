/*
 * Floods of bytes, datagrams and connections.
 */

#include "../sockets/socket_words.h"
#include "../tls/tls_words.h"
#include "flood_words.h"
#include "scenario.h"

#include <netinet/in.h>

FLOOD(flood_of_bytes, "A stream takes the bytes of a flood in portions", LARGE_UNITS, 1)
{
    int near_end, far_end = connect_peer(&near_end);
    struct tls_end end = make_tls_end(near_end, NULL);

    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    drain(end.reader);
    return flood_by(^bool { return send_bytes(far_end, 65536, 0); });
}

FLOOD(flood_of_socket_bytes, "A socket takes the bytes of a flood in portions", LARGE_UNITS, 1)
{
    int near_end, far_end = connect_peer(&near_end);

    serve_flooded(near_end, kRLSocketDataCallBack);
    return flood_by(^bool { return send_bytes(far_end, 65536, 0); });
}

FLOOD(flood_of_urgent_bytes, "A socket takes urgent bytes in portions", SMALL_UNITS, 1)
{
    int near_end, far_end = connect_peer(&near_end);

    serve_flooded(near_end, kRLSocketDataCallBack);
    return flood_by(^bool { return send_bytes(far_end, 2, MSG_OOB); });
}

FLOOD(flood_of_datagrams, "A socket takes one datagram at a time", SMALL_UNITS, 1)
{
    int *ends = handle_pair(SOCK_DGRAM), far_end = ends[1];

    serve_flooded(ends[0], kRLSocketDataCallBack);
    return flood_by(^bool { return send_bytes(far_end, 1, 0); });
}

/* The bytes are never read: the socket stays ready all the time. */
FLOOD(flood_of_unread_bytes, "A socket whose bytes nobody reads does not hold the loop", HUGE_UNITS,
      1)
{
    int *ends = handle_pair(SOCK_DGRAM), far_end = ends[1];

    serve_flooded(ends[0], kRLSocketReadCallBack);
    return flood_by(^bool {
        (void)send_bytes(far_end, 1, 0);
        return true;
    });
}

FLOOD(flood_of_connections, "A listening socket accepts one connection at a time", LARGE_UNITS, 1)
{
    struct sockaddr_in *address = calloc(1, sizeof *address);
    socklen_t length = sizeof *address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    check(bind(listener, (struct sockaddr *)address, length) == 0 && listen(listener, 128) == 0);
    check(getsockname(listener, (struct sockaddr *)address, &length) == 0);
    serve_flooded(listener, kRLSocketAcceptCallBack);
    at_end(^{ free(address); });
    return flood_by(^bool {
        int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const struct linger reset = {.l_onoff = 1};
        bool is_begun =
            connect(peer, (struct sockaddr *)address, length) == 0 || errno == EINPROGRESS;
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        (void)await_room(peer);
        close(peer);
        return is_begun;
    });
}

#if !defined(SCENARIO_WITHOUT_DISPATCH)

FLOOD(flood_on_queue, "A stream on a dispatch queue holds neither the queue nor a loop",
      LARGE_UNITS, 1)
{
    int near_end, far_end = connect_peer(&near_end);
    struct tls_end end = make_tls_end(near_end, NULL);

    drain_on_queue(end);
    check(RLReadStreamOpen(end.reader) && RLWriteStreamOpen(end.writer));
    return flood_by(^bool { return send_bytes(far_end, 65536, 0); });
}
#endif
