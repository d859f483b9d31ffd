/* SPDX-License-Identifier: Apache-2.0
 * fatfly.h - networks of butterfly fat-tree switches, tori, meshes, butterflies and other graphs,
 * simulated cycle by cycle: the one public header of libfatfly.  docs/example.c is a program that uses it.
 *
 * Fill a struct fatfly_config from fatfly_defaults(), call fatfly_run(), read the struct
 * fatfly_result.  The library needs libc and libm alone, prints nothing, never exits and keeps no
 * globals: runs on different threads do not know of each other.  The same configuration and seed
 * give the same result, digest included, on every machine, compiler and engine.
 *
 * Terms (GO I): a worm is a packet of L flits; a flit crosses one link in a cycle (GO: flit-step).
 * Loads are flits per cycle and processor.  Sources: GO = Greenberg and Oh 1997, GG = Greenberg
 * and Guan 1997, BC = Boppana and Chalasani 1993, L = Leighton 1992, CMSV = Cypher, Meyer auf der
 * Heide, Scheideler and Voecking 1996.
 */
#ifndef FATFLY_H
#define FATFLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* all else in the shared library is hidden */

#define FATFLY_VERSION "0.2.0"

/* How packets move (GO III.B.2). */
enum fatfly_discipline {
    FATFLY_WORM,   /* wormhole */
    FATFLY_STORE,  /* whole packets, store and forward */
    FATFLY_UNIV,   /* whole packets in order of random ranks, with ghosts (GO's [15]) */
    FATFLY_SPLIT,  /* every flit a packet of its own */
    FATFLY_PHASED, /* WORM with the delays of Algorithm A (GO II) */
    /* Universal algorithms in rounds, static runs (CMSV): worms never wait in the network. */
    FATFLY_CMSV1,          /* routing algorithm 1: all are discarded where more than B meet */
    FATFLY_CMSV2,          /* routing algorithm 2: random ranks, the B lowest win */
    FATFLY_CMSV_STORE,     /* corollary 1.4: the same with packets; B is depth */
    FATFLY_CMSV_PROTOCOL,  /* theorem 1.8: algorithm 1 with packets on shortest paths */
    FATFLY_CMSV_BUTTERFLY, /* 4.4.1: the butterfly's, with fixed ranks */
    FATFLY_DISCIPLINES
};

/* How a head chooses its way.  Butterfly fat-tree: which parent it wants going up, numbered as enum
 * path_select and the RTL's PATH.  The rest: other topologies, each of which takes some. */
enum fatfly_path {
    FATFLY_FP, FATFLY_RP, FATFLY_GP, FATFLY_RG, FATFLY_RW,
    FATFLY_GREEDY,           /* the one path, or one of the shortest, that there is (L) */
    FATFLY_E_CUBE,           /* torus, mesh: dimension after dimension (BC) */
    FATFLY_NORTH_LAST,       /* partially adaptive (BC) */
    FATFLY_POSITIVE_HOP,     /* adaptive, a virtual channel for each hop (BC) */
    FATFLY_NEGATIVE_HOP,     /* adaptive, a virtual channel for every other hop (BC) */
    FATFLY_MINIMAL_ADAPTIVE, /* adaptive, any virtual channel: can deadlock */
    FATFLY_LOOSE_HOP,        /* the variation of positive-hop of BC's footnote 1: can deadlock */
    FATFLY_BALANCED_E_CUBE,  /* e-cube whose two classes carry about the same */
    FATFLY_WALK,             /* graph: no destination, each worm walks at random (CMSV's paths) */
    FATFLY_PATHS
};

/* How the virtual channels of a link share it (BC 2.1); not the butterfly fat-tree's. */
enum fatfly_bandwidth {
    FATFLY_FIXED_SHARE, /* each has 1/V of the cycles: a flit takes V cycles */
    FATFLY_ON_DEMAND,   /* those that can send take turns */
    FATFLY_BANDWIDTHS
};

/* When a worm gives up a virtual channel; not the butterfly fat-tree's, WORM and PHASED. */
enum fatfly_release {
    FATFLY_TAIL_GONE,   /* when its tail has left the queue: a queue holds flits of one worm */
    FATFLY_TAIL_SENT,   /* when its tail has crossed the link: the next worm's flits lie behind it */
    FATFLY_RELEASES
};

/* Where the worms of a processor wait until they enter (BC leave it open); not the butterfly
 * fat-tree's. */
enum fatfly_injection {
    FATFLY_ONE_QUEUE,   /* in one queue, the first asks for a channel */
    FATFLY_PER_CHANNEL, /* in a queue for each virtual channel, the first of each asks: a worm is in
                           that of the one that it may take first */
    FATFLY_INJECTIONS
};

/* Which of several inputs gets an output; numbered as enum scan_order and the RTL's SCAN. */
enum fatfly_scan { FATFLY_RR, FATFLY_FO, FATFLY_FF, FATFLY_ROT, FATFLY_FCFS, FATFLY_SCANS };

/* How the random scans RR and FF draw the input to start from (GO III.B.2 leaves it open). */
enum fatfly_start {
    FATFLY_ANY,     /* among all input ports, as the hardware does */
    FATFLY_WAITING, /* among the inputs that hold a packet; STORE and SPLIT */
    FATFLY_STARTS
};

