// SPDX-License-Identifier: Apache-2.0
// dut_rtl.h - what is the same in every Verilated library, so that the Makefile compiles it once.
#ifndef FATFLY_DUT_RTL_H
#define FATFLY_DUT_RTL_H

#include "dut.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>
#include <verilated.h>

#endif
