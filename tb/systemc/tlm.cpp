// SPDX-License-Identifier: Apache-2.0
// tlm.cpp - the network with TLM-2.0 sockets is the session of libfatfly: the same traffic through both gives the same
// deliveries, cycle by cycle, and the same digest.  Each option of tlm_options has such runs with another value than its
// default.  usage: tlm [NETWORKS]
//
// The reference below knows nothing of SystemC: it sends worms and looks at deliveries.
#include "fatfly_tlm.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <iterator>
#include <map>
#include <queue>
#include <random>
#include <tuple>

using namespace sc_core;
using tlm::tlm_generic_payload;

namespace {

enum { BLOCK = 64, TRANSACTIONS = 40 };      // bytes that one may touch; of a processor
enum how { OPEN, BLOCKING, QUEUED, READS };  // at given times; one after the other; as room comes; reads among them

struct request {
    uint64_t half; // OPEN: its time, or when there is room after that; else from the end of the one before, half cycles
    unsigned dst, bytes, place;
    bool read;
};

using traffic = std::vector<std::vector<request>>; // [processors]

struct plan {
    const char *name;
    fatfly_config config;
    how kind;
    fatfly::tlm_options options;
    uint64_t target_halves; // that a target takes
    traffic sent;

    sc_time halves(uint64_t n) const { return sc_time::from_value(options.cycle.value() / 2 * n); }
};

// Which options are not what they are by default.  One more does not compile until it is here, and then wants a run below.
constexpr const char *OPTIONS[] = {"cycle", "window", "header", "outstanding"};
std::array<bool, std::size(OPTIONS)> changed(const fatfly::tlm_options &o)
{
    const fatfly::tlm_options usual;
    const auto &[cycle, window, header, outstanding] = o;
    const auto &[usual_cycle, usual_window, usual_header, usual_outstanding] = usual;
    return {cycle != usual_cycle, window != usual_window, header != usual_header, outstanding != usual_outstanding};
}

traffic draw(unsigned nodes, how kind, unsigned outstanding, unsigned seed)
{
    std::mt19937 random(seed);
    const auto rng = [&random] { return static_cast<unsigned>(random()); };
    traffic t(nodes);
    for (unsigned a = 0; a < nodes; a++) {
        uint64_t at = 0;
        for (unsigned k = 0; k < TRANSACTIONS; k++) {
            const unsigned dst = (a + 1 + rng() % (nodes - 1)) % nodes, bytes = 1 + rng() % BLOCK;
            const uint64_t gap = rng() % 60;
            at += outstanding ? 3 * gap : gap;
            t[a].push_back({kind == OPEN ? at : kind == QUEUED ? 0 : gap, rng() % 4 ? dst : (a == 0), bytes,
                            (a * TRANSACTIONS + k) * BLOCK, kind == READS && rng() % 2});
        }
    }
    return t;
}

// -- the reference ------------------------------------------------------------------------------

uint32_t flits(const plan &p, unsigned bytes)
{
    const unsigned wide = p.config.flit_bits ? p.config.flit_bits : 32;
    return p.options.header + (8 * bytes + wide - 1) / wide;
}

struct worm {
    uint64_t ready;
    unsigned src, order, dst, number; // order 0: a reply
    uint32_t length;
    bool operator>(const worm &w) const
    {
        return std::tie(ready, src, order, number) > std::tie(w.ready, w.src, w.order, w.number);
    }
};

struct outcome {
    std::vector<fatfly_delivery> deliveries;
    std::vector<std::vector<uint64_t>> served; // [processors]: half cycles in which its target is called
    uint64_t digest;
};

class reference {
public:
    explicit reference(const plan &p) : m_plan(p), m_next(p.sent.size()), m_free(p.sent.size()) {}
    outcome run();

private:
    void send_next(unsigned src, uint64_t halves);
    void arrived(const fatfly_delivery &d, uint64_t halves, outcome &o);

