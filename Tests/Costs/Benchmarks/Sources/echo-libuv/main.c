/*
 * An echo server with a timer, which ends at SIGTERM, by libuv.
 */

#if __has_include(<uv.h>)

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

static void lend_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buffer)
{
    (void)handle, (void)size;
    static char bytes[65536];
    *buffer = uv_buf_init(bytes, sizeof bytes);
}

static void free_handle(uv_handle_t *handle)
{
    free(handle);
}

static void answer(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    uv_buf_t reply = uv_buf_init(buffer->base, count > 0 ? (unsigned)count : 0);
    if (count == 0 || (count > 0 && uv_try_write(stream, &reply, 1) == count)) return;
    uv_close((uv_handle_t *)stream, free_handle);
}

static void accept_connection(uv_stream_t *listening, int status)
{
    uv_tcp_t *connection = malloc(sizeof *connection);
    if (status || !connection) exit(EXIT_FAILURE);
    uv_tcp_init(listening->loop, connection);
    uv_accept(listening, (uv_stream_t *)connection);
    uv_read_start((uv_stream_t *)connection, lend_buffer, answer);
}

static void tick(uv_timer_t *timer)
{
    (void)timer;
    puts("still here");
}

static void end(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

int main(int count, char **arguments)
{
    uv_loop_t *loop = uv_default_loop();
    uv_tcp_t listening;
    uv_timer_t timer;
    uv_signal_t ends;
    struct sockaddr_in address;
    if (count < 2 || uv_ip4_addr("127.0.0.1", atoi(arguments[1]), &address)) return EXIT_FAILURE;
    uv_tcp_init(loop, &listening);
    if (uv_tcp_bind(&listening, (struct sockaddr *)&address, 0)) return EXIT_FAILURE;
    if (uv_listen((uv_stream_t *)&listening, 128, accept_connection)) return EXIT_FAILURE;
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, tick, 1000, 1000);
    uv_signal_init(loop, &ends);
    uv_signal_start(&ends, end, SIGTERM);
    uv_run(loop, UV_RUN_DEFAULT);
    return EXIT_SUCCESS;
}

#else

int main(void)
{
    return 69;
}

#endif
