/*
 * Other event loops: GLib, libuv and epoll that serve a run loop, and GLib that is served; and the
 * vertical blanks of a display, which this file stands for.
 */

#define _GNU_SOURCE

#include "../../../../CSupport/Extras/CRunLoopDisplay/drm.h"
#include "inject.h"
#include "workload.h"

#include <CRunLoopDisplay.h>
#include <CRunLoopHosts.h>
#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

/* The calling thread's run loop in a host that `turn` has wait for a moment and serve it. */
static void serve_until_fired(void (^turn)(void), const char *what)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    __block bool has_fired = false, is_performed = false;
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreateWithHandler(NULL, work_date(0.002), 0, 0, 0, ^(RLRunLoopTimerRef each) {
            (void)each;
            has_fired = true;
        });
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
    work_step(what);
    double end = clock_now() + 20;
    while (!has_fired && clock_now() < end) turn();
    work_must(has_fired, what);
    pthread_t helper = begin_thread(^{
        RLRunLoopPerformBlock(loop, kRLRunLoopDefaultMode, ^{ is_performed = true; });
        RLRunLoopWakeUp(loop);
    });
    while (!is_performed && clock_now() < end) turn();
    pthread_join(helper, NULL);
    work_must(is_performed, "a hosted loop is woken");
}

static void end_adapter(RLHostAdapterRef adapter)
{
    RLHostAdapterInvalidate(adapter);
    work_must(!RLHostAdapterIsValid(adapter), "an adapter ends");
    RLHostAdapterRelease(adapter);
}

void part_epoll_host(void)
{
    fault_lets_cancel = true;
    __block int set;
    fault_spare(^{ set = epoll_create1(EPOLL_CLOEXEC); });
    RLHostAdapterRef adapter = RLHostAdapterCreateWithEpoll(set, 7, NULL);
    if (work_got(adapter, "RLHostAdapterCreateWithEpoll")) {
        serve_until_fired(
            ^{
                struct epoll_event event;
                if (epoll_wait(set, &event, 1, 100) == 1) RLHostAdapterServe(adapter);
            },
            "the timer of a loop in an epoll set fires");
        end_adapter(adapter);
    }
    close(set);
}

static void end_wait(uv_timer_t *timer)
{
    (void)timer;
}

void part_uv_host(void)
{
    fault_lets_cancel = true;
    static uv_loop_t host;
    static uv_timer_t limit;
    fault_spare(^{ uv_loop_init(&host); });
    uv_timer_init(&host, &limit);
    RLHostAdapterRef adapter = RLHostAdapterCreateWithUV(&host, NULL);
    if (work_got(adapter, "RLHostAdapterCreateWithUV")) {
        serve_until_fired(
            ^{
                uv_timer_start(&limit, end_wait, 100, 0);
                uv_run(&host, UV_RUN_ONCE);
            },
            "the timer of a loop in libuv's fires");
        end_adapter(adapter);
    }
    uv_close((uv_handle_t *)&limit, NULL);
    uv_run(&host, UV_RUN_DEFAULT);
    work_must(uv_loop_close(&host) == 0, "nothing of an adapter stays in libuv's loop");
}

static GMainContext *make_context(void)
{
    __block GMainContext *context;
    fault_spare(^{ context = g_main_context_new(); });
    return context;
}

static gboolean note_once(gpointer is_noted)
{
    *(bool *)is_noted = true;
    RLRunLoopStop(RLRunLoopGetCurrent());
    return G_SOURCE_REMOVE;
}

static gboolean note_byte(gint fd, GIOCondition condition, gpointer is_noted)
{
    char byte;
    (void)condition;
    *(bool *)is_noted = read(fd, &byte, 1) == 1;
    RLRunLoopStop(RLRunLoopGetCurrent());
    return G_SOURCE_CONTINUE;
}

static void attach(GSource *source, GSourceFunc call, bool *is_noted, GMainContext *context)
{
    g_source_set_callback(source, call, is_noted, NULL);
    g_source_attach(source, context);
}

