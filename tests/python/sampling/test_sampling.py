"""Samplers: their output can be reconstructed from their attributes, for any container."""

import datetime
import inspect
import json
from collections import Counter

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags

import imbcore
from imbcore import _imbcore, sampling
from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table
from imbcore.exceptions import DataError, DataWarning, ParameterError

REGISTRY = {known["class"]: known for known in json.loads(_imbcore.sampling.samplers())}
SAMPLERS = [getattr(sampling, name) for name in sampling.__all__]
PICKERS = [sampling.RandomUnderSampler, sampling.RandomOverSampler, sampling.DuplicateOverSampler]
MAKERS = [sampling.SMOTE, sampling.BorderlineSMOTE, sampling.ADASYN]
ON_NUMBERS = [cls for cls in SAMPLERS if cls is not sampling.SMOTENC]


def rows(seed=0, n=120, rare=24):
    rng = np.random.default_rng(seed)
    y = np.array([0] * (n - rare) + [1] * rare)
    return rng.normal(size=(n, 3)) + 1.2 * y[:, None], y


def seeded(cls, **parameters):
    return cls(**({"random_state": 0} if REGISTRY[cls.__name__]["random"] else {}), **parameters)


def test_every_sampler_has_a_class_with_the_defaults_of_the_registry():
    assert set(sampling.__all__) == set(REGISTRY)
    for cls in SAMPLERS:
        signature = inspect.signature(cls).parameters
        for spec in REGISTRY[cls.__name__]["params"]:
            assert signature[spec["name"]].default == spec["default"], (cls, spec["name"])
        assert ("random_state" in signature) == REGISTRY[cls.__name__]["random"]


@pytest.mark.parametrize("cls", SAMPLERS)
def test_scikit_learns_parameter_protocol(cls):
    sampler = cls(n_threads=2)
    assert clone(sampler).get_params() == sampler.get_params()
    assert repr(sampler) == f"{cls.__name__}(n_threads=2)"


@pytest.mark.parametrize(
    ("sampler", "counts"),
    [
        (sampling.RandomUnderSampler(random_state=1), {0: 24, 1: 24}),
        (sampling.RandomUnderSampler(sampling_strategy=0.5, random_state=1), {0: 48, 1: 24}),
        (sampling.RandomOverSampler(sampling_strategy={1: 50}, random_state=1), {0: 96, 1: 50}),
        (sampling.DuplicateOverSampler(), {0: 96, 1: 96}),
        (sampling.DuplicateOverSampler(weights={1: 2}), {0: 96, 1: 48}),
        (sampling.SMOTE(random_state=1), {0: 96, 1: 96}),
        (sampling.SMOTE(percent=200, random_state=1), {0: 96, 1: 72}),
        (sampling.SMOTE(sampling_strategy=lambda y: {1: 2 * int(sum(y))}, random_state=1), {0: 96, 1: 48}),
        (sampling.BorderlineSMOTE(random_state=1), {0: 96, 1: 96}),
        (sampling.ADASYN(rounding="exact", random_state=1), {0: 96, 1: 96}),
    ],
    # Functions have other addresses in every process that collects the tests.
    ids=lambda given: type(given).__name__,
)
def test_class_counts_are_as_requested(sampler, counts):
    assert Counter(sampler.fit_resample(*rows())[1].tolist()) == counts


@pytest.mark.parametrize("cls", MAKERS)
@pytest.mark.parametrize("gap", ["line", "attribute"])
def test_attributes_reconstruct_added_rows(cls, gap):
    X, y = rows()
    sampler = seeded(cls, **({} if cls is sampling.ADASYN else {"interpolation": gap}))
    made, labels = sampler.fit_resample(X, y)
    source, neighbor = X[sampler.source_rows_], X[sampler.neighbor_rows_]
    gaps = sampler.gaps_ if sampler.gaps_.ndim == 2 else sampler.gaps_[:, None]
    np.testing.assert_array_equal(made[: len(X)], X)
    np.testing.assert_array_equal(made[len(X) :], source + gaps * (neighbor - source))
    np.testing.assert_array_equal(labels[len(X) :], y[sampler.source_rows_])
    assert sampler.sampling_strategy_ == {1: len(made) - len(X)}


@pytest.mark.parametrize("cls", ON_NUMBERS)
def test_selected_rows_are_those_of_the_indices(cls):
    X, y = rows()
    sampler = seeded(cls)
    found, labels = sampler.fit_resample(X, y)
    if cls in MAKERS:
        assert not hasattr(sampler, "sample_indices_")
    elif cls is not sampling.SMOTETomek:
        np.testing.assert_array_equal(found, X[sampler.sample_indices_])
        np.testing.assert_array_equal(labels, y[sampler.sample_indices_])


