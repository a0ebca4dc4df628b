"""All figures of the thesis, and a conclusion on each of its open questions."""

from __future__ import annotations

from typing import Any

from reproduce import _thesis_bars, _thesis_synthetic
from reproduce._experiment import Settings
from reproduce._report import Report
from reproduce._thesis_comparison import add_comparison, add_null_runs
from reproduce._thesis_pictures import add_concepts, add_isometrics, add_resampling
from reproduce._thesis_priors import add_priors, add_rectified, add_remedies
from reproduce._thesis_search import add_heuristics, add_parameters, add_structure
from reproduce._thesis_tables import TOGETHER

__all__ = ["figures"]


def figures(settings: Settings) -> Report:
    """Report figures 2 to 44 with tests, and the conclusions at the end."""
    report = Report("thesis-figures", "Morán Jiménez 2018, figures 2 to 44", quick=settings.quick)
    verdicts: list[tuple[Any, ...]] = []
    report.heading("Factors other than rarity that make a class hard: figures 2 to 10")
    _thesis_synthetic.add(report, settings)
    report.heading("Resampling: figures 11 to 20")
    verdicts += _thesis_bars.add(report, settings)
    add_resampling(report, settings)
    report.heading("Isometrics: figures 21 to 23")
    add_isometrics(report, settings)
    report.heading("Networks and bins: figures 24 to 28")
    add_concepts(report, settings)
    report.heading("Heuristics and their parameters: figures 29 to 33")
    records = add_heuristics(report, settings)
    verdicts += add_parameters(report, settings)
    report.heading("The graph around the class: figures 34 to 36")
    verdicts += add_structure(report, settings)
    report.heading("Rectified scores and priors: figures 37 to 40")
    verdicts += add_rectified(report, settings)
    verdicts += add_priors(report, settings)
    report.heading("Ensembles and other classifiers: figures 41 and 42")
    verdicts += add_comparison(report, settings)
    report.heading("Null runs: figures 43 and 44")
    verdicts += add_null_runs(report, records)
    verdicts += add_remedies(report, settings)
    report.heading("Conclusions")
    report.table("The thesis' questions", ("question", "conclusion of the thesis", "our result"), verdicts)
    report.text(TOGETHER)
    report.text(
        "Figure 1 is a project schedule without data. If the thesis gives no value (bins, alpha, "
        "gamma, phi, replicas), ours are used: five bins of equal frequency, alpha 1, phi 0.5, at most "
        "four parents."
    )
    return report
