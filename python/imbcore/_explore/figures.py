"""Data of the page: thresholds with their counts, score histogram, calibration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native

# More thresholds than screen pixels; about 150 kB.
MOST_POINTS = 4000
BINS = 60
CALIBRATION_BINS = 10


def threshold_page_data(
    truth: NDArray[np.bool_], scores: NDArray[np.float64], own: NDArray[np.bool_]
) -> dict[str, Any]:
    """Compute the data of the page, on rows of both classes.

    Parameters
    ----------
    truth
        Whether each row is positive.
    scores
        Probability of the positive class of every row.
    own
        Whether the model predicts each row as positive.

    Returns
    -------
    dict
        Plain values for JSON. ``points`` has the selectable thresholds with exact counts: the first (None if
        even a threshold of 1 selects rows) selects no row, the last all rows.
    """
    codes = truth.astype(np.uint32)
    sweep = native.metrics.Sweep(codes, 1, scores, None)
    selected = scores[own]
    start = [float(selected.min())] if selected.size else []
    cells, of, (rows, positives, step) = sweep.thinned(MOST_POINTS, start, 1.0)
    threshold, tp, fp, width = cells.T.tolist()
    counts = {"tp": _to_integers(tp), "fp": _to_integers(fp), "width": _to_integers(width)}
    return {
        "rows": len(truth),
        "positives": int(sweep.positives),
        "negatives": int(sweep.negatives),
        "auc": sweep.auc(),
        "averagePrecision": sweep.average_precision(),
        "points": {"threshold": [_clip_threshold(value) for value in threshold], **counts},
        "scores": of,
        "passed": {"rows": int(rows), "positives": int(positives), "step": step},
        "own": _find_model_threshold(truth, own, counts, start),
        "histogram": [
            [low, high, int(some), int(others)] for low, high, some, others in sweep.histogram(BINS).tolist()
        ],
        "calibration": {
            strategy: _calibration_bins(codes, scores, strategy) for strategy in ("uniform", "quantile")
        },
    }


def _to_integers(values: list[float]) -> list[int]:
    return [int(value) for value in values]


def _clip_threshold(value: float) -> float | None:
    """Convert a threshold to [0, 1], as models take it; None if it is above all scores."""
    return None if math.isinf(value) and value > 0 else max(0.0, value)


def _find_model_threshold(
    truth: NDArray[np.bool_], own: NDArray[np.bool_], counts: dict[str, list[int]], start: list[float]
) -> dict[str, Any]:
    """Return the threshold closest to the model's predictions, and whether it reproduces them.

    If it does not, the numbers of correct alerts and of alerts of the predictions are added.
    """
    tp = int(np.count_nonzero(own & truth))
    fp = int(np.count_nonzero(own)) - tp
    places = zip(counts["tp"], counts["fp"], strict=True)
    found = next((place for place, pair in enumerate(places) if pair == (tp, fp)), None)
    if found is not None:
        return {"position": found, "exact": True}
    # Threshold with the closest number of selected rows.
    sums = [a + b for a, b in zip(counts["tp"], counts["fp"], strict=True)]
    nearest = min(range(len(sums)), key=lambda place: abs(sums[place] - tp - fp)) if start else 0
    return {"position": nearest, "exact": False, "tp": tp, "raised": tp + fp}


def _calibration_bins(
    codes: NDArray[np.uint32], scores: NDArray[np.float64], strategy: str
) -> list[list[float]]:
    """Return rows, mean probability, fraction of positives, and its interval, per bin."""
    cells = native.metrics.calibration_table(codes, 1, scores, None, CALIBRATION_BINS, strategy)
    return [
        [int(rows), mean, observed, low, high] for _, rows, _, mean, observed, low, high in cells.tolist()
    ]


def names(labels: list[Any], positive: Any) -> tuple[str, str]:
    """Return display names of the positive class and the rest."""
    others = [label for label in labels if label != positive]
    return str(positive), str(others[0]) if len(others) == 1 else f"all but {positive}"


def describe_listed_thresholds(found: dict[str, Any]) -> str:
    """Describe which thresholds the page contains, and their accuracy."""
    kept, of = len(found["points"]["tp"]) - 1, found["scores"]
    if kept == of:
        return (
            f"This page contains all {of:,} thresholds that change a prediction. The counts are exact, "
            "and no number is rounded before it is used."
        )
    passed = found["passed"]
    rows, positives, step = passed["rows"], passed["positives"], 100 * passed["step"]
    return (
        f"This page contains {kept:,} of {of:,} thresholds that change a prediction, with exact counts. "
        "It keeps the thresholds that are optimal for some cost, the first to reach each thousandth of the "
        "recall, and the last within each alert rate of two digits; of any other alert budget at most "
        f"{step:.2g} % stay unused. Between adjacent thresholds there are at most {rows:,} rows, "
        f"{positives:,} of them positive."
    )
