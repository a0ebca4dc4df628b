"""Provably optimal trees."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, cast

from imbcore._bindings.proofs import certificate_to_json
from imbcore._estimators.proven import CertifiedClassifier
from imbcore._model.optimal import OptimalTreeModel
from imbcore._signatures import OptimalTreeParameters
from imbcore._validation.labelled import match_rows_by_index
from imbcore.trees._base import SingleTree

__all__ = ["OptimalTreeClassifier"]


class OptimalTreeClassifier(OptimalTreeParameters, CertifiedClassifier, SingleTree):
    """Provably optimal tree of depth one to four.

    The search considers all trees of at most ``max_depth`` over the original columns, without binning. On the
    training rows, it finds the tree that is best by ``objective``: the lowest cost, the largest F-measure, or
    the best result subject to a minimum recall or precision. If ``objective="hull"``, it finds the hull: all
    trees that are optimal for some cost ratio of a false negative to a false positive. Numeric columns are
    split midway between adjacent values. Nominal columns split off one level, or any set of levels if both
    children are leaves. Rows with a missing value go to the side that is better for the tree. The search
    maintains a lower bound on the cost of all trees; if the cost of the best tree equals the lower bound, the
    tree is proven optimal.

    Ctrl-C raises ``KeyboardInterrupt`` immediately and leaves the estimator fitted with the best tree found
    and its bound, with ``status_`` "interrupted". A fit that reaches ``time_limit`` also keeps the best
    result found, without an exception. The result depends on the speed of the machine only if a fit is
    interrupted or reaches the limit. Among equally good trees the first one found is kept, which is the same
    for any number of threads.

    Leaves predict the class that is best for the objective, which may differ from their most probable class.
    Probabilities are class frequencies of the training rows in the leaf. If ``objective="hull"``, rows are
    ranked by the number of trees of the hull that predict the positive class. The probability of a row is the
    frequency of the positive class among the training rows of the same rank, shrunk towards the overall
    frequency with the weight of one row.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which F-measures, the hull, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    status_ : str
        Reason why the search ended: "optimal", "time_limit", "interrupted", "heuristic" (only if
        ``lookahead`` is given) or "rounded". The status "rounded" means that the search is complete, but sums
        of weights or costs were not exact, and ``bound_`` differs from ``objective_``.
    objective_ : float
        Value of ``objective`` for the tree: its cost including leaf costs, or its F-measure. For a minimum
        recall: the weight of its false positives. For a minimum precision: its recall. For
        ``objective="hull"``: the area under the hull of the trees in ROC space.
    bound_ : float
        Bound on ``objective_`` for all possible trees: a lower bound for costs and false positives, an upper
        bound for the other objectives.
    gap_ : float
        Difference between ``bound_`` and ``objective_``.
    proven_optimal_ : bool
        Whether the tree is proven optimal.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total decrease of the Gini index due to each feature.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.
    UnsupportedError
        From ``fit``, for more than eight classes if the objective is "cost", and for more than two classes
        with any other objective.

    References
    ----------
    Auer, Holte and Maass, "Theory and Applications of Agnostic PAC-Learning with Small Decision Trees", 1995,
    for trees of depth two in nearly linear time; Mazumder, Meng and Wang, "Quant-BnB", 2022, and Brita, van
    der Linden and Demirović, "Optimal Classification Trees for Continuous Feature Data Using Dynamic
    Programming with Branch-and-Bound", 2025, for bounds between thresholds; Dinkelbach 1967 for ratios;
    Handler and Zang 1980 for constraints.

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
        """Return the proven bounds of the tree and the data needed to verify them.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap``, ``proven_optimal``; ``exact_numbers``, whether
            weights and costs are multiples of common units, so that all sums are exact (otherwise ``bound``
            allows for rounding); ``negatives`` and ``positives``, the total weights of the negative and of
            the positive training rows; ``trees``, as in :meth:`hull`; ``chosen``, the index of the tree that
            predicts; ``at``, the proven result for a tree that :meth:`select` selected for a constraint, else
            None.

            ``proof`` lets a verifier check the result without a search; it is None if ``lookahead`` was below
            ``max_depth``. It has ``max_depth``, ``min_weight_leaf``, ``units`` (for each class, the row
            weight that counts as one unit) and ``claims``. Each entry of ``claims`` has costs of errors
            (``prices``, a row per class, a column per predicted class), a cost per leaf (``leaf``) and a
            ``bound``. The entry states that with these costs every tree costs at least ``bound`` units.

            If ``max_depth`` is above 2, an entry also has ``cuts`` and ``between``. Each entry of ``cuts`` is
            a split of all rows (``feature``, ``test``, ``missing_first``). ``first`` and ``second`` are lower
            bounds on the cost of a tree with one level less in the first and in the second child of this
            split. ``between`` refers to two earlier entries of ``claims``, one with a smaller and one with a
            larger cost ratio.

            These splits imply lower bounds for every other split. A child with more rows costs at least as
            much. A child with fewer rows costs less by at most the cost of the removed rows. Between two cost
            ratios, the minimum cost is at least the linear interpolation.
        """
        return self._optimal_tree_model().certificate()

    @match_rows_by_index
    def verify_certificate(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        certificate: Any = None,
        time_limit: float = 60.0,
    ) -> dict[str, Any]:
        """Verify the trees and their proof of optimality on the training rows.

        The verifier is simple and shares no code with the search: at depth one and two it tries every tree.
        At larger depths it tries, for both children of every recorded split, every tree with one level less.
        Depth four is feasible only for tiny tables.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as in ``fit``.
        certificate : dict or None, default=None
            Result of :meth:`certificate`, for instance read from JSON; None: the certificate of the model.
        time_limit : float, default=60.0
            Seconds, above 0.

        Returns
        -------
        verdict : dict
            ``objective_holds``: whether the trees have the errors and the objective that the model reports.
            ``bounds_hold``: whether every lower bound of the certificate holds; None if time ran out or there
            are no bounds. ``proves_optimal``: whether the bounds imply that no tree is better; None if
            unknown, and always None for a minimum recall or precision, because bounds on costs do not exclude
            all better trees. ``reason``: a sentence about the first failed check, else None. Costs, units and
            tolerances are recomputed from the data and the parameters of the estimator; a certificate with
            other numbers is rejected.

        Raises
        ------
        DataError
            The data are not the training data, or ``certificate`` is not a certificate.
        """
        verify = partial(
            self._optimal_tree_model()._native_attribute("verify"), certificate_to_json(certificate, "proof")
        )
        return self._verify_certificate(verify, X, y, sample_weight, time_limit)

    def hull(self) -> list[dict[str, Any]]:
        """Trees of the hull, from the fewest false positives to the fewest false negatives.

        Returns
        -------
        trees : list of dict
            ``false_positives`` and ``false_negatives`` (weights of training rows), ``best_from`` and
            ``best_to`` (range of cost ratios of a false negative to a false positive for which the tree is
            optimal; None: unbounded), ``n_leaves`` and ``model``, the tree as an :class:`imbcore.Model`. If
            ``objective`` is not "hull", the list contains only the fitted tree, which is not optimal for
            every cost ratio.
        """
        return self._optimal_tree_model().hull()

    def select(self, **asked: float) -> OptimalTreeModel:
        """Select the tree of the hull that is best for another criterion; nothing is fitted.

        Parameters
        ----------
        **asked
            ``cost_fp`` and ``cost_fn``, costs of the errors; or ``f_beta``; or a minimum ``recall`` or
            ``precision``.

        Returns
        -------
        model : OptimalTreeModel
            Model that predicts with the selected tree. For costs and F-measures, no other tree is better on
            the training rows. For a constraint, the tree is the best tree of the hull, with the proven result
            in ``certificate()["at"]``: ``objective``, ``bound``, ``gap`` and ``proven_optimal``.

        Raises
        ------
        ParameterError
            Not exactly one criterion is given, the criterion is outside its valid range, or the objective of
            the fit was not "hull".
        """
        return self._optimal_tree_model().select(**asked)

    def _certificate_entry(self, name: str) -> Any:
        return self._optimal_tree_model().proof()[name]

    def _optimal_tree_model(self) -> OptimalTreeModel:
        # A constant model has no proof and raises in the methods that need it.
        return cast(OptimalTreeModel, self._fitted())
