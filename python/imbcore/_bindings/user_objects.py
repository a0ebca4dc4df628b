"""User-defined objects as parameters: clusterers, and functions of the imbalance ratio."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

_SIZES = ("n_clusters", "n_components")


def user_object_names(parameters: Mapping[str, Any]) -> list[str]:
    """List the parameters whose values are user-defined objects."""
    found = ["clusterer"] if parameters.get("clusterer") is not None else []
    return [*found, *(["class_costs"] if callable(parameters.get("class_costs")) else [])]


def refuse_user_objects(parameters: Mapping[str, Any], what: str) -> None:
    """Reject user-defined objects in a fit that cannot call them."""
    for name in user_object_names(parameters):
        kind = "a function" if name == "class_costs" else "an estimator"
        raise UnsupportedError(f"{what} does not take {kind} as `{name}`; fit rows in memory instead")


def as_parameters(
    method: str,
    parameters: Mapping[str, Any],
    classes: NDArray[Any],
    masses: Callable[[], NDArray[np.float64]],
) -> tuple[dict[str, Any], Clusterer | None]:
    """Replace user-defined objects by values for the model file, and return the clusterer.

    ``masses`` sums the weights of the training rows by class.
    """
    inside = parameters.get("estimator_params")
    if isinstance(inside, Mapping) and (names := user_object_names(inside)):
        raise ParameterError(
            f"{method}: parameter `estimator_params` must not hold an object as `{names[0]}`; give the "
            "estimator itself as `estimator`"
        )
    found, clusterer = dict(parameters), None
    if (given := found.get("clusterer")) is not None:
        clusterer = given if isinstance(given, Clusterer) else Clusterer(given, method)
        found["clusterer"] = clusterer.text
    if callable(found.get("class_costs")):
        found["class_costs"] = _class_costs_from_function(method, found["class_costs"], classes, masses())
    return found, clusterer


@dataclass(frozen=True)
class Clusterer:
    """Clusters rows by clones of an estimator with ``fit_predict``.

    If ``sized``, the number of boxes becomes the number of clusters.
    """

    estimator: Any
    method: str
    sized: bool = False

    def __post_init__(self) -> None:
        """Reject an object that is not an estimator with ``fit_predict``."""
        if isinstance(self.estimator, type) or not callable(getattr(self.estimator, "fit_predict", None)):
            raise ParameterError(
                f"{self.method}: parameter `clusterer` must be an estimator with fit_predict, such as "
                f"sklearn.cluster.KMeans(3), or None, got {value_text(self.estimator)}"
            )

    @property
    def text(self) -> str:
        """The estimator with its parameters on one line."""
        return " ".join(repr(self.estimator).split())

    @property
    def _name_in_errors(self) -> str:
        return f"{self.method}: the clusterer {shorten(self.text, 200, placeholder=' ...')}"

    @property
    def has_size(self) -> bool:
        """Whether the number of clusters is a parameter of the estimator."""
        return bool(self._cluster_count_parameters())

    def _parameters(self) -> dict[str, Any]:
        get_params = getattr(self.estimator, "get_params", None)
        return {} if get_params is None else get_params()

    def _cluster_count_parameters(self) -> list[str]:
        """Name the parameters for the number of clusters; for a pipeline, those of its last step."""
        names = [name for name in self._parameters() if name.rpartition("__")[2] in _SIZES]
        own = [name for name in names if "__" not in name]
        if own or not hasattr(self.estimator, "steps"):
            return own
        last = self.estimator.steps[-1][0]
        return [name for name in names if name.rpartition("__")[0] == last]

    def labels(
        self, points: NDArray[np.float64], weights: NDArray[np.float64] | None, n_boxes: int, seed: int
    ) -> NDArray[np.int64]:
        """Cluster rows; clusters are numbered from 0 in the order of their labels, noise is -1.

        Parameters
        ----------
        points : ndarray of shape (n_rows, n_coordinates)
            Scaled rows of the positive class.
        weights : ndarray of shape (n_rows,) or None
            Weights of the rows, which an estimator gets that takes them.
        n_boxes : int
            Number of clusters, if ``sized``; at most as many as there are different rows.
        seed : int
            Value of each ``random_state`` that is None.

        Returns
        -------
        labels : ndarray of shape (n_rows,)
            A label for each row.
        """
        from sklearn.base import clone

        estimator = clone(self.estimator, safe=False)
        settings: dict[str, Any] = {
            name: seed
            for name, value in self._parameters().items()
            if name.rpartition("__")[2] == "random_state" and value is None
        }
        if self.sized:
            settings |= dict.fromkeys(
                self._cluster_count_parameters(), min(n_boxes, len(np.unique(points, axis=0)))
            )
        if settings:
            estimator.set_params(**settings)
        given = {"sample_weight": weights} if weights is not None and _takes_weights(estimator) else {}
        try:
            found = estimator.fit_predict(points, **given)
        except Exception as error:
            raise DataError(
                f"{self._name_in_errors} failed on the {len(points)} rows of the "
                f"positive class: {type(error).__name__}: {error}"
            ) from error
        return self._validate_cluster_labels(np.asarray(found), len(points))

    def _validate_cluster_labels(self, found: NDArray[Any], n_rows: int) -> NDArray[np.int64]:
        who = self._name_in_errors
        if found.shape != (n_rows,) or found.dtype.kind not in "iu":
            raise DataError(
                f"{who} must return one integer label for each of {n_rows} rows, got an array of shape "
                f"{found.shape} and type {found.dtype}"
            )
        is_noise = found < 0
        if is_noise.all():
            raise DataError(
                f"{who} labels all rows as noise, so there is no box to start from; change its settings"
            )
        labels = np.full(n_rows, -1, dtype=np.int64)
        labels[~is_noise] = np.unique(found[~is_noise], return_inverse=True)[1]
        return labels


def _takes_weights(estimator: Any) -> bool:
    """Whether ``fit_predict`` takes row weights, itself or through ``fit``."""
    parameters = inspect.signature(estimator.fit_predict).parameters
    if "sample_weight" in parameters:
        return True
    passes = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    fit = getattr(estimator, "fit", None)
    return passes and fit is not None and "sample_weight" in inspect.signature(fit).parameters


def _class_costs_from_function(
    method: str, function: Callable[[float], Any], classes: NDArray[Any], masses: NDArray[np.float64]
) -> dict[Any, float]:
    """Call a function of the imbalance ratio for every class that is larger than the smallest."""
    least = masses[masses > 0].min()
    costs = {}
    for label, mass in zip(classes.tolist(), masses.tolist(), strict=True):
        if mass > least:
            costs[label] = _validate_class_cost(method, function(float(least / mass)), float(least / mass))
        elif mass > 0:
            costs[label] = 1.0
    return costs


def _validate_class_cost(method: str, found: Any, ratio: float) -> float:
    value = found.item() if isinstance(found, (np.generic, np.ndarray)) and np.size(found) == 1 else found
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < float("inf"):
        raise ParameterError(
            f"{method}: the function `class_costs` must return a finite number above 0, "
            f"got {value_text(found)} for "
            f"the imbalance ratio {ratio:g}"
        )
    return float(value)