/* Where worms go. */
enum fatfly_pattern {
    FATFLY_RANDOM,         /* a uniformly random processor */
    FATFLY_COMPLEMENT,     /* a to N - 1 - a */
    FATFLY_MANY_TO_1,      /* 0 .. N/2 - 1 to N - 1, the rest to 0 */
    FATFLY_TRANSPOSE,      /* the halves of the address bits change places */
    FATFLY_BIT_REVERSAL,
    FATFLY_BIT_COMPLEMENT, /* all address bits inverted: the same map as complement */
    FATFLY_SHUFFLE,        /* address bits rotate left by one */
    FATFLY_NEIGHBOUR,      /* a to a + 1 */
    FATFLY_HOTSPOT,        /* as random, but a fraction goes to one processor */
    FATFLY_PERMUTATION,    /* a to permutation[a] */
    FATFLY_IDENTITY,       /* a to a: worms that stay at home, but on a butterfly cross it */
    FATFLY_RANDOM_PERMUTATION, /* which follows from the seed */
    /* Not all send, and those that do keep their order (L 3.4): */
    FATFLY_PACKING,        /* processors at random, to 0, 1, .. */
    FATFLY_SPREADING,      /* 0, 1, .., to processors at random */
    FATFLY_MONOTONE,       /* processors at random, to processors at random */
    FATFLY_MESSAGES,       /* a recorded list: messages[] */
    /* On a torus and a mesh digit by digit of the address, elsewhere as on one ring of N: */
    FATFLY_TORNADO,        /* each digit x of k to x + ceil(k / 2) - 1 */
    FATFLY_DIGIT_NEIGHBOUR,/* each digit x to x + 1 */
    FATFLY_DIAGONAL,       /* a to a + 1 with chance 1/3, else a to itself */
    FATFLY_ASYMMETRIC,     /* a to a mod N/2 or to N/2 more, even chances */
    FATFLY_MATRIX,         /* by weights: matrix[] */
    FATFLY_PATTERNS
};

enum fatfly_arrivals {
    FATFLY_GEOMETRIC,
    FATFLY_POISSON,
    FATFLY_ON_OFF, /* geometric in periods of burst_on cycles on average, none in the burst_off between */
    FATFLY_ARRIVALS
};

/* Flits of a worm (GO III.A.2). */
enum fatfly_lengths {
    FATFLY_FIXED,     /* length */
    FATFLY_UNIFORM,   /* length_min .. length */
    FATFLY_TRUNCATED, /* length_min + geometric with mean length_mean, truncated at length */
    FATFLY_BIMODAL,   /* length_min with chance short_share, else length */
    FATFLY_MIX,       /* mix[].length by mix[].weight */
    FATFLY_LENGTHS
};

/* Which virtual channels worms of a class may take; not the butterfly fat-tree's. */
enum fatfly_class_channels {
    FATFLY_SHARED,   /* all that the routing gives */
    FATFLY_RESERVED, /* V / K each, class 0 the lowest; with replies V / 2: requests the lower ones */
    FATFLY_CLASS_CHANNELS
};

/* Which implementation; all that can run a configuration give the same digest. */
enum fatfly_engine {
    FATFLY_AUTO,  /* the fastest that can */
    FATFLY_FAST,  /* worms as bit vectors; WORM and PHASED on a butterfly fat-tree */
    FATFLY_CYCLE, /* every switch in every cycle: the model that is compared with the Verilog */
    FATFLY_ENGINES
};

enum {
    FATFLY_MAX_LEVELS = 10,     /* of the switch, and of the butterfly fat-tree; */
    FATFLY_LARGEST_LEVELS = 12, /* of worms over one channel, without plug-ins and replies */
    FATFLY_MAX_DEPTH = 16,
    FATFLY_UNBOUNDED = 1 << 30, /* a depth: queues of any length */
    FATFLY_MAX_CHANNELS = 129,  /* virtual channels of a link; butterfly fat-tree: 4 */
    FATFLY_MAX_BANDWIDTH = 64,
    FATFLY_MAX_LATENCY = 64,   /* cycles of a link, of a router */
    FATFLY_TREE_PATHS = FATFLY_GREEDY, /* of enum fatfly_path, the butterfly fat-tree's */
    FATFLY_MAX_STAGES = 24,     /* levels of links of any topology */
    FATFLY_MAX_LENGTH = 4096,
    FATFLY_SMALLEST_SHARED = 16384, /* processors; a cycle of fewer is too short for several threads */
    FATFLY_MAX_MIX = 8,          /* lengths of MIX */
    FATFLY_MAX_CLASSES = 4,      /* of worms, those of replies included */
    FATFLY_MAX_OUTSTANDING = 65535,
    FATFLY_MAX_MATRIX = 4096,    /* processors of MATRIX */
    FATFLY_BATCHES = 32,
    FATFLY_SERIES = 1024, /* of them a multiple: short batches, in which a run is kept */
    FATFLY_BUCKETS = 2304
};

struct fatfly_plugin; /* fatfly_plugin.h */

struct fatfly_size {
    unsigned length; /* flits */
    double weight;   /* share of the worms, to a common factor; above 0 */
};

struct fatfly_message {
    uint64_t ready; /* cycle from which it may enter */
    uint32_t src;
    uint32_t dst;
    uint32_t length; /* flits, head and tail included */
};

