/*
 * ZeroMQ: REQ and REP where messages are answered, PUSH and PULL where not.
 */

#include "peer.h"

#if __has_include(<zmq.h>)

#include <zmq.h>

/* What may wait on one side: as much as elsewhere, and two messages at least. */
enum { WAITING_BYTES = 1 << 20 };

struct sender {
    void *socket;
    const struct exchange *exchange;
};

static void *make_socket(const struct exchange *exchange, int type)
{
    size_t most = WAITING_BYTES / exchange->byte_count;
    int count = most < 2 ? 2 : (int)most;
    void *socket = zmq_socket(zmq_ctx_new(), type);
    EXPECT(socket != NULL);
    EXPECT(zmq_setsockopt(socket, ZMQ_SNDHWM, &count, sizeof count) == 0);
    EXPECT(zmq_setsockopt(socket, ZMQ_RCVHWM, &count, sizeof count) == 0);
    return socket;
}

/* An abstract address, which goes with the socket. */
static const char *address_of(const struct exchange *exchange)
{
    static char address[64];
    snprintf(address, sizeof address, "ipc://@%s", exchange->name);
    return address;
}

static void receive(struct exchange *exchange)
{
    void *socket = make_socket(exchange, exchange->is_answered ? ZMQ_REP : ZMQ_PULL);
    EXPECT(zmq_bind(socket, address_of(exchange)) == 0);
    for (;;) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        EXPECT(zmq_msg_recv(&message, socket, 0) >= 0);
        exchange_receive(exchange, zmq_msg_size(&message));
        if (exchange->is_answered) {
            EXPECT(zmq_msg_send(&message, socket, 0) >= 0);
        } else {
            zmq_msg_close(&message);
        }
    }
}

static void *open_sender(const struct exchange *exchange)
{
    struct sender *sender = allocate(sizeof *sender);
    sender->exchange = exchange;
    sender->socket = make_socket(exchange, exchange->is_answered ? ZMQ_REQ : ZMQ_PUSH);
    EXPECT(zmq_connect(sender->socket, address_of(exchange)) == 0);
    return sender;
}

static void send_message(void *opaque)
{
    const struct sender *sender = opaque;
    const struct exchange *exchange = sender->exchange;
    EXPECT(zmq_send(sender->socket, exchange->bytes, exchange->byte_count, 0) >= 0);
    if (!exchange->is_answered) return;
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    EXPECT(zmq_msg_recv(&reply, sender->socket, 0) >= 0);
    EXPECT(zmq_msg_size(&reply) == exchange->byte_count);
    zmq_msg_close(&reply);
}

const struct messenger zeromq_messenger = {receive, open_sender, send_message};

#else

const struct messenger zeromq_messenger = {0};

#endif
