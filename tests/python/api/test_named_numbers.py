"""A parameter that is no number is named, in every public function."""

import importlib
import inspect

import numpy as np
import pytest

from imbcore.exceptions import ParameterError

Y = np.array([0, 0, 0, 1, 0, 1, 0, 0, 1, 0] * 4)
SCORES = np.linspace(0, 1, 40)
# What functions ask for besides, by the names of their parameters.
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


def test_there_are_many():
    assert len(CASES) >= 40


@pytest.mark.parametrize(("function", "name"), CASES)
def test_what_is_no_number_is_named(function, name):
    asked = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    given = {p.name: GIVEN.get(p.name, KINDS.get(p.annotation, SCORES)) for p in asked}
    for wrong in ("many", [1.0, 2.0]):
        with pytest.raises(ParameterError, match=name) as raised:
            function(**{**given, name: wrong})
        assert repr(wrong) in str(raised.value)
