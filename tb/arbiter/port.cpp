// SPDX-License-Identifier: Apache-2.0
// port.cpp - what an input port asks for, from every front and every state of the outputs.
#include "parts.h"

#include "Vport_top1.h"
#include "Vport_top2.h"

// ---- port ------------------------------------------------------------------------------------

constexpr unsigned PLACES = 7;

// tb/rtl/port_top.v names the places.
struct Place {
    path_select path;
    unsigned level;
    bool parent;
};

const Place places[PLACES] = {{PATH_FP, 2, false}, {PATH_RP, 2, false}, {PATH_GP, 2, false},
                              {PATH_RG, 2, false}, {PATH_FP, 2, true},  {PATH_FP, 3, false},
                              {PATH_FP, 1, false}};

// What stands at the front of a channel.
struct Front {
    enum { EMPTY, HEAD, BODY } what;
    uint16_t payload;
    uint8_t tail;   // HEAD: a worm of one flit; BODY: the last flit
    uint8_t output; // BODY: number of the output held
    uint8_t chan;   // BODY: number of the channel held there
};

// A head for three levels: all digits of the destination the same.
static uint16_t head_of(unsigned digit, unsigned height, unsigned path)
{
    return static_cast<uint16_t>(digit * 0x15 | height << 12 | path << 14);
}

