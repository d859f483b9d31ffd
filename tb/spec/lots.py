# SPDX-License-Identifier: Apache-2.0
"""lots.py - the random bits of every switch or router in every cycle, from the seed alone, as docs/rules.md and docs/cube.md have them.

spec.py and cube.py say what the bits decide; this says what they are.
"""
from __future__ import annotations

import cube
import spec

MASK = (1 << 32) - 1


def mix(x: int) -> int:
    # Decision 8 of docs/rules.md: the finalizer of MurmurHash3, of x times the golden ratio.
    h = x * 0x9E3779B1 & MASK
    h = (h ^ h >> 16) * 0x85EBCA6B & MASK
    h = (h ^ h >> 13) * 0xC2B2AE35 & MASK
    return h ^ h >> 16


def draws(config: spec.Config | cube.Config) -> bool:
    """Whether there is a register at all."""
    if isinstance(config, cube.Config):  # "One `lfsr.v` a router, if `NHOP` or RR asks for it"
        return config.path == "nhop" or config.scan == "rr"
    # "FP or GP with FO, ROT or FCFS" draws nothing
    return not (config.path in ("fp", "gp") and config.scan in ("fo", "rot", "fcfs"))


def after_reset(config: spec.Config | cube.Config, seed: int, count: int) -> list[int]:
    """The registers of `count` switches; zeros where there are none."""
    if not draws(config):
        return [0] * count
    alone = isinstance(config, spec.Config) and config.level
    # "In a network switch s gets seed XOR mix(s + 1)"; "1 if that is 0"
    return [(seed if alone else seed ^ mix(s + 1)) or 1 for s in range(count)]


def step(q: int) -> int:
    """"s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25]", 16 new bits above the 16 that stay; zero stays zero."""
    return q >> 16 | ((q ^ q >> 2 ^ q >> 6 ^ q >> 7) & 0xFFFF) << 16
