"""CART trees, pruned by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native, options, training
from imbcore._estimators.selection import (
    choose_pruning,
    compute_fold_positions,
    find_scorer,
    score_trees_of_path,
    select_frame_rows,
)
from imbcore._model.model import Model
from imbcore._signatures import CARTCVParameters
from imbcore._validation.costs import cost_options_of_estimator
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore.trees._base import TreeClassifier

__all__ = ["CARTClassifierCV"]


class CARTClassifierCV(CARTCVParameters, TreeClassifier):
    """CART decision tree, pruned by cross-validation on any score.

    One tree is grown on all rows and one on the training part of every fold. Minimal cost-complexity pruning
    orders the pruned trees into one path by the complexity parameter alpha. Each alpha is scored on the test
    folds, and the tree of the best alpha is kept. A calibration, and a threshold that is not a number, are
    chosen for this tree; the folds are scored without them.

    Parameters
    ----------
    cv : int, splitter or iterable, default=5
        Number of stratified folds, at least 2; with ``groups``, maximum number of folds of whole groups; with
        ``time``, maximum number of folds of later rows. Or a splitter of scikit-learn, or pairs of training
        and test row positions.
    scoring : str or callable, default="balanced_accuracy"
        Name of a scorer of ``imbcore.metrics.scorer`` or of scikit-learn; or a scorer, called as
        ``scorer(estimator, rows, y)``, where ``rows`` contains the positions of the test rows instead of a
        table. Larger is better. Binary scores such as "f1" refer to the positive class.
    rule : str, default="min"
        "min": the tree with the best mean score. "1se": the smallest tree whose mean score is within one
        standard error of the best mean score.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    ccp_alpha_ : float
        The selected complexity parameter.
    cv_results_ : dict of ndarray
        One entry per tree of the path: ``ccp_alpha``, the smallest value at which the tree is optimal;
        ``n_leaves``; ``mean_test_score`` and ``std_test_score``, mean and standard deviation over the folds;
        and the score of each fold as ``split0_test_score``, ...
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984: the Gini decrease, and
    chapter 3 for pruning.

    Examples
    --------
    >>> from imbcore import CARTClassifierCV
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = CARTClassifierCV(cv=2, random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "cart"
    _defaults: ClassVar[Mapping[str, Any]] = {"cv": 5, "scoring": "balanced_accuracy", "rule": "min"}
    _decides: ClassVar[frozenset[str]] = frozenset({"ccp_alpha"})

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
        """Grow the trees, select the complexity parameter and prune.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``CARTClassifier.fit``.
        y : sequence of shape (n_rows,)
            Class labels.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Row weights, used to grow the trees. If given, the scorer also receives the weights of the test
            rows.
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
        scorer = find_scorer(self.scoring)
        given = self._training_rows(X, y, sample_weight, (groups, time, time_gap))
        (frame, target, schema), weights = given.parts, given.weights
        costs = given.costs(vars(self))
        seed = options.resolve_seed(self.random_state)
        positive = self._resolve_positive_label(target, weights)
        unit = training.compute_weight_unit(
            target,
            (schema.names, target.classes.tolist().index(positive)),
            sample_weight=weights,
            class_weight=self.class_weight,
            costs=cost_options_of_estimator(self, **costs),
        )

        # A calibration, and a threshold chosen on rows, belong to one tree: the last fit chooses them.
        chosen = self.calibrate is not None or not (
            self.threshold is None or isinstance(self.threshold, Real) or self.threshold == "prior"
        )
        undecided = {"calibrate": None, "threshold": None} if chosen else {}

        def grow(rows: NDArray[np.int64] | None) -> Any:
            part = frame if rows is None else select_frame_rows(frame, rows)
            labels = target if rows is None else Target(target.codes[rows], target.classes, False)
            return training.fit(
                self._method,
                self._parameters(),
                part,
                labels,
                schema,
                sample_weight=weights if rows is None or weights is None else weights[rows],
                **self._options(positive=positive, random_state=seed, **costs, **undecided),
                constant=True,
                unit=unit,
                dependence=given.dependence.pick(rows),
            )

        whole = Model(grow(None), schema)
        path = whole.cost_complexity_pruning_path()
        betas = native.trees.pruning_betas(path.ccp_alphas)
        threads = options.resolve_threads(self.n_threads, self.n_jobs)
        scores = []
        for train, test in compute_fold_positions(
            self.cv, target.codes, given.weighted.kept, given.dependence
        ):
            staged = native.trees.PrunedPredictions(
                grow(train), None, select_frame_rows(frame, test), threads
            )
            y_test = target.classes[target.codes[test]]
            weight = None if weights is None else weights[test]
            rows = given.weighted.numbers(test)
            scores.append(
                score_trees_of_path(staged, betas, scorer, target.classes, positive, rows, y_test, weight)
            )
        step, mean, sd = choose_pruning(np.array(scores, dtype=np.float64), self.rule)
        self.ccp_alpha_ = float(path.ccp_alphas[step])
        self.cv_results_ = {
            "ccp_alpha": path.ccp_alphas,
            "n_leaves": path.leaves,
            "mean_test_score": mean,
            "std_test_score": sd,
            **{f"split{fold}_test_score": np.array(values) for fold, values in enumerate(scores)},
        }
        if not chosen:
            return self._keep(whole.prune(self.ccp_alpha_))
        fitted = training.fit(
            self._method,
            self._parameters() | {"ccp_alpha": self.ccp_alpha_},
            frame,
            target,
            schema,
            sample_weight=weights,
            **self._options(positive=positive, random_state=seed, **costs),
            constant=True,
            unit=unit,
            places=given.weighted.places,
            dependence=given.dependence,
        )
        return self._keep(Model(fitted, schema))
