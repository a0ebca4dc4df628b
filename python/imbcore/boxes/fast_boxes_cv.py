"""Fast Boxes with settings chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from imbcore._bindings import boxes, native, options, training
from imbcore._bindings.progress import iterate_with_progress
from imbcore._bindings.user_objects import Clusterer
from imbcore._estimators.selection import compute_fold_positions, select_frame_rows
from imbcore._model.model import Model
from imbcore._signatures import FastBoxesCVParameters
from imbcore._validation.costs import cost_options_of_estimator
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore.boxes.fast_boxes import FastBoxesClassifier
from imbcore.exceptions import ParameterError

__all__ = ["FastBoxesCV"]


class FastBoxesCV(FastBoxesCVParameters, FastBoxesClassifier):
    """Fast Boxes with the number of boxes and their expansion chosen by cross-validation.

    A setting is a number of boxes and an expansion. For every fold and number of boxes, the rows are
    clustered once. From this clustering, boxes are computed for every expansion and for the values 0.1,
    0.2, ..., 1 of ``negative_weight``. Each of these values gives one ROC point of the setting on the test
    fold. The score of a setting is the area under the convex hull of its ROC points, averaged over the folds.
    The best setting is fitted to all rows; ties go to fewer boxes, then to the smaller expansion.

    Parameters
    ----------
    n_boxes_grid : sequence of int, default=(1, 2, 3, 5, 7, 10, 15, 20, 30)
        Numbers of boxes to try, each at least 1. If a ``clusterer`` is given, its parameter ``n_clusters`` or
        ``n_components`` is set to each of these numbers. A clusterer without such a parameter determines the
        number of boxes itself; cross-validation then chooses only ``expansion``.
    expansion_grid : sequence of float, default=(0.0, 1.0, 10.0, 100.0, 1000.0)
        Expansions to try, each at least 0.
    cv : int, splitter or iterable, default=3
        Number of stratified folds, at least 2; with ``groups``, maximum number of folds of whole groups; with
        ``time``, maximum number of folds of later rows. Or a splitter of scikit-learn, or pairs of training
        and test row positions.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    best_params_ : dict
        The selected ``n_boxes`` and ``expansion``.
    expansion_ : float
        The selected expansion.
    best_score_ : float
        Score of the selected setting: its mean area under the ROC hull.
    cv_results_ : dict of ndarray
        One entry per setting: ``n_boxes``, ``expansion``, ``mean_test_auh`` and ``std_test_auh`` (mean and
        standard deviation of the area under the ROC hull over the test folds), and the area of each fold as
        ``split0_test_auh``, ...
    positive_ : label
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Lower and upper bounds of the boxes; infinite if a box has no bound on this side.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Goh and Rudin, "Box Drawings for Learning with Imbalanced Data", 2014: section 4, and section 6 for the
    choice of settings.

    Examples
    --------
    >>> from imbcore import FastBoxesCV, datasets
    >>> X, y = datasets.make_shape("diamond3D")
    >>> boxes = FastBoxesCV(n_boxes_grid=(1, 2), expansion_grid=(0.0, 10.0), random_state=0).fit(X, y)
    >>> boxes.best_params_["n_boxes"]
    2
    """

    _defaults: ClassVar[Mapping[str, Any]] = {
        "n_boxes_grid": (1, 2, 3, 5, 7, 10, 15, 20, 30),
        "expansion_grid": (0.0, 1.0, 10.0, 100.0, 1000.0),
        "cv": 3,
    }
    _decides: ClassVar[frozenset[str]] = frozenset({"n_boxes", "expansion"})

    @property
    def expansion_(self) -> float:
        """The selected expansion."""
        return float(self.best_params_["expansion"])

    def _parameters(self) -> dict[str, Any]:
        chosen = getattr(self, "_chosen", {})
        found = {**super()._parameters(), **chosen}
        if found["clusterer"] is not None:
            found["clusterer"] = Clusterer(found["clusterer"], self._method, sized=True)
        return found

    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Select the settings and fit the boxes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``FastBoxesClassifier.fit``.
        y : sequence of shape (n_rows,)
            Labels of two classes.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Weights for fitting and for the true and false positive rates of the test folds.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid.
        """
        self._chosen: dict[str, Any] = {}
        n_boxes, expansions = (
            _sort_unique_grid("n_boxes_grid", self.n_boxes_grid),
            _sort_unique_grid("expansion_grid", self.expansion_grid),
        )
        clusterer = self._parameters()["clusterer"]
        if clusterer is not None and not clusterer.has_size:
            # The clusterer decides on the number of boxes.
            n_boxes = n_boxes[:1]
        rows = self._training_rows(X, y, sample_weight, (groups, time, time_gap))
        (frame, target, schema), weights = rows.parts, rows.weights
        costs = rows.costs(vars(self))
        seed = options.resolve_seed(self.random_state)
        positive = self._resolve_positive_label(target, weights)
        code = target.classes.tolist().index(positive)
        unit = training.compute_weight_unit(
            target,
            (schema.names, code),
            sample_weight=weights,
            class_weight=self.class_weight,
            costs=cost_options_of_estimator(self, **costs),
        )
        scores = []
        folds = list(compute_fold_positions(self.cv, target.codes, rows.weighted.kept, rows.dependence))
        for train, test in iterate_with_progress(folds, self._method, self.verbose):
            labels = Target(target.codes[train], target.classes, False)
            found = boxes.score_fast_boxes_settings(
                self._parameters(),
                (select_frame_rows(frame, train), labels, None if weights is None else weights[train]),
                (
                    select_frame_rows(frame, test),
                    target.codes[test],
                    None if weights is None else weights[test],
                ),
                schema,
                n_boxes,
                expansions,
                class_weight=self.class_weight,
                positive=code,
                unit=unit,
                seed=seed,
                n_threads=options.resolve_threads(self.n_threads, self.n_jobs),
            )
            # NaN if the training part has one class only.
            if not np.isnan(found).any():
                scores.append(found.ravel())
        table = np.array(scores or [np.full(len(n_boxes) * len(expansions), np.nan)])
        # Ties: fewest boxes, then the smallest expansion.
        best, mean, sd = native.protocols.best_setting(table)
        settings = [(k, beta) for k in n_boxes for beta in expansions]
        self._chosen = {"n_boxes": settings[best][0], "expansion": settings[best][1]}
        if clusterer is not None and not clusterer.has_size:
            del self._chosen["n_boxes"]
        self.best_params_ = dict(self._chosen)
        self.best_score_ = float(mean[best])
        self.cv_results_ = {
            "n_boxes": np.array([k for k, _ in settings]),
            "expansion": np.array([beta for _, beta in settings]),
            "mean_test_auh": mean,
            "std_test_auh": sd,
            **{f"split{fold}_test_auh": values for fold, values in enumerate(scores)},
        }
        fitted = training.fit(
            self._method,
            self._parameters(),
            frame,
            target,
            schema,
            sample_weight=weights,
            **self._options(positive=positive, random_state=seed, **costs),
            constant=True,
            dependence=rows.dependence,
        )
        if not scores and fitted.kind != "constant":
            warn_user(
                "no fold of cv has training rows of both classes; the smallest settings of the grid are used"
            )
        return self._keep(Model(fitted, schema))


def _sort_unique_grid(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not np.iterable(values) or not len(list(values)):
        raise ParameterError(f"{name} must be a sequence of at least one number, got {value_text(values)}")
    try:
        return sorted(set(values))
    except TypeError as error:
        raise ParameterError(f"{name} must hold numbers, got {value_text(values)}") from error
