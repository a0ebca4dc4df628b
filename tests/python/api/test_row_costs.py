"""Row-dependent costs as columns, arrays and functions: predictions, storage and validation."""

import pickle

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore import costs, metrics
from imbcore._cli import cli
from imbcore.boxes import FastBoxesCV
from imbcore.decompositions import OVAClassifier
from imbcore.trees import CARTClassifierCV

RNG = np.random.default_rng(7)
N = 150
AMOUNT = np.round(np.exp(RNG.normal(2.5, 1.2, size=N)), 2)
SCORE = RNG.normal(size=N)
TABLE = {"score": SCORE, "amount": AMOUNT}
Y = np.where(SCORE + RNG.normal(scale=0.8, size=N) > 1.0, "fraud", "honest")
NAMED = {"alarm": 5, "miss": "amount"}
METHODS = [method.name for method in imbcore.methods()]
# Methods that learn labels chosen by one cost matrix.
BY_MATRIX = {"metacost"}


def arrays(amount, false_alert=5.0):
    """Costs of rows with classes in sorted order: fraud, honest."""
    found = np.zeros((len(amount), 2, 2))
    found[:, 0, 1], found[:, 1, 0] = amount, false_alert
    return found


def by_amount(X):
    return arrays(np.asarray(X["amount"]))


def fit(method="hddt", **options):
    return imbcore.fit(TABLE, Y, method, **{"random_state": 0, **options})


def cheapest(model, table=TABLE):
    best = costs.minimum_expected_cost(model.predict_proba(table), arrays(np.asarray(table["amount"])))
    return model.classes_[best].tolist()


def small(method):
    known = {p.name for p in next(m for m in imbcore.methods() if m.name == method).parameters}
    return {"n_estimators": 3} if "n_estimators" in known else {}


@pytest.mark.parametrize("method", [method for method in METHODS if method not in BY_MATRIX])
def test_every_method_predicts_each_row_by_its_costs(method):
    plain, costly = fit(method, **small(method)), fit(method, costs=NAMED, **small(method))
    np.testing.assert_array_equal(plain.predict_proba(TABLE), costly.predict_proba(TABLE))
    answers = costly.predict(TABLE).tolist()
    assert answers == cheapest(costly)
    assert costly.decision_["kind"] == "costs"
    assert costly.decision_["costs"] == {"alarm": 5.0, "miss": "amount"}
    assert costly.cost_matrix is None
    again = pickle.loads(pickle.dumps(costly))
    assert again.to_bytes() == costly.to_bytes()
    assert again.predict(TABLE).tolist() == answers


def test_amounts_decide_if_probabilities_are_equal():
    model = fit("cart", max_depth=1, costs=NAMED)
    few = {"score": np.zeros(4), "amount": np.array([0.0, 1.0, 50.0, 5000.0])}
    p = model.predict_proba(few)
    assert len(np.unique(p, axis=0)) == 1
    assert model.predict(few).tolist() == ["honest", "honest", *model.predict(few)[2:]]
    assert model.predict(few)[3] == "fraud"


def test_equal_amounts_equal_a_cost_matrix():
    table = TABLE | {"amount": np.full(N, 40.0)}
    one = imbcore.fit(table, Y, "hddt", costs=NAMED)
    matrix = imbcore.fit(table, Y, "hddt", cost_matrix=[[0, 40], [5, 0]])
    assert one.predict(table).tolist() == matrix.predict(table).tolist()
    numbers = imbcore.fit(table, Y, "hddt", costs={"alarm": 5, "miss": 40})
    assert numbers.to_bytes() == matrix.to_bytes()


@pytest.mark.parametrize("calibrate", ["sigmoid", "venn_abers"])
@pytest.mark.parametrize("method", ["cart", "balanced_random_forest"])
def test_calibrated_probabilities_are_used(method, calibrate):
    for given in (NAMED, arrays(AMOUNT)):
        # With so few trees, some methods would leave too few rows out of bag for calibration.
        trees = {"n_estimators": 10} if small(method) else {}
        model = fit(method, calibrate=calibrate, costs=given, **trees)
        found = model.predict(TABLE) if given is NAMED else model.predict(TABLE, cost_matrix=given)
        assert found.tolist() == cheapest(model)


