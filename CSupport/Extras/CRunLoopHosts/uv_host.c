/* A libuv loop as the host. This file uses version 1 of libuv's ABI. */

#include "adapter.h"
#include "diagnosis.h"
#include "late_binding.h"

#include <stdlib.h>

/* Values of libuv's enumerations, which are constant within a major version. */
enum { UV_POLL_HANDLE = 8, UV_READABLE_EVENT = 1 };

/* A uv_poll_t. Its size is unknown here: a function of libuv returns it. */
struct uv_poll_s;
typedef void (*poll_callback)(struct uv_poll_s *handle, int status, int events);
typedef void (*close_callback)(struct uv_poll_s *handle);

struct uv {
    size_t (*handle_size)(int type);
    int (*poll_init)(struct uv_loop_s *loop, struct uv_poll_s *handle, int fd);
    int (*poll_start)(struct uv_poll_s *handle, int events, poll_callback callback);
    void (*close)(struct uv_poll_s *handle, close_callback callback);
    void (*set_data)(struct uv_poll_s *handle, void *data);
    const char *(*strerror)(int error);
};

struct uv_host {
    struct RLHostAdapter adapter;
    struct uv uv;
    /* After uv_close, libuv owns the handle. */
    struct uv_poll_s *handle;
};

static bool load_uv(struct uv *uv, const char *function)
{
    const struct rl_late_function functions[] = {
        {"uv_handle_size", &uv->handle_size},  {"uv_poll_init", &uv->poll_init},
        {"uv_poll_start", &uv->poll_start},    {"uv_close", &uv->close},
        {"uv_handle_set_data", &uv->set_data}, {"uv_strerror", &uv->strerror},
    };
    return rl_late_bind("libuv.so.1", functions, sizeof functions / sizeof functions[0], function);
}

static void free_handle(struct uv_poll_s *handle)
{
    free(handle);
}

static void detach_uv_host(RLHostAdapterRef adapter, bool is_thread_ending)
{
    struct uv_host *self = (struct uv_host *)adapter;
    if (!is_thread_ending) {
        self->uv.close(self->handle, free_handle);
        return;
    }
    /* The libuv loop and its handles may have been freed already. */
    rl_hosts_warn("RLHostAdapterCreateWithUV",
                  "the thread of run loop %p ended with adapter %p: invalidate the adapter before "
                  "the thread ends",
                  (const void *)adapter->loop, (void *)adapter);
}

static RLHostAdapterRef adapter_of(const struct uv_poll_s *handle)
{
    /* In libuv's ABI, `data` is the first member of every handle. */
    return *(RLHostAdapterRef const *)(const void *)handle;
}

static void serve_uv_host(struct uv_poll_s *handle, int status, int events)
{
    (void)status, (void)events;
    RLHostAdapterRef adapter = RLHostAdapterRetain(adapter_of(handle));
    RLHostAdapterServe(adapter);
    RLHostAdapterRelease(adapter);
}

static int attach_uv_host(struct uv_host *self, struct uv_loop_s *loop)
{
    self->handle = calloc(1, self->uv.handle_size(UV_POLL_HANDLE));
    if (!self->handle) {
        rl_hosts_client_error(
            "RLHostAdapterCreateWithUV",
            "no memory for an adapter: raise the memory limit of the process, or use less memory");
    }
    int result = self->uv.poll_init(loop, self->handle, self->adapter.descriptor);
    if (result != 0) {
        free(self->handle);
        return result;
    }
    self->uv.set_data(self->handle, self);
    return self->uv.poll_start(self->handle, UV_READABLE_EVENT, serve_uv_host);
}

RLHostAdapterRef RLHostAdapterCreateWithUV(struct uv_loop_s *loop,
                                           const RLHostAdapterOptions *options)
{
    struct uv uv;
    if (!load_uv(&uv, __func__)) return NULL;
    struct uv_host *self = rl_adapter_begin(sizeof *self, options, detach_uv_host, __func__);
    if (!self) return NULL;
    self->uv = uv;
    int result = attach_uv_host(self, loop);
    if (result == 0) return &self->adapter;
    rl_hosts_warn(__func__,
                  "cannot add the run loop's descriptor %d to the libuv loop: %s: pass an "
                  "initialized loop; returning NULL",
                  self->adapter.descriptor, uv.strerror(result));
    rl_adapter_give_up(&self->adapter);
    return NULL;
}
