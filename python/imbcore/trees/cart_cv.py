"""CART trees, pruned by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore import _native
from imbcore._base import keep_arguments
from imbcore._labels import Target
from imbcore._model import Model
from imbcore.trees._base import TreeClassifier
from imbcore.trees._selection import folds_of, path_scores, scorer_of, take

__all__ = ["CARTClassifierCV"]


class CARTClassifierCV(TreeClassifier):
    """CART decision tree, pruned by cross-validation on any score.

    One tree is grown on all rows and one on the training part of every fold. Minimal cost-complexity pruning
    orders the prunings of a tree into one path by the price of a leaf; each price is scored on the test
    parts, and the tree of the best price is kept. All trees of a path are scored in one pass.

    Parameters
    ----------
    criterion : str or dict, default="gini"
        Measure of a split: "gini", "entropy", "gain_ratio", "c45" (the best gain ratio among the splits of at
        least average gain), "hellinger", "dkm", "alpha", "alpha_ext", "chi2" or "twoing"; those with options
        also as a dict, such as ``{"name": "alpha", "alpha": 0.5}`` or
        ``{"name": "alpha_ext", "alpha": 0.5, "reference": "flipped"}``.
    max_depth : int or None, default=None
        Deepest level, at least 1; the root has depth 0. None sets no limit.
    min_samples_split : int, default=2
        Fewest rows of a node that may split, at least 2.
    min_samples_leaf : int, default=1
        Fewest rows of a leaf, at least 1.
    min_weight_leaf : float, default=0.0
        Smallest total weight of a leaf, at least 0.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of a leaf in the total weight, in [0, 0.5].
    max_leaf_nodes : int or None, default=None
        Most leaves, at least 2; the tree then grows best node first. None sets no limit.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Columns looked at in each node: a number, a share in (0, 1], or a function of their number;
        more where these cannot split it. None looks at all.
    min_gain : float, default=0.0
        Smallest score of a split, at least 0.
    zero_gain : bool, default=True
        Whether a split that gains nothing may be made, so that trees grow until all leaves are pure.
    leaf : str, default="frequency"
        Class probabilities of a leaf: "frequency", "laplace" or "m_estimate".
    m : float, default=2.0
        Weight of the prior in the m-estimate, positive.
    nominal : str, default="ovr"
        How a nominal column splits: "ovr" (one level against the rest), "multiway" (one branch a level),
        "ovr_multiway" (one branch a level, in the column whose best single level scores best), "dummy" (each
        level is a column of 0 and 1, which counts for ``max_features``) or "subset" (a set of levels against
        the rest: the best one for two classes, or for up to 10 levels; else found approximately).
    missing : str, default="direction"
        Missing values: "error" refuses them in training data; "direction" learns a side for them in each
        split; "fraction" sends a row to all branches in proportion to their weights; "value" makes them one
        more level of nominal columns, and is "direction" for the others.
    monotonic_cst : list of int, dict or None, default=None
        One of 1, 0 and -1 for each feature, or a dict from names of features to them: with 1 the
        probability of the second class never falls when the feature rises, with -1 it never rises. Two
        classes only; 0 for nominal columns.
    ccp_risk : str, default="gini"
        Training risk that is weighed against leaves: "gini", "entropy", "error" or "cost".
    max_bins : int or None, default=None
        Most bins of a numeric column, 2 to 255, for many rows: cuts are sought between bins only, and the
        thresholds are set by the values next to them. None tries every cut.
    cv : int, splitter or iterable, default=5
        Number of stratified folds, at least 2; or a splitter of scikit-learn; or pairs of training and test
        row positions.
    scoring : str or callable, default="balanced_accuracy"
        Name of a scorer of ``imbcore.metrics.scorer`` or of scikit-learn; or a scorer, called as
        ``scorer(estimator, rows, y)`` with the positions of the test rows. Larger is better.
        Give ``imbcore.metrics.scorer("f1", pos_label=...)`` for labels other than 0 and 1.
    rule : str, default="min"
        "min" takes the tree with the least error, that is the best mean score; "1se" the smallest whose
        mean is within one standard error of that.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or None, default=None
        Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in sorted
        order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are finite
        and at least 0. "balanced" makes the errors of a class cost inversely to its frequency.
    cost_strategy : str, default="decision"
        "decision" answers the class of least expected cost and leaves the training alone; "reweight"
        trains with the class weights that stand for the costs (Ting 2002).
    threshold : float or None, default=None
        Two classes only: answer the greater label when its probability is at least this, in [0, 1]. None
        answers the most probable class.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed for the choice of columns when ``max_features`` is set. Equal seeds give equal models
        whatever ``n_threads`` is.
    n_threads, n_jobs : int or None, default=None
        Threads, one option under two names; -1 for all cores, -2 for all but one. None takes
        ``IMBCORE_NUM_THREADS``, else ``OMP_NUM_THREADS``, else all cores that the process may use.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns; only defined when ``X`` had names that are all text.
    ccp_alpha_ : float
        Price of a leaf that was chosen.
    cv_results_ : dict of ndarray
        An entry for each tree of the path: ``ccp_alpha`` from which it is best, ``n_leaves``,
        ``mean_test_score`` and ``std_test_score`` over the folds, and ``split0_test_score``, ...
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total gain of the splits.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

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
    _own_options: ClassVar[frozenset[str]] = frozenset({"cv", "scoring", "rule"})
    _decides: ClassVar[frozenset[str]] = frozenset({"ccp_alpha"})

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: str = "frequency",
        m: float = 2.0,
        nominal: str = "ovr",
        missing: str = "direction",
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        ccp_risk: str = "gini",
        max_bins: int | None = None,
        cv: Any = 5,
        scoring: Any = "balanced_accuracy",
        rule: str = "min",
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        cost_matrix: Any = None,
        cost_strategy: str = "decision",
        threshold: float | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees, choose the price of a leaf and prune.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``CARTClassifier.fit``.
        y : sequence of shape (n_rows,)
            Class labels.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Weights in growing and, when given, in scoring.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter leaves its domain.
        DataError
            The data cannot be used.
        """
        scorer = scorer_of(self.scoring)
        frame, target, schema = self._training_data(X, y)
        weights = _native.sample_weights(sample_weight, len(target.codes))
        seed = _native.resolve_seed(self.random_state)

        def grow(rows: NDArray[np.int64] | None) -> _native.NativeModel:
            part = frame if rows is None else take(frame, rows)
            labels = target if rows is None else Target(target.codes[rows], target.classes, False)
            return _native.fit(
                self._method,
                self._parameters(),
                part,
                labels,
                schema,
                sample_weight=weights if rows is None or weights is None else weights[rows],
                class_weight=self.class_weight,
                cost_matrix=self.cost_matrix,
                cost_strategy=self.cost_strategy,
                threshold=self.threshold,
                random_state=seed,
                n_threads=self.n_threads,
                n_jobs=self.n_jobs,
                callback=None,
            )

        whole = grow(None)
        path = _native.pruning_path(whole, None)
        betas = _native.pruning_betas(path.ccp_alphas)
        threads = _native.resolve_threads(self.n_threads, self.n_jobs)
        scores = []
        for train, test in folds_of(self.cv, target.codes):
            staged = _native.staged_answers(grow(train), None, take(frame, test), threads)
            y_test = target.classes[target.codes[test]]
            weight = None if weights is None else weights[test]
            scores.append(path_scores(staged, betas, scorer, target.classes, test, y_test, weight))
        step, mean, sd = _native.choose_pruning(np.array(scores, dtype=np.float64), self.rule)
        self.ccp_alpha_ = float(path.ccp_alphas[step])
        self.cv_results_ = {
            "ccp_alpha": path.ccp_alphas,
            "n_leaves": path.leaves,
            "mean_test_score": mean,
            "std_test_score": sd,
            **{f"split{fold}_test_score": np.array(values) for fold, values in enumerate(scores)},
        }
        return self._keep(Model(_native.prune(whole, self.ccp_alpha_, None), schema))
