"""Rows that seem to belong together are reported if no groups are given, and only these.

Kind: dependence that the user did not state. A column that identifies groups, whatever its type and name, and
near-duplicate rows without such a column; measurements, categories and independent rows give no warning.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from evaluated import NoWeights

import imbcore
from imbcore import DataWarning

RNG = np.random.default_rng(8)
SIZES = RNG.choice([1, 2, 3, 10, 30], 300)
GROUP = np.repeat(np.arange(300), SIZES)
N = len(GROUP)
BASE = RNG.normal(size=(300, 4))
LABEL = (RNG.random(300) < 1 / (1 + np.exp(2 - BASE[:, 0]))).astype(int)
Y = LABEL[GROUP]
X = BASE[GROUP] + 0.05 * RNG.normal(size=(N, 4))
NOISE = RNG.normal(size=(N, 4))
NAMES = RNG.permutation([f"{number:05d}" for number in range(300)])


def warned(call):
    with warnings.catch_warnings(record=True) as emitted:
        warnings.simplefilter("always")
        call()
    return [
        str(w.message) for w in emitted if w.category is DataWarning and "belong together" in str(w.message)
    ]


def evaluated(X, y, **options):
    return warned(lambda: imbcore.evaluate(X, y, NoWeights(), folds=2, **options))


@pytest.mark.parametrize(
    "values", [NAMES[GROUP], RNG.permutation(300)[GROUP] * 7919.0], ids=["text", "number"]
)
def test_a_column_with_labels_that_agree_is_named(values):
    table = pd.DataFrame(NOISE, columns=list("abcd")).assign(ref=values)
    shown = warned(lambda: imbcore.fit(table, Y, "cart", max_depth=2))
    shown += evaluated(table, Y)
    shown += warned(lambda: imbcore.compare(table, Y, {"m": NoWeights()}, "1x2"))
    assert len(shown) == 3
    assert all("column 'ref' has 300 values" in text and "groups='ref'" in text for text in shown)
    assert evaluated(table, Y, groups="ref") == []
    assert evaluated(table, Y, time=np.arange(N)) == []
    unnamed = evaluated(np.column_stack([NOISE, GROUP]), Y)
    assert len(unnamed) == 1
    assert "groups=X[:, 4]" in unnamed[0]


def test_equal_labels_are_compared_with_those_by_chance():
    """With few positives nearly all pairs of rows have equal labels, so these alone show nothing."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(500), 6)
    rare = (rng.random(500) < 0.02)[group].astype(int)
    table = pd.DataFrame(rng.normal(size=(3000, 2)), columns=["a", "b"]).assign(ref=group * 7919.0)
    (shown,) = evaluated(table, rare)
    positives = rare.mean()
    by_chance = 100 * (positives**2 + (1 - positives) ** 2)
    assert "equal in 100 % of all pairs" in shown
    assert float(shown.split("pairs, ")[1].split(" %")[0]) == pytest.approx(by_chance, abs=0.01)
    assert evaluated(table, rng.permutation(rare)) == []
    # A name suffices; labels that agree by chance only are then not a reason.
    (named,) = evaluated(table.rename(columns={"ref": "ref_id"}), rng.permutation(rare))
    assert "equal" not in named


OTHER_LANGUAGES = [
    "Maschine",
    "Kunden-Nr",
    "Patientennummer",
    "id_cliente",
    "Máquina",
    "Personalnummer",
    "klant",
]


@pytest.mark.parametrize(
    "name", ["customer_id", "patientId", "Customer", "ID", "account number", *OTHER_LANGUAGES]
)
def test_a_column_with_the_name_of_an_identifier_needs_no_agreement(name):
    y = RNG.integers(0, 2, N)
    table = pd.DataFrame(NOISE).add_prefix("x").assign(**{name: NAMES[GROUP]})
    assert len(evaluated(table, y)) == 1
    # An identifier of every row says nothing about other rows.
    assert evaluated(table.assign(**{name: np.arange(N)}), y) == []


def test_near_duplicates_are_found_without_a_column():
    (text,) = evaluated(X, Y)
    assert "near-duplicates with the same label" in text
    assert evaluated(np.vstack([NOISE, NOISE]), np.tile(RNG.integers(0, 2, N), 2))
    assert evaluated(X, RNG.permutation(Y)) == []