def test_recalibrated_and_adapted_probabilities_are_used():
    for options in ({"prior_correction": "prior"}, {"prior_correction": "none"}):
        model = fit("under_bagging", n_estimators=3, costs=NAMED, **options)
        assert model.predict(TABLE).tolist() == cheapest(model)
    adapted = model.correct_prior(TABLE, prior={"fraud": 0.6, "honest": 0.4})
    assert adapted.predict(TABLE).tolist() == cheapest(adapted) != model.predict(TABLE).tolist()
    named = fit("naive_bayes", costs=by_amount).correct_prior(TABLE, prior={"fraud": 0.6, "honest": 0.4})
    assert named.predict(TABLE).tolist() == cheapest(named)


def test_costs_are_read_from_the_rows():
    model = fit(cost_matrix=arrays(AMOUNT))
    assert model.decision_["costs"] is None
    assert model.decision_["kind"] == "costs"
    assert model.predict(TABLE, cost_matrix=arrays(AMOUNT)).tolist() == cheapest(model)
    again = pickle.loads(pickle.dumps(model))
    for tested in (model, again):
        with pytest.raises(imbcore.UnsupportedError, match="cost_matrix=array of shape"):
            tested.predict(TABLE)
    one = {name: column[:1] for name, column in TABLE.items()}
    assert model.predict(one, cost_matrix=arrays(AMOUNT[:1] * 0)).tolist() == ["honest"]
    # A model without a threshold accepts costs for all rows or for each row.
    plain = fit()
    assert plain.predict(TABLE, cost_matrix=arrays(AMOUNT)).tolist() == cheapest(plain)
    same = plain.predict(TABLE, cost_matrix=[[0, 40], [5, 0]]).tolist()
    assert same == fit(cost_matrix=[[0, 40], [5, 0]]).predict(TABLE).tolist()
    pairs = {("fraud", "honest"): 40, ("honest", "fraud"): 5}
    assert plain.predict(TABLE, cost_matrix=pairs).tolist() == same
    for options in ({"threshold": 0.3}, {"threshold": "f1"}):
        with pytest.raises(imbcore.UnsupportedError, match="threshold"):
            fit(**options).predict(TABLE, cost_matrix=arrays(AMOUNT))
    for wrong, message in (
        (arrays(AMOUNT[:5]), r"shape \(150, n_classes, n_classes\)"),
        (np.ones((N, 3, 3)), "3 classes"),
        (arrays(-AMOUNT), r"row 0 \(counted from 0\) contains"),
        (np.ones((N, 2, 3)), "one matrix per row"),
        ([0.0, 1.0], "2 dimensions"),
    ):
        with pytest.raises((imbcore.DataError, imbcore.ParameterError), match=message):
            plain.predict(TABLE, cost_matrix=wrong)


def test_costs_can_be_a_function_of_the_rows(tmp_path):
    model = fit(costs=by_amount)
    assert model.predict(TABLE).tolist() == cheapest(model)
    for refused in (lambda: model.save(tmp_path / "model.imb"), model.to_bytes):
        with pytest.raises(imbcore.UnsupportedError, match="column of X and name it"):
            refused()
    assert pickle.loads(pickle.dumps(model)).predict(TABLE).tolist() == model.predict(TABLE).tolist()
    estimator = imbcore.RandomForestClassifier(n_estimators=3, costs=by_amount, random_state=0).fit(TABLE, Y)
    again = pickle.loads(pickle.dumps(estimator))
    assert again.predict(TABLE).tolist() == estimator.predict(TABLE).tolist() == cheapest(estimator)
    arrow = pytest.importorskip("pyarrow").table(TABLE)
    assert model.predict(arrow.to_reader()).tolist() == model.predict(arrow).tolist()
    with pytest.raises(imbcore.ParameterError, match="must return an array"):
        fit(costs=lambda _: np.ones((2, 2)))
    with pytest.raises(imbcore.DataError, match="for 3 rows"):
        fit(costs=lambda _: arrays(AMOUNT[:3]))


