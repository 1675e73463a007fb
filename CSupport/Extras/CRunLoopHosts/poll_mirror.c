/*
 * poll(2) receives the descriptors in each call, but epoll receives each descriptor only once. If a
 * descriptor was closed and its number was reused for another file, the list looks unchanged. So
 * each update modifies all registrations: for a number that is no longer registered, the kernel
 * returns an error, which shows that the descriptor was closed. If the closed file is still open in
 * a child process or under another number, epoll reports it forever. Only a new set removes such a
 * registration.
 */

#define _GNU_SOURCE

#include "poll_mirror.h"

#include "diagnosis.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* The interval at which descriptors that cannot be added to the set are polled. */
enum { BLIND_MS = 5 };

int64_t rl_poll_mirror_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool add_to_set(int set, int fd, unsigned events)
{
    /* poll(2) and epoll have the same bits. */
    struct epoll_event event = {.events = events, .data.fd = fd};
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void close_descriptor(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* On failure, returns false and leaves no set. */
static bool renew_set(struct rl_poll_mirror *mirror)
{
    close_descriptor(&mirror->set);
    mirror->count = 0;
    mirror->set = epoll_create1(EPOLL_CLOEXEC);
    if (mirror->set >= 0 && add_to_set(mirror->fd, mirror->set, POLLIN)) return true;
    int error = errno;
    close_descriptor(&mirror->set);
    errno = error;
    return false;
}

bool rl_poll_mirror_init(struct rl_poll_mirror *mirror)
{
    *mirror = (struct rl_poll_mirror){.set = -1};
    mirror->fd = epoll_create1(EPOLL_CLOEXEC);
    mirror->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (mirror->fd >= 0 && mirror->timer_fd >= 0 &&
        add_to_set(mirror->fd, mirror->timer_fd, POLLIN)) {
        return true;
    }
    int error = errno;
    rl_poll_mirror_destroy(mirror);
    errno = error;
    return false;
}

void rl_poll_mirror_destroy(struct rl_poll_mirror *mirror)
{
    close_descriptor(&mirror->set);
    close_descriptor(&mirror->timer_fd);
    close_descriptor(&mirror->fd);
    free(mirror->known);
    mirror->known = NULL;
}

static bool change_entry(const struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *entry)
{
    struct epoll_event event = {.events = entry->events, .data.fd = entry->fd};
    return epoll_ctl(mirror->set, EPOLL_CTL_MOD, entry->fd, &event) == 0;
}

/* Returns false if the descriptor is no longer registered in the kernel. */
static bool drop_entry(const struct rl_poll_mirror *mirror, int index)
{
    return epoll_ctl(mirror->set, EPOLL_CTL_DEL, mirror->known[index].fd, NULL) == 0;
}

/* The set lacks descriptors, which are polled at intervals. The next update may add them. */
static void warn_of_blindness(int error)
{
    static atomic_bool was_warned;
    if (atomic_exchange(&was_warned, true)) return;
    rl_hosts_warn("RLGLibSourceCreate",
                  "cannot add all descriptors of a GLib context to epoll: %s, so they are polled "
                  "every %d ms: use descriptors that epoll(7) supports",
                  strerror(error), BLIND_MS);
}

/*
 * Returns false if the set must be recreated. Sets `ret_timeout` to 0 if poll(2) would return at
 * once because of a descriptor: a closed descriptor, or a descriptor that epoll does not support,
 * such as a file on disk.
 */
static bool compare_mirror(const struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                           int count, int *ret_timeout)
{
    if (mirror->set < 0) return false;
    int old = 0;
    for (int i = 0; i < count; i++) {
        while (old < mirror->count && mirror->known[old].fd < list[i].fd) {
            if (!drop_entry(mirror, old++)) return false;
        }
        if (old < mirror->count && mirror->known[old].fd == list[i].fd) {
            old++;
            if (!change_entry(mirror, &list[i])) return false;
        } else if (!add_to_set(mirror->set, list[i].fd, list[i].events)) {
            if (errno != EPERM && errno != EBADF) return false;
            *ret_timeout = 0;
        }
    }
    while (old < mirror->count) {
        if (!drop_entry(mirror, old++)) return false;
    }
    return true;
}

static void remember_list(struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                          int count)
{
    if (count > mirror->capacity) {
        mirror->capacity = count * 2;
        mirror->known = realloc(mirror->known, (size_t)mirror->capacity * sizeof *list);
        if (!mirror->known) {
            rl_hosts_client_error("RLGLibSourceCreate",
                                  "no memory for a GLib source: raise the memory limit of the "
                                  "process, or use less memory");
        }
    }
    if (count > 0) memcpy(mirror->known, list, (size_t)count * sizeof *list);
    mirror->count = count;
}

/* On failure, stops the process, because without the timer the run loop would sleep too long. */
static void set_timer(struct rl_poll_mirror *mirror, int64_t deadline_ns)
{
    struct itimerspec time = {
        .it_value = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000}};
    if (timerfd_settime(mirror->timer_fd, TFD_TIMER_ABSTIME, &time, NULL) == 0) return;
    rl_hosts_client_error("RLGLibSourceCreate",
                          "cannot set the timer of a GLib context, descriptor %d: %s: search for "
                          "code that closes a descriptor twice",
                          mirror->timer_fd, strerror(errno));
}

static void arm_timer(struct rl_poll_mirror *mirror, int64_t deadline_ns)
{
    set_timer(mirror, deadline_ns);
    mirror->is_timer_armed = true;
}

void rl_poll_mirror_disarm(struct rl_poll_mirror *mirror)
{
    if (!mirror->is_timer_armed) return;
    set_timer(mirror, 0);
    mirror->is_timer_armed = false;
}

void rl_poll_mirror_update(struct rl_poll_mirror *mirror, const struct rl_glib_poll_fd *list,
                           int count, int timeout, int64_t now_ns)
{
    int most = timeout;
    /* poll(2) ignores negative descriptors, which mark unused entries, but epoll rejects them. */
    for (; count > 0 && list->fd < 0; count--) list++;
    if (!compare_mirror(mirror, list, count, &most) &&
        (!renew_set(mirror) || !compare_mirror(mirror, list, count, &most))) {
        warn_of_blindness(errno);
        if (most < 0 || most > BLIND_MS) most = BLIND_MS;
    }
    remember_list(mirror, list, count);
    if (most == 0) {
        arm_timer(mirror, 1);
    } else if (most > 0) {
        arm_timer(mirror, now_ns + most * INT64_C(1000000));
    } else {
        rl_poll_mirror_disarm(mirror);
    }
}
