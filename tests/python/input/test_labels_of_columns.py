"""Column labels that are not text.

Integers and other column labels are matched like names, unless they are 0, 1, ... in order, which do not name
columns.
"""

import numpy as np
import pytest

import imbcore

pandas = pytest.importorskip("pandas")

rng = np.random.default_rng(5)
VALUES = rng.normal(size=(60, 3)) * [1.0, 5.0, 25.0]
Y = (VALUES[:, 0] > 0.5).astype(int)


def frame(labels, order=None):
    made = pandas.DataFrame(VALUES, columns=labels)
    return made if order is None else made[order]


def models(X):
    yield imbcore.fit(X, Y, "cart", random_state=0)
    yield imbcore.CARTClassifier(random_state=0).fit(X, Y)


@pytest.mark.parametrize(
    ("fitted", "other", "right"),
    [
        (frame([0, 1, 2]), frame([0, 1, 2], [2, 1, 0]), False),
        (frame([0, 1, 2]), frame([0, 1, 2], [1, 0, 2]), False),
        (frame([0, 1, 2], [2, 1, 0]), frame([0, 1, 2]), False),
        (frame([5, 6, 7]), frame([5, 6, 7]), True),
        (frame([5, 6, 7]), frame([5, 6, 7], [7, 6, 5]), False),
        (frame([5, 6, 7]), frame([5, 6, 8]), False),
        (frame([5, 6, 7]), frame([0, 1, 2]), True),
        (frame([0, 1, 2]), frame([5, 6, 7]), True),
        (frame([5, 6, 7]), VALUES, True),
        (frame([2, 1, 0]), VALUES, True),
        (VALUES, frame([0, 1, 2]), True),
        (VALUES, frame([0, 1, 2], [2, 1, 0]), False),
        (frame([0.5, 1.5, 2.5]), frame([0.5, 1.5, 2.5], [2.5, 1.5, 0.5]), False),
        (frame([("a", 1), ("a", 2), ("b", 1)]), frame([("a", 1), ("a", 2), ("c", 1)]), False),
        (
            frame(pandas.to_datetime(["2020-01-01", "2020-02-01", "2020-03-01"])),
            frame(pandas.to_datetime(["2020-01-01", "2020-02-01", "2020-03-01"])).iloc[:, ::-1],
            False,
        ),
    ],
)
def test_labels_are_matched_like_names(fitted, other, right, tmp_path):
    for model in models(fitted):
        if right:
            np.testing.assert_array_equal(model.predict_proba(other)[:, 1] > 0.5, Y == 1)
            continue
        model.save(tmp_path / "model.imb")
        for one in (model, imbcore.load(tmp_path / "model.imb")):
            with pytest.raises(imbcore.DataError, match="feature names should match"):
                one.predict(other)


def test_message_equals_that_for_text():
    model = imbcore.fit(frame([5, 6, 7]), Y, "cart", random_state=0)
    with pytest.raises(imbcore.DataError, match=r"unseen at fit time:\n- 8\n.*now missing:\n- 7"):
        model.predict(frame([5, 6, 8]))
    with pytest.raises(imbcore.DataError, match="same order as they were in fit"):
        model.predict(frame([5, 6, 7], [7, 6, 5]))


def test_splits_of_one_frame_are_accepted():
    from sklearn.model_selection import cross_val_score

    X = frame([7, 3, 5])
    assert len(cross_val_score(imbcore.CARTClassifier(random_state=0), X, Y, error_score="raise")) == 5
