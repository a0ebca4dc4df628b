"""Optimality proofs of the drawings of Table 4 (Goh and Rudin 2014).

Every program is solved separately on all rows of its set, with the default margin, for at most ``--limit``
seconds of wall-clock time. Each result is a line of ``box_proofs.jsonl``: value, bound, seconds, and the
bound that the dual values of its certificate prove alone. A second run continues an interrupted one, and
retries programs that a shorter limit left unproven; runs with limits of 1, 10 and 60 therefore also record
the results of stopped searches. With ``--limit 0`` the script only writes the table.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import ExactBoxesClassifier
from paper_output import keep, load, markdown, options

SETS = ("iris0", "glass0", "glass1", "ecoli01", "haberman", "wisconsin", "vehicle2", "yeast1")
BOXES = (1, 2, 3)
WEIGHTS = tuple(tenth / 10 for tenth in range(1, 11))
SECONDS = (1, 4, 20, 60, 600)
Program = dict[str, Any]


def main() -> None:
    """Prove the remaining programs, and write the table."""
    chosen = options(__doc__, limit=60, threads=-1, sets=SETS, known=SETS)
    file = chosen.output / "box_proofs.jsonl"
    there = last(read(file))
    for name in chosen.sets if chosen.limit else ():
        X, y = rows_of(name)
        for n_boxes in BOXES:
            for weight in WEIGHTS:
                done = there.get((name, n_boxes, weight))
                if done and (done["status"] == "optimal" or done["limit"] >= chosen.limit):
                    continue
                settings = {"n_threads": chosen.threads, "random_state": chosen.seed}
                found = prove(X, y, n_boxes, weight, chosen.limit, **settings)
                append(file, {"set": name, "boxes": n_boxes, "weight": weight} | found)
    keep(chosen.output, "box_proofs", report(read(file)))


def read(file: Path) -> list[Program]:
    """Read the stored searches."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def last(searches: Iterable[Program]) -> dict[tuple[str, int, float], Program]:
    """Return the last search of each program: a set with a number of boxes and a weight."""
    return {(of["set"], of["boxes"], of["weight"]): of for of in searches}


def append(file: Path, line: Program) -> None:
    """Append the result of one program."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def rows_of(name: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows of a data set; the rarer class has label 1."""
    data = load(name)
    _, codes, counts = np.unique(np.asarray(data.y), return_inverse=True, return_counts=True)
    return np.asarray(data.X, dtype=float), (codes == np.argmin(counts)).astype(np.int64)


def prove(X: Any, y: Any, n_boxes: int, weight: float, limit: float, **settings: Any) -> Program:
    """Solve one program; a single box has no penalty."""
    exact = ExactBoxesClassifier(
        n_boxes=n_boxes,
        negative_weight=weight,
        box_cost=0.5 if n_boxes > 1 else 0.0,
        time_limit=limit,
        **settings,
    )
    wall, cpu = time.perf_counter(), time.process_time()
    exact.fit(X, y)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    prices = [one["bound"] for one in exact.certificate()["prices"] if one["n_boxes"] == n_boxes]
    return {
        "limit": limit,
        "status": exact.status_,
        "objective": exact.objective_,
        "bound": exact.bound_,
        "prices": min(prices, default=None),
        "wall": round(wall, 3),
        "cpu": round(cpu, 3),
    }


def report(searches: Sequence[Program]) -> str:
    """Write the number of proofs by time, and value, seconds and certificate of each program."""
    kept = last(searches)
    programs = list(kept.values())
    proven = [of for of in programs if of["status"] == "optimal"]
    limits = sorted({float(of["limit"]) for of in programs if of["status"] != "optimal"})
    n_all = len(SETS) * len(BOXES) * len(WEIGHTS)
    given = " or ".join(f"{limit:g}" for limit in limits) or "no"
    counts = [
        [f"{most}", *(f"{within(proven, clock, most)}" for clock in ("wall", "cpu"))] for most in SECONDS
    ]
    how_many = (
        f"{len(proven)} of {n_all} programs are proven; {len(programs)} were tried. "
        f"The time limit of unproven programs was {given} seconds."
    )
    legend = (
        "Value of the best drawing by weight, with wall-clock seconds in brackets; * if the dual values of "
        "the certificate prove it alone. Unproven programs have value and bound."
    )
    header = ["seconds", "proven, wall-clock seconds", "proven, CPU seconds"]
    rows = [
        [name, f"{n_boxes}", *(cell(kept.get((name, n_boxes, weight))) for weight in WEIGHTS)]
        for name in SETS
        for n_boxes in BOXES
    ]
    table = markdown(["set", "boxes", *map(str, WEIGHTS)], rows)
    title = "# Goh and Rudin 2014, table 4: proofs of its 240 drawings"
    return "\n\n".join([title, how_many, markdown(header, counts), *stopped(searches, kept), legend, table])


def stopped(searches: Iterable[Program], kept: dict[tuple[str, int, float], Program]) -> list[str]:
    """Describe how close the results of searches with a shorter limit were to the optimum."""
    ratios: dict[float, list[float]] = {}
    for of in searches:
        best = kept[of["set"], of["boxes"], of["weight"]]
        if of["status"] != "optimal" and best["status"] == "optimal":
            ratios.setdefault(float(of["limit"]), []).append(of["objective"] / best["objective"])
    return [
        f"After {limit:g} s, {len(of)} programs that are proven now were open; {near(of)} of their drawings "
        f"were within 1 % of the best one, the worst within {1 - min(of):.1%}."
        for limit, of in sorted(ratios.items())
    ]


def near(ratios: Iterable[float]) -> int:
    """Count drawings whose value is within 1 % of the optimum."""
    return sum(ratio > 0.99 for ratio in ratios)


def within(proven: Iterable[Program], clock: str, most: float) -> int:
    """Count programs proven within ``most`` seconds."""
    return sum(of[clock] <= most for of in proven)


def cell(of: Program | None) -> str:
    """Format the result of a program."""
    if of is None:
        return ""
    if of["status"] != "optimal":
        return f"{of['objective']:g} to {of['bound']:g}"
    # Values are multiples of 0.1 rows: a bound closer than that proves optimality.
    alone = of["prices"] is not None and of["prices"] < of["objective"] + 0.1 - 1e-6
    return f"{of['objective']:g}{'*' if alone else ''} ({of['wall']:.1f})"


if __name__ == "__main__":
    main()
