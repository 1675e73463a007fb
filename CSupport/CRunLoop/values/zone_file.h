/*
 * The contents of a tz file: when a zone has which time (RFC 9636).
 */

#ifndef RL_ZONE_FILE_H
#define RL_ZONE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time that a zone has. */
struct rl_zone_time {
    /* Seconds to the east of GMT. */
    int32_t offset;
    bool is_daylight;
    const char *abbreviation;
};

/* From a moment on, in seconds since 1970; the first one from ever on. */
struct rl_zone_period {
    int64_t start;
    struct rl_zone_time time;
};

/* When the time changes each year. */
struct rl_zone_change {
    /* `M`: a day of a week of a month; `J`: a day of a year without leap day; 0: with it. */
    char kind;
    int month, week, day;
    /* In seconds of the day, by the time before the change. */
    int32_t second;
};

struct rl_zone {
    struct rl_zone_period *periods;
    size_t count;
    /* What counts from the last period on, if there is daylight saving time. */
    bool has_rule;
    struct rl_zone_time standard, daylight;
    struct rl_zone_change begins, ends;
    /* The abbreviations. */
    char *text;
};

/* What there is at a moment, and next; without an end, `end` is INT64_MAX. */
struct rl_zone_span {
    struct rl_zone_time now, next;
    int64_t end;
};

/* Returns false, with nothing to free, if the bytes are no such file. */
bool rl_zone_read(struct rl_zone *zone, const uint8_t *bytes, size_t length);

/* Makes a zone whose time is always the same. */
void rl_zone_fix(struct rl_zone *zone, int32_t offset, const char *abbreviation);

void rl_zone_free(struct rl_zone *zone);

/* Returns whether two zones have the same times. */
bool rl_zone_equal(const struct rl_zone *first, const struct rl_zone *second);

struct rl_zone_span rl_zone_look(const struct rl_zone *zone, int64_t moment);

#endif
