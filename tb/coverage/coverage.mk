# SPDX-License-Identifier: Apache-2.0
# coverage.mk - what scripts/test/coverage.py needs; included by the Makefile.

COV := $(BUILD)/coverage
COV_VERILATED := $(addprefix $(COV)/,verilated.o verilated_threads.o verilated_cov.o verilated_vcd_c.o)

$(COV)/toggles: tb/coverage/toggles.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -O2 $< -o $@

$(COV_VERILATED): $(COV)/%.o: | setup
	@mkdir -p $(@D)
	@$(CXX) -O2 -fPIC -w -c -I$(VERILATOR_ROOT)/include -I$(VERILATOR_ROOT)/include/vltstd $(VERILATOR_ROOT)/include/$*.cpp -o $@

# Without the probe, whose words would be most of what toggles.
$(COV)/rtl/%.so: $(RTL) $(CUBE) $(SHIM) $(COV_VERILATED)
	@mkdir -p $(@D)
	@echo "verilate $* (coverage)"
	@COVERAGE=1 VERILATED="$(COV_VERILATED)" scripts/sim/verilate.sh $* $@ rtl 0

$(COV)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "cc $< (coverage)"
	@$(CC) $(CFLAGS) -O0 -g --coverage -c $(abspath $<) -o $(abspath $@)

$(COV)/obj/sim/waves_write.o $(COV)/obj/tb/unit/test_waves.o: CFLAGS += -isystem $(GTKWAVE_DIR)

COV_OBJ := $(MODEL:%.c=$(COV)/obj/%.o) $(SIM:%.c=$(COV)/obj/%.o) $(CLI:%.c=$(COV)/obj/%.o)
$(COV)/fatfly: $(COV_OBJ) $(COV)/obj/cmodel/cli/fatfly.o $(FST_OBJ)
	@$(CC) --coverage -rdynamic $^ $(LIBS) -o $@

$(COV)/unit/%: $(COV)/obj/tb/unit/%.o $(COV_OBJ) $(FST_OBJ)
	@mkdir -p $(@D)
	@$(CC) --coverage $^ -lcmocka $(LIBS) -o $@

# Libraries of the cases in tb/coverage/cases.txt, and all else but those of the regression.
coverage-parts: setup
	@$(MAKE) -j$(JOBS) $(BUILD)/fatfly $(COV)/toggles $(COV)/fatfly $(UNITS:tb/unit/%.c=$(COV)/unit/%)
	@$(BUILD)/fatfly cosim --build $(BUILD) --shapes $$(sed 's/#.*//' tb/coverage/cases.txt | awk 'NF { print "--case", $$1 }') > $(COV)/shapes.names
	@sed 's|.*|$(COV)/rtl/&.so|' $(COV)/shapes.names > $(COV)/shapes.list
	@$(MAKE) -j$(JOBS) $$(cat $(COV)/shapes.list)
.PHONY: coverage-parts
