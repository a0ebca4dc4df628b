"""Predictions, rules, texts, boxes and SQL of every method agree for every row."""

from __future__ import annotations

import ast
import re
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

import imbcore

METHODS = [method.name for method in imbcore.methods()]
NUMBER = 'amount "in\n EUR'
LEVELS = ["it's", 'a "b"', "c\nd", "e, f}", "1", "or missing", "plain"]
SINGLE = {
    "hddt",
    "c44",
    "c45",
    "cart",
    "alpha_tree",
    "svr_tree",
    "optimal_tree",
    "metacost",
    "fast_boxes",
    "exact_boxes",
    "prim",
    "rule_list",
}
SHARES = "rows with missing values go down all branches, with fractional weights"
OPTIONS = {
    "exact_boxes": {"n_boxes": 1},
    "beat": {"n_estimators": 3},
    "boosted_trees": {"n_rounds": 5, "min_samples_leaf": 3},
    "bayes_bagging": {"n_estimators": 2},
    "metacost": {"n_estimators": 3, "cost_matrix": "balanced"},
    "bagged_c45": {"n_estimators": 3},
    "random_forest": {"n_estimators": 3},
    "balanced_random_forest": {"n_estimators": 3},
    "weighted_random_forest": {"n_estimators": 3},
    "svr_forest": {"n_estimators": 3},
    "rule_list": {"n_estimators": 8, "max_candidates": 20},
}


def table(seed: int, n: int, holes: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows of two numbers in exact binary fractions, and awkward levels; some values are missing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            NUMBER: rng.integers(-16, 16, n) / 8,
            "x": rng.integers(0, 40, n) / 4,
            "le vel": rng.choice(LEVELS, n).astype(object),
        }
    )
    y = (frame[NUMBER] > 0.5) & frame["le vel"].isin(LEVELS[1:5]) | (rng.random(n) < 0.1)
    if holes:
        for column in frame:
            frame.loc[rng.random(n) < 0.15, column] = np.nan if column != "le vel" else None
    return frame, np.where(y, "la te", "ontime")


def missing(value: object) -> bool:
    return value is None or value != value


def satisfies(row: dict[str, object], condition: dict[str, object]) -> bool:
    """Check whether a row satisfies a condition of a rule or box, as documented."""
    value = row[condition["feature"]]
    op = condition.get("op")
    if op in ("known", "missing"):
        return missing(value) == (op == "missing")
    if missing(value):
        assert condition.get("or_missing") != "part"
        return bool(condition.get("or_missing", False))
    if op is None:
        if "levels" in condition:
            return value in condition["levels"]
        return condition.get("lower", -np.inf) <= value <= condition.get("upper", np.inf)
    wanted = condition["value"]
    tests = {"<=": "__le__", ">": "__gt__", "==": "__eq__", "!=": "__ne__"}
    if op in tests:
        return bool(getattr(value, tests[op])(wanted))
    return (value in wanted) == (op == "in")


def read_condition(text: str) -> dict[str, object]:
    """Parse a line of a text."""
    also = text.endswith(" (or missing)")
    text = text.removesuffix(" (or missing)")
    word = r'("(?:[^"\\]|\\.)*"|[^\s"{},]+)'
    plain = lambda shown: ast.literal_eval(shown) if shown.startswith('"') else shown  # noqa: E731
    if found := re.fullmatch(rf"{word} is (known|missing)", text):
        return {"feature": plain(found[1]), "op": found[2], "value": None}
    if found := re.fullmatch(rf"{word} (in|not in) {{(.*)}}", text):
        levels = [plain(level) for level in re.findall(word, found[3])]
        return {"feature": plain(found[1]), "op": found[2], "value": levels, "or_missing": also}
    if found := re.fullmatch(rf"(\S+) <= {word} <= (\S+)", text):
        return {
            "feature": plain(found[2]),
            "lower": float(found[1]),
            "upper": float(found[3]),
            "or_missing": also,
        }
    found = re.fullmatch(rf"{word} (<=|>=|>|=|!=) (.*)", text)
    assert found, text
    feature, op = plain(found[1]), found[2]
    if op == ">=":
        return {"feature": feature, "lower": float(found[3]), "or_missing": also}
    op = "==" if op == "=" else op
    value = float(found[3]) if op in ("<=", ">") else plain(found[3])
    return {"feature": feature, "op": op, "value": value, "or_missing": also}


