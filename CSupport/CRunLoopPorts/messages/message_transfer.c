#include "base/system.h"

#include "messages/message_transfer.h"

#include "base/bytes.h"
#include "base/kernel.h"
#include "base/object.h"
#include "base/uncanceled.h"

#include <CRunLoop/RLAllocator.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* The memory for one part: slightly more than the kernel charges to the socket. */
    PART_MEMORY = RL_WIRE_PAYLOAD_SIZE + 8 * 1024,
    /*
     * The number of parts that the buffer holds. Fewer parts cause more context switches; more
     * parts exceed the cache.
     */
    BUFFER_PARTS = 3
};

/* A receiver that reads no parts for this time counts as stalled. */
#define PATIENCE_NS INT64_C(2000000)

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

enum {
    /* For allocations of this size, the kernel uses large pages, which saves page faults. */
    LARGE = 4 * 1024 * 1024,
    PAGE = 4096,
    /* A smaller message is copied from the spare buffer, which is then reused. */
    WORTH_THE_BUFFER = 16 * 1024
};

/* The kernel doubles the size that is passed to SO_SNDBUF. */
int rl_transfer_widen(int fd)
{
    int size = BUFFER_PARTS * PART_MEMORY / 2;
    socklen_t length = sizeof size;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 ? size : 0;
}

/* --- Memory files ---------------------------------------------------------------------------- */

static bool write_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = RL_UNCANCELED(write(fd, bytes, length));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* RLIMIT_FSIZE also applies to memory files: exceeding it ends the process with SIGXFSZ. */
static bool is_within_file_limit(size_t length)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || length <= limit.rlim_cur;
}

int rl_transfer_share(const void *bytes, size_t length)
{
    if (!is_within_file_limit(length)) return -EFBIG;
    int fd = rl_kernel_keep(memfd_create("RLMessagePort", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) return -errno;
    if (write_all(fd, bytes, length) && fcntl(fd, F_ADD_SEALS, SEALS) == 0) return fd;
    int failure = errno ? errno : ENOSPC;
    RL_UNCANCELED(close(fd));
    return -failure;
}

/*
 * Returns whether a memory file can be mapped safely: it is sealed, has the right size, and has no
 * holes. Holes would cost the receiver memory that the sender has not spent.
 */
static bool is_as_promised(int fd, size_t length)
{
    struct stat info;
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & SEALS) == SEALS && fstat(fd, &info) == 0 &&
           info.st_size == (off_t)length && lseek(fd, 0, SEEK_HOLE) == info.st_size;
}

void *rl_transfer_map(int fd, size_t length)
{
    if (!is_as_promised(fd, length)) return NULL;
    void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    return bytes != MAP_FAILED ? bytes : NULL;
}

/* --- Sending --------------------------------------------------------------------------------- */

void rl_transfer_cut(struct rl_wire_packet *packet, const uint8_t *bytes)
{
    uint32_t left = packet->total - packet->offset;
    packet->length = left < RL_WIRE_PAYLOAD_SIZE ? left : RL_WIRE_PAYLOAD_SIZE;
    packet->payload = bytes ? bytes + packet->offset : NULL;
}

void rl_transfer_begin(struct rl_outgoing *message, uint64_t serial, bool goes_in_parts)
{
    message->packet.serial = serial;
    message->packet.offset = 0;
    if (message->memory_file < 0) rl_transfer_cut(&message->packet, message->bytes);
    message->goes_in_parts = goes_in_parts;
    message->space = 0;
    message->moment_ns = 0;
}

/*
 * Returns the number of parts that can be sent now so that space for another packet remains.
 * Returns -1 if the number is unknown. The kernel accepts a packet while the memory of the unread
 * packets is below the limit.
 */
static int count_space(int fd, int buffer_size)
{
    int unread = 0;
    if (buffer_size < PART_MEMORY || ioctl(fd, SIOCOUTQ, &unread) != 0) return -1;
    return unread < buffer_size ? (buffer_size - unread) / PART_MEMORY : 0;
}

static enum rl_channel_result send_part(struct rl_outgoing *message, int fd, int buffer_size)
{
    struct rl_wire_packet part = message->packet;
    if (message->space == 0) message->space = count_space(fd, buffer_size);
    if (message->space < 0) message->goes_in_parts = false;
    if (message->space <= 0) return RL_CHANNEL_AGAIN;
    rl_transfer_cut(&part, message->bytes);
    if (!rl_wire_is_last(&part)) part.descriptors = 0;
    enum rl_channel_result result = rl_channel_send(fd, &part, message->descriptors);
    message->space = result == RL_CHANNEL_DONE ? message->space - 1 : 0;
    if (result != RL_CHANNEL_DONE) return result;
    message->packet.offset += part.length;
    message->moment_ns = 0;
    return RL_CHANNEL_DONE;
}

