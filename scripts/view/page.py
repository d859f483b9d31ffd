#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py - makes the viewer's page: compiles libfatfly and sim/view/glue.c to WebAssembly, puts it with
its *.js and page.css into one HTML file, in which `fatfly view` marks a configuration.

usage: page.py [BUILD]     default build; writes BUILD/view/fatfly.wasm and BUILD/view/page.html
       page.py --can       ends with 0 where it can, silently
Exit codes: 0 done, 1 it does not compile, or is too large, 2 usage, 4 a tool is missing.
"""
import base64
import glob
import gzip
import os
import shutil
import subprocess
import sys

LAYERS = ["switch", "network", "topology", "traffic", "theory", "measure", "engine", "api"]
SCRIPTS = ["model.js", "layout.js", "draw.js", "panel.js", "main.js"]
MOST = 200_000  # bytes, gzipped


def stop(code: int, text: str) -> None:
    print("page.py: " + text, file=sys.stderr)
    sys.exit(code)


def can() -> bool:
    return bool(shutil.which("clang-14") and shutil.which("wasm-ld-14") and os.path.exists("/usr/include/wasm32-wasi/stdio.h") and
                glob.glob("/usr/lib/llvm-14/lib/clang/14*/lib/wasi/libclang_rt.builtins-wasm32.a"))


def compile_wasm(out: str) -> None:
    if not shutil.which("clang-14") or not shutil.which("wasm-ld-14"):
        stop(4, "no clang-14 with wasm-ld-14 for WebAssembly; install them with: scripts/setup.sh wasm")
    sources = [f for layer in LAYERS for f in sorted(glob.glob(f"cmodel/{layer}/*.c"))] + ["sim/view/glue.c"]
    folders = ["-Icmodel", "-Icmodel/cli"] + [f"-Icmodel/{layer}" for layer in LAYERS]
    done = subprocess.run(
        ["clang-14", "--target=wasm32-wasi", "-mexec-model=reactor", "-O2", "-flto", "-std=c11", "-D_POSIX_C_SOURCE=200809L",
         "-ffp-contract=off", "-DFATFLY_SESSIONS_ALONE", "-Wall", "-Wextra", "-Werror", *folders, *sources, "-Wl,--lto-O2", "-Wl,--strip-all",
         "-Wl,-z,stack-size=1048576,--stack-first", "-lm", # a struct fatfly_result is 109 KiB; beyond the stack is a trap, not data
         "-o", out + ".part"], capture_output=True, text=True, check=False)
    if done.returncode:
        text = done.stderr.strip().splitlines()
        absent = any("stdio.h" in line or "crt1" in line or "libclang_rt" in line for line in text)
        stop(4 if absent else 1, (text or ["clang-14 failed"])[0] + ("; scripts/setup.sh wasm installs wasi-libc" if absent else ""))
    os.replace(out + ".part", out)


def read(name: str) -> str:
    with open(name, encoding="utf-8") as file:
        return file.read()


def assemble(wasm: bytes) -> str:
    data = 'const DATA = {wasm:"' + base64.b64encode(wasm).decode() + '",\n@CONFIG@\n};'
    script = "\n".join(read("sim/view/" + name) for name in SCRIPTS).replace('"use strict";\n', "")
    page = read("sim/view/page.html")
    for mark, text in (("@STYLE@", read("sim/view/page.css")), ("@DATA@", data), ("@SCRIPT@", '"use strict";\n' + script)):
        if page.count(mark) != 1:
            stop(1, f"sim/view/page.html: {mark} stands there {page.count(mark)} times; allowed: once")
        page = page.replace(mark, text)
    return page


def main() -> None:
    if sys.argv[1:] == ["--can"]:
        sys.exit(0 if can() else 4)
    if len(sys.argv) > 2 or "".join(sys.argv[1:]).startswith("-"):
        stop(2, "usage: page.py [BUILD] | page.py --can")
    build = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BUILD", "build")
    os.makedirs(build + "/view", exist_ok=True)
    compile_wasm(build + "/view/fatfly.wasm")
    with open(build + "/view/fatfly.wasm", "rb") as file:
        page = assemble(file.read())
    size = len(gzip.compress(page.encode(), 9))
    if size > MOST:
        stop(1, f"the page has {size} bytes gzipped; allowed: {MOST}")
    with open(build + "/view/page.html.part", "w", encoding="utf-8") as file:
        file.write(page)
    os.replace(build + "/view/page.html.part", build + "/view/page.html")
    print(f"page: {len(page.encode())} bytes, {size} gzipped")


if __name__ == "__main__":
    main()
