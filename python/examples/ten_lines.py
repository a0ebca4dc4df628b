"""Check of a fresh installation: fit, predict, prove, save and load."""

from __future__ import annotations

import tempfile
from pathlib import Path

import imbcore

X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"]
model = imbcore.fit(X, y, method="hddt")
assert model.predict([[2.9]]).tolist() == ["b"]
with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder, "model.imb"))
    assert imbcore.load(Path(folder, "model.imb")).to_bytes() == model.to_bytes()
# This fit uses CBC, in a separate process.
assert imbcore.fit(X, y, method="exact_boxes", formulation="compact").predict(X).tolist() == y
