"""What the parameters mean that many estimators share, and the docstrings that say it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable

__all__ = ["BAYES", "BOXES", "FORESTS", "OPTIONS", "STRUCTURE", "SVR", "TREES", "documented"]

# Options of every estimator.
OPTIONS = """
categorical_features : list of names or positions, boolean mask, or None
    Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
class_weight : dict, "balanced" or None
    Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
    inversely to their frequencies.
cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or None
    Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in sorted
    order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are finite
    and at least 0. "balanced" makes the errors of a class cost inversely to its frequency.
cost_strategy : str
    "decision" answers the class of least expected cost and leaves the training alone; "reweight"
    trains with the class weights that stand for the costs (Ting 2002).
threshold : float, "f1", "prior" or None
    Two classes only: answer the positive class when its probability is at least this, in [0, 1]; "f1"
    takes the one with the best F1 of that class on rows of five inner folds. "prior", for Bayesian
    classifiers of any number of classes: the class whose probability the row raised most. None answers
    the most probable class.
positive : label or None
    Class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and 1, -1 and 1 or
    False and True; else the rarer class, of equals the greater label. See "The positive class" in the
    documentation.
random_state : int, numpy Generator, RandomState or None
    Seed for the choice of columns when ``max_features`` is set. Equal seeds give equal models
    whatever ``n_threads`` is.
n_threads, n_jobs : int or None
    Threads, one option under two names; -1 for all cores, -2 for all but one. None takes
    ``IMBCORE_NUM_THREADS``, else ``OMP_NUM_THREADS``, else all cores that the process may use.
"""

# Parameters of the trees that a criterion splits.
TREES = """
criterion : str or dict
    Measure of a split: "gini", "entropy", "gain_ratio", "c45" (the best gain ratio among the splits of at
    least average gain), "hellinger", "dkm", "alpha", "alpha_ext", "chi2" or "twoing"; those with options
    also as a dict, such as ``{"name": "alpha", "alpha": 0.5}`` or
    ``{"name": "alpha_ext", "alpha": 0.5, "reference": "flipped"}``.
max_depth : int or None
    Deepest level, at least 1; the root has depth 0. None sets no limit.
min_samples_split : int
    Fewest rows of a node that may split, at least 2.
min_samples_leaf : int
    Fewest rows of a leaf, at least 1.
min_weight_leaf : float
    Smallest total weight of a leaf, at least 0.
min_weight_fraction_leaf : float
    Smallest share of a leaf in the total weight, in [0, 0.5].
max_leaf_nodes : int or None
    Most leaves, at least 2; the tree then grows best node first. None sets no limit.
order : str
    Which node is the best with ``max_leaf_nodes``: "gain", the one whose split lowers the criterion most over
    the whole tree; "entropy", the one whose split lowers the entropy of the classes most, whatever the
    criterion.
max_features : int, float, "sqrt", "log2" or None
    Columns looked at in each node: a number, a share in (0, 1], or a function of their number;
    more where these cannot split it. None looks at all.
min_gain : float
    Smallest score of a split, at least 0.
zero_gain : bool
    Whether a split that gains nothing may be made, so that trees grow until all leaves are pure.
leaf : str
    Class probabilities of a leaf: "frequency", "laplace" or "m_estimate".
prior_weight : float
    Weight of the prior in the m-estimate, its m, positive.
nominal : str
    How a nominal column splits: "ovr" (one level against the rest), "multiway" (one branch a level),
    "ovr_multiway" (one branch a level, in the column whose best single level scores best), "dummy" (each
    level is a column of 0 and 1, which counts for ``max_features``) or "subset" (a set of levels against
    the rest: the best one for two classes, or for up to 10 levels; else found approximately).
missing : str
    Missing values: "error" refuses them in training data; "direction" learns a side for them in each
    split; "fraction" sends a row to all branches in proportion to their weights; "value" makes them one
    more level of nominal columns, and is "direction" for the others.
monotonic_cst : list of int, dict or None
    One of 1, 0 and -1 for each feature, or a dict from names of features to them: with 1 the
    probability of the positive class never falls when the feature rises, with -1 it never rises. Two
    classes only; 0 for nominal columns.
