// SPDX-License-Identifier: Apache-2.0
// dut_rtl.cpp - the Verilated switch or network behind the seam.
//
// scripts/sim/verilate.sh compiles this once per shape, with DUT_SHAPE the shape's name, VTOP the
// Verilated class, VHEADER its header and DUT_NETWORK 1 for network.v, 0 for switch.v.  Bits are moved, nothing is
// decided here.
#include "dut_rtl.h"
#include VHEADER
#if VM_COVERAGE
#include <verilated_cov.h>
#include <verilated_vcd_c.h>
#endif

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)

#if DUT_NETWORK
#define IN_VALID inj_valid_i
#define IN_FLIT inj_flit_i
#define IN_ROOM inj_room_o
#define OUT_VALID ej_valid_o
#define OUT_FLIT ej_flit_o
#define OUT_ROOM ej_room_i
#else
#define IN_VALID in_valid_i
#define IN_FLIT in_flit_i
#define IN_ROOM in_room_o
#define OUT_VALID out_valid_o
#define OUT_FLIT out_flit_o
#define OUT_ROOM out_room_i
#endif

// verilated.cpp wants it at link time; the models have no $time.
double sc_time_stamp() { return 0; }

// A vector of bits in words, with two spare words so that 64 bits can be read anywhere.
struct bits {
    std::vector<uint32_t> word;

    explicit bits(size_t n) : word(n / 32 + 3) {}

    uint64_t get(size_t at, unsigned n) const
    {
        const uint32_t *w = &word[at / 32];
        unsigned shift = at % 32;
        uint64_t low = w[0] | (uint64_t)w[1] << 32;
        uint64_t v = shift ? low >> shift | (uint64_t)w[2] << (64 - shift) : low;
        return n < 64 ? v & ((UINT64_C(1) << n) - 1) : v;
    }

    void clear() { memset(word.data(), 0, word.size() * sizeof word[0]); }

    // Where there are zeros.
    void put(size_t at, unsigned n, uint64_t v)
    {
        uint32_t *w = &word[at / 32];
        unsigned shift = at % 32;

        v = n < 64 ? v & ((UINT64_C(1) << n) - 1) : v;
        w[0] |= (uint32_t)(v << shift);
        w[1] |= (uint32_t)(v >> (32 - shift));
        w[2] |= shift ? (uint32_t)(v >> 32 >> (32 - shift)) : 0;
    }

    template <class T> void to(T &port) const { memcpy(&port, word.data(), sizeof port); }
    template <class T> void from(const T &port) { memcpy(word.data(), &port, sizeof port); }
};

#if VM_COVERAGE
// scripts/test/coverage.py: lines and branches at the end of a run, every signal in every cycle.
struct watcher {
    VerilatedVcdC vcd;
    uint64_t time = 0;

    void begin(VTOP &top)
    {
        const char *file = getenv("FATFLY_VCD");
        Verilated::traceEverOn(true);
        top.trace(&vcd, 99);
        if (file)
            vcd.open(file);
    }
    void look()
    {
        if (vcd.isOpen())
            vcd.dump(time++);
    }
    void end()
    {
        const char *file = getenv("FATFLY_COVERAGE");
        vcd.close();
        if (file)
            Verilated::threadContextp()->coveragep()->write(file);
    }
};
#else
struct watcher {
    void begin(VTOP &) {}
    void look() {}
    void end() {}
};
#endif

struct dut {
    VTOP top;
    struct watcher watcher;
    unsigned endpoints, vcs, flit_w, depth;
    bits valid, flit, room;             // into the device
    bits out_valid, out_flit, in_room;  // out of it
    uint64_t noise = 1;                 // on links that are not valid

    dut(unsigned endpoints_, const struct switch_params &p)
        : endpoints(endpoints_), vcs(p.vcs), flit_w(p.flit_w), depth(p.depth),
          valid(endpoints * vcs), flit(endpoints * (flit_w + 2)), room(endpoints * vcs),
          out_valid(endpoints * vcs), out_flit(endpoints * (flit_w + 2)), in_room(endpoints * vcs)
    {
        top.rst_i = 1;
        top.clk_i = 1; // so that the first edge is a falling one (scripts/sim/held.awk)
        top.eval();
        watcher.begin(top);
#ifdef DUT_MUTANTS
        const char *mutant = getenv("FATFLY_MUTANT"); // 0: none (scripts/mutate/mutate.py)
        top.mutant = mutant ? (unsigned)strtoul(mutant, nullptr, 10) : 0;
#endif
    }