/* If the receiver has stalled and the system has memory files, continues with a memory file. */
static enum rl_channel_result send_parts(struct rl_outgoing *message, int fd, int buffer_size,
                                         int64_t deadline_ns)
{
    enum rl_channel_result result = RL_CHANNEL_DONE;
    while (result == RL_CHANNEL_DONE && message->packet.offset < message->packet.total) {
        result = send_part(message, fd, buffer_size);
    }
    if (result != RL_CHANNEL_AGAIN) return result;
    int64_t now_ns = rl_kernel_monotonic_ns();
    if (message->moment_ns == 0) message->moment_ns = now_ns + PATIENCE_NS;
    bool waits_on = message->needs_parts || message->moment_ns > deadline_ns;
    if (waits_on) message->moment_ns = deadline_ns;
    if (now_ns >= message->moment_ns && !message->needs_parts) message->goes_in_parts = false;
    return RL_CHANNEL_AGAIN;
}

static bool become_memory_file(struct rl_outgoing *message)
{
    struct rl_wire_packet *packet = &message->packet;
    message->memory_file = rl_transfer_share(message->bytes, packet->total);
    if (message->memory_file < 0) return false;
    memmove(message->descriptors + 1, message->descriptors,
            packet->descriptors * sizeof message->descriptors[0]);
    message->descriptors[0] = message->memory_file;
    packet->flags |= RL_WIRE_IS_SHARED;
    packet->offset = packet->length = 0;
    packet->payload = NULL;
    return true;
}

enum rl_channel_result rl_transfer_send(struct rl_outgoing *message, int fd, int buffer_size,
                                        int64_t deadline_ns)
{
    bool began_in_parts = message->goes_in_parts;
    if (rl_transfer_is_large(message) && message->goes_in_parts) {
        enum rl_channel_result result = send_parts(message, fd, buffer_size, deadline_ns);
        if (result != RL_CHANNEL_AGAIN || message->goes_in_parts) return result;
    }
    if (rl_transfer_is_large(message) && !become_memory_file(message)) {
        /* To send in parts, the free space of the socket must be known. */
        bool continues_in_parts = began_in_parts && message->space >= 0;
        message->needs_parts = true;
        message->goes_in_parts = continues_in_parts;
        message->moment_ns = deadline_ns;
        return continues_in_parts ? RL_CHANNEL_AGAIN : RL_CHANNEL_FAILED;
    }
    message->moment_ns = deadline_ns;
    return rl_channel_send(fd, &message->packet, message->descriptors);
}

void rl_transfer_end(struct rl_outgoing *message)
{
    rl_kernel_close(&message->memory_file);
}

/* --- Receiving ------------------------------------------------------------------------------- */

uint8_t *rl_transfer_buffer(const struct rl_incoming *incoming, uint8_t **spare)
{
    if (incoming->bytes) return incoming->bytes + incoming->received;
    if (!*spare) *spare = rl_allocate_many_bytes(RL_WIRE_PAYLOAD_SIZE);
    return *spare;
}

/* Only written pages use memory, so a large message that is only announced costs little. */
static uint8_t *make_buffer(const struct rl_wire_packet *first)
{
    uint8_t *bytes = rl_allocate_many_bytes((size_t)first->total + RL_WIRE_PAYLOAD_SIZE);
#ifdef MADV_HUGEPAGE
    if (bytes && first->total >= LARGE) {
        uintptr_t begin = ((uintptr_t)bytes + PAGE - 1) / PAGE * PAGE;
        (void)madvise((void *)begin, first->total, MADV_HUGEPAGE);
    }
#endif
    if (bytes) memcpy(bytes, first->payload, first->length);
    return bytes;
}

static enum rl_transfer_progress
take_first_part(struct rl_incoming *incoming, const struct rl_wire_packet *packet, bool is_wanted)
{
    struct rl_incoming begun = {.received = packet->length, .first = *packet, .is_under_way = true};
    begun.first.payload = NULL;
    if (is_wanted) begun.bytes = make_buffer(packet);
    /* Frees the old message only now: make_buffer has copied the payload, which may be in it. */
    rl_transfer_give_up(incoming);
    *incoming = begun;
    return is_wanted && !begun.bytes ? RL_TRANSFER_BROKEN : RL_TRANSFER_MORE;
}

