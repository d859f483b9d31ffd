#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""merge_cosim.py - joins what the tasks of a co-simulation left (fatfly cosim --task K/T; docs/cluster.md).

Usage: merge_cosim.py [--full] OUT MANIFEST...

OUT is one manifest of all cases, in the order of the regression.  A case that is in several manifests must have the same result in all,
but for its time.  Cases that are in none are listed.  Exit codes: 0 all are there and passed, 1 one failed or differs, 2 usage,
3 a file is no manifest, 4 cases are missing, or OUT cannot be written.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FATFLY = ROOT / os.environ.get("BUILD", "build") / "fatfly"
USAGE = "usage: merge_cosim.py [--full] OUT MANIFEST..."


def stop(code: int, text: str) -> None:
    print(f"merge_cosim.py: {text}", file=sys.stderr)
    sys.exit(code)


def command(names: list[str]) -> pathlib.Path:
    """The command of the build folder, or, if that has none, of a folder that a manifest lies in."""
    built = [FATFLY, *(pathlib.Path(name).resolve().parent.parent / "fatfly" for name in names)]
    return next((one for one in built if os.access(one, os.X_OK)), FATFLY)


def cases(name: str) -> list[dict]:
    """What a manifest has."""
    try:
        manifest = json.loads(pathlib.Path(name).read_text())
        found, whole = manifest["cases"], manifest["whole"]
        for case in found:
            if not isinstance(case["name"], str):
                raise TypeError
            case["passed"], case["digest"], case["cpu_seconds"]  # pylint: disable=pointless-statement
    except OSError as e:
        stop(3, f"{name}: {e.strerror}")
    except (ValueError, KeyError, TypeError):
        stop(3, f"{name}: not a manifest; allowed: manifest.K-of-T.json, as fatfly cosim --task K/T leaves it")
    if whole is not True:
        stop(3, f"{name}: of runs of one side, cut, or compared at the outputs alone; allowed: fatfly cosim --task K/T without "
                "--side, --max-cycles and --outputs-only")
    return found


def join(names: list[str]) -> dict[str, dict]:
    """Each case once."""
    all_of: dict[str, dict] = {}
    where: dict[str, str] = {}
    for name in names:
        for case in cases(name):
            other = all_of.setdefault(case["name"], case)
            where.setdefault(case["name"], name)
            differ = [k for k in case if k != "cpu_seconds" and case[k] != other.get(k)]
            if differ:
                stop(1, f"{case['name']}: {differ[0]} is {other.get(differ[0])} in {where[case['name']]}, {case[differ[0]]} in {name}")
    return all_of


def main(argv: list[str]) -> None:
    full = argv[:1] == ["--full"]
    argv = argv[1:] if full else argv
    if len(argv) < 2 or argv[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    out, names = argv[0], argv[1:]
    if any(os.path.realpath(out) == os.path.realpath(name) for name in names):
        stop(2, f"{out} is read, too; allowed: another name for what is written")
    fatfly = command(names)
    try:
        listed = subprocess.run([fatfly, "cosim", "--list", *(["--full"] if full else [])], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as e:
        stop(4, f"{fatfly}: {e.strerror}; it says what the cases are: make, or BUILD=DIR")
    if listed.returncode:
        stop(4, f"{fatfly} cosim --list: {listed.stderr.strip()}")
    known = listed.stdout.split()
    found = join(names)
    order = [n for n in known if n in found] + sorted(set(found) - set(known))
    try:
        part = pathlib.Path(f"{out}.part")
        part.write_text(json.dumps({"whole": True, "cases": [found[n] for n in order]}, indent=1) + "\n")
        part.rename(out)
    except OSError as e:
        stop(4, f"{out}: {e.strerror}")
    missing = [n for n in known if n not in found]
    for n in missing:
        print(f"missing: {n}")
    failed = [n for n in order if not found[n]["passed"]]
    for n in failed:
        print(f"FAILED {n}: {found[n].get('why', '')}")
    print(f"{len(order) - len(failed)} passed, {len(failed)} failed, {len(missing)} missing: {out}")
    sys.exit(1 if failed else 4 if missing else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