template <class Rtl, unsigned V> struct Ports {
    Rtl rtl;
    port c[PLACES];
    switch_params params[PLACES];
    flit mem[PLACES][V];
    std::array<uint8_t, PORTS> room{}, free{}; // per output, a bit per channel
    std::bitset<64> seen[PLACES];              // rows that the RTL asked for

    Ports()
    {
        for (unsigned k = 0; k < PLACES; k++) {
            params[k] = {V, 2, 16, places[k].path, SCAN_RR, places[k].level, 3};
            port_init(&c[k], &params[k], mem[k]);
        }
    }

    void clock()
    {
        rtl.clk_i = 1;
        rtl.eval();
        rtl.clk_i = 0;
        rtl.eval();
    }

    void reset()
    {
        rtl.valid_i = 0;
        rtl.gnt_i = 0;
        rtl.rst_i = 1;
        clock();
        rtl.rst_i = 0;
        for (unsigned k = 0; k < PLACES; k++)
            port_reset(&c[k], &params[k]);
    }

    void view(const std::array<uint8_t, PORTS> &r, const std::array<uint8_t, PORTS> &f)
    {
        uint32_t rooms = 0, frees = 0;
        for (unsigned o = 0; o < PORTS; o++) {
            rooms |= static_cast<uint32_t>(r[o]) << V * o;
            frees |= static_cast<uint32_t>(f[o]) << V * o;
        }
        room = r;
        free = f;
        rtl.room_i = static_cast<std::remove_reference_t<decltype(rtl.room_i)>>(rooms);
        rtl.free_i = static_cast<std::remove_reference_t<decltype(rtl.free_i)>>(frees);
    }

    void open_all()
    {
        std::array<uint8_t, PORTS> all;
        all.fill((1u << V) - 1);
        view(all, all);
    }

    uint8_t c_asks(unsigned k, unsigned rand, int *channel) const
    {
        port_view v = {};
        for (unsigned o = 0; o < PORTS; o++) {
            v.room[o] = room[o];
            v.free[o] = free[o];
            v.room_any = static_cast<uint8_t>(v.room_any | (room[o] != 0) << o);
            v.free_any = static_cast<uint8_t>(v.free_any | (free[o] != 0) << o);
        }
        return port_eval(&c[k], &params[k], places[k].parent, rand, &v, channel);
    }

    // A clock edge: a flit enters, or what is offered leaves for chan of an output.
    void push(unsigned channel, uint16_t payload, unsigned kind)
    {
        struct link in{{payload, static_cast<uint8_t>(kind), 0},
                       static_cast<uint8_t>(1u << channel)};
        rtl.valid_i = static_cast<uint8_t>(1u << channel);
        rtl.flit_i = kind << 16 | payload;
        clock();
        rtl.valid_i = 0;
        for (unsigned k = 0; k < PLACES; k++)
            port_tick(&c[k], &params[k], &in, 0, 0, 0);
    }

    // The same by what a place has: from a parent port and at the root a head can only go down.
    static unsigned at(const Place &place, unsigned output)
    {
        return output > 3 && (place.parent || place.level == 3) ? 0 : output;
    }

    void leave(unsigned output, unsigned chan)
    {
        struct link none{};
        rtl.gnt_i = static_cast<uint8_t>(1u << output);
        rtl.chan_i = static_cast<uint8_t>(1u << chan);
        rtl.eval();
        for (unsigned k = 0; k < PLACES; k++) {
            int channel;
            if (c_asks(k, 0, &channel))
                port_tick(&c[k], &params[k], &none, static_cast<uint8_t>(1u << at(places[k], output)),
                          static_cast<unsigned>(channel), static_cast<uint8_t>(1u << chan));
        }
        clock();
        rtl.gnt_i = 0;
    }

    // Brings the fronts about by what a switch does: a body is there because its head has left.
    void set(const std::array<Front, V> &front, unsigned next)
    {
        reset();
        open_all();
        rtl.rand_i = 0;
        unsigned bodies = 0, now = 0;
        for (unsigned v = 0; v < V; v++)
            bodies |= static_cast<unsigned>(front[v].what == Front::BODY) << v;
        for (unsigned n = 0; n < V; n++) {
            unsigned v = (next + n) % V; // the last to leave is the one before next
            if (!(bodies >> v & 1))
                continue;
            unsigned o = front[v].output;
            rtl.rand_i = o == 5;
            push(v, o < 4 ? head_of(o, 1, 0) : head_of(0, 3, o == 5 ? 3 : 0), FLIT_HEAD);
            leave(o, front[v].chan);
            now = (v + 1) % V;
        }
        if (now != next) {
            push((next + V - 1) % V, head_of(0, 1, 0), FLIT_SINGLE);
            leave(0, 0);
        }
        for (unsigned v = 0; v < V; v++)
            if (front[v].what != Front::EMPTY)
                push(v, front[v].payload,
                     front[v].tail | (front[v].what == Front::HEAD ? 2u : 0u));
    }

    // What the specification says that this front can ask for in this cycle.
    unsigned wants(const Front &f, const Place &place, unsigned rand) const
    {
        if (f.what == Front::EMPTY)
            return 0;
        if (f.what == Front::BODY)
            return room[at(place, f.output)] >> f.chan & 1 ? 1u << at(place, f.output) : 0;
        unsigned height = f.payload >> 12 & 3, ask;
        if (place.parent || place.level == 3 || height <= place.level)
            ask = 1u << (f.payload >> 2 * (place.level - 1) & 3);
        else if (place.path == PATH_FP)
            ask = f.payload >> (14 + place.level - 1) & 1 ? 0x20 : 0x10;
        else if (place.path == PATH_RP)
            ask = rand ? 0x20 : 0x10;
        else
            ask = 0x30;
        for (unsigned o = 0; o < PORTS; o++)
            if (!free[o])
                ask &= ~(1u << o);
        return ask;
    }

    void check(Part &part, const std::array<Front, V> &front, unsigned next, unsigned rand)
    {
        rtl.rand_i = static_cast<uint8_t>(rand); // of the next cycle
        clock();
        for (unsigned k = 0; k < PLACES; k++) {
            unsigned want = 0, offer = V == 1;
            for (unsigned n = 0; n < V && !want; n++) {
                unsigned v = (next + n) % V;
                want = wants(front[v], places[k], rand);
                if (want)
                    offer = 1u << v;
            }
            int channel;
            unsigned cm = c_asks(k, rand, &channel);
            unsigned c_offer = channel < 0 ? V == 1 : 1u << channel;
            unsigned r = static_cast<unsigned>(rtl.req_o >> 6 * k & 0x3f);
            unsigned r_offer = rtl.offer_o >> V * k & ((1u << V) - 1);
            seen[k][r] = true;
            if (part.check(cm == want && r == want && c_offer == offer && r_offer == offer))
                continue;
            tell("place %u, next %u, rand %u, request/offer: c %02x/%x rtl %02x/%x oracle %02x/%x",
                 k, next, rand, cm, c_offer, r, r_offer, want, offer);
            printf(", room %x%x%x%x%x%x free %x%x%x%x%x%x (output 0 first)", room[0], room[1],
                   room[2], room[3], room[4], room[5], free[0], free[1], free[2], free[3], free[4],
                   free[5]);
            for (const Front &f : front)
                printf(", front %s payload %04x held %u.%u",
                       f.what == Front::EMPTY ? "none" : f.what == Front::HEAD ? "head" : "body",
                       f.payload, f.output, f.chan);
            printf("\n");
        }
    }

    // The rows that ports can make are those that the arbiter parts go through.
    void check_rows(Part &part)
    {
        for (unsigned k = 0; k < PLACES; k++) {
            std::bitset<64> want;
            want[0] = want[1] = want[2] = want[4] = want[8] = true;
            want[0x10] = want[0x20] = !places[k].parent && places[k].level < 3;
            want[0x30] = places[k].path == PATH_GP || places[k].path == PATH_RG;
            if (!part.check(seen[k] == want))
                tell("place %u asks for other rows than the arbiter parts go through\n", k);
        }
    }
};

