"""Kind: unknown and missing arguments of public functions and methods.

The error has the public name and suggests the intended argument, as for the constructors of estimators.
"""

import importlib
import inspect
import pickle
from types import FunctionType

import numpy as np
import pytest

import imbcore
from imbcore import evaluation, metrics, stats

PACKAGES = [
    "bayes",
    "boxes",
    "costs",
    "datasets",
    "decisions",
    "decompositions",
    "discretization",
    "evaluation",
    "metrics",
    "networks",
    "plotting",
    "sampling",
    "stats",
    "trees",
]


def _public(kind):
    """Public functions or classes by name, each once."""
    found = {}
    for package in ("imbcore", *(f"imbcore.{name}" for name in PACKAGES)):
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            one = getattr(module, name)
            if kind(one) and one not in found.values():
                found[name] = one
    return found


FUNCTIONS = _public(inspect.isfunction)
METHODS = {
    f"{owner}.{name}": getattr(found, name)
    for owner, found in _public(inspect.isclass).items()
    if not issubclass(found, BaseException)
    for name in dir(found)
    if not name.startswith("_")
    and isinstance(inspect.getattr_static(found, name), (FunctionType, classmethod, staticmethod))
    and inspect.unwrap(getattr(found, name)).__module__.startswith("imbcore.")
}
ALL = FUNCTIONS | METHODS


def _takes_any(function):
    return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())


@pytest.mark.parametrize("names", [FUNCTIONS, METHODS], ids=["functions", "methods"])
def test_unknown_arguments_name_the_public_function(names):
    plain = []
    for name, function in names.items():
        if _takes_any(function):
            continue
        bound = names is METHODS and next(iter(inspect.signature(function).parameters), "") == "self"
        with pytest.raises(TypeError) as caught:
            function(*[object()] * bound, no_such_argument=1)
        who, _, advice = str(caught.value).partition(" has no argument `no_such_argument`; it takes ")
        named = who.startswith("imbcore.") and "._" not in who if names is FUNCTIONS else True
        if not advice or not named or who.split(".")[-1] != function.__name__:
            plain.append((name, str(caught.value)))
    assert plain == []


NEEDING = {
    name: function
    for name, function in FUNCTIONS.items()
    if any(
        one.default is one.empty and one.kind < 2 for one in inspect.signature(function).parameters.values()
    )
}


@pytest.mark.parametrize("name", NEEDING)
def test_missing_arguments_name_the_public_function(name):
    with pytest.raises(
        TypeError,
        match=rf"^imbcore\.([a-z.]+\.)?{NEEDING[name].__name__}: missing a required argument: .*; it takes ",
    ):
        NEEDING[name]()


MODEL = imbcore.fit(np.arange(40.0).reshape(20, 2), [0] * 15 + [1] * 5, "cart")
TABLE = (np.arange(40.0).reshape(20, 2), [0] * 15 + [1] * 5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: MODEL.explain(TABLE[0], tpo=3),
            TypeError,
            "^Model.explain has no argument `tpo`; it takes X, ",
        ),
        (
            lambda: imbcore.CARTClassifier().fit(*TABLE).predict_log_proba(x=1),
            TypeError,
            "^CARTClassifier.predict_log_proba has no argument `x`; it takes X; did you mean `X`",
        ),
        (lambda: MODEL.predict(), TypeError, "^Model.predict: missing a required argument: 'X'; it takes X"),
        (lambda: MODEL.explain(TABLE[0], backgroud=1), TypeError, "did you mean `background`"),
        (
            lambda: MODEL.predict_to_file("a.csv", "b.csv", sep=";"),
            imbcore.ParameterError,
            "^Model.predict_to_file has no argument `sep`; did you mean `separator`",
        ),
        (lambda: stats.wilcoxon_test([1], [2], metod="x"), TypeError, "^imbcore.stats.wilcoxon_test has no"),
        (lambda: stats.wilcoxon_test([1], [2], metod="x"), TypeError, "did you mean `method`"),
        (lambda: metrics.f1_score([1], [1], sample_weights=[1]), TypeError, "did you mean `sample_weight`"),
        (
            lambda: evaluation.run({}, {}, procedur="1x2"),
            TypeError,
            "^imbcore.evaluation.run has no argument",
        ),
        (lambda: evaluation.run({}, {}, random_state=1), TypeError, "did you mean `seed`"),
        (
            lambda: evaluation.NamedMethod("cart", parametrs={}),
            TypeError,
            "^NamedMethod has no argument `parametrs`",
        ),
        (lambda: evaluation.NamedMethod("cart", parametrs={}), TypeError, "did you mean `parameters`"),
        (
            lambda: evaluation.Procedure("own"),
            TypeError,
            "^Procedure: missing a required argument: 'replicates'",
        ),
        (lambda: imbcore.BayesianNetwork.learn(), TypeError, "^BayesianNetwork.learn: missing a required"),
        (
            lambda: imbcore.compare(*TABLE, scoring="f1"),
            imbcore.ParameterError,
            "^imbcore.compare has no argument `scoring`; did you mean `score`",
        ),
        (lambda: imbcore.compare(*TABLE, protocl="1x2"), imbcore.ParameterError, "did you mean `protocol`"),
        (
            lambda: imbcore.compare(*TABLE, nonsense=1),
            imbcore.ParameterError,
            "; it takes X, y, methods, protocol",
        ),
        (lambda: imbcore.fit(TABLE[0]), TypeError, "^imbcore.fit: missing a required argument: 'y'"),
    ],
)
def test_errors_suggest_the_argument(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_type_errors_of_a_function_are_kept():
    """Only errors about the arguments of the call are rewritten."""
    with pytest.raises(TypeError, match=r"^own error$"):
        imbcore.fit(*TABLE, "cart", callback=_fail)


def _fail(stage, done, total):
    raise TypeError("own error")


def test_functions_can_be_pickled():
    for function in FUNCTIONS.values():
        assert pickle.loads(pickle.dumps(function)) is function


def test_one_name_for_a_protocol():
    """The splits of `run`, `make_splits`, `procedure_of` and `compare` are called `protocol`."""
    for function in (imbcore.compare, evaluation.run, evaluation.make_splits, evaluation.procedure_of):
        assert "protocol" in inspect.signature(function).parameters
        assert "procedure" not in inspect.signature(function).parameters
