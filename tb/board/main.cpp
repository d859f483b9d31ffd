// SPDX-License-Identifier: Apache-2.0
// main.cpp - a clock for tb_selftest_all.v.
#include "Vtb_selftest_all.h"
#include "verilated.h"

int main()
{
    Vtb_selftest_all top;
    while (!Verilated::gotFinish()) {
        top.clk_i = !top.clk_i;
        top.eval();
    }
    return 0;
}
