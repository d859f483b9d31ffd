# SPDX-License-Identifier: Apache-2.0
# systemc.mk - the modules of sim/systemc and their test; included by the Makefile.

SYSC := $(BUILD)/systemc
SYSC_OPT = -O2
SYSC_CXX = $(CXX) -std=c++17 $(SYSC_OPT) -g0 -MMD -MP -Wall -Wextra -Wshadow -Wconversion -Werror -Icmodel -Icmodel/switch -Isim
SYSC_C := $(wildcard cmodel/switch/*.c) cmodel/network/network.c cmodel/network/fat_tree.c

$(SYSC)/obj/%.o: %.cpp
	@mkdir -p $(@D)
	@echo "c++ $<"
	@$(SYSC_CXX) -Isim/systemc -fPIC -c $< -o $@

$(SYSC)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $< (systemc)"
	@$(CC) $(CFLAGS) -O2 -fPIC -fvisibility=hidden -c $< -o $@

$(SYSC)/obj/sim/%.o: sim/%.c
	@mkdir -p $(@D)
	@echo "cc $< (systemc)"
	@$(CC) $(CFLAGS) -O2 -fPIC -c $< -o $@

# The C half, which needs no SystemC.  As in libfatfly.a names of the C model are local, but those of the seam.
$(SYSC)/libfatfly_switch.a: $(SYSC_C:%.c=$(BUILD)/lib/obj/%.o) $(SYSC)/obj/sim/dut.o $(SYSC)/obj/sim/dut_cmodel.o
	@rm -f $@
	@$(CC) -r -nostdlib $^ -o $(SYSC)/model.o
	@objcopy --localize-hidden $(SYSC)/model.o
	@ar rcs $@ $(SYSC)/model.o

$(SYSC)/libfatfly_systemc.a: $(SYSC)/obj/sim/systemc/fatfly_systemc.o $(SYSC)/libfatfly_switch.a
	@rm -f $@
	@ar rcs $@ $< $(SYSC)/model.o

# The network with TLM-2.0 sockets stands on libfatfly alone.
$(SYSC)/libfatfly_tlm.a: $(SYSC)/obj/sim/systemc/fatfly_tlm.o
	@rm -f $@
	@ar rcs $@ $<

# -- the test -----------------------------------------------------------------------------------

# What is alike in several ports and switches is a function: half of the code.
SYSC_Vfive := -fno-inline --top-module switches tb/systemc/switches.sv
SYSC_Vsw   := --trace -GPROBE=1 --top-module switch rtl/switch.v
SYSC_Vtwo  := -GVCS=2 -GDEPTH=3 -GFLIT_W=40 -GPATH=3 -GSCAN=4 -GLEVEL=2 --top-module switch rtl/switch.v
SYSC_Vfour := -GVCS=4 -GDEPTH=1 -GFLIT_W=64 -GPATH=2 -GSCAN=3 -GLEVEL=3 --top-module switch rtl/switch.v
SYSC_Vnet  := --top-module network rtl/network.v
SYSC_V := Vfive Vsw Vtwo Vfour Vnet
SYSC_RUNTIME := $(patsubst %,$(SYSC)/%.o,verilated verilated_threads verilated_vcd_c verilated_vcd_sc)

# What runs a second or two compiles for longer than it runs.  The headers of SystemC, compiled once: they cost more than the code.
SYSC_QUICK = -O0 -include $(SYSC)/headers/tlm.h
$(SYSC)/headers/tlm.h.gch:
	@mkdir -p $(@D)
	@printf '%s\n' '#define SC_INCLUDE_DYNAMIC_PROCESSES' '#include <systemc>' '#include <tlm>' '#include <tlm_utils/simple_initiator_socket.h>' \
	  '#include <tlm_utils/simple_target_socket.h>' > $(@D)/tlm.h
	@$(SYSC_CXX) -O0 -c $(@D)/tlm.h -o $@
SYSC_QUICK_OBJ := $(patsubst %,$(SYSC)/obj/tb/systemc/%.o,wrong tlm tlm_wrong)
$(SYSC_QUICK_OBJ): SYSC_OPT = $(SYSC_QUICK)
$(SYSC_QUICK_OBJ) $(SYSC)/one.o: $(SYSC)/headers/tlm.h.gch

# All of a class in one translation unit, behind the headers of Verilator's runtime, compiled once.
SYSC_RTL = -DVM_TRACE=1 -DVM_SC=1 -I$(SYSC)/headers -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd
SYSC_VXX = $(CXX) -std=c++17 -O1 -w $(SYSC_RTL)
$(SYSC)/headers/sc.h.gch: | setup
	@mkdir -p $(@D)
	@echo '#include "verilated_sc.h"' > $(@D)/sc.h
	@$(SYSC_VXX) -c $(@D)/sc.h -o $@

$(SYSC)/%/all.o: $(RTL) tb/systemc/switches.sv $(SYSC)/headers/sc.h.gch
	@rm -rf $(@D) && mkdir -p $(@D)
	@echo "verilate $* (systemc)"
	@printf '`verilator_config\nno_inline -module "switch"\n' > $(@D)/blocks.vlt
	@$(VERILATOR) --sc -O3 --x-assign fast --x-initial fast --no-timing -Wno-fatal -Irtl -Irtl/fast --prefix $* --Mdir $(@D) $(SYSC_$*) $(if $(filter Vnet,$*),$(@D)/blocks.vlt) > $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
	@cd $(@D) && rm -f all.cpp && for f in sc.h $**.cpp; do echo "#include \"$$f\""; done > all.cpp
	@$(SYSC_VXX) -I$(@D) -c $(@D)/all.cpp -o $@

$(SYSC_RUNTIME): $(SYSC)/%.o: | setup
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 -O0 -w $(SYSC_RTL) -c $(VERILATOR_ROOT)/include/$*.cpp -o $@

$(SYSC)/obj/tb/systemc/equal.o: tb/systemc/equal.cpp tb/systemc/rig.h tb/systemc/player.h $(SYSC_V:%=$(SYSC)/%/all.o)
	@mkdir -p $(@D)
	@echo "c++ $<"
	@$(SYSC_CXX) -O1 -include sc.h -Isim/systemc $(SYSC_RTL) $(SYSC_V:%=-isystem $(SYSC)/%) -c $< -o $@

SYSC_PLAY := tb/systemc/player $(basename $(wildcard cmodel/base/*.c) $(wildcard cmodel/cli/settings*.c) cmodel/cli/rows.c cmodel/cli/args.c cmodel/cli/outfile.c cmodel/cli/plugin.c cmodel/cli/shared.c) \
    $(patsubst %,sim/%,cases config driver stimulus probe dut_cube)
SYSC_PLAIN := $(SYSC_PLAY:%=$(SYSC)/obj/%.o) $(SYSC_RUNTIME) $(LIB_OBJ) $(SYSC)/libfatfly_systemc.a
$(SYSC)/equal: $(SYSC)/obj/tb/systemc/equal.o $(SYSC_V:%=$(SYSC)/%/all.o) $(SYSC_PLAIN)
	@echo "link $@"
	@$(CXX) $^ -lsystemc $(LIBS) -o $@

# With a bug planted in a copy of sim/systemc, PLANT: one switch alone.  HEADER: the bug is in the header.
SYSC_ONE = $(SYSC_CXX) $(SYSC_QUICK) -DEQUAL_ONE $(SYSC_RTL) -isystem $(SYSC)/Vtwo
$(SYSC)/one.o: tb/systemc/equal.cpp tb/systemc/rig.h sim/systemc/fatfly_systemc.h $(SYSC)/Vtwo/all.o
	@$(SYSC_ONE) -Isim/systemc -c $< -o $@
$(PLANT)/equal: $(SYSC)/Vtwo/all.o $(SYSC_PLAIN) $(if $(HEADER),,$(SYSC)/one.o)
	@$(SYSC_ONE) -I$(PLANT) $(if $(HEADER),tb/systemc/equal.cpp) $(PLANT)/fatfly_systemc.cpp $^ -lsystemc $(LIBS) -o $@

$(SYSC)/wrong: $(SYSC)/obj/tb/systemc/wrong.o $(SYSC)/libfatfly_systemc.a
	@$(CXX) $^ -lsystemc -o $@

$(SYSC)/tlm $(SYSC)/tlm_wrong: $(SYSC)/%: $(SYSC)/obj/tb/systemc/%.o $(SYSC)/libfatfly_tlm.a $(BUILD)/lib/libfatfly.a
	@$(CXX) $^ -lsystemc -lm -o $@
$(PLANT)/tlm: $(SYSC)/obj/tb/systemc/tlm.o $(BUILD)/lib/libfatfly.a
	@$(SYSC_CXX) $(SYSC_QUICK) -I$(PLANT) $(PLANT)/fatfly_tlm.cpp $^ -lsystemc -lm -o $@
