"""Arrays of every kind as input: a named error, or the result of a contiguous float64 copy."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import imbcore
from imbcore.exceptions import ImbcoreError

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
DTYPES = st.sampled_from(
    ["f8", "f4", "f2", ">f8", "<f4", "g", "i1", "i2", "i4", "i8", ">i4", "u1", "u2", "u4", "u8", "?", "O"]
)


TRAINING = np.random.default_rng(0).normal(size=(60, 3))
TARGETS = (TRAINING.sum(axis=1) > 1).astype(int)


@st.composite
def arrays(draw, shape=None):
    """Arrays of every number type, in every memory layout of NumPy."""
    shape = draw(
        shape if shape is not None else hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9)
    )
    dtype = np.dtype(draw(DTYPES))
    elements = st.floats(-1e3, 1e3) | st.just(np.nan) | st.none() if dtype.kind == "O" else None
    if dtype.kind == "f":
        limit = 2.0**15
        elements = st.floats(-limit, limit, width=16) | st.sampled_from([np.nan, np.inf, -np.inf])
    array = draw(hnp.arrays(dtype, shape, elements=elements))
    how = draw(
        st.sampled_from(["C", "F", "reversed", "step", "broadcast", "misaligned", "read-only", "transposed"])
    )
    return relaid(array, how)


def relaid(array, how):
    """Return the same values in another memory layout."""
    if how == "F":
        return np.asfortranarray(array)
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "reversed" and array.ndim:
        return np.ascontiguousarray(array[::-1])[::-1]
    if how == "step" and array.ndim:
        wide = np.repeat(np.repeat(array, 2, axis=0), 3, axis=-1)
        return wide[::2, ..., ::3] if array.ndim > 1 else np.repeat(array, 2)[::2]
    if how == "broadcast" and array.ndim > 1 and len(array):
        return np.broadcast_to(array[:1], array.shape)
    if how == "misaligned" and array.dtype.kind != "O" and array.ndim:
        raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if how == "read-only":
        array = array.copy()
        array.flags.writeable = False
    return array


def plain_copy(array):
    """Contiguous float64 values."""
    if array.dtype == object:
        return np.array([[np.nan if v is None else v for v in row] for row in array.tolist()], dtype=float)
    return np.ascontiguousarray(array).astype(np.float64)


@SETTINGS
@given(arrays(), st.data())
def test_any_array_fits_like_its_plain_copy_or_is_rejected(X, data):
    n = len(X) if X.ndim else 1
    y = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    before = X.tobytes()
    try:
        model = imbcore.fit(X, y, "cart", random_state=0, n_threads=1)
    except (ImbcoreError, TypeError) as error:
        refused(X, y, error)
        return
    copy = plain_copy(X)
    other = imbcore.fit(copy, y, "cart", random_state=0, n_threads=1)
    assert model.to_bytes() == other.to_bytes()
    assert np.array_equal(model.predict(X), other.predict(copy))
    assert np.array_equal(model.predict_proba(X), other.predict_proba(copy))
    assert X.tobytes() == before


def refused(X, y, error):
    """Check that this array may be rejected; anything else is a failure."""
    text = str(error)
    if X.ndim < 2:
        assert "Reshape your data" in text
    elif X.ndim > 2:
        assert "dim 3" in text
    elif 0 in X.shape:
        assert "a minimum of 1 is required" in text
    elif "beyond 2**53" in text:
        assert X.dtype.itemsize == 8
    elif len(set(y)) < 2:
        assert "1 class" in text
    else:
        assert np.isinf(plain_copy(X)).any(), text
        assert "column 'x" in text


@SETTINGS
@given(arrays(st.tuples(st.integers(0, 6), st.integers(0, 5))))
def test_any_array_predicts_like_its_plain_copy_or_is_rejected(X):
    model = imbcore.fit(TRAINING, TARGETS, n_threads=1)
    try:
        found = model.predict_proba(X)
    except ImbcoreError as error:
        text = str(error)
        reasons = ["is expecting 3 features", "a minimum of 1 is required", "beyond 2**53", "infinit"]
        assert any(reason in text for reason in reasons), text
        assert X.shape[1] != 3 or len(X) == 0 or X.dtype.itemsize >= 8 or np.isinf(plain_copy(X)).any()
        return
    assert np.array_equal(found, model.predict_proba(plain_copy(X)))
