/*
 * Reading tz files. They may be cut or wrong in any way.
 */

#include "values/zone_file.h"

#include "base/object.h"
#include "values/days.h"

#include <stdlib.h>

/* From 1970 to 2001. */
#define DAYS_BEFORE_2001 11323

enum { HEADER_SIZE = 44, MOST_ABBREVIATION = 31 };

/* --- The data --------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at;
    size_t left;
};

/* Returns the next bytes, or null if there are not as many. */
static const uint8_t *take(struct reader *reader, size_t count)
{
    const uint8_t *taken = reader->at;
    if (reader->left < count) return NULL;
    reader->at += count;
    reader->left -= count;
    return taken;
}

static int64_t number_at(const uint8_t *bytes, size_t size)
{
    uint64_t number = bytes[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < size; i++) number = number << 8 | bytes[i];
    return (int64_t)number;
}

struct header {
    char version;
    /* How many there are of each. */
    size_t universals, standards, leaps, moments, types, characters;
};

static bool read_header(struct reader *reader, struct header *ret_header)
{
    enum { MOST = 1 << 20 };
    const uint8_t *bytes = take(reader, HEADER_SIZE);
    if (!bytes || memcmp(bytes, "TZif", 4) != 0) return false;
    size_t counts[6];
    for (int i = 0; i < 6; i++) {
        counts[i] = (size_t)number_at(bytes + 20 + 4 * i, 4);
        if (counts[i] > MOST) return false;
    }
    *ret_header = (struct header){(char)bytes[4], counts[0], counts[1], counts[2],
                                  counts[3],      counts[4], counts[5]};
    return true;
}

/* What stands behind the characters: leap seconds, which nobody counts, and marks. */
static size_t size_of_rest(const struct header *header, size_t size)
{
    return header->leaps * (size + 4) + header->standards + header->universals;
}

static bool read_type(const struct rl_zone *zone, const struct header *header, const uint8_t *types,
                      size_t index, struct rl_zone_time *ret_time)
{
    if (index >= header->types) return false;
    const uint8_t *type = types + index * 6;
    if (type[5] >= header->characters) return false;
    *ret_time =
        (struct rl_zone_time){(int32_t)number_at(type, 4), type[4] != 0, zone->text + type[5]};
    return true;
}

/* Reads moments of `size` bytes, and what they begin. */
static bool read_periods(struct rl_zone *zone, struct reader *reader, const struct header *header,
                         size_t size)
{
    const uint8_t *moments = take(reader, header->moments * size);
    const uint8_t *indices = take(reader, header->moments);
    const uint8_t *types = take(reader, header->types * 6);
    const uint8_t *characters = take(reader, header->characters);
    if (!moments || !indices || !types || !characters) return false;
    if (!take(reader, size_of_rest(header, size))) return false;

    /* Behind a zero that ends all, the names of the rule. */
    zone->text = rl_allocate(header->characters + 1 + 2 * (MOST_ABBREVIATION + 1));
    memcpy(zone->text, characters, header->characters);
    zone->periods = rl_allocate_list(header->moments + 1, sizeof *zone->periods);
    zone->count = header->moments + 1;
    zone->periods[0].start = INT64_MIN;
    if (!read_type(zone, header, types, 0, &zone->periods[0].time)) return false;
    for (size_t i = 0; i < header->moments; i++) {
        struct rl_zone_period *period = &zone->periods[i + 1];
        period->start = number_at(moments + i * size, size);
        bool is_later = i == 0 || period->start > period[-1].start;
        if (!is_later || !read_type(zone, header, types, indices[i], &period->time)) return false;
    }
    return true;
}

/* --- The rule --------------------------------------------------------------------------------- */

static bool skip(const char **next, char wanted)
{
    bool is_there = **next == wanted;
    *next += is_there;
    return is_there;
}

static bool read_name(const char **next, char *ret_name)
{
    bool is_quoted = skip(next, '<');
    size_t length = strcspn(*next, is_quoted ? ">" : "+-,0123456789");
    if (length < 3 || length > MOST_ABBREVIATION) return false;
    memcpy(ret_name, *next, length);
    *next += length;
    return !is_quoted || skip(next, '>');
}