/* Names as on the command line, e.g. fatfly_discipline_names[FATFLY_WORM] is "worm". */
extern const char *const fatfly_discipline_names[FATFLY_DISCIPLINES];
extern const char *const fatfly_path_names[FATFLY_PATHS];
extern const char *const fatfly_scan_names[FATFLY_SCANS];
extern const char *const fatfly_start_names[FATFLY_STARTS];
extern const char *const fatfly_pattern_names[FATFLY_PATTERNS];
extern const char *const fatfly_arrival_names[FATFLY_ARRIVALS];
extern const char *const fatfly_length_names[FATFLY_LENGTHS];
extern const char *const fatfly_engine_names[FATFLY_ENGINES];
extern const char *const fatfly_bandwidth_names[FATFLY_BANDWIDTHS];
extern const char *const fatfly_injection_names[FATFLY_INJECTIONS];
extern const char *const fatfly_class_channel_names[FATFLY_CLASS_CHANNELS];
extern const char *const fatfly_release_names[FATFLY_RELEASES];
extern const char *const fatfly_end_names[]; /* [FATFLY_ENDS]: of enum fatfly_end, below */

/* Name of topology k = 0, 1, ..; NULL when there are no more.  0 is "fat-tree", the default. */
const char *fatfly_topology_name(unsigned k);

/* All that decides the result of a run.  load = 0: a static run, every processor sends `rounds`
 * worms; the run ends when all have arrived.  load > 0: open loop; worms arrive at random for
 * warmup + cycles cycles and longer, until all that were generated in the `cycles` have arrived. */
