"""The working folder of the commands."""

import numpy as np
import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with train.csv: two numbers, one nominal column, a key and the label."""
    rng = np.random.default_rng(0)
    n = 120
    size, weight = rng.normal(size=n).round(3), rng.normal(size=n).round(3)
    kind = rng.choice(["a", "b", "c"], n)
    label = np.where((size > 0.6) & (kind != "a"), "fault", "fine")
    rows = [f"{i},{size[i]},{weight[i] if i % 9 else ''},{kind[i]},{label[i]}" for i in range(n)]
    (tmp_path / "train.csv").write_text("\n".join(["key,size,weight,kind,label", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path
