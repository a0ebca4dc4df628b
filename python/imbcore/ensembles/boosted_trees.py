"""Boosted trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.treelike import TreeBasedClassifier
from imbcore._model.boosted import squeeze_binary_scores
from imbcore._signatures import BoostedTreesParameters
from imbcore.ensembles._warm import WarmStartClassifier

__all__ = ["BoostedTreesClassifier"]


class BoostedTreesClassifier(BoostedTreesParameters, WarmStartClassifier, TreeBasedClassifier):
    """Gradient boosting of histogram-based trees, with losses for rare classes.

    Each round fits a tree to the derivatives of the loss at the current scores. The leaf values of the tree,
    times ``learning_rate``, are added to the scores. Features have at most 255 bins. If ``n_rounds`` is not
    given, inner folds choose the number of rounds, and the mean probability is then corrected on the held-out
    rows, or with ``time`` on the training rows. The folds are stratified, hold out whole groups with
    ``groups``, and later rows with ``time``.

    With every ``objective``, the probabilities refer to the class proportions of the data. The effect of
    balanced weights and of error costs is divided out of the odds, and scores of the focal loss are converted
    to probabilities. The scores of the ranking objectives are calibrated on held-out rows. With
    ``objective="balanced"`` and without a threshold, ``predict`` returns the second class if
    ``decision_function`` is above 0; the probability of a rare class is then often far below 0.5.

    Parameters
    ----------
    min_samples_leaf : int or float
        Minimum number of rows in each child of a split. A whole number of at least 1, or a float in (0, 1]: a
        fraction of all rows, rounded up.
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. Unlike ``objective="balanced"``, class weights change the probabilities.
    random_state
        Seed of the inner folds and of row and feature sampling. Equal seeds give equal models for any
        ``n_threads``.

    warm_start : bool, default=False
        Whether ``fit`` keeps the rounds of the previous fit, if the previous fit also had
        ``warm_start=True``, and adds rounds up to the new, larger ``n_rounds``. If the previous ``n_rounds``
        was "auto", the rounds are trained again, and the new number may also be smaller. Rows, labels,
        weights and parameters must be equal to those of the previous fit; the parameters with which
        ``n_rounds="auto"`` chooses the number may differ. The model is bit-identical to a model fitted from
        scratch. If ``random_state`` is None, the first fit draws the seed of all fits. A fit cannot continue
        another fit if ``dropout_rate`` is above 0.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, ``stopping_score`` and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    n_rounds_ : int
        Number of rounds; each round adds one tree, or one tree per class if there are more than two classes.
    validation_path_ : ndarray of shape (n_rounds_looked_at,)
        Score on held-out rows of the inner folds after every round; lower is better. The log loss, or the
        negative average precision if ``stopping_score`` is "average_precision". Empty if ``n_rounds`` was
        given.
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
    Friedman, "Greedy Function Approximation: A Gradient Boosting Machine", Annals of Statistics 29, 2001.
    Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016: Newton steps, missing values.
    Ke et al., "LightGBM: A Highly Efficient Gradient Boosting Decision Tree", NeurIPS 2017: growth by leaf.
    Burges et al., "Learning to Rank Using Gradient Descent", ICML 2005, and Gao and Zhou, "On the Consistency
    of AUC Pairwise Optimization", IJCAI 2015: the loss of pairs.
    Zadrozny, Langford and Abe, "Cost-Sensitive Learning by Cost-Proportionate Example Weighting", ICDM 2003.
    Qin, Liu and Li, "A General Approximation Framework for Direct Optimization of Information Retrieval
    Measures", Information Retrieval 13, 2010, and Brown, Xie, Kalogeiton and Zisserman, "Smooth-AP: Smoothing
    the Path Towards Large-Scale Image Retrieval", ECCV 2020: average precision by smooth ranks.
    Lin, Goyal, Girshick, He and Dollár, "Focal Loss for Dense Object Detection", ICCV 2017.
    Charoenphakdee, Vongkulbhisal, Chairatanakul and Sugiyama, "On Focal Loss for Class-Posterior Probability
    Estimation", CVPR 2021: the map from the focal loss back to probabilities.

    Examples
    --------
    >>> from imbcore import BoostedTreesClassifier
    >>> X = [[float(x), float(x % 7)] for x in range(200)]
    >>> y = ["rare" if x >= 170 or x == 30 else "common" for x in range(200)]
    >>> boosted = BoostedTreesClassifier(n_rounds=60, random_state=0).fit(X, y)
    >>> boosted.predict([[20.0, 1.0], [190.0, 3.0]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "boosted_trees"
    _counted: ClassVar[str] = "n_rounds"
    # These determine the number of rounds, not the rounds themselves.
    _free: ClassVar[frozenset[str]] = frozenset(
        {
            "max_rounds",
            "stopping_score",
            "stopping_folds",
            "early_stopping_rounds",
            "early_stopping_min_delta",
        }
    )

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Raw scores: sums of the leaf values, before they are converted to probabilities.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Two classes: a score that increases with the probability of the second class; for
            ``objective="log_loss"``, its log-odds before ``calibrate``. More classes: score of each class.
        """
        return squeeze_binary_scores(self._call_method_on_rows("scores", X))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows, n_trees)
            Node indices; with more than two classes the trees of a round are adjacent.
        """
        return self._call_method_on_rows("apply", X)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Predict labels after every round, always with the decision rule of the complete model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Yields
        ------
        labels : ndarray of shape (n_rows,)
            Predictions with one round, with two rounds, and so on; the last array equals the result of
            ``predict``.
        """
        for first in self._models_by_round():
            yield self.classes_[first._codes(X, None, self.n_threads, self.n_jobs, type(self).__name__)]

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Predict probabilities after every round; calibration is that of the complete model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Yields
        ------
        proba : ndarray of shape (n_rows, n_classes)
            Probabilities with one round, with two rounds, and so on; the last array equals the result of
            ``predict_proba``.
        """
        for first in self._models_by_round():
            yield first.predict_proba(X, n_threads=self.n_threads, n_jobs=self.n_jobs)

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Compute raw scores after every round.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Yields
        ------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Scores with one round, with two rounds, and so on; the last array equals the result of
            ``decision_function``.
        """
        for first in self._models_by_round():
            yield first.decision_function(X, n_threads=self.n_threads, n_jobs=self.n_jobs)

    def _models_by_round(self) -> Iterator[Any]:
        """Yield the models of the first round, of the first two, and so on."""
        model: Any = self._fitted()
        for n in range(1, self.n_rounds_ + 1):
            yield model.truncate(n)._store_cost_function(self.costs)

    def _member_count_expression(self) -> str:
        return "n_rounds_"

    @property
    def n_rounds_(self) -> int:
        """Number of rounds; 0 if all rows are of one class."""
        return getattr(self._fitted(), "n_rounds_", 0)

    @property
    def validation_path_(self) -> NDArray[np.float64]:
        """Score on held-out rows after every round; lower is better."""
        return getattr(self._fitted(), "validation_path_", np.empty(0))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the total split gain due to each feature."""
        return self._fitted().feature_importances_