struct fatfly_config {
    /* the network */
    const char *topology; /* a name of fatfly_topology_name(); NULL: "fat-tree" */
    const char *graph;    /* topology "graph": the text of its description (docs/topologies.md) */
    const char *graph_name; /* and what messages call it; may be NULL */
    uint32_t nodes;       /* N processors; butterfly fat-tree: 4^n, n = 1 .. 10; torus and mesh:
                             radix^dimensions; butterflies: 2^n rows */
    unsigned radix;       /* k, torus and mesh: nodes of a dimension, 2 .. 64 */
    unsigned dimensions;  /* n, torus and mesh: 1 .. 4 */
    bool processor_links; /* torus and mesh: a processor has a link into its router and one back, of V channels each;
                             else worms enter the router's links to its neighbours, and are consumed from them */
    unsigned depth;       /* q: flits (STORE, UNIV: packets) that a queue holds, 1 .. 16, or
                             FATFLY_UNBOUNDED where the topology is another one; CMSV_STORE and
                             CMSV_PROTOCOL: A, UNBOUNDED: what the theorem asks for */
    unsigned vcs;         /* V: virtual channels of a link, 1, 2 or 4; 1 unless WORM or PHASED;
                             other topologies: 1 .. 129, or 0: what the path selection needs */
    enum fatfly_bandwidth bandwidth; /* of the virtual channels of a link; other topologies */
    enum fatfly_injection injection; /* other topologies, WORM and PHASED */
    enum fatfly_release channel_release; /* the same */
    bool channels_in_turn;   /* the same: of the free channels of a link a head takes the next after the one that was
                             taken last there; else the lowest */
    unsigned link_bandwidth; /* B: packets, or flits of different worms, that cross a link in a
                             step, 1 .. 64 (CMSV); other topologies, CMSV1 and CMSV2 */
    unsigned input_bandwidth; /* ON_DEMAND, WORM and PHASED: flits that the queues behind a link, or the
                             sources of a node, send on in a cycle, 1 .. 64; 0: as many as there are links */
    unsigned link_latency; /* cycles from the end of a flit's crossing to its coming, less 1: 1 .. 64; a
                             credit takes link_latency - 1 back */
    unsigned router_latency; /* cycles that a flit then takes through the router, 0 .. 64.  Both: other
                             topologies, WORM and PHASED; queues keep room for what is under way */
    unsigned head_latency; /* the same: cycles that a head stands at the front of a queue before it asks for a channel, of
                             routing and allocation, 0 .. 64 */
    const struct fatfly_plugin *plugin; /* NULL, or callbacks: route() replaces path, before() the order
                             in which heads choose, both in WORM on another topology than the butterfly
                             fat-tree; destination() pattern RANDOM, gap() GEOMETRIC arrivals */
    bool force;           /* run without asking fatfly_deadlock_free() first */
    unsigned flit_bits;   /* payload of a flit, 16 .. 64; 0: 32 if a head fits, else 64 */
    enum fatfly_discipline discipline;
    enum fatfly_path path;
    enum fatfly_scan scan;
    enum fatfly_start start;
    /* the worms */
    enum fatfly_lengths lengths;
    unsigned length;      /* L: flits of a worm, the longest if they vary, 1 .. 4096 */
    unsigned length_min;  /* of lengths that vary */
    double length_mean;   /* TRUNCATED: of the distribution before it is cut at length */
    double short_share;   /* BIMODAL: share of worms with length_min flits, 0 .. 1 */
    struct fatfly_size mix[FATFLY_MAX_MIX]; /* MIX: [mix_count], lengths from length_min to length */
    unsigned mix_count;
    enum fatfly_pattern pattern;
    bool self_traffic;    /* RANDOM and HOTSPOT may draw the source; such worms stay at home, unless sources and
                             destinations lie apart (butterflies, processor_links) */
    double hotspot;       /* HOTSPOT: fraction that goes to hotspot_node on top of its share */
    uint32_t hotspot_node;
    double density;       /* PACKING, SPREADING, MONOTONE: share of the processors that send, 0 .. 1;
                             which ones follows from the seed */
    const uint32_t *permutation;            /* PERMUTATION: [nodes] */
    const double *matrix; /* MATRIX: [nodes * nodes], weight of src * nodes + dst, 0 or more; a row's
                             sum over the mean row's is that processor's part of the load */
    const struct fatfly_message *messages;  /* MESSAGES: [message_count], by ready */
    size_t message_count;
    /* classes of worms, and replies (docs/classes.md): WORM */
    unsigned classes;     /* K: drawn for each worm, 1 .. FATFLY_MAX_CLASSES; with replies half as many */
    unsigned class_length[FATFLY_MAX_CLASSES];  /* flits of the worms of each; 0: as lengths say */
    bool class_patterns;  /* class_pattern[] is in place of pattern, which then is RANDOM */
    enum fatfly_pattern class_pattern[FATFLY_MAX_CLASSES]; /* where worms of each class go; no MESSAGES, none
                                                   in which not all send; rows of a matrix have equal sums */
    double class_share[FATFLY_MAX_CLASSES];     /* of the load, replies included, to a common factor; all 0:
                                                   equal */
    unsigned class_priority[FATFLY_MAX_CLASSES];/* of each, replies' included: higher ones go first; other
                                                   topologies */
    enum fatfly_class_channels class_channels;
    unsigned reply[FATFLY_MAX_CLASSES]; /* flits of the reply that the destination of a worm of class k sends
                                           back, which is of class K + k; of all classes, or all 0: none.
                                           load is of worms and replies together */
    unsigned reply_delay; /* cycles from a request's tail to its reply's being ready, less 1 */
    unsigned outstanding; /* requests of a processor whose replies have not come: it makes no more; what
                             it would have made comes late.  1 .. FATFLY_MAX_OUTSTANDING; 0: any number */
    /* static runs */
    unsigned rounds;      /* worms that each processor sends */
    unsigned delay_range; /* R: initial delays 0 .. R - 1 in packet-steps (STORE, SPLIT), in
                             L * log2 N cycles (WORM); UNIV: ranks 1 .. R; CMSV, where R > 1: in
                             place of the paper's, in CMSV1 and CMSV_PROTOCOL but for round 0 */
    uint64_t phases;      /* PHASED: delays of 0 .. phases - 1 phases; 0: twice c * L (GO II) */
    uint64_t phase_length;/* PHASED: T, cycles; 0: on a butterfly fat-tree the longest latency of a
                             lone worm, L + 2 log4 N - 1, on other networks that and one */
    double overhead;      /* SPLIT: addresses make a packet ceil(L * (1 + overhead)) flits */
    /* open loop */
    double load;          /* offered, flits per cycle and processor, 0 .. 1 */
    enum fatfly_arrivals arrivals;
    double burst_on;      /* ON_OFF: mean cycles of a period in which worms arrive, 1 .. 1e9 */
    double burst_off;     /* ... and of one in which none do */
    bool detect_warmup;   /* find the end of the warm-up; warmup is then the longest allowed */
    uint64_t warmup;      /* cycles before the measurement */
    uint64_t cycles;      /* cycles of the measurement */
    bool whole;           /* measure all of them where the network is saturated, too, as BC do;
                             otherwise a run ends soon after its worms have become too many */
    /* the run */
    uint64_t seed;
    uint64_t max_cycles;  /* give up after so many cycles; 0: never */
    enum fatfly_engine engine;
    unsigned parts;       /* threads that share a run of fatfly_run(), a power of two up to 64; 0, 1:
                             one.  The result does not depend on it.  See fatfly_parts().  With
                             hooks->ranks: processes */
};

/* What links of one level and direction did, in the measured cycles. */
struct fatfly_level {
    uint64_t links;     /* how many there are */
    uint64_t flits;     /* that crossed them */
    uint64_t worms;     /* heads that crossed them */
    uint64_t waited;    /* cycles that those heads stood at the front of a queue before crossing */
    uint64_t occupancy; /* flits in the queues at their far ends, summed over the samples */
};

/* What worms of one class did; the fields of struct fatfly_result of these names are the sums over classes. */
struct fatfly_of_class {
    uint64_t worms, flits;
    uint64_t measured;
    uint64_t latency_sum, latency_max;
    uint64_t offered_flits, accepted_flits;
    uint64_t histogram[FATFLY_BUCKETS];
};

enum fatfly_end {
    FATFLY_DONE,       /* static: all worms arrived; open loop: all measured ones did */
    FATFLY_SATURATED,  /* open loop: more is offered than accepted; latencies have no mean */
    FATFLY_CUT,        /* max_cycles was reached */
    FATFLY_STOPPED,    /* the caller's poll said so */
    FATFLY_DEADLOCKED, /* worms wait for each other for ever: fatfly_run() said FATFLY_DEADLOCK */
    FATFLY_ENDS
};

