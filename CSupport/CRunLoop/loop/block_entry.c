#include "loop/block_entry.h"

#include "base/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB_ENTRIES = 20 };

struct slab {
    /* The number of entries that are in use, not yet taken, or counted in `own.returned`. */
    atomic_uint left;
    struct rl_block entries[];
};

static _Thread_local struct {
    struct slab *slab;
    unsigned taken;
    /* Counts the entries that this thread has freed. Counting them here saves atomic operations. */
    unsigned returned;
    /* The thread is ending, so a new slab would leak. */
    bool is_over;
} own;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static bool has_key;

static void give_back_entries(struct slab *slab, unsigned entries)
{
    if (entries > 0 && atomic_fetch_sub(&slab->left, entries) == entries) free(slab);
}

static void slab_thread_exits(void *slab)
{
    (void)slab;
    own.is_over = true;
    if (own.slab) give_back_entries(own.slab, SLAB_ENTRIES - own.taken + own.returned);
    own.slab = NULL;
}

static void set_up_slabs(void)
{
    has_key = pthread_key_create(&exit_key, slab_thread_exits) == 0;
}

static struct slab *make_slab(unsigned entries)
{
    struct slab *slab = malloc(sizeof *slab + entries * sizeof slab->entries[0]);
    if (!slab) {
        rl_client_error("malloc",
                        "no memory for %u queued blocks: raise the memory limit of the process, or "
                        "use less memory",
                        entries);
    }
    atomic_init(&slab->left, entries);
    return slab;
}

/* The old slab remains until all its entries are freed. Returns false if the thread is ending. */
static bool begin_slab(void)
{
    if (own.slab) give_back_entries(own.slab, own.returned);
    own.slab = NULL;
    pthread_once(&once, set_up_slabs);
    /* A destructor of thread-specific data runs only if the value is not null. */
    if (own.is_over || !has_key || pthread_setspecific(exit_key, &own) != 0) return false;
    own.slab = make_slab(SLAB_ENTRIES);
    own.taken = own.returned = 0;
    return true;
}

static struct rl_block *take_entry(struct slab *slab, unsigned place)
{
    struct rl_block *entry = &slab->entries[place];
    memset(entry, 0, offsetof(struct rl_block, storage));
    entry->place = (uint16_t)place;
    return entry;
}

struct rl_block *rl_block_entry_take(void)
{
    bool has_entries = own.slab && own.taken < SLAB_ENTRIES;
    if (RL_LIKELY(has_entries) || begin_slab()) return take_entry(own.slab, own.taken++);
    return take_entry(make_slab(1), 0);
}

void rl_block_entry_give_back(struct rl_block *entry)
{
    char *first = (char *)(entry - entry->place);
    struct slab *slab = (struct slab *)(void *)(first - offsetof(struct slab, entries));
    if (slab == own.slab) {
        own.returned++;
    } else {
        give_back_entries(slab, 1);
    }
}

/* Copies the block like the blocks runtime, but into the entry instead of the heap. */
static void copy_block_into(struct rl_block *entry, const struct rl_block_layout *block)
{
    memcpy(entry->storage.bytes, block, block->descriptor->size);
    if (block->flags & RL_BLOCK_HAS_HELPERS) block->descriptor->copy(entry->storage.bytes, block);
    entry->body = (void (^)(void))(void *)entry->storage.bytes;
}

void rl_block_entry_set_body(struct rl_block *entry, void (^body)(void))
{
    const struct rl_block_layout *block = (const void *)body;
    bool is_elsewhere = block->flags & (RL_BLOCK_IS_COUNTED | RL_BLOCK_IS_GLOBAL);
    if (!is_elsewhere && block->descriptor->size <= sizeof entry->storage) {
        copy_block_into(entry, block);
    } else {
        entry->body = (void (^)(void))rl_block_copy(block);
    }
}

void rl_block_entry_release_body(struct rl_block *entry)
{
    const struct rl_block_layout *block = (const void *)entry->body;
    if ((const void *)block != entry->storage.bytes) {
        rl_block_release(block);
    } else if (block->flags & RL_BLOCK_HAS_HELPERS) {
        block->descriptor->dispose(block);
    }
}
