"""Sources of rows that need not fit into memory: files, queries and streams, read piece by piece."""

from imbcore._sources.door import open_source
from imbcore._sources.source import CHUNK_ROWS, Source

__all__ = ["CHUNK_ROWS", "Source", "open_source"]
