/*
 * Fetching by libcurl on epoll and a timerfd, in the way of libcurl's example for these.
 */

#define _GNU_SOURCE

#include "../Engines/support.h"
#include "include/Programs.h"

#if __has_include(<curl/curl.h>)

#include <curl/curl.h>

#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { EVENTS = 64 };

struct curl_client {
    CURLM *multi;
    int epoll_fd, timer_fd;
    char *url;
    size_t left_to_begin, running_count, received;
};

/* A body in memory. */
struct body {
    char *bytes;
    size_t count;
};

static size_t take(char *bytes, size_t size, size_t count, void *info)
{
    struct body *body = info;
    body->bytes = realloc(body->bytes, body->count + size * count);
    EXPECT(body->bytes);
    memcpy(body->bytes + body->count, bytes, size * count);
    body->count += size * count;
    return size * count;
}

static int socket_changed(CURL *easy, curl_socket_t fd, int what, void *info, void *known)
{
    struct curl_client *client = info;
    struct epoll_event event = {.data.fd = fd};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    int call = what == CURL_POLL_REMOVE ? EPOLL_CTL_DEL : known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    /* The kernel has removed a closed descriptor, so removing it may fail. */
    int result = epoll_ctl(client->epoll_fd, call, fd, &event);
    EXPECT(result == 0 || call == EPOLL_CTL_DEL);
    if (call == EPOLL_CTL_ADD) curl_multi_assign(client->multi, fd, client);
    return 0;
}

static int time_changed(CURLM *multi, long milliseconds, void *info)
{
    struct curl_client *client = info;
    struct itimerspec time = {0};
    if (milliseconds > 0) {
        time.it_value.tv_sec = milliseconds / 1000;
        time.it_value.tv_nsec = milliseconds % 1000 * 1000000;
    } else if (milliseconds == 0) {
        time.it_value.tv_nsec = 1;
    }
    EXPECT(timerfd_settime(client->timer_fd, 0, &time, NULL) == 0);
    return 0;
}

struct curl_client *curl_client_open(const char *url)
{
    struct curl_client *client = allocate(sizeof *client);
    client->url = strdup(url);
    client->multi = curl_multi_init();
    client->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    client->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client->timer_fd};
    EXPECT(epoll_ctl(client->epoll_fd, EPOLL_CTL_ADD, client->timer_fd, &event) == 0);
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
    curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, time_changed);
    curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
    curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, 2000L);
    return client;
}

static void begin_one(struct curl_client *client)
{
    struct body *body = allocate(sizeof *body);
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, client->url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
    client->left_to_begin--;
    client->running_count++;
    EXPECT(curl_multi_add_handle(client->multi, easy) == CURLM_OK);
}

static void end_some(struct curl_client *client)
{
    CURLMsg *message;
    int rest;
    while ((message = curl_multi_info_read(client->multi, &rest))) {
        CURL *easy = message->easy_handle;
        struct body *body = NULL;
        EXPECT(message->data.result == CURLE_OK);
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
        curl_multi_remove_handle(client->multi, easy);
        curl_easy_cleanup(easy);
        client->received += body->count;
        free(body->bytes);
        free(body);
        client->running_count--;
        if (client->left_to_begin > 0) begin_one(client);
    }
}

size_t curl_client_fetch(struct curl_client *client, size_t count, size_t at_a_time)
{
    client->left_to_begin = count;
    client->received = 0;
    while (client->running_count < at_a_time) begin_one(client);
    while (client->running_count > 0) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(client->epoll_fd, events, EVENTS, -1), running;
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd, what = 0;
            if (fd == client->timer_fd) {
                uint64_t expirations;
                /* It may have been set again since it was ready. */
                if (read(fd, &expirations, sizeof expirations) < 0) continue;
                curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
            } else {
                if (events[i].events & EPOLLIN) what |= CURL_CSELECT_IN;
                if (events[i].events & EPOLLOUT) what |= CURL_CSELECT_OUT;
                curl_multi_socket_action(client->multi, fd, what, &running);
            }
            end_some(client);
        }
    }
    return client->received;
}

#else

struct curl_client *curl_client_open(const char *url)
{
    return NULL;
}

size_t curl_client_fetch(struct curl_client *client, size_t count, size_t at_a_time)
{
    return count;
}

#endif
