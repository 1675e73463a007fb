/*
 * Posting calls to a loop. For engines that have no queue of their own: a list under a lock, and a
 * bell that is rung when the list was empty. What is on the list is served in one go.
 */

#include "workloads.h"

_Thread_local unsigned calls_served;

struct letter {
    struct letter *next;
    struct thunk thunk;
};

struct post_office {
    const struct engine *engine;
    void *loop;
    /* Or what keeps the loop from running out of work. */
    void *bell;
    pthread_mutex_t lock;
    struct letter *first;
    struct letter **last;
};

static void deliver(void *info)
{
    struct post_office *office = info;
    pthread_mutex_lock(&office->lock);
    struct letter *letter = office->first;
    office->first = NULL;
    office->last = &office->first;
    pthread_mutex_unlock(&office->lock);
    while (letter) {
        struct letter *next = letter->next;
        thunk_call(&letter->thunk);
        free(letter);
        letter = next;
    }
}

struct post_office *post_office_open(const struct engine *engine, void *loop)
{
    struct post_office *office = allocate(sizeof *office);
    office->engine = engine;
    office->loop = loop;
    office->last = &office->first;
    pthread_mutex_init(&office->lock, NULL);
    office->bell = engine->post ? add_source(engine, loop, do_nothing, office)
                                : engine->add_bell(loop, deliver, office);
    return office;
}

void post_office_post(struct post_office *office, engine_call call, void *info)
{
    if (office->engine->post) {
        office->engine->post(office->loop, call, info);
        return;
    }
    struct letter *letter = malloc(sizeof *letter);
    EXPECT(letter != NULL);
    *letter = (struct letter){.thunk = {call, info}};
    pthread_mutex_lock(&office->lock);
    bool was_empty = office->first == NULL;
    *office->last = letter;
    office->last = &letter->next;
    pthread_mutex_unlock(&office->lock);
    if (was_empty) office->engine->ring(office->loop, office->bell);
}

void post_office_close(struct post_office *office)
{
    if (office->engine->post) {
        remove_source(office->engine, office->loop, office->bell);
    } else {
        office->engine->remove_bell(office->loop, office->bell);
    }
    pthread_mutex_destroy(&office->lock);
    free(office);
}
