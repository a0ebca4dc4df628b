"""Experiments that the engine runs: records, folds and what they cost, in the folder of the experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore import protocols
from imbcore.reproduce._experiment import Settings
from imbcore.reproduce._report import Report

__all__ = ["measure"]


def measure(
    report: Report,
    settings: Settings,
    learners: Mapping[str, Any],
    tables: Mapping[str, Any],
    procedure: Any,
    *,
    file: str = "records",
) -> list[dict[str, Any]]:
    """Run learners on tables; go on from the records that are there, and note time and failures.

    Parameters
    ----------
    file
        Name of the records in the folder of the experiment, where it runs more than one procedure.
    """
    if not tables:
        return []
    folds = protocols.deal(tables, procedure, settings.seed)
    protocols.write_folds(settings.out / f"{file.replace('records', 'folds')}.json", folds)
    records: list[dict[str, Any]] = protocols.run(
        learners,
        tables,
        procedure,
        seed=settings.seed,
        n_jobs=settings.n_jobs,
        time_limit=settings.time_limit,
        file=settings.out / f"{file}.jsonl",
        folds=folds,
        callback=settings.callback,
    )
    report.fact(f"fits ({file})", len(records))
    report.fact(
        f"CPU seconds of fits and answers ({file})", round(sum(r["cpu_seconds"] or 0 for r in records))
    )
    failures = [record for record in records if record["failure"]]
    if failures:
        rows = [(r["dataset"], r["method"], r["replicate"], r["fold"], r["failure"]) for r in failures]
        report.table(
            f"Missing: {len(rows)} of {len(records)} fits",
            ("set", "method", "replicate", "fold", "why"),
            rows,
        )
    return records
