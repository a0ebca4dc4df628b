"""Notes below the scores of an evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["notes_on_predictions"]


def notes_on_predictions(results: Mapping[str, Any]) -> list[str]:
    """Describe the methods that predict the positive class for no row.

    Parameters
    ----------
    results : mapping of str to Evaluation
    """
    never = [name for name, result in results.items() if not (result.predicted == result.positive).any()]
    if not never:
        return []
    first = results[never[0]]
    who = f"{', '.join(never)} predict{'s' * (len(never) == 1)} class {first.positive!r}"
    goal, what = (first.alerts, "the alert budget, ") if first.alerts else ({"recall": 0.8}, "")
    # Numbers of NumPy are not JSON.
    rule = json.dumps(goal, ensure_ascii=False, default=float)
    return [f"{who} for no row, so recall is 0; choose a threshold, for example {what}threshold={rule}"]
