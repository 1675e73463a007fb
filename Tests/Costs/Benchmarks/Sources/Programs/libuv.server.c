/*
 * libuv's streams.
 */

#include "../Engines/support.h"
#include "include/Programs.h"

#if __has_include(<uv.h>)

#include <uv.h>

static void lend_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    const struct service *service = handle->data;
    *buffer = uv_buf_init(service->buffer, (unsigned)service->capacity);
}

static void free_handle(uv_handle_t *handle)
{
    free(handle);
}

static void answer(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct service *service = stream->data;
    if (count < 0) {
        uv_close((uv_handle_t *)stream, free_handle);
        if (service_remove(service)) uv_stop(stream->loop);
    } else if (count > 0 && service->is_echo) {
        uv_buf_t reply = uv_buf_init(buffer->base, (unsigned)count);
        EXPECT(uv_try_write(stream, &reply, 1) == count);
    }
}

static void accept_connection(uv_stream_t *listening, int status)
{
    EXPECT(status == 0);
    struct service *service = listening->data;
    uv_tcp_t *connection = allocate(sizeof *connection);
    connection->data = service;
    EXPECT(uv_tcp_init(listening->loop, connection) == 0);
    EXPECT(uv_accept(listening, (uv_stream_t *)connection) == 0);
    service->connection_count++;
    EXPECT(uv_read_start((uv_stream_t *)connection, lend_buffer, answer) == 0);
}

static void serve(struct service *service)
{
    uv_loop_t loop;
    uv_tcp_t listening = {.data = service};
    EXPECT(uv_loop_init(&loop) == 0);
    EXPECT(uv_tcp_init(&loop, &listening) == 0);
    EXPECT(uv_tcp_open(&listening, service->listening_fd) == 0);
    EXPECT(uv_listen((uv_stream_t *)&listening, 4096, accept_connection) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
}

const server libuv_server = serve;

#else

const server libuv_server = NULL;

#endif