ccp_alpha : float or None
    Price of a leaf in minimal cost-complexity pruning, at least 0; infinity leaves the root. None does
    not prune; 0.0 prunes what does not lower the training risk.
ccp_risk : str
    Training risk that is weighed against leaves: "gini", "entropy", "error" or "cost".
max_bins : int or None
    Most bins of a numeric column, 2 to 255, for many rows: cuts are sought between bins only, and the
    thresholds are set by the values next to them. None tries every cut.
"""

# What forests add, and what means more in a forest.
FORESTS = """
n_estimators : int
    Trees, at least 1.
max_samples : int, float or None
    Rows drawn for each tree: a number, or a share in (0, 1]. None draws as many as there are.
bootstrap : bool
    Whether rows are drawn with replacement. A draw without some class is repeated, up to 100
    times.
vote : str
    "soft": the mean of the trees' probabilities; "hard": the share of the trees that are for a class.
oob_score : bool or str
    Whether each row is answered by the trees that did not see it: True scores the answers by accuracy,
    the name of a score of :func:`imbcore.evaluate` (such as "f1", for the positive class) by that.
min_samples_split : int
    Fewest rows of a node that may split, at least 2; a row drawn twice counts twice.
min_weight_fraction_leaf : float
    Smallest share of a leaf in the total weight of all rows, in [0, 0.5].
max_leaf_nodes : int or None
    Most leaves of a tree, at least 2; it then grows best node first. None sets no limit.
class_weight : dict, "balanced" or None
    Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
    inversely to their frequencies. Weights enter the trees, not the drawing of rows.
random_state : int, numpy Generator, RandomState or None
    Seed. Equal seeds give equal models whatever ``n_threads`` is, and more trees leave the first ones
    as they are.
"""

# SVR-Trees.
SVR = """
penalty : float or None
    Price of the surface-to-volume ratio, at least 0; 0 grows a tree by the weighted Gini index alone. None
    takes 0.032 divided by the cube root of the number of rows.
minority_weight : "auto" or float
    Weight of a row of every class but the largest, positive. "auto": for each class the largest whole number
    that leaves it no heavier than the largest class. ``class_weight`` takes its place.
max_leaf_nodes : float or None
    Most leaves, at least 1, rounded up. None: twice the square root of the number of rows.
feature_selection : bool
    Whether a feature that no split used so far must lower the impurity by ``new_feature_penalty * penalty``
    more than the features in use do.
new_feature_penalty : float
    The factor of feature selection, at least 0; the authors call anything from 1 to 10 reasonable.
pure_nodes : str
    Nodes whose rows are of one class: "split" looks at them as at others, as the paper says, since a part
    of one may change its label; "freeze" leaves them alone, as the authors' program does.
stop_rule : str
    What ``max_leaf_nodes`` limits: "leaves", as the paper says; "dequeues", the nodes looked at, also those
    that were not split, as in the authors' program.
scale : str
    How features are brought to the unit cube in which surface and volume are measured: "reference" linearly
    with a margin of range / (rows - 1) on both sides, as in the authors' program; "minmax" without margin;
    "none" leaves them, and they must lie in [0, 1].
regularizer : str
    "svr": the surface-to-volume ratio of each penalised class's region, summed; "surface": the surface
    between regions of different classes, for data whose classes are balanced.
penalised_classes : "minority", "all" or list of labels
    Classes whose ratios are summed: all but the largest, all, or those listed.
probability : str
    What ``predict_proba`` gives: "weighted" the share of a class in the weight of its leaf, "unweighted" in
    the rows.
missing : str
    Missing values: "direction" sends them to the side where they help most; "error" refuses them.
class_weight : dict, "balanced" or None
    Weight of every label, multiplied with ``sample_weight``, in place of ``minority_weight``; "balanced"
    weighs the classes inversely to their frequencies.
random_state : int, numpy Generator, RandomState or None
    Not used: nothing is drawn. It is here because all estimators have it.
"""

# What box drawings have instead.
BOXES = """
missing : str
    Missing values: "error" refuses them; "outside" holds that they are never within a bound; "inside" that
    they are within every bound.