def test_derived_models_keep_a_cost_function():
    boosted, tree = (
        imbcore.fit(TABLE, Y, method, costs=by_amount, random_state=0, **options)
        for method, options in (("boosted_trees", {"n_rounds": 3}), ("cart", {}))
    )
    options = {"method": "random_forest", "n_estimators": 2, "random_state": 0}
    parts = [imbcore.fit(TABLE, Y, costs=by_amount, **options) for _ in range(2)]
    for model in (boosted.truncate(2), tree.prune(0.0), imbcore.merge(parts)):
        assert model.predict(TABLE).tolist() == cheapest(model)
    others = imbcore.merge([parts[0], imbcore.fit(TABLE, Y, costs=lambda X: by_amount(X), **options)])
    with pytest.raises(imbcore.UnsupportedError, match="as cost_matrix"):
        others.predict(TABLE)


def test_costs_of_several_classes_use_pairs_of_labels():
    y = RNG.integers(0, 3, size=N)
    given = {(2, 0): "amount", (2, 1): 3, (0, 1): 1.0, (1, 0): 2.0}
    model = imbcore.fit(TABLE, y, "naive_bayes", costs=given)
    expected = np.zeros((N, 3, 3))
    expected[:, 2, 0], expected[:, 2, 1], expected[:, 0, 1], expected[:, 1, 0] = AMOUNT, 3, 1, 2
    best = costs.minimum_expected_cost(model.predict_proba(TABLE), expected)
    assert model.predict(TABLE).tolist() == best.tolist()
    assert model.decision_["costs"] == {pair: given[pair] for pair in sorted(given)}
    with pytest.raises(imbcore.ParameterError, match="is for two classes"):
        imbcore.fit(TABLE, y, "naive_bayes", costs=NAMED)


