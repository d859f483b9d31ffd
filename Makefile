# SPDX-License-Identifier: Apache-2.0
# Makefile - the front door: `make help`.  Everything that is made lies under build/.

BUILD     ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
CXX       ?= g++
VERILATOR ?= verilator
IVERILOG  ?= iverilog
YOSYS     ?= yosys
PYTHON    ?= python3
JOBS      ?= $(shell nproc)
MAKEFLAGS += --no-print-directory
# Numbers with a point, and messages in English, whatever the user's locale: awk and printf follow it.
export LC_ALL   := C.UTF-8
export LANGUAGE :=

WARN   := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
# The layers of the library, lowest first; base is what the programs share, cli the command.
LAYERS := switch network topology traffic theory measure engine api
INC    := -Icmodel $(LAYERS:%=-Icmodel/%) -Icmodel/base -Icmodel/cli -Isim
# No fused multiply-add: doubles give the same bits with every compiler.
CFLAGS += -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off $(WARN) $(INC) -MMD -MP
SPEED  := -O2 -g -flto=auto
# -O1 compiles in a tenth more time than -Og, and runs in a quarter less; -g1 has the lines of a report.
SAN    ?= -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
# The linker that takes half the time, where it is.
GOLD   := $(if $(wildcard /usr/bin/ld.gold),-fuse-ld=gold)
LIBS   := -lconfig -lz -ldl -lpthread -lgsl -lgslcblas -lsqlite3 -lm
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/.*define FATFLY_VERSION "\(.*\)"/\1/p' cmodel/fatfly.h)

MODEL  := $(wildcard $(LAYERS:%=cmodel/%/*.c))
SIM    := $(wildcard sim/*.c)
CLI    := $(filter-out %/fatfly.c,$(wildcard cmodel/base/*.c cmodel/cli/*.c))
RTL    := $(wildcard rtl/*.v rtl/*.vh rtl/fast/*.v)
CUBE   := $(wildcard rtl/cube/*.v)
UNITS  := $(wildcard tb/unit/test_*.c)
BENCHES := $(wildcard tb/rtl/tb_*.v)
FUZZERS := $(wildcard tb/fuzz/fuzz_*.c)

# The FST writer that Verilator ships.
VERILATOR_ROOT = $(eval VERILATOR_ROOT := $$(shell $(VERILATOR) --getenv VERILATOR_ROOT))$(VERILATOR_ROOT)
GTKWAVE_DIR    = $(VERILATOR_ROOT)/include/gtkwave
FST_OBJ := $(addprefix $(BUILD)/fst/,fstapi.o fastlz.o lz4.o)

# What needs Verilated libraries says so at once, not after minutes.
ifneq ($(words $(CURDIR)),1)
ifneq ($(filter cosim cosim-full test check shapes soak bench mutate mutate-judges coverage waves,$(MAKECMDGOALS)),)
$(error the folder '$(CURDIR)' has a blank in its name, which makefiles that Verilator writes cannot have; allowed here: lib, wheel, run, unit, view)
endif
endif

bench: SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: benches mpi systemc statements view help setup test bad cosim cosim-full soak run paper synth formal mutate mutate-judges coverage coverage-ci bitstream rtl-dist waves bench lint lib wheel install clean shapes unit check

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { time = $$2 ~ /^[0-9l][^:]*: / ? $$2 : ""; sub(/:.*/, "", time); sub(/^[0-9l][^:]*: /, "", $$2); \
	  printf "  make %-11s %-7s %s\n", $$1, time, $$2 }' Makefile
	@echo "Times are estimates for two fast cores with no other work, the first build included; slow ones take twice as long; long: over 10 minutes."
	@echo "One step of the tests: make test STEP=cli; tb/README.md has them all."
	@echo "One case: make cosim CASE=fat16-random [SEED=7]; all names: build/fatfly cosim --list"

setup:
	@scripts/setup.sh core

## -- programs -------------------------------------------------------------------------------

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(CFLAGS) $(SPEED) -c $< -o $@

# Tests and the command compile in half the time with -Og; their loops are in the library.
$(BUILD)/san/tb/unit/%.o $(BUILD)/san/cmodel/cli/%.o: SAN := $(SAN:-O1=-Og)
$(BUILD)/san/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $< (sanitized)"
	@$(CC) $(CFLAGS) $(SAN) -c $< -o $@

