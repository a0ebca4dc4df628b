"""Kind: options that describe rows (`groups`, `time`, `time_gap`) are read alike by every entry point."""

from __future__ import annotations

from pathlib import Path

import commands
import numpy as np
import pandas as pd
import pytest
import sklearn
from dependent_rows import customers

import imbcore
from imbcore.exceptions import DataError, ParameterError

X, Y, GROUPS = customers(40, 3, 0)
DAYS = np.datetime64("2024-01-01") + (np.arange(len(Y)) * 7 % 50).astype("timedelta64[D]")
NAMES = ["a", "b", "c", "d"]


def table() -> pd.DataFrame:
    frame = pd.DataFrame(X, columns=NAMES)
    return frame.assign(customer=[f"c{group}" for group in GROUPS], booked_at=DAYS.astype(str))


def probabilities(model: imbcore.Model) -> list[float]:
    frame = pd.DataFrame(X, columns=NAMES)
    return [model.decision_["threshold"], *model.predict_proba(frame)[:, 1].tolist()]


OPTIONS = {"threshold": "f1", "random_state": 0, "max_depth": 3}


FEATURES = table()[NAMES]


def fitted(frame: pd.DataFrame = FEATURES, **given: object) -> list[float]:
    return probabilities(imbcore.fit(frame, Y, "hddt", **OPTIONS, **given))


def test_columns_by_name_are_no_features_and_equal_to_arrays() -> None:
    of_arrays = fitted(groups=GROUPS, time=DAYS, time_gap="2d")
    frame = table()
    given = {"groups": "customer", "time": "booked_at", "time_gap": "2d"}
    assert fitted(frame, **given) == of_arrays
    assert of_arrays != fitted() != fitted(groups=GROUPS)
    estimator = imbcore.HDDTClassifier(**OPTIONS).fit(frame, Y, **given)
    assert estimator.feature_names_in_.tolist() == NAMES
    assert probabilities(estimator.model_) == of_arrays
    assert fitted(frame.iloc[::-1], **given) == fitted(
        frame.iloc[::-1][NAMES], groups=GROUPS[::-1], time=DAYS[::-1], time_gap="2d"
    )


def test_text_dates_have_a_format() -> None:
    text = [str(day)[8:] + "." + str(day)[5:7] + "." + str(day)[:4] for day in DAYS]
    assert fitted(time=text, date_format="%d.%m.%Y") == fitted(time=DAYS)
    seconds = DAYS.astype("datetime64[s]").astype(float)
    assert fitted(time=seconds, time_gap={"time": 2 * 86400.0}) == fitted(time=DAYS, time_gap="2d")


def test_files_and_the_command_line(tmp_path: Path) -> None:
    path, output = tmp_path / "rows.csv", tmp_path / "model.imb"
    table().assign(label=Y).to_csv(path, index=False)
    given = {"groups": "customer", "time": "booked_at", "time_gap": "2d"}
    of_file = imbcore.fit(str(path), "label", "hddt", **OPTIONS, **given)
    assert of_file.feature_names_in_.tolist() == NAMES
    words = ["fit", str(path), "-t", "label", "-m", "hddt", "--threshold", "f1", "-p", "max_depth=3"]
    words += ["--groups", "customer", "--time", "booked_at", "--time-gap", "2d", "-o", str(output)]
    for more in ([], ["--batch-size", "50"]):
        assert commands.run(*words, *more) == 0
        assert probabilities(imbcore.load(output)) == probabilities(of_file)
    with pytest.raises(imbcore.exceptions.UnsupportedError, match="sample="):
        imbcore.fit(str(path), "label", "hddt", sample=20, **given)
    with pytest.raises(ParameterError, match="name of a column"):
        imbcore.fit(str(path), "label", "hddt", groups=GROUPS)


def test_groups_of_one_row_are_no_groups() -> None:
    rows = [f"row {row}" for row in range(len(Y))]
    assert fitted(groups=rows) == fitted(groups=[None] * len(Y)) == fitted()


def test_names_and_order_of_groups_do_not_matter() -> None:
    names = np.array(list("zyxwvutsrqponmlkjihgfedcba" * 2))[GROUPS].astype(object) + GROUPS.astype(str)
    assert fitted(groups=names) == fitted(groups=GROUPS) == fitted(groups=1000 - GROUPS)


def test_rows_without_weight_do_not_count() -> None:
    weights = np.ones(len(Y))
    weights[GROUPS % 4 == 0] = 0
    kept = weights > 0
    of_kept = imbcore.fit(X[kept], Y[kept], "random_forest", oob_score=True, groups=GROUPS[kept], **OPTIONS)
    weighed = imbcore.fit(
        X, Y, "random_forest", oob_score=True, groups=GROUPS, sample_weight=weights, **OPTIONS
    )
    assert of_kept.predict_proba(X).tolist() == weighed.predict_proba(X).tolist()
    assert of_kept.decision_ == weighed.decision_


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"groups": GROUPS[1:]}, DataError, "groups has 119 values, but X has 120 rows"),
        ({"time": DAYS[1:]}, DataError, "time has 119 values"),
        ({"time": [float("nan"), *range(119)]}, DataError, "time is missing in row 0"),
        ({"time_gap": "7d"}, ParameterError, "give time, too"),
        ({"time": range(120), "time_gap": "7d"}, ParameterError, "time contains numbers"),
        ({"time": DAYS, "time_gap": -1}, ParameterError, "time_gap must be a whole number"),
        ({"groups": "costumer"}, ParameterError, "X has no column 'costumer'"),
        ({"groups": [{}] * 120}, DataError, "cannot identify a group"),
    ],
)
def test_invalid_groups_and_times_are_refused(
    given: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        imbcore.fit(table()[NAMES], Y, "hddt", **given)
    with pytest.raises(error, match=message):
        imbcore.HDDTClassifier().fit(table()[NAMES], Y, **given)


def test_metadata_routing_passes_groups() -> None:
    direct = imbcore.HDDTClassifier(**OPTIONS).fit(X, Y, groups=GROUPS)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = imbcore.HDDTClassifier(**OPTIONS).set_fit_request(groups=True, time=False, time_gap=False)
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer

        routed = make_pipeline(FunctionTransformer(), inner).fit(X, Y, groups=GROUPS)
    assert routed[-1].model_.decision_ == direct.model_.decision_


def test_decompositions_route_groups_only_by_request() -> None:
    with pytest.raises(ParameterError, match="metadata routing"):
        imbcore.OVAClassifier(imbcore.HDDTClassifier()).fit(X, Y, groups=GROUPS)


def test_warm_starts_need_the_same_groups() -> None:
    forest = imbcore.RandomForestClassifier(n_estimators=3, warm_start=True, random_state=0).fit(
        X, Y, groups=GROUPS
    )
    with pytest.raises(DataError, match="different rows"):
        forest.set_params(n_estimators=5).fit(X, Y)
    more = forest.fit(X, Y, groups=GROUPS)
    whole = imbcore.RandomForestClassifier(n_estimators=5, random_state=0).fit(X, Y, groups=GROUPS)
    assert more.predict_proba(X).tolist() == whole.predict_proba(X).tolist()
