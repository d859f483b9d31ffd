/* SPDX-License-Identifier: Apache-2.0
 * check_class.c - what a configuration may say of classes of worms and replies.
 */
#include "check.h"

#include "discipline.h"
#include "pattern.h"
#include "traffic.h"

#include <stdio.h>

/* Numbers, each by itself. */
static bool out_of_range(const struct fatfly_config *c, char *why, size_t size)
{
    unsigned most = c->reply[0] ? FATFLY_MAX_CLASSES / 2 : FATFLY_MAX_CLASSES;

    if (c->classes < 1 || c->classes > most) {
        snprintf(why, size, "classes = %u%s; allowed: 1 to %u", c->classes,
                 c->reply[0] ? ", and as many of replies" : "", most);
        return true;
    }
    for (unsigned k = 0; k < c->classes; k++) {
        double share = c->class_share[k];
        if (c->class_length[k] > FATFLY_MAX_LENGTH)
            snprintf(why, size, "class_length[%u] = %u; allowed: 1 to %d flits", k, c->class_length[k],
                     FATFLY_MAX_LENGTH);
        else if (c->reply[k] > FATFLY_MAX_LENGTH || !c->reply[k] != !c->reply[0])
            snprintf(why, size, "reply[%u] = %u; allowed: 1 to %d flits for each class, or none at all", k,
                     c->reply[k], FATFLY_MAX_LENGTH);
        else if (!(share >= 0 && share <= 1e12) || (share > 0) != (c->class_share[0] > 0))
            snprintf(why, size, "class_share[%u] = %g; allowed: above 0 for each class", k, share);
        else
            continue;
        return true;
    }
    if ((unsigned)c->class_channels >= FATFLY_CLASS_CHANNELS)
        snprintf(why, size, "class_channels = %u; allowed: 0 to %d", (unsigned)c->class_channels,
                 FATFLY_CLASS_CHANNELS - 1);
    else if (c->reply_delay > 1u << 24)
        snprintf(why, size, "reply_delay = %u; allowed: 0 to %u", c->reply_delay, 1u << 24);
    else if (c->outstanding > FATFLY_MAX_OUTSTANDING)
        snprintf(why, size, "outstanding = %u; allowed: 1 to %d", c->outstanding, FATFLY_MAX_OUTSTANDING);
    else
        return false;
    return true;
}

static bool ranked(const struct fatfly_config *c)
{
    for (unsigned k = 1; k < traffic_classes(c); k++)
        if (c->class_priority[k] != c->class_priority[0])
            return true;
    return false;
}

static bool contradicts(const struct fatfly_config *c, char *why, size_t size)
{
    const char *what = c->classes > 1 ? "classes" : "reply";
    unsigned value = c->classes > 1 ? c->classes : c->reply[0];

    if (traffic_classes(c) == 1) {
        if (!c->reply_delay && !c->outstanding && c->class_channels == FATFLY_SHARED)
            return false;
        snprintf(why, size, c->class_channels == FATFLY_RESERVED ? "class_channels = reserved with one class; "
                 "allowed: with classes of 2 or more, or reply" : "%s = %u without replies; allowed: with reply",
                 c->outstanding ? "outstanding" : "reply_delay", c->outstanding ? c->outstanding : c->reply_delay);
    } else if (!c->reply[0] && (c->reply_delay || c->outstanding)) {
        snprintf(why, size, "%s = %u without replies; allowed: with reply", c->outstanding ? "outstanding"
                 : "reply_delay", c->outstanding ? c->outstanding : c->reply_delay);
    } else if (c->discipline != FATFLY_WORM) {
        snprintf(why, size, "%s = %u with discipline = %s; allowed: only with discipline = worm", what, value,
                 fatfly_discipline_names[c->discipline]);
    } else if (c->pattern == FATFLY_MESSAGES) {
        snprintf(why, size, "%s = %u with pattern = trace; allowed: with another pattern, a trace has worms of its "
                 "own", what, value);
    } else if (ranked(c) && c->plugin && c->plugin->before) {
        snprintf(why, size, "class_priority with plugin = %s, whose before() says that; allowed: one of them",
                 c->plugin->name);
    } else {
        return false;
    }
    return true;
}

