"""Average ranks of Bayesian classifiers over the real two-class data sets.

Compares classifiers with fixed graph structures with a searched one, and with forests and boosting of imbcore
and other libraries, by ``imbcore.compare`` with default settings: two repetitions of five stratified folds of
every data set with two classes and at most ``--rows`` rows. Reports ranks by average precision and six other
metrics, and significant differences.
"""

from __future__ import annotations

import imbcore
from imbcore import datasets
from paper_output import keep, load, options
from peers import CORE, absent, installed

METHODS = ("naive_bayes", "tan", "kdb", "aode", "full_bayes", "forest")
KNOWN = tuple(datasets.names())


def main() -> None:
    """Run the comparison and write the page."""
    chosen = options(__doc__, rows=6000, known=KNOWN, sets=KNOWN)
    sets = {name: load(name) for name in chosen.sets}
    tables = {
        name: data
        for name, data in sets.items()
        if len(data.y) <= chosen.rows and len(datasets.info(name).class_counts) == 2
    }
    peers = installed(CORE)
    methods = {name: name for name in METHODS} | peers
    found = imbcore.compare(tables, methods=methods, protocol="2x5", random_state=chosen.seed, n_jobs=2)
    text = absent(CORE, peers)
    keep(chosen.output, "bayes_ranking", "\n\n".join([str(found), *([text] if text else [])]))


if __name__ == "__main__":
    main()