static bool is_next(const struct rl_incoming *incoming, const struct rl_wire_packet *packet)
{
    const struct rl_wire_packet *first = &incoming->first;
    return incoming->is_under_way && packet->kind == first->kind &&
           packet->serial == first->serial && packet->total == first->total &&
           packet->flags == first->flags && packet->message_id == first->message_id &&
           packet->offset == incoming->received;
}

static RLDataRef make_data(const struct rl_wire_packet *packet, uint8_t *bytes)
{
    return RLDataCreateWithBytesNoCopy(NULL, bytes, (RLIndex)packet->total, kRLAllocatorMalloc);
}

static enum rl_transfer_progress take_next_part(struct rl_incoming *incoming,
                                                const struct rl_wire_packet *packet,
                                                RLDataRef *ret_data)
{
    if (!is_next(incoming, packet)) return RL_TRANSFER_BROKEN;
    incoming->received += packet->length;
    if (!rl_wire_is_last(packet)) return RL_TRANSFER_MORE;
    /*
     * Does not shrink the buffer. malloc(3) adapts its mmap threshold to the sizes of freed blocks,
     * so after shrinking it would map each new buffer, which costs more.
     */
    if (incoming->bytes) *ret_data = make_data(packet, incoming->bytes);
    *incoming = (struct rl_incoming){0};
    return RL_TRANSFER_COMPLETE;
}

static uint8_t *give_back_rest(uint8_t *bytes, size_t size)
{
    uint8_t *smaller = realloc(bytes, size);
    return smaller ? smaller : bytes;
}

/* A large message takes over the spare buffer; a smaller message is copied. */
static enum rl_transfer_progress take_packet(const struct rl_wire_packet *packet, uint8_t **spare,
                                             RLDataRef *ret_data)
{
    uint8_t *bytes = NULL;
    if (packet->payload == *spare && packet->total >= WORTH_THE_BUFFER) {
        bytes = give_back_rest(*spare, packet->total);
        *spare = NULL;
    } else if (packet->total > 0) {
        bytes = malloc(packet->total);
        if (!bytes) return RL_TRANSFER_BROKEN;
        memcpy(bytes, packet->payload, packet->total);
    }
    *ret_data = make_data(packet, bytes);
    return RL_TRANSFER_COMPLETE;
}

static void unmap_file(void *bytes, void *length)
{
    munmap(bytes, (size_t)(uintptr_t)length);
}

/* Takes a message in a memory file. Discards parts of the message that have arrived already. */
static enum rl_transfer_progress take_memory_file(struct rl_incoming *incoming,
                                                  struct rl_channel_packet *received,
                                                  RLDataRef *ret_data)
{
    const struct rl_wire_packet *packet = &received->packet;
    void *bytes = rl_transfer_map(received->descriptors[0], packet->total);
    if (!bytes) return RL_TRANSFER_BROKEN;
    rl_channel_close(received->descriptors, 1);
    received->descriptor_count--;
    memmove(received->descriptors, received->descriptors + 1,
            received->descriptor_count * sizeof received->descriptors[0]);
    bool is_under_way = incoming->is_under_way && incoming->first.serial == packet->serial;
    if (is_under_way) rl_transfer_give_up(incoming);

    RLIndex length = (RLIndex)packet->total;
    RLAllocatorContext context = {.info = (void *)(uintptr_t)length, .deallocate = unmap_file};
    RLAllocatorRef unmapper = RLAllocatorCreate(NULL, &context);
    *ret_data = RLDataCreateWithBytesNoCopy(NULL, bytes, length, unmapper);
    RLRelease(unmapper);
    return RL_TRANSFER_COMPLETE;
}

enum rl_transfer_progress rl_transfer_take(struct rl_incoming *incoming, uint8_t **spare,
                                           struct rl_channel_packet *received, bool is_wanted,
                                           RLDataRef *ret_data)
{
    const struct rl_wire_packet *packet = &received->packet;
    *ret_data = NULL;
    if (packet->flags & RL_WIRE_IS_SHARED) return take_memory_file(incoming, received, ret_data);
    if (packet->offset > 0) return take_next_part(incoming, packet, ret_data);
    if (!rl_wire_is_last(packet)) return take_first_part(incoming, packet, is_wanted);
    return is_wanted ? take_packet(packet, spare, ret_data) : RL_TRANSFER_COMPLETE;
}

void rl_transfer_stop_wanting(struct rl_incoming *incoming)
{
    free(incoming->bytes);
    incoming->bytes = NULL;
}

void rl_transfer_give_up(struct rl_incoming *incoming)
{
    free(incoming->bytes);
    *incoming = (struct rl_incoming){0};
}
