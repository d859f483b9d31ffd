/* SPDX-License-Identifier: Apache-2.0
 * slurm.h - the scripts that run a sweep as an array of tasks of Slurm, and merge what they leave.
 */
#ifndef FATFLY_SLURM_H
#define FATFLY_SLURM_H

#include "plan.h"

struct slurm {
    const char *sweep;   /* the sweep file */
    const char *db;      /* into which the shares are merged */
    uint32_t tasks;      /* 0: as many as the cost asks for */
    bool submit;
};

/* Writes DB.slurm and DB.merge.slurm, the array of the tasks that have points left and the job that
 * merges after any end of them; submits both if asked to.  p: all points, without shares.  -1 with f
 * filled: EXIT_INPUT if a share is of another sweep file, EXIT_SYSTEM if there is no Slurm. */
int slurm_run(const struct slurm *s, const struct sweep *sweep, struct plan *p, struct fail *f);

#endif