struct fatfly_result {
    enum fatfly_end end;
    uint64_t digest;       /* of every flit delivered: worm, place, cycle, processor, channel */
    uint64_t cycles;       /* simulated */
    uint64_t flit_hops;    /* flits over links, those of processors where they have any, whole run */
    uint64_t worms;        /* delivered, whole run */
    uint64_t flits;        /* delivered, whole run */
    uint64_t self_worms;   /* drawn for their own source; they never enter the network */
    /* Latency of a worm: cycles from the one in which it was ready to the one in which its tail was
     * consumed, both counted (GG eq. 1), so at least 2h + L - 1 for height h.  The latency of a
     * static run is last_arrival (GO III.B.3). */
    uint64_t last_arrival; /* cycle of the last tail, counted from 0 */
    uint64_t measured;     /* worms */
    uint64_t latency_sum;
    uint64_t latency_max;
    uint64_t wait_sum;     /* latencies less those of the same worms alone (BC's w), summed */
    uint64_t source_wait;  /* cycles from ready to the head's injection, summed */
    uint64_t blocked;      /* cycles that heads stood still inside the network, summed */
    uint64_t histogram[FATFLY_BUCKETS]; /* fatfly_bucket() */
    uint64_t batch_sum[FATFLY_BATCHES]; /* latencies, by time of generation (open loop) */
    uint64_t batch_count[FATFLY_BATCHES];
    uint64_t series_sum[FATFLY_SERIES]; /* the same in shorter batches */
    uint64_t series_count[FATFLY_SERIES];
    uint64_t backlog_from; /* open loop: worms under way when the measurement began ... */
    uint64_t backlog_to;   /* ... and when it ended; generated_in is what came in between */
    uint64_t generated_in; /* worms generated in the measured cycles */
    /* the instance */
    uint32_t congestion;   /* c: the most worms over one link, injection and ejection included */
    uint32_t dilation;     /* d: the longest path, links */
    uint32_t algorithm_rounds; /* of an algorithm that works in rounds (CMSV) */
    double load_factor;    /* static: largest ratio of worms to links over all subtrees' cuts */
    /* open loop */
    uint64_t measure_from; /* first measured cycle */
    uint64_t measure_cycles;
    uint64_t offered_flits;  /* generated in the measured cycles */
    uint64_t accepted_flits; /* delivered in the measured cycles */
    bool warmed_up;          /* the end of the warm-up was found (detect_warmup) or given */
    /* links from level l to l + 1 (up) and back (down); level 0 is the processors */
    struct fatfly_level up[FATFLY_MAX_STAGES];   /* other topologies: level d is dimension d, up */
    struct fatfly_level down[FATFLY_MAX_STAGES]; /* is towards higher digits; or levels of links */
    uint32_t classes;      /* of worms, replies' included; 1: by_class[] is all zero */
    struct fatfly_of_class by_class[FATFLY_MAX_CLASSES]; /* class K + k: replies to class k */
    uint64_t samples;      /* of queue occupancy, one every 64 measured cycles */
    uint64_t occupied[FATFLY_MAX_DEPTH + 1]; /* queues found with so many flits, all samples */
};

/* Whether an open loop has a mean latency (docs/intervals.md). */
enum fatfly_verdict {
    FATFLY_STABLE,    /* it has, and here is its interval */
    FATFLY_UNDECIDED, /* the run is too short to say: run longer */
    FATFLY_UNSTABLE   /* it has none: more is offered than accepted */
};

struct fatfly_judgement {
    enum fatfly_verdict verdict;
    double mean;      /* latency of all measured worms, cycles; NaN: none was measured */
    double low, high; /* its 99 % interval; NaN unless stable */
    unsigned batches; /* from which it is */
    uint64_t cycles;  /* measured cycles that are about enough for a verdict; 0: unstable */
};

struct fatfly_observer; /* below */
struct fatfly_wait;

/* What a process sends another in a cycle, and where what comes from there belongs. */
struct fatfly_letter {
    const void *out;
    size_t size;  /* bytes of out, never 0 */
    void *in;
    size_t room;  /* bytes of in: no letter is longer */
};

/* A run that processes without common memory share (docs/mpi.md): config.parts of them call fatfly_run() with
 * equal configurations and seeds, and each gets the whole result.  Each holds the memory of its part. */
struct fatfly_ranks {
    void *context;
    unsigned rank; /* of this process, 0 .. config.parts - 1 */
    /* Once a cycle: letter[k].out to process k, letter[k].in from it, for all k but rank.  False: that
     * cannot be; the run ends with FATFLY_BROKEN. */
    bool (*exchange)(void *context, const struct fatfly_letter *letter);
    /* `size` bytes of every process, in order of ranks, to every process; mine may lie in its place of all. */
    bool (*gather)(void *context, const void *mine, void *all, size_t size);
};

/* What a run may call back, from the thread that runs. */
struct fatfly_hooks {
    /* Called every few thousand cycles; false ends the run with FATFLY_STOPPED.  May be NULL. */
    bool (*poll)(void *context, uint64_t cycle, uint64_t delivered);
    void *context;
    uint32_t *link_worms; /* NULL, or [fatfly_links()]: worms that were given each link, for c */
    uint32_t (*histograms)[FATFLY_BUCKETS]; /* NULL, or [FATFLY_BATCHES]: of the latencies of each
                                               batch of an open loop, all zero before the run */
    const struct fatfly_observer *observer; /* NULL, or who is told of every move; an engine that cannot
                                               tell is not taken: another one runs, with the same result */
    /* NULL, or called for each worm of the circle of a deadlock, in order; context as for poll. */
    void (*waits)(void *context, const struct fatfly_wait *w);
    const struct fatfly_ranks *ranks; /* NULL, or the run is shared among processes: poll and link_worms are
                                         then those of all, which must answer, and be there, alike */
};

