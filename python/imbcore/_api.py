"""The functional door: fit, evaluate, load and the list of methods."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native, training
from imbcore._input.frame import training_data
from imbcore._input.options import described, settled
from imbcore._model.model import Model
from imbcore.exceptions import ModelFormatError, ParameterError

__all__ = ["Evaluation", "Method", "MethodList", "Parameter", "evaluate", "fit", "load", "methods"]


@described
def fit(
    X: Any,
    y: Any,
    method: str = "hddt",
    *,
    on_one_class: str = "error",
    **parameters: Any,
) -> Model:
    """Fit a method to data.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
        A 2-D NumPy array of any order and number type, a pandas, polars or pyarrow table, anything that
        offers a stream of Arrow batches (needs pyarrow), a dict of columns, or a list of rows; rows may be
        dicts, in which a value that is not named is missing. NaN, None and NA are missing values. Text
        and categorical columns are nominal features. Float64 arrays in C or Fortran order are used in
        place: no other thread may write to them during the call.
    y : sequence of shape (n_rows,)
        Class labels: text, integers, booleans or whole floats; two classes or more.
    method : str, default="hddt"
        Name of the method; :func:`imbcore.methods` lists them.
    on_one_class : "error" or "constant", default="error"
        Where one class alone has rows of positive weight: an error, or a model that always answers it, with a
        warning. The estimator classes do the latter.
    **parameters
        Parameters of the method.

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    ParameterError
        The method, a parameter or an option is unknown or outside its domain.
    DataError
        The data cannot be used; the message names the column and says what to do.

    Examples
    --------
    >>> import imbcore
    >>> X = [[5.0, "red"], [6.0, "red"], [7.0, "blue"], [8.0, "blue"]]
    >>> model = imbcore.fit(X, [0, 0, 0, 1], method="cart", max_depth=3, random_state=0)
    >>> model.predict([[8.5, "blue"]]).tolist()
    [1]
    """
    if not isinstance(method, str):
        raise ParameterError(f"method must be a name, such as 'hddt', got {method!r}")
    if on_one_class not in ("error", "constant"):
        raise ParameterError(f"on_one_class must be 'error' or 'constant', got {on_one_class!r}")
    constant = on_one_class == "constant"
    options = settled(parameters)
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    frame, target, schema = training_data(X, y, nominal, names, method, constant=constant)
    fitted = training.fit(
        method,
        parameters,
        frame,
        target,
        schema,
        **options,
        constant=constant,
    )
    return Model(fitted, schema)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file written by :meth:`Model.save`. Nothing in the file is executed.

    Parameters
    ----------
    path : path-like
        File to read.

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    ModelFormatError
        The file is damaged, is no model file, or comes from an unknown version.
    OSError
        The file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        return Model(native.models.from_bytes(data))
    except ModelFormatError as error:
        raise ModelFormatError(f"{os.fspath(path)}: {error}") from error


@dataclass(frozen=True)
class Evaluation:
    """Scores of a method in repeated stratified cross-validation.

    Attributes
    ----------
    method : str
        Name of the method.
    metrics : dict of str to ndarray of shape (folds * repeats,)
        Scores on every test fold; NaN where a fold lacks the rows that a score speaks of.
    folds, repeats : int
        Number of folds, and of repetitions with other folds.
    positive : label
        The class that precision, recall, F1 and average precision are about when there are two classes.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels.
    y : ndarray of shape (n_rows,)
        Labels of the data.
    fold : ndarray of shape (n_rows,)
        Test fold of every row in the first repetition.
    proba : ndarray of shape (n_rows, n_classes)
        Class probabilities of every row, from the model that did not see it, in the first repetition.
    predicted : ndarray of shape (n_rows,)
        Class that this model answered for every row.
    """

    method: str
    metrics: dict[str, NDArray[np.float64]]
    folds: int
    repeats: int
    positive: Any
    classes_: NDArray[Any]
    y: NDArray[Any]
    fold: NDArray[np.uint32]
    proba: NDArray[np.float64]
    predicted: NDArray[Any]

    def mean(self) -> dict[str, float]:
        """Mean of every metric over the folds where it is defined; NaN where it is defined on none."""
        return {name: found[0] for name, found in self._spreads().items()}

    def sd(self) -> dict[str, float]:
        """Sample standard deviation of every metric over the folds where it is defined; NaN below two."""
        return {name: found[1] for name, found in self._spreads().items()}

    def n_defined(self) -> dict[str, int]:
        """Count the folds over which the mean of every metric is taken."""
        return {name: found[2] for name, found in self._spreads().items()}

    def _spreads(self) -> dict[str, tuple[float, float, int]]:
        """Mean, deviation and number of defined values of every metric."""
        return {name: native.protocols.spread(scores) for name, scores in self.metrics.items()}

    def __str__(self) -> str:
        rounds = f"{self.repeats} x {self.folds}" if self.repeats > 1 else f"{self.folds}"
        lines = [
            f"{self.method}: {rounds} stratified folds, {len(self.y)} rows, positive class {self.positive!r}"
        ]
        if len(self.classes_) > 2:
            lines = [
                f"{self.method}: {rounds} stratified folds, {len(self.y)} rows, {len(self.classes_)} classes"
            ]
        spreads = self._spreads()
        width = max(map(len, self.metrics))
        lines.append(f"{'metric':{width}}    mean      sd")
        for name, scores in self.metrics.items():
            mean, sd, n_defined = spreads[name]
            part = "" if n_defined == len(scores) else f"  over {n_defined} of {len(scores)} folds"
            lines.append(f"{name:{width}}  {mean:6.4f}  {sd:6.4f}{part}")
        return "\n".join(lines)


@described
def evaluate(
    X: Any,
    y: Any,
    method: str = "hddt",
    *,
    folds: int = 5,
    repeats: int = 1,
    **parameters: Any,
) -> Evaluation:
    """Score a method by repeated stratified cross-validation.

    Parameters
    ----------
    X, y, method
        As in :func:`imbcore.fit`.
    folds : int, default=5
        Number of folds, at least 2.
    repeats : int, default=1
        Number of repetitions with other folds, at least 1.
    **parameters
        Parameters of the method.

    Returns
    -------
    Evaluation
        Scores of every fold; ``print`` shows means and standard deviations.

    Raises
    ------
    ParameterError, DataError
        As in :func:`imbcore.fit`.

    Examples
    --------
    >>> import imbcore
    >>> X = [[float(i)] for i in range(40)]
    >>> result = imbcore.evaluate(X, [0] * 30 + [1] * 10, method="cart", folds=5, random_state=0)
    >>> result.positive, len(result.metrics["g_mean"])
    (1, 5)
    """
    if not isinstance(method, str):
        raise ParameterError(f"method must be a name, such as 'hddt', got {method!r}")
    options = settled(parameters)
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    frame, target, schema = training_data(X, y, nominal, names, method, constant=False)
    folds, repeats = _count("folds", folds, 2), _count("repeats", repeats, 1)
    result = training.evaluate(
        method,
        parameters,
        frame,
        target,
        schema,
        **options,
        folds=folds,
        repeats=repeats,
    )
    metrics = dict(zip(result["names"], result["values"], strict=True))
    return Evaluation(
        method=method,
        metrics=metrics,
        folds=folds,
        repeats=repeats,
        positive=target.classes.tolist()[result["positive"]],
        classes_=target.classes,
        y=target.classes[target.codes],
        fold=result["fold"],
        proba=result["proba"],
        predicted=target.classes[result["predicted"]],
    )


def _count(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value < 2**31:
        raise ParameterError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


@dataclass(frozen=True)
class Way:
    """A way that a parameter chooses: name, what it is, and its parameters."""

    name: str
    doc: str
    parameters: list[Parameter]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: name, default value, domain in words, what it does, names it takes, and type.

    ``names`` is empty unless the parameter is one of a registry, such as a split criterion. ``type`` is what
    a type checker knows it by.
    """

    name: str
    default: Any
    expected: str
    doc: str
    names: tuple[str, ...] = ()
    type: str = "Any"
    choices: tuple[Way, ...] = ()

    def __str__(self) -> str:
        names = f" Names: {', '.join(self.names)}." if self.names else ""
        return f"{self.default!r}: {self.doc} Must be {self.expected}.{names}"


