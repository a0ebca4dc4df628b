"""What the parameters mean that many estimators share, and the docstrings that say it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable

__all__ = ["BOXES", "FORESTS", "OPTIONS", "SVR", "TREES", "documented"]

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
threshold : float or None
    Two classes only: answer the greater label when its probability is at least this, in [0, 1]. None
    answers the most probable class.
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
max_features : int, float, "sqrt", "log2" or None
    Columns looked at in each node: a number, a share in (0, 1], or a function of their number;
    more where these cannot split it. None looks at all.
min_gain : float
    Smallest score of a split, at least 0.
zero_gain : bool
    Whether a split that gains nothing may be made, so that trees grow until all leaves are pure.
leaf : str
    Class probabilities of a leaf: "frequency", "laplace" or "m_estimate".
m : float
    Weight of the prior in the m-estimate, positive.
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
    probability of the second class never falls when the feature rises, with -1 it never rises. Two
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
    the name of a score of :func:`imbcore.evaluate` (such as "f1", for the rarest class) by that.
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
max_leaves : float or None
    Most leaves, at least 1, rounded up. None: twice the square root of the number of rows.
feature_selection : bool
    Whether a feature that no split used so far must lower the impurity by ``c0 * penalty`` more than the
    features in use do.
c0 : float
    The factor of feature selection, at least 0; the authors call anything from 1 to 10 reasonable.
pure_nodes : str
    Nodes whose rows are of one class: "split" looks at them as at others, as the paper says, since a part
    of one may change its label; "freeze" leaves them alone, as the authors' program does.
stop_rule : str
    What ``max_leaves`` limits: "leaves", as the paper says; "dequeues", the nodes looked at, also those that
    were not split, as in the authors' program.
scaling : str
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
positive : label or None
    Class that the boxes describe. None takes the one with fewer rows, of equals the greater label.
missing : str
    Missing values: "error" refuses them; "outside" holds that they are never within a bound; "inside" that
    they are within every bound.
random_state : int, numpy Generator, RandomState or None
    Seed of all random choices. Equal seeds give equal models whatever ``n_threads`` is.
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
