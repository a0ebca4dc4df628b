"""Bootstrap ensembles of alpha-trees (BEAT)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._base import keep_arguments
from imbcore.ensembles._base import ForestClassifier

__all__ = ["BEATClassifier"]


class BEATClassifier(ForestClassifier):
    """Bootstrap ensemble of alpha-trees.

    Each tree is grown on a bootstrap sample by the alpha-divergence with an alpha of its own, drawn from
    ``alpha / 2 ~ Beta(a, b)``; the trees are not pruned, and the class probabilities of their leaves are
    averaged. The paper uses 30 trees with ``(a, b)`` of (1, 1), (1, 3) and (3, 1), whose mean alphas are 1,
    0.5 and 1.5.

    Parameters
    ----------
    n_estimators : int, default=30
        Trees, at least 1.
    a, b : float, default=1.0
        Shapes of the Beta law of ``alpha / 2``, both positive; the mean of alpha is ``2 a / (a + b)``. A
        larger ``a`` favours precision, a larger ``b`` recall.
    reference : None, "uniform", "flipped" or list of float, default=None
        Reference law of the extended alpha-divergence; a list has one share a class. "flipped" needs every
        alpha below 1, which the Beta law does not give; None measures the divergence from independence.
    max_samples : int, float or None, default=None
        Rows drawn for each tree: a number, or a share in (0, 1]. None draws as many as there are.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement. A draw without some class is repeated, up to 100
        times.
    vote : str, default="soft"
        "soft": the mean of the trees' probabilities; "hard": the share of the trees that are for a class.
    oob_score : bool or str, default=False
        Whether each row is answered by the trees that did not see it: True scores the answers by accuracy,
        the name of a score of :func:`imbcore.evaluate` (such as "f1", for the rarest class) by that.
    max_depth : int or None, default=None
        Deepest level, at least 1; the root has depth 0. None sets no limit.
    min_samples_split : int, default=2
        Fewest rows of a node that may split, at least 2; a row drawn twice counts twice.
    min_samples_leaf : int, default=1
        Fewest rows of a leaf, at least 1.
    min_weight_leaf : float, default=0.0
        Smallest total weight of a leaf, at least 0.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of a leaf in the total weight of all rows, in [0, 0.5].
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree, at least 2; it then grows best node first. None sets no limit.
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
    nominal : str, default="dummy"
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
    ccp_alpha : float or None, default=None
        Price of a leaf in minimal cost-complexity pruning, at least 0; infinity leaves the root. None does
        not prune; 0.0 prunes what does not lower the training risk.
    ccp_risk : str, default="gini"
        Training risk that is weighed against leaves: "gini", "entropy", "error" or "cost".
    max_bins : int or None, default=None
        Most bins of a numeric column, 2 to 255, for many rows: cuts are sought between bins only, and the
        thresholds are set by the values next to them. None tries every cut.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies. Weights enter the trees, not the drawing of rows.
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
        Seed. Equal seeds give equal models whatever ``n_threads`` is, and more trees leave the first ones
        as they are.
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
    estimators_ : sequence of imbcore.Model
        The trees, each of which predicts, and writes itself as text.
    alphas_ : ndarray of shape (n_estimators,)
        The alpha of every tree, in (0, 2).
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean over the trees of each feature's share in the total gain of the splits.
    oob_score_ : float
        Score of the rows that some tree did not see, each row counted once; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Answer for every training row of the trees that did not see it, NaN where all saw it; only with
        ``oob_score``.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Park and Ghosh, "Compact Ensemble Trees for Imbalanced Data", 2012: definitions 1 and 2,
    algorithms 1 and 2.

    Examples
    --------
    >>> from imbcore import BEATClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = BEATClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    >>> len(forest.estimators_), forest.alphas_.shape
    (30, (30,))
    """

    _method: ClassVar[str] = "beat"

    @property
    def alphas_(self) -> NDArray[np.float64]:
        """The alpha of every tree."""
        return self._fitted().alphas_

    def __init__(
        self,
        *,
        n_estimators: int = 30,
        a: float = 1.0,
        b: float = 1.0,
        reference: str | list[float] | None = None,
        max_samples: int | float | None = None,
        bootstrap: bool = True,
        vote: str = "soft",
        oob_score: bool | str = False,
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
        nominal: str = "dummy",
        missing: str = "direction",
        monotonic_cst: Sequence[int] | Mapping[str, int] | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str = "gini",
        max_bins: int | None = None,
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
