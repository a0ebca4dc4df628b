"""Rule lists."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.proven import CertifiedClassifier
from imbcore._signatures import RuleListParameters
from imbcore.boxes._base import BoxClassifier

__all__ = ["RuleListClassifier"]


class RuleListClassifier(RuleListParameters, CertifiedClassifier, BoxClassifier):
    """Optimal selection of a few rules from a forest, with a proof of optimality.

    First a random forest of small trees is grown. The path to each node except the root is a rule, unless it
    requires a missing value. A rule is a box: it has lower and upper bounds of numeric columns, and allowed
    levels of nominal columns. Of the rules that cover the same rows, only the shortest rule remains, and
    rules that are dominated by another rule are removed. An integer program selects at most ``n_rules`` of
    the remaining candidates, maximizing ``objective`` on the training rows: an F-measure, recall subject to a
    minimum precision, or precision subject to a minimum recall. A row covered by at least one rule is
    predicted as the rare class. Two classes only; for more use ``OVAClassifier``.

    The score of a rule is the fraction of the rare class in the rule, shrunk towards the overall fraction
    with the weight of two rows. Rules are sorted by this score, then by coverage. The score of a row is that
    of the first rule that covers the row. Scores are rescaled if the lowest score of a rule is below one
    half, or if the score of the uncovered rows is above one half. The odds of all scores are then divided by
    one constant, so that covered rows have scores above one half and uncovered rows have scores below one
    half. ``boxes()`` returns the fractions before shrinking and rescaling.

    A missing value satisfies a condition if the split of the tree sends rows with a missing value to the same
    child as rows that satisfy the condition; the text of the condition then ends with "(or missing)". If a
    column had no missing values in training, a missing value satisfies none of its conditions.

    The program is solved by CBC in a separate process, which ends with the fit. Once the forest is grown,
    Ctrl-C raises ``KeyboardInterrupt`` immediately and leaves the estimator fitted with the best list found
    and its bound, with ``status_`` "interrupted". A fit that reaches ``time_limit`` also keeps the best
    result found, without an exception. The result depends on the speed of the machine only if a fit is
    interrupted or reaches the limit.

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
    positive_ : label
        Class that the rules describe.
    n_boxes_ : int
        Number of rules.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Lower and upper bounds of the boxes; infinite if a box has no bound on this side.
    status_ : str
        Reason why the search ended: "optimal", "time_limit" or "interrupted".
    objective_ : float
        Objective of the list on the training rows: F-measure, recall (for a minimum precision) or precision
        (for a minimum recall).
    bound_ : float
        Upper bound on the objective of any selection of the candidates.
    gap_ : float
        ``bound_ - objective_``.
    proven_optimal_ : bool
        Whether the selection is proven optimal.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid; also for more than two classes.
    SolverError
        From ``fit``, if the solver process cannot be started or crashes.

    References
    ----------
    Bénard, Biau, Da Veiga and Scornet, "SIRUS: Stable and Interpretable RUle Set for Classification", 2021,
    for rules of forests of small trees; Dash, Günlük and Wei, "Boolean Decision Rules via Column Generation",
    2018, for their selection by an integer program; Dinkelbach 1967 for ratios.

    Examples
    --------
    >>> from imbcore import RuleListClassifier
    >>> X = [[float(i), float(i % 7)] for i in range(100)]
    >>> y = ["rare" if 40 <= i < 50 or i >= 95 else "common" for i in range(100)]
    >>> rules = RuleListClassifier(n_rules=2, n_estimators=20, random_state=0).fit(X, y)
    >>> rules.status_, rules.objective_, rules.n_boxes_
    ('optimal', 1.0, 2)
    """

    _method: ClassVar[str] = "rule_list"

    missing = "direction"

    def certificate(self) -> dict[str, Any]:
        """Return the candidates of the selection and the proven bound.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap``, ``proven_optimal``; ``goal`` and ``n_rules`` as in
            the parameters; ``true_positives`` and ``false_positives``, the weights of the positive and of
            the negative training rows that the rules cover; ``different_rules``, the number of rules of the
            trees, where rules that cover the same rows count once; and ``candidates``, the number of these
            rules that the integer program selects from.
        """
        return self._fitted().certificate()