random_state : int, numpy Generator, RandomState or None
    Seed of all random choices. Equal seeds give equal models whatever ``n_threads`` is.
"""

# Bayesian classifiers.
BAYES = """
discretizer : str
    How numeric columns are cut into bins: "mdlp" (minimal entropy, stopped by description length; columns
    that say nothing about the class get one bin and leave the network), "caim", "cacc", "ameva" (top-down
    by a class-attribute criterion) or "equal_freq".
n_bins : int
    Bins of a column for "equal_freq", from 2 to 65533.
r_compat : bool
    Whether "cacc" and "ameva" compute as R's package discretization does instead of as published.
missing : str
    Missing values in training: "available" uses in each count the rows that have its values; "drop_rows"
    leaves rows with missing values out; "state" makes them a state of their own; "error" refuses them. Rows
    to answer may lack values except with "error": what is unknown is summed out exactly.
unseen : str
    Levels that training did not see: "missing" holds them for missing values, "error" refuses them.
prior_weight : float or "n"
    Equivalent sample size of the prior of every probability table, spread evenly over its cells, at least
    0; "n" takes the weight of all rows.
prior_share : float or None
    Equivalent sample size as a share of the weight of all rows, at least 0, in place of ``prior_weight``.
laplace : str or None
    Least count of every cell: "max" lifts counts below 1 to 1, "add" adds 1; meant for ``prior_weight=0``.
gamma : float
    How far the prior of the class counters its imbalance, in [0, 1]. With ``gamma=1, prior_weight="n"`` two
    classes without parents come out alike.
rebalance : str
    Form of that prior: "inverse" to the classes' frequencies; "deficit", by what they lack to the largest;
    "literal", the thesis' printed form, for two classes.
local_priors : bool
    Whether ``gamma`` acts on small disjuncts only: parent configurations of the class in which a class is
    rare but present.
nu0 : float
    Share of the largest class of a disjunct up to which a class there is noise, ``0 <= nu0 < nu_max``.
nu_max : float
    Share of it from which a class there is balanced, at most 1.
strength : float
    Least weight of the prior of a disjunct as a share of its rows, at least 0; 0.5 lets it add at most half
    of them.
local_children : bool
    Whether local priors also act in the tables of the children of a class without parents.
rectify : str or None
    "tempered" weighs rows by class, so that dependencies within a rare class count; None does not.
phi : float
    Tempering, in [0, 1]: with 0 the classes weigh alike, with 1 as they are.
rectify_weights : str
    What tempered weights are used for: "both" structure and probabilities, or "structure" only. With "both"
    probabilities refer to the tempered classes, and ``predict_proba(X, calibrated=True)`` to the data.
random_state : int, numpy Generator, RandomState or None
    Seed of all random choices. Equal seeds give equal models whatever ``n_threads`` is.
"""

# Search for the graph of a network.
STRUCTURE = """
search : str
    How graphs are searched: "tabu" (hill climbing that goes on downhill and never returns to recent
    graphs), "hc" (hill climbing), "rb" (biased randomisation), "ils" (iterated local search) or "exact"
    (the best graph, up to about 20 columns).
structure_score : str
    What a graph is scored by: "bic", "aic", "ll", "k2", "bdeu" or "bds".
structure_constant : float
    Factor of the penalty of BIC and AIC, at least 0; 1 is the usual one, less lets in more arcs.
ess : float
    Equivalent sample size of BDeu and BDs, positive.
mle : str
    Log-likelihood: "family", or "pairwise", the sum of mutual information over the arcs, which overshoots
    with two parents that tell the same.
gaps : str
    Likelihood of a family that only some rows know: "node_average" times all rows, or "available", their
    sum, which favours families with many missing values.
max_parents : int or None
    Most parents of a variable; None sets no limit.
tie_order : str
    Order in which equally good steps are taken: "entropy2" (the better graph of columns by ascending and by
    descending entropy), "entropy" (ascending only), or "column". By entropy the order of columns in the data
    does not matter.
start : str or None
    Where the search starts: "empty", "naive", "random", or None for random with "rb" and empty with the
    others.
