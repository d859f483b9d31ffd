// SPDX-License-Identifier: Apache-2.0
// tlm_wrong.cpp - the network with TLM-2.0 sockets used wrongly, or in a way of its own; each prints one message, or none, and
// the response of a transaction.  usage: tlm_wrong WHAT
#include "fatfly_tlm.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace sc_core;

namespace {

struct counter : tlm::tlm_mm_interface { // of payloads that nobody holds any more
    int freed = 0;
    void free(tlm::tlm_generic_payload *) override { freed++; }
};

struct target : sc_module {
    tlm_utils::simple_target_socket<target> socket{"socket"};
    explicit target(const sc_module_name &name) : sc_module(name)
    {
        socket.register_b_transport(this, &target::b_transport);
        socket.register_transport_dbg(this, &target::debug);
        socket.register_get_direct_mem_ptr(this, &target::direct);
    }
    void b_transport(tlm::tlm_generic_payload &trans, sc_time &)
    {
        trans.set_dmi_allowed(true); // which the network must take back
        trans.set_response_status(trans.get_address() == 8 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    }
    unsigned debug(tlm::tlm_generic_payload &trans) { return trans.get_address() == 4 ? trans.get_data_length() : 0; }
    bool direct(tlm::tlm_generic_payload &, tlm::tlm_dmi &) { return true; }
};

struct bench : sc_module {
    fatfly::tlm_network net;
    tlm_utils::simple_initiator_socket<bench> source[4];
    target targets[4] = {target("t0"), target("t1"), target("t2"), target("t3")};
    tlm::tlm_generic_payload trans, second;
    uint8_t bytes[16384] = {};
    counter manager;
    std::string what;

