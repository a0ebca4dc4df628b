"""Count the instructions of the kernels in gate.rs and fail if one needs more than before.

The counter is callgrind of valgrind, whose counts do not depend on the load of the machine. The stored counts
are those of one compiler and one version of valgrind. With others, the commit that stored them is built and
counted as well; with ``--base``, the given commit. ``--update`` stores new counts.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "benches" / "gate.json"
NOTHING = "nothing"
MOST = 0.03


def main() -> int:
    """Compare the counts and report increases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", help="a commit to compare with instead of the stored counts")
    parser.add_argument("--update", action="store_true", help="store the counts")
    chosen = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("bench-gate needs valgrind; install the system package of that name", file=sys.stderr)
        return 2
    tools = {name: output([name, "--version"], ROOT).strip() for name in ("rustc", "valgrind")}
    now = counts(ROOT)
    if chosen.update:
        STORED.write_text(json.dumps({"tools": tools, "counts": now}, indent=1) + "\n", encoding="utf-8")
        print(f"stored in {STORED.relative_to(ROOT)}")
        return 0
    if not STORED.exists() and chosen.base is None:
        print(
            "no counts are stored yet: --update stores them, --base compares with a commit", file=sys.stderr
        )
        return 2
    stored = (
        json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {"tools": tools, "counts": {}}
    )
    before, base = stored["counts"], chosen.base
    if base is None and stored["tools"] != tools:
        base = output(["git", "log", "-1", "--format=%H", "--", str(STORED)], ROOT).strip()
        print(f"the stored counts are of {stored['tools']}, these are {tools}: counting {base[:9]} as well")
    if base is not None:
        before = counts_of(base)
    return compare(before, now)


def compare(before: dict[str, int], now: dict[str, int]) -> int:
    """Print one line per kernel; return 1 if one needs more."""
    grown = []
    for kernel, count in now.items():
        ratio = count / before[kernel] if kernel in before else float("nan")
        print(f"{kernel:28s} {count:>14,d} {ratio:7.3f}")
        if ratio > 1 + MOST:
            grown.append(f"{kernel} ({ratio:.3f})")
    if grown:
        print(f"\nmore than {MOST:.0%} more instructions: {', '.join(grown)}", file=sys.stderr)
    return int(bool(grown))


def counts_of(commit: str) -> dict[str, int]:
    """Count another commit, built in a separate folder."""
    with checkout(commit) as folder:
        return counts(folder)


def counts(root: Path) -> dict[str, int]:
    """Instructions of every kernel, minus those that make its data."""
    program = built(root)
    taken = {kernel: instructions(program, kernel) for kernel in kernels(program)}
    without = taken.pop(NOTHING)
    return {kernel: count - without for kernel, count in taken.items()}


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Check out another commit into a separate folder."""
    with tempfile.TemporaryDirectory() as folder:
        output(["git", "worktree", "add", "--detach", folder, commit], ROOT)
        try:
            yield Path(folder)
        finally:
            output(["git", "worktree", "remove", "--force", folder], ROOT)


def built(root: Path) -> str:
    """Build the kernels and return the path of the program."""
    messages = output(
        ["cargo", "bench", "--quiet", "--bench", "gate", "--no-run", "--message-format=json"], root
    )
    made = [json.loads(line) for line in messages.splitlines() if line.startswith("{")]
    return str(next(one["executable"] for one in made if one.get("executable")))


def kernels(program: str) -> list[str]:
    """List the kernels of a program."""
    return output([program], ROOT).splitlines()


def instructions(program: str, kernel: str) -> int:
    """Count one kernel."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kernel]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode or found is None:
        raise SystemExit(f"{kernel} could not be counted:\n{ran.stderr}")
    return int(found[1])


def output(command: list[str], folder: Path) -> str:
    """Run a command and return its output; print its error if it fails."""
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{ran.stderr}")
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
