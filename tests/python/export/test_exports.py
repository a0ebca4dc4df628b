"""Every export format predicts like the model on awkward rows: random models, in batches.

`IMBCORE_EXPORTS` is the number of models, and `IMBCORE_EXPORTS_SEED` their seed; `make fuzz` uses a thousand.
"""

import json
import os
import shutil
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
import programs
import pytest
import reader
from nasty import LEVELS, table
from runtimes import onnx_answers, pmml_answers, pmml_schema

import imbcore

pytestmark = [
    pytest.mark.filterwarnings("ignore:column 'job ' holds", "ignore::imbcore.DataWarning"),
    pytest.mark.hypothesis,
]

BATCH = 25
N_MODELS = int(os.environ.get("IMBCORE_EXPORTS", BATCH))
SEED = int(os.environ.get("IMBCORE_EXPORTS_SEED", 0))
LARGEST = np.finfo(float).max
# Methods with options, several of each family; models with few splits compile quickly.
POOL = [
    (
        "cart",
        {
            "categorical_split": ["ovr", "multiway", "ovr_multiway", "subset", "target"],
            "missing": ["direction", "value"],
        },
    ),
    ("hddt", {"max_depth": [None, 3], "leaf_estimate": ["frequency", "laplace"]}),
    ("c44", {"missing": ["direction", "fraction"]}),
    ("c45", {"min_samples_leaf": [1, 5]}),
    ("alpha_tree", {"alpha": [0.3, 1.2]}),
    (
        "random_forest",
        {"n_estimators": [3, 7], "voting": ["soft", "hard"], "categorical_split": ["ovr", "target"]},
    ),
    ("balanced_random_forest", {"n_estimators": [5], "max_depth": [2, 4]}),
    ("weighted_random_forest", {"n_estimators": [4], "voting": ["soft", "hard"]}),
    ("beat", {"n_estimators": [3]}),
    (
        "extra_trees",
        {"n_estimators": [4], "categorical_split": ["ovr", "subset"], "missing": ["direction", "value"]},
    ),
    (
        "boosted_trees",
        {
            "n_rounds": [4],
            "max_leaf_nodes": [6],
            "objective": ["log_loss", "balanced", "focal", "pairwise_auc", "smooth_ap"],
            "min_samples_leaf": [3],
            "categorical_split": ["subset", "target"],
        },
    ),
    ("bagging", {"n_estimators": [3], "estimator": ["cart", "c45", "naive_bayes"]}),
    ("under_bagging", {"n_estimators": [3]}),
    ("adaboost", {"n_estimators": [5], "estimator_params": [{"max_depth": 2}]}),
    ("rusboost", {"n_estimators": [4], "estimator_params": [{"max_depth": 2}]}),
    ("easy_ensemble", {"n_estimators": [2], "n_rounds_per_subset": [3]}),
    ("naive_bayes", {}),
    ("prim", {"missing": ["inside", "outside"]}),
    ("rule_list", {"n_estimators": [6], "max_candidates": [15], "categorical_split": ["subset", "multiway"]}),
    ("ova", {"estimator": ["cart"]}),
]
DECISIONS = [
    *[{}] * 4,
    {"threshold": 0.3},
    {"cost_matrix": "balanced"},
    {"calibrate": "sigmoid"},
    {"calibrate": "beta", "threshold": 0.2},
    {"calibrate": "isotonic"},
    {"calibrate": "venn_abers"},
]
LABELS = [["common", 'it\'s "rare"'], [0, 1], [False, True], [-1.0, 2.0]]


@dataclass
class Case:
    """A model, rows, and its predictions for them."""

    name: str
    model: imbcore.Model
    document: dict
    frame: pd.DataFrame
    labels: list
    proba: np.ndarray


def case(number):
    """A random model; methods alternate."""
    rng = np.random.default_rng([SEED, number])
    seed = int(rng.integers(1 << 31))
    method, grid = POOL[number % len(POOL)]
    options = {name: values[rng.integers(len(values))] for name, values in grid.items()}
    train, y = table(seed, int(rng.integers(80, 240)))
    rare = y != "common"
    several = method in ("cart", "random_forest", "naive_bayes") and rng.random() < 0.3
    if method == "ova" or several:
        y = train["count"].to_numpy() // 2
    else:
        y = np.array(LABELS[rng.integers(len(LABELS))])[rare.astype(int)]
        options |= DECISIONS[rng.integers(len(DECISIONS))]
    model = imbcore.fit(train, y, method, random_state=seed, **options)
    new, _ = table(seed + 1, 40, levels=[*LEVELS, "unseen"])
    return case_of(f"{number}: {method} {options}", model, new)