static bool read_number(const char **next, int most, int *ret_number)
{
    char *end;
    if (**next < '0' || **next > '9') return false;
    long number = strtol(*next, &end, 10);
    *next = end;
    *ret_number = (int)number;
    return number <= most;
}

/* Reads hours, and maybe minutes and seconds. */
static bool read_seconds(const char **next, int32_t *ret_seconds)
{
    bool is_negative = skip(next, '-');
    int hours, minutes = 0, seconds = 0;
    if (!is_negative) (void)skip(next, '+');
    if (!read_number(next, 167, &hours)) return false;
    if (skip(next, ':') && !read_number(next, 59, &minutes)) return false;
    if (skip(next, ':') && !read_number(next, 59, &seconds)) return false;
    *ret_seconds = (hours * 3600 + minutes * 60 + seconds) * (is_negative ? -1 : 1);
    return true;
}

static bool read_change(const char **next, struct rl_zone_change *ret_change)
{
    struct rl_zone_change change = {.second = 2 * 3600};
    if (!skip(next, ',')) return false;
    if (skip(next, 'M')) {
        change.kind = 'M';
        bool is_read = read_number(next, 12, &change.month) && skip(next, '.') &&
                       read_number(next, 5, &change.week) && skip(next, '.') &&
                       read_number(next, 6, &change.day);
        if (!is_read || change.month == 0 || change.week == 0) return false;
    } else {
        if (skip(next, 'J')) change.kind = 'J';
        if (!read_number(next, 365, &change.day)) return false;
    }
    if (skip(next, '/') && !read_seconds(next, &change.second)) return false;
    *ret_change = change;
    return true;
}

/* Reads the last line, as `CET-1CEST,M3.5.0,M10.5.0/3`. Without a rule the last period stays. */
static bool read_rule(struct rl_zone *zone, const char *next, char *names)
{
    char *daylight = names + MOST_ABBREVIATION + 1;
    int32_t west, daylight_west;
    if (!read_name(&next, names) || !read_seconds(&next, &west)) return false;
    if (*next == 0 || !read_name(&next, daylight)) return false;
    daylight_west = west - 3600;
    if (*next != ',' && !read_seconds(&next, &daylight_west)) return false;
    zone->standard = (struct rl_zone_time){-west, false, names};
    zone->daylight = (struct rl_zone_time){-daylight_west, true, daylight};
    return read_change(&next, &zone->begins) && read_change(&next, &zone->ends) && *next == 0;
}

static void read_last_line(struct rl_zone *zone, struct reader *reader, char *names)
{
    char line[128] = "";
    const uint8_t *begin = take(reader, 1);
    if (!begin || *begin != '\n' || reader->left == 0) return;
    const uint8_t *end = memchr(reader->at, '\n', reader->left);
    if (!end || end - reader->at >= (ptrdiff_t)sizeof line) return;
    memcpy(line, reader->at, (size_t)(end - reader->at));
    zone->has_rule = read_rule(zone, line, names);
}

/* --- Zones ------------------------------------------------------------------------------------ */

/* The first part of a file is for those who know only 32 bits. */
static bool read_file(struct rl_zone *zone, struct reader *reader)
{
    struct header header;
    if (!read_header(reader, &header)) return false;
    if (header.version < '2') return read_periods(zone, reader, &header, 4);
    size_t size = header.moments * 5 + header.types * 6 + header.characters;
    if (!take(reader, size + size_of_rest(&header, 4))) return false;
    if (!read_header(reader, &header) || !read_periods(zone, reader, &header, 8)) return false;
    read_last_line(zone, reader, zone->text + header.characters + 1);
    return true;
}

bool rl_zone_read(struct rl_zone *zone, const uint8_t *bytes, size_t length)
{
    *zone = (struct rl_zone){0};
    bool is_read = read_file(zone, &(struct reader){bytes, length});
    if (!is_read) rl_zone_free(zone);
    return is_read;
}

void rl_zone_fix(struct rl_zone *zone, int32_t offset, const char *abbreviation)
{
    size_t size = strlen(abbreviation) + 1;
    *zone = (struct rl_zone){.count = 1};
    zone->text = rl_allocate(size);
    memcpy(zone->text, abbreviation, size);
    zone->periods = rl_allocate(sizeof *zone->periods);
    zone->periods[0] = (struct rl_zone_period){INT64_MIN, {offset, false, zone->text}};
}

