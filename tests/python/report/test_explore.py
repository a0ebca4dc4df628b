"""The page for choosing a threshold: its numbers match the metrics, and it is self-contained."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3

import numpy as np
import pytest

import imbcore
from imbcore import metrics
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore._explore.figures import threshold_page_data

FACTS = re.compile(r'<script type="application/json" id="facts">(.*?)</script>', re.DOTALL)


def drawn(n, seed, share=0.05):
    rng = np.random.default_rng(seed)
    rare = rng.random(n) < share
    X = rng.normal(size=(n, 3))
    X[:, 0] += 1.5 * rare
    return X, np.where(rare, "fraud", "genuine")


@pytest.fixture(scope="module")
def rows():
    return drawn(1500, 1)


@pytest.fixture(scope="module")
def models():
    X, y = drawn(1500, 0)
    return {
        method: imbcore.fit(X, y, method, random_state=0, **options)
        for method, options in (
            ("hddt", {"max_depth": 5}),
            ("random_forest", {"n_estimators": 12}),
            ("prim", {}),
            ("naive_bayes", {}),
        )
    }


def page_of(model, X, y, folder, **options):
    model.explore(X, y, folder / "page.html", **options)
    text = (folder / "page.html").read_text(encoding="utf-8")
    return text, json.loads(FACTS.search(text)[1])


@pytest.mark.parametrize("method", ["hddt", "random_forest", "prim", "naive_bayes"])
def test_counts_of_every_threshold_match_the_metrics(method, models, rows, tmp_path):
    X, y = rows
    model = models[method]
    _, facts = page_of(model, X, y, tmp_path)
    scores = model.predict_proba(X)[:, 0]
    points = facts["points"]
    assert (facts["rows"], facts["positives"]) == (len(y), (y == "fraud").sum())
    assert facts["scores"] == len(np.unique(scores)) == len(points["tp"]) - 1
    for threshold, tp, fp in zip(points["threshold"], points["tp"], points["fp"], strict=True):
        answers = np.where(scores >= (np.inf if threshold is None else threshold), "fraud", "genuine")
        (found, _), (false, _) = metrics.confusion_matrix(y, answers, labels=["fraud", "genuine"])
        assert (found, false) == (tp, fp)
    assert facts["auc"] == metrics.roc_auc_score(y, scores, positive="fraud")
    assert facts["averagePrecision"] == metrics.average_precision_score(y, scores, positive="fraud")


@pytest.mark.parametrize("method", ["hddt", "random_forest", "prim", "naive_bayes"])
def test_threshold_of_the_model_is_among_the_thresholds(method, models, rows, tmp_path):
    X, y = rows
    _, facts = page_of(models[method], X, y, tmp_path)
    own = facts["own"]
    raised = models[method].predict(X) == "fraud"
    assert own["exact"]
    assert facts["points"]["tp"][own["position"]] == (raised & (y == "fraud")).sum()
    assert facts["points"]["fp"][own["position"]] == (raised & (y != "fraud")).sum()


def test_predictions_without_a_common_threshold_are_counted():
    """Folds may have thresholds of their own: the page states their counts beside the nearest threshold."""
    truth = np.array([True, True, False, True, False, False])
    scores = np.array([0.9, 0.6, 0.8, 0.4, 0.3, 0.1])
    selected = np.array([True, True, False, False, True, True])
    own = threshold_page_data(truth, scores, selected)["own"]
    assert own == {"position": 4, "exact": False, "tp": 2, "raised": 4}
    assert threshold_page_data(truth, scores, scores >= 0.4)["own"]["exact"]


def test_calibration_and_scores_in_bins(models, rows, tmp_path):
    X, y = rows
    model = models["random_forest"]
    _, facts = page_of(model, X, y, tmp_path)
    scores = model.predict_proba(X)[:, 0]
    for strategy, shown in facts["calibration"].items():
        table = metrics.calibration_table(y, scores, positive="fraud", strategy=strategy)
        wanted = zip(
            table.rows, table.mean_probability, table.positive_fraction, table.low, table.high, strict=True
        )
        assert [tuple(line) for line in shown] == list(wanted)
    bins = np.array(facts["histogram"])
    span = (scores.min(), scores.max())
    for column, rows_of in ((2, y == "fraud"), (3, y != "fraud")):
        counts, edges = np.histogram(scores[rows_of], bins=len(bins), range=span)
        assert counts.tolist() == bins[:, column].tolist()
        np.testing.assert_allclose(edges[:-1], bins[:, 0], rtol=1e-12)


def test_rules_match_their_stated_rows(models, rows, tmp_path):
    X, y = rows
    model = models["hddt"]
    _, facts = page_of(model, X, y, tmp_path)
    scores = model.predict_proba(X)[:, 0]
    rules = facts["rules"]["list"]
    assert facts["rules"]["others"] == 0
    assert sum(rule["rows"] for rule in rules) == len(y)
    assert sum(rule["hits"] for rule in rules) == (y == "fraud").sum()
    for threshold in np.unique(scores):
        fires = [rule for rule in rules if rule["low"] >= threshold]
        assert sum(rule["rows"] for rule in fires) == (scores >= threshold).sum()
        assert sum(rule["hits"] for rule in fires) == ((scores >= threshold) & (y == "fraud")).sum()
    assert all(rule["low"] == rule["high"] for rule in rules)


def test_boxes_are_rules_and_give_sql(models, rows, tmp_path):
    X, y = rows
    model = models["prim"]
    text, facts = page_of(model, X, y, tmp_path)
    assert "The boxes" in text
    inside = model.apply(X) >= 0
    snippet = facts["code"][-1]
    assert snippet["name"] == "SQL"
    assert model.to_sql() in snippet["parts"][0]
    assert snippet["counts"] == [(inside & (y == "fraud")).sum(), (inside & (y != "fraud")).sum()]
    assert len(facts["rules"]["list"]) == len(model.boxes())


@pytest.mark.parametrize("method", ["hddt", "random_forest"])
def test_displayed_sql_selects_the_alerts(method, rows, tmp_path):
    X, y = rows
    small = {"random_forest": {"n_estimators": 5, "max_depth": 4, "random_state": 0}}
    model = imbcore.fit(*drawn(1500, 0), method, **small.get(method, {"max_depth": 5}))
    _, facts = page_of(model, X, y, tmp_path)
    snippet = next(one for one in facts["code"] if one["name"] == "SQL")
    place = len(facts["points"]["tp"]) // 3
    values = {"threshold": str(facts["points"]["threshold"][place])}
    query = "".join(values[part] if at % 2 else part for at, part in enumerate(snippet["parts"]))
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE new_rows (x0 REAL, x1 REAL, x2 REAL)")
        database.executemany("INSERT INTO new_rows VALUES (?, ?, ?)", X.tolist())
        alarms = len(database.execute(query).fetchall())
    assert alarms == facts["points"]["tp"][place] + facts["points"]["fp"][place]


def test_models_without_rules_state_it(models, rows, tmp_path):
    X, y = rows
    text, facts = page_of(models["random_forest"], X, y, tmp_path)
    assert facts["rules"] is None
    assert "too long for this page" in facts["code"][-1]["parts"][0]
    assert "has no rules to show" in text


def test_page_is_self_contained(models, rows, tmp_path):
    text, _ = page_of(models["hddt"], *rows, tmp_path)
    assert set(re.findall(r"https?://[^\"'\s<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=", text) == []
    assert re.findall(r'href="([^"]*)"', text) == ["data:,", "#choose"]
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket", text)
    assert "default-src 'none'" in text


def test_names_of_users_are_escaped(tmp_path):
    X, y = drawn(400, 0, share=0.2)
    odd = "</script><b>&'\"$title"
    y = np.where(y == "fraud", odd, "<i>\u2028")
    names = ["<u>", "a&b", "`${x}`"]
    model = imbcore.fit(X, y, "cart", positive=odd, feature_names=names)
    text, facts = page_of(model, X, y, tmp_path, title="<h1>odd")
    for raw in ("<b>", "<i>", "<u>", "<h1>odd"):
        assert raw not in text
    assert facts["positiveName"] == odd
    assert any("<u>" in rule["text"] for rule in facts["rules"]["list"])
    card = model._repr_html_()
    assert "<b>" not in card
    assert "<u>" not in card


def test_equal_rows_give_equal_pages(models, rows, tmp_path):
    X, y = rows
    texts = [page_of(models["hddt"], X, y, tmp_path, n_threads=threads)[0] for threads in (1, 2)]
    assert texts[0] == texts[1]


def test_one_class_of_several_against_the_rest(tmp_path):
    X, _ = drawn(600, 0)
    y = np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.8, 1.0])
    model = imbcore.fit(X, y, "cart", max_depth=3)
    scores = model.predict_proba(X)
    for positive in (None, 0):
        column = model.positive_ if positive is None else positive
        text, facts = page_of(model, X, y, tmp_path, positive=positive)
        assert facts["positives"] == (y == column).sum()
        assert facts["auc"] == metrics.roc_auc_score(y == column, scores[:, column])
        assert f"predict_proba(X)[:, {column}]" in facts["code"][0]["parts"][0]
        assert f"all but {column}" in text


@pytest.mark.slow
def test_many_rows_give_a_small_page(tmp_path):
    """Only some thousands of many scores are stored, and targets are met as by the API."""
    X, y = drawn(1_000_000, 3, share=0.005)
    model = imbcore.fit(*drawn(3000, 4), "random_forest", n_estimators=9, min_samples_leaf=12, random_state=0)
    text, facts = page_of(model, X, y, tmp_path)
    assert len(text.encode()) < 500_000
    scores = model.predict_proba(X)[:, 0]
    assert facts["scores"] == len(np.unique(scores)) > 20_000
    assert 2000 < len(facts["points"]["tp"]) < 6000
    thresholds = facts["points"]["threshold"]
    goals = [{"recall": 0.9}, {"recall": 0.505}, {"alerts": 200, "per": 50_000}, {"alert_rate": 0.013}]
    goals += [{"cost": [[0, miss], [1, 0]]} for miss in (3, 40, 41.5)]
    known = set(zip(facts["points"]["tp"], facts["points"]["fp"], strict=True))
    for goal in goals:
        answered = y[scores >= metrics.threshold_for(y, scores, goal, positive="fraud")[0]]
        found = np.count_nonzero(answered == "fraud")
        assert (found, len(answered) - found) in known, goal
    place = len(thresholds) // 2
    answers = np.where(scores >= thresholds[place], "fraud", "genuine")
    found = metrics.confusion_matrix(y, answers, labels=["fraud", "genuine"])
    assert found[:, 0].tolist() == [facts["points"]["tp"][place], facts["points"]["fp"][place]]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": np.zeros((1500, 2))}, imbcore.DataError, "2 features"),
        ({"y": ["fraud"] * 3}, imbcore.DataError, "1500 rows, but y has 3"),
        ({"y": ["fraud", "odd", "genuine"] * 500}, imbcore.DataError, "'odd'"),
        ({"y": [0, 1, 0] * 500}, imbcore.DataError, "is not a class of the model"),
        ({"y": ["genuine"] * 1500}, imbcore.DataError, "no row is of the positive class 'fraud'"),
        ({"y": ["fraud"] * 1500}, imbcore.DataError, "all rows are"),
        ({"positive": "odd"}, imbcore.ParameterError, "positive must be one of"),
        ({"rows_per_day": 0}, imbcore.ParameterError, "rows_per_day"),
        ({"path": "no/such/folder/page.html"}, OSError, "no/such/folder"),
    ],
)
def test_invalid_input_is_rejected_and_no_file_remains(change, error, message, models, rows, tmp_path):
    X, y = rows
    call = {"X": X, "y": y, "path": tmp_path / "page.html"} | change
    with pytest.raises(error, match=message):
        models["hddt"].explore(**call)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_model_with_another_threshold(models, rows, tmp_path):
    X, _ = rows
    model = models["random_forest"]
    changed = model.with_threshold(0.25)
    raised = model.predict_proba(X)[:, 0] >= 0.25
    assert ((changed.predict(X) == "fraud") == raised).all()
    assert (raised != (model.predict(X) == "fraud")).any()
    changed.save(tmp_path / "m.imb")
    assert imbcore.load(tmp_path / "m.imb").threshold == 0.25
    for wrong in (-0.1, 1.1, float("nan"), "0.5", True):
        with pytest.raises(imbcore.ParameterError, match="threshold"):
            model.with_threshold(wrong)
    goal = imbcore.fit(*drawn(600, 2), "cart", threshold={"recall": 0.8}, max_depth=3)
    assert "goal" not in goal.with_threshold(0.5).decision_
    several = imbcore.fit(X, np.digitize(X[:, 0] + X[:, 1], [-1, 1]), "cart", max_depth=2)
    with pytest.raises(imbcore.DataError, match="2 classes"):
        several.with_threshold(0.5)


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_notebook_card_describes_the_model(models):
    card = models["hddt"]._repr_html_()
    for words in ("hddt", "leaves", "Prevalence", "The most probable class", "Rule 1"):
        assert words in card
    assert "Rule" not in models["random_forest"]._repr_html_()
    goal = imbcore.fit(*drawn(600, 2), "cart", threshold={"recall": 0.8}, max_depth=3)
    assert "Expected recall" in goal._repr_html_()
    assert "0.8" in goal._repr_html_()


def test_command_writes_the_page(rows, tmp_path, capsys):
    X, y = rows
    model = imbcore.fit(*drawn(800, 5), "hddt", max_depth=4, feature_names=["x0", "x1", "x2"])
    table = tmp_path / "test.csv"
    lines = [f"{a},{b},{c},{label}" for (a, b, c), label in zip(X.tolist(), y, strict=True)]
    table.write_text("\n".join(["x0,x1,x2,y", *lines]) + "\n", encoding="utf-8")
    file, page = tmp_path / "m.imb", tmp_path / "page.html"
    model.save(file)
    command = ["explore", str(file), str(table), "--target", "y", "-o", str(page)]
    assert run_command(cli, [*command, "--rows-per-day", "5000", "--title", "Cards"]) == 0
    facts = json.loads(FACTS.search(page.read_text(encoding="utf-8"))[1])
    assert facts["rowsADay"] == 5000
    direct = page_of(model, X, y, tmp_path)[1]
    assert facts["points"] == direct["points"]
    assert run_command(cli, command) == 0  # a page may be overwritten
    page.write_text("a,b\n1,2\n", encoding="utf-8")
    assert run_command(cli, command) == 2
    assert "--force" in capsys.readouterr().err
    assert run_command(cli, [*command, "--force"]) == 0
    assert run_command(cli, [*command[:4], "yy", "-o", str(page)]) == 2
    assert "no column 'yy'" in capsys.readouterr().err
    assert run_command(cli, [*command, "--positive", "odd"]) == 2
    answers = tmp_path / "a.csv"
    assert run_command(cli, ["predict", str(file), str(table), "--threshold", "0.2", "-o", str(answers)]) == 0
    found = answers.read_text(encoding="utf-8").split()[1:]
    assert found == model.with_threshold(0.2).predict(X).tolist()


def test_rows_per_day_are_counted_from_the_times(rows, tmp_path):
    X, y = rows
    model = imbcore.fit(*drawn(800, 5), "hddt", max_depth=4)
    number = np.arange(len(y)) // 8
    days = np.datetime64("2026-01-05T08:00") + number.astype("timedelta64[D]")
    for time in (number, days):
        facts = page_of(model, X, y, tmp_path, time=time)[1]
        assert facts["rowsADay"] == round(len(y) / (number[-1] + 1))
    assert page_of(model, X, y, tmp_path)[1]["rowsADay"] == len(y)
    assert page_of(model, X, y, tmp_path, time=days, rows_per_day=7)[1]["rowsADay"] == 7


def test_trees_of_a_hull_have_their_counts(rows, models, tmp_path):
    X, y = rows
    hull = imbcore.fit(*drawn(1500, 0), "optimal_tree", objective="hull", positive="fraud")
    text, facts = page_of(hull, X, y, tmp_path)
    assert 'id="hull-rules"' in text
    trees = hull.hull()
    assert len(facts["hull"]) == len(trees) > 2
    for shown, tree in zip(facts["hull"], trees, strict=True):
        alarms = tree["model"].predict(X) == "fraud"
        assert shown["tp"] == (alarms & (y == "fraud")).sum()
        assert shown["fp"] == (alarms & (y != "fraud")).sum()
        assert (shown["from"], shown["to"]) == (tree["best_from"], tree["best_to"])
        assert bool(shown["rules"]) == any(rule["class"] == "fraud" for rule in tree["model"].rules())
    _, facts = page_of(hull.select(cost_fp=1, cost_fn=20), X, y, tmp_path)
    assert len(facts["hull"]) == len(trees)
    for other in (models["hddt"], imbcore.fit(X, y, "optimal_tree")):
        assert page_of(other, X, y, tmp_path)[1]["hull"] is None


def per_day(n, seed):
    """Rows of 60 cards in ten days, with amounts."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    X, y = drawn(n, seed, share=0.1)
    card = rng.integers(0, 60, n)
    table = pandas.DataFrame(X, columns=list("abc")).assign(
        card=[f"card {number}" for number in card],
        day=np.datetime64("2024-03-01") + rng.integers(0, 10, n).astype("timedelta64[D]"),
        amount=rng.lognormal(3, 1, n),
    )
    return table, y


