"""Warning of test sets with one or two positive rows among larger ones."""

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import DataWarning

RNG = np.random.default_rng(4)
N = 500
CENTER = np.arange(N) // 100
Y = (RNG.random(N) < 0.2).astype(int)
Y[CENTER == 3] = 0
Y[350] = 1
X = np.column_stack([Y + RNG.normal(size=N), RNG.normal(size=N)])
WORDS = r"1 of 5 test sets have fewer than 3 rows of the positive class 1: fold \d \(1\)\. Their average"


def test_a_center_with_one_positive_row_is_named():
    with pytest.warns(DataWarning, match=WORDS):
        found = imbcore.evaluate(X, Y, ["cart", "naive_bayes"], groups=CENTER, folds=5, random_state=0)
    positives = [int((found["cart"].y[found["cart"].fold == fold] == 1).sum()) for fold in range(5)]
    assert min(positives) == 1
    with pytest.warns(DataWarning, match=WORDS):
        imbcore.compare(X, Y, ["cart", "naive_bayes"], "1x5", groups=CENTER)
    tables = {"a": (X, Y), "b": (X, np.roll(Y, 1))}
    with pytest.warns(DataWarning, match=f"^table 'a': {WORDS}"):
        imbcore.compare(tables, methods=["cart"], protocol="1x5", groups={"a": CENTER, "b": np.arange(N)})


def test_repetitions_are_named():
    half = np.arange(N // 2), np.arange(N // 2, N)
    folds = [half, half[::-1], (np.arange(300), np.arange(300, 400))]
    with pytest.warns(DataWarning, match=r"1 of 3 .*: repetition 2, fold 0 \(1\)\."):
        imbcore.evaluate(X, Y, "cart", folds=folds, random_state=0)


def test_stratified_folds_and_single_test_sets_do_not_warn():
    few = np.zeros(N, dtype=int)
    few[:6] = 1
    imbcore.evaluate(X, few, "cart", folds=5, random_state=0)
    imbcore.evaluate(X, Y, "cart", folds=[(np.arange(300), np.arange(300, 400))], random_state=0)
