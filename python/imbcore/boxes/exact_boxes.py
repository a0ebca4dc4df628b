"""Exact Boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from imbcore._bindings import boxes
from imbcore._bindings.proofs import certificate_to_json
from imbcore._estimators.proven import CertifiedClassifier
from imbcore._model.model import Model
from imbcore._signatures import ExactBoxesParameters
from imbcore._validation.costs import cost_options_of_estimator
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_flag, validate_list, validate_real_number
from imbcore.boxes._base import BoxClassifier
from imbcore.boxes.weight_path import WeightPath
from imbcore.exceptions import ParameterError

__all__ = ["ExactBoxesClassifier"]


class ExactBoxesClassifier(ExactBoxesParameters, CertifiedClassifier, BoxClassifier):
    """Optimal set of a few boxes around the rare class, with a proof of optimality.

    Among all sets of at most ``n_boxes`` boxes, the search finds the set with the largest objective. The
    objective is the number of rows of the rare class inside boxes, plus ``negative_weight`` times the number
    of rows of the other class outside all boxes, minus ``box_cost`` per box. Rows count by their weights. The
    search maintains an upper bound on the objective; if the objective of the found boxes equals the bound,
    the boxes are proven optimal. Only numeric columns without missing values and two classes are supported;
    for more classes use ``OVAClassifier``.

    Ctrl-C raises ``KeyboardInterrupt`` immediately and leaves the estimator fitted with the best boxes found
    and their bound, with ``status_`` "interrupted". A fit that reaches ``time_limit`` also keeps the best
    result found, without an exception. The result depends on the speed of the machine only if a fit is
    interrupted or reaches the limit.

    The formulations "compact" and "paper" are solved by CBC in a separate process, one per fit, which ends
    with the fit. If the process crashes or is killed, ``fit`` raises ``SolverError`` and leaves the estimator
    fitted as after Ctrl-C.

    Rows inside a box are predicted as the rare class. Their probability is the fraction of the rare class in
    the first box that contains the row, with rows of the other class weighted by ``negative_weight``. A
    fraction of at most one half is raised to just above one half.

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
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Lower and upper bounds of the boxes; infinite if a box has no bound on this side.
    status_ : str
        Reason why the search ended: "optimal", "gap_reached" (the gap is at most ``abs_gap``), "time_limit",
        "interrupted" or "heuristic" (``heuristic`` is set, and the boxes do not reach the bound).
    objective_ : float
        Objective of the boxes on the training rows.
    bound_ : float
        Upper bound on the objective of any set of boxes.
    gap_ : float
        ``bound_ - objective_``.
    proven_optimal_ : bool
        Whether the boxes are proven optimal.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid. From ``fit`` also for more than two classes,
        nominal columns and missing values.
    UnsupportedError
        From ``fit``, for more than 65,000 rows of a class, or if ``formulation`` is "columns" and both
        ``expand`` and ``box_cost`` are above 0.
    SolverError
        From ``fit``, if ``formulation`` is "compact" or "paper" and the solver process cannot be started or
        crashes.

    References
    ----------
    Goh and Rudin, "Box Drawings for Learning with Imbalanced Data", 2014: section 3, eq. 1 to 21, and
    section 6 for the heuristics.

    Examples
    --------
    >>> from imbcore import ExactBoxesClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "rare", "rare", "common", "common", "common"]
    >>> boxes = ExactBoxesClassifier(random_state=0).fit(X, y)
    >>> boxes.status_, boxes.objective_, boxes.n_boxes_
    ('optimal', 7.5, 1)
    >>> print(boxes.export_text(decimals=2))
    class rare if a row lies in at least one box
    box 1 (support 2, precision 1.000, lift 4.00, recall 1.000)
      3.50 <= x0 <= 5.50
    <BLANKLINE>
    """

    _method: ClassVar[str] = "exact_boxes"

    @match_rows_by_index
    def weight_path(
        self, X: Any, y: Any, weights: Sequence[float], sample_weight: Any = None
    ) -> WeightPath[ExactBoxesClassifier]:
        """Fit one estimator per value of ``negative_weight``, faster than separate fits.

        The search for a weight starts from the boxes found for other weights. The upper bounds on the
        objectives for two weights imply an upper bound for every weight between them. ``time_limit`` applies
        to each weight.

        Parameters
        ----------
        X, y
            As in ``fit``.
        weights : sequence of float
            Values of ``negative_weight``, each in (0, 1].
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Row weights, as in ``fit``.

        Returns
        -------
        path : WeightPath
            List of fitted estimators in the order of ``weights``; this estimator itself does not change. The
            method ``decision_function(X)`` of the list returns the fraction of the estimators that predict
            the rare class for each row, and ``hull_area(X, y)`` is the area under the convex hull of the ROC
            points of the estimators.

        Raises
        ------
        ParameterError
            A weight or a parameter is outside its valid range.
        UnsupportedError
            If ``heuristic`` is set.
        """
        grid = _validate_weight_grid(weights)
        rows = self._training_rows(X, y, sample_weight)
        natives = boxes.fit_exact_boxes_path(
            self._parameters(),
            grid,
            *rows.parts,
            sample_weight=rows.weights,
            class_weight=self.class_weight,
            costs=cost_options_of_estimator(self, **rows.costs(vars(self))),
            positive=self.positive,
            random_state=self.random_state,
            threads=(self.n_threads, self.n_jobs),
            verbose=self.verbose,
        )
        models = (Model(native, rows.schema) for native in natives)
        return WeightPath(
            clone(self).set_params(negative_weight=c)._keep(model)
            for c, model in zip(grid, models, strict=True)
        )

    def certificate(self) -> dict[str, Any]:
        """Return the data needed to verify the boxes and their bound with another program.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap`` and ``proven_optimal`` describe the result.
            ``covered``: number of rows of the rare class inside boxes. ``hit``: number of rows of the other
            class inside boxes. ``used``: number of boxes in use. ``goal``: constants of the objective, such
            as the cost of a box. ``scale``: the scaled value of a column is ``(x - origin) / unit - shift``.
            ``lower`` and ``upper``: bounds of the boxes with their margins, on the scaled columns.

            ``prices``: a list of sets of dual values. In each set, every training row of the rare class has a
            ``reward``, and every row of the other class has a ``price``. The value of a box is the sum of the
            rewards of its rows, minus the sum of the prices of its rows divided by the ``n_boxes`` of the
            set, minus ``box_cost``. Rows of weight 0 are omitted. Each entry of ``pairs`` has a row of the
            other class, a row of the rare class, and the part of the reward of the rare row that is lost if a
            box contains both rows. ``sigma`` of a set is the largest value of any box. ``bound`` of a set is
            the upper bound on the objective of at most ``n_boxes`` boxes that the dual values prove.
        """
        return self._fitted().certificate()

    @match_rows_by_index
    def verify_certificate(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        certificate: Any = None,
        time_limit: float = 60.0,
        whole: bool = False,
    ) -> dict[str, Any]:
        """Verify the boxes and the dual values of the certificate on the training rows.

        The verifier is simple and slow and shares no code with the search. It does not trust the certificate:
        objective, scale and tolerances are recomputed from the data and the parameters of the estimator. The
        dual values determine a list of candidate boxes: every set of boxes with an objective above ``bound_``
        contains at least one candidate. If ``whole`` is True, the verifier enumerates the candidates, and
        proves for each one, again with dual values, that no set of boxes with this candidate has an objective
        above ``bound_``. The whole proof takes from tenths of a second to hours.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as in ``fit``.
        certificate : dict or None, default=None
            Result of :meth:`certificate`, for instance read from JSON; None: the certificate of the model.
        time_limit : float, default=60.0
            Time limit in seconds, above 0. It applies separately to the verification of each bound and to the
            whole proof.
        whole : bool, default=False
            Whether to also prove that no set of boxes has an objective above ``bound_``. False: verify only
            the bound of the dual values, which may be larger than ``bound_``.

        Returns
        -------
        verdict : dict
            ``objective``: the recomputed objective of the boxes. ``bounds``: the bound that each entry of
            ``prices`` proves; None if time ran out. ``objective_holds``: whether the recomputed objective
            equals the objective of the certificate. ``bounds_hold``: whether every bound of the certificate
            holds; None if there are no bounds or time ran out. ``proof_holds``: whether no set of boxes has
            an objective above ``bound_``; None if ``whole`` is False or time ran out. ``proves_optimal``:
            whether these checks prove optimality; None if unknown. ``reason``: a sentence about the first
            failed or unknown check, else None.

        Raises
        ------
        DataError
            The data are not the training data, or ``certificate`` is not a certificate.
        ParameterError
            ``time_limit`` or ``whole`` is outside its valid range.
        UnsupportedError
            ``whole`` for a fit with ``expand``.
        """
        text = certificate_to_json(certificate, "prices")
        verify = partial(
            self._fitted()._native_attribute("verify"), text, whole=validate_flag("whole", whole)
        )
        return self._verify_certificate(verify, X, y, sample_weight, time_limit)

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = False
        return tags


def _validate_weight_grid(weights: Any) -> list[float]:
    try:
        grid = [validate_real_number("weights", c) for c in validate_list("weights", weights)]
    except ParameterError as error:
        raise ParameterError(
            f"weights must be a sequence of numbers in (0, 1], got {value_text(weights)}"
        ) from error
    if not grid or not np.isfinite(grid).all():
        raise ParameterError(
            f"weights must hold at least one number, all in (0, 1], got {value_text(weights)}"
        )
    return grid
