"""Generalization bound: true risk of a box drawing from its training risk."""

from __future__ import annotations

from collections.abc import Sequence

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.values import validate_real_number, validate_whole_number

__all__ = ["generalization_bound"]


def generalization_bound(
    risk: float,
    n_rows: int,
    n_boxes: int,
    n_values: Sequence[int],
    *,
    negative_weight: float = 1.0,
    delta: float = 0.05,
) -> float:
    """Bound the true risk of boxes by their training risk (Goh and Rudin 2014, proposition 3).

    The box ends lie at values that are fixed before the data are seen, such as all numbers with two decimals
    in the range of a feature. Then, with probability at least ``1 - delta``, every set of ``n_boxes`` boxes
    has a true risk of at most its training risk plus ``max(1, c) sqrt((ln N + ln(1 / delta)) / (2 n_rows))``,
    where c is ``negative_weight``. N, the number of possible sets of boxes, is at most the product of
    ``m (m - 1) / 2`` over the features, to the power of ``n_boxes``, divided by ``n_boxes`` factorial, where
    m is the number of possible box ends of a feature (``n_values``). The bound follows the outline of the
    proof in the paper, with Hoeffding's inequality and the union bound.

    Parameters
    ----------
    risk : float
        Mean cost of a training row. A row of the rare class outside all boxes costs 1, and a row of the other
        class inside a box costs ``negative_weight``. The risk is at most the larger of both costs.
    n_rows : int
        Number of training rows, at least 1.
    n_boxes : int
        Number of boxes, at least 1.
    n_values : sequence of int
        For each feature the number of possible box ends, at least 2.
    negative_weight : float, default=1.0
        Cost of a row of the other class inside a box, above 0; c in the paper.
    delta : float, default=0.05
        Maximum probability that the bound does not hold, in (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ParameterError
        A number is outside its valid range.

    Examples
    --------
    >>> from imbcore import boxes
    >>> round(boxes.generalization_bound(0.02, 5000, 2, [100] * 3), 3)
    0.093
    """
    values = [validate_whole_number("n_values", value, 0) for value in n_values]
    rows, n = (
        validate_whole_number("n_rows", n_rows, 0, 2**63 - 1),
        validate_whole_number("n_boxes", n_boxes, 0),
    )
    weight = validate_real_number("negative_weight", negative_weight)
    return native.boxes.generalization_bound(
        validate_real_number("risk", risk), rows, n, values, weight, validate_real_number("delta", delta)
    )


name_package_in_errors(globals())