def test_correct_predictions_may_have_costs():
    model = fit(costs={"alarm": 5, "hit": 5, "miss": "amount", "pass": 1})
    cells = arrays(AMOUNT)
    cells[:, 0, 0], cells[:, 1, 1] = 5, 1
    best = costs.minimum_expected_cost(model.predict_proba(TABLE), cells)
    assert model.predict(TABLE).tolist() == model.classes_[best].tolist()
    other = fit(costs={"alarm": 5, "miss": "amount"}, positive="honest")
    assert other.decision_["costs"] == {"alarm": 5.0, "miss": "amount"}
    swapped = costs.minimum_expected_cost(other.predict_proba(TABLE), arrays(AMOUNT).transpose(0, 2, 1))
    assert other.predict(TABLE).tolist() == other.classes_[swapped].tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": {"miss": "amont"}}, "did you mean 'amount'"),
        ({"costs": {"fee": 3}}, "'alarm', 'miss', 'hit' and 'pass'"),
        ({"costs": {"miss": True}}, "a number or the name of a column"),
        ({"costs": {"miss": -1, "alarm": "amount"}}, "at least 0"),
        ({"costs": {}}, "empty"),
        ({"costs": "amount"}, "numbers"),
        ({"costs": NAMED, "cost_matrix": "balanced"}, "give one of them"),
        ({"costs": NAMED, "threshold": 0.4}, "None if costs or cost_matrix decide"),
        ({"costs": NAMED, "threshold": {"recall": 0.9}}, "None if costs or cost_matrix decide"),
        (
            {"cost_matrix": [[0, 1], [8, 0]], "threshold": {"cost": [[0, 1], [8, 0]]}},
            "alone chooses by costs",
        ),
        ({"costs": NAMED, "cost_strategy": "reweight"}, "sample_weight="),
        ({"cost_matrix": arrays(AMOUNT[:9])}, "for 9 rows, but there are 150"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises((imbcore.ParameterError, imbcore.DataError), match=message):
        fit(**options)


@pytest.mark.parametrize("value", [np.nan, -1.0])
def test_invalid_cost_is_named_by_column_and_row(value):
    amount = AMOUNT.copy()
    amount[17] = value
    message = r"column 'amount': row 17 \(counted from 0\)"
    with pytest.raises(imbcore.DataError, match=message):
        imbcore.fit(TABLE | {"amount": amount}, Y, "hddt", costs=NAMED)
    model = fit(costs=NAMED)
    with pytest.raises(imbcore.DataError, match=message):
        model.predict(TABLE | {"amount": amount})
    # Probabilities need no costs.
    assert model.predict_proba(TABLE | {"amount": amount}).shape == (N, 2)
    with pytest.raises(imbcore.DataError, match=r"column 'shop'.*must be numbers"):
        imbcore.fit(TABLE | {"shop": ["a", "b", "c"] * 50}, Y, "hddt", costs={"miss": "shop", "alarm": 1})


def test_methods_that_need_one_matrix_reject_row_costs():
    for method in BY_MATRIX:
        with pytest.raises(imbcore.ParameterError, match="one matrix for all rows"):
            fit(method, n_estimators=3, costs=NAMED)


def test_estimators_work_in_folds_and_searches():
    for estimator in (
        imbcore.HDDTClassifier(costs=NAMED),
        CARTClassifierCV(costs=NAMED, cv=3, random_state=0),
        FastBoxesCV(costs=NAMED, cv=3, n_boxes_grid=[1, 2], random_state=0),
        imbcore.BaggingClassifier(costs=NAMED, n_estimators=3, max_features=1, random_state=0),
    ):
        assert estimator.fit(TABLE, Y).predict(TABLE).tolist() == cheapest(estimator)
    handed = CARTClassifierCV(cost_matrix=arrays(AMOUNT), cv=3)
    with pytest.raises(imbcore.DataError, match="name columns of X"):
        handed.fit(TABLE, Y)
    import pandas as pd

    frame = pd.DataFrame(TABLE)
    answers = cross_val_predict(imbcore.HDDTClassifier(costs=NAMED), frame, Y, cv=3)
    assert set(answers) == {"fraud", "honest"}
    # Members may not have the cost column.
    bag = imbcore.BaggingClassifier(costs=NAMED, n_estimators=6, max_features=1, random_state=0).fit(TABLE, Y)
    kinds = {len(member.decision_.get("costs", {})) for member in bag.estimators_}
    assert kinds == {0, 2}


def test_staged_predictions_use_row_costs():
    calls = []

    def judge(answers, rows, y):
        best = costs.minimum_expected_cost(answers.predict_proba(rows), arrays(AMOUNT[rows]))
        calls.append(answers.predict(rows).tolist() == answers.classes_[best].tolist())
        return 0.0

    CARTClassifierCV(costs=NAMED, cv=3, scoring=judge, random_state=0).fit(TABLE, Y)
    assert len(calls) > 3
    assert all(calls)


def test_members_of_other_libraries_are_rejected():
    for refused in (
        OVAClassifier(LogisticRegression(), costs=NAMED),
        OVAClassifier(LogisticRegression(), cost_matrix=arrays(AMOUNT)),
        imbcore.BaggingClassifier(RandomForestClassifier(n_estimators=2), n_estimators=3, costs=NAMED),
        imbcore.BaggingClassifier(LogisticRegression(), n_estimators=3, cost_matrix=arrays(AMOUNT)),
    ):
        with pytest.raises(imbcore.UnsupportedError, match="minimum_expected_cost"):
            refused.fit(np.column_stack(list(TABLE.values())), Y)
    X = np.column_stack(list(TABLE.values()))
    for make in (imbcore.BaggingClassifier, OVAClassifier):
        fitted = make(LogisticRegression(), random_state=0).fit(X, Y)
        best = costs.minimum_expected_cost(fitted.predict_proba(X), arrays(AMOUNT))
        assert fitted.predict(X, cost_matrix=arrays(AMOUNT)).tolist() == fitted.classes_[best].tolist()
        with pytest.raises(imbcore.UnsupportedError, match="threshold"):
            make(LogisticRegression(), threshold=0.2).fit(X, Y).predict(X, cost_matrix=arrays(AMOUNT))


def test_rules_and_boxes_state_the_most_probable_class():
    plain, costly = fit("cart", max_depth=2), fit("cart", max_depth=2, costs=NAMED)
    assert [rule["class"] for rule in costly.rules()] == [rule["class"] for rule in plain.rules()]
    boxes = fit("fast_boxes", costs=NAMED)
    assert "costs" in boxes.export_text()
    with pytest.raises(imbcore.UnsupportedError, match="other rows than predict"):
        boxes.to_sql()
    for handed in (arrays(AMOUNT), by_amount):
        with pytest.raises(imbcore.UnsupportedError, match="name columns of X instead"):
            fit("random_forest", n_estimators=3, costs=handed).to_sql("payments")


def test_evaluate_predicts_folds_by_row_costs():
    found = imbcore.evaluate(TABLE, Y, "hddt", costs=NAMED, random_state=0)
    best = costs.minimum_expected_cost(found.proba, arrays(AMOUNT))
    assert found.predicted.tolist() == found.classes_[best].tolist()
    assert_measured(found)


def assert_measured(found):
    """The reported cost is the mean over a test part of the costs of its rows."""
    cells = arrays(AMOUNT)
    for fold, cost in enumerate(found.metrics["expected_cost"]):
        tested = found.fold == fold
        of_fold = metrics.expected_cost(found.y[tested], found.predicted[tested], cells[found.rows[tested]])
        assert cost == pytest.approx(of_fold, rel=1e-12), fold


def test_classifiers_of_other_libraries_use_row_costs():
    X = np.column_stack(list(TABLE.values()))
    given = {"costs": {"alarm": 5, "miss": "amount"}, "feature_names": ["score", "amount"]}
    found = imbcore.evaluate(X, Y, [LogisticRegression(), "cart"], random_state=0, time=range(N), **given)
    for result in found.values():
        assert_measured(result)
    foreign = found["LogisticRegression"]
    best = costs.minimum_expected_cost(foreign.proba, arrays(AMOUNT)[foreign.rows])
    assert foreign.predicted.tolist() == foreign.classes_[best].tolist()
    silent = imbcore.evaluate(X, Y, [(LogisticRegression(), {"costs": None})], random_state=0, **given)
    own = silent["LogisticRegression"]
    assert own.predicted.tolist() == own.classes_[own.proba.argmax(axis=1)].tolist()
    assert_measured(own)
    for wrong, text in (
        ({"costs": NAMED}, "pass the costs of a classifier to evaluate"),
        ({"threshold": 0.5}, "costs"),
    ):
        with pytest.raises(imbcore.ParameterError, match=text):
            imbcore.evaluate(X, Y, [(LogisticRegression(), wrong)], **given)
    with pytest.raises(imbcore.UnsupportedError, match="minimum_expected_cost"):
        imbcore.evaluate(X, Y, LogisticRegression(), costs=arrays(AMOUNT))


def test_cost_of_predictions():
    cells = arrays(AMOUNT)
    answers = fit(costs=NAMED).predict(TABLE)
    truth = (Y == "honest").astype(int)
    paid = cells[np.arange(N), truth, (answers == "honest").astype(int)]
    assert metrics.total_cost(Y, answers, cells) == pytest.approx(paid.sum(), rel=1e-12)
    assert metrics.expected_cost(Y, answers, cells) == pytest.approx(paid.mean(), rel=1e-12)
    weights = RNG.random(N)
    weighed = metrics.cost_score(Y, answers, cells, sample_weight=weights)
    assert weighed == pytest.approx(np.average(paid, weights=weights), rel=1e-12)
    alike = [cells[np.arange(N), truth, answer].sum() for answer in (0, 1)]
    assert metrics.savings_score(Y, answers, cells) == pytest.approx(1 - paid.sum() / min(alike), rel=1e-12)
    turned = metrics.total_cost(Y, answers, cells[:, ::-1, ::-1], labels=["honest", "fraud"])
    assert turned == pytest.approx(paid.sum(), rel=1e-12)
    assert metrics.total_cost([0, 1, 1], [0, 0, 1], [[0, 1], [6, 0]]) == 6
    with pytest.raises(imbcore.DataError, match="labels must name every class"):
        metrics.total_cost(Y, answers, cells, labels=["honest"])


def write_csv(path, columns):
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")


def test_command_line_accepts_row_costs(tmp_path):
    train, model, out = (tmp_path / name for name in ("train.csv", "model.imb", "out.csv"))
    write_csv(train, TABLE | {"y": Y})
    run = CliRunner()
    base = ["fit", str(train), "-t", "y", "-m", "hddt", "-o", str(model)]
    fitted = run.invoke(cli, [*base, "--costs", "alarm=5,miss=amount"], catch_exceptions=False)
    assert fitted.exit_code == 0
    named = run.invoke(cli, ["predict", str(model), str(train), "-o", str(out)], catch_exceptions=False)
    assert named.exit_code == 0
    loaded = imbcore.load(model)
    assert loaded.decision_["costs"] == {"alarm": 5.0, "miss": "amount"}
    assert out.read_text().split()[1:] == loaded.predict(TABLE).tolist() == cheapest(loaded)
    pairs = '{"fraud": {"honest": "amount"}, "honest": {"fraud": 5}}'
    assert run.invoke(cli, [*base, "--costs", pairs], catch_exceptions=False).exit_code == 0
    assert imbcore.load(model).to_bytes() == loaded.to_bytes()
    assert "alarm=5,miss=amount" in run.invoke(cli, [*base, "--costs", "5"]).output
    with pytest.raises(imbcore.ParameterError, match="no column 'sum'"):
        run.invoke(cli, [*base, "--costs", "alarm=5,miss=sum"], catch_exceptions=False)


@pytest.mark.filterwarnings("ignore:the estimated proportion of class:imbcore.exceptions.DataWarning")
def test_command_line_estimates_class_priors(tmp_path):
    train, model, out = (tmp_path / name for name in ("train.csv", "model.imb", "out.csv"))
    write_csv(train, TABLE | {"y": Y})
    imbcore.fit(TABLE, Y, "naive_bayes", costs=NAMED).save(model)
    done = CliRunner().invoke(
        cli,
        ["predict", str(model), str(train), "--correct-prior", "--proba", "-o", str(out)],
        catch_exceptions=False,
    )
    assert done.exit_code == 0
    adapted = imbcore.load(model).correct_prior(TABLE)
    share = adapted.decision_["adapted"]["prior"]["fraud"]
    assert f"fraud: {share:.4f}" in done.output
    assert "in training" in done.output
    rows = [line.split(",") for line in out.read_text().split()[1:]]
    assert [row[0] for row in rows] == adapted.predict(TABLE).tolist()
    np.testing.assert_allclose([float(row[1]) for row in rows], adapted.predict_proba(TABLE)[:, 0])


@pytest.mark.parametrize(
    "create",
    [
        lambda costs: imbcore.MetaCostClassifier(DecisionTreeClassifier(), cost_matrix=costs),
        lambda costs: imbcore.MetaCostClassifier("cart", cost_matrix=costs),
        lambda costs: imbcore.BaggingClassifier(DecisionTreeClassifier(), cost_matrix=costs),
        lambda costs: imbcore.AdaC2Classifier(DecisionTreeClassifier(), cost_matrix=costs),
        lambda costs: imbcore.decompositions.OVAClassifier(cost_matrix=costs),
        lambda costs: imbcore.decisions.MinExpectedCostClassifier(DecisionTreeClassifier(), costs),
        lambda costs: imbcore.decisions.InstanceWeightingClassifier(DecisionTreeClassifier(), costs),
    ],
)
def test_costs_per_row_and_weights_of_zero(create):
    """Kind: a parameter with one entry per row, next to rows of weight 0, which are left out.

    The error is the one for the rows without these, not a wrong number of matrices. Wrappers that need one
    matrix do not ignore matrices per row.
    """
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], [28, 12])
    costs = rng.uniform(size=(40, 2, 2))
    weights = np.where(np.arange(40) % 7 == 0, 0.0, 1.0)
    kept = weights > 0
    messages = []
    for rows, given, weight in ((X, costs, weights), (X[kept], costs[kept], None)):
        with pytest.raises((imbcore.ParameterError, imbcore.exceptions.UnsupportedError)) as caught:
            create(given).fit(rows, y[: len(rows)] if weight is not None else y[kept], sample_weight=weight)
        messages.append(str(caught.value).replace("(40,", "(34,"))
    assert messages[0] == messages[1]
    assert "matri" in messages[0] or "single rows" in messages[0]


def test_metacost_of_other_libraries_leaves_out_rows_of_weight_zero():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 2)), np.repeat([0, 1], [42, 18])
    weights = np.where(np.arange(60) % 7 == 0, 0.0, 1.0)
    kept = weights > 0
    given = {"cost_matrix": [[0, 1], [5, 0]], "random_state": 0}
    whole = imbcore.MetaCostClassifier(DecisionTreeClassifier(max_depth=2), **given).fit(X, y, weights)
    part = imbcore.MetaCostClassifier(DecisionTreeClassifier(max_depth=2), **given).fit(X[kept], y[kept])
    np.testing.assert_array_equal(whole.predict(X), part.predict(X))
