"""Counts the instructions of `penstock rehearse` for each environment, at a base revision and now; asserts nothing.

Unlike seconds, instructions do not depend on other work on the machine. Counting takes about a minute and a half for
each side of an environment and needs Valgrind (`apt-get install valgrind`). Both sides use the installed SDKs.

Usage: instructions.py BASE [ENVIRONMENT ...]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def environments(root: Path) -> list[str]:
    """The names of the stacks of a checkout."""
    return [stack.stem.removeprefix("Pulumi.") for stack in sorted((root / "stacks").glob("Pulumi.*.yaml"))]


def instructions(root: Path, environment: str) -> int:
    """The instructions of a rehearsal of a checkout, in all its processes."""
    rehearse = [sys.executable, "-m", "penstock", "rehearse", environment]
    env = {**os.environ, "PYTHONPATH": str(root / "components"), "PYTHONHASHSEED": "0"}
    # The first run compiles the checkout's modules.
    subprocess.run(rehearse, check=True, cwd=root, env=env, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        counted = subprocess.run(
            ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/%p", *rehearse],
            check=True,
            cwd=root,
            env=env,
            capture_output=True,
            text=True,
        )
    return sum(map(int, re.findall(r"Collected : (\d+)", counted.stderr)))


def main() -> None:
    """Prints a row for each environment that both revisions have."""
    if shutil.which("valgrind") is None:
        print("Instructions are not counted: Valgrind is not installed.")
        return
    base, *chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "base"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(before), base], cwd=ROOT, check=True)
        try:
            known = set(environments(before))
            print(f"| environment | instructions at {base} | now | change |\n|---|---|---|---|")
            for environment in chosen or [name for name in environments(ROOT) if name in known]:
                then, now = instructions(before, environment), instructions(ROOT, environment)
                print(f"| {environment} | {then / 1e9:.2f} G | {now / 1e9:.2f} G | {now / then - 1:+.1%} |", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
