"""Fits to sources of rows: by counts of pieces, by a sample, or in memory."""
