"""Every public function names a parameter that must be a number and is not."""

import importlib
import inspect

import numpy as np
import pytest

from imbcore import CARTClassifier, HDDTClassifier, OVAClassifier, SVRTreeCV
from imbcore.decisions import ThresholdClassifier
from imbcore.discretization import EqualFrequencyDiscretizer
from imbcore.exceptions import ParameterError

Y = np.array([0, 0, 0, 1, 0, 1, 0, 0, 1, 0] * 4)
SCORES = np.linspace(0, 1, 40)
# Required arguments of functions, by parameter name.
GIVEN = {
    "y_true": Y,
    "y_pred": (SCORES > 0.5).astype(int),
    "y1": Y,
    "y2": Y,
    "y_proba": np.column_stack([1 - SCORES, SCORES]),
    "quantity": "f1",
    "fpr": [0, 0.1, 1],
    "tpr": [0, 0.5, 1],
}
KINDS = {"float": 0.5, "int": 5}


def parameters():
    for name in ("metrics", "costs", "stats", "datasets"):
        module = importlib.import_module(f"imbcore.{name}")
        for function in map(vars(module).get, module.__all__):
            if inspect.isfunction(function):
                for parameter in inspect.signature(function).parameters.values():
                    if parameter.annotation in ("float", "float | None"):
                        yield pytest.param(
                            function, parameter.name, id=f"{function.__name__}-{parameter.name}"
                        )


CASES = list(parameters())


def test_inspection_finds_many_parameters():
    assert len(CASES) >= 37


@pytest.mark.parametrize(("function", "name"), CASES)
def test_non_numeric_value_is_named(function, name):
    required = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    given = {p.name: GIVEN.get(p.name, KINDS.get(p.annotation, SCORES)) for p in required}
    for wrong in ("many", [1.0, 2.0]):
        with pytest.raises(ParameterError, match=name) as raised:
            function(**{**given, name: wrong})
        assert repr(wrong) in str(raised.value)


X = np.column_stack([SCORES, SCORES[::-1] ** 2])


@pytest.mark.parametrize("cv", ["many", 1.5, True, 1, [1, 2], {}, [], [(1, 2, 3)]])
@pytest.mark.parametrize("of_folds", [SVRTreeCV, lambda cv: ThresholdClassifier(CARTClassifier(), cv=cv)])
def test_invalid_folds_are_named(of_folds, cv):
    with pytest.raises(ParameterError, match="cv must"):
        of_folds(cv=cv).fit(X, Y)


@pytest.mark.parametrize("n_jobs", ["many", 0, 1.5, [1, 2], float("inf")])
def test_invalid_number_of_workers_is_named(n_jobs):
    with pytest.raises(ParameterError, match="n_jobs must be None, an integer"):
        OVAClassifier(n_jobs=n_jobs).fit(X, Y)


def test_parameter_of_a_variant_is_named():
    with pytest.raises(ParameterError, match=r"n_bins.*got nan"):
        EqualFrequencyDiscretizer(n_bins=float("nan")).fit(X, Y)


def test_zero_dimensional_array_is_a_number():
    trees = [
        HDDTClassifier(max_depth=np.array(2), min_split_gain=gain).fit(X, Y)
        for gain in (0.25, np.array(0.25))
    ]
    assert trees[0].model_.to_bytes() == trees[1].model_.to_bytes()


def test_folds_accept_any_integer_type():
    one, other = (
        ThresholdClassifier(CARTClassifier(), cv=cv, random_state=3).fit(X, Y) for cv in (4, np.int64(4))
    )
    assert one.threshold_ == other.threshold_
