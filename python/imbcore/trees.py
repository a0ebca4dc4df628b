"""Decision trees: one exact tree builder, three recipes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._base import NativeClassifier

__all__ = ["C44Classifier", "CARTClassifier", "HDDTClassifier"]


class TreeClassifier(NativeClassifier):
    """What the classes of single trees share."""

    missing: str

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows,)
            Node numbers; with ``missing="fraction"`` the leaf with the largest share of the row.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X)
        return leaves

    def decision_path(self, X: Any) -> Any:
        """Nodes that every row passes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        path : csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        answer = self._ask("decision_path", X)
        return self.model_._path(answer)

    def get_depth(self) -> int:
        """Count the splits on the longest way from the root to a leaf.

        Returns
        -------
        depth : int
            0 for a tree that is a single leaf.
        """
        return self._fitted().depth_

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        return self._fitted().n_leaves_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain of the splits."""
        return self._fitted().feature_importances_

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


class HDDTClassifier(TreeClassifier):
    """Hellinger distance decision tree.

    A split is chosen by the Hellinger distance between the distributions of the classes over its
    branches, which does not depend on how rare a class is. With more than two classes it is the largest
    distance over all ways to merge the classes into two groups. The tree is not pruned, and leaves are
    smoothed by Laplace's rule.

    Parameters
    ----------
    criterion : str or dict, default="hellinger"
        Measure of a split: "gini", "entropy", "gain_ratio", "c45" (the best gain ratio among the splits of at
        least average gain), "hellinger", "dkm", "alpha", "alpha_ext" or "chi2"; those with options also as
        a dict, such as ``{"name": "alpha", "alpha": 0.5}`` or
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
    leaf : str, default="laplace"
        Class probabilities of a leaf: "frequency", "laplace" or "m_estimate".
    m : float, default=2.0
        Weight of the prior in the m-estimate, positive.
    nominal : str, default="ovr"
        How a nominal column splits: "ovr" (one level against the rest) or "multiway" (one branch a level).
    missing : str, default="direction"
        Missing values: "error" refuses them in training data; "direction" learns a side for them in each
        split; "fraction" sends a row to all branches in proportion to their weights.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies.
        With two classes the Hellinger distance ignores class weights; they still enter the leaves.
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
    Cieslak and Chawla, "Learning Decision Trees for Unbalanced Data", 2008: the Hellinger distance as a
    splitting criterion.
    Hoens, Qian, Chawla and Zhou, "Building Decision Trees for the Multi-class Imbalance Problem", 2012:
    eq. 1 (two classes) and Algorithm 1 (more classes).
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: unpruned trees with
    Laplace leaves.

    Examples
    --------
    >>> from imbcore import HDDTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = HDDTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "hddt"

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "hellinger",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = True,
        leaf: str = "laplace",
        m: float = 2.0,
        nominal: str = "ovr",
        missing: str = "direction",
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.min_gain = min_gain
        self.zero_gain = zero_gain
        self.leaf = leaf
        self.m = m
        self.nominal = nominal
        self.missing = missing
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_threads = n_threads
        self.n_jobs = n_jobs


class C44Classifier(TreeClassifier):
    """C4.4 decision tree: C4.5 grown for good probabilities.

    Splits are those of C4.5: the best gain ratio among the splits of at least average gain, one branch for
    each level of a nominal column, and rows with missing values divided over the branches. The tree is
    neither pruned nor collapsed, and leaves are smoothed by Laplace's rule.

    Parameters
    ----------
    criterion : str or dict, default="c45"
        Measure of a split: "gini", "entropy", "gain_ratio", "c45" (the best gain ratio among the splits of at
        least average gain), "hellinger", "dkm", "alpha", "alpha_ext" or "chi2"; those with options also as
        a dict, such as ``{"name": "alpha", "alpha": 0.5}`` or
        ``{"name": "alpha_ext", "alpha": 0.5, "reference": "flipped"}``.
    max_depth : int or None, default=None
        Deepest level, at least 1; the root has depth 0. None sets no limit.
    min_samples_split : int, default=2
        Fewest rows of a node that may split, at least 2.
    min_samples_leaf : int, default=1
        Fewest rows of a leaf, at least 1.
    min_weight_leaf : float, default=2.0
        Smallest total weight of a leaf, at least 0; two rows as long as rows weigh 1 on average.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of a leaf in the total weight, in [0, 0.5].
    max_leaf_nodes : int or None, default=None
        Most leaves, at least 2; the tree then grows best node first. None sets no limit.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Columns looked at in each node: a number, a share in (0, 1], or a function of their number;
        more where these cannot split it. None looks at all.
    min_gain : float, default=0.0
        Smallest score of a split, at least 0.
    zero_gain : bool, default=False
        Whether a split that gains nothing may be made, so that trees grow until all leaves are pure.
    leaf : str, default="laplace"
        Class probabilities of a leaf: "frequency", "laplace" or "m_estimate".
    m : float, default=2.0
        Weight of the prior in the m-estimate, positive.
    nominal : str, default="multiway"
        How a nominal column splits: "ovr" (one level against the rest) or "multiway" (one branch a level).
    missing : str, default="fraction"
        Missing values: "error" refuses them in training data; "direction" learns a side for them in each
        split; "fraction" sends a row to all branches in proportion to their weights.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies.
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
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: C4.4.
    Quinlan, "C4.5: Programs for Machine Learning", 1993: gain ratio, average gain and missing values.

    Examples
    --------
    >>> from imbcore import C44Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = C44Classifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "c44"

    def __init__(
        self,
        *,
        criterion: str | dict[str, Any] = "c45",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 2.0,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        min_gain: float = 0.0,
        zero_gain: bool = False,
        leaf: str = "laplace",
        m: float = 2.0,
        nominal: str = "multiway",
        missing: str = "fraction",
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.min_gain = min_gain
        self.zero_gain = zero_gain
        self.leaf = leaf
        self.m = m
        self.nominal = nominal
        self.missing = missing
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_threads = n_threads
        self.n_jobs = n_jobs


class CARTClassifier(TreeClassifier):
    """CART decision tree: binary splits by the decrease of Gini's index, not pruned.

    The baseline to which trees made for rare classes are compared. On numbers without ties it grows the
    tree of scikit-learn's ``DecisionTreeClassifier``.

    Parameters
    ----------
    criterion : str or dict, default="gini"
        Measure of a split: "gini", "entropy", "gain_ratio", "c45" (the best gain ratio among the splits of at
        least average gain), "hellinger", "dkm", "alpha", "alpha_ext" or "chi2"; those with options also as
        a dict, such as ``{"name": "alpha", "alpha": 0.5}`` or
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
        How a nominal column splits: "ovr" (one level against the rest) or "multiway" (one branch a level).
    missing : str, default="direction"
        Missing values: "error" refuses them in training data; "direction" learns a side for them in each
        split; "fraction" sends a row to all branches in proportion to their weights.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies.
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
    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984: the Gini decrease.

    Examples
    --------
    >>> from imbcore import CARTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = CARTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "cart"

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
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.min_gain = min_gain
        self.zero_gain = zero_gain
        self.leaf = leaf
        self.m = m
        self.nominal = nominal
        self.missing = missing
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_threads = n_threads
        self.n_jobs = n_jobs