def test_tomek_links_and_neighborhoods():
    X, y = rows()
    tomek = sampling.TomekLinks()
    kept, _ = tomek.fit_resample(X, y)
    assert (y[tomek.links_[:, 0]] != y[tomek.links_[:, 1]]).all()
    assert len(X) - len(kept) == len({row for row in tomek.links_.ravel() if y[row] == 0}) > 0
    border = seeded(sampling.BorderlineSMOTE)
    border.fit_resample(X, y)
    parts = [border.danger_indices_[1], border.noise_indices_[1], border.safe_indices_[1]]
    assert sorted(np.concatenate(parts)) == np.flatnonzero(y == 1).tolist()
    assert set(border.source_rows_) <= set(border.in_danger_indices[1])


@pytest.mark.parametrize("cls", ON_NUMBERS)
def test_bytes_do_not_depend_on_threads(cls):
    X, y = rows()
    one, two = (seeded(cls, n_threads=n).fit_resample(X, y) for n in (1, 2))
    assert one[0].tobytes() == two[0].tobytes()
    assert one[1].tobytes() == two[1].tobytes()


@pytest.mark.parametrize("cls", ON_NUMBERS)
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_keep_names_and_types(cls, library):
    lib = pytest.importorskip(library)
    X, y = rows()
    columns = {"a": X[:, 0].astype(np.float32), "b": X[:, 1], "c": X[:, 2]}
    make = lib.table if library == "pyarrow" else lib.DataFrame
    labels = {"pandas": "Series", "polars": "Series", "pyarrow": "array"}[library]
    frame, words = make(columns), np.array(["no", "yes"])[y]
    given = lib.array(words.tolist()) if library == "pyarrow" else getattr(lib, labels)(words)
    sampler = seeded(cls)
    found, answers = sampler.fit_resample(frame, given)
    assert type(found) is type(frame)
    kinds = "schema" if library != "pandas" else "dtypes"
    assert list(getattr(found, kinds)) == list(getattr(frame, kinds))
    assert sampler.feature_names_in_.tolist() == ["a", "b", "c"]
    plain, codes = seeded(cls).fit_resample(X.astype(np.float64), y)
    assert len(found) == len(plain)
    assert len(answers) == len(codes)
    if library != "pyarrow":
        assert np.asarray(answers).tolist() == np.array(["no", "yes"])[codes].tolist()


@pytest.mark.parametrize("cls", ON_NUMBERS)
def test_arrays_keep_their_type(cls):
    X, y = rows()
    found, labels = seeded(cls).fit_resample(X.astype(np.float32), y.astype(np.int8))
    assert (found.dtype, labels.dtype) == (np.float32, np.int8)
    listed, answers = seeded(cls).fit_resample(X.tolist(), y.tolist())
    assert isinstance(listed, list)
    assert isinstance(answers, list)


def test_integers_are_truncated_with_a_warning():
    X, y = rows()
    with pytest.warns(DataWarning, match="fractions"):
        found, _ = sampling.SMOTE(random_state=0).fit_resample((X * 100).astype(int), y)
    assert found.dtype == int


@pytest.mark.parametrize("cls", PICKERS)
def test_under_samplers_accept_any_container(cls):
    X, y = rows()
    csr, _ = seeded(cls).fit_resample(sparse.csr_matrix(X), y)
    plain, _ = seeded(cls).fit_resample(X, y)
    assert (csr.toarray() == plain).all()
    odd = np.array([[None, {"a": row}, np.nan] for row in range(len(y))], dtype=object)
    found, _ = seeded(cls).fit_resample(odd, y)
    assert found.dtype == object
    assert len(found) == len(plain)


def test_smotenc_handles_nominal_columns():
    pd = pytest.importorskip("pandas")
    X, y = rows()
    level = np.where(X[:, 0] > 0.5, "high", "low")
    frame = pd.DataFrame({"x": X[:, 0], "level": pd.Categorical(level), "z": X[:, 1]})
    found, labels = sampling.SMOTENC(random_state=0).fit_resample(frame, y)
    assert list(found.dtypes) == list(frame.dtypes)
    assert Counter(labels.tolist()) == {0: 96, 1: 96}
    mixed = np.array(list(zip(X[:, 0], level, X[:, 1], strict=True)), dtype=object)
    same, _ = sampling.SMOTENC(random_state=0).fit_resample(mixed, y)
    assert same[:, 1].tolist() == found["level"].tolist()
    np.testing.assert_array_equal(same[:, 0].astype(float), found["x"])


