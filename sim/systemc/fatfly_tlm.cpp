// SPDX-License-Identifier: Apache-2.0
// fatfly_tlm.cpp - transactions as worms of a session.
//
// Cycle c of the session is simulated at time (c + 1) * cycle: all that may enter in it has then been called for,
// in whatever order SystemC ran the processes.
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "fatfly_tlm.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <vector>

namespace fatfly {

namespace {

constexpr uint32_t MOST_PROCESSORS = 1024;
constexpr unsigned NARROW = 32; // flit_bits = 0: a head of 1024 processors fits

} // namespace

// A transaction under way.
struct tlm_network::job {
    tlm::tlm_generic_payload *trans;
    sc_dt::uint64 address; // as it came in
    unsigned src, dst;
    bool blocking;
    bool reply = false; // of a read: its second worm
    uint64_t ready = 0; // of the worm that comes next
    sc_core::sc_event done;

    job(tlm::tlm_generic_payload &t, unsigned from, uint64_t window, bool blocks)
        : trans(&t), address(t.get_address()), src(from), dst(static_cast<unsigned>(address / window)), blocking(blocks)
    {
    }
};

struct tlm_network::inside {
    struct processor {
        unsigned under_way = 0;       // transactions
        job *held = nullptr;          // behind its BEGIN_REQ, until another one has finished
        std::deque<job *> answers;    // non-blocking, that have finished
        bool answering = false;       // the first of them waits for its END_RESP
        std::deque<job *> deliveries; // worms that have arrived here
        sc_core::sc_event fewer, came;
    };

    fatfly_session *session;
    tlm_options options;
    unsigned flit_bits;
    std::vector<processor> at;
    std::vector<job *> waiting; // until the session comes to the cycle in which they are ready
    std::vector<job *> worms;   // by the tag of the session; nullptr: free
    std::vector<uint64_t> free_tags;
    std::function<void(const fatfly_delivery &)> watcher;
    sc_core::sc_event sent;
    bool broken = false;

    inside(fatfly_session *s, const tlm_options &o, unsigned bits, uint32_t processors)
        : session(s), options(o), flit_bits(bits), at(processors)
    {
    }
    inside(const inside &) = delete;
    inside &operator=(const inside &) = delete;
    ~inside() { fatfly_close(session); }

