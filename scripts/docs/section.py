#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""section.py - puts standard input between two markers of a page.

usage: section.py PAGE NAME < TEXT

The markers are lines: `<!-- NAME: how it is made -->` and `<!-- /NAME -->`.
Exit codes: 0 done, 2 usage, 3 the page or its markers are missing, or there is no text.
"""

import pathlib
import re
import sys


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    page, name = pathlib.Path(sys.argv[1]), re.escape(sys.argv[2])
    try:
        old = page.read_text()
    except OSError as error:
        print(f"section.py: {page}: {error.strerror}", file=sys.stderr)
        return 3
    text = sys.stdin.read().strip()
    parts = re.split(rf"(^<!-- {name}: [^\n]* -->\n)(.*?)(^<!-- /{name} -->\n)", old, flags=re.M | re.S)
    if not text or len(parts) != 5:
        print(f"section.py: {page}: " + ("no text" if not text else f"no single section <!-- {sys.argv[2]}: .. -->"),
              file=sys.stderr)
        return 3
    page.write_text("".join([parts[0], parts[1], text, "\n", *parts[3:]]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
