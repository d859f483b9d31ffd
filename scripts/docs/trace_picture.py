#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trace_picture.py - draws docs/img/perfetto.svg: some tracks of a trace of fatfly run --perfetto.

usage: scripts/docs/trace_picture.py [--check] FATFLY

FATFLY is the command.  --check writes nothing and fails if the picture is not what this script makes.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts" / "docs"), str(ROOT / "tb" / "perfetto")]

import trace_check as check  # noqa: E402  # pylint: disable=wrong-import-position
import draw  # noqa: E402  # pylint: disable=wrong-import-position

OPTIONS = ["--nodes", "16", "--length", "8", "--pattern", "many-to-1", "--runs", "1"]
SHOWN = ["links", "processor 0 to S(1,0)", "processor 1 to S(1,0)", "S(1,0) to S(2,0)", "S(1,0) to S(2,1)",
         "worms", "worm 1: 0 to 15", "worm 2: 1 to 15", "worm 3: 2 to 15", "worm 4: 3 to 15"]
LEFT, ROW, CYCLE, CYCLES = 190, 22, 15.5, 48
COLOURS = ["#cfe3f5", "#fbdcc0", "#d5ecd9", "#e6d8f0"]
STILL = {"queued": "#eceff3", "waits": "#f6c9c5", "arrives": "#e3e8ee"}


def bar(svg: draw.Svg, y: float, s: check.Slice, fill: str, words: str) -> None:
    """A slice; what lies beyond the picture is cut off."""
    x, end = LEFT + s.begin * CYCLE, LEFT + min(s.end, CYCLES) * CYCLE
    svg.rect(x, y, end - x, ROW - 4, fill, draw.SOFT, width=0.7)
    if len(words) * 6.4 < end - x:
        svg.text((x + end) / 2, y + 13, words, size=10.5)


def picture(tracks: dict[int, check.Track]) -> str:
    by_name = {t.name: t for t in tracks.values()}
    rows = sum(2 if name.startswith("worm ") else 1 for name in SHOWN)
    svg = draw.Svg(LEFT + CYCLES * CYCLE + 24, rows * ROW + 34, "Tracks of links and of worms in a Perfetto trace")
    for cycle in range(0, CYCLES + 1, 8):
        x = LEFT + cycle * CYCLE
        svg.line([(x, 20), (x, rows * ROW + 28)], draw.LINE, 0.7)
        svg.text(x, 14, f"{cycle} ns" if cycle else "0", size=10.5, colour=draw.SOFT)
    y = 26.0
    for name in SHOWN:
        track = by_name[name]
        parent = name in ("links", "worms")
        svg.text(8 if parent else 20, y + 13, name, size=11.5, anchor="start", bold=parent)
        for s in track.slices:
            if s.begin >= CYCLES:
                continue
            number = s.notes["worm"] if "worm" in s.notes else int(track.name.split()[1].rstrip(":"))
            bar(svg, y, s, COLOURS[(int(number) - 1) % 4], s.name)
            for inner in s.inside:
                if inner.begin < CYCLES:
                    bar(svg, y + ROW - 4, inner, STILL.get(inner.name, "#ffffff"), inner.name)
        y += ROW * (2 if name.startswith("worm ") else 1)
    return svg.done()


def main(argv: list[str]) -> int:
    options = [a for a in argv[1:] if a.startswith("-")]
    names = [a for a in argv[1:] if not a.startswith("-")]
    if options not in ([], ["--check"]) or len(names) != 1:
        print((__doc__ or "").split("\n\n")[1], file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as d:
        subprocess.run([names[0], "run", *OPTIONS, "--perfetto", f"{d}/trace"], check=True, capture_output=True)
        text = picture(check.read(pathlib.Path(d, "trace").read_bytes())).replace("draw.py, not", "trace_picture.py, not")
    file = ROOT / "docs" / "img" / "perfetto.svg"
    if not options:
        file.write_text(text, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != text:
        print(f"{file}: not what scripts/docs/trace_picture.py makes; run it without --check")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