# Not ours: its warnings are not ours either.
$(BUILD)/fst/%.o: | setup
	@mkdir -p $(@D)
	@$(CC) -O2 -w -fPIC -DFST_CONFIG_INCLUDE='"fst_config.h"' -I$(GTKWAVE_DIR) -c $(GTKWAVE_DIR)/$*.c -o $@

# waves_write.c needs the FST writer's header.
$(BUILD)/obj/sim/waves_write.o $(BUILD)/san/sim/waves_write.o $(BUILD)/san/tb/unit/test_waves.o: CFLAGS += -isystem $(GTKWAVE_DIR)

# The command reads and writes; no run spends its time there.
$(BUILD)/obj/cmodel/cli/%.o: SPEED := -O1 -g

OBJ := $(MODEL:%.c=$(BUILD)/obj/%.o) $(SIM:%.c=$(BUILD)/obj/%.o) $(CLI:%.c=$(BUILD)/obj/%.o)
$(BUILD)/fatfly: $(OBJ) $(BUILD)/obj/cmodel/cli/fatfly.o $(FST_OBJ)
	@echo "link $@"
	@$(CC) $(SPEED) -rdynamic $^ $(LIBS) -o $@

SAN_OBJ := $(MODEL:%.c=$(BUILD)/san/%.o) $(SIM:%.c=$(BUILD)/san/%.o) $(CLI:%.c=$(BUILD)/san/%.o)
# An archive that names its objects: a test links those that it needs.
$(BUILD)/san/tested.a: $(SAN_OBJ) $(FST_OBJ)
	@rm -f $@ && ar rcsT $@ $^
# ... of the library alone, for tb/library.
$(BUILD)/san/model.a: $(MODEL:%.c=$(BUILD)/san/%.o)
	@rm -f $@ && ar rcsT $@ $^
$(BUILD)/unit/%: $(BUILD)/san/tb/unit/%.o $(BUILD)/san/tested.a
	@mkdir -p $(@D)
	@$(CC) $(SAN) $(GOLD) $^ -lcmocka $(LIBS) -o $@

$(BUILD)/fatfly-san: $(SAN_OBJ) $(BUILD)/san/cmodel/cli/fatfly.o $(FST_OBJ)
	@$(CC) $(SAN) -rdynamic $^ $(LIBS) -o $@

$(BUILD)/fuzz/%: tb/fuzz/%.c $(BUILD)/san/tested.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SAN) -DFUZZ_MAIN $(filter %.c %.a,$^) $(LIBS) -o $@

# A device's moves as text, for tb/spec/compare.py.
$(BUILD)/spec/drive: tb/spec/drive.c $(MODEL:%.c=$(BUILD)/lib/obj/%.o) $(patsubst %,$(BUILD)/obj/sim/%.o,dut dut_cmodel dut_cube probe)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(SPEED) -rdynamic $^ $(LIBS) -o $@

# The C model's wiring as text, for tb/wiring/wiring.py.
$(BUILD)/wiring/wiring: tb/wiring/wiring.c $(MODEL:%.c=$(BUILD)/lib/obj/%.o)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -O2 $^ $(LIBS) -o $@

# What judges a run, plainly compiled, so that single files can be replaced: for tb/judge.
JUDGE_OBJ := $(MODEL:%.c=$(BUILD)/lib/obj/%.o) $(SIM:%.c=$(BUILD)/judge/obj/%.o) $(CLI:%.c=$(BUILD)/judge/obj/%.o)
$(BUILD)/judge/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $< (judge)"
	@$(CC) $(CFLAGS) -O1 -g1 -c $< -o $@
$(BUILD)/judge/obj/sim/waves_write.o: CFLAGS += -isystem $(GTKWAVE_DIR)

$(BUILD)/judge/places: $(BUILD)/judge/obj/tb/judge/places.o $(BUILD)/judge/obj/tb/judge/faulty.o $(JUDGE_OBJ) $(FST_OBJ)
	@$(CC) -rdynamic $^ $(LIBS) -o $@

# What it needs of a shape it takes from the program that loads it.
$(BUILD)/judge/faulty.so: tb/judge/faulty.c tb/judge/faulty.h sim/dut.h
	@mkdir -p $(@D)
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -O2 -DFAULTY_LIBRARY -fPIC -shared -Wl,-Bsymbolic $< -o $@

