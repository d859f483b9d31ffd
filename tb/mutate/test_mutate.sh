#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_mutate.sh - the mutation score counts right, can fail, goes on after an interrupt and refuses
# wrong input.  Wants BUILD/fatfly and the libraries of `make cosim`; a small sample, under a minute.
set -u
cd "$(dirname "$0")/../.." || exit 4
export BUILD=${BUILD:-build}
BUILD=$(realpath "$BUILD") || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh

# As there, with the script that stands on its input.
run() { # COMMAND...
  "$@" >"$t/out" 2>"$t/err"
  code=$?
}
scratch
limit=600

mutate() { run python3 -B scripts/mutate/mutate.py "$@"; }
ask() { python3 -B -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())' "$BUILD/mutate/sample/mutants.db" "$1"; }
states() { ask "select sum(state='killed'), sum(state='equivalent'), sum(state='survived'), sum(state='new') from mutant where side='$1'"; }

# -- wrong input
mutate --module fifoo
complains "unknown module" 2 "--module fifoo" "allowed: fifo, route" "nearest: fifo"
mutate --seed -1
complains "seed" 2 "--seed -1; allowed: 0 to 2147483647"
mutate --jobs 0
complains "jobs" 2 "--jobs 0; allowed: 1 to 256"
mutate --sample x
complains "sample" 2 "--sample" "x"
mutate --frob
complains "unknown option" 2 "--frob"
BUILD=$t/none mutate --rtl
complains "nothing built" 4 "$t/none/fatfly: not there; build it with: make"
PATH=$t:/usr/bin:/bin VERILATOR=nonsuch mutate --rtl --sample 8 --seed 9
complains "no Verilator" 4 "no Verilator on this machine"
run python3 -B -c 'import sys; sys.path.insert(0, "scripts/mutate"); import mutate
mutate.SHAPES.append("s2of3-v1-q2-w32-gp-rr-rev"); sys.exit(mutate.main(["--rtl", "--sample", "2"]))'
complains "a shape that has no case in the regression" 1 "no case switch-s2of3-v1-q2-w32-gp-rr-rev in the regression; nearest: switch-s2of3-v1-q2-w32-gp-rr"

# -- a weak regression leaves survivors, and says so
mutate --rtl --sample 16 --weak
check "weak: exit code 1" [ "$code" = 1 ]
check "weak: survivors are named" grep -q '^FAIL survived: rtl s1of3-v1-q2-w32-rp-rr' "$t/out"
check "weak: closing line" grep -qE '^[0-9]+ passed, [1-9][0-9]* failed$' "$t/out"

# -- C: most are killed; what is left can be equivalent, which object code alone does not show
mutate --c --sample 8
check "c: says what survived" [ "$code" -le 1 ]
read -r killed equal survived new <<<"$(states c)"
check "c: $killed killed" [ "$killed" -ge 6 ]
check "c: $survived survived of $((killed + equal + survived)), $new left" [ "$((survived * 4))" -lt "$killed" -a "$new" = 0 ]

# -- the whole regression kills or proves those of the Verilog
mutate --rtl --sample 20
check "sample: all killed or equivalent" [ "$code" = 0 ]
[ "$code" = 0 ] || cat "$t/out" "$t/err"
check "sample: closing line" grep -qE '^[0-9]+ passed, 0 failed$' "$t/out"
read -r killed equal survived new <<<"$(states rtl)"
check "rtl: $killed killed" [ "$killed" -ge 8 ]
check "rtl: $survived survived, $new left" [ "$survived$new" = 00 ]
check "rtl: $equal proven equivalent" [ "$equal" -ge 1 ]

# -- the prover does not take a killed mutant for an equivalent one
run python3 -B - "$BUILD" <<'PY'
import sqlite3, sys
sys.path.insert(0, "scripts/mutate")
import mutate_equal, mutate_reach
build = sys.argv[1]
shape = "s1of3-v1-q2-w32-rp-rr"
ids = [row[0] for row in sqlite3.connect(f"{build}/mutate/sample/mutants.db").execute(
    "select id from mutant where side='rtl' and state='killed'")]