    ~dut()
    {
        top.final();
        watcher.end();
    }
};

static struct dut *open_(const struct dut_shape *shape, char *why, size_t size)
{
    char name[64];

    dut_shape_name(shape, name, sizeof name);
    if (strcmp(name, TEXT(DUT_SHAPE)) != 0) {
        snprintf(why, size, "the Verilated library is of shape %s, not %s", TEXT(DUT_SHAPE), name);
        return nullptr;
    }
    try {
        return new dut(dut_endpoints(shape), shape->params);
    } catch (const std::bad_alloc &) {
        snprintf(why, size, "no memory for the Verilated model");
        return nullptr;
    }
}

static void reset(struct dut *d, uint32_t seed)
{
    bits none(d->endpoints * (d->flit_w + 2));
    bits open(d->endpoints * d->vcs);

    // With room at the far ends flits would leave at this edge, but for the reset.  In queues of three
    // and more flits, where the next would come to the front in registers that have no reset, and
    // of which the C model's reset knows nothing, there is none.
    for (size_t e = 0; e < d->endpoints; e++)
        open.put(e * d->vcs, d->vcs, d->depth <= 2 ? ~UINT64_C(0) : 0);
    none.to(d->top.IN_VALID);
    none.to(d->top.IN_FLIT);
    open.to(d->top.OUT_ROOM);
    if (!d->top.clk_i) { // a run that stopped within a cycle: inputs are seen at a falling edge
        d->top.clk_i = 1;
        d->top.eval();
        d->watcher.look();
    }
    d->top.rst_i = 1;
    d->top.seed_i = seed;
    for (int edge = 0; edge < 2; edge++) { // one rising edge must be enough
        d->top.clk_i = edge & 1;
        d->top.eval();
        d->watcher.look();
    }
    d->top.rst_i = 0;
}

static void drive(struct dut *d, const struct link *in, const uint16_t *room)
{
    unsigned w = d->flit_w + 2;

    d->valid.clear();
    d->flit.clear();
    d->room.clear();
    for (unsigned e = 0; e < d->endpoints; e++) {
        uint64_t payload = in[e].flit.payload;
        unsigned kind = in[e].flit.kind;
        if (!in[e].valid) {             // what is on its wires must not matter
            d->noise = d->noise * UINT64_C(6364136223846793005) + 1442695040888963407;
            payload = d->noise >> 8;
            kind = (unsigned)(d->noise >> 62);
        }
        d->room.put(e * d->vcs, d->vcs, room[e]);
        d->valid.put(e * d->vcs, d->vcs, in[e].valid);
        d->flit.put(e * w, d->flit_w, payload);
        d->flit.put(e * w + d->flit_w, 2, kind);
    }
    d->valid.to(d->top.IN_VALID);
    d->flit.to(d->top.IN_FLIT);
    d->room.to(d->top.OUT_ROOM);
    d->top.clk_i = 0;
    d->top.eval();
    d->watcher.look();
}

static void room_(struct dut *d, uint16_t *room)
{
    d->in_room.from(d->top.IN_ROOM);
    for (unsigned e = 0; e < d->endpoints; e++)
        room[e] = (uint16_t)d->in_room.get(e * d->vcs, d->vcs);
}

static void sample(struct dut *d, struct link *link)
{
    unsigned w = d->flit_w + 2;

    d->out_valid.from(d->top.OUT_VALID);
    d->out_flit.from(d->top.OUT_FLIT);
    for (unsigned e = 0; e < d->endpoints; e++) {
        link[e].valid = (uint16_t)d->out_valid.get(e * d->vcs, d->vcs);
        link[e].flit.payload = d->out_flit.get(e * w, d->flit_w);
        link[e].flit.kind = (uint8_t)d->out_flit.get(e * w + d->flit_w, 2);
    }
}

static const uint32_t *state(struct dut *d)
{
    return d->top.probe_o.data();
}

static void tick(struct dut *d)
{
    d->top.clk_i = 1;
    d->top.eval();
}

static void close_(struct dut *d)
{
    delete d;
}

extern "C" __attribute__((visibility("default"))) const struct dut_ops *fatfly_dut(void)
{
    static const struct dut_ops ops = {DUT_SEAM, "rtl", open_, reset,  room_,  drive,
                                       sample,   state, tick,  close_, nullptr};
    return &ops;
}
