"""Every metric with weights: 0 is no row, a factor has no effect, and extreme sizes are rejected."""

import inspect
import warnings

import numpy as np
import pytest

from imbcore import metrics
from imbcore.exceptions import DataError

RNG = np.random.default_rng(0)
Y = (RNG.random(60) < 0.3).astype(int)
SCORE = np.clip(Y * 0.3 + RNG.random(60) * 0.6, 0, 1)
WEIGHT = RNG.integers(1, 4, 60).astype(float)
# Arguments by the name of a parameter without a default.
VALUES = {
    "y_true": Y,
    "y": Y,
    "labels": Y,
    "y1": Y,
    "y2": (SCORE > 0.5).astype(int),
    "y_pred": (SCORE > 0.5).astype(int),
    "y_score": SCORE,
    "y_proba": SCORE,
    "scores": SCORE,
    "cost_matrix": [[0, 1], [5, 0]],
    "goal": "f1",
    "k": 20,
    "beta": 2.0,
}
# Functions with special arguments.
OWN = {
    "partial_auc_score": {"max_fpr": 0.5},
    "precision_recall_curves": {"y_score": np.column_stack([1 - SCORE, SCORE])},
    "roc_curves": {"y_score": np.column_stack([1 - SCORE, SCORE])},
}
# Their results are weights, or proportional to them.
MASSES = {"confusion_matrix", "total_cost"}


def weighted_metrics():
    found = {name: getattr(metrics, name) for name in metrics.__all__}
    functions = {name: one for name, one in found.items() if inspect.isfunction(one)}
    return {
        name: one for name, one in functions.items() if "sample_weight" in inspect.signature(one).parameters
    }


def call(name, weight, kept=slice(None)):
    function = getattr(metrics, name)
    given = dict(OWN.get(name, {}))
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is inspect.Parameter.empty and parameter.kind not in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            given.setdefault(parameter.name, VALUES[parameter.name])
    rows = {
        key: value[kept] if isinstance(value, np.ndarray) and len(value) == 60 else value
        for key, value in given.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(**rows, sample_weight=weight[kept] if weight is not None else None)


def numbers(found):
    """All numbers of a result, in order."""
    if isinstance(found, dict):
        return np.concatenate([numbers(value) for value in found.values()])
    if isinstance(found, (tuple, list)):
        return np.concatenate([numbers(value) for value in found]) if found else np.empty(0)
    if hasattr(found, "__dataclass_fields__"):
        return numbers([getattr(found, name) for name in found.__dataclass_fields__])
    if found is None or isinstance(found, (str, bool)):
        return np.empty(0)
    return np.ravel(np.asarray(found, dtype=np.float64))


def outcome(name, weight):
    """Numbers of a result, or the error message."""
    try:
        return numbers(call(name, weight)), None
    except DataError as error:
        return None, str(error)


@pytest.mark.parametrize("name", weighted_metrics())
class TestEveryMetric:
    def test_rows_of_weight_0_equal_removed_rows(self, name):
        kept = np.arange(60) % 4 > 0
        zero, without = call(name, WEIGHT * kept), call(name, WEIGHT, kept)
        assert np.allclose(numbers(zero), numbers(without), rtol=1e-12, atol=0, equal_nan=True)

    def test_weights_of_any_size_are_correct_or_rejected(self, name):
        if name.endswith("_at_k"):
            pytest.skip("k is a sum of weights")
        plain = numbers(call(name, WEIGHT))
        # Powers of two, so that nothing is rounded: from 1e-199 to 1e307, whose sum is infinite.
        for power in (-660, -166, -23, 166, 664, 1020):
            factor = 2.0**power
            found, message = outcome(name, WEIGHT * factor)
            if message is not None:
                assert "sample_weight must be" in message or "divide all weights" in message
                assert not 1e-60 < factor < 1e59
                continue
            if name in MASSES:
                found = found / factor
            scaled = np.isclose(found, plain, rtol=1e-9, atol=1e-12, equal_nan=True)
            # Some numbers of a table are weights.
            assert (scaled | np.isclose(found / factor, plain, rtol=1e-9, atol=0)).all(), factor

    def test_class_of_negligible_weight(self, name):
        found, message = outcome(name, np.where(Y == 1, 1e-200, 1.0))
        if message is None:
            assert not np.isnan(found).any()
        else:
            assert "sample_weight must be 0 or a number from" in message
