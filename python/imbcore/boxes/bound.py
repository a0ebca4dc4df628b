"""What the training risk of a box drawing says about its true risk."""

from __future__ import annotations

from collections.abc import Sequence

from imbcore._border import native
from imbcore._input.values import whole_number

__all__ = ["generalization_bound"]


def generalization_bound(
    risk: float, n_rows: int, n_boxes: int, n_values: Sequence[int], *, c: float = 1.0, delta: float = 0.05
) -> float:
    """Bound the true risk of a box drawing from its training risk (Goh and Rudin 2014, proposition 3).

    The ends of boxes lie at values that are fixed before the data are seen, such as all numbers of two
    decimals in the range of a feature. Then with chance ``1 - delta`` no drawing of so many boxes has a true
    risk above ``risk + max(1, c) sqrt((ln N + ln(1 / delta)) / (2 n_rows))``, where N, the number of
    drawings, is at most the product of ``m (m - 1) / 2`` over the features, to the power of ``n_boxes``,
    over ``n_boxes`` factorial. The formulas of the paper's text are lost in its transcription; this is what
    its outline proves, by Hoeffding's inequality and the union bound.

    Parameters
    ----------
    risk : float
        Mean cost of a training row: 1 for a row of the rare class outside all boxes, ``c`` for another row
        inside one, at most the larger of 1 and ``c``.
    n_rows : int
        Training rows, at least 1.
    n_boxes : int
        At least 1.
    n_values : sequence of int
        For each feature the number of values that an end may take, at least 2.
    c : float, default=1.0
        Cost of a row of the other class inside a box, above 0.
    delta : float, default=0.05
        Chance that the bound does not hold, in (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ParameterError
        A number outside its domain.

    Examples
    --------
    >>> from imbcore import boxes
    >>> round(boxes.generalization_bound(0.02, 5000, 2, [100] * 3), 3)
    0.093
    """
    values = [whole_number("n_values", value, 0) for value in n_values]
    rows, n = whole_number("n_rows", n_rows, 0, 2**63 - 1), whole_number("n_boxes", n_boxes, 0)
    return native.boxes.generalization_bound(float(risk), rows, n, values, float(c), float(delta))
