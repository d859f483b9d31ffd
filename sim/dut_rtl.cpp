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

// The number behind -v, -q or -w in the name of the shape.
constexpr unsigned size_of(char what)
{
    const char *at = TEXT(DUT_SHAPE);
    unsigned n = 0;

    while (at[0] != '-' || at[1] != what)
        at++;
    for (at += 2; *at >= '0' && *at <= '9'; at++)
        n = 10 * n + (unsigned)(*at - '0');
    return n;
}
constexpr bool starts(const char *at, const char *with)
{
    while (*with && *at == *with)
        at++, with++;
    return !*with;
}
constexpr bool has(const char *part)
{
    for (const char *at = TEXT(DUT_SHAPE); *at; at++)
        if (starts(at, part))
            return true;
    return false;
}
constexpr unsigned vcs = size_of('v'), depth = size_of('q'), flit_w = size_of('w');
constexpr unsigned low = flit_w < 32 ? flit_w : 32, high = flit_w - low; // bits of a payload in its first 32, beyond

// What rtl/switch.v chooses; a router has fast queues.
constexpr bool reference = !has("torus") && !has("mesh") && (has("-ref") || has("-rw-") || (vcs == 4 && !has("-rp-rr")));

// verilated.cpp wants it at link time; the models have no $time.
double sc_time_stamp() { return 0; }

// The model is compiled for a short build, and so are its making and its end; what moves bits in and out, for speed.
#pragma GCC push_options
#pragma GCC optimize("O2")

// Bits of a port of the Verilated class, put there one after the other from the lowest on.
template <class T> struct writer {
    T &port;
    uint32_t word[sizeof(T) / 4 + 1] = {};
    unsigned count = 0;             // words that are full
    uint64_t held = 0;              // the next word, and what is above it
    unsigned bits = 0;              // how many of held, under 32

    explicit writer(T &port_) : port(port_) {}

    void put(unsigned n, uint32_t v) // n up to 32; no bit of v beyond them
    {
        held |= (uint64_t)v << bits;
        bits += n;
        if (bits >= 32) {
            word[count++] = (uint32_t)held;
            held >>= 32;
            bits -= 32;
        }
    }

    void finish()
    {
        if (bits)
            word[count] = (uint32_t)held;
        memcpy(&port, word, sizeof port);
    }
};

// ... and taken from there.
template <class T> struct reader {
    uint32_t word[sizeof(T) / 4 + 1];
    unsigned count = 0;             // words that were looked at
    uint64_t held = 0;              // what is left of them
    unsigned bits = 0;              // how many

    explicit reader(const T &port) { memcpy(word, &port, sizeof port); }

    uint32_t get(unsigned n)        // n up to 32
    {
        if (bits < n) {
            held |= (uint64_t)word[count++] << bits;
            bits += 32;
        }
        uint32_t v = (uint32_t)(held & ((UINT64_C(1) << n) - 1));
        held >>= n;
        bits -= n;
        return v;
    }
};

// A class template does not find its type by itself in C++14.
template <class T> writer<T> into(T &port) { return writer<T>(port); }
template <class T> reader<T> from(const T &port) { return reader<T>(port); }

#pragma GCC pop_options

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
    unsigned endpoints;
    uint64_t noise = 1;                 // on links that are not valid

    explicit dut(unsigned endpoints_) : endpoints(endpoints_)
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
        return new dut(dut_endpoints(shape));
    } catch (const std::bad_alloc &) {
        snprintf(why, size, "no memory for the Verilated model");
        return nullptr;
    }
}

#pragma GCC push_options
#pragma GCC optimize("O2")

static void reset(struct dut *d, uint32_t seed)
{
    // With room at the far ends flits would leave at this edge, but for the reset.  In the fast switch's and the
    // routers' queues of three and more flits (fifo_fast.v), where the next would come to the front in registers that
    // have no reset, and of which the C model's reset knows nothing, there is none.
    auto open = into(d->top.OUT_ROOM);
    for (unsigned e = 0; e < d->endpoints; e++)
        open.put(vcs, depth <= 2 || reference ? (1u << vcs) - 1 : 0);
    open.finish();
    into(d->top.IN_VALID).finish();
    into(d->top.IN_FLIT).finish();
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
    auto valid = into(d->top.IN_VALID);
    auto flit = into(d->top.IN_FLIT);
    auto room_out = into(d->top.OUT_ROOM);
    uint32_t channels = (1u << vcs) - 1;
    uint64_t payloads = ~UINT64_C(0) >> (64 - low - high);

    for (unsigned e = 0; e < d->endpoints; e++) {
        uint64_t payload = in[e].flit.payload;
        unsigned kind = in[e].flit.kind;
        if (!in[e].valid) {             // what is on its wires must not matter
            d->noise = d->noise * UINT64_C(6364136223846793005) + 1442695040888963407;
            payload = d->noise >> 8 | d->noise << 56;
            kind = (unsigned)(d->noise >> 62);
        }
        payload &= payloads;
        room_out.put(vcs, room[e] & channels);
        valid.put(vcs, in[e].valid & channels);
        flit.put(low, (uint32_t)payload);
        if (high)
            flit.put(high, (uint32_t)(payload >> 32));
        flit.put(2, kind & 3);
    }
    valid.finish();
    flit.finish();
    room_out.finish();
    d->top.clk_i = 0;
    d->top.eval();
    d->watcher.look();
}

static void room_(struct dut *d, uint16_t *room)
{
    auto in_room = from(d->top.IN_ROOM);
    for (unsigned e = 0; e < d->endpoints; e++)
        room[e] = (uint16_t)in_room.get(vcs);
}

static void sample(struct dut *d, struct link *link)
{
    auto valid = from(d->top.OUT_VALID);
    auto flit = from(d->top.OUT_FLIT);

    for (unsigned e = 0; e < d->endpoints; e++) {
        link[e].valid = (uint16_t)valid.get(vcs);
        link[e].flit.payload = flit.get(low);
        if (high)
            link[e].flit.payload |= (uint64_t)flit.get(high) << 32;
        link[e].flit.kind = (uint8_t)flit.get(2);
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

#pragma GCC pop_options

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