enum fatfly_status {
    FATFLY_OK = 0,
    FATFLY_BAD_CONFIG = -1, /* why says what was read and what is allowed */
    FATFLY_NO_MEMORY = -2,  /* why says how much is needed */
    FATFLY_BROKEN = -3,     /* a check at the end of a run failed: a bug of ours; why says which */
    FATFLY_DEADLOCK = -4    /* worms wait for each other for ever; why shows the circle.  Of a run that
                               began, the result has what was measured until then, and end says so */
};

void fatfly_defaults(struct fatfly_config *c);

/* The same for a topology and a discipline: the size, path, channels and queues that the command takes there.  A graph
 * and its processors are left to the caller. */
void fatfly_defaults_of(struct fatfly_config *c, const char *topology, enum fatfly_discipline d);

/* FATFLY_VERSION of the library that runs, which may be another than that of this header. */
const char *fatfly_version(void);

/* FATFLY_OK, or FATFLY_BAD_CONFIG with one line in why[size]. */
int fatfly_check(const struct fatfly_config *c, char *why, size_t size);

/* One run with config->seed.  Returns a fatfly_status; *r is whole only for FATFLY_OK. hooks may be
 * NULL. */
int fatfly_run(const struct fatfly_config *c, const struct fatfly_hooks *hooks,
               struct fatfly_result *r, char *why, size_t size);

/* Threads that a run of this configuration will have: c->parts, or fewer.  A butterfly fat-tree of N
 * processors, from FATFLY_SMALLEST_SHARED on, can have sqrt(N) / 2 under WORM and PHASED with one virtual
 * channel and without replies or a plug-in; all else has one. */
unsigned fatfly_parts(const struct fatfly_config *c);

/* The most processes that can share a run of this configuration (hooks->ranks): a power of two, and every
 * smaller one will do, too; 1: it cannot be shared. */
unsigned fatfly_ranks_most(const struct fatfly_config *c);

/* Bytes that each of config.parts processes needs, about. */
uint64_t fatfly_rank_memory(const struct fatfly_config *c);

/* A session: a network that the caller drives.  The configuration's network, discipline and seed
 * count, its pattern, load, rounds and replies do not; graph and graph_name must outlive the session.  What is
 * sent as fatfly_run() would have sent it gives its digest, unless its pattern has worms that stay at home, which count there.  UNIV and those of CMSV must know all worms
 * before they begin: they take none after the first fatfly_advance(); in those of CMSV all are ready in
 * cycle 0, and the rounds can be given up, which fatfly_advance() reports as FATFLY_BAD_CONFIG. */
struct fatfly_session;

struct fatfly_worm {
    uint64_t ready;   /* cycle from which it may enter: not before the session's, nor before that of
                         the last one from src */
    uint64_t tag;     /* the caller's */
    uint32_t src, dst;/* not the same, unless the topology has links between them */
    uint32_t length;  /* flits, 1 .. FATFLY_MAX_LENGTH; STORE, UNIV, CMSV: config.length */
    uint32_t parents; /* butterfly fat-tree with path FP: bit l - 1 is the parent to take at level l */
    uint32_t of_class;/* 0 .. config.classes - 1; an observer is told those of replies, too */
};

struct fatfly_delivery {
    uint64_t tag;
    uint64_t ready;
    uint64_t injected; /* cycle in which its head crossed the first link */
    uint64_t head;     /* ... and the last one */
    uint64_t tail;     /* cycle in which its tail arrived */
    uint32_t src, dst, length;
    uint32_t links;    /* of its path */
    uint32_t of_class;
};

/* All that return an int: a fatfly_status.  After any but FATFLY_OK and FATFLY_BAD_CONFIG a session
 * can only be read, restored or closed.  *s is NULL unless fatfly_open() returns FATFLY_OK. */
int fatfly_open(struct fatfly_session **s, const struct fatfly_config *c, char *why, size_t size);
void fatfly_close(struct fatfly_session *s);
int fatfly_send(struct fatfly_session *s, const struct fatfly_worm *w, char *why, size_t size);

/* To a cycle, or, if until_delivery, to the first one in which fatfly_poll() has something.  Where
 * packets move in steps of several cycles it ends at the end of a step. */
int fatfly_advance(struct fatfly_session *s, uint64_t cycle, bool until_delivery, char *why,
                   size_t size);

/* Takes the oldest delivery that was not taken; false: there is none.  CMSV_STORE and CMSV_PROTOCOL find their deliveries stage
 * by stage, not in order of the tail's cycle. */
bool fatfly_poll(struct fatfly_session *s, struct fatfly_delivery *d);

/* The session's cycle, and the first at or after it in which something can happen; UINT64_MAX: nothing
 * will until something is sent. */
uint64_t fatfly_now(const struct fatfly_session *s);
uint64_t fatfly_next_event(const struct fatfly_session *s);

/* What was measured so far, as of a static run; end is FATFLY_CUT while something is under way, and
 * load_factor is 0. */
