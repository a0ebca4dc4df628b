"""Damaged model files, accidental or deliberate, and all ways to store and restore a model."""

import errno
import json
import os
import pickle
import zlib
from pathlib import Path

import children
import joblib
import numpy as np
import pandas as pd
import pytest

import imbcore

resource = pytest.importorskip("resource", reason="limits of a process are POSIX")

N_COPIES = 300
BATCH = 50
SECONDS_A_COPY = 20

# Reads copy after copy and prints each outcome, so that a crash or a hang is attributed to one copy.
CHILD = """
import resource, signal, sys
import numpy as np
import imbcore

folder, first, last, most_bytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
rows = np.load(folder + "/rows.npy")
imbcore.load(folder + "/original.imb").predict_proba(rows)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + most_bytes, used + most_bytes))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for number in range(first, last):
    print(number, end=" ", flush=True)
    signal.alarm(SECONDS)
    try:
        model = imbcore.load(f"{folder}/{number}.imb")
    except imbcore.ModelFormatError:
        print("refused", flush=True)
        continue
    try:
        answer = model.predict_proba(rows).tobytes().hex()
        model.predict(rows), model.apply(rows), model.decision_path(rows)
        model.rules(), model.nodes(), model.export_text(), model.to_dot(), model.feature_importances_
        model.__getstate__()
    except imbcore.DataError:
        # A changed schema may need other columns than these rows have.
        answer = "other columns"
    print(answer, flush=True)
""".replace("SECONDS", str(SECONDS_A_COPY))


def fitted():
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(200, 5)), 1)
    y = np.where(X[:, 0] + rng.normal(size=200) > 1, "rare", "usual")
    X[rng.random(X.shape) < 0.1] = np.nan
    return imbcore.fit(X, y, method="hddt", max_depth=6, random_state=0), X


def damaged(original, number, rng):
    """One copy with random bytes changed, elements or numbers replaced by extremes, or a part missing."""
    data = bytearray(original)
    kind = number % 3
    if kind == 0:
        for place in rng.integers(0, len(data), size=rng.integers(1, 9)):
            data[place] = rng.integers(0, 256)
    elif kind == 1 and rng.random() < 0.5:
        digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
        place = int(rng.choice(digits))
        data[place : place + 1] = rng.choice([b"0", b"1", b"-1", b"9", b"4294967295", b"1e308"])
    elif kind == 1:
        words = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000]
        for place in rng.integers(0, len(data) // 4, size=rng.integers(1, 4)):
            data[4 * place : 4 * place + 4] = int(rng.choice(words)).to_bytes(4, "little")
    elif rng.random() < 0.5:
        del data[rng.integers(0, len(data)) :]
    else:
        start = rng.integers(0, len(data))
        del data[start : start + rng.integers(1, 64)]
    return bytes(data)


def with_valid_checksum(data):
    """The same bytes with a valid checksum, if the header still states its position."""
    try:
        start = 8 + int.from_bytes(data[:8], "little")
        begin, end = (start + offset for offset in json.loads(data[8:start])["crc32"]["data_offsets"])
    except (ValueError, KeyError, TypeError, OverflowError, MemoryError):
        return data
    if end - begin != 4 or not 0 <= begin < end <= len(data):
        return data
    return data[:begin] + zlib.crc32(data[:begin] + data[end:]).to_bytes(4, "little") + data[end:]


def outcomes(folder, most_bytes):
    """Output of the child processes for every copy; a copy that crashed its process is named."""
    lines = {}
    for first in range(0, N_COPIES, BATCH):
        last = min(first + BATCH, N_COPIES)
        child = children.run(CHILD, folder, first, last, most_bytes, timeout=BATCH * SECONDS_A_COPY)
        assert child.returncode == 0, (
            f"{child.returncode} at copy {child.stdout[-60:]!r}\n{child.stderr[-2000:]}"
        )
        lines.update(line.split(" ", 1) for line in child.stdout.splitlines())
    assert len(lines) == N_COPIES
    return lines


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads its size from /proc")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("resign", [False, True])
def test_damaged_copies_neither_crash_nor_change_predictions(tmp_path, resign):
    model, X = fitted()
    original = model.to_bytes()
    rng = np.random.default_rng(1)
    np.save(tmp_path / "rows.npy", X)
    (tmp_path / "original.imb").write_bytes(original)
    for number in range(N_COPIES):
        data = damaged(original, number, rng)
        (tmp_path / f"{number}.imb").write_bytes(with_valid_checksum(data) if resign else data)
    # A thread's stack and the allocator's pools use further address space.
    lines = outcomes(tmp_path, 4 * len(original) + (256 << 20))
    answers = [answer for answer in lines.values() if answer != "refused"]
    if resign:
        assert len(answers) > 10, "the checksum was not made right"
    else:
        assert set(answers) <= {model.predict_proba(X).tobytes().hex()}
        assert len(answers) < N_COPIES / 10, "damage that changes nothing tests nothing"


@pytest.mark.parametrize("missing", ["direction", "fraction"])
def test_every_way_to_restore_gives_the_same_model(tmp_path, mixed, missing):
    columns, y = mixed
    model = imbcore.fit(columns, y, method="cart", missing=missing, random_state=0)
    model.save(tmp_path / "model.imb")
    joblib.dump(model, tmp_path / "model.joblib")
    backs = [
        imbcore.load(tmp_path / "model.imb"),
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "model.joblib"),
    ]
    for back in backs:
        assert back.to_bytes() == model.to_bytes()
        assert back.params == model.params
        assert back.classes_.dtype == model.classes_.dtype
        np.testing.assert_array_equal(back.predict_proba(columns), model.predict_proba(columns))
        np.testing.assert_array_equal(back.predict(columns), model.predict(columns))


