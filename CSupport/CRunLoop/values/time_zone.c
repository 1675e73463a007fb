/*
 * Time zones as objects. Each is kept for ever in a list without a lock, so that there is one for
 * each name, and a fork may happen at any time.
 */

#include "base/system.h"

#include "values/time_zone.h"

#include "base/kernel.h"
#include "base/socket_kernel.h"
#include "values/text.h"
#include "values/zone_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDER "/usr/share/zoneinfo/"

enum { MOST_NAME = 255, MOST_FILE = 1 << 16, MOST_OFFSET_S = 18 * 3600 };

struct time_zone {
    struct rl_object object;
    /* Nothing of it ever changes, once it is in the list. */
    struct time_zone *next;
    RLStringRef name;
    struct rl_zone zone;
};

static _Atomic(struct time_zone *) all_zones;
/* Null if it is to be found, and if none was set. */
static _Atomic(struct time_zone *) system_zone, default_zone;

/* --- The list --------------------------------------------------------------------------------- */

static struct time_zone *find_zone(const char *name)
{
    struct time_zone *zone = atomic_load(&all_zones);
    while (zone && strcmp(rl_string_characters(zone->name), name) != 0) zone = zone->next;
    return zone;
}

/*
 * Returns the zone of that name in the list: this one unless another thread was first. If the
 * `contents` may have changed, they take the place of others of that name.
 */
static struct time_zone *keep_zone(const char *name, struct rl_zone *contents, bool may_change)
{
    enum { FOR_EVER = 1 << 30 };
    struct time_zone *zone = rl_object_create(RL_TYPE_TIME_ZONE, sizeof *zone);
    atomic_store(&zone->object.references, FOR_EVER);
    zone->name = rl_string_create(name, strlen(name));
    zone->zone = *contents;
    for (;;) {
        zone->next = atomic_load(&all_zones);
        struct time_zone *other = find_zone(name);
        if (other && (!may_change || rl_zone_equal(&other->zone, contents))) {
            RLRelease(zone->name);
            rl_zone_free(&zone->zone);
            rl_object_free(&zone->object);
            return other;
        }
        if (atomic_compare_exchange_strong(&all_zones, &zone->next, zone)) return zone;
    }
}

