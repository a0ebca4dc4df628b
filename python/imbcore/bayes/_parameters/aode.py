# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``AODEClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from sklearn.base import BaseEstimator

from imbcore._input.options import keep_arguments
from imbcore.bayes._choices.prior import Uniform, Rebalanced, LocallyRebalanced
from imbcore.bayes._choices.rectify import Tempered
from imbcore.discretization.ameva import AmevaDiscretizer
from imbcore.discretization.cacc import CACCDiscretizer
from imbcore.discretization.caim import CAIMDiscretizer
from imbcore.discretization.equal_frequency import EqualFrequencyDiscretizer
from imbcore.discretization.mdlp import MDLPDiscretizer

__all__ = ["AODEParameters"]


class AODEParameters:
    """Parameters of :class:`AODEClassifier`."""

    _choices: ClassVar[Mapping[str, Mapping[str, type[BaseEstimator]]]] = {
        "discretizer": {"mdlp": MDLPDiscretizer, "caim": CAIMDiscretizer, "cacc": CACCDiscretizer, "ameva": AmevaDiscretizer, "equal_freq": EqualFrequencyDiscretizer},
        "rectify": {"tempered": Tempered},
        "prior": {"uniform": Uniform, "rebalanced": Rebalanced, "local": LocallyRebalanced},
    }

    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = "mdlp",
        missing: Literal["available", "drop_rows", "state", "error"] = "available",
        unseen: Literal["missing", "error"] = "missing",
        max_super_parents: int | None = None,
        rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None = None,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = "uniform",
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        costs: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = None,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        discretizer : {"mdlp", "caim", "cacc", "ameva", "equal_freq"} or dict or MDLPDiscretizer or CAIMDiscretizer or CACCDiscretizer or AmevaDiscretizer or EqualFrequencyDiscretizer, default="mdlp"
            How numeric columns are cut into bins: "mdlp" by minimal entropy, stopped by description length
            (columns that say nothing about the class get one bin and leave the network); "caim", "cacc" and
            "ameva" top-down by a class-attribute criterion; "equal_freq" into bins of as many rows.
        missing : {"available", "drop_rows", "state", "error"}, default="available"
            Missing values in training: "available" uses in each count the rows that have its values,
            "drop_rows" leaves rows with missing values out, "state" makes them a state of their own,
            "error" refuses them. Rows to answer may lack values except with "error": what is unknown is
            summed out exactly.
        unseen : {"missing", "error"}, default="missing"
            Levels that training did not see: "missing" holds them for missing values, "error" refuses them.
        max_super_parents : int or None, default=None
            Most super-parents, each of which makes a network: the columns that tell most of the class; None
            takes all columns. Must be a whole number of at least 1 or None.
        rectify : {"tempered"} or dict or Tempered or None, default=None
            "tempered" weighs rows by class, so that dependencies within a rare class count.
        prior : {"uniform", "rebalanced", "local"} or dict or Uniform or Rebalanced or LocallyRebalanced, default="uniform"
            Dirichlet prior of the probability tables: "uniform", "rebalanced" to counter the imbalance of
            the class, or "local" to do so in small disjuncts only.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Mapping[Any, float] or {"balanced"} or None, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies.
        cost_matrix : Any, default=None
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape
            (n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true,
            answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors
            of a class cost inversely to its frequency, "imbalance" answering ``j`` for ``k`` ``n_j / n_k``.
        costs : Any, default=None
            What errors cost where rows differ, in place of ``cost_matrix``: a dict from 'alarm' (a false
            one), 'miss', 'hit' and 'pass', or from pairs of labels ``(true, answered)``, to a number or the
            name of a column of X, such as ``{'alarm': 5, 'miss': 'amount'}``; others cost 0. Every row gets
            the answer of least expected cost by its own; the training is not changed, and the column stays
            a feature. Also an array of shape (n_rows, n_classes, n_classes), or a function that makes one
            of X; ``predict`` then needs one, too.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "f2", "g_mean", "mcc", "youden", "prior"} or dict or None, default=None
            Of two classes: answer the positive class when its probability is at least this, in [0, 1]. A
            word takes the one that is best by that measure (of more classes one for each), a dict the one
            that reaches something: ``{"recall": 0.9}``, ``{"precision": 0.5}``, ``{"fpr": 0.001}``,
            ``{"alert_rate": 0.01}``, ``{"alerts": 200, "per": 50000}``, ``{"cost": matrix}``; on out-of-bag
            answers, or else those of five inner folds. ``"guarantee": 0.95`` beside it holds with that
            confidence on rows to come, by a share of rows, ``"guarantee_rows"``, that is kept out of the
            fit. "prior", for Bayesian classifiers of any number of classes: the class whose probability the
            row raised most. None answers the most probable class.
        calibrate : {"sigmoid", "isotonic", "beta", "venn_abers"} or None, default=None
            Makes probabilities mean what they say, by a curve fitted to answers about rows that were not
            seen: out-of-bag ones, or else those of five inner folds; after ``recalibrate``, and before
            ``threshold`` and ``cost_matrix`` decide. "sigmoid": Platt 1999. "isotonic": any curve that
            never falls. "beta": Kull et al. 2017. "venn_abers": Vovk et al. 2015, with an interval for
            every probability. Several classes: one against the rest, brought to a sum of 1. None leaves
            them alone.
        positive : Any, default=None
            Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and
            1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The
            positive class" in the documentation.
        random_state : Any, default=None
            Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give
            equal models whatever ``n_threads`` is. None draws a seed.
        n_threads : int or None, default=None
            Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else
            ``OMP_NUM_THREADS``, else all cores that the process may use.
        n_jobs : int or None, default=None
            Another name of ``n_threads``.
        verbose : int, default=0
            1 or more: a line on standard error says how far the fit is.
        """
        keep_arguments(self, locals())
