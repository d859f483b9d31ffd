/* SPDX-License-Identifier: Apache-2.0
 * view_fields.h - the fields of struct fatfly_config that the viewer has, once for `fatfly view`, which
 * writes them, and for sim/view/glue.c in the page, which reads them.
 */
#ifndef FATFLY_VIEW_FIELDS_H
#define FATFLY_VIEW_FIELDS_H

enum { VIEW_MAX_PROCESSORS = 1024, VIEW_MAX_GRAPH = 1 << 18 /* characters, with the last 0 */ };

/* NUMBER(field), REAL(field), TRUTH(field), NAME(field, type, names, count) */
#define VIEW_FIELDS(NUMBER, REAL, TRUTH, NAME)                                         \
    NUMBER(nodes)                                                                      \
    NUMBER(radix)                                                                      \
    NUMBER(dimensions)                                                                 \
    NUMBER(depth)                                                                      \
    NUMBER(vcs)                                                                        \
    NAME(bandwidth, fatfly_bandwidth, fatfly_bandwidth_names, FATFLY_BANDWIDTHS)       \
    NAME(injection, fatfly_injection, fatfly_injection_names, FATFLY_INJECTIONS)       \
    NAME(channel_release, fatfly_release, fatfly_release_names, FATFLY_RELEASES)       \
    NUMBER(input_bandwidth)                                                            \
    NUMBER(link_bandwidth)                                                             \
    NUMBER(link_latency)                                                               \
    NUMBER(router_latency)                                                             \
    NUMBER(head_latency)                                                               \
    TRUTH(channels_in_turn)                                                            \
    TRUTH(force)                                                                       \
    NUMBER(flit_bits)                                                                  \
    NAME(discipline, fatfly_discipline, fatfly_discipline_names, FATFLY_DISCIPLINES)   \
    NAME(path, fatfly_path, fatfly_path_names, FATFLY_PATHS)                           \
    NAME(scan, fatfly_scan, fatfly_scan_names, FATFLY_SCANS)                           \
    NAME(lengths, fatfly_lengths, fatfly_length_names, FATFLY_LENGTHS)                 \
    NUMBER(length)                                                                     \
    NUMBER(length_min)                                                                 \
    REAL(length_mean)                                                                  \
    REAL(short_share)                                                                  \
    NAME(pattern, fatfly_pattern, fatfly_pattern_names, FATFLY_PATTERNS)               \
    TRUTH(self_traffic)                                                                \
    REAL(hotspot)                                                                      \
    NUMBER(hotspot_node)                                                               \
    REAL(density)                                                                      \
    NUMBER(rounds)                                                                     \
    NUMBER(delay_range)                                                                \
    NUMBER(phases)                                                                     \
    NUMBER(phase_length)                                                               \
    REAL(load)                                                                         \
    NAME(arrivals, fatfly_arrivals, fatfly_arrival_names, FATFLY_ARRIVALS)             \
    REAL(burst_on)                                                                     \
    REAL(burst_off)                                                                    \
    TRUTH(detect_warmup)                                                               \
    NUMBER(warmup)                                                                     \
    NUMBER(cycles)                                                                     \
    TRUTH(whole)                                                                       \
    NUMBER(seed)                                                                       \
    NUMBER(max_cycles)

#endif