$(BUILD)/judge/fatfly: $(JUDGE_OBJ) $(BUILD)/judge/obj/cmodel/cli/fatfly.o $(FST_OBJ)
	@$(CC) -rdynamic $^ $(LIBS) -o $@

# libfatfly: the model alone, on libc and libm.
LIB_OBJ := $(MODEL:%.c=$(BUILD)/lib/obj/%.o)
$(BUILD)/lib/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $< (library)"
	@$(CC) $(CFLAGS) -O2 -g -fPIC -fvisibility=hidden -c $< -o $@

# One object in which names that the shared library hides are local: they meet none of a program's.
$(BUILD)/lib/libfatfly.a: $(LIB_OBJ)
	@rm -f $@
	@$(CC) -r -nostdlib $^ -o $(BUILD)/lib/fatfly.o
	@objcopy --localize-hidden $(BUILD)/lib/fatfly.o
	@ar rcs $@ $(BUILD)/lib/fatfly.o

$(BUILD)/lib/libfatfly.so.$(VERSION): $(LIB_OBJ)
	@$(CC) -shared -Wl,-soname,libfatfly.so.0 -Wl,-z,defs $^ -lm -o $@
	@ln -sf $(@F) $(BUILD)/lib/libfatfly.so.0
	@ln -sf libfatfly.so.0 $(BUILD)/lib/libfatfly.so

# A run shared among processes; the compiler of MPI knows where it is.
MPICC ?= mpicc
$(BUILD)/obj/sim/mpi/mpi.o: sim/mpi/mpi.c
	@mkdir -p $(@D)
	@echo "cc $<"
	@OMPI_CC="$(CC)" $(MPICC) $(CFLAGS) $(SPEED) -c $< -o $@

$(BUILD)/fatfly-mpi: $(OBJ) $(BUILD)/obj/sim/mpi/mpi.o $(FST_OBJ)
	@echo "link $@"
	@OMPI_CC="$(CC)" $(MPICC) $(SPEED) -rdynamic $^ $(LIBS) -o $@

mpi:  ## 1 min: build/fatfly-mpi for mpirun, one run on many machines (needs scripts/setup.sh mpi)
	@command -v $(MPICC) >/dev/null || { echo "make mpi: no $(MPICC); scripts/setup.sh mpi installs it" >&2; exit 4; }
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly-mpi

lib: setup  ## 1 min: libfatfly.a and libfatfly.so under build/lib
	@$(MAKE) -j$(JOBS) $(BUILD)/lib/libfatfly.a $(BUILD)/lib/libfatfly.so.$(VERSION)

# The viewer's page only where a compiler for WebAssembly is.
install: lib  ## 1 min: the command, library, headers, viewer, man page under PREFIX=/usr/local
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(BUILD)/systemc/libfatfly_switch.a
	@! scripts/view/page.py --can || $(MAKE) $(BUILD)/view/page.html
	@scripts/setup/install.sh "$(BUILD)" "$(DESTDIR)" "$(PREFIX)" "$(VERSION)"

systemc: setup  ## 1 min: the SystemC modules: build/systemc/libfatfly_systemc.a, libfatfly_tlm.a (needs scripts/setup.sh systemc)
	@$(MAKE) -j$(JOBS) $(BUILD)/systemc/libfatfly_systemc.a $(BUILD)/systemc/libfatfly_tlm.a $(BUILD)/lib/libfatfly.a

