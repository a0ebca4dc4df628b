"""SVR-Trees with the penalty chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from imbcore._bindings import native, svr
from imbcore._estimators.selection import (
    FixedPredictions,
    compute_fold_positions,
    find_scorer,
    score_without_warnings,
)
from imbcore._model.model import Model
from imbcore._signatures import SVRTreeCVParameters
from imbcore._validation.labelled import match_rows_by_index
from imbcore.trees._svr import SVRTree, penalty_grid

__all__ = ["SVRTreeCV"]


class SVRTreeCV(SVRTreeCVParameters, SVRTree):
    """SVR-Tree with the penalty chosen by cross-validation on any score.

    For every fold and penalty, a tree is grown on the training part and predicts the test fold. The columns
    of a training part are sorted only once for all penalties. The best penalty is then used to fit all rows.

    Parameters
    ----------
    penalties : "auto" or list of float, default="auto"
        Non-negative penalties to try, the same in all folds. "auto": the 22 numbers of the authors' program,
        from 0 to 1.024, each divided by the cube root of the total weight of the rows.
    cv : int, splitter or iterable, default=5
        Number of stratified folds, at least 2; with ``groups``, maximum number of folds of whole groups; with
        ``time``, maximum number of folds of later rows. Or a splitter of scikit-learn, or pairs of training
        and test row positions.
    scoring : str or callable, default="f1"
        Name of a scorer of ``imbcore.metrics.scorer`` or of scikit-learn; or a scorer, called as
        ``scorer(estimator, rows, y)``, where ``rows`` contains the positions of the test rows instead of a
        table. Larger is better. Binary scores such as "f1" refer to the positive class.
    pooled : bool, default=True
        Whether the predictions of all test folds are scored together, as in the paper; False: the scores of
        the folds are averaged. If the folds have few rare rows, the pooled score has less variance.
    threshold
        For two classes, a number in [0, 1]: the positive class is predicted if its probability is at least
        this number. None: the labels assigned to the leaves are predicted. Other thresholds are not
        supported.
    calibrate
        Must be None. For a calibration, use ``imbcore.decisions.CalibratedClassifier``.
    random_state
        Ignored: the method is deterministic. Present for consistency with the other estimators.

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
    penalty_ : float
        The selected penalty: the penalty with the best score, the first one in case of ties.
    best_score_ : float
        Score of the selected penalty: of the pooled predictions, or the mean over the folds if ``pooled`` is
        False.
    cv_results_ : dict of ndarray
        One entry per penalty: ``penalty``, ``test_score``, by which the penalty is selected, and the score of
        each fold as ``split0_test_score``, ...
    labels_, risk_, surface_, volume_, ratio_, class_weights_, risk_path_, steps_, decision_boxes_
        Attributes of the fitted tree, as in ``SVRTreeClassifier``.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total decrease of the weighted Gini index due to each feature.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Zhu, Li and Dunson, "Classification Trees for Imbalanced Data: Surface-to-Volume Regularization", Journal
    of the American Statistical Association, 2021: section 4.

    Examples
    --------
    >>> from imbcore import SVRTreeCV
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = SVRTreeCV(cv=2).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "svr_tree"
    _defaults: ClassVar[Mapping[str, Any]] = {"penalties": "auto", "cv": 5, "scoring": "f1", "pooled": True}
    _decides: ClassVar[frozenset[str]] = frozenset({"penalty"})

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
        """Select the penalty and fit the tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``SVRTreeClassifier.fit``.
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
        given = self._training_rows(X, y, sample_weight, (groups, time, time_gap))
        (frame, target, schema), weights = given.parts, given.weights
        positive = self._resolve_positive_label(target, weights)
        options = self._path_options(weights, positive)
        scorer = find_scorer(self.scoring)
        grid = penalty_grid(self.penalties, given)
        splits = list(compute_fold_positions(self.cv, target.codes, given.weighted.kept, given.dependence))
        parameters = self._parameters()
        answers = svr.predict_svr_tree_folds(parameters, grid, splits, frame, target, schema, **options)

        def score(codes: Any, proba: Any, rows: Any) -> float:
            own = None if weights is None else weights[rows]
            truth = target.classes[target.codes[rows]]
            answers = FixedPredictions(target.classes, proba, codes, positive)
            return score_without_warnings(scorer, answers, given.weighted.numbers(rows), truth, own)

        def scored(codes: Any, proba: Any, rows: Any) -> list[float]:
            scores: list[float] = []
            for k in range(len(grid)):
                # Adjacent penalties mostly give trees with equal predictions, which are scored once.
                same = k > 0 and all(np.array_equal(of[k], of[k - 1]) for of in (codes, proba))
                scores.append(scores[-1] if same else score(codes[k], proba[k], rows))
            return scores

        tests = [test for _, test in splits]
        scores = np.array([scored(*of_fold, test) for of_fold, test in zip(answers, tests, strict=True)])
        if self.pooled:
            rows = np.concatenate(tests)
            codes = np.concatenate([codes for codes, _ in answers], axis=1)
            proba = np.concatenate([proba for _, proba in answers], axis=1)
            pooled = np.array([scored(codes, proba, rows)])
        best, total, _ = native.protocols.best_setting(pooled if self.pooled else scores)
        self.best_score_ = float(total[best])
        self.cv_results_ = {
            "penalty": np.array(grid),
            "test_score": total,
            **{f"split{fold}_test_score": of_fold for fold, of_fold in enumerate(scores)},
        }
        fitted = svr.fit_svr_tree_path(parameters, [grid[best]], frame, target, schema, **options)[0]
        return self._keep(Model(fitted, schema))
