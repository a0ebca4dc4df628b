"""A table of payments, and ways to split it into files."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
from pyarrow import parquet


def payments(n_rows=5000, seed=0):
    """Numbers and text with missing values, integers, booleans, and a rare label."""
    rng = np.random.default_rng(seed)
    amount = np.round(rng.lognormal(size=n_rows), 2)
    hour = rng.integers(0, 24, n_rows)
    shop = rng.choice(["bakery", "garage", "hotel", "cinema"], n_rows)
    odds = amount / 30 + (shop == "hotel") / 10
    return pa.table(
        {
            "amount": pa.array(amount, mask=rng.random(n_rows) < 0.05),
            "hour": pa.array(hour.astype(np.int32)),
            "shop": pa.array(shop, mask=rng.random(n_rows) < 0.02),
            "abroad": pa.array(rng.random(n_rows) < 0.1),
            "fraud": pa.array((rng.random(n_rows) < odds).astype(np.int64)),
        }
    )


def ragged(table, folder, n_files=37, seed=1):
    """Write a table into files of different lengths, one of them empty, with row groups of different
    lengths.
    """
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, len(table), n_files - 2))
    edges = [0, *cuts, cuts[-1], len(table)]
    folder.mkdir(exist_ok=True)
    for part, (low, high) in enumerate(pairwise(edges)):
        path = folder / f"part-{part}.parquet"
        parquet.write_table(table.slice(low, high - low), path, row_group_size=int(rng.integers(1, 300)))
    return folder