wheel: setup  ## 1 min: a wheel of the Python package under build/wheel (needs pip)
	@$(PYTHON) -m pip wheel -q --no-deps --wheel-dir $(BUILD)/wheel . && ls $(BUILD)/wheel/*.whl

## -- Verilated libraries --------------------------------------------------------------------

$(BUILD)/verilated.o: | setup
	@mkdir -p $(@D)
	@$(CXX) -O2 -fPIC -w -c -I$(VERILATOR_ROOT)/include $(VERILATOR_ROOT)/include/verilated.cpp -o $@.part && mv $@.part $@

$(BUILD)/verilated_threads.o: | setup
	@mkdir -p $(@D)
	@$(CXX) -O2 -fPIC -w -c -I$(VERILATOR_ROOT)/include $(VERILATOR_ROOT)/include/verilated_threads.cpp -o $@.part && mv $@.part $@

# The headers of a library, compiled once with the options of verilate.sh, to be found beside the runtime.
$(BUILD)/dut_rtl.h.gch: sim/dut_rtl.h sim/dut.h cmodel/switch/flit.h cmodel/switch/params.h scripts/sim/verilate.sh | setup
	@mkdir -p $(@D)
	@$(CXX) -std=c++14 -Og -fPIC -fvisibility=hidden -Isim -Icmodel/switch -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -x c++-header $< -o $@
$(BUILD)/verilated.o: | $(BUILD)/dut_rtl.h.gch

SHIM := sim/dut_rtl.cpp sim/dut_rtl.h sim/dut.h cmodel/switch/flit.h cmodel/switch/params.h scripts/sim/verilate.sh scripts/sim/held.awk scripts/sim/once.awk
VERILATED := $(BUILD)/verilated.o $(BUILD)/verilated_threads.o
$(BUILD)/rtl/%.so: $(RTL) $(SHIM) $(VERILATED) | $(BUILD)/dut_rtl.h.gch
	@mkdir -p $(@D)
	@echo "verilate $*"
	@VERILATED="$(VERILATED)" VERILATED_ROOT="$(VERILATOR_ROOT)" scripts/sim/verilate.sh $* $@

$(BUILD)/rtl/torus%.so: $(CUBE) $(RTL) $(SHIM) $(VERILATED) | $(BUILD)/dut_rtl.h.gch
	@mkdir -p $(@D)
	@echo "verilate torus$*"
	@VERILATED="$(VERILATED)" VERILATED_ROOT="$(VERILATOR_ROOT)" scripts/sim/verilate.sh torus$* $@

$(BUILD)/rtl/mesh%.so: $(CUBE) $(RTL) $(SHIM) $(VERILATED) | $(BUILD)/dut_rtl.h.gch
	@mkdir -p $(@D)
	@echo "verilate mesh$*"
	@VERILATED="$(VERILATED)" VERILATED_ROOT="$(VERILATOR_ROOT)" scripts/sim/verilate.sh mesh$* $@

## -- the arbiter bench ------------------------------------------------------------------------

ARB_Varb_fp      := --top-module arbiter -GPATH=0 rtl/arbiter.v
ARB_Varb_rp      := --top-module arbiter -GPATH=1 rtl/arbiter.v
ARB_Varb_gp      := --top-module arbiter -GPATH=2 rtl/arbiter.v
ARB_Varb_rg      := --top-module arbiter -GPATH=3 rtl/arbiter.v
ARB_Varbiter_top := --top-module arbiter_top tb/rtl/arbiter_top.v
ARB_Vscan_top    := --top-module scan_top --output-split-cfuncs 200 tb/rtl/scan_top.v
ARB_Vport_top1   := --top-module port_top -GVCS=1 tb/rtl/port_top.v
ARB_Vport_top2   := --top-module port_top -GVCS=2 tb/rtl/port_top.v
ARB := Varb_fp Varb_rp Varb_gp Varb_rg Varbiter_top Vscan_top Vport_top1 Vport_top2

# Of models that Verilator has made, MODELS, in folders under $(@D): all in one file, which g++ reads its headers for once.
ONE_FILE = { echo '\#pragma GCC system_header' && echo '\#include <cstring>' && echo '\#include <verilated.h>' && \
  awk -v falling= -f scripts/sim/once.awk $(foreach m,$(MODELS),$(@D)/$(m)/V*.cpp); } > $@

# Long functions keep their values in registers: a tenth faster; those of the scan take g++ too long.  -O2 gives no more.
$(BUILD)/arbiter/%/done: $(RTL) $(wildcard tb/rtl/*_top.v) | setup
	@rm -rf $(@D) && mkdir -p $(@D)
	@echo "verilate $*"
	@$(VERILATOR) --cc -O3 --output-split-cfuncs 2000 --x-assign fast --x-initial fast --no-timing -Irtl -Irtl/fast $(ARB_$*) --prefix $* --Mdir $(@D) > $(@D).log 2>&1 || { cat $(@D).log; exit 1; }
	@touch $@

$(BUILD)/arbiter/models.h: MODELS = $(ARB)
$(BUILD)/arbiter/models.h: $(ARB:%=$(BUILD)/arbiter/%/done) scripts/sim/once.awk
	@$(ONE_FILE)

ARB_CXX  = $(CXX) -std=c++17 -Wall -Wextra -Wshadow -Icmodel/switch $(ARB:%=-isystem $(BUILD)/arbiter/%) -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd
ARB_OBJ := $(BUILD)/arbiter/models.o $(BUILD)/arbiter/parts.o
$(BUILD)/arbiter/models.o: $(BUILD)/arbiter/models.h
	@echo "cc $@"
	@$(ARB_CXX) -O1 -include $< -c -x c++ /dev/null -o $@

$(BUILD)/arbiter/parts.o: $(wildcard tb/arbiter/*) $(ARB:%=$(BUILD)/arbiter/%/done) $(wildcard cmodel/switch/*.h)
	@echo "cc $@"
	@printf '#include "%s"\n' $(abspath $(filter %.cpp,$^)) > $(@D)/parts.cpp
	@$(ARB_CXX) -O2 -flto=auto -ffat-lto-objects -c $(@D)/parts.cpp -o $@

ARB_C := cmodel/switch/arbiter.c cmodel/switch/params.c cmodel/switch/port.c cmodel/switch/scan.c
$(BUILD)/arbiter_all: $(ARB_OBJ) $(ARB_C:%.c=$(BUILD)/obj/%.o) $(VERILATED)
	@echo "link $@"
	@$(ARB_CXX) -O2 -flto=auto $^ -lpthread -o $@

# What runs mutants through a case, for scripts/mutate/mutate.py: the model is quick, and its names are there for mutants.
MUTANT_OBJ := $(patsubst $(BUILD)/lib/obj/cmodel/network/%,$(BUILD)/obj/cmodel/network/%,$(JUDGE_OBJ:$(BUILD)/lib/obj/cmodel/switch/%=$(BUILD)/obj/cmodel/switch/%))
$(BUILD)/mutate/judge: tb/mutate/judge.c $(MUTANT_OBJ) $(FST_OBJ)
	@mkdir -p $(@D)
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) $(SPEED) -rdynamic $^ $(LIBS) -o $@

# The same with a C model that LD_PRELOAD may replace: for scripts/mutate/mutate_c.py.
$(BUILD)/mutate/arbiter_all: $(ARB_OBJ) $(ARB_C) $(wildcard cmodel/switch/*.h) $(VERILATED)
	@mkdir -p $(@D)
	@echo "link $@"
	@$(CC) -std=c11 -O2 -Wall -Wextra -shared -fPIC -Icmodel/switch $(ARB_C) -o $(@D)/libarbiter.so
	@$(ARB_CXX) -fno-lto $(ARB_OBJ) $(VERILATED) -lpthread -L$(@D) -larbiter '-Wl,-rpath,$$ORIGIN' -o $@

## -- the routes of the cubes --------------------------------------------------------------------

RADIX := 2 3 4 5 6 7 8 9 10 16
$(BUILD)/cube_route/%/done: rtl/cube/cube_route.v tb/rtl/cube_route_top.v | setup
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc -O3 --no-timing -Irtl/cube -GK=$* --prefix Vcube_route_top$* --Mdir $(@D) tb/rtl/cube_route_top.v > $(@D).log 2>&1 || { cat $(@D).log; exit 1; }
	@touch $@

$(BUILD)/cube_route/models.h: MODELS = $(RADIX)
$(BUILD)/cube_route/models.h: $(RADIX:%=$(BUILD)/cube_route/%/done) scripts/sim/once.awk
	@$(ONE_FILE)

$(BUILD)/cube_route_all: tb/cube/cube_route_all.cpp $(BUILD)/cube_route/models.h $(MODEL:%.c=$(BUILD)/obj/%.o) $(VERILATED)
	@echo "link $@"
	@$(CXX) -std=c++17 -O2 -flto=auto -Wall -Wextra -Wshadow -Werror -Icmodel -Icmodel/switch -isystem cmodel/topology $(RADIX:%=-isystem $(BUILD)/cube_route/%) -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -include $(BUILD)/cube_route/models.h $< $(filter %.o,$^) $(LIBS) -o $@

include tb/coverage/coverage.mk
include tb/systemc/systemc.mk

## -- what a newcomer types --------------------------------------------------------------------

CASES_ARGS = $(if $(CASE),--case $(CASE)) $(if $(SEED),--seed $(SEED)) $(if $(TASK),--task $(TASK)) $(COSIM_ARGS)

shapes: $(BUILD)/fatfly
	@$(BUILD)/fatfly cosim --build $(BUILD) --shapes $(CASES_ARGS) > $(BUILD)/shapes.names
	@sed 's|.*|$(BUILD)/rtl/&.so|' $(BUILD)/shapes.names > $(BUILD)/shapes.list
	@[ ! -s $(BUILD)/shapes.list ] || $(MAKE) -j$(JOBS) $$(cat $(BUILD)/shapes.list)

# The exhaustive benches are cases of their own.
benches: $(BUILD)/fatfly
	@$(BUILD)/fatfly cosim --build $(BUILD) --list $(CASES_ARGS) > $(BUILD)/cases.names
	@sed -n 's|^arbiter-core$$|$(BUILD)/arbiter_all|p; s|^cube-routes$$|$(BUILD)/cube_route_all|p' $(BUILD)/cases.names > $(BUILD)/benches.list
	@[ ! -s $(BUILD)/benches.list ] || $(MAKE) -j$(JOBS) $$(cat $(BUILD)/benches.list)

cosim: setup  ## 4 min: the co-simulation regression on real traffic (CASE=, SEED= for one case, TASK=K/T for a share)
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@$(MAKE) benches
	@$(MAKE) shapes
	@$(BUILD)/fatfly cosim --build $(BUILD) $(CASES_ARGS)

cosim-full: setup  ## long: the regression, N = 256, a torus of 16 x 16
	@$(MAKE) cosim COSIM_ARGS=--full

test: setup  ## 25 min: everything that must hold
	@scripts/setup.sh
	@scripts/test.sh $(STEP)

check: setup  ## 2 min: what to run while you work: lint of switch and routers, unit tests, three cases
	@scripts/test.sh modules unit small

unit: setup  ## 1 min: the unit tests of the C modules, with sanitizers
	@scripts/test.sh unit

run: setup  ## 1 s: one experiment: N = 64, random destinations, 30 runs (ARGS="--nodes 1024 ..." for others)
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@$(BUILD)/fatfly run $(ARGS)

paper: setup  ## 40 min: the published experiments, from scratch: docs/results.md with tables and plots (FAST=1: the small ones, 1 min; TASK=K/T: a share)
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@scripts/paper/paper.sh $(if $(FAST),--quick,$(PAPER_ARGS)) $(if $(TASK),--task $(TASK))

statements: setup  ## 5 min: every statement of the papers judged: docs/statements*.md (ID="GO-10 BC-42": those alone)
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@BUILD=$(BUILD) python3 -B scripts/paper/statements.py run $(ID)

soak: setup  ## 10 min: random switches, networks, runs, sweeps and seeds of tests, never the same twice (TIME=10m, JOBS=)
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(VERILATED) $(BUILD)/spec/drive $(BUILD)/judge/faulty.so $(UNITS:tb/unit/%.c=$(BUILD)/unit/%)
	@VERILATED="$(abspath $(VERILATED))" BUILD=$(BUILD) scripts/sim/soak.py --time $(or $(TIME),10m) --jobs $(JOBS) $(SOAK_ARGS)

coverage-ci: setup  ## 30 min: how many of the 99 % intervals cover: docs/results/intervals.csv; goes on where it was stopped
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@scripts/paper/coverage_ci.py run
	@scripts/paper/coverage_ci.py table

synth: setup  ## long: area and clock on FPGAs (CONFIG="s1of3-v2-q2-w32-rp-rr ...", SYNTH_ARGS="--matrix" for all)
	@scripts/setup.sh core fpga
	@scripts/setup/venv.sh || [ $$? = 4 ]
	@scripts/synth/synth.py $(CONFIG) $(SYNTH_ARGS)

bitstream: setup  ## 5 min: the self-test of a board: BOARD=ice40-hx8k-evn (ARGS="VCS=2" for another switch)
	@scripts/setup.sh core fpga
	@scripts/synth/bitstream.py $(BOARD) $(ARGS)

formal: setup  ## long: proofs of the RTL, covers of what they assume, planted bugs that break them (TASK=K/T for a share)
	@scripts/setup.sh core formal
	@scripts/formal/formal.py -j$(JOBS) --timeout 900 $(if $(TASK),--task $(TASK)) $(or $(FORMAL_ARGS),--probe)

mutate: setup  ## long: the mutation score of the regression, Verilog and C (MUTATE_ARGS="--rtl --module fifo", TASK=K/T for a share)
	@scripts/setup.sh core extra formal
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(BUILD)/mutate/judge $(BUILD)/mutate/arbiter_all
	@$(MAKE) shapes
	@python3 -B scripts/mutate/mutate.py $(MUTATE_ARGS) $(if $(TASK),--task $(TASK))

mutate-judges: setup  ## long: mutants of what judges and counts: lock-step, digest, measures, readers, sweeps (JUDGES_ARGS="--each 3")
	@python3 -B scripts/mutate/judges.py $(JUDGES_ARGS)

coverage: setup  ## long: functional points, lines and toggles of rtl/, lines of C; HTML under build/coverage
	@scripts/setup.sh core extra
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(BUILD)/arbiter_all $(BUILD)/cube_route_all
	@$(MAKE) shapes
	@$(MAKE) coverage-parts
	@scripts/test/coverage.py --build $(BUILD) $(COVERAGE_ARGS)

lint: setup  ## 1 min: Verilator -Wall, Icarus and Yosys on every module; shellcheck where it is
	@scripts/test/lint.sh

bad: setup  ## 1 min: 2,000 bad inputs, each of which must be refused: no crash, hang, silent acceptance, lost input
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@tb/cli/bad.py $(BUILD)/fatfly

bench: setup  ## long: speed, as ratios within one run (BENCH_PAGE=docs/speed.md writes the tables there, in sweeps.md and in parallel.md)
	@scripts/setup.sh core extra
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@mkdir -p $(BUILD)/bench
	@set -o pipefail; scripts/bench/bench_run.sh | tee $(BUILD)/bench/bench-run.md
	@$(MAKE) -j$(JOBS) $(BUILD)/rtl/n16-v1-q2-w32-rp-rr.so
	@set -o pipefail; scripts/bench/bench_rows.sh | tee $(BUILD)/bench/bench-rows.md
	@set -o pipefail; scripts/bench/bench_channels.sh | tee $(BUILD)/bench/bench-channels.md
	@set -o pipefail; scripts/bench/bench.sh | tee $(BUILD)/bench/bench.md
	@set -o pipefail; scripts/bench/bench_sweep.sh | tee $(BUILD)/bench/bench-sweep.md
	@set -o pipefail; scripts/bench/bench_large.sh | tee $(BUILD)/bench/bench-large.md
	@$(if $(BENCH_PAGE),scripts/docs/section.py docs/sweeps.md bench-sweep < $(BUILD)/bench/bench-sweep.md)
	@$(if $(BENCH_PAGE),scripts/docs/section.py docs/parallel.md bench-large < $(BUILD)/bench/bench-large.md)
	@$(if $(BENCH_PAGE),for part in bench-run bench-rows bench-channels bench; do scripts/docs/section.py $(BENCH_PAGE) $$part < $(BUILD)/bench/$$part.md || exit 1; done)

waves: setup  ## 1 min: waves of a small network in GTKWave (a PNG without a display)
	@scripts/setup.sh core extra
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly
	@scripts/sim/waves.sh

view: setup  ## 1 min: a page that shows a network in a browser, cycle by cycle: build/view/fatfly.html (VIEW_ARGS="--nodes 16 ...")
	@scripts/setup.sh wasm view
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(BUILD)/view/page.html
	@$(BUILD)/fatfly view --build $(BUILD) $(or $(VIEW_ARGS),--nodes 16 --load 0.25 --length 8) --output $(BUILD)/view/fatfly.html

$(BUILD)/view/page.html: scripts/view/page.py $(MODEL) $(wildcard sim/view/* cmodel/*.h cmodel/*/*.h)
	@echo "page $@"
	@scripts/view/page.py $(BUILD)

rtl-dist:  ## 1 s: the RTL with prefixed module names, one file: build/rtl-dist
	@BUILD=$(BUILD) python3 -B scripts/rtl/rtl_prefix.py

clean:  ## remove build/
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name 'venv*' -prune -o -type f -name '*.d' -print 2>/dev/null)