BUDGET = {"alerts": 20, "per": "1d", "by": "card", "amount": "amount"}


@pytest.mark.parametrize("amount_is_feature", [False, True])
def test_scores_per_day_match_the_metrics(amount_is_feature, tmp_path):
    """Kind: the scores of an alert budget per day are the same on every page, and those of the metrics."""
    table, y = per_day(600, 1)
    names = ["a", "b", "c", *(["amount"] if amount_is_feature else [])]
    train, labels = per_day(600, 0)
    model = imbcore.fit(train[names], labels, "hddt", max_depth=5, random_state=0)
    text, facts = page_of(model, table, y, tmp_path, time="day", alerts=BUDGET)
    frauds = table["card"][y == "fraud"]
    assert (
        f"too narrow here: the 600 rows are of {table['card'].nunique()} groups, and the {len(frauds)} "
        f"rows of “fraud” of {frauds.nunique()} groups"
    ) in text
    daily = facts["daily"]
    scores = model.predict_proba(table[names])[:, 0]
    times = {"time": table["day"], "per": "1d"}
    given = {**times, "positive": "fraud"}
    cards = {"groups": table["card"]}
    assert daily["precisionAtKPerDay"] == metrics.precision_at_k_per_day(y, scores, 20, **given)
    assert daily["cardPrecisionAtKPerDay"] == metrics.card_precision_at_k_per_day(
        y, scores, 20, **given, **cards
    )
    assert facts["own"]["position"] in daily["positions"]
    assert {0, len(facts["points"]["tp"]) - 1} & set(daily["positions"])
    for at, position in enumerate(daily["positions"]):
        threshold = facts["points"]["threshold"][position]
        raised = scores >= (np.inf if threshold is None else threshold)
        predicted = np.where(raised, "fraud", "genuine")
        assert daily["alertsPerDay"][at] == metrics.alerts_per_day(raised, **times, **cards).mean
        assert daily["daysToDetection"][at] == metrics.days_to_detection(y, predicted, **given, **cards)
        assert daily["moneySavedPerDay"][at] == metrics.money_saved_per_day(
            y, predicted, table["amount"], **given, **cards
        )