static void detach(GSource *source)
{
    g_source_destroy(source);
    g_source_unref(source);
}

void part_glib_host(void)
{
    fault_lets_cancel = true;
    GMainContext *context = make_context();
    RLHostAdapterRef adapter = RLHostAdapterCreateWithGLib(context, NULL);
    if (work_got(adapter, "RLHostAdapterCreateWithGLib")) {
        serve_until_fired(
            ^{
                bool is_over = false;
                GSource *limit = g_timeout_source_new(100);
                attach(limit, note_once, &is_over, context);
                g_main_context_iteration(context, true);
                detach(limit);
            },
            "the timer of a loop in GLib's context fires");
        end_adapter(adapter);
    }
    g_main_context_unref(context);
}

/* GLib's time-outs and descriptors in a run loop. */
static void use_context(GMainContext *context, const int ends[2])
{
    static bool is_due, is_read;
    is_due = is_read = false;
    GSource *time = g_timeout_source_new(2), *reader = g_unix_fd_source_new(ends[0], G_IO_IN);
    attach(time, note_once, &is_due, context);
    attach(reader, (GSourceFunc)(void (*)(void))note_byte, &is_read, context);
    work_wait_served(^bool { return is_due; }, "GLib's time-out is served");
    pthread_t helper =
        begin_thread(^{ work_should(write(ends[1], "x", 1) == 1, "a byte is written"); });
    work_wait_served(^bool { return is_read; }, "GLib's descriptor is served");
    pthread_join(helper, NULL);
    work_rest();
    detach(time);
    detach(reader);
    /* A context that no longer has the descriptor. */
    is_due = false;
    time = g_timeout_source_new(2);
    attach(time, note_once, &is_due, context);
    work_wait_served(^bool { return is_due; }, "GLib's second time-out is served");
    detach(time);
}

void part_glib_source(void)
{
    fault_lets_cancel = true;
    static int ends[2];
    GMainContext *context = make_context();
    fault_spare(^{
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) abort();
    });
    RLRunLoopSourceRef source = RLGLibSourceCreate(context);
    if (work_got(source, "RLGLibSourceCreate")) {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, kRLRunLoopDefaultMode);
        use_context(context, ends);
        RLRunLoopSourceInvalidate(source);
        RLRelease(source);
    }
    close(ends[0]);
    close(ends[1]);
    g_main_context_unref(context);
}

void part_display(void)
{
    fault_lets_cancel = true;
    RLVerticalBlank blank = {0};
    Boolean is_blank = false;
    /* Whatever opens: wrappers.c answers for the device. */
    int device = RLVerticalBlankOpen("/dev/null");
    if (!work_did(device >= 0, "RLVerticalBlankOpen")) return;
    work_did(RLVerticalBlankQuery(device, 0, &blank) == 0, "RLVerticalBlankQuery");
    work_should(blank.nanoseconds == 3000004000, "a blank is reported");
    work_did(RLVerticalBlankRequest(device, 0, 1, 2) == 0, "RLVerticalBlankRequest");
    work_must(RLVerticalBlankParse("", 0, &blank, &is_blank) == 0, "there is no record yet");
    close(device);
}

const char *extra_ioctl_name(unsigned long request)
{
    if (request == RL_DRM_GET_CAPABILITY) return "DRM_GET_CAPABILITY";
    if (request == RL_DRM_DROP_MASTER) return "DRM_DROP_MASTER";
    return request == RL_DRM_WAIT ? "DRM_WAIT" : NULL;
}

bool extra_ioctl_answer(unsigned long request, void *argument)
{
    if (request == RL_DRM_GET_CAPABILITY) ((struct rl_drm_capability *)argument)->value = 1;
    if (request == RL_DRM_WAIT) {
        union rl_drm_wait *wait = argument;
        wait->reply.seconds = 3;
        wait->reply.microseconds = 4;
    }
    return extra_ioctl_name(request) != NULL;
}