static bool read_zone(struct rl_zone *contents, const char *path)
{
    int fd = rl_file_open(path, false, false);
    if (fd < 0) return false;
    UInt8 *bytes = rl_allocate(MOST_FILE);
    size_t length = 0;
    ssize_t more = 1;
    while (length < MOST_FILE && more > 0) {
        more = rl_file_read(fd, bytes + length, MOST_FILE - length);
        if (more > 0) length += (size_t)more;
    }
    rl_kernel_close(&fd);
    bool is_read = more == 0 && rl_zone_read(contents, bytes, length);
    free(bytes);
    return is_read;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* Returns the zone of whole minutes, named as GMT+0130; without seconds it is GMT. */
static struct time_zone *zone_of_minutes(int minutes)
{
    char name[16] = "GMT";
    int distance = abs(minutes);
    if (minutes != 0) {
        snprintf(name, sizeof name, "GMT%c%02d%02d", minutes < 0 ? '-' : '+', distance / 60,
                 distance % 60);
    }
    struct time_zone *zone = find_zone(name);
    if (zone) return zone;
    struct rl_zone contents;
    rl_zone_fix(&contents, minutes * 60, name);
    return keep_zone(name, &contents, false);
}

/* Returns whether a name is that of such a zone. */
static bool read_minutes(const char *name, int *ret_minutes)
{
    size_t length = strlen(name);
    bool has_shape = (length == 6 || length == 8) && strncmp(name, "GMT", 3) == 0 &&
                     (name[3] == '+' || name[3] == '-') &&
                     strspn(name + 4, "0123456789") == length - 4;
    if (!has_shape) return false;
    int number = atoi(name + 4) * (length == 6 ? 100 : 1),
        minutes = number / 100 * 60 + number % 100;
    *ret_minutes = name[3] == '-' ? -minutes : minutes;
    return number % 100 < 60 && minutes * 60 <= MOST_OFFSET_S;
}

static struct time_zone *zone_named(const char *name)
{
    char path[sizeof FOLDER + MOST_NAME];
    struct rl_zone contents;
    int minutes;
    struct time_zone *zone = find_zone(name);
    if (zone) return zone;
    if (strcmp(name, "GMT") == 0) return zone_of_minutes(0);
    if (read_minutes(name, &minutes)) return zone_of_minutes(minutes);
    bool is_outside = name[0] == '/' || strstr(name, "..");
    if (name[0] == 0 || strlen(name) > MOST_NAME || is_outside) return NULL;
    snprintf(path, sizeof path, FOLDER "%s", name);
    bool is_read = read_zone(&contents, path);
    if (!is_read && strcmp(name, "UTC") != 0) return NULL;
    /* It is known without files, too. */
    if (!is_read) rl_zone_fix(&contents, 0, name);
    return keep_zone(name, &contents, false);
}

/* CF's, for the abbreviations that mean one zone to most. */
static const char *const abbreviations[][2] = {
    {"ADT", "America/Halifax"},     {"AKDT", "America/Juneau"},
    {"AKST", "America/Juneau"},     {"ART", "America/Argentina/Buenos_Aires"},
    {"AST", "America/Halifax"},     {"BDT", "Asia/Dhaka"},
    {"BRST", "America/Sao_Paulo"},  {"BRT", "America/Sao_Paulo"},
    {"BST", "Europe/London"},       {"CAT", "Africa/Harare"},
    {"CDT", "America/Chicago"},     {"CEST", "Europe/Paris"},
    {"CET", "Europe/Paris"},        {"CLST", "America/Santiago"},
    {"CLT", "America/Santiago"},    {"COT", "America/Bogota"},
    {"CST", "America/Chicago"},     {"EAT", "Africa/Addis_Ababa"},
    {"EDT", "America/New_York"},    {"EEST", "Europe/Istanbul"},
    {"EET", "Europe/Istanbul"},     {"EST", "America/New_York"},
    {"GST", "Asia/Dubai"},          {"HKT", "Asia/Hong_Kong"},
    {"HST", "Pacific/Honolulu"},    {"ICT", "Asia/Bangkok"},
    {"IRST", "Asia/Tehran"},        {"IST", "Asia/Calcutta"},
    {"JST", "Asia/Tokyo"},          {"KST", "Asia/Seoul"},
    {"MDT", "America/Denver"},      {"MSD", "Europe/Moscow"},
    {"MSK", "Europe/Moscow"},       {"MST", "America/Denver"},
    {"NZDT", "Pacific/Auckland"},   {"NZST", "Pacific/Auckland"},
    {"PDT", "America/Los_Angeles"}, {"PET", "America/Lima"},
    {"PHT", "Asia/Manila"},         {"PKT", "Asia/Karachi"},
    {"PST", "America/Los_Angeles"}, {"SGT", "Asia/Singapore"},
    {"WAT", "Africa/Lagos"},        {"WEST", "Europe/Lisbon"},
    {"WET", "Europe/Lisbon"},       {"WIT", "Asia/Jakarta"},
};

static const char *name_of_abbreviation(const char *abbreviation)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof abbreviations[0]; i++) {
        if (strcmp(abbreviations[i][0], abbreviation) == 0) return abbreviations[i][1];
    }
    return abbreviation;
}

/* --- The system's ----------------------------------------------------------------------------- */

static struct time_zone *zone_of_environment(void)
{
    const char *name = getenv("TZ");
    if (!name) return NULL;
    return zone_named(name[0] == ':' ? name + 1 : name);
}

static struct time_zone *zone_of_machine(void)
{
    static const char path[] = "/etc/localtime", folder[] = "zoneinfo/";
    char target[512];
    struct rl_zone contents;
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    const char *name = strstr(target, folder);
    struct time_zone *zone = name ? zone_named(name + strlen(folder)) : NULL;
    if (!zone && read_zone(&contents, path)) zone = keep_zone("localtime", &contents, true);
    return zone;
}

static struct time_zone *get_system_zone(void)
{
    struct time_zone *zone = atomic_load(&system_zone);
    if (zone) return zone;
    zone = zone_of_environment();
    if (!zone) zone = zone_of_machine();
    /* Files that cannot be read now may be later. */
    if (!zone) return zone_of_minutes(0);
    atomic_store(&system_zone, zone);
    return zone;
}

/* --- The public functions --------------------------------------------------------------------- */