    const plan &m_plan;
    std::vector<unsigned> m_next;
    std::vector<uint64_t> m_free; // half cycles: the target takes the next one
    std::priority_queue<worm, std::vector<worm>, std::greater<>> m_queue;
};

// The next request of a processor, if it has one, so long after a time, or, OPEN, at its own time but not before.
void reference::send_next(unsigned src, uint64_t halves)
{
    if (m_next[src] == m_plan.sent[src].size())
        return;
    const unsigned number = m_next[src]++;
    const request &r = m_plan.sent[src][number];
    const uint64_t ready = m_plan.kind == OPEN ? std::max(halves, r.half) : halves + r.half;
    m_queue.push({(ready + 1) / 2, src, 1, r.dst, number, r.read ? m_plan.options.header : flits(m_plan, r.bytes)});
}

void reference::arrived(const fatfly_delivery &d, uint64_t halves, outcome &o)
{
    const unsigned number = static_cast<unsigned>(d.tag >> 1);
    const bool reply = d.tag & 1;
    const unsigned src = reply ? d.dst : d.src;
    const request &r = m_plan.sent[src][number];
    o.deliveries.push_back(d);
    if (!reply) {
        halves = std::max(halves, m_free[d.dst]);
        o.served[d.dst].push_back(halves);
        m_free[d.dst] = halves += m_plan.target_halves;
    }
    if (r.read && !reply)
        m_queue.push({(halves + 1) / 2, d.dst, 0, d.src, number, flits(m_plan, r.bytes)});
    else
        send_next(src, halves);
}

outcome reference::run()
{
    fatfly_session *s;
    fatfly_delivery d;
    outcome o = {};
    o.served.resize(m_plan.sent.size());
    if (fatfly_open(&s, &m_plan.config, nullptr, 0) != FATFLY_OK)
        return o;
    unsigned at_first = m_plan.kind == OPEN || m_plan.kind == QUEUED ? m_plan.options.outstanding : 1;
    if (at_first == 0)
        at_first = TRANSACTIONS;
    for (unsigned a = 0; a < m_next.size(); a++)
        for (unsigned k = 0; k < at_first; k++)
            send_next(a, 0);
    while (!m_queue.empty() || fatfly_next_event(s) != UINT64_MAX) {
        const uint64_t now = fatfly_now(s);
        for (; !m_queue.empty() && m_queue.top().ready <= now; m_queue.pop()) {
            const worm &w = m_queue.top();
            const fatfly_worm sent = {w.ready, 2 * w.number + (w.order == 0), w.src, w.dst, w.length, 0, 0};
            if (fatfly_send(s, &sent, nullptr, 0) != FATFLY_OK)
                return {};
        }
        fatfly_advance(s, now + 1, false, nullptr, 0);
        while (fatfly_poll(s, &d))
            arrived(d, 2 * fatfly_now(s), o);
    }
    fatfly_result r;
    fatfly_statistics(s, &r);
    o.digest = r.digest;
    fatfly_close(s);
    return o;
}

// -- the processors ------------------------------------------------------------------------------

struct memory : sc_module {
    tlm_utils::simple_target_socket<memory> socket{"socket"};
    std::vector<uint8_t> bytes;
    std::vector<sc_time> times; // of the calls
    sc_time latency;

    memory(const sc_module_name &name, size_t size, const sc_time &t) : sc_module(name), bytes(size), latency(t)
    {
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_transport_dbg(this, &memory::debug);
        for (size_t k = 0; k < size; k++)
            bytes[k] = static_cast<uint8_t>(k * 7 + k / 256);
    }
    unsigned debug(tlm_generic_payload &trans)
    {
        uint8_t *at = bytes.data() + trans.get_address();
        if (trans.is_write())
            memcpy(at, trans.get_data_ptr(), trans.get_data_length());
        else
            memcpy(trans.get_data_ptr(), at, trans.get_data_length());
        return trans.get_data_length();
    }
    void b_transport(tlm_generic_payload &trans, sc_time &delay)
    {
        times.push_back(sc_time_stamp() + delay);
        debug(trans);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += latency;
    }
};

uint8_t byte_of(const request &r, unsigned k) { return static_cast<uint8_t>(r.place * 31 + k * 5 + 1); }

struct processor : sc_module, tlm::tlm_mm_interface {
    tlm_utils::simple_initiator_socket<processor> socket{"socket"};
    const plan &p;
    const std::vector<request> &list;
    uint64_t window;
    unsigned finished = 0, wrong = 0, requests = 0;
    std::list<std::vector<uint8_t>> buffers;
    std::map<tlm_generic_payload *, const request *> under_way;
    std::deque<tlm_generic_payload *> answered;
    sc_event may_send, answer;

