/* SPDX-License-Identifier: Apache-2.0
 * import_options.h - every option of BookSim2, for import.c: in one of these tables, with the defaults of its
 * booksim_config.cpp.
 */
#ifndef FATFLY_IMPORT_OPTIONS_H
#define FATFLY_IMPORT_OPTIONS_H

/* Read below, or needed by nothing else; with BookSim2's default. */
static const struct { const char *name, *value; } known[] = {
    {"topology", "torus"}, {"k", "8"}, {"n", "2"}, {"routing_function", "none"}, {"num_vcs", "16"},
    {"vc_buf_size", "8"}, {"traffic", "uniform"}, {"injection_rate", "0.1"},
    {"injection_rate_uses_flits", "0"}, {"packet_size", "1"}, {"packet_size_rate", "1"},
    {"injection_process", "bernoulli"}, {"burst_alpha", "0.5"}, {"burst_beta", "0.5"}, {"burst_r1", "-1.0"},
    {"sim_type", "latency"}, {"warmup_periods", "3"}, {"sample_period", "1000"}, {"max_samples", "10"},
    {"seed", "0"}, {"use_noc_latency", "1"}, {"routing_delay", "1"}, {"vc_alloc_delay", "1"},
    {"sw_alloc_delay", "1"}, {"st_prepare_delay", "0"}, {"st_final_delay", "1"}, {"speculative", "0"},
    {"classes", "1"}, {"priority", "none"}, {"class_priority", "0"}, {"use_read_write", "0"}, {"write_fraction", "0.5"},
    {"read_request_size", "1"}, {"write_request_size", "1"}, {"read_reply_size", "1"}, {"write_reply_size", "1"},
    {"read_request_begin_vc", "0"}, {"read_request_end_vc", "5"}, {"write_request_begin_vc", "2"},
    {"write_request_end_vc", "7"}, {"read_reply_begin_vc", "8"}, {"read_reply_end_vc", "13"},
    {"write_reply_begin_vc", "10"}, {"write_reply_end_vc", "15"},
    {"wait_for_tail_credit", "0"}, {"input_speedup", "1"}};

/* Has no counterpart but with this value. */
static const struct { const char *name, *value, *why; } only[] = {
    {"c", "1", "one processor a node"},
    {"xr", "1", "one processor a node"},
    {"yr", "1", "one processor a node"},
    {"link_failures", "0", "links do not fail"},
    {"router", "iq", "queues are at the inputs"},
    {"buf_size", "-1", "a queue is one channel's"},
    {"buffer_policy", "private", "a queue is one channel's"},
    {"noq", "0", "no queues by next output"},
    {"vct", "0", "no virtual cut-through"},
    {"subnets", "1", "one network"},
};

/* Changes nothing that we simulate, or not by itself: said in a comment. */
static const struct { const char *name, *why; } differs[] = {
    {"output_delay", "the pipeline ends with the link"},
    {"credit_delay", "a credit takes as long as the link, less a cycle"},
    {"internal_speedup", "each link sends a flit a cycle, from whichever inputs have one"},
    {"output_speedup", "each link sends a flit a cycle, from whichever inputs have one"},
    {"output_buffer_size", "there are no queues at outputs"},
    {"hold_switch_for_packet", "channels of a link take turns flit by flit"},
    {"vc_busy_when_full", "a head may take a channel whose queue is full"},
    {"vc_prioritize_empty", "a head takes the next free channel"},
    {"vc_shuffle_requests", "heads choose in the order in which they came"},
    {"vc_allocator", "heads choose in the order in which they came"},
    {"sw_allocator", "channels of a link take turns"},
    {"arb_type", "channels of a link take turns"},
    {"alloc_iters", "channels of a link take turns"},
    {"perm_seed", "the permutation follows from the seed of the run"},
    {"latency_thres", "saturated is what docs/simulator.md says"},
    {"warmup_thres", "the warm-up is warmup_periods long"},
    {"acc_warmup_thres", "the warm-up is warmup_periods long"},
    {"stopping_thres", "the measurement is max_samples long"},
    {"acc_stopping_thres", "the measurement is max_samples long"},
    {"include_queuing", "latencies begin where a worm is ready, waiting at the source included"},
    {"max_outstanding_requests", "BookSim2 obeys it with sim_type = batch alone; outstanding = N limits requests"},
    {"sim_count", "runs = N gives an interval over runs"},
};

/* Says nothing about the network. */
static const char *const idle[] = {
    "x", "y", "in_ports", "out_ports", "fail_seed", "spec_check_elig", "spec_check_cred",
    "spec_mask_by_reqs", "spec_sw_allocator", "private_bufs", "private_buf_size", "private_buf_start_vc",
    "private_buf_end_vc", "max_held_slots", "feedback_aging_scale", "feedback_offset",
    "vc_priority_donation", "batch_size", "batch_count", "read_request_subnet", "read_reply_subnet",
    "write_request_subnet", "write_reply_subnet", "measure_stats", "pair_stats", "print_activity",
    "print_csv_results", "deadlock_warn_timeout", "viewer_trace", "watch_file", "watch_flits", "watch_packets",
    "watch_transactions", "watch_out", "stats_out", "sent_packets_out", "sim_power", "power_output_file",
    "tech_file", "channel_width", "channel_sweep", "network_file",
};

#endif