@pytest.mark.parametrize("name", ["Maschinentyp", "personal", "Kundenzahl", "machine learning", "Ort"])
def test_other_names_of_categories_give_no_warning(name):
    table = pd.DataFrame(NOISE).add_prefix("x").assign(**{name: NAMES[GROUP]})
    assert evaluated(table, RNG.integers(0, 2, N)) == []


def test_measurements_and_independent_rows_give_no_warning():
    age = RNG.integers(18, 90, N)
    risk = RNG.random(N) < age / 120
    town = np.array([f"t{number}" for number in RNG.zipf(1.5, N).clip(max=60)])
    line = RNG.normal(size=N)
    tables = [
        (pd.DataFrame(NOISE).add_prefix("x").assign(age=age, paid=age, valid=age), risk),
        (pd.DataFrame({"town": town, "x": line, "minutes": np.floor(np.exp(line) * 60)}), line > 0.7),
        # A curve: the nearest neighbors are close, but at all scales.
        (np.column_stack([line, line**2, np.sin(line)]), line + RNG.normal(size=N) > 1),
        (RNG.normal(size=(N, 2)).round(1), RNG.random(N) < 0.03),
    ]
    for table, y in tables:
        assert evaluated(table, y.astype(int)) == []


@pytest.mark.slow
def test_real_data_sets_give_at_most_three_wrong_warnings():
    """Of 81 sets only kdd99-r2l-u2r warns: the bytes of repeated attacks identify the attack."""
    names = [info.name for info in imbcore.datasets.listing()]
    found = []
    for name in names:
        data = imbcore.datasets.load(name)
        found += [name] if evaluated(data.X, data.y) else []
    assert len(found) <= 3, found


@pytest.mark.parametrize("name", ["patient", "ref"])
def test_one_to_three_rows_of_a_person_are_noticed(name):
    """Most rows share their value, although a value has fewer than two rows on average."""
    sizes = RNG.choice([1, 2, 3], 400, p=[0.35, 0.4, 0.25])
    person = np.repeat(np.arange(400), sizes)
    assert len(person) < 800
    labels = (RNG.random(400) < 0.1).astype(int)[person]
    table = pd.DataFrame(RNG.normal(size=(len(person), 3)), columns=list("abc"))
    table[name] = RNG.permutation(400)[person] + 5000
    shown = warned(lambda: imbcore.fit(table, labels, "cart", max_depth=2))
    assert len(shown) == 1
    assert f"groups={name!r}" in shown[0]


def test_numbers_with_few_equal_values_are_measurements():
    table = pd.DataFrame(RNG.normal(size=(800, 3)), columns=list("abc"))
    table["amount"] = RNG.integers(0, 1500, 800)
    labels = (RNG.random(800) < 0.1).astype(int)
    assert warned(lambda: imbcore.fit(table, labels, "cart", max_depth=2)) == []


def test_categories_without_values_identify_nothing():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=200), rng.integers(0, 2, 200)
    empty = pd.Categorical([None] * 200, categories=[f"level {k}" for k in range(30)])
    with pytest.warns(imbcore.DataWarning, match="has no value in any row"):
        model = imbcore.fit(pd.DataFrame({"x": x, "customer": empty}), y, "cart")
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("named", [True, False])
def test_features_that_identify_the_groups_cause_a_warning(named):
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 3)
    y = (np.arange(120) % 4 == 0).astype(int)
    table = pd.DataFrame({"age": rng.normal(size=120), "patient": 100 - patient})
    X = table if named else table.to_numpy()
    name = "patient" if named else "x1"
    with pytest.warns(DataWarning, match=f"column '{name}' is a feature, but identifies the groups"):
        imbcore.fit(X, y, "naive_bayes", groups=patient)
    with pytest.warns(DataWarning, match=f"column '{name}' is a feature, but identifies the groups"):
        imbcore.evaluate(X, y, "naive_bayes", groups=patient, folds=2)
    # The column is no feature; or it has equal values in two groups; or each row is a group.
    imbcore.fit(table, y, "naive_bayes", groups="patient")
    imbcore.fit(table.assign(patient=np.minimum(patient, 38)), y, "naive_bayes", groups=patient)
    imbcore.fit(table, y, "naive_bayes", groups=np.arange(120))
