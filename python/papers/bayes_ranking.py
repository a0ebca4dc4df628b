"""Bayesian classifiers with given forms of graphs beside a searched one: ranks over the real two-class sets.

``imbcore.compare`` with everything as it is by default: twice five stratified folds of every set of two
classes and at most ``--rows`` rows. Ranks by average precision and six other measures, and what differs
beyond chance.
"""

from __future__ import annotations

from paper_output import keep, load, options

import imbcore
from imbcore import datasets

METHODS = ("naive_bayes", "tan", "kdb", "aode", "full_bayes", "forest")
KNOWN = tuple(datasets.names())


def main() -> None:
    """Run and write the page."""
    chosen = options(__doc__, rows=6000, known=KNOWN, sets=KNOWN)
    sets = {name: load(name) for name in chosen.sets}
    tables = {
        name: data
        for name, data in sets.items()
        if len(data.y) <= chosen.rows and len(datasets.info(name).class_counts) == 2
    }
    found = imbcore.compare(tables, methods=METHODS, protocol="2x5", random_state=chosen.seed, n_jobs=2)
    keep(chosen.output, "bayes_ranking", str(found))


if __name__ == "__main__":
    main()
