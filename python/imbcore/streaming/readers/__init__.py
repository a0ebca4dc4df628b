"""Sources that need not fit into memory: files, queries and streams, read in batches."""

from imbcore.streaming.readers.open import open_source
from imbcore.streaming.readers.source import CHUNK_ROWS, Source

__all__ = ["CHUNK_ROWS", "Source", "open_source"]
