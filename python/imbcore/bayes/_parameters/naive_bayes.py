# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructor of ``NaiveBayesClassifier``, and what its parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from imbcore._input.options import keep_arguments

__all__ = ["NaiveBayesParameters"]


class NaiveBayesParameters:
    """Parameters of :class:`NaiveBayesClassifier`."""

    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] = "mdlp",
        n_bins: int = 5,
        r_compat: bool = False,
        missing: Literal["available", "drop_rows", "state", "error"] = "available",
        unseen: Literal["missing", "error"] = "missing",
        selective: bool = False,
        structure_constant: float = 1.0,
        rectify: Literal["tempered"] | None = None,
        phi: float = 0.5,
        rectify_weights: Literal["both", "structure"] = "both",
        prior_weight: float | Literal["n"] = 1.0,
        prior_share: float | None = None,
        laplace: Literal["max", "add"] | None = None,
        gamma: float = 0.0,
        rebalance: Literal["inverse", "deficit", "literal"] = "inverse",
        local_priors: bool = False,
        nu0: float = 0.05,
        nu_max: float = 0.8,
        strength: float = 0.0,
        local_children: bool = False,
        categorical_features: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        cost_matrix: Any = None,
        cost_strategy: Literal["decision", "reweight"] = "decision",
        threshold: float | Literal["f1", "prior"] | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters.

        Parameters
        ----------
        discretizer : {"mdlp", "caim", "cacc", "ameva", "equal_freq"}, default="mdlp"
            How numeric columns are cut into bins: "mdlp" by minimal entropy, stopped by description length
            (columns that say nothing about the class get one bin and leave the network); "caim", "cacc" and
            "ameva" top-down by a class-attribute criterion; "equal_freq" into bins of as many rows.
        n_bins : int, default=5
            Bins of a column, for "equal_freq". Must be a whole number from 2 to 65533.
        r_compat : bool, default=False
            Whether "cacc" and "ameva" compute as R's package discretization does instead of as published.
        missing : {"available", "drop_rows", "state", "error"}, default="available"
            Missing values in training: "available" uses in each count the rows that have its values,
            "drop_rows" leaves rows with missing values out, "state" makes them a state of their own,
            "error" refuses them. Rows to answer may lack values except with "error": what is unknown is
            summed out exactly.
        unseen : {"missing", "error"}, default="missing"
            Levels that training did not see: "missing" holds them for missing values, "error" refuses them.
        selective : bool, default=False
            Whether only columns are used whose BIC is better with the class as parent.
        structure_constant : float, default=1.0
            Factor of the penalty of that BIC. Must be a number of at least 0.
        rectify : {"tempered"} or None, default=None
            "tempered" weighs rows by class, so that dependencies within a rare class count.
        phi : float, default=0.5
            Tempering: 0 weighs the classes alike, 1 does nothing. Must be a number in [0, 1].
        rectify_weights : {"both", "structure"}, default="both"
            What tempered weights are used for: structure and probabilities, which then refer to the
            tempered classes, or structure only.
        prior_weight : float or {"n"}, default=1.0
            Weight of the prior of every probability table (its equivalent sample size, alpha), spread
            evenly over its cells.
        prior_share : float or None, default=None
            The same as a share of the weight of all rows, in place of prior_weight. Must be a number of at
            least 0, or None.
        laplace : {"max", "add"} or None, default=None
            Least count of every cell: "max" lifts counts below 1 to 1, "add" adds 1; meant for
            prior_weight=0.
        gamma : float, default=0.0
            How far the prior of the class counters its imbalance. With gamma=1 and prior_weight="n" two
            classes without parents come out alike. Must be a number in [0, 1].
        rebalance : {"inverse", "deficit", "literal"}, default="inverse"
            Form of that prior: "inverse" to the classes' frequencies; "deficit", by what they lack to the
            largest; "literal", the thesis' printed form, for two classes.
        local_priors : bool, default=False
            Whether gamma acts on small disjuncts only: parent configurations in which a class is rare but
            present.
        nu0 : float, default=0.05
            Share of the largest class of a disjunct up to which a class there is noise. Must be a number in
            [0, 1), less than nu_max.
        nu_max : float, default=0.8
            Share of the largest class of a disjunct from which it is balanced. Must be a number in (0, 1],
            greater than nu0.
        strength : float, default=0.0
            Least weight of the local prior of a disjunct, as a share of its rows; 0.5 lets it add at most
            half of them. Must be a number of at least 0.
        local_children : bool, default=False
            Whether local priors also act in the tables of the children of a class without parents.
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
            of a class cost inversely to its frequency.
        cost_strategy : {"decision", "reweight"}, default="decision"
            "decision" answers the class of least expected cost and leaves the training alone; "reweight"
            trains with the class weights that stand for the costs (Ting 2002).
        threshold : float or {"f1", "prior"} or None, default=None
            Two classes only: answer the positive class when its probability is at least this, in [0, 1];
            "f1" takes the one with the best F1 of that class on rows of five inner folds. "prior", for
            Bayesian classifiers of any number of classes: the class whose probability the row raised most.
            None answers the most probable class.
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
        """
        keep_arguments(self, locals())
