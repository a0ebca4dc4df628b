"""Classifiers of other libraries with which the studies and the benches compare imbcore.

All studies and benches take them from this list. A peer whose library is not installed is left out, and the
script prints its name; pages list the peers that are not in their records.
"""

# ruff: noqa: T201  # command-line scripts print which peers are left out

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from imbcore import evaluation
from imbcore._validation.table import Table
from imbcore.evaluation import FoldRef
from imbcore.evaluation._tables import table_to_matrix
from tuned_catboost import tune

__all__ = [
    "BALANCED",
    "CORE",
    "DEFAULTS",
    "LINEAR",
    "PEERS",
    "TUNED",
    "Peer",
    "absent",
    "fit_peer",
    "installed",
]

# scikit-learn's target encoder replaces nominal columns with more levels than this; others are one-hot.
MOST_ONE_HOT = 255

# Parameters for the seed and the number of threads, by library.
SEED_AND_THREADS = {
    "catboost": ("random_seed", "thread_count"),
    "lightgbm": ("random_state", "n_jobs"),
    "xgboost": ("random_state", "n_jobs"),
    "sklearn": ("random_state", "n_jobs"),
    "imblearn": ("random_state", "n_jobs"),
}
ONE_THREAD = ("sklearn", "imblearn")
# Value of a setting that is replaced by the odds of the negative class in the training rows.
ODDS = "odds"


@dataclass(frozen=True)
class Peer(evaluation.Learner):
    """A classifier of another library.

    Parameters
    ----------
    name : str
        Name in tables.
    path : str
        Full name of the class; its first part is the module that must be installed.
    settings : mapping
        Parameters that differ from the defaults, among them those that turn off output.
    nominal : {"codes", "text", "numbers"}
        Form of nominal columns: pandas categories, text with the names in ``cat_features`` (CatBoost), or
        numbers for libraries without nominal columns.
    steps : tuple of str
        Full names of transformers before the classifier.
    trials : int
        Number of settings that are tried on inner folds of the training rows; 0: none, the defaults.
    """

    name: str
    path: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    nominal: str = "numbers"
    steps: tuple[str, ...] = ()
    trials: int = 0

    @property
    def library(self) -> str:
        """Name of the module that must be installed."""
        return self.path.partition(".")[0]

    def fit(self, X: Any, y: NDArray[Any], place: FoldRef, *, groups: Any = None) -> Any:
        """Fit to a training set on one thread, as studies do."""
        # Some libraries store the seed in 32 bits with a sign.
        return self.fit_rows(X, y, place.seed % 2**31, groups=groups)

    def fit_rows(self, X: Any, y: NDArray[Any], seed: int, *, threads: int = 1, groups: Any = None) -> Any:
        """Fit to rows; columns of a frame without numbers are nominal."""
        encoder = Encoder(self.nominal, X, y, seed)
        by_name = self.nominal == "text" and encoder.names
        options: dict[str, Any] = {"cat_features": encoder.names} if by_name else {}
        model = self.unfitted(y, seed, threads)
        if self.trials:
            model = tune(model, encoder.train, y, self.trials, seed, groups=groups, **options)
        return EncodedClassifier(model.fit(encoder.train, y, **options), encoder)

    def unfitted(self, y: NDArray[Any], seed: int, threads: int) -> Any:
        """Create the classifier."""
        labels, counts = np.unique(y, return_counts=True)
        odds = float(counts[0] / counts[-1]) if len(labels) > 1 else 1.0
        given = {name: odds if value == ODDS else value for name, value in self.settings.items()}
        kind = _class(self.path)
        known = signature(kind).parameters
        seed_name, threads_name = SEED_AND_THREADS[self.library]
        if seed_name in known or "kwargs" in known:
            given[seed_name] = seed
        # Without a number, scikit-learn uses one thread, the others all.
        if threads_name in known or "kwargs" in known:
            given[threads_name] = threads if threads > 1 or self.library not in ONE_THREAD else None
        model = kind(**given)
        if not self.steps:
            return model
        from sklearn.pipeline import make_pipeline

        return make_pipeline(*(_class(path)() for path in self.steps), model)


