// SPDX-License-Identifier: Apache-2.0
// tlm_example.cpp - sixteen processors on a butterfly fat-tree, with TLM-2.0 sockets.  Five send 64 bytes to
// processor 5 at once; then one of them reads four back.  docs/tlm.md has the command.
#include "fatfly_tlm.h"

#include <cstdio>
#include <cstring>
#include <list>

using namespace sc_core;

enum { PROCESSORS = 16, SENDERS = 5, TO = 5, BYTES = 64 };

SC_MODULE(processor)
{
    tlm_utils::simple_initiator_socket<processor> out{"out"};
    tlm_utils::simple_target_socket<processor> in{"in"};
    unsigned number;
    unsigned char memory[PROCESSORS * BYTES] = {};

    SC_HAS_PROCESS(processor);
    processor(const sc_module_name &name, unsigned a) : sc_module(name), number(a)
    {
        in.register_b_transport(this, &processor::arrives);
        SC_THREAD(run);
    }

    void transport(tlm::tlm_command command, unsigned address, unsigned char *data, unsigned bytes)
    {
        tlm::tlm_generic_payload trans;
        sc_time delay = SC_ZERO_TIME;
        trans.set_command(command);
        trans.set_address((uint64_t{TO} << 20) + address);
        trans.set_data_ptr(data);
        trans.set_data_length(bytes);
        trans.set_streaming_width(bytes);
        out->b_transport(trans, delay);
        printf("processor %u: %s, %s\n", number, trans.get_response_string().c_str(), sc_time_stamp().to_string().c_str());
    }

    void run()
    {
        unsigned char data[BYTES] = {}, back[4] = {};
        if (number >= SENDERS)
            return;
        memset(data, static_cast<int>(number), sizeof data);
        transport(tlm::TLM_WRITE_COMMAND, number * BYTES, data, BYTES);
        if (number > 0)
            return;
        transport(tlm::TLM_READ_COMMAND, 3 * BYTES, back, 4);
        printf("processor %u: has read %d %d %d %d\n", number, back[0], back[1], back[2], back[3]);
    }

    void arrives(tlm::tlm_generic_payload & trans, sc_time &)
    {
        unsigned char *at = memory + trans.get_address();
        if (trans.is_write())
            memcpy(at, trans.get_data_ptr(), trans.get_data_length());
        else
            memcpy(trans.get_data_ptr(), at, trans.get_data_length());
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

int sc_main(int, char **)
{
    fatfly_config config;
    fatfly_defaults(&config);
    config.nodes = PROCESSORS;
    fatfly::tlm_network network("network", config);
    std::list<processor> processors;
    for (unsigned a = 0; a < PROCESSORS; a++) {
        processors.emplace_back(("processor_" + std::to_string(a)).c_str(), a);
        processors.back().out.bind(network.from_processor[a]);
        network.to_processor[a].bind(processors.back().in);
    }
    sc_start(1, SC_US);
    printf("%llu worms\n", static_cast<unsigned long long>(network.statistics().worms));
    return 0;
}