    SC_HAS_PROCESS(processor);
    processor(const sc_module_name &name, const plan &pl, unsigned a, uint64_t w)
        : sc_module(name), p(pl), list(pl.sent[a]), window(w)
    {
        socket.register_nb_transport_bw(this, &processor::nb_transport_bw);
        if (p.kind == BLOCKING || p.kind == READS) {
            SC_THREAD(block);
        } else {
            SC_THREAD(start);
            SC_THREAD(end_answers);
        }
    }
    void fill(tlm_generic_payload &trans, const request &r)
    {
        buffers.emplace_back(r.bytes);
        for (unsigned k = 0; k < r.bytes; k++)
            buffers.back()[k] = r.read ? 0 : byte_of(r, k);
        trans.set_command(r.read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
        trans.set_address(r.dst * window + r.place);
        trans.set_data_ptr(buffers.back().data());
        trans.set_data_length(r.bytes);
        trans.set_streaming_width(r.bytes);
        trans.set_byte_enable_ptr(nullptr);
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    void check(const tlm_generic_payload &trans, const request &r)
    {
        finished++;
        wrong += !trans.is_response_ok() || trans.get_address() != r.dst * window + r.place;
        for (unsigned k = 0; k < r.bytes && r.read; k++)
            wrong += trans.get_data_ptr()[k] != static_cast<uint8_t>((r.place + k) * 7 + (r.place + k) / 256);
    }
    // Half of the gaps are waited for, half are handed over as a delay.
    void block()
    {
        for (const request &r : list) {
            tlm_generic_payload trans;
            sc_time delay = p.halves(r.half);
            fill(trans, r);
            if (r.bytes % 2) {
                wait(delay);
                delay = SC_ZERO_TIME;
            }
            socket->b_transport(trans, delay);
            wait(delay);
            check(trans, r);
        }
    }
    // The same of the times: a call with a delay, with room or without, is one made so much later.
    void start()
    {
        for (const request &r : list) {
            auto *trans = new tlm_generic_payload(this);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            const sc_time at = p.halves(r.half);
            sc_time delay = sc_time_stamp() < at ? at - sc_time_stamp() : SC_ZERO_TIME;
            if (r.bytes % 2 && delay != SC_ZERO_TIME) {
                wait(delay);
                delay = SC_ZERO_TIME;
            }
            trans->acquire();
            fill(*trans, r);
            under_way[trans] = &r;
            requests++;
            if (socket->nb_transport_fw(*trans, phase, delay) == tlm::TLM_ACCEPTED)
                wait(may_send);
            else if (phase != tlm::END_REQ)
                wrong++;
        }
    }
    // Of all answers a third are completed at once, a third by an END_RESP in the same call, a third by one later.
    tlm::tlm_sync_enum nb_transport_bw(tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_time &)
    {
        if (phase == tlm::END_REQ) {
            may_send.notify();
            return tlm::TLM_ACCEPTED;
        }
        const request &r = *under_way.at(&trans);
        check(trans, r);
        under_way.erase(&trans);
        if (r.bytes % 3) {
            trans.release();
            if (r.bytes % 3 == 1)
                return tlm::TLM_COMPLETED;
            phase = tlm::END_RESP;
            return tlm::TLM_UPDATED;
        }
        answered.push_back(&trans);
        answer.notify();
        return tlm::TLM_ACCEPTED;
    }
    void end_answers()
    {
        for (;;) {
            while (answered.empty())
                wait(answer);
            wait(7, SC_NS);
            wrong += answered.size() != 1; // one answer at a time
            tlm_generic_payload *trans = answered.front();
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_time delay = SC_ZERO_TIME;
            answered.pop_front();
            socket->nb_transport_fw(*trans, phase, delay);
            trans->release();
        }
    }
    void free(tlm_generic_payload *trans) override
    {
        trans->reset();
        delete trans;
    }
};

struct bench : sc_module {
    const plan &p;
    fatfly::tlm_network net;
    std::list<processor> processors;
    std::list<memory> memories;
    std::vector<fatfly_delivery> deliveries;

    bench(const sc_module_name &name, const plan &pl) : sc_module(name), p(pl), net("net", pl.config, pl.options)
    {
        const size_t size = p.sent.size() * TRANSACTIONS * BLOCK;
        for (unsigned a = 0; a < p.sent.size(); a++) {
            processors.emplace_back(("processor_" + std::to_string(a)).c_str(), p, a, p.options.window);
            memories.emplace_back(("memory_" + std::to_string(a)).c_str(), size,
                                  p.halves(p.target_halves));
            processors.back().socket.bind(net.from_processor[a]);
            net.to_processor[a].bind(memories.back().socket);
        }
        net.watch([this](const fatfly_delivery &d) { deliveries.push_back(d); });
    }
    bool judge();
};

bool same(const fatfly_delivery &a, const fatfly_delivery &b)
{
    return a.ready == b.ready && a.injected == b.injected && a.head == b.head && a.tail == b.tail && a.src == b.src &&
           a.dst == b.dst && a.length == b.length && a.links == b.links;
}

bool bench::judge()
{
    const outcome want = reference(p).run();
    const uint64_t digest = net.statistics().digest;
    for (size_t k = 0; k < std::min(want.deliveries.size(), deliveries.size()); k++) {
        const fatfly_delivery &x = deliveries[k], &y = want.deliveries[k];
        if (!same(x, y)) {
            printf("%s: delivery %zu is %u to %u, %u flits, ready in cycle %llu, tail in cycle %llu; the session has %u to "
                   "%u, %u flits, %llu, %llu\n", p.name, k, x.src, x.dst, x.length, static_cast<unsigned long long>(x.ready),
                   static_cast<unsigned long long>(x.tail), y.src, y.dst, y.length,
                   static_cast<unsigned long long>(y.ready), static_cast<unsigned long long>(y.tail));
            return false;
        }
    }
    if (deliveries.size() != want.deliveries.size() || digest != want.digest) {
        printf("%s: %zu deliveries, digest %016llx; the session has %zu, %016llx\n", p.name, deliveries.size(),
               static_cast<unsigned long long>(digest), want.deliveries.size(), static_cast<unsigned long long>(want.digest));
        return false;
    }
    unsigned finished = 0, wrong = 0, late = 0, lost = 0;
    std::vector<const memory *> at;
    for (const memory &m : memories)
        at.push_back(&m);
    for (const processor &q : processors) {
        finished += q.finished;
        wrong += q.wrong;
        for (const request &r : q.list)
            wrong += net.flits(r.bytes) != flits(p, r.bytes);
        for (const request &r : q.list)
            for (unsigned k = 0; k < r.bytes && !r.read; k++)
                lost += at[r.dst]->bytes[r.place + k] != byte_of(r, k);
    }
    for (size_t a = 0; a < at.size(); a++) {
        late += at[a]->times.size() != want.served[a].size();
        for (size_t k = 0; k < std::min(at[a]->times.size(), want.served[a].size()); k++)
            late += at[a]->times[k] != p.halves(want.served[a][k]);
    }
    if (finished != p.sent.size() * TRANSACTIONS || wrong || late || lost) {
        printf("%s: %u transactions finished of %zu, %u with a wrong answer, %u late, %u bytes wrong\n", p.name, finished,
               p.sent.size() * TRANSACTIONS, wrong, late, lost);
        return false;
    }
    printf("%s: %zu worms, cycle %llu, digest %016llx\n", p.name, deliveries.size(),
           static_cast<unsigned long long>(deliveries.back().tail), static_cast<unsigned long long>(digest));
    return true;
}

fatfly_config fat_tree(uint32_t nodes, unsigned vcs, fatfly_path path, fatfly_scan scan)
{
    fatfly_config c;
    fatfly_defaults(&c);
    c.nodes = nodes;
    c.vcs = vcs;
    c.path = path;
    c.scan = scan;
    c.flit_bits = vcs == 2 ? 64 : 0;
    return c;
}

fatfly_config torus()
{
    fatfly_config c;
    fatfly_defaults_of(&c, "torus", FATFLY_WORM);
    c.radix = 4;
    c.dimensions = 2;
    c.nodes = 16;
    return c;
}

} // namespace

int sc_main(int argc, char **argv)
{
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 3;
    std::list<plan> plans;
    const struct {
        const char *name;
        fatfly_config config;
    } networks[] = {{"fat-tree of 16", fat_tree(16, 1, FATFLY_RP, FATFLY_RR)},
                    {"fat-tree of 64, two channels, 64 bits", fat_tree(64, 2, FATFLY_RG, FATFLY_FCFS)},
                    {"torus of 16", torus()}};
    const struct {
        const char *name;
        how kind;
        unsigned outstanding;
        uint64_t target_halves;
    } kinds[] = {{"non-blocking, at given times", OPEN, 0, 0},
                 {"non-blocking, at given times, one under way", OPEN, 1, 0},
                 {"non-blocking, at given times, two under way", OPEN, 2, 0},
                 {"blocking", BLOCKING, 4, 0},
                 {"non-blocking, one under way", QUEUED, 1, 0},
                 {"non-blocking, three under way", QUEUED, 3, 0},
                 {"blocking, reads and writes", READS, 1, 7}};
    // One option after the other; all else is as it is by default.
    fatfly::tlm_options others[std::size(OPTIONS)];
    others[0].cycle = sc_time(3, SC_NS);
    others[1].window = 200000;
    others[2].header = 3;
    others[3].outstanding = 2;
    std::list<std::string> names;
    std::list<bench> benches;
    for (const auto &n : networks) {
        if (&n - networks == wanted)
            break;
        for (const auto &k : kinds) {
            const unsigned nodes = n.config.nodes;
            names.push_back(std::string(n.name) + ", " + k.name);
            fatfly::tlm_options o;
            o.cycle = sc_time(10, SC_NS);
            o.outstanding = k.outstanding;
            plans.push_back({names.back().c_str(), n.config, k.kind, o, k.target_halves,
                             draw(nodes, k.kind, k.outstanding, static_cast<unsigned>(plans.size() + 1))});
        }
        for (const auto &o : others)
            for (const how kind : {OPEN, READS}) {
                names.push_back(std::string(n.name) + ", " + OPTIONS[&o - others] + " alone, " + (kind == OPEN ? "at given times" : "reads and writes"));
                plans.push_back({names.back().c_str(), n.config, kind, o, 3,
                                 draw(n.config.nodes, kind, o.outstanding, static_cast<unsigned>(plans.size() + 1))});
            }
    }
    for (const plan &p : plans)
        benches.emplace_back(("bench_" + std::to_string(benches.size() + 1)).c_str(), p);
    sc_start(1, SC_MS);
    bool good = true;
    unsigned runs[std::size(OPTIONS)] = {};
    for (bench &b : benches) {
        good = b.judge() && good;
        const auto is = changed(b.p.options);
        for (size_t k = 0; k < is.size(); k++) // it alone
            runs[k] += is[k] && std::count(is.begin(), is.end(), true) == 1;
    }
    for (size_t k = 0; k < std::size(OPTIONS); k++)
        if (runs[k] == 0) {
            printf("%s: no run with another value than its default\n", OPTIONS[k]);
            good = false;
        }
    puts(good ? "the sockets are the session" : "they differ");
    return !good;
}
