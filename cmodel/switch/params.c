/* SPDX-License-Identifier: Apache-2.0
 * params.c - names and limits of the parameters.
 */
#include "params.h"

#include "flit.h"

#include <stdio.h>

const char *const path_names[PATH_COUNT] = {PATH_SELECTS(ROW_NAME)};
const char *const scan_names[SCAN_COUNT] = {SCAN_ORDERS(ROW_NAME)};

/* ", fp, rp", ..: a list is what follows the first comma. */
#define LISTED(row, name) ", " name
static const char path_list[] = PATH_SELECTS(LISTED), scan_list[] = SCAN_ORDERS(LISTED);

unsigned head_bits(unsigned levels, enum path_select path)
{
    return 4 * levels + head_height_bits(levels) + (path == PATH_FP ? levels - 1 : 0);
}

const char *switch_params_check(const struct switch_params *p, char *why, size_t size)
{
    if (p->vcs != 1 && p->vcs != 2 && p->vcs != 4)
        snprintf(why, size, "vcs = %u; allowed: 1, 2 or 4", p->vcs);
    else if (p->depth < 1 || p->depth > MAX_DEPTH)
        snprintf(why, size, "depth = %u flits; allowed: 1 to %d", p->depth, MAX_DEPTH);
    else if (p->flit_w < 16 || p->flit_w > 64)
        snprintf(why, size, "flit_w = %u bits; allowed: 16 to 64", p->flit_w);
    else if ((unsigned)p->path >= PATH_COUNT)
        snprintf(why, size, "path = %u; allowed:%s", (unsigned)p->path, path_list + 1);
    else if ((unsigned)p->scan >= SCAN_COUNT)
        snprintf(why, size, "scan = %u; allowed:%s", (unsigned)p->scan, scan_list + 1);
    else if (p->levels < 1 || p->levels > MAX_LEVELS)
        snprintf(why, size, "levels = %u; allowed: 1 to %d", p->levels, MAX_LEVELS);
    else if (p->level < 1 || p->level > p->levels)
        snprintf(why, size, "level = %u; allowed: 1 to %u", p->level, p->levels);
    else if (p->flit_w < head_bits(p->levels, p->path))
        snprintf(why, size, "flit_w = %u bits; a head of %llu processors with path = %s needs %u",
                 p->flit_w, 1ull << 2 * p->levels, path_names[p->path],
                 head_bits(p->levels, p->path));
    else
        return NULL;
    return why;
}
