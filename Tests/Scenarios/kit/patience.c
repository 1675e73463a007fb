/* Decides whether a run hangs; see patience.h. */

#include "patience.h"

#include <unistd.h>

/* Returns 0 once the process is gone. */
static int64_t nanoseconds_used(clockid_t clock)
{
    struct timespec used = {0};

    clock_gettime(clock, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

struct patience patience_with(clockid_t clock, int seconds)
{
    int64_t used = nanoseconds_used(clock);

    return (struct patience){
        .clock = clock, .seconds = seconds, .used_at_first = used, .used_at_last = used};
}

bool patience_is_over(struct patience *patience)
{
    int64_t used = nanoseconds_used(patience->clock);
    int64_t time = (int64_t)patience->seconds * 1000000000;
    bool rests = used - patience->used_at_last < time / 300;
    bool spins = used - patience->used_at_first >= time * sysconf(_SC_NPROCESSORS_ONLN);

    patience->used_at_last = used;
    return rests || spins;
}