// Every state of the outputs in list (no room; room, but held; free), V channels each, the others
// as given.
template <unsigned V, class Visit>
static void availabilities(const std::vector<unsigned> &list, unsigned others, Visit visit)
{
    std::array<uint8_t, PORTS> room, free;
    room.fill(static_cast<uint8_t>(others));
    free.fill(static_cast<uint8_t>(others));
    uint64_t count = 1;
    for (size_t k = 0; k < list.size() * V; k++)
        count *= 3;
    for (uint64_t n = 0; n < count; n++) {
        uint64_t rest = n;
        for (unsigned o : list) {
            unsigned r = 0, f = 0;
            for (unsigned v = 0; v < V; v++, rest /= 3) {
                r |= static_cast<unsigned>(rest % 3 > 0) << v;
                f |= static_cast<unsigned>(rest % 3 == 2) << v;
            }
            room[o] = static_cast<uint8_t>(r);
            free[o] = static_cast<uint8_t>(f);
        }
        visit(room, free);
    }
}

void part_port1(Part &part)
{
    Ports<Vport_top1, 1> s;
    auto each_view = [&](const Front &f) {
        s.set({f}, 0);
        availabilities<1>({0, 1, 2, 3, 4, 5}, 0, [&](const auto &room, const auto &free) {
            s.view(room, free);
            for (unsigned rand = 0; rand < 2; rand++)
                s.check(part, {f}, 0, rand);
        });
    };
    each_view({Front::EMPTY, 0, 0, 0, 0});
    for (uint8_t tail = 0; tail < 2; tail++) {
        for (unsigned k = 0; k < 64; k++)
            each_view({Front::HEAD, head_of(k & 3, k >> 2 & 3, k >> 4), tail, 0, 0});
        for (uint8_t o = 0; o < PORTS; o++)
            for (unsigned payload : {0u, 0xffffu})
                each_view({Front::BODY, static_cast<uint16_t>(payload), tail, o, 0});
        // Every head that 16 bits can say.
        for (unsigned payload = 0; payload < 0x10000; payload++) {
            Front f{Front::HEAD, static_cast<uint16_t>(payload), tail, 0, 0};
            s.set({f}, 0);
            for (unsigned rand = 0; rand < 2; rand++)
                s.check(part, {f}, 0, rand);
        }
    }
    s.check_rows(part);
}

// Two channels: every two fronts x which goes first x every state of the channels that they or
// either could take, all others shut and all others free.
void part_port2(Part &part)
{
    Ports<Vport_top2, 2> s;
    struct Choice {
        Front front;
        unsigned outputs; // that matter to it in some place
    };
    std::vector<Choice> choices;
    choices.push_back({{Front::EMPTY, 0, 0, 0, 0}, 0});
    for (uint8_t d = 0; d < 4; d++)
        choices.push_back({{Front::HEAD, head_of(d, 1, d), uint8_t(d & 1), 0, 0}, 1u << d});
    for (unsigned path : {0u, 3u})
        choices.push_back({{Front::HEAD, head_of(0, 3, path), 0, 0, 0}, 0x31});
    for (uint8_t o = 0; o < PORTS; o++)
        for (uint8_t w = 0; w < 2; w++)
            choices.push_back({{Front::BODY, 0xffff, w, o, w}, 1u << o});
    for (const Choice &a : choices)
        for (const Choice &b : choices) {
            std::vector<unsigned> list;
            for (unsigned o = 0; o < PORTS; o++)
                if ((a.outputs | b.outputs) >> o & 1)
                    list.push_back(o);
            for (unsigned next = 0; next < 2; next++) {
                std::array<Front, 2> front = {a.front, b.front};
                s.set(front, next);
                for (unsigned others : {0u, 3u})
                    availabilities<2>(list, others, [&](const auto &room, const auto &free) {
                        s.view(room, free);
                        for (unsigned rand = 0; rand < 2; rand++)
                            s.check(part, front, next, rand);
                    });
            }
        }
    s.check_rows(part);
}
