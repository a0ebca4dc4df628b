"""Evaluation protocols of the papers for any learners, and the row splits that they share.

:func:`run` trains learners with a :class:`Procedure` and returns one record per fit; :func:`means`,
:func:`pooled`, :func:`of_variant` and :func:`ranks` summarize them. :class:`Tuned`, :class:`Sweep`,
:class:`TunedThreshold`, :class:`Resampled` and :class:`Made` wrap other learners.
:class:`StratifiedFolds` is a scikit-learn splitter.

``PROCEDURES`` has the protocols of the papers by name; ``MEASURES`` the metrics of a record, of which lower
is better for those in ``LOWER_IS_BETTER``; ``RATES`` the false positive rates of mean curves.
"""

from imbcore.protocols._deals import deal, read_folds, write_folds
from imbcore.protocols._folds import StratifiedFolds
from imbcore.protocols._learners import Estimator, Learner, Made, Named, Place, Resampled
from imbcore.protocols._measures import LOWER_IS_BETTER, MEASURES, RATES
from imbcore.protocols._procedure import PROCEDURES, Procedure, procedure_of
from imbcore.protocols._reading import Summary, means, of_variant, pooled, ranks, values
from imbcore.protocols._run import run
from imbcore.protocols._tuning import Sweep, Tuned, TunedThreshold

__all__ = [
    "LOWER_IS_BETTER",
    "MEASURES",
    "PROCEDURES",
    "RATES",
    "Estimator",
    "Learner",
    "Made",
    "Named",
    "Place",
    "Procedure",
    "Resampled",
    "StratifiedFolds",
    "Summary",
    "Sweep",
    "Tuned",
    "TunedThreshold",
    "deal",
    "means",
    "of_variant",
    "pooled",
    "procedure_of",
    "ranks",
    "read_folds",
    "run",
    "values",
    "write_folds",
]
