"""Experiments run by :mod:`imbcore.evaluation`: records, folds and computing time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore import evaluation
from reproduce._experiment import Settings
from reproduce._report import Report

__all__ = ["measure"]


def measure(
    report: Report,
    settings: Settings,
    learners: Mapping[str, Any],
    tables: Mapping[str, Any],
    procedure: evaluation.Procedure,
    *,
    part: str = "",
) -> list[dict[str, Any]]:
    """Run learners as ``settings.records`` does; report computing time and failures."""
    records = settings.records(learners, tables, procedure, part=part)
    ending = f" ({part})" if part else ""
    report.fact(f"fits{ending}", len(records))
    seconds = sum(record["cpu_seconds"] or 0 for record in records)
    report.fact(f"CPU seconds of the fits{ending}", round(seconds))
    failures = [record for record in records if record["failure"]]
    if failures:
        rows = [(r["dataset"], r["method"], r["replicate"], r["fold"], r["failure"]) for r in failures]
        report.table(
            f"Missing: {len(rows)} of {len(records)} fits",
            ("set", "method", "replicate", "fold", "why"),
            rows,
        )
    return records
