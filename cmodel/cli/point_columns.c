/* SPDX-License-Identifier: Apache-2.0
 * point_columns.c - the columns of a point: names, and what they mean.
 */
#include "point_columns.h"

#define ENDS(row, name, help) [row##_LOW] = {name "_low", false, false, help}, \
                              [row##_HIGH] = {name "_high", false, false, "... upper end, cycles"}
/* Of class k. */
#define OF(k)                                                                                             \
    [OF_CLASS_MEASURED + (k)*OF_CLASS] = {"class" #k "_measured", false, false,                           \
                                          "class " #k ": worms whose latency was measured, all runs"},    \
    [OF_CLASS_ACCEPTED + (k)*OF_CLASS] = {"class" #k "_accepted_load", false, false,                      \
                                          "... flits delivered per cycle and processor"},                 \
    [OF_CLASS_MEAN + (k)*OF_CLASS] = {"class" #k "_latency_mean", false, false, "... cycles of a worm"},  \
    [OF_CLASS_P50 + (k)*OF_CLASS] = {"class" #k "_latency_p50", false, false, "... that half do not exceed"}, \
    [OF_CLASS_P99 + (k)*OF_CLASS] = {"class" #k "_latency_p99", false, false, "... 99 %"},                \
    [OF_CLASS_MAX + (k)*OF_CLASS] = {"class" #k "_latency_max", false, false, "... the largest"}

const struct column columns[] = {
    [NODES] = {"nodes", false, false, "N, processors"},
    [LENGTH] = {"length", false, false, "L, flits of a worm, the longest if they vary"},
    [DEPTH] = {"depth", false, false, "q, flits (store, univ: packets) of a queue"},
    [VCS] = {"vcs", false, false, "V, virtual channels of a link"},
    [DISCIPLINE] = {"discipline", true, false, "how packets move"},
    [PATH] = {"path", true, false, "path selection"},
    [SCAN] = {"scan", true, false, "scan order"},
    [PATTERN] = {"pattern", true, false, "where worms go"},
    [LOAD] = {"load", false, false, "offered, flits per cycle and processor; 0: static runs"},
    [RUNS] = {"runs", false, false, "independent runs"},
    [SEED] = {"seed", false, false, "from which the seeds of the runs follow"},
    [LATENCY_MEAN] = {"latency_mean", false, false,
                      "cycles of a worm, ready to tail consumed, both counted; empty unless end is "
                      "done"},
    [LATENCY_CI99] = {"latency_ci99", false, false,
                      "cycles; several runs: half-width of its 99 % interval by Student's t, nothing adjusted; one "
                      "open loop: half of latency_low to latency_high"},
    [LATENCY_MAX] = {"latency_max", false, false,
                     "cycles, the largest of a worm, all runs"},
    [CONGESTION_MEAN] = {"congestion_mean", false, false,
                         "c, the most worms over one link, mean over runs"},
    [LATENCY_PER_CONGESTION] = {"latency_per_congestion", false, false,
                                "static: last_arrival_mean / congestion_mean (GO, table II), cycles a "
                                "worm"},
    [ACCEPTED_LOAD] = {"accepted_load", false, false,
                       "flits delivered per cycle and processor, mean over runs; static: until the "
                       "last arrival"},
    [SATURATED] = {"saturated", false, false, "1 if a run was saturated, else 0"},
    [CYCLES] = {"cycles", false, false, "simulated, all runs"},
    [FLIT_HOPS] = {"flit_hops", false, false,
                   "flits over links, injection and ejection included, all runs"},
    [CPU_S] = {"cpu_s", false, true, "processor time of the runs, seconds"},
    [WALL_S] = {"wall_s", false, true, "time, seconds"},
    [DIGEST] = {"digest", true, false, "of every flit delivered in all runs, 16 hex digits"},
    [ARRIVALS] = {"arrivals", true, false, "open loop: times between worms"},
    [WARMUP] = {"warmup", false, false, "open loop: cycles before the measurement, the longest"},
    [MEASURED] = {"measured", false, false, "worms whose latency was measured, all runs"},
    [LATENCY_P50] = {"latency_p50", false, false, "that half of the worms do not exceed, cycles"},
    [LATENCY_P95] = {"latency_p95", false, false, "... 95 %"},
    [LATENCY_P99] = {"latency_p99", false, false, "... 99 %"},
    [LATENCY_P999] = {"latency_p999", false, false, "... 99.9 %"},
    [SOURCE_WAIT_MEAN] = {"source_wait_mean", false, false,
                          "cycles from generated to the head's injection, a worm"},
    [BLOCKED_MEAN] = {"blocked_mean", false, false,
                      "cycles that the head stood still inside, a worm"},
    [DILATION] = {"dilation", false, false, "d, the longest path, links"},
    [LOAD_FACTOR] = {"load_factor", false, false,
                     "static: largest ratio of worms to links over all subtrees, of all runs"},
    [LENGTHS] = {"lengths", true, false, "how lengths vary"},
    [SELF_TRAFFIC] = {"self_traffic", false, false, "1 if the source itself may be drawn, else 0"},
    [ROUNDS] = {"rounds", false, false,
                "static: worms of each processor; of an algorithm that works in rounds, how many it "
                "took, the most of all runs"},
    [DELAY_RANGE] = {"delay_range", false, false, "static: R, of initial delays or ranks"},
    [START] = {"start", true, false, "store, split: inputs that rr and ff may start from"},
    [OVERHEAD] = {"overhead", false, false, "split: share of flits that addresses add"},
    [LENGTH_MIN] = {"length_min", false, false, "flits of the shortest worm, if lengths vary"},
    [HOTSPOT] = {"hotspot", false, false, "pattern hotspot: share that goes to one processor"},
    [TOPOLOGY] = {"topology", true, false, "how switches are connected"},
    [UTILISATION] = {"utilisation", false, false,
                     "share of the link cycles in which a flit crosses, links of processors left "
                     "out (BC, equation 1)"},
    [WAIT_MEAN] = {"wait_mean", false, false,
                   "latency less what the same worm takes alone, cycles a worm (BC's w)"},
    [RADIX] = {"radix", false, false, "torus, mesh: k, nodes of a dimension"},
    [DIMENSIONS] = {"dimensions", false, false, "torus, mesh: n"},
    [BANDWIDTH] = {"bandwidth", true, false, "torus, mesh, ..: how virtual channels share a link"},
    [LINK_BANDWIDTH] = {"link_bandwidth", false, false,
                        "torus, mesh, ..: B, flits that cross a link in a cycle"},
    [DENSITY] = {"density", false, false,
                 "packing, spreading, monotone: share of the processors that send"},
    [INJECTION] = {"injection", true, false,
                   "torus, mesh, ..: one queue at a source, or one for each virtual channel"},
    [LAST_ARRIVAL_MEAN] = {"last_arrival_mean", false, false,
                           "static and trace: cycle of a run's last tail, from 0, mean over runs (GO's "
                           "latency)"},
    [LAST_ARRIVAL_CI99] = {"last_arrival_ci99", false, false,
                           "cycles, half-width of its 99 % confidence interval, Student's t over runs"},
    [LAST_ARRIVAL_MAX] = {"last_arrival_max", false, false, "cycle, the latest of all runs"},
    [END] = {"end", true, false,
             "how the runs ended, the worst: done, saturated, cut (max-cycles), stopped (by the caller "
             "of the library), deadlock"},
    [VERDICT] = {"verdict", true, false,
                 "open loop: stable, undecided (run longer) or saturated; of a mean that is not stable "
                 "nothing is promised"},
    [CYCLES_NEEDED] = {"cycles_needed", false, false,
                       "open loop: measured cycles (--cycles) that are about enough for a verdict and an "
                       "interval; empty if saturated"},
    [BATCHES] = {"batches", false, false, "one open loop: uncorrelated batches behind its interval"},
    ENDS(LATENCY, "latency", "cycles, lower end of the 99 % interval of latency_mean, adjusted for skewness; "
         "empty where nothing honest can be said"),
    ENDS(LAST_ARRIVAL, "last_arrival", "cycles, likewise of last_arrival_mean"),
    ENDS(P50, "latency_p50", "cycles, lower end of the 99 % interval of latency_p50"),
    ENDS(P95, "latency_p95", "cycles, likewise of latency_p95"),
    ENDS(P99, "latency_p99", "cycles, likewise of latency_p99"),
    ENDS(P999, "latency_p999", "cycles, likewise of latency_p999"),
    [LINK_LATENCY] = {"link_latency", false, false, "torus, mesh, ..: cycles; 1: a flit has come when it has crossed"},
    [ROUTER_LATENCY] = {"router_latency", false, false, "torus, mesh, ..: cycles from a flit's coming to where it can go on"},
    [CLASSES] = {"classes", false, false, "of worms, without those of replies; empty: one, and no replies"},
    [CLASS_LENGTH] = {"class_length", true, false, "flits of the worms of each class, with / between them"},
    [CLASS_SHARE] = {"class_share", true, false, "share of the load of each class, replies included"},
    [CLASS_PRIORITY] = {"class_priority", true, false, "of each class, then of their replies"},
    [CLASS_CHANNELS] = {"class_channels", true, false, "shared or reserved"},
    [REPLY] = {"reply", true, false, "flits of the reply to a worm of each class"},
    [REPLY_DELAY] = {"reply_delay", false, false, "cycles between a request's tail and its reply"},
    [OUTSTANDING] = {"outstanding", false, false, "requests that a processor may have without replies"},
    [ROUND_TRIP_MEAN] = {"round_trip_mean", false, false,
                         "cycles from a request's being ready to its reply's tail: means of both latencies, and "
                         "reply_delay; several classes: by requests"},
    OF(0),
    OF(1),
    OF(2),
    OF(3),
};
const unsigned columns_count = COLUMNS;
