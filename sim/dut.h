/* SPDX-License-Identifier: Apache-2.0
 * dut.h - the seam: one table of functions behind which a C model or a Verilated design stands.
 *
 * Traffic, checks, lock-step, statistics and waves see only this header.  A device is one switch
 * or one network.  It has endpoints: places where links enter and leave (a switch's six ports, a
 * cube router's five; a network's processors).  One cycle is
 *
 *     room    where the device can take a flit (a register, so it is known before drive)
 *     drive   what arrives on the links into the device, and room on the links out of it
 *     sample  what it sends in this cycle
 *     state   every link and register inside, as words (sim/probe.h names them)
 *     tick    the clock edge
 *
 * dut_cmodel.c and dut_rtl.cpp fill the table, with no logic of their own.
 */
#ifndef FATFLY_DUT_H
#define FATFLY_DUT_H

#include "flit.h"
#include "params.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the device is.  params.level is read only for a single switch. */
struct dut_shape {
    bool network; /* a network of 4^levels processors, or one switch of params.level */
    bool reference; /* of the Verilog: rtl/switch_ref.v, whatever rtl/switch.v would choose */
    bool bare;      /* of the Verilog: without a probe, so that only links out of it can be compared */
    struct switch_params params;
    /* A k-ary 2-cube, or one router of it; of params only vcs, depth, flit_w and scan count. */
    struct {
        unsigned radix; /* k; 0: it is none */
        bool torus;
        bool negative_hop;
        unsigned node;  /* x + k * y of a single router */
    } cube;
};

enum { DUT_MAX_VCS = 9 }; /* of a cube; room and valid have 16 bits */

struct dut_out {
    uint16_t *room;    /* [endpoints] what room() filled */
    struct link *link; /* [endpoints] what sample() filled */
};

struct dut; /* a device; only its own side knows what is inside */

struct dut_ops {
    size_t seam;      /* DUT_SEAM as it was when this table was compiled */
    const char *side; /* "c" or "rtl" */
    /* NULL and one line in why[size] if the shape is not this library's or memory is short. */
    struct dut *(*open)(const struct dut_shape *shape, char *why, size_t size);
    /* Registers to their reset values; seed starts the random bits. */
    void (*reset)(struct dut *d, uint32_t seed);
    /* room[endpoints]: on the links into the device, a bit per channel. */
    void (*room)(struct dut *d, uint16_t *room);
    /* in[endpoints]: links into the device (valid only where room was), room[endpoints]: a bit per
     * channel of the links out of it.  Both are read before drive returns. */
    void (*drive)(struct dut *d, const struct link *in, const uint16_t *room);
    /* link[endpoints]: the links out of the device in the driven cycle. */
    void (*sample)(struct dut *d, struct link *link);
    /* The probe words of the driven cycle, dut_probe_words() of them; valid until tick. */
    const uint32_t *(*state)(struct dut *d);
    void (*tick)(struct dut *d);
    void (*close)(struct dut *d);
    /* Of the driven cycle, until tick: NULL, or what is inconsistent in what this side knows beside its
     * registers, and in which switch.  The op itself is NULL where there is nothing of the kind. */
    const char *(*check)(struct dut *d, unsigned *at);
};

/* What both sides of the seam must agree on: a library of another version of fatfly has another. */
#define DUT_SEAM (sizeof(struct dut_ops) << 16 | sizeof(struct dut_shape))

extern const struct dut_ops dut_cmodel; /* butterfly fat-trees */
extern const struct dut_ops dut_cube;   /* k-ary 2-cubes */

/* The C model of a shape. */
static inline const struct dut_ops *dut_model(const struct dut_shape *shape)
{
    return shape->cube.radix ? &dut_cube : &dut_cmodel;
}

/* A Verilated library (build/rtl/<shape>.so) exports this one name. */
#define DUT_ENTRY "fatfly_dut"
typedef const struct dut_ops *dut_entry(void);

unsigned dut_endpoints(const struct dut_shape *shape);   /* 6 or 5, or N */
unsigned dut_switches(const struct dut_shape *shape);    /* switches inside */
unsigned dut_probe_words(const struct dut_shape *shape); /* 32-bit words of state() */

/* Canonical name of a shape, e.g. "n64-v1-q2-w32-rp-rr", "s2of3-v2-q4-w24-gp-ff", of a cube
 * "torus4-v2-q2-w32-ecube-rot", of its router 9 "torus4n9-v3-q2-w32-nhop-rr"; it is also the name of
 * the Verilated library.  A name of a fat-tree that ends in "-ref" asks for the reference switch; any that
 * ends in "-bare", the last of all, for the Verilog with PROBE = 0, as it is synthesized.
 * dut_shape_parse returns NULL, or what is wrong in why[size]. */
void dut_shape_name(const struct dut_shape *shape, char *name, size_t size);
const char *dut_shape_parse(const char *name, struct dut_shape *shape, char *why, size_t size);

/* What a head says, as processors, and the bits that a processor takes. */
uint32_t dut_head_dst(const struct dut_shape *shape, uint64_t head);
uint32_t dut_head_src(const struct dut_shape *shape, uint64_t head);
unsigned dut_address_bits(const struct dut_shape *shape);

struct cube_params;
void dut_cube_params(const struct dut_shape *shape, struct cube_params *p);

#ifdef __cplusplus
}
#endif

#endif
