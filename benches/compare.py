"""Compare the run times of the kernels in gate.rs with another commit, in alternating pairs of runs.

Prints medians of wall and CPU seconds of this tree, and the ratio to the other commit (below 1: faster now).
Each run is a single-threaded process. The time of the kernel "nothing", which only starts and makes the data,
is subtracted on both sides. Nothing is asserted because machines differ; ``gate.py`` counts instructions.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from statistics import median

from gate import NOTHING, ROOT, built, checkout, kernels

Seconds = tuple[float, float]


def main() -> int:
    """Build both commits, run the pairs, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of runs of every kernel")
    chosen = parser.parse_args()
    with checkout(chosen.base) as folder:
        ours, theirs = built(ROOT), built(folder)
        common = [kernel for kernel in kernels(ours) if kernel in set(kernels(theirs))]
        start = pairs(ours, theirs, NOTHING, chosen.rounds)
        print(f"{'kernel':28s} {'wall s':>8s} {'ratio':>7s} {'CPU s':>8s} {'ratio':>7s}")
        for kernel in common:
            if kernel != NOTHING:
                print(row(kernel, pairs(ours, theirs, kernel, chosen.rounds), start))
        alone = [kernel for kernel in kernels(ours) if kernel not in common]
        if alone:
            print(f"not in {chosen.base}: {', '.join(alone)}")
    return 0


def pairs(ours: str, theirs: str, kernel: str, rounds: int) -> tuple[Seconds, Seconds]:
    """Medians of wall and CPU seconds of both programs."""
    found: dict[str, list[Seconds]] = {ours: [], theirs: []}
    for turn in range(rounds):
        for program in (ours, theirs) if turn % 2 else (theirs, ours):
            found[program].append(seconds(program, kernel))
    return medians(found[ours]), medians(found[theirs])


def medians(of: list[Seconds]) -> Seconds:
    """Median of each clock."""
    return median(wall for wall, _ in of), median(cpu for _, cpu in of)


def seconds(program: str, kernel: str) -> Seconds:
    """Wall and CPU seconds of one run."""
    before, began = children(), time.perf_counter()
    subprocess.run([program, kernel], check=True)
    return time.perf_counter() - began, children() - before


def children() -> float:
    """CPU seconds of all finished child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row(kernel: str, taken: tuple[Seconds, Seconds], start: tuple[Seconds, Seconds]) -> str:
    """One line: our medians and the ratios, without the start."""
    cells = []
    for clock in (0, 1):
        ours, theirs = (taken[side][clock] - start[side][clock] for side in (0, 1))
        cells.append(f"{ours:8.3f} {ours / theirs if theirs > 0 else float('nan'):7.2f}")
    return f"{kernel:28s} {cells[0]} {cells[1]}"


if __name__ == "__main__":
    sys.exit(main())
