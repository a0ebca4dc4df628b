"""The numbers of the page: thresholds with their counts, scores in bins, calibration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native

__all__ = ["exactness_words", "figures", "names"]

# More thresholds than a screen has points, and about 150 kB of them.
MOST_POINTS = 4000
BINS = 60
CALIBRATION_BINS = 10


def figures(truth: NDArray[np.bool_], scores: NDArray[np.float64], own: NDArray[np.bool_]) -> dict[str, Any]:
    """Count what a page shows, on rows of both classes.

    Parameters
    ----------
    truth
        Which rows are positive.
    scores
        Probability of the positive class of every row.
    own
        Which rows the model itself answers positive.

    Returns
    -------
    dict
        Plain values for JSON. ``points`` has the thresholds that can be chosen, with exact counts: the first
        (None where all of [0, 1] answers a row) answers no row, the last all.
    """
    codes = truth.astype(np.uint32)
    sweep = native.metrics.Sweep(codes, 1, scores, None)
    answered = scores[own]
    start = [float(answered.min())] if answered.size else []
    cells, of, (rows, positives, step) = sweep.thinned(MOST_POINTS, start, 1.0)
    threshold, tp, fp, width = cells.T.tolist()
    counts = {"tp": _whole(tp), "fp": _whole(fp), "width": _whole(width)}
    return {
        "rows": len(truth),
        "positives": int(sweep.positives),
        "negatives": int(sweep.negatives),
        "auc": sweep.auc(),
        "averagePrecision": sweep.average_precision(),
        "points": {"threshold": [_threshold(value) for value in threshold], **counts},
        "scores": of,
        "passed": {"rows": int(rows), "positives": int(positives), "step": step},
        "own": _own_position(truth, own, counts, start),
        "histogram": [
            [low, high, int(some), int(others)] for low, high, some, others in sweep.histogram(BINS).tolist()
        ],
        "calibration": {
            strategy: _calibration(codes, scores, strategy) for strategy in ("uniform", "quantile")
        },
    }


def _whole(values: list[float]) -> list[int]:
    return [int(value) for value in values]


def _threshold(value: float) -> float | None:
    """Give a number in [0, 1], which is what a model takes; below all scores is 0, above them none."""
    return None if math.isinf(value) and value > 0 else max(0.0, value)


def _own_position(
    truth: NDArray[np.bool_], own: NDArray[np.bool_], counts: dict[str, list[int]], start: list[float]
) -> dict[str, Any]:
    """Place among the thresholds of what the model itself answers, and whether a threshold says the same."""
    tp = int(np.count_nonzero(own & truth))
    fp = int(np.count_nonzero(own)) - tp
    places = zip(counts["tp"], counts["fp"], strict=True)
    found = next((place for place, pair in enumerate(places) if pair == (tp, fp)), None)
    if found is not None:
        return {"position": found, "exact": True}
    # The threshold that answers at least these rows.
    sums = [a + b for a, b in zip(counts["tp"], counts["fp"], strict=True)]
    nearest = min(range(len(sums)), key=lambda place: abs(sums[place] - tp - fp)) if start else 0
    return {"position": nearest, "exact": False}


def _calibration(codes: NDArray[np.uint32], scores: NDArray[np.float64], strategy: str) -> list[list[float]]:
    """Give rows, mean probability, share of positives, and the ends of its interval, bin by bin."""
    cells = native.metrics.calibration_table(codes, 1, scores, None, CALIBRATION_BINS, strategy)
    return [[int(rows), said, came, low, high] for _, rows, _, said, came, low, high in cells.tolist()]


def names(labels: list[Any], positive: Any) -> tuple[str, str]:
    """Name the positive class and the rest, for people."""
    others = [label for label in labels if label != positive]
    return str(positive), str(others[0]) if len(others) == 1 else f"all but {positive}"


def exactness_words(found: dict[str, Any]) -> str:
    """Say which thresholds the page knows, and how exact it is."""
    kept, of = len(found["points"]["tp"]) - 1, found["scores"]
    if kept == of:
        return (
            f"Every threshold that changes an answer is on this page: {of:,} of them. The counts are exact, "
            "and no number is rounded before it is used."
        )
    passed = found["passed"]
    rows, positives, step = passed["rows"], passed["positives"], 100 * passed["step"]
    return (
        f"Of {of:,} thresholds that change an answer the page knows {kept:,}, and the counts at each are "
        "exact. Kept are those that are cheapest at some cost, the first to find every thousandth of the "
        "positives, and the last within every alarm rate of two digits; of any other budget at most "
        f"{step:.2g} % stay unused. Between two neighbours lie at most {rows:,} rows, {positives:,} of them "
        "positive."
    )
