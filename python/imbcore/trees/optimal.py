"""Exact trees."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, cast

from imbcore._border.proofs import certificate_text
from imbcore._estimators.proven import ProvenClassifier
from imbcore._input.labelled import rows_by_index
from imbcore._model.optimal import OptimalTreeModel
from imbcore._signatures import OptimalTreeParameters
from imbcore.trees._base import SingleTree

__all__ = ["OptimalTreeClassifier"]


class OptimalTreeClassifier(OptimalTreeParameters, ProvenClassifier, SingleTree):
    """The best tree of depth one to four, with a proof that none is better.

    Of all trees of at most ``max_depth`` over the columns as they are, without binning, the one is found that
    costs least on the training rows, has the largest F-measure, or is best under a floor of recall or
    precision; or all those that are best at some price of a false negative (the hull). Numeric columns are
    cut midway between neighbouring values; nominal ones split off a level, or between two leaves any set of
    levels; rows without a value take the side that is better for the tree. The search keeps a bound that no
    tree undercuts; when the two meet, the tree is proven best.

    Ctrl-C raises ``KeyboardInterrupt`` at once and leaves the estimator fitted with the best tree so far and
    its bound, ``status_`` "interrupted". A fit that ends at ``time_limit`` does the same without an
    exception, and only such fits depend on the speed of the machine. Of trees that are equally good the one
    is kept to which the search comes first, the same at any number of threads.

    Leaves answer what is best for the objective, which need not be their most probable class. Probabilities
    are shares of the training rows in the leaf; with ``objective="hull"`` they rank rows by how many trees of
    the hull answer the positive class, and are the share of it among the training rows of that rank, which
    one more row of the overall share draws towards that.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which F-measures, the hull, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.
    status_ : str
        "optimal", "time_limit", "interrupted", with ``lookahead`` "heuristic", or "rounded": the search is
        complete, but weights or costs could not be added up exactly, and ``bound_`` does not meet
        ``objective_``.
    objective_ : float
        Cost of the tree with its leaves, its F-measure, under a floor of recall the weight of its false
        positives, under one of precision its recall, or the area under the hull.
    bound_ : float
        No tree costs less, or has a larger F-measure, or fewer false positives or more recall under the
        floor, or no hull a larger area.
    gap_ : float
        Difference between ``bound_`` and ``objective_``.
    proven_optimal_ : bool
        Whether the tree is proven to be the best.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the decrease of Gini's index by the splits.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.
    UnsupportedError
        From ``fit``, for more than two classes with an objective other than "cost", and more than eight with
        it.

    References
    ----------
    Auer, Holte and Maass, "Theory and Applications of Agnostic PAC-Learning with Small Decision Trees", 1995,
    for trees of depth two in nearly linear time; Mazumder, Meng and Wang, "Quant-BnB", 2022, and Brita, van
    der Linden and Demirović, "Optimal Classification Trees for Continuous Feature Data Using Dynamic
    Programming with Branch-and-Bound", 2025, for bounds between thresholds; Dinkelbach 1967 for ratios;
    Handler and Zang 1980 for floors.

    Examples
    --------
    >>> from imbcore import OptimalTreeClassifier
    >>> X = [[1, 5], [2, 1], [3, 4], [4, 2], [5, 5], [6, 1], [7, 4], [8, 2]]
    >>> y = ["common", "common", "common", "common", "rare", "common", "rare", "common"]
    >>> tree = OptimalTreeClassifier(objective="f1").fit(X, y)
    >>> tree.status_, tree.objective_, tree.bound_
    ('optimal', 1.0, 1.0)
    >>> print(tree.model_.export_text(), end="")
    |--- x0 <= 3.500
    |   |--- class: common (p(rare) 0.000, lift 0.00, recall 0.000, 3 rows)
    |--- x0 > 3.500 (or missing)
    |   |--- x1 <= 3.000 (or missing)
    |   |   |--- class: common (p(rare) 0.000, lift 0.00, recall 0.000, 3 rows)
    |   |--- x1 > 3.000
    |   |   |--- class: rare (p(rare) 1.000, lift 4.00, recall 1.000, 2 rows)
    """

    _method: ClassVar[str] = "optimal_tree"

    def certificate(self) -> dict[str, Any]:
        """Everything that is proven of the tree.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap``, ``proven_optimal``; ``exact_numbers``, whether
            weights and costs are multiples of common units, so that all sums are exact (the rounding of other
            sums is taken off ``bound``); ``negatives`` and ``positives``, the weight of the
            training rows; ``trees``, as in :meth:`hull`, and which of them was ``chosen`` to answer; ``at``,
            what is proven of a tree that :meth:`at` took for a floor, else None.
            ``shown``, by which a checker sees that without a search, None after a ``lookahead``:
            ``max_depth``, ``min_weight_leaf``, the weight of a unit of each class (``units``) and ``claims``,
            each that no tree costs less than ``bound`` units at ``prices`` (a row for each class, a column
            for each answer) and ``leaf`` for each leaf. Above depth two a claim has ``cuts``, splits of all
            rows (``feature``, ``test``, ``missing_first``) with what the best trees of one level less of
            their ``first`` and ``second`` side cost at least; and ``between``, two earlier claims at prices
            on both sides of its own. From these every other split follows: a side with more rows costs no
            less, one with fewer rows less by no more than the rows that went, and between two prices it costs
            at least what lies on the chord.
        """
        return self._exact().certificate()

    @rows_by_index
    def verify_certificate(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        certificate: Any = None,
        time_limit: float = 60.0,
    ) -> dict[str, Any]:
        """Check the trees and what shows that none is better on the training rows.

        The checker is plain and shares no code with the search: at depth one and two it tries every tree, and
        above that every tree of one level less on each side that is recorded. At depth four that is for tiny
        tables.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as in ``fit``.
        certificate : dict or None, default=None
            What :meth:`certificate` gave, for instance read from JSON; None takes that of the model.
        time_limit : float, default=60.0
            Seconds, above 0.

        Returns
        -------
        verdict : dict
            ``objective_holds``, whether the trees make the errors and are worth what the model says;
            ``bounds_hold``, whether every claim stands up, None where time ran out or there is none;
            ``proves_optimal``, whether the claims then show that no tree is better, None where that is not
            known: with a floor they show the hull beside it only; ``reason``, a sentence about what does not
            hold, else None. Costs, units and tolerances are computed from the data and the parameters of the
            estimator; numbers of the certificate that differ from them are refused.

        Raises
        ------
        DataError
            The data are not those of the training, or ``certificate`` is none.
        """
        verify = partial(self._exact()._of_family("verify"), certificate_text(certificate, "shown"))
        return self._verified(verify, X, y, sample_weight, time_limit)

    def hull(self) -> list[dict[str, Any]]:
        """Trees of the hull, from the fewest false positives to the fewest false negatives.

        Returns
        -------
        trees : list of dict
            ``false_positives`` and ``false_negatives`` (weights of training rows), ``best_from`` and
            ``best_to`` (how many times the price of a false positive a false negative costs where the tree is
            best; None: without end), ``n_leaves`` and ``model``, the tree as an :class:`imbcore.Model`. With
            another objective than "hull" the one tree that was found, which is not the best at every price.
        """
        return self._exact().hull()

    def at(self, **asked: float) -> OptimalTreeModel:
        """Take the tree of the hull that is best at something else; nothing is fitted.

        Parameters
        ----------
        **asked
            ``cost_fp`` and ``cost_fn``, prices of an error; or ``f_beta``; or a floor, ``recall`` or
            ``precision``.

        Returns
        -------
        model : OptimalTreeModel
            The model that answers by that tree: of all trees the one of least cost or largest F-measure; for
            a floor the best of those of the hull, with what is proven of it in ``certificate()["at"]``:
            ``objective``, ``bound``, ``gap`` and ``proven_optimal``.

        Raises
        ------
        ParameterError
            Not exactly one of these is asked for, it leaves its domain, or the objective was not "hull".
        """
        return self._exact().at(**asked)

    def _proof(self, name: str) -> Any:
        return self._exact().proof()[name]

    def _exact(self) -> OptimalTreeModel:
        # One of rows of one class has no proof, and says so as it is asked.
        return cast(OptimalTreeModel, self._fitted())
