"""Insert three regressions, one at a time, and check that the gate names each slower kernel.

The regressions are a loop that runs twice, a lost inlining, and an extra allocation. Each is inserted into a
copy of the last commit, built, and counted against that commit. Then the commit is counted repeatedly: no
count may vary by more than a tenth of the tolerance of the gate. Run it with ``make bench-gate-seeded``;
``--reruns`` and ``--only`` make it shorter.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

from gate import MOST, NOTHING, built, checkout, instructions


class Seed(NamedTuple):
    """A slower equivalent of some code in a source file, and a kernel that shows it."""

    file: str
    before: str
    after: str
    kernel: str


SEEDS = {
    "a doubled loop": Seed(
        "crates/trees/src/split/interval_scan.rs",
        "        gaps.count_rows(rows.frequent, keys, apart);\n",
        "        gaps.count_rows(rows.frequent, keys, apart);\n" * 2,
        "fit random_forest",
    ),
    "a lost inlining": Seed(
        "crates/trees/src/rows/train_column.rs",
        "#[inline]\npub(crate) fn row_of(",
        "#[inline(never)]\npub(crate) fn row_of(",
        "fit cart",
    ),
    "an extra allocation": Seed(
        "crates/trees/src/split/split_scanner.rs",
        "        let score = self.score_table(part);\n        let is_best",
        "        let table = std::hint::black_box(self.table.clone());\n        drop(table);\n"
        "        let score = self.score_table(part);\n        let is_best",
        "fit cart",
    ),
}


def counted(root: Path, names: set[str]) -> dict[str, int]:
    """Instructions of some kernels."""
    program = built(root)
    nothing = instructions(program, NOTHING)
    return {name: instructions(program, name) - nothing for name in sorted(names)}


def caught(name: str, seed: Seed, folder: Path, before: dict[str, int]) -> bool:
    """Whether the gate fails with a regression inserted."""
    path = folder / seed.file
    text = path.read_text(encoding="utf-8")
    if text.count(seed.before) != 1:
        raise SystemExit(f"{seed.file} has changed: update the regression for {name}")
    path.write_text(text.replace(seed.before, seed.after), encoding="utf-8")
    now = counted(folder, {seed.kernel})
    path.write_text(text, encoding="utf-8")
    ratio = now[seed.kernel] / before[seed.kernel]
    verdict = "caught" if ratio > 1 + MOST else "MISSED"
    print(f"{name:24s} {seed.kernel:28s} {now[seed.kernel]:>14,d} {ratio:7.3f} {verdict}", flush=True)
    return ratio > 1 + MOST


def main() -> int:
    """Print the results; return 1 if a regression passes or a rerun differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reruns", type=int, default=10)
    parser.add_argument("--only", choices=list(SEEDS), action="append")
    options = parser.parse_args()
    chosen = {name: seed for name, seed in SEEDS.items() if name in (options.only or SEEDS)}
    with checkout("HEAD") as folder:
        before = counted(folder, {seed.kernel for seed in chosen.values()})
        program, kernel = built(folder), next(iter(chosen.values())).kernel
        counts = [instructions(program, kernel) for _ in range(options.reruns)]
        missed = [name for name, seed in chosen.items() if not caught(name, seed, folder, before)]
    spread = (max(counts) - min(counts)) / min(counts) if counts else 0.0
    print(f"{len(counts)} reruns of {kernel}: counts within {spread:.5%}")
    return int(bool(missed) or spread > MOST / 10)


if __name__ == "__main__":
    sys.exit(main())
