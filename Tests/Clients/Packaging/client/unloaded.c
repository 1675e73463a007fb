/*
 * A host of plugins: it loads the library, lets a thread use a loop, and unloads the library before
 * that thread ends.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static void *library;
static sem_t has_loop, may_end;

static void *use_loop(void *argument)
{
    void *(*get_current)(void);

    (void)argument;
    /* As POSIX has it: ISO C converts no object pointer into a function pointer. */
    *(void **)&get_current = dlsym(library, "RLRunLoopGetCurrent");
    if (!get_current || !get_current()) puts("no loop");
    sem_post(&has_loop);
    sem_wait(&may_end);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread;

    library = dlopen(count > 1 ? arguments[1] : "libCRunLoop.so.0", RTLD_NOW);
    if (!library) return puts(dlerror()), 1;
    sem_init(&has_loop, 0, 0);
    sem_init(&may_end, 0, 0);
    if (pthread_create(&thread, NULL, use_loop, NULL) != 0) return 1;
    sem_wait(&has_loop);
    dlclose(library);
    sem_post(&may_end);
    pthread_join(thread, NULL);
    puts("ended");
    return 0;
}
