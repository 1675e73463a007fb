/*
 * The slots of a wait set: the descriptors of sources, and their registrations. The traps of epoll:
 *
 * - A descriptor can be in an epoll set only once. A second registration uses a duplicate of the
 *   descriptor.
 * - Regular files and directories cannot be in an epoll set. They are always ready, so an eventfd
 *   that is always ready is registered instead.
 * - Closing a descriptor silently removes it from the set. A later removal may fail, which is not
 *   an error. It may also remove another file that has the number now. A slot must detect that its
 *   file is gone.
 * - Closing a descriptor does not remove it while its file is open under another number, in this
 *   process or a child. Then it cannot be removed at all, and a new set must be made (reject_event
 *   in wait_set.c).
 * - The kernel reports a hang-up or an error forever, whatever the registered events are. So a dead
 *   descriptor is removed from the set after its report. A socket with entries in its error queue
 *   is not dead: it is edge-triggered until the entries are gone.
 * - An event may belong to an earlier owner of its slot, so payloads contain a generation.
 */

#include "wait/wait_slots.h"

#include "base/hint.h"
#include "base/object.h"
#include "base/socket_kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- Slots ------------------------------------------------------------------------------------ */

/* The buckets follow the slots in memory. A bucket is a list of used slots. */
static uint32_t *buckets_of(const struct rl_wait_set *set)
{
    return (uint32_t *)(void *)&set->slots[set->slot_count];
}

static uint32_t *bucket_of(const struct rl_wait_set *set, int fd)
{
    return &buckets_of(set)[(uint32_t)fd & (set->slot_count - 1)];
}

static void link_slot(struct rl_wait_set *set, uint32_t index)
{
    uint32_t *bucket = bucket_of(set, set->slots[index].fd);
    set->slots[index].next = *bucket;
    *bucket = index;
}

static void unlink_slot(struct rl_wait_set *set, uint32_t index)
{
    uint32_t *link = bucket_of(set, set->slots[index].fd);
    while (*link != index) link = &set->slots[*link].next;
    *link = set->slots[index].next;
}

static void make_slots(struct rl_wait_set *set)
{
    uint32_t old_count = set->slot_count, count = old_count ? old_count * 2 : 4;
    set->slots = rl_reallocate(set->slots, count * (sizeof set->slots[0] + sizeof(uint32_t)));
    memset(&set->slots[old_count], 0, (count - old_count) * sizeof set->slots[0]);
    set->slot_count = count;
    memset(buckets_of(set), 0xFF, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < old_count; i++) link_slot(set, i);
    for (uint32_t i = old_count; i < count; i++) {
        set->slots[i].substitute_fd = -1;
        set->slots[i].next = i + 1 < count ? i + 1 : RL_NO_SLOT;
    }
    set->first_free = old_count;
}

static void push_owner(struct rl_wait_slot *slot, void *owner)
{
    uint32_t inline_count = sizeof slot->owners / sizeof slot->owners[0];
    if (slot->count >= inline_count) {
        bool is_first = slot->more == NULL;
        slot->more = rl_reallocate(slot->more, (slot->count + 1) * sizeof slot->more[0]);
        if (is_first) memcpy(slot->more, slot->owners, sizeof slot->owners);
    }
    rl_wait_slot_owners(slot)[slot->count++] = owner;
}

static void drop_owner(struct rl_wait_slot *slot, const void *owner)
{
    void **owners = rl_wait_slot_owners(slot);
    uint32_t index = 0;
    while (owners[index] != owner) index++;
    memmove(&owners[index], &owners[index + 1], (--slot->count - index) * sizeof owners[0]);
}

static void classify_slot(struct rl_wait_slot *slot, uint32_t interest)
{
    struct rl_kernel_counter counter = {0};
    if (slot->reader == RL_READ_AS_PORT) counter = rl_kernel_classify_counter(slot->fd);
    slot->is_counter = counter.is_counter;
    /* The counter is edge-triggered only if one read empties it. */
    slot->is_level = !counter.is_emptied;
    slot->interest = slot->is_level ? interest : interest | RL_KERNEL_EDGE;
    slot->knows_blocking = false;
    slot->is_read = interest & RL_KERNEL_READ;
}

void rl_wait_slots_classify_ports(struct rl_wait_set *set)
{
    for (uint32_t i = 0; i < set->slot_count; i++) {
        struct rl_wait_slot *slot = &set->slots[i];
        if (slot->reader == RL_READ_AS_PORT && slot->count > 0) classify_slot(slot, RL_KERNEL_READ);
    }
}