def _class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


class EncodedClassifier:
    """A fitted classifier with the form of nominal columns that it needs."""

    def __init__(self, fitted: Any, encoder: Encoder) -> None:
        self.fitted, self.encoder, self.classes_ = fitted, encoder, fitted.classes_

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of all classes."""
        return np.asarray(self.fitted.predict_proba(self.encoder(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted classes."""
        return np.ravel(self.fitted.predict(self.encoder(X)))


class Encoder:
    """Conversion of nominal columns, with the levels of the training rows."""

    def __init__(self, form: str, X: Any, y: NDArray[Any], seed: int) -> None:
        self.form = form
        frame = as_frame(X)
        self.names: list[str] = []
        if isinstance(frame, pd.DataFrame):
            self.names = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
        self.levels = {name: pd.Categorical(frame[name]).categories for name in self.names}
        self.target: Any = None
        many = [name for name in self.names if len(self.levels[name]) > MOST_ONE_HOT]
        if form == "numbers" and many:
            from sklearn.model_selection import StratifiedKFold
            from sklearn.preprocessing import TargetEncoder

            self.target, self.many = TargetEncoder().fit(frame[many], y), many
            # Training rows are encoded by inner folds, so that no row uses its own label.
            coded = np.empty((len(y), len(many)))
            for others, rows in StratifiedKFold(5, shuffle=True, random_state=seed).split(coded, y):
                encoder = TargetEncoder().fit(frame[many].iloc[others], y[others])
                coded[rows] = encoder.transform(frame[many].iloc[rows])
            self.train = self.one_hot(frame.assign(**dict(zip(many, coded.T, strict=True))))
        else:
            self.many = []
            self.train = self(X)

    def __call__(self, X: Any) -> Any:
        """Convert rows."""
        frame = as_frame(X)
        if not self.names:
            return frame
        if self.form == "numbers":
            if self.many:
                coded = self.target.transform(frame[self.many])
                frame = frame.assign(**dict(zip(self.many, coded.T, strict=True)))
            return self.one_hot(frame)
        columns = {}
        for name in self.names:
            codes = pd.Categorical(frame[name], categories=self.levels[name])
            text = pd.Series(frame[name], dtype=object)
            columns[name] = codes if self.form == "codes" else text.where(text.notna(), "missing").astype(str)
        return frame.assign(**columns)

    def one_hot(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """Return a 0/1 column for every level of a nominal column; one for two levels."""
        columns: list[Any] = []
        for name in frame:
            if name not in self.names or name in self.many:
                columns.append(frame[name].to_numpy(dtype=np.float64))
                continue
            values = frame[name]
            levels = self.levels[name]
            chosen = levels[1:] if len(levels) == 2 else levels
            columns += [np.where(values.isna(), np.nan, values == level) for level in chosen]
        return np.column_stack(columns)


def as_frame(X: Any) -> Any:
    """Convert a Table to a matrix, or with nominal columns to a data frame."""
    if isinstance(X, Table):
        numeric = all(isinstance(column, np.ndarray) for column in X.columns.values())
        return table_to_matrix(X) if numeric else X.to_pandas()
    return X


CATBOOST, CATBOOST_SETTINGS = "catboost.CatBoostClassifier", {"verbose": False, "allow_writing_files": False}
LIGHTGBM, LIGHTGBM_SETTINGS = "lightgbm.LGBMClassifier", {"verbose": -1}
XGBOOST = "xgboost.XGBClassifier"
BOOSTING = "sklearn.ensemble.HistGradientBoostingClassifier"
FOREST = "sklearn.ensemble.RandomForestClassifier"
EXTRA_TREES = "sklearn.ensemble.ExtraTreesClassifier"
LOGISTIC, LOGISTIC_SETTINGS = "sklearn.linear_model.LogisticRegression", {"max_iter": 1000}
IMPUTE = ("sklearn.impute.SimpleImputer",)
STANDARDIZE = (*IMPUTE, "sklearn.preprocessing.StandardScaler")
BALANCE = {"class_weight": "balanced"}
_BY_DEFAULT = (
    Peer("CatBoost", CATBOOST, CATBOOST_SETTINGS, "text"),
    Peer("LightGBM", LIGHTGBM, LIGHTGBM_SETTINGS, "codes"),
    Peer("LightGBM, quantized", LIGHTGBM, {**LIGHTGBM_SETTINGS, "use_quantized_grad": True}, "codes"),
    Peer("sklearn extra trees", EXTRA_TREES),
    Peer("XGBoost", XGBOOST, {"enable_categorical": True}, "codes"),
    Peer("sklearn boosting", BOOSTING),
    Peer("sklearn forest", FOREST),
)
_TUNED = Peer("CatBoost, tuned", CATBOOST, CATBOOST_SETTINGS, "text", trials=50)
_BALANCED = (
    Peer("CatBoost, balanced", CATBOOST, {**CATBOOST_SETTINGS, "auto_class_weights": "Balanced"}, "text"),
    Peer("LightGBM, balanced", LIGHTGBM, {**LIGHTGBM_SETTINGS, **BALANCE}, "codes"),
    Peer("XGBoost, weighted", XGBOOST, {"enable_categorical": True, "scale_pos_weight": ODDS}, "codes"),
    Peer("sklearn boosting, balanced", BOOSTING, BALANCE),
    Peer("sklearn forest, balanced", FOREST, BALANCE),
    *(
        Peer(f"imblearn {title}", f"imblearn.ensemble.{name}", steps=IMPUTE)
        for title, name in (
            ("balanced forest", "BalancedRandomForestClassifier"),
            ("EasyEnsemble", "EasyEnsembleClassifier"),
            ("RUSBoost", "RUSBoostClassifier"),
            ("balanced bagging", "BalancedBaggingClassifier"),
        )
    ),
)
_LINEAR = (
    Peer("logistic", LOGISTIC, LOGISTIC_SETTINGS, steps=STANDARDIZE),
    Peer("logistic, balanced", LOGISTIC, {**LOGISTIC_SETTINGS, **BALANCE}, steps=STANDARDIZE),
)
PEERS = {peer.name: peer for peer in (*_BY_DEFAULT, _TUNED, *_BALANCED, *_LINEAR)}
TUNED = _TUNED.name
# Every study and bench with a forest or boosting compares it with these, or with DEFAULTS.
CORE = tuple(peer.name for peer in _BY_DEFAULT[:4])
DEFAULTS = tuple(peer.name for peer in _BY_DEFAULT)
BALANCED = tuple(peer.name for peer in _BALANCED)
LINEAR = tuple(peer.name for peer in _LINEAR)


def installed(names: Iterable[str], *, trials: int | None = None) -> dict[str, Peer]:
    """Return the peers by name whose library is installed, and print the others.

    Parameters
    ----------
    names
        Names in ``PEERS``.
    trials
        Number of settings for tuned peers; None: 50.
    """
    found = {}
    for name in names:
        peer = PEERS[name]
        if find_spec(peer.library) is None:
            print(f"left out: {name}, because {peer.library} is not installed", flush=True)
            continue
        if peer.trials and trials is not None:
            peer = replace(peer, trials=trials)
        found[name] = peer
    return found


def absent(names: Iterable[str], present: Iterable[str]) -> str:
    """Return a sentence about the peers without results, or an empty text if there are none."""
    known = set(present)
    missing = [name for name in names if name not in known]
    return f"Not measured for this page: {'; '.join(missing)}." if missing else ""


def fit_peer(name: str, X: Any, y: NDArray[Any], seed: int = 0, *, threads: int = 1, **settings: Any) -> Any:
    """Fit a peer to rows; ``settings`` replace its own, for benches with equal sizes of models."""
    peer = PEERS[name]
    peer = replace(peer, settings={**peer.settings, **settings})
    return peer.fit_rows(X, y, seed, threads=threads)
