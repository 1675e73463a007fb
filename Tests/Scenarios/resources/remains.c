/*
 * The rest when objects of every kind have come and gone: nothing. Ours only.
 */

#include "resource_words.h"
#include "scenario.h"

#include <malloc.h>
#include <sys/syscall.h>

static const struct {
    const char *name;
    void (*make)(void);
} kinds_of_remains[] = {
    {"descriptors", make_descriptor},
    {"sockets", make_socket},
    {"streams", make_streams},
    {"streams to hosts", make_host_stream},
    {"memory streams", make_memory_streams},
    {"event sources", make_event_sources},
    {"message ports", make_ports},
};

static void nothing_remains(void)
{
    enum { warm_up = 50, rounds = 200 };
    use_own_folder();
    keep_alive("DEF");
    add_timer(TIMER("never", .after = 1000), "DEF");
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0.0001, false);
    for (size_t kind = 0; kind < sizeof kinds_of_remains / sizeof kinds_of_remains[0]; kind++) {
        int descriptors = 0;
        size_t memory = 0;
        for (int round = 0; round < rounds; round++) {
            /* The memory that is kept for reuse is there by now. */
            if (round == warm_up) descriptors = count_descriptors();
            if (round == warm_up) memory = mallinfo2().uordblks;
            kinds_of_remains[kind].make();
        }
        long more = (long)mallinfo2().uordblks - (long)memory;
        int open_more = count_descriptors() - descriptors;
        /* Less than one small object in each second round would be more than this. */
        if (open_more != 0 || more > (rounds - warm_up) * 16) {
            note("%s leave %d descriptors, %ld bytes", kinds_of_remains[kind].name, open_more,
                 more);
        }
    }
}
SCENARIO(nothing_remains,
         .title = "Descriptors and memory are as before when objects of any kind have gone",
         .clauses = "extension",
         .rl_only = true,
         .own_process = true)
