"""Exact structure search for Bayesian networks: seconds of proofs, bounds, and verification of certificates.

Rows are drawn from known networks with a stated seed, with columns in a stated random order, and the graph of
highest BIC is searched and proven. The columns are wall seconds of the search with its proof and of the
verification of its certificate, parent sets counted by the verifier, parts of the proof, and megabytes of the
certificate as JSON. Run it alone with ``--networks``, ``--rows`` and ``--threads``. Nothing is asserted about
time, but an invalid proof ends the program.
"""

# a command-line script prints

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import BayesianNetwork

NETWORKS = ("asia", "child", "insurance", "alarm")
SEED = 1


def draw(name: str, rows: int) -> Any:
    """Draw rows of a network with shuffled columns."""
    folder = Path(os.environ.get("IMBCORE_DATA", "../shared/data")) / "bif"
    drawn = BayesianNetwork.read(folder / f"{name}.bif").sample(rows, random_state=SEED)
    return drawn[list(np.random.default_rng(SEED).permutation(drawn.columns.to_numpy()))]


def measure(name: str, rows: int, threads: int) -> tuple[object, ...]:
    """Prove the best graph of a network, and verify the proof."""
    data = draw(name, rows)
    start = time.perf_counter()
    network = BayesianNetwork.learn(data, search="exact", random_state=SEED, n_threads=threads)
    searched = time.perf_counter() - start
    certificate = json.loads(json.dumps(network.certificate()))
    start = time.perf_counter()
    verdict = network.verify_certificate(data, certificate=certificate, n_threads=threads)
    checked = time.perf_counter() - start
    if network.search["stopped_by"] != "optimal" or not verdict["proves_optimal"]:
        raise SystemExit(f"{name}: {network.search} {verdict}")
    return (
        name,
        len(network.variables),
        f"{network.search['score']:,.2f}",
        f"{network.search['bound']:,.2f}",
        f"{searched:.1f}",
        f"{verdict['bound'] - verdict['score']:.1e}",
        f"{checked:.1f}",
        f"{verdict['families']:,}",
        len(certificate["proof"]["parts"]),
        f"{len(json.dumps(certificate)) / 1e6:.1f}",
    )


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    head = (
        "network",
        "variables",
        "BIC",
        "bound",
        "search s",
        "above by the check",
        "check s",
        "counted",
        "parts",
        "MB",
    )
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for name in given.networks:
        print("| " + " | ".join(map(str, measure(name, given.rows, given.threads))) + " |", flush=True)


if __name__ == "__main__":
    main()