/* A zone counts references, but is never freed. */
static RLTimeZoneRef retained(struct time_zone *zone)
{
    if (zone) rl_object_retain(&zone->object);
    return (RLTimeZoneRef)(const void *)zone;
}

static const struct time_zone *checked_zone(RLTimeZoneRef tz, const char *function)
{
    rl_expect(tz, RL_TYPE_TIME_ZONE, function, "tz");
    return (const struct time_zone *)(const void *)tz;
}

void rl_expect_zone(RLTimeZoneRef zone, const char *function)
{
    if (zone) (void)checked_zone(zone, function);
}

RLTimeZoneRef RLTimeZoneCopySystem(void)
{
    return retained(get_system_zone());
}

void RLTimeZoneResetSystem(void)
{
    atomic_store(&system_zone, NULL);
}

RLTimeZoneRef RLTimeZoneCopyDefault(void)
{
    struct time_zone *zone = atomic_load(&default_zone);
    return retained(zone ? zone : get_system_zone());
}

void RLTimeZoneSetDefault(RLTimeZoneRef tz)
{
    rl_expect_zone(tz, __func__);
    atomic_store(&default_zone, (struct time_zone *)(uintptr_t)tz);
}

RLTimeZoneRef RLTimeZoneCreateWithTimeIntervalFromGMT(RLAllocatorRef allocator, RLTimeInterval ti)
{
    (void)allocator;
    if (!(ti >= -MOST_OFFSET_S && ti <= MOST_OFFSET_S)) return NULL;
    return retained(zone_of_minutes((int)round(ti / 60)));
}

RLTimeZoneRef RLTimeZoneCreateWithName(RLAllocatorRef allocator, RLStringRef name,
                                       Boolean tryAbbrev)
{
    (void)allocator;
    rl_expect_string(name, __func__, "name");
    const char *characters = rl_string_characters(name);
    return retained(zone_named(tryAbbrev ? name_of_abbreviation(characters) : characters));
}

RLStringRef RLTimeZoneGetName(RLTimeZoneRef tz)
{
    return checked_zone(tz, __func__)->name;
}

/* Returns what a zone has at a date. Dates that are no moment count as the nearest one. */
static struct rl_zone_span look(const struct time_zone *zone, double at)
{
    const double most = 1e17;
    double seconds = floor(at + kRLAbsoluteTimeIntervalSince1970);
    if (!(seconds > -most)) seconds = -most;
    if (seconds > most) seconds = most;
    return rl_zone_look(&zone->zone, (int64_t)seconds);
}

double rl_time_zone_offset(RLTimeZoneRef zone, double at)
{
    return zone ? look((const struct time_zone *)(const void *)zone, at).now.offset : 0;
}

RLTimeInterval RLTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    return look(checked_zone(tz, __func__), at).now.offset;
}

RLStringRef RLTimeZoneCopyAbbreviation(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    return rl_string_format("%s", look(checked_zone(tz, __func__), at).now.abbreviation);
}

Boolean RLTimeZoneIsDaylightSavingTime(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    return look(checked_zone(tz, __func__), at).now.is_daylight;
}

RLTimeInterval RLTimeZoneGetDaylightSavingTimeOffset(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    struct rl_zone_span span = look(checked_zone(tz, __func__), at);
    return span.now.is_daylight ? (double)span.now.offset - span.next.offset : 0;
}

RLAbsoluteTime RLTimeZoneGetNextDaylightSavingTimeTransition(RLTimeZoneRef tz, RLAbsoluteTime at)
{
    int64_t end = look(checked_zone(tz, __func__), at).end;
    return end == INT64_MAX ? 0 : (double)end - kRLAbsoluteTimeIntervalSince1970;
}

static RLStringRef describe_zone(RLTypeRef object)
{
    const struct time_zone *zone = object;
    struct rl_zone_time now = look(zone, RLAbsoluteTimeGetCurrent()).now;
    return rl_string_format("<RLTimeZone %p>{name = %s; abbreviation = %s; GMT offset = %d; is DST "
                            "= %s}",
                            object, rl_string_characters(zone->name), now.abbreviation,
                            (int)now.offset, now.is_daylight ? "true" : "false");
}

const struct rl_class rl_time_zone_class = {
    .name = "RLTimeZone",
    .destroy = rl_object_free,
    .copy_description = describe_zone,
};