/* A processor may draw worms for itself until one of another class is drawn, which must not take for ever. */
static const double LEAST_WORMS = 1e-6;

/* Where worms of each class go. */
static bool patterns_contradict(const struct fatfly_config *c, char *why, size_t size)
{
    bool plugged = c->plugin && c->plugin->destination;
    unsigned least = 0; /* the class with the fewest worms */

    if (!c->class_patterns)
        return false;
    for (unsigned k = 0; k < c->classes; k++) {
        enum fatfly_pattern pattern = c->class_pattern[k];
        if (!pattern_may_be_of_class(pattern))
            snprintf(why, size, "class_pattern[%u] = %s; allowed: a pattern in which all processors send, but trace",
                     k, (unsigned)pattern < FATFLY_PATTERNS ? fatfly_pattern_names[pattern] : "?");
        else if (pattern_needs_bits(pattern) && c->nodes & (c->nodes - 1))
            snprintf(why, size, "nodes = %u with class_pattern[%u] = %s; allowed: a power of two", c->nodes, k,
                     fatfly_pattern_names[pattern]);
        else if (pattern == FATFLY_ASYMMETRIC && c->nodes % 2)
            snprintf(why, size, "nodes = %u with class_pattern[%u] = asymmetric; allowed: an even number", c->nodes, k);
        else {
            least = traffic_worms_of_class(c, k) < traffic_worms_of_class(c, least) ? k : least;
            continue;
        }
        return true;
    }
    if (c->classes < 2)
        snprintf(why, size, "class_pattern with one class; allowed: with classes of 2 or more");
    else if (c->pattern != FATFLY_RANDOM)
        snprintf(why, size, "class_pattern with pattern = %s; allowed: one of them", fatfly_pattern_names[c->pattern]);
    else if (plugged)
        snprintf(why, size, "class_pattern with plugin = %s, whose destination() says that; allowed: one of them",
                 c->plugin->name);
    else if (traffic_worms_of_class(c, least) < LEAST_WORMS)
        snprintf(why, size, "class_share leaves class %u %g of all worms; allowed with class_pattern: at least %g", least,
                 traffic_worms_of_class(c, least), LEAST_WORMS);
    else
        return false;
    return true;
}

/* On the network: channels and priorities are the switch's. */
static bool switch_contradicts(const struct fatfly_config *c, const struct topology *t, char *why, size_t size)
{
    static const char verilog[] = "with topology = fat-tree; allowed: with another, this one's switch is the "
                                  "Verilog's, which knows no classes";
    unsigned parts = traffic_parts(c);
    struct fatfly_config own = *c;
    struct topology part;
    char text[200];

    if (t->levels && (parts > 1 || ranked(c)))
        snprintf(why, size, "%s %s", parts > 1 ? "class_channels = reserved" : "class_priority", verilog);
    else if (ranked(c) && c->injection == FATFLY_PER_CHANNEL)
        snprintf(why, size, "class_priority with injection = per-channel, whose queues mix classes; allowed: "
                 "one-queue");
    else if (parts == 1)
        return false;
    else if (c->graph || (c->plugin && c->plugin->route))
        snprintf(why, size, "class_channels = reserved with %s, which says itself who takes which channel; allowed: "
                 "shared", c->graph ? "topology = graph" : "a plugin's route()");
    else if (t->classes % parts)
        snprintf(why, size, "vcs = %u with class_channels = reserved; allowed: a multiple of %u", t->classes, parts);
    else {
        own.vcs = t->classes / parts;
        if (topology_of(&own, &part, text, sizeof text) == 0) {
            topology_close(&part);
            return false;
        }
        snprintf(why, size, "vcs = %u with class_channels = reserved, %u parts: of each %.160s", t->classes, parts,
                 text);
    }
    return true;
}

bool check_classes(const struct fatfly_config *c, const struct topology *t, char *why, size_t size)
{
    return out_of_range(c, why, size) || contradicts(c, why, size) || patterns_contradict(c, why, size) ||
           switch_contradicts(c, t, why, size);
}