static uint32_t take_free_slot(struct rl_wait_set *set, int fd)
{
    if (set->first_free == RL_NO_SLOT) make_slots(set);
    uint32_t index = set->first_free;
    set->first_free = set->slots[index].next;
    set->slots[index].fd = fd;
    set->slots[index].generation++;
    link_slot(set, index);
    set->descriptors++;
    return index;
}

static void note_refusal(struct rl_wait_set *set, struct rl_wait_slot *slot, bool is_refused)
{
    if (slot->is_refused == is_refused) return;
    slot->is_refused = is_refused;
    set->refused += is_refused ? 1 : -1U;
}

static void give_back_slot(struct rl_wait_set *set, uint32_t index)
{
    struct rl_wait_slot *slot = &set->slots[index];
    unlink_slot(set, index);
    note_refusal(set, slot, false);
    rl_kernel_close(&slot->substitute_fd);
    free(slot->more);
    slot->more = NULL;
    slot->count = 0;
    slot->generation++;
    slot->is_registered = false;
    slot->had_error = slot->is_paced = false;
    slot->reported_by = 0;
    slot->next = set->first_free;
    set->first_free = index;
    set->descriptors--;
}

/* --- Registrations ---------------------------------------------------------------------------- */

/* After a shortage, a retry may succeed. */
static bool is_shortage(int error)
{
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -ENOSPC;
}

static int registered_fd(const struct rl_wait_slot *slot)
{
    return slot->substitute_fd >= 0 ? slot->substitute_fd : slot->fd;
}

static uint32_t paced_interest(const struct rl_wait_slot *slot, uint32_t interest)
{
    return slot->is_paced ? interest | RL_KERNEL_EDGE : interest;
}

static int try_register(struct rl_wait_set *set, uint32_t index)
{
    const struct rl_wait_slot *slot = &set->slots[index];
    return rl_kernel_poll_add(set->poll_fd, registered_fd(slot),
                              paced_interest(slot, slot->interest),
                              rl_wait_payload(index, slot->generation));
}

/* The kernel has just accepted the number as new, so the file that had it before was closed. */
static void forget_closed(struct rl_wait_set *set, uint32_t index)
{
    int fd = set->slots[index].fd;
    for (uint32_t i = *bucket_of(set, fd); i != RL_NO_SLOT; i = set->slots[i].next) {
        struct rl_wait_slot *slot = &set->slots[i];
        if (i != index && slot->fd == fd && slot->substitute_fd < 0) slot->is_registered = false;
    }
}

/* A substitute is a duplicate, or an eventfd that is always ready. */
static int register_substitute(struct rl_wait_set *set, uint32_t index, int substitute_fd)
{
    if (substitute_fd < 0) return substitute_fd;
    set->slots[index].substitute_fd = substitute_fd;
    int result = try_register(set, index);
    if (result < 0) rl_kernel_close(&set->slots[index].substitute_fd);
    return result;
}

static void finish_registration(struct rl_wait_set *set, uint32_t index, int result)
{
    struct rl_wait_slot *slot = &set->slots[index];
    if (result == 0) forget_closed(set, index);
    if (result == -EEXIST && slot->substitute_fd >= 0) {
        /* The duplicate is registered already. */
        result = rl_kernel_poll_change(set->poll_fd, slot->substitute_fd,
                                       paced_interest(slot, slot->interest),
                                       rl_wait_payload(index, slot->generation));
    } else if (result == -EEXIST) {
        result = register_substitute(set, index, rl_kernel_duplicate(slot->fd));
    } else if (result == -EPERM && rl_kernel_is_always_ready(slot->fd)) {
        result = register_substitute(set, index, rl_kernel_make_ready_counter());
    }
    slot->is_registered = result == 0;
    bool was_refused = slot->is_refused;
    note_refusal(set, slot, is_shortage(result));
    if (result == 0 || was_refused) return;
    rl_warn("RLRunLoopAddSource", "cannot add descriptor %d of source %p to epoll: %s%s", slot->fd,
            rl_wait_slot_owners(slot)[0], strerror(-result),
            slot->is_refused
                ? "; will retry: raise the limit of open files or fs.epoll.max_user_watches"
            : result == -EBADF ? ": invalidate a source before you close its descriptor"
                               : ": use a descriptor that epoll(7) supports");
}

