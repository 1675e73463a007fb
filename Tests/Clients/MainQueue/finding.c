/*
 * Finds the tail of stand-ins for libdispatch's queues, each of which behaves in its own way.
 *
 * usage: finding KIND
 */

#include "base/system.h"

#include "run/main_queue_tail.h"

#include "base/dispatch.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, NOWHERE = -1 };

/* A build without the word finds none. */
#if !defined(RL_USES_QUEUE_WORD)
#define RL_USES_QUEUE_WORD 1
#endif

/* A queue, and the place of its tail. */
struct kind {
    const char *name;
    int tail, head, second_tail;
    int found;
    bool keeps_tail, moves, performs_nothing, is_not_made, has_no_symbol;
    size_t symbol_words;
};

static const struct kind kinds[] = {
    {"as-today", 6, 13, NOWHERE, .found = 6},
    {"elsewhere", 3, 2, NOWHERE, .found = 3},
    {"no-word-changes", NOWHERE, NOWHERE, NOWHERE, .found = NOWHERE},
    {"tail-never-clears", 6, 13, NOWHERE, .found = NOWHERE, .keeps_tail = true},
    {"two-tails", 6, 13, 7, .found = NOWHERE},
    {"no-head", 6, NOWHERE, NOWHERE, .found = NOWHERE},
    {"other-words-each-time", 6, 13, NOWHERE, .found = NOWHERE, .moves = true},
    {"performs-nothing", 6, 13, NOWHERE, .found = NOWHERE, .performs_nothing = true},
    {"is-not-made", 6, 13, NOWHERE, .found = NOWHERE, .is_not_made = true},
    {"symbol-unknown", 6, 13, NOWHERE, .found = NOWHERE, .has_no_symbol = true},
    {"symbol-too-short", 6, 13, NOWHERE, .found = NOWHERE, .symbol_words = 6},
};

static const struct kind *kind;
static bool is_made;

struct piece {
    struct piece *next;
    void *context;
    void (*function)(void *);
};

struct dispatch_queue_s {
    void *words[WORDS];
    struct piece *first;
    int emptied;
};

struct dispatch_queue_s _dispatch_main_q;

int dladdr1(const void *address, Dl_info *info, void **extra, int flags)
{
    static ElfW(Sym) symbol;
    symbol.st_size = (kind->symbol_words ? kind->symbol_words : WORDS) * sizeof(void *);
    *extra = &symbol;
    info->dli_saddr = (void *)address;
    return flags == RTLD_DL_SYMENT && !kind->has_no_symbol;
}

struct dispatch_queue_s *_dispatch_runloop_root_queue_create_4CF(const char *label,
                                                                 unsigned long flags)
{
    (void)label;
    (void)flags;
    if (kind->is_not_made) return NULL;
    is_made = true;
    return calloc(1, sizeof(struct dispatch_queue_s));
}

/* Makes the words show the list. */
static void show(struct dispatch_queue_s *queue)
{
    struct piece *last = queue->first;
    while (last && last->next) last = last->next;
    int shift = kind->moves ? queue->emptied : 0;
    if (kind->head != NOWHERE) queue->words[kind->head - shift] = queue->first;
    if (kind->second_tail != NOWHERE) queue->words[kind->second_tail] = last;
    if (kind->tail != NOWHERE && (last || !kind->keeps_tail)) {
        queue->words[kind->tail - shift] = last;
    }
}

void dispatch_async_f(struct dispatch_queue_s *queue, void *context, void (*function)(void *))
{
    struct piece *piece = malloc(sizeof *piece), **end = &queue->first;
    if (!piece) abort();
    *piece = (struct piece){NULL, context, function};
    while (*end) end = &(*end)->next;
    *end = piece;
    show(queue);
}

bool _dispatch_runloop_root_queue_perform_4CF(struct dispatch_queue_s *queue)
{
    struct piece *piece = queue->first;
    queue->first = piece->next;
    show(queue);
    if (!queue->first) queue->emptied++;
    if (!kind->performs_nothing) piece->function(piece->context);
    free(piece);
    return queue->first != NULL;
}

void dispatch_release(void *object)
{
    struct dispatch_queue_s *queue = object;
    while (queue->first) {
        struct piece *piece = queue->first;
        queue->first = piece->next;
        free(piece);
    }
    free(queue);
}

static int expect(const char *name, int expected)
{
    void *_Atomic *tail = rl_main_queue_find_tail();
    int found = tail ? (int)(tail - (void *_Atomic *)&_dispatch_main_q) : NOWHERE;
    printf("finding %s: word %d, expected %d\n", name, found, expected);
    return found == expected ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "list") == 0) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) puts(kinds[i].name);
        puts("environment");
        return 0;
    }
    if (strcmp(name, "environment") == 0) {
        kind = &kinds[0];
        setenv("CRUNLOOP_ASK_MAIN_QUEUE", "", 1);
        return expect(name, NOWHERE) || is_made;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        kind = &kinds[i];
        if (strcmp(kind->name, name) != 0) continue;
        return expect(name, RL_USES_QUEUE_WORD ? kind->found : NOWHERE);
    }
    return 2;
}
