"""A dict with single values and lists is refused by the name of the column that has a list.

Kind: an error about one column named another, valid one.
"""

from __future__ import annotations

import pytest

import imbcore
from imbcore.exceptions import DataError

MODEL = imbcore.fit({"amount": [1.0, 2.0, 9.0, 8.0], "hour": [1.0, 2.0, 3.0, 4.0]}, [0, 0, 1, 1], "cart")


@pytest.mark.parametrize("row", [{"amount": [1, 2], "hour": 3}, {"hour": 3, "amount": [1, 2]}])
def test_a_mixed_dict_names_both_columns(row):
    with pytest.raises(
        DataError, match="'amount' has several values, but column 'hour' a single one"
    ) as error:
        MODEL.predict(row)
    # The columns are in the order of the model.
    assert error.value.column == list(MODEL.feature_names_in_).index("amount")
