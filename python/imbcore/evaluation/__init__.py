"""Evaluation of methods: cross-validation, comparison, and the protocols of the papers.

:func:`evaluate` scores methods on one data set, :func:`compare` tests differences between them.

:func:`run` trains learners with a :class:`Procedure` and returns one record per fit; :func:`means`,
:func:`pooled`, :func:`select_variant` and :func:`ranks` summarize them. :class:`Tuned`, :class:`Sweep`,
:class:`TunedThreshold`, :class:`Resampled` and :class:`DataDependentLearner` wrap other learners.
:class:`StratifiedFolds` is a scikit-learn splitter.

``PROCEDURES`` has the protocols of the papers by name; ``MEASURES`` the metrics of a record, of which lower
is better for those in ``LOWER_IS_BETTER``; ``RATES`` the false positive rates of mean curves.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imbcore.evaluation._compare import compare
    from imbcore.evaluation._comparison import Comparison
    from imbcore.evaluation._evaluate import evaluate
    from imbcore.evaluation._evaluation import Difference, Evaluation, Evaluations
    from imbcore.evaluation._findings import PairTest
    from imbcore.evaluation._fold_ref import FoldRef
    from imbcore.evaluation._learners import DataDependentLearner, Estimator, Learner, NamedMethod, Resampled
    from imbcore.evaluation._measures import LOWER_IS_BETTER, MEASURES, RATES
    from imbcore.evaluation._procedure import PROCEDURES, Procedure, procedure_of
    from imbcore.evaluation._run import run
    from imbcore.evaluation._splits import make_splits, read_folds, write_folds
    from imbcore.evaluation._stratified_folds import StratifiedFolds
    from imbcore.evaluation._summaries import Summary, means, pooled, ranks, select_variant, values
    from imbcore.evaluation._tuning import Sweep, Tuned, TunedThreshold

# Names by the module that defines them. They are imported on first use, since most need scikit-learn.
_NAMES = {
    "_compare": ("compare",),
    "_comparison": ("Comparison",),
    "_evaluate": ("evaluate",),
    "_evaluation": ("Difference", "Evaluation", "Evaluations"),
    "_findings": ("PairTest",),
    "_learners": ("Estimator", "Learner", "DataDependentLearner", "NamedMethod", "Resampled"),
    "_measures": ("LOWER_IS_BETTER", "MEASURES", "RATES"),
    "_fold_ref": ("FoldRef",),
    "_procedure": ("PROCEDURES", "Procedure", "procedure_of"),
    "_run": ("run",),
    "_splits": ("make_splits", "read_folds", "write_folds"),
    "_stratified_folds": ("StratifiedFolds",),
    "_summaries": ("Summary", "means", "select_variant", "pooled", "ranks", "values"),
    "_tuning": ("Sweep", "Tuned", "TunedThreshold"),
}

__all__ = [
    "LOWER_IS_BETTER",
    "MEASURES",
    "PROCEDURES",
    "RATES",
    "Comparison",
    "DataDependentLearner",
    "Difference",
    "Estimator",
    "Evaluation",
    "Evaluations",
    "FoldRef",
    "Learner",
    "NamedMethod",
    "PairTest",
    "Procedure",
    "Resampled",
    "StratifiedFolds",
    "Summary",
    "Sweep",
    "Tuned",
    "TunedThreshold",
    "compare",
    "evaluate",
    "make_splits",
    "means",
    "pooled",
    "procedure_of",
    "ranks",
    "read_folds",
    "run",
    "select_variant",
    "values",
    "write_folds",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    for module, names in _NAMES.items():
        if name in names:
            globals()[name] = value = getattr(import_module(f"imbcore.evaluation.{module}"), name)
            return value
    raise AttributeError(f"module 'imbcore.evaluation' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