    static fatfly_config config(const std::string &what)
    {
        fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = what == "nodes" ? 5 : what == "many" ? 4096 : 4;
        if (what.compare(0, 5, "width") == 0)
            c.flit_bits = static_cast<unsigned>(std::stoul(what.substr(5)));
        if (what == "univ" || what == "store")
            c.discipline = what == "store" ? FATFLY_STORE : FATFLY_UNIV;
        return c;
    }
    static fatfly::tlm_options options(const std::string &what)
    {
        fatfly::tlm_options o;
        o.outstanding = what.compare(0, 5, "crowd") == 0 ? static_cast<unsigned>(std::stoul(what.substr(5))) : 1;
        if (what == "cycle")
            o.cycle = SC_ZERO_TIME;
        if (what == "window")
            o.window = 0;
        if (what == "header")
            o.header = 0;
        return o;
    }
    SC_HAS_PROCESS(bench);
    bench(const sc_module_name &name, const std::string &w) : sc_module(name), net("net", config(w), options(w)), what(w)
    {
        for (unsigned a = 0; a < 4; a++) {
            if (what != "unbound" || a != 2)
                source[a].bind(net.from_processor[a]);
            if (what != "open" || a != 3)
                net.to_processor[a].bind(targets[a].socket);
            source[a].register_nb_transport_bw(this, &bench::answer);
        }
        SC_THREAD(run);
    }
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload &t, tlm::tlm_phase &phase, sc_time &)
    {
        if (phase == tlm::BEGIN_RESP)
            t.release();
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    void set(tlm::tlm_generic_payload &t, uint64_t address, unsigned length)
    {
        t.set_command(tlm::TLM_WRITE_COMMAND);
        t.set_address(address);
        t.set_data_ptr(bytes);
        t.set_data_length(length);
        t.set_streaming_width(length);
    }
    bool is(const char *name) const { return what == name; }
    void phases(tlm::tlm_phase phase)
    {
        sc_time delay = SC_ZERO_TIME;
        source[0]->nb_transport_fw(trans, phase, delay);
        printf("%s\n", trans.get_response_string().c_str());
    }
    // With a transaction under way and one held, a third must not come.
    void third()
    {
        tlm::tlm_generic_payload all[3];
        sc_time delay = SC_ZERO_TIME;
        for (tlm::tlm_generic_payload &t : all) {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            t.set_mm(&manager);
            t.acquire();
            set(t, 1 << 20, 4);
            source[0]->nb_transport_fw(t, phase, delay);
        }
        printf("%s\n", all[2].get_response_string().c_str());
        wait(100, SC_NS);
        printf("%s %s, %d freed\n", all[0].get_response_string().c_str(), all[1].get_response_string().c_str(), manager.freed);
    }
    // One that is held while another is under way keeps its delay.
    void held()
    {
        tlm::tlm_generic_payload all[2];
        for (unsigned k = 0; k < 2; k++) {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay(100 * k, SC_NS);
            all[k].set_mm(&manager);
            all[k].acquire();
            set(all[k], 1 << 20, 4);
            source[0]->nb_transport_fw(all[k], phase, delay);
        }
        wait(100, SC_NS);
        printf("%s %s, ", all[0].get_response_string().c_str(), all[1].get_response_string().c_str());
        wait(100, SC_NS);
        printf("%s\n", all[1].get_response_string().c_str());
    }
    // Five processes of each of two processors call as soon as they may: how many worms of one of them were under way at once,
    // by what is delivered.
    void crowd()
    {
        enum { PROCESSES = 5, CALLS = 4 };
        std::vector<fatfly_delivery> all;
        std::vector<sc_process_handle> processes;
        unsigned good = 0, most[2] = {};
        net.watch([&all](const fatfly_delivery &d) { all.push_back(d); });
        for (unsigned k = 0; k < 2 * PROCESSES; k++)
            processes.push_back(sc_spawn([this, k, &good] {
                for (unsigned j = 0; j < CALLS; j++) {
                    tlm::tlm_generic_payload t;
                    sc_time delay(k / 2 + j, SC_NS);
                    set(t, (1 << 20) + 4, 1 + 5 * k);
                    source[k % 2 ? 2 : 0]->b_transport(t, delay);
                    good += t.is_response_ok() && delay == SC_ZERO_TIME;
                }
            }));
        wait(900, SC_NS);
        for (const fatfly_delivery &d : all) { // those that were there when it came, itself too
            const auto there = std::count_if(all.begin(), all.end(), [&d](const fatfly_delivery &o) {
                return o.src == d.src && o.ready <= d.ready && d.ready <= o.tail;
            });
            most[d.src / 2] = std::max(most[d.src / 2], static_cast<unsigned>(there));
        }
        printf("%zu delivered, %u good, %u and %u at once\n", all.size(), good, most[0], most[1]);
    }
    // Bytes are flits as docs/tlm.md has it.
    void widths()
    {
        const unsigned wide = static_cast<unsigned>(std::stoul(what.substr(5)));
        unsigned wrong = 0;
        for (uint64_t n = 0; n <= 1000; n++)
            for (uint64_t many : {n, n << 20, n << 48})
                wrong += net.flits(many) != 1 + 8 * many / wide + (8 * many % wide ? 1 : 0);
        printf("%u wrong\n", wrong);
    }
    // Time units within a cycle, early and where a double has no room for them: as long after the cycle that begins then or next.
    void far()
    {
        for (uint64_t from : {UINT64_C(1000000), UINT64_C(4611686018428000000)})
            for (uint64_t after : {UINT64_C(0), UINT64_C(1), UINT64_C(999)}) {
                sc_time delay = SC_ZERO_TIME;
                wait(sc_time::from_value(from + after * 100000 + after) - sc_time_stamp());
                source[0]->b_transport(trans, delay);
                printf("%llu ", static_cast<unsigned long long>((sc_time_stamp().value() - from - after * 100000 - (after + 999) / 1000 * 1000)));
            }
        puts("ps");
    }
    void run()
    {
        sc_time delay = SC_ZERO_TIME;
        uint8_t enables[4] = {};
        tlm::tlm_dmi dmi;
        set(trans, (1 << 20) + 4, 4);
        if (is("third"))
            return third();
        if (is("held"))
            return held();
        if (what.compare(0, 5, "width") == 0)
            return widths();
        if (what.compare(0, 5, "crowd") == 0)
            return crowd();
        if (is("far"))
            return far();
        if (is("direct"))
            return (void)printf("%d\n", source[0]->get_direct_mem_ptr(trans, dmi));
        if (is("debug")) {
            const unsigned done = source[0]->transport_dbg(trans);
            return (void)printf("%u%s\n", done, trans.get_address() == (1 << 20) + 4 ? "" : ", and the address is another");
        }
        if (is("phase") || is("end")) {
            trans.set_mm(&manager);
            return phases(is("end") ? tlm::END_RESP : tlm::BEGIN_RESP);
        }
        if (is("manager"))
            return phases(tlm::BEGIN_REQ);
        if (is("address"))
            trans.set_address(4 << 20);
        if (is("last"))
            trans.set_address((2 << 20) - 4);
        if (is("across"))
            trans.set_address((2 << 20) - 2);
        if (is("own"))
            trans.set_address(4);
        if (is("zero"))
            trans.set_data_length(0);
        if (is("long"))
            trans.set_data_length(16384);
        if (is("streaming"))
            trans.set_streaming_width(2);
        if (is("enables"))
            trans.set_byte_enable_ptr(enables);
        if (is("command"))
            trans.set_command(tlm::TLM_IGNORE_COMMAND);
        if (is("target"))
            trans.set_address((1 << 20) + 8);
        source[0]->b_transport(trans, delay);
        printf("%s at %s%s\n", trans.get_response_string().c_str(), sc_time_stamp().to_string().c_str(),
               trans.is_dmi_allowed() ? ", direct memory allowed" : "");
    }
};

} // namespace

int sc_main(int argc, char **argv)
{
    bench b("bench", argc > 1 ? argv[1] : "");
    if (b.what == "far")
        sc_start(sc_time::from_value(UINT64_C(4611686018600000000)));
    else
        sc_start(1, SC_US);
    return 0;
}