/* Does nothing if the slot's source wants no event. */
static void connect_slot(struct rl_wait_set *set, uint32_t index)
{
    if (set->slots[index].interest & RL_KERNEL_NOTHING) return;
    finish_registration(set, index, try_register(set, index));
}

bool rl_wait_slots_share(const struct rl_wait_set *set, uint32_t index)
{
    int fd = set->slots[index].fd;
    uint32_t other = *bucket_of(set, fd);
    while (other != RL_NO_SLOT) {
        const struct rl_wait_slot *slot = &set->slots[other];
        if (other != index && slot->fd == fd && slot->is_read) return true;
        other = slot->next;
    }
    return false;
}

void rl_wait_slots_register_all(struct rl_wait_set *set)
{
    for (uint32_t i = 0; i < set->slot_count; i++) {
        if (set->slots[i].count > 0) connect_slot(set, i);
    }
}

void rl_wait_slots_forget(struct rl_wait_set *set)
{
    for (uint32_t i = 0; i < set->slot_count; i++) {
        set->slots[i].is_registered = false;
        set->slots[i].reported_by = 0;
        rl_kernel_close(&set->slots[i].substitute_fd);
    }
}

/* If the descriptor was closed, the kernel has removed it from the set. */
static bool was_closed(const struct rl_wait_set *set, const struct rl_wait_slot *slot)
{
    if (!slot->is_registered || slot->substitute_fd >= 0) return false;
    /* The number may belong to one of the loop's own ports now. */
    if (slot->fd == set->timer_fd || slot->fd == set->main_queue_port) return true;
    int result = rl_kernel_poll_add(set->poll_fd, slot->fd, 0, 0);
    if (result == 0) rl_kernel_poll_remove(set->poll_fd, slot->fd);
    return result == 0 || result == -EBADF;
}

/* Checks one slot per sleep, so that the cost does not grow with the number of descriptors. */
const void *rl_wait_set_find_closed(struct rl_wait_set *set, int *ret_fd)
{
    if (!RL_HAS_HINTS || set->descriptors == 0 || set->poll_fd < 0) return NULL;
    struct rl_wait_slot *slot;
    do {
        slot = &set->slots[set->hinted++ % set->slot_count];
    } while (slot->count == 0);
    *ret_fd = slot->fd;
    return was_closed(set, slot) ? rl_wait_slot_owners(slot)[0] : NULL;
}

static void unregister_slot(struct rl_wait_set *set, struct rl_wait_slot *slot)
{
    note_refusal(set, slot, false);
    if (!slot->is_registered) return;
    rl_kernel_poll_remove(set->poll_fd, registered_fd(slot));
    rl_kernel_close(&slot->substitute_fd);
    slot->is_registered = false;
    slot->reported_by = 0;
}

static void change_registration(struct rl_wait_set *set, uint32_t index, uint32_t interest)
{
    struct rl_wait_slot *slot = &set->slots[index];
    int result =
        rl_kernel_poll_change(set->poll_fd, registered_fd(slot), paced_interest(slot, interest),
                              rl_wait_payload(index, slot->generation));
    if (result != -ENOENT) return;
    /* The number refers to another file now, so events of the old file are stale. */
    slot->is_registered = false;
    slot->generation++;
    connect_slot(set, index);
}

/* Returns the slot of a port that another version-1 source uses, or RL_NO_SLOT. */
static uint32_t find_shared(const struct rl_wait_set *set, int fd)
{
    uint32_t index = *bucket_of(set, fd);
    while (index != RL_NO_SLOT) {
        const struct rl_wait_slot *slot = &set->slots[index];
        if (slot->fd == fd && slot->is_counter && slot->is_registered) break;
        index = slot->next;
    }
    return index;
}

uint32_t rl_wait_set_add(struct rl_wait_set *set, void *owner, int fd, uint32_t interest,
                         enum rl_wait_reader reader)
{
    if (fd < 0) return RL_NO_SLOT;
    bool is_open = rl_wait_set_open(set);
    /* Ends the nap of a loop without an epoll set, which must now wait for this descriptor. */
    rl_wake_end_nap(set->wake);
    uint32_t index = take_free_slot(set, fd);
    struct rl_wait_slot *slot = &set->slots[index];
    slot->reader = reader;
    classify_slot(slot, interest);
    bool is_wanted = is_open && !(interest & RL_KERNEL_NOTHING);
    int result = is_wanted ? try_register(set, index) : 0;
    if (result == -EEXIST && slot->is_counter) {
        uint32_t shared = find_shared(set, fd);
        if (shared != RL_NO_SLOT) {
            give_back_slot(set, index);
            push_owner(&set->slots[shared], owner);
            return shared;
        }
    }
    push_owner(slot, owner);
    if (is_wanted) finish_registration(set, index, result);
    return index;
}

