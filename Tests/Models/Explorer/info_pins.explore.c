/*
 * base/info_pins.c: a client's info is released once, and not while it is pinned. Pins and giving
 * up are under one lock, as in watch/client.c; unpinning is not.
 *
 * Explores: CSupport/CRunLoop/base/info_pins.c
 */

#include "explore.h"

#include "base/info_pins.h"

static struct rl_info_pins pins;
static int target;
static void *info;
static int pinned, released;
static bool is_locked;

static void begin(void)
{
    pins = (struct rl_info_pins){0};
    info = &target;
    pinned = released = 0;
    is_locked = false;
}

static void release(void)
{
    explore_check(pinned == 0);
    explore_check(++released == 1);
}

static bool is_free(void *unused)
{
    (void)unused;
    return !is_locked;
}

static void take_lock(void)
{
    explore_wait(is_free, NULL, "takes the object's lock");
    is_locked = true;
}

static void free_lock(void)
{
    is_locked = false;
}

static void call_retain(void)
{
    take_lock();
    bool has_info = !rl_info_is_given_up(&pins);
    if (has_info) {
        rl_info_pin(&pins);
        pinned++;
    }
    free_lock();
    if (!has_info) return;
    EXPLORE_POINT("in the client's retain");
    explore_check(released == 0);
    pinned--;
    if (rl_info_unpin(&pins)) release();
}

static void give_up(void)
{
    take_lock();
    void *given_up;
    bool is_owed = rl_info_give_up(&pins, &info, &given_up);
    free_lock();
    if (is_owed) release();
}

static void end(void)
{
    explore_check(released == 1);
}

const struct explore_scenario explore_scenarios[] = {
    {"one_retains", 5, begin, {call_retain, give_up}, end},
    {"two_retain", 5, begin, {call_retain, call_retain, give_up}, end},
};
const size_t explore_scenario_count = sizeof explore_scenarios / sizeof *explore_scenarios;