    bool full(unsigned src) const { return options.outstanding && at[src].under_way >= options.outstanding; }
    // The first cycle that begins at this time or later.
    uint64_t cycle_at(const sc_core::sc_time &time) const
    {
        return (time.value() + options.cycle.value() - 1) / options.cycle.value();
    }
};

tlm_network::tlm_network(const sc_core::sc_module_name &name, const fatfly_config &config, const tlm_options &options)
    : sc_module(name), from_processor("from_processor"), to_processor("to_processor")
{
    const std::string text = open(config, options);
    if (!text.empty()) {
        SC_REPORT_ERROR("fatfly", (std::string(this->name()) + ": " + text).c_str());
        return;
    }
    const unsigned processors = static_cast<unsigned>(m_inside->at.size());
    from_processor.init(processors);
    to_processor.init(processors);
    for (unsigned a = 0; a < processors; a++) {
        const int id = static_cast<int>(a);
        from_processor[a].register_b_transport(this, &tlm_network::b_transport, id);
        from_processor[a].register_nb_transport_fw(this, &tlm_network::nb_transport_fw, id);
        from_processor[a].register_transport_dbg(this, &tlm_network::transport_dbg, id);
        sc_core::sc_spawn([this, a] { serve(a); }, ("serve_" + std::to_string(a)).c_str());
    }
    sc_core::sc_spawn([this] { run(); }, "run");
}

// What is wrong with the configuration, or nothing.
std::string tlm_network::open(const fatfly_config &config, const tlm_options &options)
{
    char why[300] = "";
    fatfly_session *session = nullptr;
    fatfly_shape shape = {};

    if (options.cycle == sc_core::SC_ZERO_TIME)
        return "cycle = 0; allowed: more than no time";
    if (options.window == 0 || options.window > UINT64_MAX / MOST_PROCESSORS)
        return "window = " + std::to_string(options.window) + " addresses; allowed: 1 to 2^54 - 1";
    if (options.header < 1 || options.header >= FATFLY_MAX_LENGTH)
        return "header = " + std::to_string(options.header) + " flits; allowed: 1 to 4095";
    if (config.discipline == FATFLY_UNIV || config.discipline >= FATFLY_CMSV1) // all worms are sent before the first cycle
        return std::string("discipline = ") + fatfly_discipline_names[config.discipline] +
               "; allowed behind sockets: worm, phased, store, split";
    if (fatfly_open(&session, &config, why, sizeof why) != FATFLY_OK)
        return why;
    fatfly_read_shape(session, &shape);
    if (shape.processors > MOST_PROCESSORS) {
        fatfly_close(session);
        return std::to_string(shape.processors) + " processors; allowed: up to 1024";
    }
    m_inside = std::make_unique<inside>(session, options, config.flit_bits ? config.flit_bits : NARROW, shape.processors);
    return "";
}

tlm_network::~tlm_network()
{
    if (!m_inside)
        return;
    std::vector<job *> all = m_inside->waiting;
    all.insert(all.end(), m_inside->worms.begin(), m_inside->worms.end());
    for (inside::processor &p : m_inside->at) {
        all.insert(all.end(), p.answers.begin(), p.answers.end());
        all.insert(all.end(), p.deliveries.begin(), p.deliveries.end());
        all.push_back(p.held);
    }
    for (job *j : all)
        if (j && !j->blocking) // those of b_transport are on its stack
            delete j;
}

// SystemC would name the other end.
void tlm_network::before_end_of_elaboration()
{
    for (size_t a = 0; m_inside && a < m_inside->at.size(); a++) {
        const bool from = from_processor[a].get_base_port().bind_count() > 0;
        if (from && to_processor[a].get_base_port().bind_count() > 0)
            continue;
        SC_REPORT_ERROR("fatfly", (std::string(name()) + ": " + (from ? "to" : "from") + "_processor[" +
                                   std::to_string(a) + "] is not bound").c_str());
        return;
    }
}

void tlm_network::watch(std::function<void(const fatfly_delivery &)> watcher)
{
    if (m_inside)
        m_inside->watcher = std::move(watcher);
}

fatfly_result tlm_network::statistics() const
{
    fatfly_result r = {};
    if (m_inside)
        fatfly_statistics(m_inside->session, &r);
    return r;
}

uint64_t tlm_network::flits(uint64_t bytes) const
{
    const unsigned wide = m_inside ? m_inside->flit_bits : NARROW;
    return (m_inside ? m_inside->options.header : 1) + (8 * bytes + wide - 1) / wide;
}

void tlm_network::warn(unsigned src, const std::string &text) const
{
    SC_REPORT_WARNING("fatfly", (std::string(name()) + ": processor " + std::to_string(src) + ": " + text).c_str());
}

// What no worm can carry gets the response of TLM-2.0 for it, and a line.
bool tlm_network::refused(unsigned src, tlm::tlm_generic_payload &trans) const
{
    const uint64_t window = m_inside->options.window, nodes = m_inside->at.size();
    const uint64_t address = trans.get_address(), bytes = trans.get_data_length(), dst = address / window;
    const unsigned streaming = trans.get_streaming_width();
    char text[200] = "";
    tlm::tlm_response_status status = tlm::TLM_BURST_ERROR_RESPONSE;

    if (!trans.is_read() && !trans.is_write()) {
        status = tlm::TLM_COMMAND_ERROR_RESPONSE;
        snprintf(text, sizeof text, "command %d; allowed: read and write", static_cast<int>(trans.get_command()));
    } else if (dst >= nodes || bytes > window || address % window > window - bytes) {
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        snprintf(text, sizeof text, "%llu bytes at 0x%llx; allowed: within the 0x%llx addresses of one of %llu processors",
                 static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(address),
                 static_cast<unsigned long long>(window), static_cast<unsigned long long>(nodes));
    } else if (bytes == 0 || flits(bytes) > FATFLY_MAX_LENGTH) {
        snprintf(text, sizeof text, "%llu bytes, %llu flits; allowed: 1 byte or more, up to %d flits",
                 static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(flits(bytes)), FATFLY_MAX_LENGTH);
    } else if (streaming != 0 && streaming < bytes) {
        snprintf(text, sizeof text, "streaming width %u of %llu bytes; allowed: none", streaming,
                 static_cast<unsigned long long>(bytes));
    } else if (trans.get_byte_enable_ptr()) {
        status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        snprintf(text, sizeof text, "byte enables; allowed: none");
    } else if (dst == src) {
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        snprintf(text, sizeof text, "address 0x%llx is its own; allowed: another processor's",
                 static_cast<unsigned long long>(address));
    } else
        return false;
    warn(src, text);
    trans.set_response_status(status);
    return true;
}

// Its next worm is ready in the first cycle that begins then or later, and not before a cycle that it has.
void tlm_network::enter(job *j, const sc_core::sc_time &delay)
{
    j->ready = std::max(j->ready, m_inside->cycle_at(sc_core::sc_time_stamp() + delay));
    m_inside->waiting.push_back(j);
    m_inside->sent.notify();
}

void tlm_network::b_transport(int id, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
    const unsigned src = static_cast<unsigned>(id);

    trans.set_dmi_allowed(false);
    if (refused(src, trans))
        return;
    if (m_inside->full(src)) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        while (m_inside->full(src))
            sc_core::wait(m_inside->at[src].fewer);
    }
    job j(trans, src, m_inside->options.window, true);
    m_inside->at[src].under_way++;
    enter(&j, delay);
    sc_core::wait(j.done);
    delay = sc_core::SC_ZERO_TIME;
}

