"""Rule lists."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.proven import ProvenClassifier
from imbcore._signatures import RuleListParameters
from imbcore.boxes._base import BoxClassifier

__all__ = ["RuleListClassifier"]


class RuleListClassifier(RuleListParameters, ProvenClassifier, BoxClassifier):
    """A few rules of a forest: the best choice of them for an F-measure or above a floor, with a proof.

    A random forest of small trees is grown first. The way to each node of each tree is a rule, a box: a lower
    and an upper bound of a number, some levels of a nominal column. Of rules that hold the same rows the
    shortest stays, and rules go that another one replaces at any price. Of the rest at most ``n_rules`` are
    chosen by an integer program, so that no other choice of them is better at ``objective`` on the training
    rows. A row that at least one rule holds is answered with the rare class. Two classes only; for more wrap
    it in ``OVAClassifier``.

    Rules are in the order of their precision, then of what they hold. A row is scored by the first that
    holds it: the share of the rare class in that rule, drawn to its share in all rows as if two rows more
    were there. Where some rule has less than one half, or the rows in no rule more, the odds of all scores
    are divided by theirs, so that the answers are those of one half; ``boxes()`` tells the shares as they
    are.

    A missing value satisfies a condition where the trees sent such rows the same way; the condition then says
    "or missing". Where training had no missing values in a column, they satisfy none of its conditions.

    The program is solved by CBC in a process of its own, which is ended with the fit. Ctrl-C raises
    ``KeyboardInterrupt`` at once and leaves the estimator fitted with the best list so far and its bound,
    ``status_`` "interrupted", once the forest is grown. A fit that ends at ``time_limit`` does the same
    without an exception, and only such fits depend on the speed of the machine.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.
    positive_ : label
        Class that the rules describe.
    n_boxes_ : int
        Number of rules.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Bounds, infinite where there is none.
    status_ : str
        "optimal", "time_limit" or "interrupted".
    objective_ : float
        F-measure of the list on the training rows; its recall above a floor of precision; its precision above
        a floor of recall.
    bound_ : float
        No choice of the candidates is worth more.
    gap_ : float
        ``bound_ - objective_``.
    proven_optimal_ : bool
        Whether the choice is proven to be the best.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used; for more than two classes.
    SolverError
        From ``fit``, when no solver process can be started, or it dies.

    References
    ----------
    Bénard, Biau, Da Veiga and Scornet, "SIRUS: Stable and Interpretable RUle Set for Classification", 2021,
    for rules of forests of small trees; Dash, Günlük and Wei, "Boolean Decision Rules via Column Generation",
    2018, for their choice by an integer program; Dinkelbach 1967 for ratios.

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
        """Say what was chosen from, and what is proven of the choice.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap``, ``proven_optimal``; ``goal`` and ``n_rules`` as the
            parameters said; ``true_positives`` and ``false_positives``, the training weight that the rules
            hold; ``different_rules``, how many rules of the trees hold different rows, and ``candidates``,
            how many of them were chosen from.
        """
        found: dict[str, Any] = self._fitted().certificate()
        return found
