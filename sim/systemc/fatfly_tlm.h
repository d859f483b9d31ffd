// SPDX-License-Identifier: Apache-2.0
// fatfly_tlm.h - a network with TLM-2.0 sockets, over a session of libfatfly (cmodel/fatfly.h).
//
// A transaction into from_processor[a] becomes a worm of processor a.  Its address says where it goes: address /
// window is the destination, address % window the address there.  When the worm's tail has arrived the transaction
// goes out of to_processor[destination] by b_transport, at the end of that cycle.  docs/tlm.md has the rules of
// time, back pressure and refusal, and what is tested.
#ifndef FATFLY_TLM_H
#define FATFLY_TLM_H

#include "fatfly.h"

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace fatfly {

struct tlm_options {
    sc_core::sc_time cycle{1, sc_core::SC_NS};
    uint64_t window = 1 << 20; // addresses of a processor
    unsigned header = 1;       // flits in front of a worm's data; a read's request is these alone
    unsigned outstanding = 4;  // transactions of a processor under way; 0: any number
};

// Any configuration that fatfly_open() takes, with up to 1024 processors: topology, path, channels, queues, seed.
// What no session can have is an SC_ERROR with one line; what is wrong with a transaction is an SC_WARNING with
// one line and its response status.
class tlm_network : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<tlm_network>> from_processor;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<tlm_network>> to_processor;

    explicit tlm_network(const sc_core::sc_module_name &name, const fatfly_config &config,
                         const tlm_options &options = {});
    ~tlm_network() override;

    // Who is told of each worm that has arrived, replies included, before its transaction goes on.
    void watch(std::function<void(const fatfly_delivery &)> watcher);

    // What fatfly_statistics() says now, digest included.
    fatfly_result statistics() const;

    // Flits of a worm that carries so many bytes.
    uint64_t flits(uint64_t bytes) const;

private:
    struct inside;
    struct job;

    // Those of the interfaces, by the number of the socket.
    void b_transport(int src, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_fw(int src, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    unsigned transport_dbg(int src, tlm::tlm_generic_payload &trans);

    std::string open(const fatfly_config &config, const tlm_options &options);
    void before_end_of_elaboration() override;
    bool refused(unsigned src, tlm::tlm_generic_payload &trans) const;
    void warn(unsigned src, const std::string &text) const;
    void enter(job *j, const sc_core::sc_time &delay);
    void submit(uint64_t cycle);
    void arrive();
    void serve(unsigned dst);
    void finish(job *j);
    void respond(unsigned src);
    void run();

    std::unique_ptr<inside> m_inside; // nullptr: a wrong configuration
};

} // namespace fatfly

#endif
