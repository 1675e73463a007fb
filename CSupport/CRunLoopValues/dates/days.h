/* Days of the Gregorian calendar. Day 0 is 2001-01-01, a Monday. */

#ifndef RL_DAYS_H
#define RL_DAYS_H

#include <stdbool.h>
#include <stdint.h>

enum { RL_DAY_S = 86400 };

struct rl_day {
    int64_t year;
    /* Months and days count from 1. */
    int month, day;
};

static inline int64_t rl_floor_divide(int64_t number, int64_t divisor)
{
    return number / divisor - (number % divisor < 0);
}

/* Carries months into years: a month outside 1 to 12 is a month of another year. */
static inline void rl_carry_months(int64_t *year, int64_t *month)
{
    int64_t years = rl_floor_divide(*month - 1, 12);
    *year += years;
    *month -= years * 12;
}

/* Counts in years that begin in March, so that the leap day is the last day of its year. */
static inline int64_t rl_number_of_day(int64_t year, int64_t month, int64_t day)
{
    rl_carry_months(&year, &month);
    if (month <= 2) year--;
    int64_t cycle = rl_floor_divide(year, 400), years = year - cycle * 400;
    int64_t before = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
    return cycle * 146097 + years * 365 + years / 4 - years / 100 + before + day - 1 - 730791;
}

static inline struct rl_day rl_day_of_number(int64_t number)
{
    number += 730791;
    int64_t cycle = rl_floor_divide(number, 146097), rest = number - cycle * 146097;
    int64_t years = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    rest -= years * 365 + years / 4 - years / 100;
    int64_t month = (5 * rest + 2) / 153;
    int day = (int)(rest - (153 * month + 2) / 5 + 1);
    month = month < 10 ? month + 3 : month - 9;
    return (struct rl_day){cycle * 400 + years + (month <= 2), (int)month, day};
}

static inline int rl_days_of_month(int64_t year, int64_t month)
{
    return (int)(rl_number_of_day(year, month + 1, 1) - rl_number_of_day(year, month, 1));
}

#endif