proven = mutate_equal.equivalent(f"{build}/mutate/sample/{shape}", "switch", ids)
reached = [k for k in ids[:6] if mutate_reach.equivalent(f"{build}/mutate/sample/{shape}", "switch", shape, k)]
sys.exit(len(ids) < 8 or len(proven) + len(reached) > 0)
PY
check "no killed mutant is proven equivalent" [ "$code" = 0 ]

# -- what no reached state tells: a request of a port to itself, which no worm makes; and one that worms do make
reached() { # SHAPE TOP MODULE
  run python3 -B - "$t/reach-$1" "$@" <<'PY'
import os, sys
sys.path.insert(0, "scripts/mutate")
import mutate, mutate_equal, mutate_reach
folder, shape, top, kind = sys.argv[1:]
os.makedirs(folder)
if top != "switch":
    mutate.CUBES.append(shape)
module, = [m for m in mutate.elaborate(shape, folder) if mutate.plain(m) == kind]
cell = f"mutate -mode cnot1 -module {module} -cell u_arbiter -port req_i -portbit 8 -ctrlbit"
mutate.plant(shape, folder, [(1, kind, f"{cell} 0"), (2, kind, f"{cell} 1")])
print(mutate_equal.equivalent(folder, top, [1, 2]),
      *(mutate_reach.equivalent(folder, top, shape, k) for k in (1, 2)))
if top == "switch":
    mutate_reach.FRAMES = 4
    print(*(mutate_reach.told(folder, top, shape, k) for k in (1, 2)))
PY
  check "reached states of a $3: one proven there alone, one refuted" [ "$(head -n 1 "$t/out")" = "{} True False" ]
  [ "$2" != switch ] || check "... by another output, which the proof of equality finds" [ "$(tail -n 1 "$t/out")" = "None 3" ]
}
reached s1of3-v1-q1-w16-fp-rr switch switch_fast
reached mesh4n5-v1-q1-w16-ecube-fo cube_one cube
reached mesh3-v1-q1-w16-ecube-fo cube_network cube

# -- a register that the mutant does not reset, and that no reached state changes: it may start with any value
run python3 -B - "$t/unreset" <<'PY'
import os, sys
sys.path.insert(0, "scripts/mutate")
import mutate_equal, mutate_reach
folder = sys.argv[1]
os.makedirs(folder)
with open(f"{folder}/switch.v", "w", encoding="utf-8") as out:
    out.write("""module switch(input clk_i, input rst_i, input [15:0] mutant, output out_valid_o);
  reg r, s, t;
  assign out_valid_o = r ^ s;
  always @(posedge clk_i) r <= (rst_i & mutant != 1) ? 1'b0 : r;
  always @(posedge clk_i) {s, t} <= {~rst_i & t & mutant == 2, 1'b0};
endmodule""")
mutate_equal.write_graph(folder, "switch")
for number in (1, 2):
    device = mutate_reach.Device(f"{folder}/netlist.aag", 1, 16, ())
    print(mutate_reach.unseen(device, f"{folder}/reach.aig", number))
