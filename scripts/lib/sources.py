# SPDX-License-Identifier: Apache-2.0
"""sources.py - the files that the repository consists of, also where it came as an archive, without git."""

import hashlib
import os
import pathlib
import subprocess

BUILT = {".git", "__pycache__", "build", "results"}


def sources(root: str | os.PathLike[str]) -> list[str]:
    """Names of its files, from root, sorted: those that git tracks; of an archive all but what BUILT names at the top,
    and __pycache__ anywhere."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
        names = [name for name in os.fsdecode(done.stdout).split("\0") if name] if done.returncode == 0 else []
    except FileNotFoundError:
        names = []
    if names:                                    # none: root is an archive's folder inside another repository
        return sorted(name for name in names if pathlib.Path(root, name).is_file())
    names = []
    for folder, below, files in os.walk(root):
        top = pathlib.Path(folder) == pathlib.Path(root)
        below[:] = [name for name in below if name not in (BUILT if top else {"__pycache__"})]
        names += [str(pathlib.Path(folder, name).relative_to(root)) for name in files]
    return sorted(names)


def state(root: str | os.PathLike[str], *under: str) -> str:
    """A hash of their names and texts; of files and folders under root, of these alone."""
    kept = hashlib.sha256()
    for name in sources(root):
        if not under or name.split("/")[0] in under:
            kept.update(f"{name}\0{hashlib.sha256(pathlib.Path(root, name).read_bytes()).hexdigest()}\n".encode())
    return kept.hexdigest()
