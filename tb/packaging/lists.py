#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lists.py - reads fatfly.core, Bender.yml and rtl/fatfly.f, and says whether they are right.

Usage: lists.py [--root DIR] check
       lists.py [--root DIR] files core|bender|list     the sources, and -I for the headers
       lists.py [--root DIR] tops                       the top modules of fatfly.core
`check` prints a line for each thing that is wrong and exits 1 if there is one: every list names
every file of rtl/ once and nothing else, the versions are that of cmodel/fatfly.h, tops, parameters
and file sets exist, and no key is unknown to FuseSoC (CAPI2) or Bender.
"""
from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

KEYS = {  # of the tools' formats, what is used here
    "core": {"name", "description", "license", "filesets", "targets", "parameters"},
    "fileset": {"files", "file_type", "depend"},
    "file": {"is_include_file", "file_type"},
    "target": {"description", "filesets", "flow", "flow_options", "toplevel", "parameters", "<<"},
    "parameter": {"datatype", "paramtype", "description", "default"},
    "bender": {"package", "sources", "export_include_dirs", "dependencies"},
    "package": {"name", "authors"},
    "group": {"target", "include_dirs", "defines", "files"},
}
PARAMTYPES = {"plusarg", "vlogparam", "vlogdefine", "generic", "cmdlinearg"}
TOOLS = {"lint": "verilator", "sim": "icarus", "generic": "yosys"}


class Bad(Exception):
    pass


def scalar(text: str) -> Any:
    """A word, "a string", [a, b] or {a: b}."""
    text = text.strip()
    if text[:1] == "[" and text[-1:] == "]":
        return [scalar(part) for part in text[1:-1].split(",") if part.strip()]
    if text[:1] == "{" and text[-1:] == "}":
        pairs = [part.split(":", 1) for part in text[1:-1].split(",") if part.strip()]
        return {key.strip(): scalar(value) for key, value in pairs}
    if text[:1] == '"' and text[-1:] == '"':
        return text[1:-1]
    if text[:1] in "[{\"'":
        raise Bad(f"not understood: {text}")
    return text


def yaml(text: str) -> Any:
    """The part of YAML that the two files use: blocks, one-line lists and maps, one kind of merge."""
    lines = []
    for line in text.splitlines():
        bare = re.sub(r"(^|\s)#.*", "", line).rstrip()
        if bare and bare != "CAPI=2:":
            lines.append((len(bare) - len(bare.lstrip()), bare.strip()))
    anchors = {}

    def block(at: int, indent: int) -> tuple[Any, int]:
        if lines[at][1].startswith("- "):
            return sequence(at, indent)
        return mapping(at, indent)

    def value(at: int, indent: int, rest: str) -> tuple[Any, int]:
        """What follows `key:` or `-` of line at, and the line after it."""
        anchor = re.match(r"&(\w+)\s*", rest)
        rest = rest[anchor.end():] if anchor else rest
        if rest:
            found, at = scalar(rest), at + 1
        elif at + 1 < len(lines) and lines[at + 1][0] > indent:
            found, at = block(at + 1, lines[at + 1][0])
        else:
            found, at = None, at + 1
        if anchor:
            anchors[anchor.group(1)] = found
        return found, at

    def mapping(at: int, indent: int) -> tuple[dict[str, Any], int]:
        found = {}
        while at < len(lines) and lines[at][0] == indent:
            match = re.match(r"([\w./<-]+)\s*:(?:\s+(.*))?$", lines[at][1])
            if not match:
                raise Bad(f"not understood: {lines[at][1]}")
            key, rest = match.group(1), match.group(2) or ""
            if key in found:
                raise Bad(f"{key} stands there twice")
            if key == "<<":
                found = {**anchors[rest.lstrip("*")], **found}
                at += 1
            else:
                found[key], at = value(at, indent, rest)
        return found, at

    def sequence(at: int, indent: int) -> tuple[list[Any], int]:
        found = []
        while at < len(lines) and lines[at][0] == indent and lines[at][1].startswith("- "):
            item = lines[at][1][2:]
            if re.match(r"[\w./-]+:(\s|$)", item):      # a map that begins behind the dash
                lines[at] = (indent + 2, item)
                entry, at = mapping(at, indent + 2)
            else:
                entry, at = value(at, indent, item)
            found.append(entry)
        return found, at

    found, at = block(0, lines[0][0])
    if at != len(lines):
        raise Bad(f"not understood: {lines[at][1]}")
    return found


class Lists:
    def __init__(self, root: str) -> None:
        self.root = root
        self.wrong = []
        self.core = self.parsed("fatfly.core")
        self.bender = self.parsed("Bender.yml")
        lines = [line.strip() for line in self.text("rtl/fatfly.f").splitlines()]
        self.list = [line for line in lines if line and not line.startswith("//")]

    def text(self, name: str) -> str:
        try:
            with open(os.path.join(self.root, name)) as f:
                return f.read()
        except OSError as e:
            print(f"lists.py: {name}: {e.strerror}", file=sys.stderr)
            sys.exit(3)

    def parsed(self, name: str) -> Any:
        try:
            return yaml(self.text(name))
        except (Bad, KeyError, IndexError) as e:
            print(f"lists.py: {name}: {e}", file=sys.stderr)
            sys.exit(3)

    def say(self, text: str) -> None:
        self.wrong.append(text)

    def known(self, what: str, kind: str, found: Iterable[str]) -> None:
        for key in sorted(set(found) - KEYS[kind]):
            self.say(f"{what}: unknown key {key}; known: {' '.join(sorted(KEYS[kind]))}")

    def fileset(self, name: str) -> tuple[list[str], list[str]]:
        """Names and headers of a file set of fatfly.core."""
        files, headers = [], []
        for entry in self.core["filesets"].get(name, {}).get("files", []):
            if isinstance(entry, dict):
                (file, options), = entry.items()
                self.known(f"fatfly.core, {file}", "file", options)
                (headers if options.get("is_include_file") == "true" else files).append(file)
            else:
                files.append(entry)
        return files, headers

    def groups(self, target: str | None) -> list[Any]:
        return [g for g in self.bender["sources"] if g.get("target") == target]

    def sources(self, which: str) -> tuple[list[str], list[str]]:
        """Sources and include folders."""
        if which == "core":
            files, headers = self.fileset("rtl")
            return files, sorted({os.path.dirname(h) for h in headers})
        if which == "bender":
            group, = self.groups(None)
            return group["files"], group["include_dirs"]
        return ([f for f in self.list if not f.startswith("+")],
                [f[len("+incdir+"):] for f in self.list if f.startswith("+incdir+")])

    def expect(self, what: str, found: Sequence[str], want: Iterable[str]) -> None:
        for name in sorted(set(want) - set(found)):
            self.say(f"{what}: {name} is missing")
        for name in sorted(set(found) - set(want)):
            exists = os.path.exists(os.path.join(self.root, name))
            self.say(f"{what}: {name} {'does not belong there' if exists else 'does not exist'}")
        for name in sorted({n for n in found if found.count(n) > 1}):
            self.say(f"{what}: {name} stands there twice")

    def glob(self, pattern: str) -> list[str]:
        return [os.path.relpath(f, self.root) for f in glob.glob(os.path.join(self.root, pattern))]

    def check_files(self) -> None:
        want = self.glob("rtl/*.v") + self.glob("rtl/fast/*.v") + self.glob("rtl/axis/*.v")
        headers = self.glob("rtl/*.vh") + self.glob("rtl/axis/*.vh")
        folders = sorted({os.path.dirname(h) for h in headers})
        want += self.glob("rtl/cube/*.v")
        for which, name in (("core", "fatfly.core"), ("bender", "Bender.yml"), ("list", "rtl/fatfly.f")):
            files, found = self.sources(which)
            self.expect(name, files, want)
            self.expect(f"{name}, headers", found, folders)
        self.expect("fatfly.core, headers", self.fileset("rtl")[1], headers)
        self.expect("Bender.yml, export_include_dirs", self.bender.get("export_include_dirs", []), folders)
        bench = ["tb/axis/axis_rules.v", "tb/axis/tb_fatfly_switch.v"]
        self.expect("fatfly.core, tb", self.fileset("tb")[0], bench)
        self.expect("Bender.yml, test", [f for g in self.groups("test") for f in g["files"]], bench)

    def check_versions(self) -> None:
        match = re.search(r'FATFLY_VERSION "([^"]*)"', self.text("cmodel/fatfly.h"))
        version = match.group(1) if match else "?"
        if self.core.get("name") != f"::fatfly:{version}":
            self.say(f"fatfly.core: name {self.core.get('name')}, but cmodel/fatfly.h says {version}")
        done = subprocess.run(["git", "-C", self.root, "tag"], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, check=False)
        for tag in re.findall(r"\bv\d+\.\d+\.\d+", self.text("Bender.yml")):
            if tag not in done.stdout.split():
                self.say(f"Bender.yml: names the tag {tag}, which does not exist")

    def check_targets(self) -> None:
        for name, target in self.core["targets"].items():
            what = f"fatfly.core, target {name}"
            self.known(what, "target", target)
            files = []
            for fileset in target["filesets"]:
                if fileset not in self.core["filesets"]:
                    self.say(f"{what}: no file set {fileset}")
                files += self.fileset(fileset)[0]
            if "toplevel" not in target:
                continue
            if TOOLS.get(target.get("flow")) != target.get("flow_options", {}).get("tool"):
                self.say(f"{what}: flow {target.get('flow')} does not go with its tool")
            text = "".join(self.text(f) for f in files if os.path.exists(os.path.join(self.root, f)))
            module = re.search(rf"^module {target['toplevel']}\b(.*?)\);", text, re.M | re.S)
            if not module:
                self.say(f"{what}: no module {target['toplevel']} in its files")
                continue
            for parameter in target.get("parameters", []):
                if parameter not in self.core["parameters"]:
                    self.say(f"{what}: parameter {parameter} is not declared")
                elif not re.search(rf"parameter (?:\w+|\[[^]]*\])\s+{parameter}\b", module.group(1)):
                    self.say(f"{what}: {target['toplevel']} has no parameter {parameter}")
        for name in ("lint", "sim", "synth"):
            if "toplevel" not in self.core["targets"].get(name, {}):
                self.say(f"fatfly.core: no target {name}")

    def check_keys(self) -> None:
        self.known("fatfly.core", "core", self.core)
        for name, fileset in self.core["filesets"].items():
            self.known(f"fatfly.core, file set {name}", "fileset", fileset)
        for name, parameter in self.core["parameters"].items():
            self.known(f"fatfly.core, parameter {name}", "parameter", parameter)
            if parameter.get("paramtype") not in PARAMTYPES:
                self.say(f"fatfly.core, parameter {name}: paramtype {parameter.get('paramtype')}")
        self.known("Bender.yml", "bender", self.bender)
        self.known("Bender.yml, package", "package", self.bender["package"])
        for group in self.bender["sources"]:
            self.known("Bender.yml, sources", "group", group)

    def check(self) -> int:
        self.check_keys()
        self.check_files()
        self.check_versions()
        self.check_targets()
        for line in self.wrong:
            print(line)
        return 1 if self.wrong else 0


def main() -> int:
    args = sys.argv[1:]
    root = "."
    if args[:1] == ["--root"] and len(args) > 1:
        root, args = args[1], args[2:]
    lists = Lists(root) if args else None
    if args == ["check"]:
        return lists.check()
    if args[:1] == ["files"] and args[1:] in (["core"], ["bender"], ["list"]):
        files, folders = lists.sources(args[1])
        print("\n".join([f"-I{f}" for f in folders] + files))
        return 0
    if args == ["tops"]:
        print("\n".join(sorted({t["toplevel"] for t in lists.core["targets"].values() if "toplevel" in t})))
        return 0
    print(__doc__.strip().split("\n\n")[1], file=sys.stderr)
    return 2


sys.exit(main())