def case_of(name, model, frame):
    """A model and its predictions for rows, including values at its thresholds, next to them, and
    infinite.
    """
    document = json.loads(model.to_json())
    floats = frame.select_dtypes(float).columns
    more = []
    for column, cut in list(thresholds(document))[:60]:
        name_of = document["features"][column]["name"]
        if name_of in floats:
            for value in (cut, *np.nextafter(cut, [np.inf, -np.inf])):
                more.append(frame.iloc[len(more) % len(frame)].to_dict() | {name_of: value})
    for sign in (1, -1):
        more += [frame.iloc[at].to_dict() | dict.fromkeys(floats, sign * np.inf) for at in range(2)]
    more = pd.DataFrame(more)[list(frame)].astype(frame.dtypes)
    rows = pd.concat([frame, more], ignore_index=True)
    # A model rejects infinities; the largest double is beyond all its thresholds, too.
    finite = rows.assign(**{name_of: rows[name_of].clip(-LARGEST, LARGEST) for name_of in floats})
    return Case(name, model, document, rows, model.predict(finite).tolist(), model.predict_proba(finite))


def thresholds(document):
    """Thresholds of a model, with their features."""
    for step in document["steps"]:
        for tree in step.get("trees", []):
            yield from ((node["feature"], node["at_most"]) for node in tree if "at_most" in node)
        yield from ((step["feature"], cut) for cut in step.get("cuts", []))
        for rule in step.get("rules", []):
            for wanted in rule["all"]:
                yield from ((wanted["feature"], wanted[end]) for end in ("from", "to") if end in wanted)


@pytest.fixture(scope="module", params=range(-(-N_MODELS // BATCH)))
def batch(request):
    first = request.param * BATCH
    return [case(seed) for seed in range(first, min(first + BATCH, N_MODELS))]


def assert_predictions(case, labels, proba, label_texts=lambda label: label):
    """Compare predictions with those of the model, including labels unless two classes are practically
    equal.
    """
    np.testing.assert_allclose(proba, case.proba, rtol=0, atol=1e-12, err_msg=case.name)
    differs = [row for row, label in enumerate(case.labels) if label_texts(label) != labels[row]]
    if differs:
        decides = "threshold" in case.name or "cost_matrix" in case.name
        assert not decides, (case.name, differs)
        most = np.sort(case.proba[differs], axis=1)
        np.testing.assert_allclose(most[:, -1], most[:, -2], rtol=0, atol=1e-12, err_msg=case.name)


def test_json(batch):
    for case in batch:
        rows = case.frame.astype(object).where(case.frame.notna(), None).to_dict("records")
        outputs = [reader.answer(case.document, row) for row in rows]
        assert_predictions(case, [label for label, _ in outputs], np.array([proba for _, proba in outputs]))


def test_json_satisfies_its_schema(batch):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    published = files("imbcore") / "_export" / "model.schema.json"
    schema = json.loads(published.read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    for case in batch:
        assert not [error.message for error in checker.iter_errors(case.document)], case.name
        assert list(checker.iter_errors(case.document | {"version": 2}))
        assert list(checker.iter_errors(case.document | {"steps": [{"op": "add", "width": 1, "of": [0]}]}))
    costs = {"alarm": 1, "miss": "cost"}
    priced = imbcore.fit({"cost": [1.0, 2.0] * 9}, [0, 0, 1] * 6, "naive_bayes", costs=costs)
    assert not list(checker.iter_errors(json.loads(priced.to_json())))


def test_c(batch, tmp_path):
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler; install the package gcc")
    run_program(batch, programs.c_program(tmp_path, [case.model for case in batch]))


def test_rust(batch, tmp_path):
    if not shutil.which("rustc"):
        pytest.skip("there is no Rust compiler; see rustup.rs")
    run_program(batch, programs.rust_program(tmp_path, [case.model for case in batch]))


def run_program(batch, program):
    found = programs.answers(program, [case.model for case in batch], [case.frame for case in batch])
    for case, (labels, proba) in zip(batch, found, strict=True):
        # Integers among doubles are written without a decimal point.
        assert_predictions(case, labels, proba, lambda label: str(label).removesuffix(".0"))


def test_onnx(batch):
    pytest.importorskip("onnx", reason="onnx is not installed; pip install 'imbcore[onnx]'")
    for case in batch:
        labels, proba = onnx_answers(case.model.to_onnx(), case.document["features"], case.frame)
        assert proba.dtype == np.float64
        assert_predictions(case, labels.tolist(), proba)


def test_pmml(batch, tmp_path):
    shared = [any("masses" in node for tree in trees(case.document) for node in tree) for case in batch]
    for case, refused in zip(batch, shared, strict=True):
        if refused:
            with pytest.raises(imbcore.UnsupportedError, match='missing="direction"'):
                case.model.to_pmml()
    batch = [case for case, refused in zip(batch, shared, strict=True) if not refused]
    models, frames = [case.model for case in batch], [case.frame for case in batch]
    for case, (labels, proba) in zip(batch, pmml_answers(tmp_path, models, frames), strict=True):
        assert_predictions(case, labels, proba)


def test_pmml_satisfies_its_schema(batch):
    schema = pmml_schema()
    from lxml import etree

    written = 0
    for case in batch:
        if not any("masses" in node for tree in trees(case.document) for node in tree):
            schema.assertValid(etree.fromstring(case.model.to_pmml().encode()))
            written += 1
    assert written > len(batch) / 2


def trees(document):
    return [tree for step in document["steps"] for tree in step.get("trees", [])]