QUICK = {
    "exact_boxes": {"n_boxes": 1},
    "optimal_tree": {"max_depth": 2},
    "rule_list": {"n_estimators": 3, "max_candidates": 10},
    "boosted_trees": {"n_rounds": 10},
}
DECOMPOSITIONS = ["ova", "ovo", "ecoc"]
MEMBERS = [method for method in imbcore.methods() if method.name != "metacost"]


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.name)
def test_ensembles_are_read_back(member):
    """Members of one kind differ in structure: some trees have sets of levels, and some models have none."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"number": rng.normal(size=160), "level": rng.choice(list("abcd"), 160)})
    rare = (frame["number"] > 1.2) | ((frame["level"] == "c") & (rng.random(160) < 0.6))
    base = member.name
    if base == "exact_boxes":
        frame["level"] = frame["level"].map(ord)
    has_members = "n_estimators" in [parameter.name for parameter in member.parameters]
    options = QUICK.get(base, {"n_estimators": 3} if has_members else {})
    for method in ["under_bagging", "adaboost", "ova"]:
        if method == "ova" and base in DECOMPOSITIONS:
            continue
        more = {} if method == "ova" else {"n_estimators": 4}
        model = imbcore.fit(
            frame, rare, method, random_state=0, estimator=base, estimator_params=options, **more
        )
        back = pickle.loads(pickle.dumps(model))
        assert back.to_bytes() == model.to_bytes()
        np.testing.assert_array_equal(back.predict_proba(frame), model.predict_proba(frame))


def test_pickle_of_a_damaged_model_is_rejected():
    model, _ = fitted()
    data = pickle.dumps(model)
    place = data.index(b"tree.mass")
    with pytest.raises(imbcore.ModelFormatError):
        pickle.loads(data[:place] + b"tree.loss" + data[place + 9 :])


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_failing_write_keeps_the_old_file(tmp_path, monkeypatch, step):
    model, X = fitted()
    path = tmp_path / "model.imb"
    model.save(path)
    old = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    other = imbcore.fit(X, np.arange(len(X)) % 2, method="cart")
    with monkeypatch.context() as patch:
        patch.setattr(os, step, full)
        with pytest.raises(OSError, match="No space left") as caught:
            other.save(path)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["model.imb"]
    other.save(path)
    assert imbcore.load(path).to_bytes() == other.to_bytes()


def test_full_disk_keeps_the_old_file(tmp_path):
    model, _ = fitted()
    path = tmp_path / "model.imb"
    model.save(path)
    old = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) // 2, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            model.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["model.imb"]


def every_estimator():
    """A fitted estimator of every family, with rows to predict."""
    model, X = fitted()
    y = model.predict(X)
    whole = np.nan_to_num(X)
    classes = [
        imbcore.HDDTClassifier(max_depth=3),
        imbcore.RandomForestClassifier(n_estimators=3),
        imbcore.NaiveBayesClassifier(),
        imbcore.FastBoxesClassifier(),
        imbcore.OVAClassifier(),
    ]
    return [(estimator.fit(whole, y), whole) for estimator in classes]


def test_state_of_a_model_is_its_file():
    model, X = fitted()
    state = model.__getstate__()
    assert state == {"file": model.to_bytes()}
    again = type(model).__new__(type(model))
    again.__setstate__(state)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(imbcore.ModelFormatError):
        again.__setstate__({"file": b"nothing"})


def test_skops_stores_every_estimator():
    io = pytest.importorskip("skops.io")
    for estimator, X in every_estimator():
        data = io.dumps(estimator)
        again = io.loads(data, trusted=io.get_untrusted_types(data=data))
        assert np.array_equal(again.predict_proba(X), estimator.predict_proba(X)), estimator
