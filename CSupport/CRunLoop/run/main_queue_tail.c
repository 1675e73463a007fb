/*
 * Finds the tail pointer in the object of a dispatch queue: adds two work items to a private queue,
 * performs them, and compares the words of the object. The tail pointer is first null, then points
 * to the first item, and then to the second item. It still points to the second item while the
 * first item is performed, and finally becomes null again. The head pointer points to the second
 * item while the first item is performed. Exactly one word must change like the tail pointer and
 * exactly one like the head pointer, and a second attempt must find the same words.
 */

#include "base/system.h"

#include "run/main_queue_tail.h"

#include "base/dispatch.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#if !defined(RL_USES_QUEUE_WORD)
#define RL_USES_QUEUE_WORD 1
#endif

#if RL_HAS_DISPATCH && RL_USES_QUEUE_WORD && defined(__GLIBC__)

/* In current versions of libdispatch, the queue object has 15 words. */
enum { MOST_WORDS = 32, NO_WORD = MOST_WORDS };

enum moment { EMPTY, FIRST_ADDED, SECOND_ADDED, FIRST_PERFORMED, SECOND_PERFORMED, MOMENTS };

struct course {
    void *words[MOMENTS][MOST_WORDS];
};

/* Reads the size of the symbol of the main queue. Returns 0 if the size is unknown. */
static size_t count_main_queue_words(void)
{
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    if (!dladdr1(&_dispatch_main_q, &info, (void **)&symbol, RTLD_DL_SYMENT)) return 0;
    if (!symbol || info.dli_saddr != &_dispatch_main_q) return 0;
    return symbol->st_size / sizeof(void *);
}

static void note_words(struct course *course, enum moment moment, void *_Atomic *object,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) course->words[moment][i] = atomic_load(&object[i]);
}

static void count_call(void *count)
{
    ++*(int *)count;
}

/* Returns false if the items were not performed one at a time. */
static bool follow_course(struct course *course, struct dispatch_queue_s *queue, size_t count)
{
    int calls = 0;
    void *_Atomic *object = (void *_Atomic *)queue;
    note_words(course, EMPTY, object, count);
    dispatch_async_f(queue, &calls, count_call);
    note_words(course, FIRST_ADDED, object, count);
    dispatch_async_f(queue, &calls, count_call);
    note_words(course, SECOND_ADDED, object, count);
    if (!_dispatch_runloop_root_queue_perform_4CF(queue) || calls != 1) return false;
    note_words(course, FIRST_PERFORMED, object, count);
    if (_dispatch_runloop_root_queue_perform_4CF(queue) || calls != 2) return false;
    note_words(course, SECOND_PERFORMED, object, count);
    return true;
}

/* Checks whether a word changed like the tail or, if `is_tail` is false, like the head. */
static bool is_end_of_list(const struct course *course, size_t word, bool is_tail)
{
    void *seen[MOMENTS];
    for (int moment = 0; moment < MOMENTS; moment++) seen[moment] = course->words[moment][word];
    void *first = seen[FIRST_ADDED], *second = seen[FIRST_PERFORMED];
    return !seen[EMPTY] && first && second && first != second && !seen[SECOND_PERFORMED] &&
           seen[SECOND_ADDED] == (is_tail ? second : first);
}

static size_t find_end(const struct course *course, size_t count, bool is_tail)
{
    size_t found = NO_WORD;
    for (size_t i = 0; i < count; i++) {
        if (!is_end_of_list(course, i, is_tail)) continue;
        if (found != NO_WORD) return NO_WORD;
        found = i;
    }
    return found;
}

static size_t find_tail(struct dispatch_queue_s *queue, size_t count)
{
    struct course courses[2];
    if (!follow_course(&courses[0], queue, count)) return NO_WORD;
    if (!follow_course(&courses[1], queue, count)) return NO_WORD;
    size_t tail = find_end(&courses[0], count, true), head = find_end(&courses[0], count, false);
    bool is_same =
        tail == find_end(&courses[1], count, true) && head == find_end(&courses[1], count, false);
    return is_same && head != NO_WORD ? tail : NO_WORD;
}

void *_Atomic *rl_main_queue_find_tail(void)
{
    if (secure_getenv("CRUNLOOP_ASK_MAIN_QUEUE")) return NULL;
    size_t count = count_main_queue_words();
    struct dispatch_queue_s *queue = _dispatch_runloop_root_queue_create_4CF("CoreRunLoop", 0);
    if (!queue) return NULL;
    /* The queue's object is a heap block, and its size limits the search. */
    size_t own_count = malloc_usable_size(queue) / sizeof(void *);
    if (own_count < count) count = own_count;
    size_t tail = find_tail(queue, count < MOST_WORDS ? count : MOST_WORDS);
    dispatch_release(queue);
    return tail == NO_WORD ? NULL : (void *_Atomic *)&_dispatch_main_q + tail;
}

#else

void *_Atomic *rl_main_queue_find_tail(void)
{
    return NULL;
}

#endif