start_arcs, required, forbidden : list of pairs (from, to), or None
    Arcs of the graph to start from, arcs that every graph has, and arcs that none has. Columns are given by
    name or position; the class by "class", or by the number of columns.
tiers : dict, list or None
    Arcs never lead to a lower tier: a tier for every column and, last, the class; or a dict from names to
    tiers, others having 0.
class_role : str
    "free"; "root" for a class without parents; "leaf" for one without children.
tabu : int
    Recent graphs that tabu search does not return to, at least 1.
max_tabu : int
    Steps without a new best graph after which tabu search stops, at least 1.
restarts : int
    Restarts of "tabu" and "hc" from the best graph after ``perturb`` random steps.
perturb : int
    Random steps of a restart, at least 1.
kick : str
    Steps of a restart: "random" ones, or "equivalent", turns of arcs that keep all independences, from
    which a search is more likely to come back to where it was.
max_iters : int or None
    Most steps; None takes 1000 for "rb" and "ils" and sets no limit for the others.
max_without_improvement : int
    Rounds of "rb" and "ils" without a new best graph after which they stop, at least 1.
geom : float
    Parameter of the geometric law by which "rb" picks among ranked steps and "ils" the size of a
    perturbation, in (0, 1).
candidates : int
    Random steps that "rb" ranks in a round, at least 1.
time_limit : float or None
    Seconds, for all searches of ``tie_order`` together; None takes 30 for "rb" and "ils" and sets no limit
    for the others. A search that time ends need not repeat.
accept : str
    When "rb" and "ils" accept a worse graph: "credit", when it is behind the best by less than the last
    increase, or "demon", once after an increase by at most that.
density : float or None
    Chance of every arc of a random start, in [0, 1]; None takes ``1 / (n - 1)``, at most 0.5.
rectify : str or None
    Mutual information rectified for imbalance: "tempered" weighs rows by class; "centred", "perrow" and
    "literal" are readings of the thesis' formula, of which the last two let no arc into a rectified
    variable pay, and warn. None does nothing.
phi : float
    Strength of that, at least 0: 1 does nothing, 0 weighs the classes alike.
rectify_on : str
    Which variables are rectified, each with its own imbalance: "class" or "all"; tempered weights are those
    of the class.
require_class_arc : bool
    Whether a class without any arc gets the legal one that scores best, even at a loss.
"""

_HEADING = "    Parameters\n    ----------\n"
_NEXT = "    Attributes\n    ----------\n"


def documented(docstring: str, constructor: Callable[..., None], *shared: str) -> str:
    """Complete the section of parameters in the order of a constructor.

    Parameters
    ----------
    docstring
        Docstring of a class; its section of parameters, if there is one, holds what is particular to it.
    constructor
        Its ``__init__``.
    shared
        Descriptions of other parameters, without their defaults; a later one counts more.

    Returns
    -------
    str
        The docstring, in which every parameter of the constructor is described.
    """
    before, heading, rest = docstring.partition(_HEADING)
    section, _, after = rest.partition("\n\n")
    if not heading:
        before, following, rest = docstring.partition(_NEXT)
        after = following + rest
    own = _entries(textwrap.dedent(section))
    known = {name: entry for text in shared for name, entry in _entries(text).items()}
    entries: list[str] = []
    for name, parameter in inspect.signature(constructor).parameters.items():
        entry = own.get(name)
        if entry is None and name in known:
            head, _, meaning = known[name].partition("\n")
            default = parameter.default
            shown = f'"{default}"' if isinstance(default, str) else repr(default)
            entry = f"{head}, default={shown}\n{meaning}"
        if entry is not None and entry not in entries:
            entries.append(entry)
    return before + _HEADING + textwrap.indent("\n".join(entries), "    ") + "\n\n" + after


def _entries(text: str) -> dict[str, str]:
    """Part descriptions by name; names that share one get it both."""
    entries: dict[str, str] = {}
    names: list[str] = []
    for line in text.strip("\n").split("\n"):
        if not line.startswith(" "):
            names = line.partition(" : ")[0].split(", ")
            entries |= dict.fromkeys(names, line)
        else:
            entries |= {name: f"{entries[name]}\n{line}" for name in names}
    return entries