void rl_wait_set_remove(struct rl_wait_set *set, const void *owner, uint32_t index)
{
    if (index == RL_NO_SLOT) return;
    struct rl_wait_slot *slot = &set->slots[index];
    drop_owner(slot, owner);
    if (slot->count > 0) return;
    unregister_slot(set, slot);
    give_back_slot(set, index);
}

void rl_wait_set_change(struct rl_wait_set *set, uint32_t index, uint32_t interest)
{
    if (index == RL_NO_SLOT) return;
    struct rl_wait_slot *slot = &set->slots[index];
    slot->interest = interest;
    if (interest & RL_KERNEL_READ) slot->is_read = true;
    if (set->poll_fd < 0) return;
    if (interest & RL_KERNEL_NOTHING) {
        unregister_slot(set, slot);
    } else if (slot->is_registered) {
        change_registration(set, index, interest);
    } else {
        connect_slot(set, index);
    }
}

bool rl_wait_set_retry(struct rl_wait_set *set)
{
    /* After this many failures, other registrations would fail too. They come first next time. */
    enum { MOST_REFUSALS = 8 };
    uint32_t refusals = 0, first = 0;
    for (uint32_t i = 0; set->refused > refusals && i < set->slot_count; i++) {
        uint32_t index = set->next_retry++ % set->slot_count;
        if (!set->slots[index].is_refused) continue;
        connect_slot(set, index);
        if (!set->slots[index].is_refused) continue;
        if (refusals++ == 0) first = index;
        if (refusals == MOST_REFUSALS) break;
    }
    /* If all refused slots were tried, the next retry begins with the first of them. */
    if (refusals == set->refused) set->next_retry = first;
    return set->refused == 0;
}

static const uint32_t dead = RL_KERNEL_HANG_UP | RL_KERNEL_ERROR;

/*
 * Returns the events that stay registered: none for a client's dead descriptor, and no read event
 * if the peer has ended its output. Nothing changes while the client has buffered input to read.
 */
static uint32_t remaining_interest(const struct rl_wait_slot *slot, uint32_t ready)
{
    bool is_of_client = slot->reader == RL_READ_BY_CLIENT || slot->reader == RL_READ_AS_PORT;
    bool is_dead = (ready & dead) && !slot->is_paced;
    if (!is_of_client || !(is_dead || (ready & RL_KERNEL_PEER_CLOSED))) return slot->interest;
    if ((ready & RL_KERNEL_READ) && rl_kernel_has_bytes(slot->fd)) return slot->interest;
    return is_dead ? 0 : slot->interest & ~(uint32_t)RL_KERNEL_READ;
}

void rl_wait_slots_quiet(struct rl_wait_set *set, uint32_t index, uint32_t ready)
{
    struct rl_wait_slot *slot = &set->slots[index];
    if (slot->is_counter) return;
    bool is_error_only = (ready & dead) == RL_KERNEL_ERROR;
    bool is_first_error = is_error_only && !slot->had_error, was_paced = slot->is_paced;
    slot->had_error = is_error_only;
    int type = is_error_only && !was_paced ? rl_socket_type(slot->fd) : 0;
    bool is_socket = type != -ENOTSOCK && type != -EBADF;
    /*
     * The client's next call returns and clears the asynchronous error of a socket. Some files
     * report a change as an error. The error of a pipe without a reader is lasting.
     */
    bool may_pass = is_socket || (ready & (RL_KERNEL_READ | RL_KERNEL_PRIORITY));
    if (is_first_error && may_pass) return;
    slot->is_paced = is_error_only && is_socket;
    uint32_t interest = remaining_interest(slot, ready);
    bool is_rearmed = slot->is_paced && (ready & slot->interest);
    if (interest == 0) {
        unregister_slot(set, slot);
    } else if (interest != slot->interest || slot->is_paced != was_paced || is_rearmed) {
        change_registration(set, index, interest);
    }
}

struct rl_wait_slot_state rl_wait_set_slot_state(const struct rl_wait_set *set, uint32_t slot)
{
    if (slot >= set->slot_count) return (struct rl_wait_slot_state){.fd = -1};
    return (struct rl_wait_slot_state){set->slots[slot].fd, set->slots[slot].interest};
}
