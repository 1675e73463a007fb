/*
 * The memory of queued blocks.
 */

#include "loop/block_entry.h"

#include "base/check.h"
#include "base/object.h"
#include "loop/callout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET_ENTRIES = 20 };

struct sheet {
    /*
     * Entries that have not been given back, or not been taken; those of `own.returned` count
     * still.
     */
    atomic_uint left;
    struct rl_block entries[];
};

/* The sheet that this thread takes entries from. */
static _Thread_local struct {
    struct sheet *sheet;
    unsigned taken;
    /* By this thread: they need no atomic operation. */
    unsigned returned;
    /* The thread is at its end, and nobody would see to another sheet. */
    bool is_over;
} own;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static bool has_key;

/* Takes so many entries off a sheet's count; the last ones free it. */
static void settle(struct sheet *sheet, unsigned entries)
{
    if (entries > 0 && atomic_fetch_sub(&sheet->left, entries) == entries) free(sheet);
}

static void thread_exits(void *sheet)
{
    (void)sheet;
    own.is_over = true;
    if (own.sheet) settle(own.sheet, SHEET_ENTRIES - own.taken + own.returned);
    own.sheet = NULL;
}

static void set_up(void)
{
    has_key = pthread_key_create(&exit_key, thread_exits) == 0;
}

static struct sheet *make_sheet(unsigned entries)
{
    struct sheet *sheet = malloc(sizeof *sheet + entries * sizeof sheet->entries[0]);
    if (!sheet) rl_client_error("malloc", "no memory for %u queued blocks", entries);
    atomic_init(&sheet->left, entries);
    return sheet;
}

/*
 * Leaves the sheet to those who have its entries, and begins another one; false if there is to be
 * none.
 */
static bool turn_over(void)
{
    if (own.sheet) settle(own.sheet, own.returned);
    own.sheet = NULL;
    pthread_once(&once, set_up);
    /* The value is only there to have the destructor called. */
    if (own.is_over || !has_key || pthread_setspecific(exit_key, &own) != 0) return false;
    own.sheet = make_sheet(SHEET_ENTRIES);
    own.taken = own.returned = 0;
    return true;
}

static struct rl_block *take_from(struct sheet *sheet, unsigned place)
{
    struct rl_block *entry = &sheet->entries[place];
    memset(entry, 0, offsetof(struct rl_block, room));
    entry->place = (uint16_t)place;
    return entry;
}

struct rl_block *rl_block_entry_take(void)
{
    bool has_entries = own.sheet && own.taken < SHEET_ENTRIES;
    if (RL_LIKELY(has_entries) || turn_over()) return take_from(own.sheet, own.taken++);
    return take_from(make_sheet(1), 0);
}

void rl_block_entry_give_back(struct rl_block *entry)
{
    char *first = (char *)(entry - entry->place);
    struct sheet *sheet = (struct sheet *)(void *)(first - offsetof(struct sheet, entries));
    if (sheet == own.sheet) {
        own.returned++;
    } else {
        settle(sheet, 1);
    }
}

/* As the runtime copies a block that lies on a stack, but to a place of ours. */
static void copy_into(struct rl_block *entry, const struct rl_block_layout *block)
{
    memcpy(entry->room.bytes, block, block->descriptor->size);
    if (block->flags & RL_BLOCK_HAS_HELPERS) block->descriptor->copy(entry->room.bytes, block);
    entry->body = (void (^)(void))(void *)entry->room.bytes;
}

void rl_block_entry_set_body(struct rl_block *entry, void (^body)(void))
{
    const struct rl_block_layout *block = (const void *)body;
    bool is_elsewhere = block->flags & (RL_BLOCK_IS_COUNTED | RL_BLOCK_IS_GLOBAL);
    if (!is_elsewhere && block->descriptor->size <= sizeof entry->room) {
        copy_into(entry, block);
    } else {
        entry->body = (void (^)(void))rl_callout_copy_block(block);
    }
}

void rl_block_entry_release_body(struct rl_block *entry)
{
    const struct rl_block_layout *block = (const void *)entry->body;
    const struct rl_block_call *call = &entry->room.call;
    if (!block) {
        if (call->release) rl_callout_release(call->release, rl_block_entry_info_of(entry));
    } else if ((const void *)block != entry->room.bytes) {
        rl_callout_release_block(block);
    } else if (block->flags & RL_BLOCK_HAS_HELPERS) {
        block->descriptor->dispose(block);
    }
}
