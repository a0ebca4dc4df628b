"""Bounds in the text of rules: the text includes or excludes a number as ``predict`` does."""

import math

import pytest

from imbcore._model.rules import condition_text

ABOVE, BELOW = math.nextafter(3.883, math.inf), math.nextafter(3.883, -math.inf)


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (3.883, None, "x >= 3.883"),
        (ABOVE, None, "x > 3.883"),
        (None, 3.883, "x <= 3.883"),
        (None, BELOW, "x < 3.883"),
        (ABOVE, math.nextafter(4.883, 0), "3.883 < x < 4.883"),
        (3.883, 5.5, "3.883 <= x <= 5.5"),
    ],
)
def test_a_bound_beside_a_short_number_is_open(lower, upper, text):
    condition = {"feature": "x", "lower": lower, "upper": upper}
    assert condition_text({"conditions": [condition]}) == text
