/*
 * Numbers for a thread: a list with a lock, and an eventfd.
 */

#include "peer.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct letter {
    long number;
    struct letter *next;
};

struct mailbox {
    pthread_mutex_t lock;
    struct letter *first, **last;
    int wake_fd;
    void (*handle)(void *info, long number);
    void *info;
};

static struct letter *take_all(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->lock);
    struct letter *first = mailbox->first;
    mailbox->first = NULL;
    mailbox->last = &mailbox->first;
    pthread_mutex_unlock(&mailbox->lock);
    return first;
}

static void *handle_all(void *info)
{
    struct mailbox *mailbox = info;
    uint64_t count;
    while (read(mailbox->wake_fd, &count, sizeof count) == sizeof count) {
        for (struct letter *letter = take_all(mailbox), *next; letter; letter = next) {
            next = letter->next;
            mailbox->handle(mailbox->info, letter->number);
            free(letter);
        }
    }
    return NULL;
}

struct mailbox *mailbox_open(void (*handle)(void *info, long number), void *info)
{
    struct mailbox *mailbox = allocate(sizeof *mailbox);
    pthread_mutex_init(&mailbox->lock, NULL);
    mailbox->last = &mailbox->first;
    mailbox->wake_fd = eventfd(0, EFD_CLOEXEC);
    mailbox->handle = handle;
    mailbox->info = info;
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, handle_all, mailbox) == 0);
    pthread_detach(thread);
    return mailbox;
}

void mailbox_post(struct mailbox *mailbox, long number)
{
    struct letter *letter = allocate(sizeof *letter);
    letter->number = number;
    pthread_mutex_lock(&mailbox->lock);
    bool is_first = mailbox->first == NULL;
    *mailbox->last = letter;
    mailbox->last = &letter->next;
    pthread_mutex_unlock(&mailbox->lock);
    uint64_t one = 1;
    if (is_first) EXPECT(write(mailbox->wake_fd, &one, sizeof one) == sizeof one);
}