@dataclass(frozen=True)
class Method:
    """A method: name, title, source in the literature, and parameters."""

    name: str
    title: str
    source: str
    parameters: list[Parameter]

    def __str__(self) -> str:
        width = max((len(p.name) for p in self.parameters), default=0)
        head = f"{self.name}: {self.title} ({self.source})"
        lines = []
        for p in self.parameters:
            lines.append(f"  {p.name:{width}}  {p}")
            for way in p.choices:
                lines.append(f"    {way.name}: {way.doc}")
                lines += [f"      {p.name}__{own.name}  {own}" for own in way.parameters]
        return "\n".join([head, *lines])


class MethodList(list[Method]):
    """All methods; prints as a table."""

    def __str__(self) -> str:
        rows = [("name", "title", "source"), *((m.name, m.title, m.source) for m in self)]
        widths = [max(len(row[at]) for row in rows) for at in range(2)]
        return "\n".join(f"{name:{widths[0]}}  {title:{widths[1]}}  {source}" for name, title, source in rows)

    __repr__ = __str__


def methods() -> MethodList:
    """List all methods with their parameters.

    Returns
    -------
    MethodList
        A list of :class:`Method`.

    Examples
    --------
    >>> import imbcore
    >>> imbcore.methods()[0].name
    'hddt'
    """
    return MethodList(_method(entry) for entry in json.loads(native.models.methods()))


def _method(entry: Mapping[str, Any]) -> Method:
    return Method(entry["name"], entry["title"], entry["source"], _parameters(entry["params"]))


def _parameters(specs: Sequence[Mapping[str, Any]]) -> list[Parameter]:
    def ways(spec: Mapping[str, Any]) -> tuple[Way, ...]:
        return tuple(Way(way["name"], way["doc"], _parameters(way["params"])) for way in spec["choices"])

    return [
        Parameter(p["name"], p["default"], p["expected"], p["doc"], tuple(p["names"]), p["type"], ways(p))
        for p in specs
    ]