@pytest.mark.parametrize("cls", [*MAKERS, sampling.TomekLinks, sampling.CondensedNearestNeighbour])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_neighbors_need_finite_numbers(cls, bad):
    pd = pytest.importorskip("pandas")
    X, y = rows()
    X[3, 1] = bad
    with pytest.raises(ValueError, match="column 'b'"):
        seeded(cls).fit_resample(pd.DataFrame(X, columns=list("abc")), y)


def test_errors_state_the_remedy():
    X, y = rows()
    with pytest.raises(DataError, match="densify=True"):
        sampling.SMOTE().fit_resample(sparse.csr_matrix(X), y)
    dense, _ = sampling.SMOTE(densify=True, random_state=0).fit_resample(sparse.csr_matrix(X), y)
    assert sparse.issparse(dense)
    with pytest.raises(ParameterError, match="class 7, which is not in y"):
        sampling.SMOTE(sampling_strategy={7: 3}).fit_resample(X, y)
    with pytest.raises(ParameterError, match="k_neighbors"):
        sampling.SMOTE(k_neighbors=0).fit_resample(X, y)
    with pytest.raises(DataError, match="one class"):
        sampling.SMOTE().fit_resample(X, np.zeros(len(y)))
    with pytest.raises(DataError, match="1d array"):
        sampling.SMOTE().fit_resample(X, np.eye(3)[y])
    with pytest.raises(ParameterError, match=r"imbcore\.sampling\.SMOTE"):
        sampling.SMOTETomek(smote=3).fit_resample(X, y)


def test_pandas_rows_keep_their_index_if_none_are_added():
    pd = pytest.importorskip("pandas")
    X, y = rows()
    frame = pd.DataFrame(X, index=range(100, 220)).astype({0: "Float64"})
    tomek = sampling.TomekLinks()
    assert tomek.fit_resample(frame, y)[0].index.tolist() == (tomek.sample_indices_ + 100).tolist()
    made, _ = sampling.SMOTE(random_state=0).fit_resample(frame, y)
    assert made.index.tolist() == list(range(len(made)))
    assert made.dtypes.tolist() == frame.dtypes.tolist()


def test_dicts_of_columns_are_accepted_and_dicts_as_rows_rejected():
    X, y = rows()
    found, _ = sampling.SMOTE(random_state=0).fit_resample({"a": X[:, 0], "b": X[:, 1]}, y)
    assert {name: len(column) for name, column in found.items()} == {"a": 192, "b": 192}
    with pytest.raises(DataError, match="dict of columns"):
        sampling.RandomOverSampler().fit_resample([{"a": value} for value in X[:, 0]], y)


def test_steps_of_smote_tomek():
    X, y = rows()
    steps = sampling.SMOTETomek(
        smote=sampling.SMOTE(k_neighbors=3, sampling_strategy={1: 50}), tomek={"passes": 2}, random_state=0
    )
    steps.fit_resample(X, y)
    assert steps.sampling_strategy_ == {1: 26}
    assert steps.sample_indices_.max() < len(X) + 26
    # The numbers of remaining rows were reported if no row was added.
    balanced = sampling.SMOTETomek()
    assert len(balanced.fit_resample(X[:48], np.arange(48) % 2)[0]) < 48
    assert balanced.sampling_strategy_ == {}


def test_indices_of_another_fit_are_not_kept():
    X, y = rows()
    sampler = sampling.RandomOverSampler(random_state=0)
    sampler.fit_resample(X, y)
    assert hasattr(sampler, "sample_indices_")
    sampler.set_params(shrinkage=1.0).fit_resample(X, y)
    assert not hasattr(sampler, "sample_indices_")


def test_samplers_work_in_an_imbalanced_learn_pipeline():
    pipeline = pytest.importorskip("imblearn.pipeline")
    from sklearn.linear_model import LogisticRegression

    X, y = rows()
    chain = pipeline.make_pipeline(sampling.SMOTE(random_state=0), LogisticRegression())
    assert chain.fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize("cls", ON_NUMBERS)
