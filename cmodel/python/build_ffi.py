# SPDX-License-Identifier: Apache-2.0
"""build_ffi.py - compiles libfatfly into the Python extension fatfly._fatfly (cffi, API mode).

What Python sees is read from cmodel/fatfly.h, so that the two cannot differ.  FATFLY_OBJECTS names a
folder of the library's position-independent objects, to link in place of compiling the sources.
"""
import os
import pathlib
import re

from cffi import FFI

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("switch", "network", "topology", "traffic", "theory", "measure", "engine", "api")
FLAGS = ["-std=c11", "-O2", "-ffp-contract=off", "-fvisibility=hidden"]

# The model of Greenberg and Guan (cmodel/theory/gg.h), the mixing of digests (cmodel/traffic/rng.h), the size of a
# graph (cmodel/topology/topology.h), one switch (golden.h): no part of the public header.
PRIVATE = """
enum gg_status { GG_OK, GG_SATURATED, GG_BAD = -1 };
struct gg_link { double rate, service, wait, from_below, from_above; };
struct gg_result {
    unsigned levels;
    double length, load, distance, service, wait, latency;
    struct gg_link up[10], down[10];
};
enum gg_status gg_fat_tree(unsigned levels, double length, double load, struct gg_result *r);
double gg_saturation(unsigned levels);
uint64_t rng_hash(uint64_t x);
struct topology { uint32_t processors; unsigned classes; ...; };
int topology_of(const struct fatfly_config *c, struct topology *t, char *why, size_t size);
void topology_close(struct topology *t);
struct golden;
struct golden *golden_open(unsigned vcs, unsigned depth, unsigned flit_bits, unsigned path, unsigned scan, unsigned level,
                           unsigned levels, char *why, size_t size);
void golden_close(struct golden *g);
void golden_reset(struct golden *g, uint32_t seed);
void golden_eval(struct golden *g, const uint8_t *out_room, uint8_t *in_room, uint8_t *out_valid, uint8_t *out_kind,
                 uint64_t *out_payload);
void golden_tick(struct golden *g, const uint8_t *in_valid, const uint8_t *in_kind, const uint64_t *in_payload);
uint64_t golden_head(unsigned levels, uint64_t src, uint64_t dst, uint64_t path);
"""

POLL = 'extern "Python" bool fatfly_python_poll(void *context, uint64_t cycle, uint64_t delivered);'


def declarations(header: str) -> str:
    """The declarations of fatfly.h, without what cffi does not read."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    header = header.replace("UINT32_MAX", "0xffffffff")
    return "\n".join(line for line in header.splitlines() if not line.startswith("#"))


def sources() -> "list[str]":
    """The sources of the library, from the root, as setuptools wants them."""
    return sorted(str(path.relative_to(ROOT)) for layer in LAYERS for path in (ROOT / "cmodel" / layer).glob("*.c"))


ffi = FFI()
HEADER = (ROOT / "cmodel" / "fatfly.h").read_text(encoding="utf-8")
ffi.cdef(declarations(HEADER) + PRIVATE + POLL + "extern const char *const fatfly_header_version;")
OBJECTS = os.environ.get("FATFLY_OBJECTS")
ffi.set_source(
    "fatfly._fatfly",
    '#include "fatfly.h"\n#include "gg.h"\n#include "golden.h"\n#include "rng.h"\n#include "topology.h"\nstatic const char *const fatfly_header_version = FATFLY_VERSION;\n',
    sources=[] if OBJECTS else sources(),
    depends=sorted(str(path.relative_to(ROOT)) for path in (ROOT / "cmodel").rglob("*.h")), # compiled anew when one changes
    extra_objects=[str(pathlib.Path(OBJECTS, name).with_suffix(".o")) for name in sources()] if OBJECTS else [], # not what is left of others
    include_dirs=[str(ROOT / "cmodel"), str(ROOT / "cmodel" / "python"), *(str(ROOT / "cmodel" / layer) for layer in LAYERS)],
    extra_compile_args=FLAGS, libraries=["m"], py_limited_api=True)
