"""Partitions of a Dask DataFrame, which must hold the same rows at every pass."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from imbcore.exceptions import DataError
from imbcore.streaming.metadata import MetadataScan

__all__ = ["PartitionChecks", "ScannedPartition", "checksum_of", "named_partition"]


@dataclass(frozen=True)
class ScannedPartition:
    """Result of the first pass over a partition."""

    scan: MetadataScan
    n_rows: int = 0
    checksum: str = ""


@dataclass(frozen=True)
class PartitionChecks:
    """Sizes and checksums of all partitions at the first pass, in the columns that it read."""

    columns: list[str]
    sizes: list[int]
    checksums: list[str]

    @classmethod
    def from_scans(cls, columns: list[str], parts: list[ScannedPartition]) -> PartitionChecks:
        """Collect what later passes are compared with."""
        return cls(columns, [part.n_rows for part in parts], [part.checksum for part in parts])

    @contextmanager
    def checked(self, part: Any, at: int) -> Iterator[None]:
        """Name the partition in errors, and reject rows that the first pass did not read.

        Raises
        ------
        DataError
            The partition has other rows than at the first pass.
        """
        with named_partition(at):
            if len(part) != self.sizes[at]:
                raise DataError(
                    f"has {len(part):,} rows, and had {self.sizes[at]:,} when it was counted; a partition "
                    "must give the same rows whenever it is computed, so persist or write out the data first"
                )
            if checksum_of(part, self.columns) != self.checksums[at]:
                raise DataError(
                    f"holds other values of {', '.join(map(repr, self.columns))}, or the same in another "
                    "order, than when it was counted; a partition must give the same rows whenever it is "
                    "computed, so persist or write out the data first"
                )
            yield


@contextmanager
def named_partition(at: int) -> Iterator[None]:
    """Prefix data errors with the number of the partition."""
    try:
        yield
    except DataError as error:
        raise DataError(f"partition {at}: {error}", error.column) from error


def checksum_of(part: Any, columns: list[str]) -> str:
    """Compute a checksum of some columns of a partition; it depends on the order of the rows."""
    from pandas.util import hash_pandas_object

    found = hashlib.blake2b(digest_size=16)
    for name in columns:
        found.update(hash_pandas_object(part[name], index=False).to_numpy().tobytes())
    return found.hexdigest()