void fatfly_statistics(struct fatfly_session *s, struct fatfly_result *r);

/* A session whose worms are those of fatfly_run(): all of the configuration counts.  It ends when
 * fatfly_run() would, at fatfly_over(); then its statistics are that run's result.  What can be sent to
 * it is nothing. */
int fatfly_open_run(struct fatfly_session **s, const struct fatfly_config *c, char *why, size_t size);
bool fatfly_over(const struct fatfly_session *s);

/* Snapshots are copies of all that a session will ever look at, so that what follows a restore is what
 * followed the save, flit by flit; deliveries that were not taken are part of it.  Disciplines worm and
 * phased.  A snapshot belongs to the session that made it, may be restored any number of times, also
 * after a deadlock, and outlives it if need be. */
struct fatfly_snapshot;
int fatfly_save(const struct fatfly_session *s, struct fatfly_snapshot **p, char *why, size_t size);
int fatfly_restore(struct fatfly_session *s, const struct fatfly_snapshot *p, char *why, size_t size);
void fatfly_snapshot_free(struct fatfly_snapshot *p);

/* -- the inside of a session, as it is at the start of cycle fatfly_now() ---------------------- */

enum { FATFLY_NOWHERE = UINT32_MAX };

struct fatfly_shape {
    const char *topology, *engine;
    uint32_t nodes;      /* switches, and on a butterfly fat-tree the processors behind them */
    uint32_t switches;
    uint32_t processors;
    uint32_t links;      /* numbers of links, as in fatfly_links() */
    uint32_t ports;      /* of a switch */
    uint32_t channels;   /* V, of a link */
    uint32_t depth;
    uint32_t levels;     /* of a butterfly fat-tree; 0: it is none */
    bool shows;          /* the functions below have something to say: engines cycle and channel */
    uint32_t link_cycles;/* that a flit, or a whole packet, takes to cross a link */
    uint32_t hop_cycles; /* behind the crossing, until a flit can go on */
};
void fatfly_read_shape(const struct fatfly_session *s, struct fatfly_shape *shape);

/* The nodes that a link leaves and enters; FATFLY_NOWHERE: there is no link of this number. */
struct fatfly_ends {
    uint32_t from, to;
};
struct fatfly_ends fatfly_read_ends(const struct fatfly_session *s, uint32_t link);

/* Worms have numbers: 1 + src + processors * (those that src made before it), mod 2^32; 0 is none.  With
 * replies: 2 processors in place of processors, and for replies, counted by themselves, one processors more. */

/* A virtual channel of a link, and the queue at its far end. */
struct fatfly_queue {
    uint32_t holder;     /* worm that has the channel: its head has crossed the link, or on other networks
                            than a butterfly fat-tree may do so next; its tail has not */
    uint32_t count;      /* flits in the queue */
    uint32_t worm[FATFLY_MAX_DEPTH]; /* of each, the oldest first; no more than there are places here */
    uint8_t kind[FATFLY_MAX_DEPTH];  /* 2: head, 0: body, 1: tail, 3: a worm of one flit */
};
void fatfly_read_queue(const struct fatfly_session *s, uint32_t link, uint32_t channel,
                       struct fatfly_queue *q);

struct fatfly_worm_state {
    uint64_t tag, ready;
    uint64_t injected;   /* UINT64_MAX: its head waits at its source */
    uint64_t since;      /* first cycle of its head at the front of a queue, or of its source's; UINT64_MAX: it was at none yet */
    uint32_t worm;
    uint32_t src, dst, length;
    uint32_t sent;       /* flits that have left the source */
    uint32_t arrived;    /* flits */
    uint32_t head_link, head_channel; /* queue that its head is in; NOWHERE: at the source, or arrived */
    uint32_t tail_link, tail_channel; /* the same of its tail */
    uint32_t wants;      /* link that its head asks for; NOWHERE: none */
    uint32_t blocked_by; /* worm that keeps its head from crossing in this cycle; 0: none does */
};

/* Worms under way, those that wait at their sources included: how many, and, if `room` is no less,
 * w[] filled; 0 where nothing is shown or memory is short. */
uint32_t fatfly_read_worms(const struct fatfly_session *s, struct fatfly_worm_state *w, uint32_t room);

/* A register (_q) or a wire of this cycle, with its name in docs/switch.md: of the whole switch (port =
 * -1), of a port, of a channel; index counts mem_q and older_q.  front_q and mem_q are two, as in waves. */
struct fatfly_register {
    const char *name;
    int16_t port, channel, index; /* -1: none */
    uint64_t value;
};

/* Those of a switch: how many there are; as many as there is room for are filled.  On a butterfly
 * fat-tree `ask`, `offer` and `gnt` are the requests and grants of the cycle to come; the others are
 * the registers that rtl/switch.v has. */
uint32_t fatfly_read_switch(const struct fatfly_session *s, uint32_t node, struct fatfly_register *x,
                            uint32_t room);

/* -- who looks on while a run goes: hooks.observer --------------------------------------------- */