def read_tree(text: str) -> list[tuple[list[dict[str, object]], str]]:
    """Leaves of a tree in text: the conditions of the path, and the prediction."""
    leaves, path = [], []
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        indent, found = line.split("|--- ", 1)
        del path[len(indent) // 4 :]
        if found.startswith("class: "):
            answer = re.match(r'class: ("(?:[^"\\]|\\.)*"|\S+) \(', found)[1]
            leaves.append((list(path), ast.literal_eval(answer) if answer.startswith('"') else answer))
        else:
            path.append(read_condition(found))
    return leaves


def read_boxes(text: str) -> list[list[dict[str, object]]]:
    boxes: list[list[dict[str, object]]] = []
    for line in text.splitlines():
        if line.startswith(("box ", "rule ")):
            boxes.append([])
        elif line.startswith("  ") and line != "  always":
            boxes[-1].append(read_condition(line.strip()))
    return boxes


def rules_holding(rows: list[dict[str, object]], rules: list[list[dict[str, object]]]) -> np.ndarray:
    """Rules that hold for each row, (n_rows, n_rules)."""
    return np.array([[all(satisfies(row, c) for c in rule) for rule in rules] for row in rows])


def check_tree(model: imbcore.Model, frame: pd.DataFrame) -> None:
    rules = model.rules()
    if SHARES in model.export_text():
        # Rows with missing values have fractions in several leaves; rules state it in every condition.
        assert all(condition["or_missing"] == "part" for rule in rules for condition in rule["conditions"])
        frame = frame[frame.notna().all(axis=1)]
    rows = frame.to_dict("records")
    held = rules_holding(rows, [rule["conditions"] for rule in rules])
    assert (held.sum(axis=1) == 1).all()
    place = held.argmax(axis=1)
    answers = model.predict(frame)
    assert [rules[rule]["class"] for rule in place] == answers.tolist()
    assert np.allclose(np.array([rules[rule]["probability"] for rule in place]), model.predict_proba(frame))
    assert [rules[rule]["leaf"] for rule in place] == model.apply(frame).tolist()
    leaves = read_tree(model.export_text(decimals=10))
    found = rules_holding(rows, [conditions for conditions, _ in leaves])
    assert (found.sum(axis=1) == 1).all()
    assert [leaves[leaf][1] for leaf in found.argmax(axis=1)] == answers.tolist()


def check_boxes(model: imbcore.Model, frame: pd.DataFrame, seen: bool) -> None:
    rows = frame.to_dict("records")
    answers = model.predict(frame) == model.positive_
    assert np.array_equal(model.apply(frame) >= 0, answers)
    boxes = [box["conditions"] for box in model.boxes(all_bounds=True)]
    assert np.array_equal(rules_holding(rows, boxes).any(axis=1), answers)
    # Bounds that exclude no training row are omitted unless requested.
    text = model._native.text(12, not seen)
    assert np.array_equal(rules_holding(rows, read_boxes(text)).any(axis=1), answers)
    if seen:
        assert text == model.export_text(decimals=12)
        rules = [rule["conditions"] for rule in model.rules()]
        assert np.array_equal(rules_holding(rows, rules).any(axis=1), answers)
    with closing(sqlite3.connect(":memory:")) as database:
        frame.to_sql("rows", database, index_label="row")
        found = database.execute(f'SELECT row FROM "rows" WHERE {model.to_sql()}').fetchall()
    assert sorted(row for (row,) in found) == np.flatnonzero(answers).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_views_agree(method):
    # These train on complete rows only.
    holes = method not in ("exact_boxes", "smote_bagging", "smoteboost")
    train, y = table(1, 160, holes)
    new, _ = table(2, 160, holes)
    if method == "exact_boxes":
        # It accepts numbers only.
        train, new = train.drop(columns="le vel"), new.drop(columns="le vel")
    model = imbcore.fit(train, y, method, random_state=0, **OPTIONS.get(method, {}))
    kind = model._native.kind
    if kind in ("tree", "svr", "optimal"):
        for frame in (train, new):
            check_tree(model, frame)
    elif kind == "boxes":
        check_boxes(model, train, True)
        check_boxes(model, new.reset_index(drop=True), False)
    else:
        assert method not in SINGLE
        for view in ("rules", "export_text", "boxes", "nodes"):
            assert not hasattr(model, view)


@pytest.mark.parametrize("nominal", ["ovr", "multiway", "ovr_multiway", "subset"])
@pytest.mark.parametrize("how", ["direction", "value", "fraction"])
def test_every_kind_of_split_agrees(nominal, how):
    for seed in range(3):
        train, y = table(seed, 120, True)
        new, _ = table(seed + 50, 120, True)
        model = imbcore.fit(train, y, "cart", missing=how, categorical_split=nominal)
        assert (SHARES in model.export_text()) == (how == "fraction")
        check_tree(model, new)


@pytest.mark.parametrize("threshold", [0.02, 0.3, 0.9])
def test_trees_with_a_threshold_agree(threshold):
    train, y = table(4, 160, True)
    new, _ = table(5, 160, True)
    check_tree(imbcore.fit(train, y, "hddt", threshold=threshold), new)