PY
check "a register without its reset is seen, what no reached state changes is not" [ "$(cat "$t/out")" = "False
True" ]

# -- a wire of which a mutant drives one bit: without a mutant the library is as the C model
run python3 -B - "$BUILD" "$t/split" <<'PY'
import os, re, sys, types
sys.path.insert(0, "scripts/mutate")
import mutate
shape, folder = "torus4n15-v4-q3-w16-ecube-fo", sys.argv[2]
os.makedirs(folder)
module = [m for m in mutate.elaborate(shape, folder) if mutate.plain(m) == "cube_port"][0]
with open(f"{folder}/base.il", encoding="utf-8") as text:
    body = text.read().split(f"\nmodule {module}\n")[1].split("\nend\n")[0]
offer, = re.findall(r"cell \$and (\$and\$cube/cube_port.v:124\S+)", body)
rows = [f"mutate -mode inv -module {module} -cell g_vc[0].u_fifo -port room_o -portbit 0",
        f"mutate -mode cnot1 -module {module} -cell {offer} -port Y -portbit 3 -ctrlbit 1"]
o = types.SimpleNamespace(build=sys.argv[1])
mutate.build_rtl(o, shape, folder, [(k, "cube_port", row) for k, row in enumerate(rows, 1)])
print(*(end for _, end, _ in mutate.judge(o, "router-" + shape, "rtl", "-",
                                          [(k, f"{folder}/rtl.so") for k in (1, 2)], 12000)))
PY
check "one bit of a wire: right without the mutant, killed with it" [ "$code $(cat "$t/out")" = "0 mismatch mismatch" ]

# -- a library that is wrong without a mutant: here mutant 0 is one
run python3 -B - "$BUILD" "$t/wrong" <<'PY'
import os, sys, types
sys.path.insert(0, "scripts/mutate")
import mutate
shape, folder = "s1of3-v1-q1-w32-fp-rr", sys.argv[2]
os.makedirs(folder)
module, = [m for m in mutate.elaborate(shape, folder) if mutate.plain(m) == "switch_fast"]
row = f"mutate -mode cnot1 -module {module} -cell u_arbiter -port req_i -portbit 8 -ctrlbit 1"
o = types.SimpleNamespace(build=sys.argv[1])
for _ in range(2):
    try:
        mutate.build_rtl(o, shape, folder, [(0, "switch_fast", row)])
    except mutate.Trouble as trouble:
        print(str(trouble)[:49])
PY
check "wrong without a mutant: said each time, the library is not used" [ "$code $(sort -u "$t/out")" = "0 switch-s1of3-v1-q1-w32-fp-rr: without a mutant, m" -a "$(wc -l <"$t/out")" = 2 ]

# -- a case without a probe: the model without a mutant passes, one with a mutant does not; a case that fails without a mutant
run python3 -B - "$BUILD" "$t" <<'PY'
import shutil, sys, types
sys.path.insert(0, "scripts/mutate")
import mutate, mutate_c
o = types.SimpleNamespace(build=sys.argv[1], work=f"{sys.argv[1]}/mutate/sample")
case, file, made = "switch-s2of3-v1-q2-w32-rp-rr-bare", "switch/port.c", types.SimpleNamespace(work=sys.argv[2] + "/bare")
shutil.copytree(f"{o.work}/c/true", f"{made.work}/c/root")
change, = [c for c in mutate_c.mutants(file) if "rand and view swapped | return" in c[3]]
mutate_c.link(f"{made.work}/c/root", file, change, mutate_c.library(made, file, 1))
mutant = mutate_c.library(made, file, 1)
for plain in mutate_c.unchanged(o, file), mutant:
    try:
        print(*(end for _, end, _ in mutate.judge(o, case, "c", mutate_c.rtl_library(o, case), [(1, mutant)], 6000, plain=plain)))
    except mutate.Trouble as trouble:
        print(trouble)
PY
check "a case without a probe: passed without a mutant, killed with one" [ "$(sed -n 1p "$t/out")" = crash ]
check "a case that fails without a mutant kills nothing" grep -q "^switch-s2of3-v1-q2-w32-rp-rr-bare: without a mutant, crash at cycle 0" "$t/out"

# -- every case of the arbiter: one that the cases of a switch cannot tell is killed, one that is none passes
run python3 -B - "$BUILD" "$t" <<'PY'
import shutil, sys, types
sys.path.insert(0, "scripts/mutate")
import mutate_c
o = types.SimpleNamespace(build=sys.argv[1], work=sys.argv[2])
shutil.copytree(f"{o.build}/mutate/sample/c/true", f"{o.work}/c/root")
mutate_c.prepare(f"{o.work}/c/root")
wanted = ["scan_eval: dropped: room[j] |=", "older: 2 to 1 | uint32_t above"]
for k, text in enumerate(wanted):
    change, = [c for c in mutate_c.mutants("switch/scan.c") if text in c[3]]
    mutate_c.link(f"{o.work}/c/root", "switch/scan.c", change, mutate_c.library(o, "switch/scan.c", k))
    print(mutate_c.whole_arbiter(o, "switch/scan.c", k))
try:
    print(mutate_c.whole_arbiter(o, "switch/scan.c", len(wanted)))
except mutate_c.Trouble as trouble:
    print(trouble)
PY
check "every case of the arbiter: killed" grep -q "^('scan-fcfs', [1-9][0-9]*)" "$t/out"
check "every case of the arbiter: none tells it" [ "$(sed -n 2p "$t/out")" = None ]
check "every case of the arbiter: a mutant that is not there proves nothing" grep -q "scan.c/2.so.*cannot be preloaded" "$t/out"

run python3 -B - "$t" <<'PY'
import sys
sys.path.insert(0, "scripts/mutate")
import mutate_c
try:
    mutate_c.compile_unit(f"{sys.argv[1]}/c/root", ["nonsuch"], "switch/scan.c")
except mutate_c.Trouble as trouble:
    print(trouble.code, trouble)
PY
check "a compiler that is missing" grep -q "^4 nonsuch: not on this machine; scripts/setup.sh installs it" "$t/out"

# -- the judge: what lies before and behind an array, the C model's own checks, memory that nobody has
run python3 -B - "$BUILD" "$t" <<'PY'
import sys, types
sys.path.insert(0, "scripts/mutate")
import mutate, mutate_c
o = types.SimpleNamespace(build=sys.argv[1], work=sys.argv[2])
wanted = [("switch/port.c", "port_init: + to -", "switch-s2of3-v2-q4-w33-rg-rot"),
          ("network/network.c", "n->switches + sizeof *n->reached", "fat16-random"),
          ("network/network.c", "dropped: n->clean[s] = true", "fat16-random"),
          ("network/fat_tree.h", "- (fat_tree_nodes(levels) << l)", "fat16-random")]
for k, (file, text, case) in enumerate(wanted):
    change, = [c for c in mutate_c.mutants(file) if text in c[3]]
    mutate_c.link(f"{o.work}/c/root", file, change, mutate_c.library(o, file, k))
    print(*(end for _, end, _ in mutate.judge(o, case, "c", mutate_c.rtl_library(o, case),
                                              [(k, mutate_c.library(o, file, k))], 6000)))
PY
check "judge: what lies before an array" [ "$(sed -n 1p "$t/out")" = mismatch ]
check "judge: a byte too many behind an array" [ "$(sed -n 2p "$t/out")" = crash ]
check "judge: a short cut not taken" [ "$(sed -n 3p "$t/out")" = check ]
check "judge: more memory than there is" [ "$(sed -n 4p "$t/out")" = memory ]

# -- an interrupted run goes on: what is there is not done again
cp "$BUILD/mutate/sample/mutation.csv" "$t/whole.csv"
python3 -B - "$BUILD/mutate/sample/mutants.db" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
with db:
    db.execute("update mutant set state='new', how=null, cycles=null where side='rtl' and id % 2")
PY
before=$(ask "select max(rowid), count(*) from mutant where state='new'")
check "resume: half is open again" [ "${before##* }" -ge 5 ]
mutate --rtl --sample 20
check "resume: ends well" [ "$code" = 0 ]
check "resume: same table" cmp -s "$t/whole.csv" "$BUILD/mutate/sample/mutation.csv"

# -- shares: joined they are what one run finds, and the run after that settles what survived in a share; of a few
# files, which are compiled once more for each share
own=$BUILD/mutate/sample/mutants.db
files="switch/arbiter.c switch/lfsr.h switch/scan.c network/fat_tree.c"
few() {
  run python3 -B -c 'import sys; sys.path.insert(0, "scripts/mutate"); import mutate, mutate_c
mutate_c.FILES[:] = sys.argv[1].split(); sys.exit(mutate.main(sys.argv[2:]))' "$files" "$@"
}
rows() { python3 -B -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("select * from mutant where side=? order by 1, 2, 3", sys.argv[2:]): print(*row)' "$@"; }
edit() { python3 -B -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute(sys.argv[2])' "$@"; }
mv "$own" "$t/one.db"
rm -f "$BUILD"/mutate/sample/mutants.*-of-2.db
for k in 1 2; do
  few --c --sample 8 --task $k/2
  check "share $k of 2" grep -q "^share $k/2: [1-9][0-9]* passed, .* left: .*/mutants.$k-of-2.db$" "$t/out"
  mv "$BUILD/mutate/sample/mutants.$k-of-2.db" "$t"
done
check "shares: no file in both" test -z "$(for k in 1 2; do rows "$t/mutants.$k-of-2.db" c; done | cut -d ' ' -f 2,3 | sort | uniq -d)"
few --c --sample 8 --merge "$t/mutants.1-of-2.db"
check "merge: what is missing is listed" [ "$code" = 4 -a "$(grep -c '^missing: c ' "$t/out")" -ge 1 ]
few --c --sample 8 --merge "$t"/mutants.{1,2}-of-2.db
check "merge: nothing is missing" [ "$code" = 0 ]
rows "$t/one.db" c | grep -E "^c (${files// /|}) " >"$t/want"
check "merge: the same as of one run" diff "$t/want" <(rows "$own" c)
check "merge: that is of all the files" [ "$(cut -d ' ' -f 2 "$t/want" | sort -u | wc -l)" = "$(wc -w <<<"$files")" ]
cp "$t/mutants.1-of-2.db" "$t/other.db"
edit "$t/other.db" "update mutant set cycles=cycles+1 where rowid in (select rowid from mutant where state='killed' limit 1)"
few --c --sample 8 --merge "$t/other.db"
complains "merge: a mutant that fell later" 1 "not the same in $own and $t/other.db" "mutant "
few --c --sample 9 --merge "$t/mutants.1-of-2.db"
complains "merge: of another command" 3 "mutants.1-of-2.db: of other sources, cases or options"
few --c --sample 8 --merge "$t/whole.csv"
complains "merge: no share" 3 "whole.csv: " "allowed: mutants.K-of-T.db"
few --c --sample 8 --merge "$t/nonsuch.db"
complains "merge: no file" 3 "nonsuch.db: " "allowed: mutants.K-of-T.db"
few --c --sample 8 --merge "$own"
complains "merge: into itself" 2 "mutants.db is written; allowed: other files"
mutate --c --task 3/2
complains "share 3 of 2" 2 "--task 3/2; allowed: K/T"
cp "$t/one.db" "$t/survivors.db"
edit "$t/survivors.db" "update mutant set state='survived', how=null, cycles=null where side='rtl' and id % 3 = 0"
rm "$own"
mutate --rtl --sample 20 --merge "$t/survivors.db"
check "merge: survivors are left" grep -q '^1 of 1 shapes and files joined; [1-9][0-9]* mutants are left for the run that follows' "$t/out"
mutate --rtl --sample 20
check "merge: the run after it settles them" [ "$code" = 0 ]
read -r killed equal survived new <<<"$(states rtl)"
check "merge: $killed killed, $equal equivalent, $survived$new left" [ "$killed,$equal,$survived,$new" = "$(python3 -B - "$t/whole.csv" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1], encoding="utf-8")) if r["side"] == "rtl"]
print(*(sum(int(r[c]) for r in rows) for c in ("killed", "equivalent")), 0, 0, sep=",")
PY
)" ]

# -- interrupt
timeout --foreground -s INT 3 python3 -B scripts/mutate/mutate.py --rtl --sample 30 --seed 5 >"$t/out" 2>"$t/err"
check "interrupt: says so in one line" grep -q '^mutate.py: interrupted; the same command goes on$' "$t/err"
check "interrupt: no table" [ ! -s "$t/out" ]

# -- what an earlier run has built decides nothing about other mutants, nor what a killed program has half written
run python3 -B - "$t/earlier" <<'PY'
import os, pathlib, sys, types
sys.path.insert(0, "scripts/mutate")
import mutate, mutate_c
work = pathlib.Path(sys.argv[1])
shape, file = "n16-v1-q2-w32-rp-rr", "switch/pick.h"
work.mkdir()
o = types.SimpleNamespace(work=str(work), db=f"{work}/m.db", key="first", seed=1, module=None)
store = mutate.Store(o.db)
mutate.choose = lambda *_: []
mutate.build_rtl = lambda *_: None
mutate.elaborate = lambda shape, folder: pathlib.Path(folder, "base.il").write_text(o.key)
mutate.ready(o, store, shape)
files = [work / shape / name for name in ("rtl.so", "netlist.aag", "level1.aag", "level2.aag")]
for f in files:
    f.touch()
mutate.rtl_shape(o, shape, 9)
print("graphs:", *(f.name for f in files if f.exists()))
o.key = "second"
mutate.ready(o, store, shape)
print("design:", (work / shape / "base.il").read_text())

mutate_c.take_true = lambda *_: None
mutate_c.same_code = lambda *_: False
mutate_c.link = lambda root, file, change, out: pathlib.Path(out).write_text(o.key)
mutate_c.chosen = lambda *_: ["a change"]
store.add("c", file, [(file, "a change")])
for o.key in ("first", "second"):
    mutate_c.build_file(o, file)
print("library:", pathlib.Path(mutate_c.library(o, file, 1)).read_text())
PY
check "what another run has built is not taken" [ "$(cat "$t/out")" = "graphs:
design: second
library: second" ]
run python3 -B - "$t" <<'PY'
import pathlib, sys
sys.path.insert(0, "scripts/mutate")
import mutate_c, mutate_equal
folder = pathlib.Path(sys.argv[1], "half")
folder.mkdir()

def killed(command, *_):
    pathlib.Path(command[-1].rsplit(" ", 1)[-1]).write_text("half")
    raise mutate_c.Trouble(4, "killed")

mutate_c.call = mutate_equal.call = killed
mutate_c.plant = lambda *_: None
mutate_c.compile_unit = lambda *_: ("x.o", "hash")
for make in (lambda: mutate_c.link(str(folder), "switch/port.c", None, f"{folder}/1.so"),
             lambda: mutate_equal.write_graph(str(folder), "switch")):
    try:
        make()
    except mutate_c.Trouble:
        pass
print(*(f.name for f in folder.iterdir() if f.suffix != ".part"))
text = (folder.parent / "unreset/netlist.aag").read_bytes()
for cut in (text[:text.index(b"\ni0 ") + 1], text[:text.index(b"mutant[")], text.replace(b"mutant[3]", b"mutated[3]")):
    (folder / "cut.aag").write_bytes(cut)
    try:
        mutate_equal.Netlist(f"{folder}/cut.aag")
        print("taken")
    except mutate_equal.Trouble as trouble:
        print(str(trouble).partition(": ")[2])
PY
check "nothing half-written is taken" [ "$(cat "$t/out")" = "
names of ports are missing; delete it
names of ports are missing; delete it
names of ports are missing; delete it" ]

# -- a queue of four flits is a memory of three behind the front: what the fourth address gives is a free input, without a name
run python3 -B - "$t" <<'PY'
import pathlib, sys
sys.path.insert(0, "scripts/mutate")
import mutate_equal
folder = pathlib.Path(sys.argv[1], "ring")
folder.mkdir()
for places in (3, 4):
    (folder / "ring.v").write_text(f"""module ring (input clk_i, input [1:0] at_i, input in_i, output out_o);
  reg mem_q [0:{places - 1}];
  always @(posedge clk_i) mem_q[at_i] <= in_i;
  assign out_o = mem_q[at_i];
endmodule
""")
    mutate_equal.write_graph(str(folder), "ring")
    netlist = mutate_equal.Netlist(f"{folder}/netlist.aag")
    free = set(netlist.inputs) - {n for name, n in netlist.name.items() if not name.startswith("out_o")}
    graph = mutate_equal.Graph(netlist)
    inputs = {graph.leaf[n >> 1] >> 1 for n in free}
    print(len(free), len(inputs & graph.cone(graph.gold)))
PY
check "a memory whose size is no power of two can be read" [ "$(cat "$t/out")" = "1 1
0 0" ]

# -- results are of the sources that they were made of: a change in any folder of them is another key
run python3 -B - "$t/keyed" <<'PY'
import argparse, glob, os, pathlib, shutil, sys
sys.path.insert(0, "scripts/mutate")
sys.path.insert(0, "scripts")
import mutate
home = pathlib.Path(sys.argv[1])
read = ["rtl", "cmodel", "sim", "scripts/mutate", "scripts/lib", "scripts/sim", "tb/mutate", "tb/arbiter", "tb/cube", "tb/rtl"]
for folder in read:
    shutil.copytree(folder, home / folder)
shutil.copy("Makefile", home)
mutate.HERE = str(home)
o = argparse.Namespace(seed=1, sample=0, module=None, weak=False, sides=["rtl"])
key = mutate.source_key(o)
# These are in no library that is built for mutants.
others = {"rtl/board", "rtl/axis", "sim/mpi", "sim/dpi", "sim/view"}
folders = {os.path.dirname(f) for end in ("*.v", "*.c") for part in ("rtl", "cmodel", "sim")
           for f in glob.glob(f"{home}/{part}/**/{end}", recursive=True)} - {str(home / name) for name in others}
files = [sorted(pathlib.Path(folder).glob("*.[vc]"))[-1] for folder in sorted(folders)]
files += [home / "Makefile", home / "tb/rtl/port_top.v"]
files += [sorted((home / folder).iterdir())[0] for folder in ("sim/traces", "sim/cases", "tb/arbiter")]
for file in files:
    name = os.path.relpath(file, home)
    text = file.read_text()
    file.write_text(text + "// changed\n")
    if mutate.source_key(o) == key:
        print(f"{name}: a change is not seen")
    file.write_text(text)
print("as it was" if mutate.source_key(o) == key else "another key")
PY
check "the key of the sources" test "$(cat "$t/out")" = "as it was"

# -- what judges and counts: a mutant is killed, survives where no test runs, is equivalent where the code is the same
judges() { run python3 -B scripts/mutate/judges.py "$@"; }
judges --file cmodel/theory/ggg.c
complains "judges: unknown file" 2 "--file cmodel/theory/ggg.c: not among" "nearest: cmodel/theory/gg.c"
# Every C file, and every header with code in it, belongs to one of the two that break C.
run python3 -B - <<'PY'
import pathlib, re, sys
sys.path.insert(0, "scripts/mutate")
import judges, mutate_c

def left(known):
    files = [path for part in ("cmodel/*/*.[ch]", "sim/*.[ch]") for path in pathlib.Path().glob(part)
             if path.suffix == ".c" or re.search(r"^(static inline|[A-Z_]*INLINE|SHIFTED) ", path.read_text(), re.M)]
    return sorted(str(path) for path in files if str(path) not in known)

twins = {f"cmodel/{file}" for file in mutate_c.FILES}
print(*left(twins | set(judges.PARTS)), *sorted(file for file in judges.PARTS if not pathlib.Path(file).exists()))
print(*left(twins | set(judges.PARTS) - {"cmodel/cli/merge.c", "cmodel/traffic/cuts.h"}))
there = re.findall(r"^step_(\w+)", pathlib.Path("scripts/test.sh").read_text(), re.M)
units, steps = ({word for pair in judges.PARTS.values() for word in pair[k].split()} for k in (0, 1))
print(*(unit for unit in units if not pathlib.Path(f"tb/unit/test_{unit}.c").exists()), *(steps - set(there)))
scripts = judges.mutate_python.PARTS
print(*{str(path) for path in pathlib.Path().glob("scripts/*/*.py") if path.name != "__init__.py"} ^ set(scripts),
      *{word for tests, _ in scripts.values() for word in tests.split() if not pathlib.Path(f"tb/scripts/test_{word}.py").exists()},
      *{word for _, steps in scripts.values() for word in steps.split()} - set(there))
PY
check "judges: every C file and every script names tests that are there; one without is seen" [ "$(cat "$t/out")" = "
cmodel/cli/merge.c cmodel/traffic/cuts.h" ] # and the third and the fourth line are empty
judges --each 0
complains "judges: none of a file" 2 "--each 0; allowed: 1 to 100000"
judges --narrow --file scripts/lib/lists.py
complains "judges: types of a script" 2 "--narrow: a script has no types" "allowed with C"
judges --each x
complains "judges: a word" 2 "--each" "x"
run python3 -B - "$t/judges" <<'PY'
import pathlib, sys
sys.path.insert(0, "scripts/mutate")
import judges
file = "cmodel/traffic/geometric.c"
copy = judges.Copy(pathlib.Path(sys.argv[1]), judges.Programs())
gone = copy.folder / "cmodel/traffic/gone.c"
gone.write_text("a source that is no more")
judges.Copy(copy.folder, copy.programs)
print("still there" if gone.exists() or not (copy.folder / file).exists() else "left out")
test = ("gcc -std=c11 -D_POSIX_C_SOURCE=200809L -w -Icmodel/switch -Icmodel/traffic -Itb/unit "
        f"tb/unit/test_geometric.c {file} -lcmocka -lm -o part && ./part")
source = pathlib.Path(file).read_text(encoding="utf-8")
change = [c for c in judges.changes(file) if "geometric_init: - to +" in c[3]][0]
at = source.index("{", source.index("geometric_init")) + 1
same = (at, at, " ", "a blank")
known = {}
header = "cmodel/traffic/cuts.h"
add, = [c for c in judges.changes(header) if "cuts_add: dropped: base +=" in c[3]]
codes = []
for planted in (None, add):
    copy.plant(header, planted)
    codes.append(copy.code(header, ["gcc", "-O1"]))
copy.plant(header, None)
print("other code" if None not in codes and codes[0] != codes[1] else "the same code")
judges.parts = lambda *_: [("unit geometric", test)]
print(*judges.verdict(copy, file, change, known), *judges.verdict(copy, file, same, known))
copy.plant(file, None)
judges.checked(copy, [file])
judges.parts = lambda *_: [("nothing", "true")]
print(*judges.verdict(copy, file, change, known))
judges.parts = lambda *_: [("a failure", "false")]
try:
    judges.checked(copy, [file])
except judges.Trouble as trouble:
    print(str(trouble)[:30])
PY
check "judges: a header changes the code of any that include it; killed, equivalent, survived, a part that always fails" [ "$(cat "$t/out")" = "left out
other code
killed unit geometric equivalent object code
as it is: unit geometric
survived 
as it is: a failure
a failure fails without a muta" ]

ends