def test_scores_per_day_without_cards_and_amounts(tmp_path):
    table, y = per_day(300, 1)
    model = imbcore.fit(table[["a", "b", "c"]], y, "hddt", max_depth=3)
    X = table[["a", "b", "c"]]
    assert page_of(model, X, y, tmp_path)[1]["daily"] is None
    days = (table["day"] - table["day"].min()).dt.days.to_numpy()
    text, facts = page_of(model, X, y, tmp_path, time=days)
    assert "100 alerts are checked per period" in text
    assert "independent rows" in text
    assert "too narrow" not in text
    assert facts["daily"]["k"] == 100
    assert facts["daily"]["cardPrecisionAtKPerDay"] is None
    assert set(facts["daily"]["moneySavedPerDay"]) == {None}
    assert None not in facts["daily"]["alertsPerDay"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": "card"}, "groups needs the times"),
        ({"alerts": BUDGET}, "alerts needs the times"),
        ({"time": "day", "alerts": 200}, "alerts must be a budget per period"),
        ({"time": "day", "alerts": {**BUDGET, "amount": "sum"}}, "no column 'sum'"),
        ({"time": "date"}, "no column 'date'"),
    ],
)
def test_invalid_budgets_of_a_page_are_refused(given, message, tmp_path):
    table, y = per_day(300, 1)
    model = imbcore.fit(table[["a", "b", "c"]], y, "hddt", max_depth=3)
    X = table[[name for name in table if name in ("a", "b", "c") or name in str(given)]]
    with pytest.raises(imbcore.exceptions.ParameterError, match=message):
        model.explore(X, y, tmp_path / "page.html", **given)
    assert not (tmp_path / "page.html").exists()


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("named", [True, False])
def test_command_with_scores_per_day(named, tmp_path, capsys):
    table, y = per_day(300, 1)
    names = ["a", "b", "c"]
    model = imbcore.fit(table[names] if named else table[names].to_numpy(), y, "hddt", max_depth=3)
    model.save(tmp_path / "model.imb")
    table.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    given = ["--time", "day", "--alerts", "alerts=20,per=1d,by=card,amount=amount"]
    rows = [str(tmp_path / "model.imb"), str(tmp_path / "rows.csv"), "--target", "y"]
    assert run_command(cli, ["explore", *rows, *given, "-o", str(tmp_path / "page.html")]) == 0
    found = json.loads(FACTS.search((tmp_path / "page.html").read_text(encoding="utf-8"))[1])
    columns = table[names] if named else table[names].to_numpy()
    budget = BUDGET if named else {**BUDGET, "by": table["card"]}
    if named:
        _, expected = page_of(model, table, y, tmp_path, time="day", alerts=budget)
        assert found["daily"] == expected["daily"]
    else:
        del budget["amount"]
        _, expected = page_of(model, columns, y, tmp_path, time=table["day"], alerts=budget)
        assert found["daily"]["daysToDetection"] == expected["daily"]["daysToDetection"]
        assert found["daily"]["moneySavedPerDay"] != expected["daily"]["moneySavedPerDay"]