def test_imbalanced_learn_checks(cls):
    """All checks that imbalanced-learn selects by the tags, apart from indicator matrices as labels."""
    checks = pytest.importorskip("imblearn.utils.estimator_checks")
    _, pairs = checks.parametrize_with_checks([seeded(cls)]).args
    names = {checks._check_name(check) for _, check in pairs}
    assert {"check_samplers_pandas_sparse", "check_samplers_sample_indices"} < names
    assert (cls in PICKERS) == ({"check_samplers_sparse", "check_samplers_nan"} < names)
    for sampler, check in pairs:
        if checks._check_name(check) == "check_samplers_multiclass_ova":
            with pytest.raises(DataError, match="multioutput targets are not supported"):
                check(sampler)
        else:
            check(sampler)


@pytest.mark.parametrize("cls", SAMPLERS)
def test_tags_and_feature_names(cls):
    X, y = rows()
    X[:, 2] = X[:, 2] > 0
    options = {"categorical_features": [2]} if cls is sampling.SMOTENC else {}
    sampler = seeded(cls, **options)
    sampler.fit_resample({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}, y)
    assert get_tags(sampler).sampler_tags.sample_indices == hasattr(sampler, "sample_indices_")
    assert sampler.get_feature_names_out().tolist() == ["a", "b", "c"]


def test_noise_needs_numbers_and_keeps_no_indices():
    tags = [get_tags(sampling.RandomOverSampler(shrinkage=noise)) for noise in (None, 0.5)]
    assert [(each.input_tags.allow_nan, each.sampler_tags.sample_indices) for each in tags] == [
        (True, True),
        (False, False),
    ]


def test_strided_columns_are_read_without_copies():
    X, y = rows()
    spread = np.repeat(X, 2, axis=0)
    codes = np.repeat(np.arange(len(y), dtype=np.uint32) % 3, 2)
    strided = Table({"a": spread[::2, 0], "b": spread[::2, 1], "c": Nominal(codes[::2], ["u", "v", "w"])})
    plain = Table(
        {"a": X[:, 0].copy(), "b": X[:, 1].copy(), "c": Nominal(codes[::2].copy(), ["u", "v", "w"])}
    )
    sampler = sampling.SMOTENC(categorical_features="auto", random_state=0)
    found = [sampler.fit_resample(table, y)[0] for table in (strided, plain)]
    assert found[0].n_rows == found[1].n_rows > len(y)
    for name in "ab":
        assert np.array_equal(found[0][name], found[1][name])
    assert np.array_equal(found[0]["c"].codes, found[1]["c"].codes)
    fitted = [imbcore.fit(table, y, "cart").to_bytes() for table in (strided, plain)]
    assert fitted[0] == fitted[1]


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
    ],
)
def test_invalid_labels_are_rejected(labels):
    X, y = rows()
    dates = np.asarray(labels)[(y == y[0]).astype(int)]
    with pytest.raises(DataError, match="give text, integers or booleans"):
        sampling.RandomUnderSampler(random_state=0).fit_resample(X, dates)


class SampledPipeline(ClassifierMixin, BaseEstimator):
    """The part of a pipeline of imbalanced-learn that scorers see, without that library."""

    def __init__(self, sampler, classifier):
        self.steps = [("sampler", sampler), ("classifier", classifier)]

    def fit(self, X, y):
        (_, sampler), (_, classifier) = self.steps
        classifier.fit(*sampler.fit_resample(X, y))
        self.classes_ = classifier.classes_
        self.predict, self.predict_proba = classifier.predict, classifier.predict_proba
        return self


@pytest.mark.parametrize("names", [("common", "rare"), ("ok", "fraud")])
def test_scorers_of_resampled_pipelines_use_the_rarer_class_of_the_scored_rows(names):
    """After over-sampling, both labels are equally frequent, and the default positive class is the last."""
    X, y = imbcore.datasets.make_disjunct_grid(600, minority_fraction=0.1, overlap=3, random_state=0)
    labels = np.array(names)[y]
    model = SampledPipeline(sampling.SMOTE(random_state=0), imbcore.HDDTClassifier(max_depth=2))
    model.fit(X, labels)
    rare = model.predict_proba(X)[:, list(model.classes_).index(names[1])]
    expected = imbcore.metrics.average_precision_score(labels == names[1], rare)
    assert expected < 0.9
    assert imbcore.metrics.scorer("average_precision")(model, X, labels) == pytest.approx(expected, abs=1e-12)
    explicit = SampledPipeline(sampling.SMOTE(random_state=0), imbcore.HDDTClassifier(positive=names[0]))
    found = imbcore.metrics.scorer("recall")(explicit.fit(X, labels), X, labels)
    assert found == pytest.approx(np.mean(explicit.predict(X)[y == 0] == names[0]))