void rl_zone_free(struct rl_zone *zone)
{
    free(zone->periods);
    free(zone->text);
}

static bool is_same_time(const struct rl_zone_time *first, const struct rl_zone_time *second)
{
    return first->offset == second->offset && first->is_daylight == second->is_daylight &&
           strcmp(first->abbreviation, second->abbreviation) == 0;
}

static bool is_same_change(const struct rl_zone_change *first, const struct rl_zone_change *second)
{
    return first->kind == second->kind && first->month == second->month &&
           first->week == second->week && first->day == second->day &&
           first->second == second->second;
}

bool rl_zone_equal(const struct rl_zone *first, const struct rl_zone *second)
{
    if (first->count != second->count || first->has_rule != second->has_rule) return false;
    for (size_t i = 0; i < first->count; i++) {
        const struct rl_zone_period *one = &first->periods[i], *other = &second->periods[i];
        if (one->start != other->start || !is_same_time(&one->time, &other->time)) return false;
    }
    return !first->has_rule || (is_same_time(&first->standard, &second->standard) &&
                                is_same_time(&first->daylight, &second->daylight) &&
                                is_same_change(&first->begins, &second->begins) &&
                                is_same_change(&first->ends, &second->ends));
}

static int64_t day_of_change(const struct rl_zone_change *change, int64_t year)
{
    int64_t first = rl_number_of_day(year, change->kind == 'M' ? change->month : 1, 1);
    if (change->kind == 0) return first + change->day;
    if (change->kind == 'J') {
        bool is_after_leap_day = rl_days_of_month(year, 2) == 29 && change->day >= 60;
        return first + change->day - 1 + is_after_leap_day;
    }
    /* Of the rule's days, 0 is Sunday. */
    int64_t weekday = (first % 7 + 8) % 7;
    int64_t day = (change->day - weekday + 7) % 7 + 7 * (change->week - 1);
    if (day >= rl_days_of_month(year, change->month)) day -= 7;
    return first + day;
}

static int64_t moment_of_change(const struct rl_zone_change *change, int64_t year,
                                const struct rl_zone_time *before)
{
    int64_t day = day_of_change(change, year) + DAYS_BEFORE_2001;
    return day * RL_DAY_S + change->second - before->offset;
}

/* Looks at the changes of three years, as zones are a day away from GMT at most. */
static struct rl_zone_span look_at_rule(const struct rl_zone *zone, int64_t moment)
{
    int64_t year = rl_day_of_number(rl_floor_divide(moment, RL_DAY_S) - DAYS_BEFORE_2001).year;
    struct rl_zone_span span = {zone->standard, zone->standard, INT64_MAX};
    int64_t last = INT64_MIN;
    for (int64_t each = 2 * (year - 1); each < 2 * (year + 2); each++) {
        bool begins = each % 2 == 0;
        const struct rl_zone_time *after = begins ? &zone->daylight : &zone->standard;
        const struct rl_zone_time *before = begins ? &zone->standard : &zone->daylight;
        int64_t start = moment_of_change(begins ? &zone->begins : &zone->ends,
                                         rl_floor_divide(each, 2), before);
        if (start <= moment && start >= last) {
            last = start;
            span.now = *after;
        } else if (start > moment && start < span.end) {
            span.end = start;
            span.next = *after;
        }
    }
    return span;
}

/* Returns the last period that has begun. */
static size_t find_period(const struct rl_zone *zone, int64_t moment)
{
    size_t first = 0, end = zone->count;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (zone->periods[middle].start <= moment) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return first;
}

struct rl_zone_span rl_zone_look(const struct rl_zone *zone, int64_t moment)
{
    size_t index = find_period(zone, moment);
    bool is_last = index + 1 == zone->count;
    if (is_last && zone->has_rule) return look_at_rule(zone, moment);
    const struct rl_zone_period *period = &zone->periods[index];
    if (is_last) return (struct rl_zone_span){period->time, period->time, INT64_MAX};
    return (struct rl_zone_span){period->time, period[1].time, period[1].start};
}
