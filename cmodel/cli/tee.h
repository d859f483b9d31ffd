/* SPDX-License-Identifier: Apache-2.0
 * tee.h - several observers of one run: fatfly_run() takes one (hooks.observer, fatfly.h), and this one
 * tells the others what it is told, in the order of its list.
 */
#ifndef FATFLY_TEE_H
#define FATFLY_TEE_H

#include "fatfly.h"

struct tee {
    const struct fatfly_observer *const *to; /* [count] */
    unsigned count;
    struct fatfly_observer observer;
};

/* Whom to tell so that all of to[count] are told, for hooks.observer: NULL for nobody, the one itself where
 * there is one.  The tee and the list stay where they are until the run is over. */
const struct fatfly_observer *tee_of(struct tee *t, const struct fatfly_observer *const *to, unsigned count);

#endif
