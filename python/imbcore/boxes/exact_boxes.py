"""Exact Boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from imbcore._border import boxes
from imbcore._border.proofs import certificate_text
from imbcore._estimators.proven import ProvenClassifier
from imbcore._input.costs import cost_options
from imbcore._input.labelled import rows_by_index
from imbcore._input.values import flag, items_of, real_number
from imbcore._model.model import Model
from imbcore._signatures import ExactBoxesParameters
from imbcore.boxes._base import BoxClassifier
from imbcore.boxes.weight_path import WeightPath
from imbcore.exceptions import ParameterError

__all__ = ["ExactBoxesClassifier"]


class ExactBoxesClassifier(ExactBoxesParameters, ProvenClassifier, BoxClassifier):
    """The best drawing of a few boxes around the rare class, with a proof that none is better.

    Of all drawings of at most ``n_boxes`` boxes the one is sought with the largest objective: the rows of the
    rare class in its boxes, plus ``negative_weight`` times the rows of the other class outside, less
    ``box_cost`` for each box. Rows count by their weights. The search keeps a bound that no drawing exceeds;
    when the two meet, the drawing is proven optimal. Columns of numbers without missing values, and two
    classes only; for more wrap it in ``OVAClassifier``.

    Ctrl-C raises ``KeyboardInterrupt`` at once and leaves the estimator fitted with the best drawing so far
    and its bound, ``status_`` "interrupted". A fit that ends at ``time_limit`` does the same without an
    exception, and only such fits depend on the speed of the machine.

    The formulations "compact" and "paper" are solved by CBC in a process of its own, one for each fit, which
    is ended with the fit. Should it die or be killed, ``fit`` raises ``SolverError`` and leaves the estimator
    fitted as after Ctrl-C.

    A row in a box is answered with the rare class. Its probability is the share of the rare class in the
    first box that holds it, rows of the other class weighing ``negative_weight``, and at least one half.

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
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Bounds, infinite where there is none.
    status_ : str
        "optimal"; "gap_reached" (within ``gap``); "time_limit"; "interrupted"; "heuristic".
    objective_ : float
        What the drawing earns on the training rows.
    bound_ : float
        No drawing earns more.
    gap_ : float
        ``bound_ - objective_``.
    proven_optimal_ : bool
        Whether the drawing is proven to be the best.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used; for more than two classes, nominal columns
        and missing values.
    UnsupportedError
        From ``fit``, for more than 65 000 rows of a class, or both regularisers with
        ``formulation="columns"``.
    SolverError
        From ``fit``, with "compact" and "paper", when no solver process can be started, or it dies.

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
    box 1 (support 2, share of rare 1.000, lift 4.00, recall 1.000)
      3.50 <= x0 <= 5.50
    <BLANKLINE>
    """

    _method: ClassVar[str] = "exact_boxes"

    @rows_by_index
    def weight_path(
        self, X: Any, y: Any, weights: Sequence[float], sample_weight: Any = None
    ) -> WeightPath[ExactBoxesClassifier]:
        """Fit one estimator for each weight ``negative_weight``, faster than one by one.

        Drawings found for one weight are starts for the others, and bounds of two weights give a bound for
        every weight between them. ``time_limit`` holds for each weight.

        Parameters
        ----------
        X, y
            As in ``fit``.
        weights : sequence of float
            Values of ``negative_weight``, each in (0, 1].
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            As in ``fit``.

        Returns
        -------
        path : WeightPath
            List of fitted estimators in the order of ``weights``; this estimator itself stays as it is. Its
            ``decision_function(X)`` ranks rows by the share of weights that answer the rare class, and its
            ``hull_area(X, y)`` is the area under the convex hull of their ROC points.

        Raises
        ------
        ParameterError
            A weight or a parameter leaves its domain.
        UnsupportedError
            With a ``heuristic``.
        """
        grid = _weights(weights)
        rows = self._training_rows(X, y, sample_weight)
        natives = boxes.exact_path(
            self._parameters(),
            grid,
            *rows.parts,
            sample_weight=rows.weights,
            class_weight=self.class_weight,
            costs=cost_options(self, **rows.costs(vars(self))),
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
        """Everything that another program needs to check the drawing and its bound on the training rows.

        Returns
        -------
        certificate : dict
            ``status``, ``objective``, ``bound``, ``gap``, ``proven_optimal``; ``covered`` rows of the rare
            class, ``hit`` rows of the other class and ``used`` boxes; ``goal`` with the constants of the
            objective; ``scale``, by which ``(x - origin) / unit - shift`` is the scaled value of a column;
            ``lower`` and ``upper``, the boxes with their margins on the scaled columns of ``scale``; and
            ``prices``, each with a ``reward`` and a ``price`` for every training row of weight above 0, with
            ``pairs`` of a row that is hit, a row that is taken and what the first costs the second, and with
            the ``bound`` that they prove for ``n_boxes`` boxes, none of which earns more than ``sigma``.
        """
        found: dict[str, Any] = self._fitted().certificate()
        return found

    @rows_by_index
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
        """Check the drawing and the prices of its certificate on the training rows.

        The checker is slow and plain, and shares no code with the search. It trusts nothing in a certificate:
        objective, scale and tolerances are computed from the data and the parameters of the estimator.

        The prices say which boxes a drawing worth more than ``bound_`` must have one of. With ``whole`` the
        checker lists them, and shows of each that no other boxes beside it are worth enough, again by prices:
        the whole proof, which takes from tenths of a second to hours.

        Parameters
        ----------
        X, y, sample_weight
            The training data, as in ``fit``.
        certificate : dict or None, default=None
            What :meth:`certificate` gave, for instance read from JSON; None takes that of the model.
        time_limit : float, default=60.0
            Seconds for each bound, and for the whole proof, above 0.
        whole : bool, default=False
            Check also what the prices leave between their bound and ``bound_``.

        Returns
        -------
        verdict : dict
            ``objective``, the value of the boxes by its definition; ``bounds``, the bound that each of the
            ``prices`` proves, None where time ran out; ``objective_holds``, whether the value is the one
            claimed; ``bounds_hold``, whether every bound is, None if there are none or time ran out;
            ``proof_holds``, whether no drawing is worth more than ``bound_``, None if ``whole`` was not asked
            for or time ran out; ``proves_optimal``, whether all this shows that no drawing is better, None
            if that is not known; ``reason``, a sentence about what does not hold or is not known, else None.

        Raises
        ------
        DataError
            The data are not those of the training, or ``certificate`` is none.
        ParameterError
            ``time_limit`` or ``whole`` leaves its domain.
        UnsupportedError
            ``whole`` of a fit with ``expand``.
        """
        text = certificate_text(certificate, "prices")
        verify = partial(self._fitted()._of_family("verify"), text, whole=flag("whole", whole))
        return self._verified(verify, X, y, sample_weight, time_limit)

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = False
        return tags


def _weights(weights: Any) -> list[float]:
    try:
        grid = [real_number("weights", c) for c in items_of("weights", weights)]
    except ParameterError as error:
        raise ParameterError(f"weights must be a sequence of numbers in (0, 1], got {weights!r}") from error
    if not grid or not np.isfinite(grid).all():
        raise ParameterError(f"weights must hold at least one number, all in (0, 1], got {weights!r}")
    return grid
