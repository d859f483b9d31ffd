/* SPDX-License-Identifier: Apache-2.0
 * search.c - bisection where a trial may answer "undecided": between the loads that are left undecided
 * and the bracket's ends new loads are tried first, since those are cheaper to judge; only when none
 * has room the outermost undecided ones are tried again, longer.
 */
#include "search.h"

#include <string.h>

static const double guess_margin = 0.5; /* of the precision, on either side of what is accepted */
static const double gap_share = 0.25;   /* of the precision: gaps this small are not looked into ... */
static const double gap_open = 0.3;     /* ... nor this share of the bracket */
static const double step_out = 0.05;    /* share of a load from what is undecided, where the end is far */
static const double least_load = 1e-6;
enum { LONGER = 4, GUESSES = 3 };

void search_start(struct search *s, double precision, double most, uint64_t cycles, uint64_t limit)
{
    memset(s, 0, sizeof *s);
    s->precision = precision;
    s->most = most;
    s->cycles = s->effort = cycles;
    s->limit = limit;
}

double search_low(const struct search *s)
{
    return s->stable ? s->stable->load : 0;
}

double search_high(const struct search *s)
{
    return s->saturated ? s->saturated->load : s->most;
}

/* The last probes of the lowest and of the highest load in the bracket that is undecided. */
static void undecided(const struct search *s, const struct probe **first, const struct probe **last)
{
    *first = *last = NULL;
    for (unsigned k = 0; k < s->probes; k++) {
        const struct probe *p = &s->probe[k];
        bool below = p->load < search_high(s) || (!s->saturated && p->load <= s->most);
        if (p->verdict != FATFLY_UNDECIDED || !below || p->load <= search_low(s))
            continue;
        if (!*first || p->load <= (*first)->load)
            *first = p;
        if (!*last || p->load >= (*last)->load)
            *last = p;
    }
}

uint64_t search_needed(const struct search *s)
{
    const struct probe *first, *last;

    undecided(s, &first, &last);
    return !first ? 0 : first->needed > last->needed ? first->needed : last->needed;
}

/* Loads that were tried in a row and were all saturated. */
static unsigned saturated_in_a_row(const struct search *s)
{
    unsigned count = 0;

    while (count < s->probes && s->probe[s->probes - 1 - count].verdict == FATFLY_UNSTABLE)
        count++;
    return count;
}

/* A network that is offered too much accepts about its saturation load; some accept less then, or,
 * with a tree of full queues that still grows, for a while more. */
static bool guess(const struct search *s, double *load)
{
    if (!s->saturated || saturated_in_a_row(s) > GUESSES)
        return false;
    double below = s->saturated->accepted * (1 - guess_margin * s->precision);
    double above = s->saturated->accepted * (1 + guess_margin * s->precision);
    double room = gap_share * s->precision * s->saturated->load, low = search_low(s);

    *load = low > 0 ? above : below;
    return *load > least_load && *load > low + room && *load < s->saturated->load - room;
}

static double new_load(const struct search *s)
{
    const struct probe *first, *last;
    double low = search_low(s), high = search_high(s), load;

    undecided(s, &first, &last);
    if (!first)
        return guess(s, &load) ? load : (low + high) / 2;
    double under = first->load - low, over = high - last->load;
    double gap = under > over ? under : over, least = gap_share * s->precision * high;
    double step = step_out * last->load + last->load - first->load;

    if (gap <= least || gap <= gap_open * (high - low))
        return 0;
    step = step < gap / 2 ? step : gap / 2;
    return under > over ? first->load - step : last->load + step;
}

/* The outermost undecided load that was tried more shortly; NULL: no longer trial is allowed. */
static const struct probe *to_repeat(const struct search *s)
{
    const struct probe *first, *last;

    undecided(s, &first, &last);
    if (!first || (first->cycles >= s->limit && last->cycles >= s->limit))
        return NULL;
    if (first->cycles != last->cycles)
        return first->cycles < last->cycles ? first : last;
    return first->needed <= last->needed ? first : last;
}

static uint64_t longer(const struct search *s, const struct probe *p)
{
    uint64_t cycles = p->needed < 2 * p->cycles ? 2 * p->cycles : p->needed;

    cycles = cycles > LONGER * p->cycles ? LONGER * p->cycles : cycles;
    return cycles > s->limit ? s->limit : cycles;
}

static bool over(struct search *s, enum search_end end)
{
    s->end = end;
    return false;
}

bool search_next(struct search *s, double *load, uint64_t *cycles)
{
    double low = search_low(s), high = search_high(s);

    *load = s->most;
    *cycles = s->effort;
    if (s->probes == 0)
        return true;
    if (low >= s->most)
        return over(s, SEARCH_NEVER);
    if (low > 0 && high - low <= s->precision * (high + low) / 2)
        return over(s, s->saturated ? SEARCH_FOUND : SEARCH_LIMIT);
    if (s->probes == MOST_PROBES || high <= 2 * least_load)
        return over(s, SEARCH_UNDECIDED);
    *load = new_load(s);
    if (*load > 0)
        return true;
    const struct probe *again = to_repeat(s);
    if (!again)
        return over(s, SEARCH_UNDECIDED);
    *load = again->load;
    *cycles = longer(s, again);
    s->effort = *cycles > s->effort ? *cycles : s->effort;
    return true;
}

void search_take(struct search *s, const struct probe *p)
{
    struct probe *kept = &s->probe[s->probes++];

    *kept = *p;
    if (p->verdict == FATFLY_STABLE)
        s->stable = kept;
    else if (p->verdict == FATFLY_UNSTABLE)
        s->saturated = kept;
}
