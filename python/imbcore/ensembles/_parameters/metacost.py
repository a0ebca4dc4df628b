# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``MetaCostClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["MetaCostParameters"]


class MetaCostParameters:
    """Parameters of :class:`MetaCostClassifier`."""

    def __init__(
        self,
        estimator: Any = "c44",
        *,
        estimator_params: Any = None,
        n_estimators: int = 50,
        max_samples: float = 1.0,
        out_of_bag: bool = True,
        use_proba: bool = True,
        categorical_features: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = "balanced",
        costs: Any = None,
        cost_strategy: str = "decision",
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
        estimator : Any, default="c44"
            What the members are: the name of a method, an estimator of imbcore, or any classifier in the
            way of scikit-learn, such as a pipeline. Estimators of imbcore run natively, unless one of their
            own options decides their answers; others are fitted one at a time, to rows of the container
            that ``X`` is. One whose ``fit`` takes no ``sample_weight`` gets rows drawn by their weights
            instead; one without ``predict_proba`` counts by its answers. None is the default.
        estimator_params : Any, default=None
            Parameters of a method given by name; the others take its defaults.
        n_estimators : int, default=50
            Bagged models whose mean probabilities give the new labels. Must be a whole number of at least
            1.
        max_samples : float, default=1.0
            Rows of a bag, drawn with replacement, as a share of all rows. Must be a number in (0, 1].
        out_of_bag : bool, default=True
            Whether a row is judged only by models whose bag lacks it (by all, where every bag has it);
            False: by all models.
        use_proba : bool, default=True
            Whether models judge by their probabilities; False: each is for the class that it answers.
        categorical_features : Any, default=None
            Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
            categorical columns are nominal anyway.
        class_weight : Any, default=None
            Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
            inversely to their frequencies. After relabelling, the weight of the new label counts.
        cost_matrix : Any, default="balanced"
            Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in sorted
            order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are
            finite and at least 0. "balanced" makes the errors of a class cost inversely to its frequency;
            "imbalance" makes the error of answering ``j`` when ``k`` is true cost ``n_j / n_k`` (Domingos).
        costs : Any, default=None
            What errors cost where rows differ, in place of ``cost_matrix``: a dict from 'alarm' (a false
            one), 'miss', 'hit' and 'pass', or from pairs of labels ``(true, answered)``, to a number or the
            name of a column of X, such as ``{'alarm': 5, 'miss': 'amount'}``; others cost 0. Every row gets
            the answer of least expected cost by its own; the training is not changed, and the column stays
            a feature. Also an array of shape (n_rows, n_classes, n_classes), or a function that makes one
            of X; ``predict`` then needs one, too.
        cost_strategy : str, default="decision"
            Must stay "decision": the costs are in the new labels.
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