/* The network that is observed; what it points to is there during the call alone. */
struct fatfly_wires {
    const struct fatfly_shape *shape;
    const struct fatfly_ends *ends;      /* [shape->links] */
    const uint32_t *enter, *leave;       /* [shape->processors], nodes where worms of, and for, each begin
                                            and end */
    uint32_t link_cycles;                /* that a flit, or a whole packet, takes to cross a link */
    uint32_t at_once;                    /* flits, or packets, that cross a link at the same time */
    uint32_t hop_cycles;                 /* behind the crossing, until a flit can go on */
};

/* A flit crosses a link, or all flits of a packet as one. */
struct fatfly_move {
    uint64_t cycle;   /* the first in which it crosses */
    uint64_t waited;  /* of a head or a packet: cycles that it stood at the front of its queue before */
    uint32_t cycles;  /* that it takes: it is at the far end from cycle + cycles on */
    uint32_t worm;    /* number */
    uint32_t flit;    /* place in its worm, 0: the head */
    uint32_t flits;   /* that move as one, from that place on */
    uint32_t link, channel;
    bool tail;        /* the last of them is the worm's last */
    bool first, last; /* the link is the first, or the last, of the worm's way */
};

/* Any may be NULL.  Moves over one link come in the order of their cycles, and before what follows from
 * them; those that the end of a run cuts short are not told.  worm: its number. */
struct fatfly_observer {
    void *context;
    /* Before anything else. */
    void (*begin)(void *context, const struct fatfly_wires *w);
    /* A worm is made: the fields of the session's worms, tag counts those of its source. */
    void (*ready)(void *context, uint32_t worm, const struct fatfly_worm *w);
    void (*move)(void *context, const struct fatfly_move *m);
    /* CMSV: this flit of a worm, and those behind it, are discarded before a link. */
    void (*lost)(void *context, uint64_t cycle, uint32_t worm, uint32_t flit, uint32_t link);
    /* A worm has arrived, tag as above. */
    void (*arrived)(void *context, uint32_t worm, const struct fatfly_delivery *d);
};

/* A worm, or a packet, that waits for the next one of a circle.  Link and channel are those that it waits
 * for: of STORE, room in the queue before the link. */
struct fatfly_wait {
    uint64_t cycle;              /* in which the deadlock was found */
    uint32_t worm, src, dst;
    uint32_t at, at_channel;     /* of the queue that its head is in: behind that link; of STORE before it */
    uint32_t link, channel;
    struct fatfly_ends at_ends, link_ends;
    uint32_t holder;             /* worm that has the channel, or that is first in the full queue */
    bool behind;                 /* FATFLY_TAIL_SENT: it has the channel, and holder is first in its queue */
};

/* Looks for worms that wait for each other for ever: FATFLY_OK, or FATFLY_DEADLOCK and the circle in
 * why.  fatfly_advance() looks when nothing moves, and now and then. */
int fatfly_find_deadlock(struct fatfly_session *s, char *why, size_t size);

/* Whether no worm can ever wait for itself: the graph of which virtual channel can wait for which
 * (Dally and Seitz) has an order.  FATFLY_OK: it has, `longest` (may be NULL) is its longest chain;
 * FATFLY_DEADLOCK: it has none, and why shows a circle; or what fatfly_check() says.  Networks so
 * large that it would take minutes are checked by a smaller one of their kind, *radix (may be
 * NULL): the one checked. */
int fatfly_deadlock_free(const struct fatfly_config *c, uint32_t *longest, unsigned *radix, char *why,
                         size_t size);

/* Seed of run k = 0, 1, .. of an experiment, so that runs are independent. */
uint64_t fatfly_run_seed(uint64_t seed, uint64_t k);

/* Memory that a run will need, bytes: of a static run of WORM, STORE, UNIV or SPLIT within about a fifth, if all worms are ready in
 * cycle 0, else at most that; of an open loop, what one near saturation needs, of which a run at a low load may take a fifth. */
uint64_t fatfly_memory(const struct fatfly_config *c);

/* Numbers of links of the network: as many counters as hooks->link_worms needs; 0: there is
 * no such network.  Link ports * node + p leaves a node by port p, but on a butterfly
 * fat-tree. */
uint32_t fatfly_links(const struct fatfly_config *c);

/* A link of a butterfly fat-tree.  Link 6s + p enters port p (0..3 children, 4, 5 parents) of switch s,
 * counted level by level from the leaves; link 6 * switches + a reaches processor a.  The roots'
 * parent ports are numbered, too, but have no link. */
struct fatfly_link {
    bool exists;
    bool up;
    unsigned level;   /* of its lower end, 0: a processor */
    uint32_t lower;   /* address of the lower end on that level */
    uint32_t upper;   /* address of the upper end on level + 1 */
};
struct fatfly_link fatfly_link_at(uint32_t nodes, uint32_t k);

/* The histogram: bucket of a latency, and the smallest latency of a bucket.  Exact below 128
 * cycles, then 64 buckets for each factor 2. */
unsigned fatfly_bucket(uint64_t latency);
uint64_t fatfly_bucket_low(unsigned bucket);

/* Smallest latency that a share p of the measured worms does not exceed (the low end of its
 * bucket); 0 if none was measured. */
uint64_t fatfly_quantile(const struct fatfly_result *r, double p);
/* The same of a class. */
uint64_t fatfly_class_quantile(const struct fatfly_result *r, unsigned k, double p);

/* What an open loop that has ended says of its mean latency. */
void fatfly_judge(const struct fatfly_result *r, struct fatfly_judgement *j);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