tlm::tlm_sync_enum tlm_network::nb_transport_fw(int id, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                                sc_core::sc_time &delay)
{
    const unsigned src = static_cast<unsigned>(id);
    inside::processor &p = m_inside->at[src];

    if (phase == tlm::END_RESP) {
        if (!p.answering || p.answers.front()->trans != &trans) {
            warn(src, "END_RESP of a transaction that has no BEGIN_RESP");
            return tlm::TLM_COMPLETED;
        }
        delete p.answers.front();
        p.answers.pop_front();
        p.answering = false;
        trans.release();
        respond(src);
        return tlm::TLM_COMPLETED;
    }
    trans.set_dmi_allowed(false);
    if (phase != tlm::BEGIN_REQ || p.held || !trans.has_mm()) {
        warn(src, !trans.has_mm() ? "nb_transport_fw of a transaction without a memory manager"
                                  : p.held ? "BEGIN_REQ before the END_REQ of the one before"
                                           : "a phase that is not of the base protocol; allowed: BEGIN_REQ, END_RESP");
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    if (refused(src, trans))
        return tlm::TLM_COMPLETED;
    trans.acquire();
    job *j = new job(trans, src, m_inside->options.window, false);
    if (m_inside->full(src)) {
        j->ready = m_inside->cycle_at(sc_core::sc_time_stamp() + delay);
        p.held = j;
        return tlm::TLM_ACCEPTED;
    }
    p.under_way++;
    enter(j, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

// Without time, as TLM-2.0 has it.
unsigned tlm_network::transport_dbg(int id, tlm::tlm_generic_payload &trans)
{
    const uint64_t window = m_inside->options.window, address = trans.get_address(), dst = address / window;
    if (dst >= m_inside->at.size() || dst == static_cast<uint64_t>(id))
        return 0;
    trans.set_address(address % window);
    const unsigned done = to_processor[dst]->transport_dbg(trans);
    trans.set_address(address);
    return done;
}

// Those that are ready by a cycle go to the session: by cycle and source, a source's replies first.
void tlm_network::submit(uint64_t cycle)
{
    inside &d = *m_inside;
    const auto source = [](const job *j) { return j->reply ? j->dst : j->src; };
    const auto late = std::stable_partition(d.waiting.begin(), d.waiting.end(),
                                            [cycle](const job *j) { return j->ready <= cycle; });
    const std::vector<job *> now(d.waiting.begin(), late);
    d.waiting.erase(d.waiting.begin(), late);
    std::vector<job *> sorted = now;
    std::stable_sort(sorted.begin(), sorted.end(), [&source](const job *a, const job *b) {
        if (a->ready != b->ready)
            return a->ready < b->ready;
        return source(a) != source(b) ? source(a) < source(b) : a->reply > b->reply;
    });
    for (job *j : sorted) {
        if (d.free_tags.empty()) {
            d.free_tags.push_back(d.worms.size());
            d.worms.push_back(nullptr);
        }
        const uint64_t tag = d.free_tags.back();
        const bool data = j->trans->is_write() != j->reply;
        fatfly_worm w = {};
        char why[200] = "";
        w.ready = j->ready;
        w.tag = tag;
        w.src = source(j);
        w.dst = j->reply ? j->src : j->dst;
        w.length = static_cast<uint32_t>(data ? flits(j->trans->get_data_length()) : d.options.header);
        if (fatfly_send(d.session, &w, why, sizeof why) != FATFLY_OK) {
            warn(w.src, why);
            j->trans->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            finish(j);
            continue;
        }
        d.free_tags.pop_back();
        d.worms[tag] = j;
    }
}

void tlm_network::arrive()
{
    inside &d = *m_inside;
    fatfly_delivery delivery;
    while (fatfly_poll(d.session, &delivery)) {
        job *j = d.worms[delivery.tag];
        d.worms[delivery.tag] = nullptr;
        d.free_tags.push_back(delivery.tag);
        if (d.watcher)
            d.watcher(delivery);
        if (j->reply) {
            finish(j);
        } else {
            d.at[j->dst].deliveries.push_back(j);
            d.at[j->dst].came.notify();
        }
    }
}

// What has arrived at a processor goes to its target, one after the other.
void tlm_network::serve(unsigned dst)
{
    inside::processor &p = m_inside->at[dst];
    for (;;) {
        while (p.deliveries.empty())
            sc_core::wait(p.came);
        job *j = p.deliveries.front();
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        j->trans->set_address(j->address % m_inside->options.window);
        to_processor[dst]->b_transport(*j->trans, delay);
        if (delay != sc_core::SC_ZERO_TIME)
            sc_core::wait(delay);
        j->trans->set_address(j->address);
        j->trans->set_dmi_allowed(false);
        p.deliveries.pop_front();
        if (j->trans->is_read()) {
            j->reply = true;
            enter(j, sc_core::SC_ZERO_TIME);
        } else {
            finish(j);
        }
    }
}

// A transaction is over: its source is told, and one that was held may go.
void tlm_network::finish(job *j)
{
    const unsigned src = j->src;
    inside::processor &p = m_inside->at[src];

    p.under_way--;
    p.fewer.notify();
    if (j->blocking) {
        j->done.notify();
    } else {
        p.answers.push_back(j);
        respond(src);
    }
    if (!p.held || m_inside->full(src))
        return;
    job *next = p.held;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    p.held = nullptr;
    p.under_way++;
    enter(next, delay);
    from_processor[src]->nb_transport_bw(*next->trans, phase, delay);
}

void tlm_network::respond(unsigned src)
{
    inside::processor &p = m_inside->at[src];
    while (!p.answering && !p.answers.empty()) {
        job *j = p.answers.front();
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        p.answering = true;
        const tlm::tlm_sync_enum sync = from_processor[src]->nb_transport_bw(*j->trans, phase, delay);
        if (sync == tlm::TLM_ACCEPTED || (sync == tlm::TLM_UPDATED && phase != tlm::END_RESP))
            return;
        p.answers.pop_front();
        p.answering = false;
        j->trans->release();
        delete j;
    }
}

void tlm_network::run()
{
    inside &d = *m_inside;
    for (;;) {
        uint64_t next = fatfly_next_event(d.session);
        for (const job *j : d.waiting)
            next = std::min(next, std::max(j->ready, fatfly_now(d.session)));
        if (next == UINT64_MAX || d.broken) {
            sc_core::wait(d.sent);
            continue;
        }
        const sc_core::sc_time end = sc_core::sc_time::from_value((next + 1) * d.options.cycle.value());
        if (sc_core::sc_time_stamp() < end) {
            sc_core::wait(end - sc_core::sc_time_stamp(), d.sent);
            continue;
        }
        char why[400] = "";
        submit(next);
        if (fatfly_advance(d.session, next + 1, false, why, sizeof why) != FATFLY_OK) {
            d.broken = true;
            SC_REPORT_ERROR("fatfly", (std::string(name()) + ": " + why).c_str());
        }
        arrive();
    }
}

} // namespace fatfly
